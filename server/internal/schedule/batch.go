package schedule

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// BatchCall is schedules to be made together, no two of one name.
type BatchCall struct {
	Tenant       string
	Items        []NamedDraft
	RequestID    string
	ValidateOnly bool // answer what would be made
}

// NamedDraft is one of them.
type NamedDraft struct {
	Name  string
	Draft Draft
}

// BatchError says which items of a batch are at fault, in their order. The errors are of one kind: *RuleError of all items
// whose rules cannot be used, or job.Error.
type BatchError struct{ Items []ItemError }

// ItemError is the fault of one item.
type ItemError struct {
	Index int
	Err   error
}

// Error is the first fault.
func (e *BatchError) Error() string {
	return fmt.Sprintf("schedule %d of the batch: %v", e.Items[0].Index, e.Items[0].Err)
}

// Unwrap returns the first fault.
func (e *BatchError) Unwrap() error { return e.Items[0].Err }

// faults are those of a batch's items, as far as they are known.
type faults []ItemError

func (f *faults) add(index int, err error) {
	if err != nil {
		*f = append(*f, ItemError{index, err})
	}
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return &BatchError{f}
}

// CreateAll makes all schedules of a batch or none, and answers them in their order, without payloads. Faults of items are
// a *BatchError.
func (s *Service) CreateAll(ctx context.Context, call BatchCall) ([]View, error) {
	t, err := s.Names.Tenant(ctx, call.Tenant)
	if err != nil {
		return nil, err
	}
	var views []View
	err = s.retry(job.SubjectSchedule, "", "", func() error {
		views, err = s.createAll(ctx, t, call)
		return err
	})
	return views, err
}

// createAll makes a batch by the days that its calendars have now.
func (s *Service) createAll(ctx context.Context, t tenancy.Tenant, call BatchCall) ([]View, error) {
	request := store.NewAdminRequest("BatchCreateSchedules", t.ID, call.RequestID, call.fingerprint())
	call, refs, err := s.batchWithDays(ctx, t, call)
	if err != nil {
		return nil, err
	}
	tables, err := call.tables(t)
	if err != nil {
		return nil, err
	}
	if err := s.checkQueues(ctx, t, call); err != nil {
		return nil, err
	}
	if call.ValidateOnly {
		return s.draftedAll(ctx, t, call, tables)
	}
	n := store.NewSchedules{Tenant: t.ID, TenantName: t.Name, Request: request}
	for i, item := range call.Items {
		n.Items = append(n.Items, store.ScheduleItem{Name: item.Name, Template: item.Draft.Template, Description: item.Draft.Description,
			OverlapRule: item.Draft.Policy.overlapRule(), Calendars: refs[i]})
	}
	made, existing, err := s.insertAll(ctx, call, n, tables)
	if err != nil {
		return nil, err
	}
	views := make([]View, len(made))
	for i, one := range made {
		if existing && one.Deleted {
			return nil, (&faults{{i, deletedSince(one.Name)}}).err()
		}
		views[i] = viewOf(one)
	}
	if !existing {
		s.Poke()
	}
	return views, nil
}

// tables reads the rules of a batch.
func (c BatchCall) tables(t tenancy.Tenant) ([]recurrence.Timetable, error) {
	tables := make([]recurrence.Timetable, len(c.Items))
	var bad faults
	for i, item := range c.Items {
		var err error
		if tables[i], err = item.Draft.Rule.parse(recurrence.Options{Seed: seed(t.Name, item.Name)}); err != nil {
			bad.add(i, ruleError(item.Draft.Rule, err))
		}
	}
	return tables, bad.err()
}

// checkQueues is checkQueue, once for each queue and type of the batch.
func (s *Service) checkQueues(ctx context.Context, t tenancy.Tenant, call BatchCall) error {
	type place struct{ queue, jobType string }
	known := map[place]error{}
	var bad faults
	for i := range call.Items {
		tpl := call.Items[i].Draft.Template
		at := place{tpl.Queue, tpl.JobType}
		err, seen := known[at]
		if !seen {
			err = s.checkQueue(ctx, t, tpl, call.ValidateOnly)
			if _, refused := job.AsError(err); err != nil && !refused {
				return err
			}
			known[at] = err
		}
		bad.add(i, err)
	}
	return bad.err()
}

// standings says where the rules of a batch stand that is made now, and refuses those that never fire.
func (c BatchCall) standings(tenant string, tables []recurrence.Timetable, now time.Time) ([]store.Timing, error) {
	all := make([]store.Timing, len(c.Items))
	var bad faults
	for i := range c.Items {
		item := &c.Items[i]
		var ok bool
		if all[i], ok = item.Draft.begin(tables[i], now); !ok {
			bad.add(i, fires(item.Draft.Rule, tenant, item.Name, now))
		}
	}
	return all, bad.err()
}

func (s *Service) insertAll(ctx context.Context, call BatchCall, n store.NewSchedules, tables []recurrence.Timetable) ([]*store.Schedule, bool, error) {
	var refused error
	n.Timing = func(now time.Time) ([]store.Timing, error) {
		var all []store.Timing
		all, refused = call.standings(n.TenantName, tables, now)
		return all, refused
	}
	made, existing, err := s.Rows.CreateSchedules(ctx, n)
	var taken *store.NamesTakenError
	switch {
	case refused != nil:
		return nil, false, refused
	case errors.As(err, &taken):
		var bad faults
		for _, i := range taken.Items {
			bad.add(i, job.AlreadyExists(job.SubjectSchedule, call.Items[i].Name))
		}
		return nil, false, bad.err()
	case errors.Is(err, store.ErrRequestReused):
		return nil, false, job.RequestIDReused(call.RequestID)
	case err != nil:
		return nil, false, fmt.Errorf("create schedules: %w", store.Fault(err))
	}
	return made, existing, nil
}

// draftedAll is the batch as it would be if it were made now.
func (s *Service) draftedAll(ctx context.Context, t tenancy.Tenant, call BatchCall, tables []recurrence.Timetable) ([]View, error) {
	now := s.Now()
	if _, err := call.standings(t.Name, tables, now); err != nil {
		return nil, err
	}
	names := make([]string, len(call.Items))
	for i, item := range call.Items {
		names[i] = item.Name
	}
	taken, err := s.Rows.TakenSchedules(ctx, t.ID, names)
	if err != nil {
		return nil, fmt.Errorf("check schedules: %w", store.Fault(err))
	}
	var bad faults
	views := make([]View, len(call.Items))
	for i, item := range call.Items {
		if taken[item.Name] {
			bad.add(i, job.AlreadyExists(job.SubjectSchedule, item.Name))
			continue
		}
		item.Draft.Template.Payload = nil // as in a list
		views[i] = item.Draft.viewAs(t, item.Name, now)
	}
	return views, bad.err()
}

// fingerprint tells two batches apart; 0 if nobody will ask.
func (c BatchCall) fingerprint() int64 {
	if c.RequestID == "" {
		return 0
	}
	sum := sha256.New()
	for _, item := range c.Items {
		_ = binary.Write(sum, binary.BigEndian, item.Draft.fingerprint(item.Name)) // a hash takes everything
	}
	return int64(binary.BigEndian.Uint64(sum.Sum(nil)))
}
