package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// withdrawChunk is how many jobs one statement withdraws.
const withdrawChunk = 1000

// ScheduleChange is a schedule as it shall be: Want carries the id and revision of the state that its caller knows, and
// everything else of the new one. Timing decides where the rule goes on.
type ScheduleChange struct {
	Want     Schedule
	Withdraw Withdraw
	// Overlap says that the policy for overlapping runs is another one from now on, also for what was made ahead.
	Overlap bool
	// Calendars are those that the rule copies from now on; nil: as before.
	Calendars *[]CalendarRef
	Timing    func(Progress) ChangedTiming
	Notes     *ChangeNotes // filled in once the change is stored; nil: nobody asks
}

// ChangeNotes is what a change did to nominal times.
type ChangeNotes struct {
	Withdrawn int64 // jobs taken back
	Skipped   Skip
}

// Withdraw says which jobs of a schedule a change takes back, of those that have never been leased.
type Withdraw int8

// What a change takes back.
const (
	WithdrawNone     Withdraw = iota
	WithdrawOfRule            // those of the rule, not those of manual runs and backfills
	WithdrawEveryJob          // all
)

// Progress is how far a schedule has come when it changes.
type Progress struct {
	Now     time.Time // the database's clock
	Decided time.Time // nominal times up to and including it have been decided on, jobs taken back among them
	Cursor  time.Time // nominal times up to and including it have an outcome that stays: jobs taken back have none
}

// ChangedTiming is where a changed rule stands.
type ChangedTiming struct {
	Timing
	Skipped Skip // nominal times of the former rule that will not come any more
}

// Skip is a run of nominal times that make no job. The zero Skip is an empty run.
type Skip struct {
	From, Until time.Time
	Count       int32 // 0: not counted
	Reason      string
}

// ChangeSchedule stores a change, provided that the revision in it is still the stored one, else ErrConflict, and that its
// calendars are as they were read, else ErrCalendarMoved. When it has
// answered, no job that it has taken back is leased, and none of the former state is made any more.
func (s *Store) ChangeSchedule(ctx context.Context, c ScheduleChange) (changed *Schedule, err error) {
	var notes ChangeNotes
	err = inTx(ctx, s.read, "change schedule", func(tx pgx.Tx) error {
		if c.Calendars != nil {
			if err := s.holdCalendars(ctx, tx, *c.Calendars); err != nil {
				return err
			}
		}
		moved, err := s.settle(ctx, tx, &c.Want, c.Withdraw)
		if err != nil {
			return err
		}
		timing := c.Timing(moved.Progress)
		notes = ChangeNotes{Withdrawn: moved.taken, Skipped: timing.Skipped}
		if skip := timing.Skipped; !skip.From.IsZero() {
			if _, err := tx.Exec(ctx, s.sql("skip_occurrences"), c.Want.Home, optionalCount(skip.Count), c.Want.UID, skip.From,
				skip.Until, c.Want.Revision, skip.Reason); err != nil {
				return fmt.Errorf("note skipped occurrences: %w", err)
			}
		}
		w, t := &c.Want, &c.Want.Template
		changed, err = scanSchedule(tx.QueryRow(ctx, s.sql("change_schedule"), w.ID, w.Revision,
			job.PartOf(w.TenantName, t.Queue, s.parts), string(timing.Spec), t.Queue, t.JobType, t.Priority,
			optionalMicros(t.StartWithin), optionalMicros(t.Timeout), t.Age.Microseconds(), t.Payload, t.Body, w.Description,
			w.Paused, w.PauseReason, w.Error, timing.Cursor, optionalTime(timing.Next), moved.withdrawn, moved.last, moved.lastJob,
			w.Overlap, w.PauseOnFailure))
		if err != nil {
			return noneMeans(err, ErrConflict)
		}
		if c.Overlap {
			if err := s.followOverlap(ctx, tx, changed); err != nil {
				return err
			}
		}
		if c.Calendars == nil {
			return nil
		}
		return s.replaceCalendars(ctx, tx, changed, *c.Calendars)
	})
	if err == nil && c.Notes != nil {
		*c.Notes = notes
	}
	return changed, err
}

// followOverlap puts what was made ahead under the schedule's policy.
func (s *Store) followOverlap(ctx context.Context, tx pgx.Tx, changed *Schedule) error {
	if _, err := tx.Exec(ctx, s.sql(hotSettings)); err != nil {
		return fmt.Errorf("set up: %w", err)
	}
	if _, err := tx.Exec(ctx, s.leafSQL("follow_overlap", changed.Part), changed.ID); err != nil {
		return fmt.Errorf("change the policy of blocked occurrences: %w", err)
	}
	if changed.Overlap == OverlapAllowed {
		return nil
	}
	if _, err := tx.Exec(ctx, s.leafSQL("block_ahead", changed.Part), changed.ID); err != nil {
		return fmt.Errorf("block occurrences made ahead: %w", err)
	}
	return nil
}

// DeleteSchedule deletes a schedule and withdraws the jobs that have never been leased, provided that its revision is still
// the stored one, else ErrConflict. It answers how many jobs these were.
func (s *Store) DeleteSchedule(ctx context.Context, known *Schedule) (withdrawn int64, err error) {
	err = inTx(ctx, s.read, "delete schedule", func(tx pgx.Tx) error {
		moved, err := s.settle(ctx, tx, known, WithdrawEveryJob)
		if err != nil {
			return err
		}
		withdrawn = moved.taken
		tag, err := tx.Exec(ctx, s.sql("delete_schedule"), known.ID, known.Revision)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrConflict
		}
		return err
	})
	return withdrawn, err
}

