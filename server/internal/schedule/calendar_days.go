package schedule

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// CalendarDays is a calendar that a rule names, with its days as they were when the rule was stored: so that a plan depends
// on the rule alone, and the ledger knows which days were left out at its time.
type CalendarDays struct {
	Name string   `json:"name"`
	Days []string `json:"days,omitempty"`
}

// Named are calendars without their days, as a draft has them.
func Named(calendars []string) []CalendarDays {
	var list []CalendarDays
	for _, name := range calendars {
		list = append(list, CalendarDays{Name: name})
	}
	return list
}

// CalendarNames lists the calendars that the rule names.
func (r Rule) CalendarNames() []string {
	var names []string
	for _, c := range r.Calendars {
		names = append(names, c.Name)
	}
	return names
}

// stated is the rule without the days of its calendars.
func (r Rule) stated() Rule {
	r.Calendars = Named(r.CalendarNames())
	return r
}

// leavesDaysOut reports whether the rule has days on which it does not fire.
func (r Rule) leavesDaysOut() bool { return len(r.Exclude) > 0 || len(r.Calendars) > 0 }

func (r Rule) namedDays() ([]recurrence.NamedDays, error) {
	var list []recurrence.NamedDays
	for _, c := range r.Calendars {
		days, err := recurrence.ParseDays(c.Days)
		if err != nil {
			return nil, err
		}
		list = append(list, recurrence.NamedDays{Name: c.Name, Days: days})
	}
	return list, nil
}

// withDays gives the rule the days that its calendars have now, and answers which those are. A calendar that the tenant
// does not have is job.ErrNotFound.
func (s *Service) withDays(ctx context.Context, t tenancy.Tenant, r *Rule) ([]store.CalendarRef, error) {
	known, err := s.calendars(ctx, t, r.CalendarNames())
	if err != nil {
		return nil, err
	}
	return known.give(r)
}

// batchWithDays is withDays for all rules of a batch, whose items stay as they are.
func (s *Service) batchWithDays(ctx context.Context, t tenancy.Tenant, call BatchCall) (BatchCall, [][]store.CalendarRef, error) {
	var names []string
	for i := range call.Items {
		names = append(names, call.Items[i].Draft.Rule.CalendarNames()...)
	}
	slices.Sort(names)
	known, err := s.calendars(ctx, t, slices.Compact(names))
	if err != nil {
		return call, nil, err
	}
	call.Items = slices.Clone(call.Items)
	refs := make([][]store.CalendarRef, len(call.Items))
	var bad faults
	for i := range call.Items {
		var err error
		refs[i], err = known.give(&call.Items[i].Draft.Rule)
		bad.add(i, err)
	}
	return call, refs, bad.err()
}

// knownCalendars are calendars of a tenant by name.
type knownCalendars map[string]*store.Calendar

func (s *Service) calendars(ctx context.Context, t tenancy.Tenant, names []string) (knownCalendars, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found, err := s.Rows.CalendarsByName(ctx, t.ID, names)
	if err != nil {
		return nil, fmt.Errorf("read calendars: %w", store.Fault(err))
	}
	known := make(knownCalendars, len(found))
	for _, c := range found {
		known[c.Name] = c
	}
	return known, nil
}

// give puts the days of the calendars that a rule names into it.
func (k knownCalendars) give(r *Rule) ([]store.CalendarRef, error) {
	list, refs := slices.Clone(r.Calendars), []store.CalendarRef(nil)
	for i := range list {
		c := k[list[i].Name]
		if c == nil {
			return nil, job.NotFound(job.SubjectCalendar, list[i].Name,
				"make it with `belfry calendar create "+list[i].Name+"`, or take it out of spec.calendars")
		}
		list[i].Days = c.Days
		refs = append(refs, store.CalendarRef{ID: c.ID, Revision: c.DaysRevision})
	}
	r.Calendars = list
	return refs, nil
}

// differs reports whether two rules that name the same calendars may leave out different days from one instant to another,
// both included. The days of either may not be readable: then they differ.
func (r Rule) differs(other Rule, from, until time.Time) bool {
	const longest = 20 * 366 // days that are looked at one by one
	a, failed := r.namedDays()
	b, err := other.namedDays()
	if failed != nil || err != nil || len(a) != len(b) || until.Sub(from) > longest*24*time.Hour {
		return true
	}
	// The date of an instant in any zone is within a day of that in UTC.
	const oneDay = 24 * time.Hour
	for day := from.UTC().Truncate(oneDay).Add(-oneDay); !day.After(until.Add(oneDay)); day = day.Add(oneDay) {
		for i := range a {
			if a[i].Days.Has(day) != b[i].Days.Has(day) {
				return true
			}
		}
	}
	return false
}
