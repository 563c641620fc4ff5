package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// ZoneData reads the release of the time zone database by which the next times of schedules were computed; empty: none.
func (s *Store) ZoneData(ctx context.Context) (release string, err error) {
	err = s.control.QueryRow(ctx, s.sql("zone_data")).Scan(&release)
	return release, classify("read time zone release", err, false)
}

// SetZoneData notes that all next times are computed by a release of the time zone database.
func (s *Store) SetZoneData(ctx context.Context, release string) error {
	_, err := s.control.Exec(ctx, s.sql("set_zone_data"), release)
	return classify("note time zone release", err, true)
}

// TimedSchedules reads up to limit schedules behind an id that wait for a next time, in order of id. Of each, only what
// says when it fires is filled in.
func (s *Store) TimedSchedules(ctx context.Context, after int32, limit int) ([]DueSchedule, error) {
	return listRows(ctx, s.control, "read schedules", s.sql("timed_schedules"), func(row pgx.Row) (DueSchedule, error) {
		var d DueSchedule
		var spec string
		err := row.Scan(&d.ID, &d.TenantName, &d.Name, &spec, &d.Revision, &d.Runs, &d.Cursor, &d.Next)
		d.Spec, d.Cursor, d.Next = []byte(spec), d.Cursor.UTC(), d.Next.UTC()
		return d, err
	}, after, limit)
}

// RetimeSchedules stores the Next of schedules, each provided that it is as it was read.
func (s *Store) RetimeSchedules(ctx context.Context, list []DueSchedule) error {
	n := len(list)
	ids, revisions, cursors, nexts := make([]int32, n), make([]int64, n), make([]time.Time, n), make([]time.Time, n)
	for i, d := range list {
		ids[i], revisions[i], cursors[i], nexts[i] = d.ID, d.Revision, d.Cursor, d.Next
	}
	_, err := s.control.Exec(ctx, s.sql("retime_schedules"), ids, revisions, cursors, nexts)
	return classify("correct next times", err, true)
}
