package schedule

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// Rows is where schedules are kept; store.Store is the real one.
type Rows interface {
	CreateSchedule(ctx context.Context, n store.NewSchedule) (made *store.Schedule, existing bool, err error)
	CreateSchedules(ctx context.Context, n store.NewSchedules) (made []*store.Schedule, existing bool, err error)
	TakenSchedules(ctx context.Context, tenant int32, names []string) (map[string]bool, error)
	ScheduleByName(ctx context.Context, tenant int32, name string) (*store.Schedule, error)
	ListSchedules(ctx context.Context, tenant int32, after string, limit int) ([]*store.Schedule, error)
	ChangeSchedule(ctx context.Context, c store.ScheduleChange) (*store.Schedule, error)
	DeleteSchedule(ctx context.Context, known *store.Schedule) (withdrawn int64, err error)
	Occurrences(ctx context.Context, r store.LedgerRange) ([]store.LedgerRow, error)
	MakeRuns(ctx context.Context, r store.Runs) (store.RunsMade, error)
	CalendarRows
}

// Names knows tenants and queues; catalog.Catalog is the real one.
type Names interface {
	Queues
	Tenant(ctx context.Context, name string) (tenancy.Tenant, error)
	FindQueue(ctx context.Context, tenant, name string) (*catalog.Queue, error)
}

// ServiceConfig is what a Service is made of; all fields are required.
type ServiceConfig struct {
	Rows   Rows
	Names  Names
	Poke   func()               // Materialiser.Poke
	Decide func(schedule int32) // Decider.Look
	Hints                       // of jobs that a call makes
	Now    func() time.Time     // the database's time as well as this node knows it

	Metrics Metrics // of what changes skip and take back
}

// Service looks after schedules. Its errors are job.Error where the caller can do something about them.
type Service struct{ ServiceConfig }

// NewService returns a Service.
func NewService(cfg ServiceConfig) *Service {
	cfg.Rows = countedRows{cfg.Rows, cfg.Metrics}
	return &Service{cfg}
}

// Draft is what a caller says of a schedule.
type Draft struct {
	Rule        Rule // without Anchor
	Policy      Policy
	Template    store.ScheduleTemplate
	Description string
}

// RuleError says that a rule cannot be used, and by which of its parts; the caller knows in which field they came.
type RuleError struct {
	Zone bool // it is about the time zone that was given beside the expression
	Rule Rule
	Err  *recurrence.ParseError
}

// Error is the reason.
func (e *RuleError) Error() string { return e.Err.Error() }

// Unwrap returns the parser's error.
func (e *RuleError) Unwrap() error { return e.Err }

func ruleError(r Rule, err error) error {
	var parse *recurrence.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	return &RuleError{Zone: parse.Field == recurrence.FieldZone && r.TimeZone != "", Rule: r, Err: parse}
}

// NewCall is a schedule to be made.
type NewCall struct {
	Tenant, Name string
	Draft        Draft
	RequestID    string
	ValidateOnly bool // answer what would be made
}

// Create makes a schedule. Its first occurrence is the first nominal time after the call.
func (s *Service) Create(ctx context.Context, call NewCall) (View, error) {
	t, err := s.Names.Tenant(ctx, call.Tenant)
	if err != nil {
		return View{}, err
	}
	var made View
	err = s.retry(job.SubjectSchedule, call.Name, "", func() error {
		made, err = s.create(ctx, t, call)
		return err
	})
	return made, err
}

// create makes a schedule by the days that its calendars have now.
func (s *Service) create(ctx context.Context, t tenancy.Tenant, call NewCall) (View, error) {
	request := store.NewAdminRequest("CreateSchedule", t.ID, call.RequestID, call.Draft.fingerprint(call.Name))
	refs, err := s.withDays(ctx, t, &call.Draft.Rule)
	if err != nil {
		return View{}, err
	}
	d := call.Draft
	table, err := d.Rule.parse(recurrence.Options{Seed: seed(t.Name, call.Name)})
	if err != nil {
		return View{}, ruleError(d.Rule, err)
	}
	if err := s.checkQueue(ctx, t, d.Template, call.ValidateOnly); err != nil {
		return View{}, err
	}
	if call.ValidateOnly {
		return s.drafted(ctx, t, call)
	}
	var refused error
	made, existing, err := s.Rows.CreateSchedule(ctx, store.NewSchedule{
		Tenant: t.ID, TenantName: t.Name, Name: call.Name, Template: d.Template, Description: d.Description,
		OverlapRule: d.Policy.overlapRule(),
		Timing: func(now time.Time) (store.Timing, error) {
			if refused = fires(d.Rule, t.Name, call.Name, now); refused != nil {
				return store.Timing{}, refused
			}
			timing, _ := d.begin(table, now)
			return timing, nil
		},
		Calendars: refs, Request: request,
	})
	switch {
	case refused != nil:
		return View{}, refused
	case errors.Is(err, store.ErrExists):
		return View{}, job.AlreadyExists(job.SubjectSchedule, call.Name)
	case errors.Is(err, store.ErrRequestReused):
		return View{}, job.RequestIDReused(call.RequestID)
	case err != nil:
		return View{}, fmt.Errorf("create schedule: %w", store.Fault(err))
	case existing && made.Deleted:
		return View{}, deletedSince(call.Name)
	}
	if !existing {
		s.Poke()
	}
	return viewOf(made), nil
}

