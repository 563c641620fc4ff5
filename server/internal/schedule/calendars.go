package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// CalendarRows is where calendars are kept; store.Store is the real one.
type CalendarRows interface {
	CreateCalendar(ctx context.Context, n store.NewCalendar) (made *store.Calendar, existing bool, err error)
	CalendarsByName(ctx context.Context, tenant int32, names []string) ([]*store.Calendar, error)
	ListCalendars(ctx context.Context, tenant int32, after string, limit int) ([]*store.Calendar, error)
	ChangeCalendar(ctx context.Context, c store.Calendar) (*store.Calendar, error)
	DeleteCalendar(ctx context.Context, known *store.Calendar) (store.CalendarUse, error)
	ScheduleByID(ctx context.Context, id int32) (*store.Schedule, error)
	StaleSchedules(ctx context.Context, calendar, after int32, limit int) ([]int32, error)
	PendingCalendars(ctx context.Context, age time.Duration, limit int) ([]store.CalendarRef, error)
	SettleCalendar(ctx context.Context, ref store.CalendarRef) error
	FirstWaiting(ctx context.Context, of *store.Schedule) (time.Time, error)
}

// NewCalendar is a calendar to be made. Its days are as recurrence.ParseDays takes them.
type NewCalendar struct {
	Tenant, Name string
	Days         []string
	Description  string
	RequestID    string
	Fingerprint  int64 // of the request
	ValidateOnly bool  // answer what would be made
}

// CreateCalendar makes a calendar.
func (s *Service) CreateCalendar(ctx context.Context, n NewCalendar) (*store.Calendar, error) {
	t, err := s.Names.Tenant(ctx, n.Tenant)
	if err != nil {
		return nil, err
	}
	if n.ValidateOnly {
		if _, err := s.calendar(ctx, t, n.Name); !errors.Is(err, job.ErrNotFound) {
			if err == nil {
				err = job.AlreadyExists(job.SubjectCalendar, n.Name)
			}
			return nil, err
		}
		return &store.Calendar{TenantName: t.Name, Name: n.Name, Days: n.Days, Description: n.Description}, nil
	}
	made, _, err := s.Rows.CreateCalendar(ctx, store.NewCalendar{Tenant: t.ID, Name: n.Name, Days: n.Days, Description: n.Description,
		Request: store.NewAdminRequest("CreateCalendar", t.ID, n.RequestID, n.Fingerprint)})
	switch {
	case errors.Is(err, store.ErrExists):
		return nil, job.AlreadyExists(job.SubjectCalendar, n.Name)
	case errors.Is(err, store.ErrRequestReused):
		return nil, job.RequestIDReused(n.RequestID)
	case errors.Is(err, store.ErrNotFound):
		return nil, job.NotFound(job.SubjectCalendar, n.Name,
			"the earlier call with this request_id made it, and it has been deleted since; use a new request_id to make another")
	case err != nil:
		return nil, fmt.Errorf("create calendar: %w", store.Fault(err))
	}
	return made, nil
}

// Calendar answers one calendar.
func (s *Service) Calendar(ctx context.Context, tenant, name string) (*store.Calendar, error) {
	t, err := s.Names.Tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return s.calendar(ctx, t, name)
}

func (s *Service) calendar(ctx context.Context, t tenancy.Tenant, name string) (*store.Calendar, error) {
	known, err := s.calendars(ctx, t, []string{name})
	if err != nil {
		return nil, err
	}
	if known[name] == nil {
		return nil, job.NotFound(job.SubjectCalendar, name, "")
	}
	return known[name], nil
}

// ListCalendars answers a tenant's calendars behind the name after, in order of name, without their days.
func (s *Service) ListCalendars(ctx context.Context, tenant, after string, limit int) ([]*store.Calendar, error) {
	t, err := s.Names.Tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	list, err := s.Rows.ListCalendars(ctx, t.ID, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list calendars: %w", store.Fault(err))
	}
	return list, nil
}

// CalendarEdit is a change of a calendar. Change gets a copy of the stored state and makes it what it shall be: Days and
// Description. It may be called again.
type CalendarEdit struct {
	Tenant, Name string
	Etag         string // empty: any
	ValidateOnly bool
	Change       func(c *store.Calendar)
}

// UpdateCalendar changes a calendar, and then all schedules that name it. An update that changes nothing of the calendar
// completes an earlier one that had broken off.
func (s *Service) UpdateCalendar(ctx context.Context, e CalendarEdit) (*store.Calendar, error) {
	var changed *store.Calendar
	err := s.retry(job.SubjectCalendar, e.Name, e.Etag, func() error {
		current, err := s.Calendar(ctx, e.Tenant, e.Name)
		if err != nil {
			return err
		}
		if e.Etag != "" && e.Etag != current.Etag() {
			return job.EtagMismatch(job.SubjectCalendar, e.Name)
		}
		want := *current
		e.Change(&want)
		switch {
		case e.ValidateOnly:
			changed = &want
		case slices.Equal(want.Days, current.Days) && want.Description == current.Description:
			changed = current
		default:
			changed, err = s.Rows.ChangeCalendar(ctx, want)
		}
		return err
	})
	if err != nil || e.ValidateOnly {
		return changed, err
	}
	if err := s.spread(ctx, store.CalendarRef{ID: changed.ID, Revision: changed.DaysRevision}); err != nil {
		return nil, fmt.Errorf("change the schedules of calendar %s: %w", e.Name, err)
	}
	return changed, nil
}

