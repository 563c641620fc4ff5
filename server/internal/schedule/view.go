package schedule

import (
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

// View is a schedule as it is shown: its row, and what follows from it. Every node shows the same.
type View struct {
	*store.Schedule
	Rule   Rule
	Policy Policy
	Words  string    // the rule in words; empty if it cannot be read
	Notes  []string  // remarks on how the rule was read
	Next   time.Time // next nominal time after the database's clock; zero: paused, in error, or none left
	Fault  string    // why the schedule does not fire
}

// viewOf reads a row. The row's own bound on the next nominal time lies ahead by the look-ahead, and is of no use here.
func viewOf(s *store.Schedule) View {
	v := View{Schedule: s, Fault: s.Error}
	var err error
	if v.Rule, v.Policy, err = readRule(s.Spec); err == nil {
		v.Policy = v.Policy.withDefaults()
		var table recurrence.Timetable
		if table, err = v.Rule.parse(recurrence.Options{Seed: seed(s.TenantName, s.Name)}); err == nil {
			v.Words, v.Notes = table.Describe(), table.Notes()
			if !s.Paused && v.Fault == "" {
				v.Next = after(table, s.Now)
				if v.Rule.MaxRuns > 0 && s.Runs >= int64(v.Rule.MaxRuns) && v.Next.After(s.Cursor) {
					v.Next = time.Time{} // all its jobs are made
				}
			}
		}
	}
	if err != nil && v.Fault == "" {
		v.Fault = err.Error()
	}
	return v
}

// Preview is when a rule would fire.
type Preview struct {
	Words string
	Times []PreviewedTime
}

// PreviewedTime is one nominal time.
type PreviewedTime struct {
	Time  time.Time // UTC
	Local time.Time // the same in the rule's zone
	Note  string    // what daylight saving did to it; usually empty
}

// PreviewRequest asks for up to Count nominal times after After. Tenant and Name are those of the schedule that the rule is
// for, if it is known: the values that H stands for depend on them.
type PreviewRequest struct {
	Rule         Rule
	Tenant, Name string
	After        time.Time
	Count        int
}

// PreviewRule says when a rule would fire. Errors are *RuleError.
func PreviewRule(r PreviewRequest) (Preview, error) {
	var opts recurrence.Options
	if r.Name != "" {
		opts.Seed = seed(r.Tenant, r.Name)
	}
	table, err := r.Rule.parse(opts)
	if err != nil {
		return Preview{}, ruleError(r.Rule, err)
	}
	p := Preview{Words: table.Describe()}
	for _, o := range table.Occurrences(r.After, r.Count) {
		p.Times = append(p.Times, PreviewedTime{Time: o.Time, Local: o.Time.In(table.Location()), Note: noteOf(o, table.Spec().FixedTime())})
	}
	return p, nil
}

// noteOf says what is special about a nominal time. Rules that follow real time go through a repeated hour twice as a matter
// of course.
func noteOf(o recurrence.Occurrence, fixed bool) string {
	clock := o.Wall.Format("15:04")
	if o.Wall.Second() != 0 {
		clock = o.Wall.Format("15:04:05")
	}
	switch {
	case o.Moved:
		return "moved to the end of a daylight-saving gap: the clock skips " + clock
	case o.Pass == 1 && fixed:
		return "the clock shows " + clock + " twice; this is the first time"
	case o.Pass == 2 && fixed:
		return "the clock shows " + clock + " twice; this is the second time"
	}
	return ""
}
