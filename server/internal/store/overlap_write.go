package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// blockedKeys name rows of blocked_jobs.
type blockedKeys struct {
	schedule []int32
	id       [][16]byte
}

func (k *blockedKeys) add(schedule int32, id job.ID) {
	k.schedule, k.id = append(k.schedule, schedule), append(k.id, id)
}

// verdictColumns are verdicts by kind, as the statements take them.
type verdictColumns struct{ run, hold, skip verdictRows }

type verdictRows struct {
	blockedKeys
	version []int64
	home    []int16
	uid     [][16]byte
	waited  []bool
	tenant  []int32
	reason  []string
}

func (w *verdictColumns) add(l *lockedSchedule, b BlockedJob, v OverlapVerdict) {
	rows := &w.hold
	switch {
	case v.Run:
		rows = &w.run
	case v.Skip != "":
		rows = &w.skip
	case b.Waits:
		return // it goes on waiting
	}
	rows.blockedKeys.add(l.id, b.ID)
	rows.version, rows.home, rows.uid = append(rows.version, b.version), append(rows.home, l.home), append(rows.uid, l.uid)
	rows.waited, rows.tenant, rows.reason = append(rows.waited, b.Waits), append(rows.tenant, l.tenant), append(rows.reason, v.Skip)
}

// write stores the verdicts. A job that has changed since it was read keeps its row, and is decided on in the next round.
func (r *overlapRound) write(ctx context.Context, w *verdictColumns, stale *blockedKeys) error {
	if run := &w.run; len(run.id) > 0 {
		made, err := listRows(ctx, r.tx, "release jobs", r.s.leafSQL("release_jobs", r.part), scanMade, run.id, run.version,
			run.schedule, run.home, run.uid, run.waited)
		if err != nil {
			return err
		}
		r.out.Released = append(r.out.Released, made...)
	}
	if hold := &w.hold; len(hold.id) > 0 {
		if _, err := r.tx.Exec(ctx, r.s.leafSQL("hold_jobs", r.part), hold.id, hold.schedule, hold.home, hold.uid); err != nil {
			return fmt.Errorf("hold jobs: %w", err)
		}
	}
	if skip := &w.skip; len(skip.id) > 0 {
		rows, err := r.tx.Query(ctx, r.s.leafSQL("skip_jobs", r.part), skip.id, skip.version, skip.schedule, skip.home, skip.uid,
			skip.tenant, skip.reason, int16(job.DefaultRetention))
		if err != nil {
			return fmt.Errorf("skip jobs: %w", err)
		}
		var reason string
		var n int
		if _, err := pgx.ForEachRow(rows, []any{&reason, &n}, func() error {
			r.out.Skipped[reason] += n
			return nil
		}); err != nil {
			return fmt.Errorf("skip jobs: %w", err)
		}
	}
	if len(stale.id) > 0 {
		if _, err := r.tx.Exec(ctx, r.s.sql("drop_blocked"), stale.schedule, stale.id); err != nil {
			return fmt.Errorf("drop stale rows: %w", err)
		}
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
