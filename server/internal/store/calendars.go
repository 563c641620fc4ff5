package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// MaxCalendars bounds the calendars of one tenant.
const MaxCalendars = 1000

// Calendar is one state of a calendar. Times are UTC.
type Calendar struct {
	ID           int32
	Tenant       int32
	TenantName   string
	Name         string
	UID          string   // differs from that of an earlier calendar of the same name
	Days         []string // as they were given; lists leave them out
	Description  string
	Revision     int64 // raised by every change
	DaysRevision int64 // the revision that brought the days
	CreateTime   time.Time
	UpdateTime   time.Time
}

// Etag names this state of this calendar.
func (c *Calendar) Etag() string { return etag(c.UID, c.Revision) }

const calendarColumns = `c.id, c.tenant, t.name, c.name, c.uid::text, c.days, c.description, c.revision, c.days_revision,
       c.created_at, c.updated_at`

// briefCalendarColumns are calendarColumns without the days.
func briefCalendarColumns() string {
	return strings.Replace(calendarColumns, "c.days,", "'{}'::text[],", 1)
}

func scanCalendar(row pgx.Row) (*Calendar, error) {
	var c Calendar
	err := row.Scan(&c.ID, &c.Tenant, &c.TenantName, &c.Name, &c.UID, &c.Days, &c.Description, &c.Revision, &c.DaysRevision,
		&c.CreateTime, &c.UpdateTime)
	if err != nil {
		return nil, err
	}
	c.CreateTime, c.UpdateTime = c.CreateTime.UTC(), c.UpdateTime.UTC()
	return &c, nil
}

// NewCalendar is a calendar to be made.
type NewCalendar struct {
	Tenant      int32
	Name        string
	Days        []string
	Description string
	Request     *AdminRequest // nil: none
}

// CreateCalendar makes a calendar. existing says that the request id was known and its calendar is answered. Errors:
// ErrExists, ErrRequestReused; ErrNotFound if the calendar of a known request id has been deleted since; job.ErrLimit if the
// tenant has MaxCalendars.
func (s *Store) CreateCalendar(ctx context.Context, n NewCalendar) (made *Calendar, existing bool, err error) {
	return onceByID(ctx, s, "create calendar", n.Request, numbered[*Calendar]{
		create: func(tx pgx.Tx) (*Calendar, int32, error) { return s.insertCalendar(ctx, tx, n) },
		read: func(tx pgx.Tx, id int32) (*Calendar, error) {
			return scanCalendar(tx.QueryRow(ctx, s.sql("calendar_by_id"), id))
		}})
}

func (s *Store) insertCalendar(ctx context.Context, tx pgx.Tx, n NewCalendar) (*Calendar, int32, error) {
	if _, err := tx.Exec(ctx, s.sql("lock_tenant"), n.Tenant); err != nil {
		return nil, 0, fmt.Errorf("lock tenant: %w", err)
	}
	made, err := scanCalendar(tx.QueryRow(ctx, s.sql("create_calendar"), n.Tenant, n.Name, days(n.Days), n.Description))
	if err != nil {
		return nil, 0, err
	}
	var count int64
	if err := tx.QueryRow(ctx, s.sql("count_calendars"), n.Tenant).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count calendars: %w", err)
	}
	if count > MaxCalendars {
		return nil, 0, job.LimitReached(job.LimitUse{Name: "calendars", Max: MaxCalendars, Use: count - 1}, 0)
	}
	return made, made.ID, nil
}

// days is never NULL.
func days(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// CalendarsByName reads calendars of a tenant, in any order; missing names are missing.
func (s *Store) CalendarsByName(ctx context.Context, tenant int32, names []string) ([]*Calendar, error) {
	return listRows(ctx, s.read, "read calendars", s.sql("calendars_by_name"), scanCalendar, tenant, names)
}

// ListCalendars reads a tenant's calendars behind the name after, in order of name, without their days.
func (s *Store) ListCalendars(ctx context.Context, tenant int32, after string, limit int) ([]*Calendar, error) {
	return listRows(ctx, s.read, "list calendars", s.sql("list_calendars"), scanCalendar, tenant, after, limit)
}

// ChangeCalendar stores the days and the description of c, provided that its revision is still the stored one, else
// ErrConflict. Schedules that name it keep the days that they have copied: StaleSchedules lists them. Until SettleCalendar,
// PendingCalendars lists it if its days have changed.
func (s *Store) ChangeCalendar(ctx context.Context, c Calendar) (changed *Calendar, err error) {
	err = inTx(ctx, s.read, "change calendar", func(tx pgx.Tx) error {
		changed, err = scanCalendar(tx.QueryRow(ctx, s.sql("change_calendar"), c.ID, c.Revision, days(c.Days), c.Description))
		return noneMeans(err, ErrConflict)
	})
	return changed, err
}

// CalendarUse says which schedules name a calendar.
type CalendarUse struct {
	Schedules int64  // how many; counting stops at 100,000
	One       string // name of one of them
}

// DeleteCalendar deletes a calendar, unless schedules name it: then it answers which, and deletes nothing. ErrConflict if
// the calendar has changed meanwhile.
func (s *Store) DeleteCalendar(ctx context.Context, known *Calendar) (used CalendarUse, err error) {
	err = inTx(ctx, s.read, "delete calendar", func(tx pgx.Tx) error {
		var id int32
		if err := tx.QueryRow(ctx, s.sql("lock_calendar"), known.ID, known.Revision).Scan(&id); err != nil {
			return noneMeans(err, ErrConflict)
		}
		// Behind the lock no schedule can begin to name it.
		if err := tx.QueryRow(ctx, s.sql("calendar_use"), known.ID, countLimit).Scan(&used.Schedules, &used.One); err != nil {
			return fmt.Errorf("count schedules of calendar: %w", err)
		}
		if used.Schedules > 0 {
			return nil
		}
		_, err := tx.Exec(ctx, s.sql("delete_calendar"), known.ID)
		return err
	})
	return used, err
}