// settled is what a change finds once nothing moves any more.
type settled struct {
	Progress
	taken     int64 // jobs taken back
	withdrawn bool  // a job of the rule was taken back; then last and lastJob are the latest job that stays
	last      *time.Time
	lastJob   *[16]byte
}

// settle locks a schedule and says how far it has come, after it has taken jobs back if it is to.
func (s *Store) settle(ctx context.Context, tx pgx.Tx, known *Schedule, withdraw Withdraw) (settled, error) {
	var out settled
	if err := tx.QueryRow(ctx, s.sql("lock_schedule"), known.ID, known.Revision).Scan(&out.Decided); err != nil {
		return out, noneMeans(err, ErrConflict)
	}
	var earliest time.Time
	if withdraw != WithdrawNone {
		var err error
		if out.taken, earliest, err = s.withdraw(ctx, tx, known, withdraw); err != nil {
			return out, err
		}
	}
	if err := tx.QueryRow(ctx, s.sql("clock")).Scan(&out.Now); err != nil {
		return out, fmt.Errorf("read database clock: %w", err)
	}
	out.Now, out.Decided = out.Now.UTC(), out.Decided.UTC()
	out.Cursor = out.Decided
	if withdraw == WithdrawNone {
		return out, nil
	}
	if _, err := tx.Exec(ctx, s.sql("reopen_ledger"), known.Home, known.UID, out.Now); err != nil {
		return out, fmt.Errorf("reopen skips ahead: %w", err)
	}
	var kept *time.Time
	err := tx.QueryRow(ctx, s.sql("ledger_tail"), known.Home, known.UID).Scan(&kept, &out.last, &out.lastJob)
	if err != nil {
		return out, fmt.Errorf("read ledger: %w", err)
	}
	out.withdrawn = !earliest.IsZero()
	out.rewind(earliest, orZero(kept))
	return out, nil
}

// rewind moves the cursor back to what has an outcome that stays: before everything that was taken back or lies ahead, but
// never before a nominal time that was kept, so that none of those is decided on twice.
func (p *Progress) rewind(earliest, kept time.Time) {
	if p.Now.Before(p.Cursor) {
		p.Cursor = p.Now
	}
	if before := earliest.Add(-time.Microsecond); !earliest.IsZero() && before.Before(p.Cursor) {
		p.Cursor = before
	}
	if kept.After(p.Cursor) {
		p.Cursor = kept
	}
}

// withdraw takes jobs back, and answers how many, and the earliest nominal time of those of
// the rule; zero if there is none.
func (s *Store) withdraw(ctx context.Context, tx pgx.Tx, known *Schedule, which Withdraw) (taken int64, earliest time.Time, err error) {
	for {
		var n int64
		var first *time.Time
		err := tx.QueryRow(ctx, s.leafSQL("withdraw_jobs", known.Part), known.ID, known.Home, known.UID, job.ReasonWithdrawn,
			withdrawChunk, int16(job.DefaultRetention), known.Tenant, which == WithdrawOfRule).Scan(&n, &first)
		if err != nil {
			return taken, earliest, fmt.Errorf("withdraw jobs: %w", err)
		}
		// A chunk may be smaller than asked for because of rows that were leased meanwhile: only an empty one is the last.
		if n == 0 {
			return taken, earliest, nil
		}
		taken += n
		if first != nil && (earliest.IsZero() || first.Before(earliest)) {
			earliest = first.UTC()
		}
	}
}

// FailSchedule notes why a schedule cannot fire any more, provided that it is still at that revision; false if it is not.
func (s *Store) FailSchedule(ctx context.Context, id int32, revision int64, why string) (bool, error) {
	tag, err := s.control.Exec(ctx, s.sql("fail_schedule"), id, revision, why)
	return tag.RowsAffected() == 1, classify("note error of schedule", err, true)
}

// ReopenSchedules repairs schedules of partitions whose cursor is more than ahead in front of the database's clock, as it
// is when the clock has been set back: up to limit of them, and how many they were. What has made no job is undecided
// again.
func (s *Store) ReopenSchedules(ctx context.Context, parts []int16, ahead time.Duration, limit int) (int64, error) {
	var n int64
	err := s.control.QueryRow(ctx, s.sql("reopen_schedules"), parts, ahead.Microseconds(), limit).Scan(&n)
	return n, classify("reopen schedules", err, true)
}

// SweepOccurrences deletes up to limit ledger rows older than age, and answers how many they were; and likewise the rows
// of schedules that were deleted so long ago.
func (s *Store) SweepOccurrences(ctx context.Context, age time.Duration, limit int) (int64, error) {
	ledger, err := s.read.Exec(ctx, s.sql("sweep_occurrences"), age.Microseconds(), limit)
	gone, failed := s.read.Exec(ctx, s.sql("sweep_schedules"), age.Microseconds(), limit)
	return max(ledger.RowsAffected(), gone.RowsAffected()), classify("sweep ledger", errors.Join(err, failed), true)
}

func optionalCount(n int32) *int32 {
	if n == 0 {
		return nil
	}
	return &n
}
