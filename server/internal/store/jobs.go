package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// idSlack is how much earlier than its id a job may have ended: clocks of nodes that make ids run ahead of the database's.
const idSlack = 24 * time.Hour

// LiveJobs reads live rows by id, in any order; missing ids are missing. All partitions go in one round trip.
func (s *Store) LiveJobs(ctx context.Context, ids []job.ID) (map[job.ID]Live, error) {
	out := make(map[job.ID]Live, len(ids))
	batch := &pgx.Batch{}
	for part, group := range byPart(ids) {
		batch.Queue(s.leafSQL("live_jobs", part), group).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				row, err := scanLive(rows)
				if err != nil {
					return err
				}
				out[row.ID] = row
			}
			return rows.Err()
		})
	}
	if batch.Len() == 0 {
		return out, nil
	}
	err := s.read.SendBatch(ctx, batch).Close()
	return out, classify("read live jobs", err, false)
}

// EndedJobs reads history rows by id.
func (s *Store) EndedJobs(ctx context.Context, ids []job.ID) (map[job.ID]Ended, error) {
	out := make(map[job.ID]Ended, len(ids))
	batch := &pgx.Batch{}
	for part, group := range byPart(ids) {
		since := job.ID(group[0]).Time()
		for _, id := range group {
			if t := job.ID(id).Time(); t.Before(since) {
				since = t
			}
		}
		batch.Queue(s.leafSQL("ended_jobs", part), group, since.Add(-idSlack)).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				row, err := scanEnded(rows)
				if err != nil {
					return err
				}
				out[row.ID] = row
			}
			return rows.Err()
		})
	}
	if batch.Len() == 0 {
		return out, nil
	}
	err := s.read.SendBatch(ctx, batch).Close()
	return out, classify("read ended jobs", err, false)
}

// byPart groups ids, leaving out those whose partition does not exist.
func byPart(ids []job.ID) map[int16][][16]byte {
	groups := map[int16][][16]byte{}
	for _, id := range ids {
		groups[id.Part()] = append(groups[id.Part()], id)
	}
	return groups
}

// KnownPart reports whether the partition in id exists here; text that is a well-formed id of another database is not.
func (s *Store) KnownPart(id job.ID) bool { return int(id.Part()) < s.parts }

// Attempts reads the ended attempts of a live job, latest first.
func (s *Store) Attempts(ctx context.Context, id job.ID) ([]job.Attempt, error) {
	rows, err := s.read.Query(ctx, s.leafSQL("job_attempts", id.Part()), [16]byte(id))
	if err != nil {
		return nil, classify("read attempts", err, false)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (job.Attempt, error) {
		var a job.Attempt
		err := row.Scan(&a.Number, &a.Outcome, &a.Started, &a.Ended, &a.Worker, &a.Error)
		a.Started, a.Ended = a.Started.UTC(), a.Ended.UTC()
		return a, err
	})
	return list, classify("read attempts", err, false)
}

// Receipt says how a lease that returned its job to PENDING ended.
type Receipt struct {
	ClaimID int64
	Outcome job.Outcome
	Due     time.Time
}

// Receipts reads, for jobs that are still alive, how the leases of the given tokens ended, keyed by job.
func (s *Store) Receipts(ctx context.Context, tokens []job.Token) (map[job.ID]Receipt, error) {
	ids, claims := map[int16][][16]byte{}, map[int16][]int64{}
	want := map[job.ID]int64{}
	for _, t := range tokens {
		part := t.ID.Part()
		ids[part], claims[part] = append(ids[part], t.ID), append(claims[part], t.ClaimID)
		want[t.ID] = t.ClaimID
	}
	out := map[job.ID]Receipt{}
	for part := range ids {
		rows, err := s.read.Query(ctx, s.leafSQL("attempt_receipts", part), ids[part], claims[part])
		if err != nil {
			return nil, classify("read receipts", err, false)
		}
		for rows.Next() {
			var id [16]byte
			var r Receipt
			if err := rows.Scan(&id, &r.ClaimID, &r.Outcome, &r.Due); err != nil {
				rows.Close()
				return nil, classify("read receipts", err, false)
			}
			if want[id] == r.ClaimID {
				r.Due = r.Due.UTC()
				out[id] = r
			}
		}
		if err := rows.Err(); err != nil {
			return nil, classify("read receipts", err, false)
		}
	}
	return out, nil
}

// KnownRequest is what was stored for a request id.
type KnownRequest struct {
	Fingerprint int64
	Job         job.ID
}

// Requests reads what is known of request ids, keyed by their stored key.
func (s *Store) Requests(ctx context.Context, keys []*RequestKey) (map[[16]byte]KnownRequest, error) {
	parts, ids := make([]int16, len(keys)), make([][16]byte, len(keys))
	for i, k := range keys {
		parts[i], ids[i] = k.Part, k.Key
	}
	out := map[[16]byte]KnownRequest{}
	rows, err := s.read.Query(ctx, s.sql("requests_by_key"), parts, ids)
	if err != nil {
		return nil, classify("read request ids", err, false)
	}
	defer rows.Close()
	for rows.Next() {
		var key, id [16]byte
		var known KnownRequest
		if err := rows.Scan(&key, &known.Fingerprint, &id); err != nil {
			return nil, classify("read request ids", err, false)
		}
		known.Job = id
		out[key] = known
	}
	if err := rows.Err(); err != nil {
		return nil, classify("read request ids", err, false)
	}
	return out, nil
}

// AskCancel asks for the end of a running job within grace; it answers how long the lease still holds, or ErrConflict if
// the row is not running at that version any more, or has been asked before.
func (s *Store) AskCancel(ctx context.Context, id job.ID, version int64, reason string, grace time.Duration) (time.Duration, error) {
	var left int64
	err := s.read.QueryRow(ctx, s.leafSQL("ask_cancel", id.Part()), [16]byte(id), version, reason, grace.Microseconds()).Scan(&left)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrConflict
	}
	return time.Duration(left) * time.Microsecond, classify("ask to cancel", err, true)
}

// Depth is what some lanes of one partition hold. Counted up to a limit.
type Depth struct {
	Pending, Ready, Running int64
	OldestReady, NextDue    time.Time // zero: none
	Truncated               bool
}

// LaneDepth counts the live rows of lanes, at most limit of them.
func (s *Store) LaneDepth(ctx context.Context, part int16, lanes []int32, limit int) (Depth, error) {
	var d Depth
	var total int64
	var oldest, next infinityTime
	err := s.steered(ctx, s.read, orderedSettings, func(batch *pgx.Batch) {
		batch.Queue(s.leafSQL("lane_depth", part), lanes, limit+1).QueryRow(func(row pgx.Row) error {
			return row.Scan(&d.Pending, &d.Ready, &d.Running, &oldest, &next, &total)
		})
	})
	d.Truncated = total > int64(limit)
	d.OldestReady, d.NextDue = time.Time(oldest), time.Time(next)
	return d, classify("count lanes", err, false)
}
