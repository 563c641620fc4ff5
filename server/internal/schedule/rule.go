package schedule

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Rule says when a schedule fires. It is stored as JSON. One of Cron, Every and RRule is set.
type Rule struct {
	Cron     string                   `json:"cron,omitempty"`
	RRule    string                   `json:"rrule,omitempty"`
	Every    time.Duration            `json:"every,omitempty"`     // an interval
	Phase    time.Duration            `json:"phase,omitempty"`     // of the interval
	TimeZone string                   `json:"time_zone,omitempty"` // as its author gave it
	Gap      recurrence.GapPolicy     `json:"gap,omitempty"`
	Repeat   recurrence.OverlapPolicy `json:"repeat,omitempty"`
	Exclude  []string                 `json:"exclude,omitempty"` // days; see recurrence.ParseDays
	// Calendars it names. A draft has their names alone; what is stored has their days too (calendars.go).
	Calendars []CalendarDays `json:"calendars,omitempty"`
	Start     time.Time      `json:"start,omitzero"`
	End       time.Time      `json:"end,omitzero"`
	MaxRuns   int32          `json:"max_runs,omitempty"` // 0: no end
	Jitter    time.Duration  `json:"jitter,omitempty"`
	Anchor    time.Time      `json:"anchor,omitzero"` // what intervals without Start are measured from
}

// Policy says what becomes of nominal times that were missed, or that overlap with other runs. It is stored beside the rule.
type Policy struct {
	Missed        MissedPolicy  `json:"missed,omitempty"`
	CatchupWindow time.Duration `json:"catchup_window,omitempty"` // how long after it a missed one may run; 0: DefaultCatchupWindow
	MaxCatchup    int           `json:"max_catchup,omitempty"`    // of FireAll; 0: DefaultMaxCatchup

	Overlap        Overlap `json:"-"` // while another run is alive; 0: SkipOverlap. A column of its own
	PauseOnFailure bool    `json:"-"` // when a run ends as DEAD. A column of its own
}

// MissedPolicy says which of the missed nominal times run. The numbers are stored.
type MissedPolicy int8

// Policies for missed nominal times; the zero value is the default.
const (
	FireOnce   MissedPolicy = iota // the latest, for all of them
	FireAll                        // all, the latest Policy.MaxCatchup of them
	SkipMissed                     // none
)

// What a Policy means where it says nothing.
const (
	DefaultCatchupWindow = 365 * 24 * time.Hour
	DefaultMaxCatchup    = 100
)

// withDefaults returns the policy with everything said.
func (p Policy) withDefaults() Policy {
	if p.CatchupWindow == 0 {
		p.CatchupWindow = DefaultCatchupWindow
	}
	if p.MaxCatchup == 0 {
		p.MaxCatchup = DefaultMaxCatchup
	}
	p.Overlap = cmp.Or(p.Overlap, SkipOverlap)
	return p
}

// overlapRule is the part of the policy that has columns of its own.
func (p Policy) overlapRule() store.OverlapRule {
	return store.OverlapRule{Overlap: int16(p.withDefaults().Overlap), PauseOnFailure: p.PauseOnFailure}
}

// same reports whether two rules say the same; where they are measured from and the days of calendars do not count.
func (r Rule) same(other Rule) bool {
	r, other = r.stated(), other.stated()
	r.Anchor, other.Anchor = time.Time{}, time.Time{}
	return bytes.Equal(mustJSON(r), mustJSON(other))
}

// seed spreads H and jitter over the schedules of all tenants.
func seed(tenant, schedule string) string { return tenant + "/" + schedule }

// parse reads a rule. Errors are *recurrence.ParseError.
func (r Rule) parse(opts recurrence.Options) (recurrence.Timetable, error) {
	opts.Gap, opts.Overlap = r.Gap, r.Repeat
	after := opts.After
	opts.After = time.Time{} // asked of the whole below: limits may leave nothing
	d, err := r.definition()
	if err != nil {
		return recurrence.Timetable{}, err
	}
	table, err := d.Timetable(opts)
	if err != nil {
		return recurrence.Timetable{}, err
	}
	if !r.Anchor.IsZero() && table.Measured() {
		table = table.WithAnchor(r.Anchor)
	}
	if after.IsZero() {
		return table, nil
	}
	if _, ok := table.Next(after); !ok {
		return recurrence.Timetable{}, &recurrence.ParseError{Field: recurrence.FieldExpression, Text: table.Spec().Expression(),
			Reason: "it never fires after " + after.UTC().Format(time.RFC3339), Hint: "change the rule, its end or its excluded days"}
	}
	return table, nil
}

func (r Rule) definition() (recurrence.Definition, error) {
	d := recurrence.Definition{Text: r.Cron, Zone: r.TimeZone,
		Limits: recurrence.Limits{Start: r.Start, End: r.End, Exclude: r.Exclude, Jitter: r.Jitter}}
	switch {
	case r.RRule != "":
		d.Form, d.Text = recurrence.FormRRule, r.RRule
	case r.Every != 0:
		d.Form, d.Interval = recurrence.FormInterval, recurrence.Interval{Every: r.Every, Phase: r.Phase}
	}
	var err error
	d.Limits.Calendars, err = r.namedDays()
	return d, err
}

// anchored returns the rule and its reading with intervals measured from now; other rules have no anchor.
func (r Rule) anchored(table recurrence.Timetable, now time.Time) (Rule, recurrence.Timetable) {
	r.Anchor = time.Time{}
	if !table.Measured() {
		return r, table
	}
	r.Anchor = now.Truncate(time.Second)
	return r, table.WithAnchor(r.Anchor)
}

// stored is the JSON in a schedule's row.
type stored struct {
	Rule
	Policy
}

// storedForm returns the stored form.
func storedForm(r Rule, p Policy) []byte { return mustJSON(stored{r, p}) }

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("BUG: marshal rule: " + err.Error()) // its times are those of the database
	}
	return b
}

// readRule reads the stored form.
func readRule(text []byte) (Rule, Policy, error) {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return Rule{}, Policy{}, fmt.Errorf("stored rule is not readable: %w", err)
	}
	return s.Rule, s.Policy, nil
}

// readTable reads the stored form of a schedule's rule to where it can be asked for times.
func readTable(text []byte, tenant, schedule string) (recurrence.Timetable, error) {
	r, _, err := readRule(text)
	if err != nil {
		return recurrence.Timetable{}, err
	}
	return r.parse(recurrence.Options{Seed: seed(tenant, schedule)})
}

// look is when a schedule has something to decide on next: its next nominal time, or an earlier one that is left out and
// goes on record as it passes. The zero time stands for none.
func look(table recurrence.Timetable, cursor time.Time) time.Time {
	next, horizon := after(table, cursor), cursor.Add(excludedLook)
	if !next.IsZero() && next.Before(horizon) {
		horizon = next
	}
	if left := table.Excluded(cursor, horizon, 1); len(left) > 0 {
		return left[0].From
	}
	return next
}

// after is Next with the zero time for none.
func after(r Recurrence, at time.Time) time.Time {
	next, _ := r.Next(at)
	return next
}
