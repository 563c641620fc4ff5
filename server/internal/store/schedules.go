package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// Schedule is one state of a schedule. Times are UTC; zero times stand for NULL.
type Schedule struct {
	ID          int32
	Tenant      int32
	TenantName  string
	Name        string
	UID         string // differs from that of an earlier schedule of the same name
	Part        int16  // of its queue
	Home        int16  // of its ledger
	Spec        []byte // JSON
	Template    ScheduleTemplate
	Description string
	OverlapRule
	Paused      bool
	PauseReason string
	Error       string    // why it cannot fire any more
	Revision    int64     // raised by every change
	Cursor      time.Time // nominal times up to and including this one have their outcome
	Last        time.Time // latest nominal time up to Now that made a job
	LastJob     job.ID
	Runs        int64 // jobs made by the rule, without those taken back
	CreateTime  time.Time
	UpdateTime  time.Time
	Deleted     bool
	Now         time.Time // the database's clock when the row was read
}

// OverlapRule is what becomes of a schedule when its runs overlap or fail.
type OverlapRule struct {
	Overlap        int16 // schedule.Overlap
	PauseOnFailure bool
}

// ScheduleTemplate is what the jobs of a schedule are made from.
type ScheduleTemplate struct {
	Queue       string
	JobType     string
	Priority    int16
	StartWithin time.Duration // after the due time; 0: none
	Timeout     time.Duration // of one attempt; 0: the queue's
	Age         time.Duration
	Payload     []byte // job.Body in its two pieces
	Body        []byte
}

// Etag names this state of this schedule.
func (s *Schedule) Etag() string { return etag(s.UID, s.Revision) }

// The latest job may be one that is materialised ahead; then the one before it is in the ledger.
const (
	scheduleColumns = `s.id, s.tenant, t.name, s.name, s.uid::text, s.part, s.home, s.spec::text, s.queue, s.job_type, s.priority,
       s.start_within_us, s.timeout_us, s.age_us, s.payload, s.body, s.description, s.paused, s.pause_reason, s.error,
       s.revision, s.runs, s.cursor_at, CASE WHEN s.last_at > belfry_now() THEN l.nominal_at ELSE s.last_at END,
       CASE WHEN s.last_at > belfry_now() THEN l.job_id ELSE s.last_job_id END, s.created_at, s.updated_at,
       s.deleted_at IS NOT NULL, belfry_now(), s.overlap, s.pause_on_failure`
	scheduleJoins = `JOIN tenants AS t ON t.id = s.tenant
LEFT JOIN LATERAL (
    SELECT o.nominal_at, o.job_id FROM occurrences AS o
    WHERE s.last_at > belfry_now() AND o.part = s.home AND o.schedule_uid = s.uid AND o.nominal_at <= belfry_now()
      AND o.outcome IN (1, 2) AND o.origin = 1
    ORDER BY o.nominal_at DESC LIMIT 1
) AS l ON true`
)

// briefColumns are scheduleColumns without the payload of the template.
func briefColumns() string { return strings.Replace(scheduleColumns, "s.payload", "''::bytea", 1) }

func scanSchedule(row pgx.Row) (*Schedule, error) {
	var s Schedule
	var spec string
	var startWithin, timeout *int64
	var age int64
	var last *time.Time
	var lastJob *[16]byte
	t := &s.Template
	err := row.Scan(&s.ID, &s.Tenant, &s.TenantName, &s.Name, &s.UID, &s.Part, &s.Home, &spec, &t.Queue, &t.JobType, &t.Priority,
		&startWithin, &timeout, &age, &t.Payload, &t.Body, &s.Description, &s.Paused, &s.PauseReason, &s.Error,
		&s.Revision, &s.Runs, &s.Cursor, &last, &lastJob, &s.CreateTime, &s.UpdateTime, &s.Deleted, &s.Now,
		&s.Overlap, &s.PauseOnFailure)
	if err != nil {
		return nil, err
	}
	s.Spec, s.Last = []byte(spec), orZero(last)
	if lastJob != nil {
		s.LastJob = *lastJob
	}
	t.StartWithin, t.Timeout, t.Age = micros(startWithin), micros(timeout), time.Duration(age)*time.Microsecond
	s.Cursor, s.CreateTime, s.UpdateTime, s.Now = s.Cursor.UTC(), s.CreateTime.UTC(), s.UpdateTime.UTC(), s.Now.UTC()
	return &s, nil
}

