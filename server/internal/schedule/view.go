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
		v.Policy.Overlap, v.Policy.PauseOnFailure = Overlap(s.Overlap), s.PauseOnFailure
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
