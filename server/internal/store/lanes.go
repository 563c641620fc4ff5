package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// MaxLanes bounds the job types of one queue.
const MaxLanes = 1000

// Lane is one job type of one queue.
type Lane struct {
	Number int32
	Tenant int32
	Queue  int32
	Type   string
}

func scanLane(row pgx.Row) (Lane, error) {
	var l Lane
	err := row.Scan(&l.Number, &l.Tenant, &l.Queue, &l.Type)
	return l, err
}

// EnsureLane answers the lane of a job type, and makes it if need be. Errors: ErrNotFound if the queue is gone;
// job.ErrLimit if it has MaxLanes job types already.
func (s *Store) EnsureLane(ctx context.Context, queue int32, jobType string) (Lane, error) {
	lane, err := scanLane(s.read.QueryRow(ctx, s.sql("lane_by_type"), queue, jobType))
	if !errors.Is(err, pgx.ErrNoRows) {
		return lane, classify("read lane", err, false)
	}
	err = inTx(ctx, s.read, "make lane", func(tx pgx.Tx) error {
		var id int32
		if err := tx.QueryRow(ctx, s.sql("lock_queue"), queue).Scan(&id); err != nil {
			return noneMeans(err, ErrNotFound)
		}
		var err error
		lane, err = scanLane(tx.QueryRow(ctx, s.sql("lane_by_type"), queue, jobType))
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		var n int64
		if err := tx.QueryRow(ctx, s.sql("count_lanes"), queue).Scan(&n); err != nil {
			return fmt.Errorf("count lanes: %w", err)
		}
		if n >= MaxLanes {
			return job.LimitReached(job.LimitUse{Name: "job types in a queue", Max: MaxLanes, Use: n}, 0)
		}
		lane, err = scanLane(tx.QueryRow(ctx, s.sql("create_lane"), queue, jobType))
		return err
	})
	return lane, err
}

// LanesByNumber reads lanes, in any order; missing numbers are missing.
func (s *Store) LanesByNumber(ctx context.Context, numbers []int32) ([]Lane, error) {
	return listRows(ctx, s.read, "read lanes", s.sql("lanes_by_number"), scanLane, numbers)
}

// LanesOfQueues reads all lanes of queues, in order of number.
func (s *Store) LanesOfQueues(ctx context.Context, queues []int32) ([]Lane, error) {
	return listRows(ctx, s.read, "read lanes of queues", s.sql("lanes_of_queues"), scanLane, queues)
}
