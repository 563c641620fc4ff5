package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Run is one job that a call makes of a schedule, beside its rule.
type Run struct {
	ID      job.ID
	Nominal time.Time
	Suffix  []byte        // see job.OccurrenceSuffix
	Delay   time.Duration // due so much later than now
}

// Runs are jobs that a call makes of a schedule together.
type Runs struct {
	Known   *Schedule // whose id and revision must still be the stored ones
	Origin  OccurrenceOrigin
	Lane    int32
	Overlap int16 // the policy for these jobs
	// Plan says by the database's clock and by what is alive which jobs there shall be; called once under the schedule's lock.
	Plan    func(now time.Time, alive RunsAlive) (RunPlan, error)
	Request *AdminRequest
}

// RunsAlive is what there is of a schedule: whether it has a run, and whether a job waits for the end of one.
type RunsAlive struct{ Run, Waiting bool }

// RunPlan is the jobs to be made.
type RunPlan struct {
	Jobs    []Run
	Blocked bool   // their policy decides when they are due
	Waits   bool   // Blocked, and it has decided: they wait for the end of other runs
	Note    string // what a repeated call is answered with
}

// RunsMade is what there is after MakeRuns.
type RunsMade struct {
	Pending []wheel.Entry // jobs that are not blocked
	Known   string        // the Note of an earlier call with the request id; empty: this call made the jobs
}

// runChunk is how many jobs one statement makes.
const runChunk = 1000

// MakeRuns makes jobs of a schedule beside its rule. Occurrences of the rule that were made ahead are decided on by the overlap
// policy from then on. Errors: ErrConflict if the schedule has changed, ErrRequestReused, and those of Plan.
func (s *Store) MakeRuns(ctx context.Context, r Runs) (made RunsMade, err error) {
	err = inTx(ctx, s.read, "make runs", func(tx pgx.Tx) error {
		made.Known, err = s.once(ctx, tx, r.Request, func() (string, error) {
			if _, err := tx.Exec(ctx, s.sql(hotSettings)); err != nil {
				return "", fmt.Errorf("set up: %w", err)
			}
			var cursor time.Time
			if err := tx.QueryRow(ctx, s.sql("lock_schedule"), r.Known.ID, r.Known.Revision).Scan(&cursor); err != nil {
				return "", noneMeans(err, ErrConflict)
			}
			alive, now, err := s.runsAlive(ctx, tx, r.Known)
			if err != nil {
				return "", err
			}
			plan, err := r.Plan(now, alive)
			if err != nil {
				return "", err
			}
			if _, err := tx.Exec(ctx, s.sql("note_call"), r.Known.ID); err != nil {
				return "", fmt.Errorf("note call: %w", err)
			}
			if r.Known.Overlap != OverlapAllowed {
				if _, err := tx.Exec(ctx, s.leafSQL("block_ahead", r.Known.Part), r.Known.ID); err != nil {
					return "", fmt.Errorf("block occurrences made ahead: %w", err)
				}
			}
			made.Pending, err = s.insertRuns(ctx, tx, r, plan)
			return plan.Note, err
		})
		return err
	})
	return made, err
}

// OverlapAllowed is the stored number of the policy that lets runs overlap, by which nothing is ever blocked.
const OverlapAllowed int16 = 2

// runsAlive looks for runs as a round of decisions does.
func (s *Store) runsAlive(ctx context.Context, tx pgx.Tx, known *Schedule) (alive RunsAlive, now time.Time, err error) {
	locked, err := listRows(ctx, tx, "lock schedule", s.sql("lock_schedules"), func(row pgx.Row) (l lockedSchedule, err error) {
		err = row.Scan(&l.id, &l.uid, &l.part, &l.home, &l.tenant, &l.others)
		return l, err
	}, []int32{known.ID})
	if err != nil {
		return alive, now, err
	}
	round := overlapRound{s: s, tx: tx, part: known.Part, schedules: locked}
	runs, err := round.alive(ctx)
	if err != nil {
		return alive, now, err
	}
	blocked, _, err := round.blocked(ctx)
	if err != nil {
		return alive, now, err
	}
	for _, b := range blocked[known.ID] {
		alive.Waiting = alive.Waiting || b.Waits
	}
	alive.Run = runs[known.ID]
	err = tx.QueryRow(ctx, s.sql("clock")).Scan(&now)
	return alive, now.UTC(), err
}

func (s *Store) insertRuns(ctx context.Context, tx pgx.Tx, r Runs, plan RunPlan) (pending []wheel.Entry, err error) {
	for jobs := plan.Jobs; len(jobs) > 0; {
		n := min(len(jobs), runChunk)
		ids, nominal, suffixes, delays := make([][16]byte, n), make([]time.Time, n), make([][]byte, n), make([]int64, n)
		for i, j := range jobs[:n] {
			ids[i], nominal[i], suffixes[i], delays[i] = j.ID, j.Nominal, j.Suffix, j.Delay.Microseconds()
		}
		rows, err := listRows(ctx, tx, "insert runs", s.sql("make_runs"), scanRun, r.Known.ID, ids, nominal, suffixes, delays,
			int16(r.Origin), plan.Blocked, plan.Waits, r.Overlap, r.Lane)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.state == int16(job.Pending) {
				pending = append(pending, row.entry())
			}
		}
		jobs = jobs[n:]
	}
	return pending, nil
}

// runRow is one job that was made, with its state.
type runRow struct {
	madeJob
	state int16
}

func scanRun(row pgx.Row) (r runRow, err error) {
	err = row.Scan(&r.id, &r.version, &r.due, &r.lane, &r.priority, &r.size, &r.state)
	return r, err
}
