package schedule

import (
	"context"
	"errors"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// changeAttempts bounds how often a change without etag is decided again because another one came first.
const changeAttempts = 5

// Edit is a change of a schedule. Change gets the stored state and answers what it shall be; it may be called again.
type Edit struct {
	Tenant, Name string
	Etag         string // empty: any
	ValidateOnly bool
	Change       func(current View) (Draft, error)
}

// Update changes a schedule. An update that changes nothing changes nothing. A changed rule counts from now on; with a
// changed template alone, nominal times whose jobs were taken back are made again.
func (s *Service) Update(ctx context.Context, e Edit) (View, error) {
	return s.change(ctx, e, func(t tenancy.Tenant, current View) (*store.ScheduleChange, error) {
		d, err := e.Change(current)
		if err != nil {
			return nil, err
		}
		ruleChanged, templateChanged := !d.Rule.same(current.Rule), !sameTemplate(d.Template, current.Template)
		policy := d.Policy.withDefaults()
		if !ruleChanged && !templateChanged && policy == current.Policy && d.Description == current.Description {
			return nil, nil
		}
		if templateChanged {
			if err := s.checkQueue(ctx, t, d.Template, e.ValidateOnly); err != nil {
				return nil, err
			}
		}
		withdraw := store.WithdrawNone
		if ruleChanged || templateChanged {
			withdraw = store.WithdrawEveryJob
		}
		c := changeOf(current, withdraw)
		c.Want.Template, c.Want.Description = d.Template, d.Description
		if policy != current.Policy {
			c.Want.Spec, c.Want.OverlapRule = storedForm(current.Rule, policy), policy.overlapRule()
			c.Timing, c.Overlap = unchanged(current, c.Want.Spec), policy.Overlap != current.Policy.Overlap
		}
		if ruleChanged {
			refs, err := s.withDays(ctx, t, &d.Rule)
			if err != nil {
				return nil, err
			}
			table, err := d.Rule.parse(recurrence.Options{Seed: seed(t.Name, current.Name), After: current.Now})
			if err != nil {
				return nil, ruleError(d.Rule, err)
			}
			c.Want.Error, c.Want.Spec = "", storedForm(d.Rule, policy)
			c.Timing, c.Calendars = replaced(current, d, table), &refs
		}
		return c, nil
	})
}

// Pause stops a schedule. Repeating it changes nothing but the reason.
func (s *Service) Pause(ctx context.Context, tenant, name, reason string) (View, error) {
	return s.change(ctx, Edit{Tenant: tenant, Name: name}, pauseOf(reason, func(current View) bool {
		return current.Paused && current.PauseReason == reason
	}))
}

// pauseOf is the change that pauses, unless leave says that there is nothing to do.
func pauseOf(reason string, leave func(current View) bool) func(tenancy.Tenant, View) (*store.ScheduleChange, error) {
	return func(_ tenancy.Tenant, current View) (*store.ScheduleChange, error) {
		if leave(current) {
			return nil, nil
		}
		c := changeOf(current, store.WithdrawEveryJob)
		c.Want.Paused, c.Want.PauseReason = true, reason
		return c, nil
	}
}

// Resume lets a paused schedule go on: what was missed is decided on at once. Repeating it changes nothing.
func (s *Service) Resume(ctx context.Context, tenant, name string) (View, error) {
	return s.change(ctx, Edit{Tenant: tenant, Name: name}, func(_ tenancy.Tenant, current View) (*store.ScheduleChange, error) {
		if !current.Paused {
			return nil, nil
		}
		c := changeOf(current, store.WithdrawNone)
		c.Want.Paused, c.Want.PauseReason = false, ""
		return c, nil
	})
}

// Delete removes a schedule.
func (s *Service) Delete(ctx context.Context, tenant, name, etag string) error {
	t, err := s.Names.Tenant(ctx, tenant)
	if err != nil {
		return err
	}
	return s.retry(job.SubjectSchedule, name, etag, func() error {
		current, err := s.find(ctx, t, name)
		if err != nil {
			return err
		}
		if etag != "" && etag != current.Etag() {
			return job.EtagMismatch(job.SubjectSchedule, name)
		}
		_, err = s.Rows.DeleteSchedule(ctx, current)
		return err
	})
}

// change reads a schedule, asks decide what it shall be, and stores that; nil from decide leaves it as it is.
func (s *Service) change(ctx context.Context, e Edit, decide func(tenancy.Tenant, View) (*store.ScheduleChange, error)) (View, error) {
	t, err := s.Names.Tenant(ctx, e.Tenant)
	if err != nil {
		return View{}, err
	}
	var changed *store.Schedule
	err = s.retry(job.SubjectSchedule, e.Name, e.Etag, func() error {
		current, err := s.find(ctx, t, e.Name)
		if err != nil {
			return err
		}
		if e.Etag != "" && e.Etag != current.Etag() {
			return job.EtagMismatch(job.SubjectSchedule, e.Name)
		}
		want, err := decide(t, viewOf(current))
		switch {
		case err != nil:
			return err
		case want == nil:
			changed = current
		case e.ValidateOnly:
			changed = &want.Want
		default:
			changed, err = s.Rows.ChangeSchedule(ctx, *want)
		}
		return err
	})
	if err != nil {
		return View{}, err
	}
	s.Poke()
	s.Decide(changed.ID)
	return viewOf(changed), nil
}

// retry repeats f as long as another change comes first, unless the caller named the state that it wants to change.
func (s *Service) retry(subject job.Subject, name, etag string, f func() error) error {
	for range changeAttempts {
		err := f()
		if errors.Is(err, store.ErrCalendarMoved) {
			continue
		}
		if !errors.Is(err, store.ErrConflict) {
			return store.Fault(err)
		}
		if etag != "" {
			return job.EtagMismatch(subject, name)
		}
	}
	return overtaken("this " + string(subject))
}

// overtaken ends a change that others have overtaken too often.
func overtaken(what string) error {
	return &job.Error{Kind: job.ErrUnavailable, RetryAfter: time.Second,
		Msg: "others are changing " + what + " all the time; repeat the call"}
}

// changeOf begins a change that leaves everything as it is. A schedule in error whose rule can be read recovers by it.
func changeOf(current View, withdraw store.Withdraw) *store.ScheduleChange {
	c := &store.ScheduleChange{Want: *current.Schedule, Withdraw: withdraw, Timing: unchanged(current, current.Spec)}
	if current.Words != "" {
		c.Want.Error = ""
	}
	return c
}

// unchanged lets the rule go on from where it is.
func unchanged(current View, spec []byte) func(store.Progress) store.ChangedTiming {
	return func(p store.Progress) store.ChangedTiming {
		timing := store.Timing{Spec: spec, Cursor: p.Cursor}
		if table, err := readTable(spec, current.TenantName, current.Name); err == nil {
			timing.Next = look(table, p.Cursor)
		}
		return store.ChangedTiming{Timing: timing}
	}
}

// replaced lets another rule begin now. Nominal times of the former one that nothing had become of yet are skipped.
func replaced(current View, d Draft, table recurrence.Timetable) func(store.Progress) store.ChangedTiming {
	return func(p store.Progress) store.ChangedTiming {
		rule, table := d.Rule.anchored(table, p.Now)
		out := store.ChangedTiming{Timing: store.Timing{Spec: storedForm(rule, d.Policy.withDefaults()), Cursor: p.Now}}
		if p.Cursor.After(p.Now) {
			out.Cursor = p.Cursor
		}
		out.Next = look(table, out.Cursor)
		if former, err := readTable(current.Spec, current.TenantName, current.Name); err == nil {
			if first := after(former, p.Decided); !first.IsZero() && !first.After(p.Now) {
				last := latest(former, first, p.Now)
				s := spanOf(former, first, last.Add(time.Second))
				out.Skipped = store.Skip{From: s.from, Until: last, Count: s.count, Reason: reasonChanged}
			}
		}
		return out
	}
}
