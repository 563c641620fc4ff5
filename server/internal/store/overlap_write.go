package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// verdictRow is a blocked job of a schedule, and why it does not run if it does not.
type verdictRow struct {
	schedule *lockedSchedule
	job      BlockedJob
	skip     string
}

// verdicts are blocked jobs by what becomes of them. The stale ones are gone already.
type verdicts struct{ run, hold, skip, stale []verdictRow }

func (w *verdicts) add(l *lockedSchedule, b BlockedJob, v OverlapVerdict) {
	rows := &w.hold
	switch {
	case v.Run:
		rows = &w.run
	case v.Skip != "":
		rows = &w.skip
	case b.Waits:
		return // it goes on waiting
	}
	*rows = append(*rows, verdictRow{schedule: l, job: b, skip: v.Skip})
}

// column is what the statements take of each row.
func column[T any](rows []verdictRow, of func(*verdictRow) T) []T {
	list := make([]T, len(rows))
	for i := range rows {
		list[i] = of(&rows[i])
	}
	return list
}

func (v *verdictRow) jobID() [16]byte     { return v.job.ID }
func (v *verdictRow) version() int64      { return v.job.version }
func (v *verdictRow) waited() bool        { return v.job.Waits }
func (v *verdictRow) reason() string      { return v.skip }
func (v *verdictRow) scheduleID() int32   { return v.schedule.id }
func (v *verdictRow) home() int16         { return v.schedule.home }
func (v *verdictRow) tenant() int32       { return v.schedule.tenant }
func (v *verdictRow) ledgerUID() [16]byte { return v.schedule.uid }

// write stores the verdicts. Rows are locked in order of id, as everywhere. A job that has changed since it was read is left
// alone.
func (r *overlapRound) write(ctx context.Context, w *verdicts) error {
	for _, rows := range [][]verdictRow{w.run, w.hold, w.skip, w.stale} {
		slices.SortFunc(rows, func(a, b verdictRow) int { return slices.Compare(a.job.ID[:], b.job.ID[:]) })
	}
	if run := w.run; len(run) > 0 {
		made, err := listRows(ctx, r.tx, "release jobs", r.s.leafSQL("release_jobs", r.part), scanMade, column(run, (*verdictRow).jobID),
			column(run, (*verdictRow).version), column(run, (*verdictRow).scheduleID), column(run, (*verdictRow).home),
			column(run, (*verdictRow).ledgerUID), column(run, (*verdictRow).waited))
		if err != nil {
			return err
		}
		r.out.Released = append(r.out.Released, made...)
	}
	if hold := w.hold; len(hold) > 0 {
		if _, err := r.tx.Exec(ctx, r.s.leafSQL("hold_jobs", r.part), column(hold, (*verdictRow).jobID),
			column(hold, (*verdictRow).scheduleID), column(hold, (*verdictRow).home), column(hold, (*verdictRow).ledgerUID)); err != nil {
			return fmt.Errorf("hold jobs: %w", err)
		}
	}
	if skip := w.skip; len(skip) > 0 {
		if err := r.skipped(ctx, "skip_jobs", column(skip, (*verdictRow).jobID), column(skip, (*verdictRow).version),
			column(skip, (*verdictRow).scheduleID), column(skip, (*verdictRow).home), column(skip, (*verdictRow).ledgerUID),
			column(skip, (*verdictRow).tenant), column(skip, (*verdictRow).reason), int16(job.DefaultRetention)); err != nil {
			return err
		}
	}
	if gone := w.stale; len(gone) > 0 {
		return r.skipped(ctx, "drop_blocked", column(gone, (*verdictRow).jobID), column(gone, (*verdictRow).scheduleID),
			column(gone, (*verdictRow).home), column(gone, (*verdictRow).ledgerUID))
	}
	return nil
}

// skipped runs a statement that answers how many jobs do not run, by reason.
func (r *overlapRound) skipped(ctx context.Context, statement string, args ...any) error {
	rows, err := r.tx.Query(ctx, r.s.leafSQL(statement, r.part), args...)
	if err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	var reason string
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&reason, &n}, func() error {
		r.out.Skipped[reason] += n
		return nil
	}); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func scanMade(row pgx.Row) (wheel.Entry, error) {
	var e madeJob
	if err := row.Scan(&e.id, &e.version, &e.due, &e.lane, &e.priority, &e.size); err != nil {
		return wheel.Entry{}, err
	}
	return e.entry(), nil
}