func deletedSince(name string) error {
	return job.NotFound(job.SubjectSchedule, name,
		"the earlier call with this request_id made it, and it has been deleted since; use a new request_id to make another")
}

// begin is where a schedule stands that is made now, and whether it fires at all.
func (d Draft) begin(table recurrence.Timetable, now time.Time) (timing store.Timing, fires bool) {
	rule, table := d.Rule.anchored(table, now)
	return store.Timing{Spec: storedForm(rule, d.Policy.withDefaults()), Cursor: now, Next: look(table, now)},
		!after(table, now).IsZero()
}

// fires refuses a rule that has no nominal time after now.
func fires(r Rule, tenant, name string, now time.Time) error {
	_, err := r.parse(recurrence.Options{Seed: seed(tenant, name), After: now})
	if err != nil {
		return ruleError(r, err)
	}
	return nil
}

// checkQueue makes sure that the template's queue exists, or makes it where the tenant allows that; and the lane with it.
func (s *Service) checkQueue(ctx context.Context, t tenancy.Tenant, tpl store.ScheduleTemplate, only bool) error {
	if only {
		_, err := s.Names.FindQueue(ctx, t.Name, tpl.Queue)
		if t.AutoCreateQueues && errors.Is(err, job.ErrNotFound) {
			return nil
		}
		return err
	}
	q, err := s.Names.Queue(ctx, t.Name, tpl.Queue)
	if err == nil {
		_, err = s.Names.EnsureLane(ctx, q, tpl.JobType)
	}
	return err
}

// drafted is a schedule as it would be if it were made now.
func (s *Service) drafted(ctx context.Context, t tenancy.Tenant, call NewCall) (View, error) {
	now := s.Now()
	if err := fires(call.Draft.Rule, t.Name, call.Name, now); err != nil {
		return View{}, err
	}
	_, err := s.Rows.ScheduleByName(ctx, t.ID, call.Name)
	if err == nil {
		return View{}, job.AlreadyExists(job.SubjectSchedule, call.Name)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return View{}, store.Fault(err)
	}
	return call.Draft.viewAs(t, call.Name, now), nil
}

// viewAs shows a schedule that is not made.
func (d Draft) viewAs(t tenancy.Tenant, name string, now time.Time) View {
	return viewOf(&store.Schedule{Tenant: t.ID, TenantName: t.Name, Name: name, Spec: storedForm(d.Rule, d.Policy.withDefaults()),
		Template: d.Template, Description: d.Description, OverlapRule: d.Policy.overlapRule(), Now: now})
}

// fingerprint tells two drafts apart.
func (d Draft) fingerprint(name string) int64 {
	b, err := json.Marshal(struct {
		Name    string
		Draft   Draft
		Overlap store.OverlapRule
	}{name, d, d.Policy.overlapRule()})
	if err != nil {
		panic("BUG: marshal draft: " + err.Error()) // it has no anchor, and nothing else can fail
	}
	sum := sha256.Sum256(b)
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// Get answers one schedule.
func (s *Service) Get(ctx context.Context, tenant, name string) (View, error) {
	t, err := s.Names.Tenant(ctx, tenant)
	if err != nil {
		return View{}, err
	}
	found, err := s.find(ctx, t, name)
	if err != nil {
		return View{}, err
	}
	return viewOf(found), nil
}

func (s *Service) find(ctx context.Context, t tenancy.Tenant, name string) (*store.Schedule, error) {
	found, err := s.Rows.ScheduleByName(ctx, t.ID, name)
	if errors.Is(err, store.ErrNotFound) {
		return nil, job.NotFound(job.SubjectSchedule, name, "")
	}
	if err != nil {
		return nil, fmt.Errorf("read schedule: %w", store.Fault(err))
	}
	return found, nil
}

// List answers a tenant's schedules behind the name after, in order of name, without payloads.
func (s *Service) List(ctx context.Context, tenant, after string, limit int) ([]View, error) {
	t, err := s.Names.Tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	rows, err := s.Rows.ListSchedules(ctx, t.ID, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list schedules: %w", store.Fault(err))
	}
	views := make([]View, len(rows))
	for i, row := range rows {
		views[i] = viewOf(row)
	}
	return views, nil
}

// sameTemplate reports whether two templates make the same jobs.
func sameTemplate(a, b store.ScheduleTemplate) bool {
	return a.Queue == b.Queue && a.JobType == b.JobType && a.Priority == b.Priority && a.StartWithin == b.StartWithin &&
		a.Timeout == b.Timeout && a.Age == b.Age && bytes.Equal(a.Payload, b.Payload) && bytes.Equal(a.Body, b.Body)
}