// DeleteCalendar removes a calendar that no schedule names; else job.ErrInUse.
func (s *Service) DeleteCalendar(ctx context.Context, tenant, name, etag string) error {
	return s.retry(job.SubjectCalendar, name, etag, func() error {
		current, err := s.Calendar(ctx, tenant, name)
		if err != nil {
			return err
		}
		if etag != "" && etag != current.Etag() {
			return job.EtagMismatch(job.SubjectCalendar, name)
		}
		used, err := s.Rows.DeleteCalendar(ctx, current)
		if err == nil && used.Schedules > 0 {
			return job.InUse(job.SubjectCalendar, fmt.Sprintf(
				"calendar %q is named by %s; take it out of their spec.calendars first, or delete them", name, usersText(used)))
		}
		return err
	})
}

func usersText(used store.CalendarUse) string {
	if used.Schedules == 1 {
		return fmt.Sprintf("schedule %q", used.One)
	}
	return fmt.Sprintf("%d schedules, one of them %q", used.Schedules, used.One)
}

// Bounds of the work on the schedules of a changed calendar.
const (
	spreadChunk  = 500 // ids read at a time
	spreadAtOnce = 3   // schedules changed side by side
)

// spread gives the schedules that name a calendar its present days. When it has answered, no schedule has older ones than
// those of ref.
func (s *Service) spread(ctx context.Context, ref store.CalendarRef) error {
	changed := false
	for after := int32(0); ; {
		ids, err := s.Rows.StaleSchedules(ctx, ref.ID, after, spreadChunk)
		if err != nil {
			return store.Fault(err)
		}
		if len(ids) == 0 {
			break
		}
		changed, after = true, ids[len(ids)-1]
		var g errgroup.Group // without a context: one that fails does not stop the others
		g.SetLimit(spreadAtOnce)
		for _, id := range ids {
			g.Go(func() error { return s.refresh(ctx, id) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	if changed {
		s.Poke()
	}
	return store.Fault(s.Rows.SettleCalendar(ctx, ref))
}

// refresh gives a schedule the days that its calendars have now.
func (s *Service) refresh(ctx context.Context, id int32) error {
	for range refreshAttempts {
		found, err := s.Rows.ScheduleByID(ctx, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && found.Deleted {
			return nil
		}
		if err != nil {
			return store.Fault(err)
		}
		change, err := s.refreshed(ctx, viewOf(found))
		if err != nil || change == nil {
			return err
		}
		_, err = s.Rows.ChangeSchedule(ctx, *change)
		if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrCalendarMoved) {
			return store.Fault(err)
		}
	}
	return overtaken("schedules that name this calendar")
}

// refreshAttempts is more than changeAttempts: nobody repeats the change of a single schedule.
const refreshAttempts = 20

// waitingMargin is more than the longest look-ahead, and the time in which a change is stored.
const waitingMargin = time.Hour

// refreshed is a schedule with the days that its calendars have now; nil if its rule cannot be read, so that it does not
// fire. Jobs that wait are taken back only if other days may concern them: what was made again late would count as missed.
func (s *Service) refreshed(ctx context.Context, current View) (*store.ScheduleChange, error) {
	rule, policy, err := readRule(current.Spec)
	if err != nil {
		return nil, nil //nolint:nilerr // It is noted at the schedule when it is due.
	}
	former := rule
	refs, err := s.withDays(ctx, tenancy.Tenant{ID: current.Tenant, Name: current.TenantName}, &rule)
	if err != nil {
		return nil, err
	}
	first, err := s.Rows.FirstWaiting(ctx, current.Schedule)
	if err != nil {
		return nil, store.Fault(err)
	}
	from := current.Cursor
	for _, at := range []time.Time{current.Now, first} {
		if !at.IsZero() && at.Before(from) {
			from = at
		}
	}
	withdraw := store.WithdrawNone
	if former.differs(rule, from, current.Now.Add(waitingMargin)) {
		withdraw = store.WithdrawOfRule
	}
	c := changeOf(current, withdraw)
	c.Want.Spec = storedForm(rule, policy)
	c.Calendars = &refs
	c.Timing = unchanged(current, c.Want.Spec)
	return c, nil
}

// Bounds of FinishCalendars.
const (
	unfinishedAge = 30 * time.Second // a change that is not complete by then has probably broken off
	finishChunk   = 100
)

// FinishCalendars completes changes of calendars that broke off, and answers how many. Safe to run on many nodes at once.
func (s *Service) FinishCalendars(ctx context.Context) (finished int, err error) {
	list, err := s.Rows.PendingCalendars(ctx, unfinishedAge, finishChunk)
	if err != nil {
		return 0, fmt.Errorf("list changed calendars: %w", err)
	}
	var faults []error
	for _, ref := range list {
		if err := s.spread(ctx, ref); err != nil {
			faults = append(faults, fmt.Errorf("change the schedules of calendar %d: %w", ref.ID, err))
			continue
		}
		finished++
	}
	return finished, errors.Join(faults...)
}
