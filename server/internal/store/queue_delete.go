package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

const (
	cancelChunk  = 1000   // rows that one statement moves to history
	cancelAtOnce = 10_000 // rows that the deleting transaction itself moves; it holds up the partition's claims meanwhile
	countLimit   = 100_000
)

// InUseError refuses to delete a queue because of what it holds. Counts stop at 100,000.
type InUseError struct {
	Waiting int64 // PENDING or BLOCKED
	Running int64
}

// Error names the counts.
func (e *InUseError) Error() string {
	return fmt.Sprintf("queue holds %d waiting and %d running jobs", e.Waiting, e.Running)
}

// QueueDeletion is a queue to be deleted as its caller knows it.
type QueueDeletion struct {
	ID       int32
	Tenant   int32
	Part     int16
	Revision int64
	Force    bool // cancel the jobs that wait
}

// DeleteQueue deletes a queue. Without Force it refuses while the queue holds a job; with it, the waiting ones are
// cancelled into history and only running ones refuse (InUseError). ErrConflict if the queue has changed meanwhile.
// Up to 10,000 waiting jobs go in the one transaction that deletes the queue, so all of it happens or nothing. More of
// them go in transactions of their own before it: should a job be leased meanwhile, the answer is a refusal after a part
// has been cancelled, and the next call goes on from there.
func (s *Store) DeleteQueue(ctx context.Context, d QueueDeletion) (c QueueChange, err error) {
	lanes, err := s.laneNumbers(ctx, s.read, d.ID)
	if err != nil {
		return c, err
	}
	// A refusal is found here, where nobody's claims wait for the count; the transaction only makes sure.
	if d.Force {
		err = s.thinOut(ctx, d, lanes)
	} else {
		err = s.refuseHeld(ctx, s.read, d.Part, lanes)
	}
	if err != nil {
		return c, fmt.Errorf("delete queue: %w", err)
	}
	err = inTx(ctx, s.read, "delete queue", func(tx pgx.Tx) error {
		c, err = s.deleteQueue(ctx, tx, d)
		return err
	})
	return c, err
}

// deleteQueue holds up the partition's claims, so that what it has looked at stays as it is until it commits.
func (s *Store) deleteQueue(ctx context.Context, tx pgx.Tx, d QueueDeletion) (c QueueChange, err error) {
	if c.Config, err = s.raiseConfig(ctx, tx, d.Part); err != nil {
		return c, err
	}
	if c.Queue, err = scanQueue(tx.QueryRow(ctx, s.sql("delete_queue"), d.ID, d.Revision)); err != nil {
		return c, noneMeans(err, ErrConflict)
	}
	// The queue's row is locked: no lane is added from here on.
	lanes, err := s.laneNumbers(ctx, tx, d.ID)
	if err != nil {
		return c, err
	}
	if d.Force {
		if err := s.refuseRunning(ctx, tx, d.Part, lanes); err != nil {
			return c, err
		}
		if _, err := s.cancelWaiting(ctx, tx, d, lanes, cancelAtOnce); err != nil {
			return c, err
		}
	}
	return c, s.refuseHeld(ctx, tx, d.Part, lanes)
}

// thinOut cancels waiting jobs, each chunk for itself, until few enough are left for one transaction.
func (s *Store) thinOut(ctx context.Context, d QueueDeletion, lanes []int32) error {
	if err := s.refuseRunning(ctx, s.read, d.Part, lanes); err != nil {
		return err
	}
	for {
		waiting, _, err := s.held(ctx, s.read, d.Part, lanes, cancelAtOnce+1)
		if err != nil || waiting <= cancelAtOnce {
			return err
		}
		if _, err := s.CancelWaiting(ctx, d, cancelAtOnce); err != nil {
			return err
		}
	}
}

// CancelWaiting cancels up to limit waiting jobs of a queue that is deleted, or is about to be, in chunks that commit one
// by one, and answers how many they were. Jobs that were created through a node which had not yet heard of the deletion
// are what it finds afterwards.
func (s *Store) CancelWaiting(ctx context.Context, d QueueDeletion, limit int) (int, error) {
	lanes, err := s.laneNumbers(ctx, s.read, d.ID)
	if err != nil {
		return 0, err
	}
	total := 0
	for total < limit {
		want := min(cancelChunk, limit-total)
		n := 0
		err := inTx(ctx, s.read, "cancel waiting jobs", func(tx pgx.Tx) error {
			var err error
			n, err = s.cancelWaiting(ctx, tx, d, lanes, want)
			return err
		})
		total += n
		if err != nil || n < want {
			return total, err
		}
	}
	return total, nil
}

// cancelWaiting cancels up to limit waiting jobs within tx.
func (s *Store) cancelWaiting(ctx context.Context, tx pgx.Tx, d QueueDeletion, lanes []int32, limit int) (int, error) {
	total := 0
	for total < limit {
		want := min(cancelChunk, limit-total)
		rows, err := tx.Query(ctx, s.leafSQL("cancel_waiting", d.Part), lanes, want, int16(job.DefaultRetention), d.Tenant,
			job.ReasonQueueDeleted)
		if err != nil {
			return total, fmt.Errorf("cancel waiting jobs: %w", err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[[16]byte])
		if err != nil {
			return total, fmt.Errorf("cancel waiting jobs: %w", err)
		}
		if _, err := tx.Exec(ctx, s.leafSQL("drop_attempts", d.Part), ids); err != nil {
			return total, fmt.Errorf("drop attempts of cancelled jobs: %w", err)
		}
		if total += len(ids); len(ids) < want {
			break
		}
	}
	return total, nil
}

// refuseRunning answers an InUseError if any job is leased.
func (s *Store) refuseRunning(ctx context.Context, db querier, part int16, lanes []int32) error {
	var used InUseError
	if err := db.QueryRow(ctx, s.leafSQL("leased_in_lanes", part), lanes).Scan(&used.Running); err != nil {
		return classify("count running jobs", err, false)
	}
	if used.Running == 0 {
		return nil
	}
	var err error
	if used.Waiting, _, err = s.held(ctx, db, part, lanes, countLimit); err != nil {
		return err
	}
	return &used
}

// refuseHeld answers an InUseError if any job is there at all.
func (s *Store) refuseHeld(ctx context.Context, db querier, part int16, lanes []int32) error {
	waiting, running, err := s.held(ctx, db, part, lanes, countLimit)
	if err != nil || waiting+running == 0 {
		return err
	}
	return &InUseError{Waiting: waiting, Running: running}
}

func (s *Store) held(ctx context.Context, db querier, part int16, lanes []int32, limit int) (waiting, running int64, err error) {
	err = db.QueryRow(ctx, s.leafSQL("held_by_lanes", part), lanes, limit).Scan(&waiting, &running)
	return waiting, running, classify("count jobs of queue", err, false)
}

func (s *Store) laneNumbers(ctx context.Context, db querier, queue int32) ([]int32, error) {
	lanes, err := listRows(ctx, db, "read lanes of queue", s.sql("lanes_of_queues"), scanLane, []int32{queue})
	numbers := make([]int32, len(lanes))
	for i, l := range lanes {
		numbers[i] = l.Number
	}
	return numbers, err
}
