package schedule

import (
	"context"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// Preview is when a rule would fire.
type Preview struct {
	Words   string
	Times   []PreviewedTime
	Notes   []string // remarks on how the rule was read
	LeftOut []string // times up to the last of Times that have no run of their own, and why; at most maxLeftOut
}

// PreviewedTime is one nominal time.
type PreviewedTime struct {
	Time      time.Time // UTC
	Local     time.Time // the same in the rule's zone
	Effective time.Time // when its job is due; zero: the rule has jitter, and the schedule it is for is not known
	Note      string    // what daylight saving did to it; usually empty
}

// PreviewRequest asks for up to Count nominal times after After. Tenant and Name are those of the schedule that the rule is
// for, if it is known: the values that H stands for depend on them, and so does jitter.
type PreviewRequest struct {
	Rule         Rule
	Tenant, Name string
	After        time.Time
	Count        int
}

const maxLeftOut = 20

// Preview is PreviewRule for a rule that may name calendars of the tenant.
func (s *Service) Preview(ctx context.Context, r PreviewRequest) (Preview, error) {
	if len(r.Rule.Calendars) > 0 {
		t, err := s.Names.Tenant(ctx, r.Tenant)
		if err != nil {
			return Preview{}, err
		}
		if _, err := s.withDays(ctx, t, &r.Rule); err != nil {
			return Preview{}, err
		}
	}
	return PreviewRule(r)
}

// PreviewRule says when a rule would fire. Intervals are measured from After, as those of a schedule that is made then.
// Calendars of the rule have their days already. Errors are *RuleError.
func PreviewRule(r PreviewRequest) (Preview, error) {
	var opts recurrence.Options
	if r.Name != "" {
		opts.Seed = seed(r.Tenant, r.Name)
	}
	table, err := r.Rule.parse(opts)
	if err != nil {
		return Preview{}, ruleError(r.Rule, err)
	}
	table = table.WithAnchor(r.After)
	p := Preview{Words: table.Describe(), Notes: table.Notes()}
	count := r.Count
	if most := int(r.Rule.MaxRuns); most > 0 {
		count = min(count, most) // as for a schedule that is made at After
	}
	for _, o := range table.Occurrences(r.After, count) {
		at := PreviewedTime{Time: o.Time, Local: o.Time.In(table.Location()), Note: table.Note(o)}
		if r.Name != "" || table.Jitter() == 0 {
			at.Effective = o.Time.Add(table.Offset(opts.Seed))
		}
		p.Times = append(p.Times, at)
	}
	if n := len(p.Times); n > 0 {
		p.LeftOut = table.LeftOut(r.After, p.Times[n-1].Time, maxLeftOut)
	}
	return p, nil
}