// Timing is where a rule stands.
type Timing struct {
	Spec   []byte    // JSON
	Cursor time.Time // nominal times up to and including this one are not looked at any more
	Next   time.Time // first nominal time after Cursor; zero: none
}

// NewSchedule is a schedule to be made.
type NewSchedule struct {
	Tenant      int32
	TenantName  string
	Name        string
	Template    ScheduleTemplate
	Description string
	OverlapRule
	Calendars []CalendarRef                       // that the rule copies
	Timing    func(now time.Time) (Timing, error) // decides by the database's clock; called once
	Request   *AdminRequest                       // nil: none
}

// CreateSchedule makes a schedule. existing says that the request id was known and its schedule is answered, which may have
// been deleted since (Deleted). Errors: ErrExists, ErrRequestReused, ErrCalendarMoved.
func (s *Store) CreateSchedule(ctx context.Context, n NewSchedule) (made *Schedule, existing bool, err error) {
	return onceByID(ctx, s, "create schedule", n.Request, numbered[*Schedule]{
		create: func(tx pgx.Tx) (*Schedule, int32, error) { return s.insertSchedule(ctx, tx, n) },
		read: func(tx pgx.Tx, id int32) (*Schedule, error) {
			return scanSchedule(tx.QueryRow(ctx, s.sql("schedule_by_id"), id))
		}})
}

func (s *Store) insertSchedule(ctx context.Context, tx pgx.Tx, n NewSchedule) (*Schedule, int32, error) {
	if err := s.holdCalendars(ctx, tx, n.Calendars); err != nil {
		return nil, 0, err
	}
	var now time.Time
	if err := tx.QueryRow(ctx, s.sql("clock")).Scan(&now); err != nil {
		return nil, 0, fmt.Errorf("read database clock: %w", err)
	}
	timing, err := n.Timing(now.UTC())
	if err != nil {
		return nil, 0, err
	}
	t := n.Template
	part := job.PartOf(n.TenantName, t.Queue, s.parts)
	made, err := scanSchedule(tx.QueryRow(ctx, s.sql("create_schedule"), n.Tenant, n.Name, part, part, string(timing.Spec), t.Queue,
		t.JobType, t.Priority, optionalMicros(t.StartWithin), optionalMicros(t.Timeout), t.Age.Microseconds(), t.Payload, t.Body,
		n.Description, timing.Cursor, optionalTime(timing.Next), n.Overlap, n.PauseOnFailure))
	if err != nil {
		return nil, 0, err
	}
	return made, made.ID, s.useCalendars(ctx, tx, map[int32][]CalendarRef{made.ID: n.Calendars})
}

// ScheduleByName reads a schedule of a tenant; ErrNotFound if it has none of that name.
func (s *Store) ScheduleByName(ctx context.Context, tenant int32, name string) (*Schedule, error) {
	found, err := scanSchedule(s.read.QueryRow(ctx, s.sql("schedule_by_name"), tenant, name))
	return found, classify("read schedule", err, false)
}

// ListSchedules reads a tenant's schedules behind the name after, in order of name, without the payloads of templates.
func (s *Store) ListSchedules(ctx context.Context, tenant int32, after string, limit int) ([]*Schedule, error) {
	return listRows(ctx, s.read, "list schedules", s.sql("list_schedules"), scanSchedule, tenant, after, limit)
}
