package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// DeadRun is a run of a schedule that ended as DEAD, or was about to.
type DeadRun struct {
	Part       int16
	ScheduleID int32
	Job        job.ID
	Seen       int64  // version of the note
	Tenant     string // name
	Schedule   string // name
	Pauses     bool   // the schedule is there, is not paused, and is to be paused when a run fails
	Reason     string // why the job is DEAD; empty: it is not
}

// DeadRuns reads up to limit notes of the partitions.
func (s *Store) DeadRuns(ctx context.Context, parts []int16, limit int) ([]DeadRun, error) {
	return listRows(ctx, s.control, "read failed runs", s.sql("dead_runs"), func(row pgx.Row) (d DeadRun, err error) {
		var tenant, name *string
		err = row.Scan(&d.Part, &d.ScheduleID, &d.Job, &d.Seen, &tenant, &name, &d.Pauses, &d.Reason)
		if tenant != nil && name != nil {
			d.Tenant, d.Schedule = *tenant, *name
		}
		return d, err
	}, parts, limit)
}

// DropDeadRuns removes notes that have been dealt with, unless they were made anew meanwhile.
func (s *Store) DropDeadRuns(ctx context.Context, runs []DeadRun) error {
	parts, schedules := make([]int16, len(runs)), make([]int32, len(runs))
	ids, seen := make([][16]byte, len(runs)), make([]int64, len(runs))
	for i, d := range runs {
		parts[i], schedules[i], ids[i], seen[i] = d.Part, d.ScheduleID, d.Job, d.Seen
	}
	_, err := s.control.Exec(ctx, s.sql("drop_dead_runs"), parts, schedules, ids, seen)
	return classify("drop failed runs", err, true)
}
