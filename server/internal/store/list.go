package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// Listed is what a listing knows of a job before its row is read.
type Listed struct {
	ID    job.ID
	Lane  int32
	State job.State // Ready for PENDING and due
}

// LiveWindow is what one window of one partition holds.
type LiveWindow struct {
	Jobs  []Listed // the tenant's, newest first
	Floor job.ID   // every id from here up to the window's begin was looked at
	Full  bool     // false: nothing is left below
}

// ListLive reads one window of at most size rows of each partition, newest first, below the given id, and answers what of
// them is the tenant's. All partitions go in one round trip.
func (s *Store) ListLive(ctx context.Context, tenant int32, parts []int16, below job.ID, size int) ([]LiveWindow, error) {
	windows := make([]LiveWindow, len(parts))
	if len(parts) == 0 {
		return windows, nil
	}
	err := s.steered(ctx, s.read, orderedSettings, func(batch *pgx.Batch) {
		for i, part := range parts {
			w := &windows[i]
			batch.Queue(s.leafSQL("list_live", part), [16]byte(below), size, tenant).Query(func(rows pgx.Rows) error {
				for rows.Next() {
					var id [16]byte
					var l Listed
					var mine bool
					var seen int
					if err := rows.Scan(&id, &l.Lane, &l.State, &mine, &seen); err != nil {
						return err
					}
					l.ID = id
					if mine {
						w.Jobs = append(w.Jobs, l)
					}
					w.Floor, w.Full = l.ID, seen >= size
				}
				return rows.Err()
			})
		}
	})
	return windows, classify("list live jobs", err, false)
}

// ListEnded reads one window of a tenant's history, newest first, below the given id. Fewer rows than size mean that
// nothing is left.
func (s *Store) ListEnded(ctx context.Context, tenant int32, below job.ID, size int) ([]Listed, error) {
	return listRows(ctx, s.read, "list ended jobs", s.sql("list_ended"), func(row pgx.Row) (Listed, error) {
		var id [16]byte
		var l Listed
		err := row.Scan(&id, &l.Lane, &l.State)
		l.ID = id
		return l, err
	}, tenant, [16]byte(below), size)
}

// PartsOfTenant reads the partitions of a tenant's queues, in order.
func (s *Store) PartsOfTenant(ctx context.Context, tenant int32) ([]int16, error) {
	return partsOfTenant(ctx, s.read, s, tenant)
}

func partsOfTenant(ctx context.Context, db querier, s *Store, tenant int32) ([]int16, error) {
	return listRows(ctx, db, "read partitions of tenant", s.sql("parts_of_tenant"), func(row pgx.Row) (int16, error) {
		var part int16
		err := row.Scan(&part)
		return part, err
	}, tenant)
}

// LastErrors reads the latest error of each of some live jobs; jobs without one are missing.
func (s *Store) LastErrors(ctx context.Context, ids []job.ID) (map[job.ID]string, error) {
	out := map[job.ID]string{}
	batch := &pgx.Batch{}
	for part, group := range byPart(ids) {
		batch.Queue(s.leafSQL("last_errors", part), group).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var id [16]byte
				var text string
				if err := rows.Scan(&id, &text); err != nil {
					return err
				}
				out[id] = text
			}
			return rows.Err()
		})
	}
	if batch.Len() == 0 {
		return out, nil
	}
	err := s.read.SendBatch(ctx, batch).Close()
	return out, classify("read last errors", err, false)
}

// AttemptsOf reads the latest ended attempts, at most limit a job, of some live jobs, oldest first.
func (s *Store) AttemptsOf(ctx context.Context, ids []job.ID, limit int) (map[job.ID][]job.Attempt, error) {
	out := map[job.ID][]job.Attempt{}
	batch := &pgx.Batch{}
	for part, group := range byPart(ids) {
		batch.Queue(s.leafSQL("attempts_of_jobs", part), group, limit).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var id [16]byte
				var a job.Attempt
				if err := rows.Scan(&id, &a.Number, &a.Outcome, &a.Started, &a.Ended, &a.Worker, &a.Error); err != nil {
					return err
				}
				a.Started, a.Ended = a.Started.UTC(), a.Ended.UTC()
				out[id] = append(out[id], a)
			}
			return rows.Err()
		})
	}
	if batch.Len() == 0 {
		return out, nil
	}
	err := s.read.SendBatch(ctx, batch).Close()
	return out, classify("read attempts of jobs", err, false)
}
