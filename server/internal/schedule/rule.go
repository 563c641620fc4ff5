package schedule

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// Rule says when a schedule fires. It is stored as JSON.
type Rule struct {
	Cron     string    `json:"cron"`
	TimeZone string    `json:"time_zone,omitempty"` // as its author gave it
	Anchor   time.Time `json:"anchor,omitzero"`     // what intervals are measured from
}

// same reports whether two rules say the same; where they are measured from does not count.
func (r Rule) same(other Rule) bool { return r.Cron == other.Cron && r.TimeZone == other.TimeZone }

// seed spreads H over the schedules of all tenants.
func seed(tenant, schedule string) string { return tenant + "/" + schedule }

// parse reads a rule. Errors are *recurrence.ParseError.
func (r Rule) parse(opts recurrence.Options) (recurrence.Spec, error) {
	spec, err := recurrence.Parse(r.Cron, r.TimeZone, opts)
	if err != nil {
		return recurrence.Spec{}, err
	}
	if !r.Anchor.IsZero() {
		spec = spec.WithAnchor(r.Anchor)
	}
	return spec, nil
}

// anchored returns the rule and its reading with intervals measured from now; other rules have no anchor.
func (r Rule) anchored(spec recurrence.Spec, now time.Time) (Rule, recurrence.Spec) {
	r.Anchor = time.Time{}
	if !spec.Measured() {
		return r, spec
	}
	r.Anchor = now.Truncate(time.Second)
	return r, spec.WithAnchor(r.Anchor)
}

// marshal returns the stored form.
func (r Rule) marshal() []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic("BUG: marshal rule: " + err.Error()) // its times are those of the database
	}
	return b
}

// readRule reads the stored form.
func readRule(stored []byte) (Rule, error) {
	var r Rule
	if err := json.Unmarshal(stored, &r); err != nil {
		return r, fmt.Errorf("stored rule is not readable: %w", err)
	}
	return r, nil
}

// readSpec reads the stored form of a schedule's rule to where it can be asked for times.
func readSpec(stored []byte, tenant, schedule string) (recurrence.Spec, error) {
	r, err := readRule(stored)
	if err != nil {
		return recurrence.Spec{}, err
	}
	return r.parse(recurrence.Options{Seed: seed(tenant, schedule)})
}

// after is Next with the zero time for none.
func after(r Recurrence, at time.Time) time.Time {
	next, _ := r.Next(at)
	return next
}
