package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// LedgerAge is how long outcomes of nominal times are kept, and with them the rules that they were decided by.
const LedgerAge = 90 * 24 * time.Hour

// ErrCalendarMoved says that a calendar has changed, or has been deleted, since the days that a rule copies were read: read
// them again. Nothing was stored.
var ErrCalendarMoved = errors.New("calendar changed meanwhile")

// CalendarRef is a calendar whose days a schedule's rule has copied.
type CalendarRef struct {
	ID       int32
	Revision int64 // Calendar.DaysRevision
}

func scanCalendarRef(row pgx.Row) (ref CalendarRef, err error) {
	err = row.Scan(&ref.ID, &ref.Revision)
	return ref, err
}

// holdCalendars makes sure that the days of calendars stay as they were read until tx ends; else ErrCalendarMoved.
func (s *Store) holdCalendars(ctx context.Context, tx pgx.Tx, refs []CalendarRef) error {
	if len(refs) == 0 {
		return nil
	}
	ids := make([]int32, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	held, err := listRows(ctx, tx, "hold calendars", s.sql("hold_calendars"), scanCalendarRef, ids)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		if !slices.Contains(held, ref) {
			return ErrCalendarMoved
		}
	}
	return nil
}

// useCalendars notes which calendars schedules name, for those that name any; none of them is noted yet.
func (s *Store) useCalendars(ctx context.Context, tx pgx.Tx, of map[int32][]CalendarRef) error {
	var calendars, schedules []int32
	var revisions []int64
	for schedule, refs := range of {
		for _, ref := range refs {
			calendars, schedules, revisions = append(calendars, ref.ID), append(schedules, schedule), append(revisions, ref.Revision)
		}
	}
	if len(calendars) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, s.sql("use_calendars"), calendars, schedules, revisions); err != nil {
		return fmt.Errorf("note calendars of schedules: %w", err)
	}
	return nil
}

// replaceCalendars is useCalendars for a schedule whose rule was replaced. The rules that nothing on record was decided by
// go: each holds a copy of the days.
func (s *Store) replaceCalendars(ctx context.Context, tx pgx.Tx, changed *Schedule, refs []CalendarRef) error {
	if _, err := tx.Exec(ctx, s.sql("forget_calendars"), changed.ID); err != nil {
		return fmt.Errorf("forget calendars of schedule: %w", err)
	}
	if _, err := tx.Exec(ctx, s.sql("drop_old_rules"), changed.UID, LedgerAge.Microseconds()); err != nil {
		return fmt.Errorf("drop old rules of schedule: %w", err)
	}
	return s.useCalendars(ctx, tx, map[int32][]CalendarRef{changed.ID: refs})
}

// ScheduleByID reads a schedule, also a deleted one; ErrNotFound if there is none.
func (s *Store) ScheduleByID(ctx context.Context, id int32) (*Schedule, error) {
	found, err := scanSchedule(s.read.QueryRow(ctx, s.sql("schedule_by_id"), id))
	return found, classify("read schedule", err, false)
}

// StaleSchedules lists up to limit ids behind after of schedules that have copied older days of a calendar, in order.
func (s *Store) StaleSchedules(ctx context.Context, calendar, after int32, limit int) ([]int32, error) {
	return listRows(ctx, s.read, "list schedules of calendar", s.sql("stale_schedules"), scanID, calendar, after, limit)
}

// PendingCalendars lists up to limit calendars whose days changed at least age ago and may not have reached all schedules
// that name them; the longest ago first.
func (s *Store) PendingCalendars(ctx context.Context, age time.Duration, limit int) ([]CalendarRef, error) {
	return listRows(ctx, s.read, "list changed calendars", s.sql("pending_calendars"), scanCalendarRef, age.Microseconds(), limit)
}

// SettleCalendar notes that no schedule has older days than those of ref. It does nothing if the days have changed since.
func (s *Store) SettleCalendar(ctx context.Context, ref CalendarRef) error {
	_, err := s.read.Exec(ctx, s.sql("settle_calendar"), ref.ID, ref.Revision)
	return classify("note that a calendar's change is complete", err, true)
}

// FirstWaiting is the earliest nominal time of a schedule's jobs that have never been leased; zero: there are none.
func (s *Store) FirstWaiting(ctx context.Context, of *Schedule) (time.Time, error) {
	var first *time.Time
	err := s.read.QueryRow(ctx, s.leafSQL("first_waiting", of.Part), of.ID, of.Home, of.UID).Scan(&first)
	return orZero(first), classify("read waiting jobs of schedule", err, false)
}
