package schedule

import (
	"sort"
	"strings"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Forecast is what becomes due in the coming minutes.
type Forecast struct {
	Minutes  []ForecastMinute // in order, without those in which nothing becomes due
	Complete bool             // false: the numbers are lower bounds
}

// ForecastMinute is what becomes due in one minute.
type ForecastMinute struct {
	Time      time.Time // its begin, UTC
	Scheduled int64     // jobs of schedules, made already or not
	Waiting   int64     // others that wait
}

// Bounds of what a tally keeps and does at a time.
const (
	maxTallied = 1_000_000 // nominal times in memory
	ruleWeight = 64        // what a rule takes beside its times, in times
	tallyStep  = 1024      // nominal times between two looks at the clock
)

// tally counts what becomes due between now and the end of a number of minutes, the present one first. Schedules whose rules
// have the same text are counted together: to add another one takes a search, however often the rule fires.
type tally struct {
	begin   time.Time // of the present minute
	now     int64     // µs
	end     int64     // µs, exclusive
	minutes []ForecastMinute
	rules   map[string]*tallied // by stored text
	kept    int                 // how much rules holds, in nominal times
	scratch []int64             // times of a rule that is not kept
	stop    func() bool         // whether no time is left
	stopped bool
}

// tallied is one rule, and the schedules that have it.
type tallied struct {
	table   recurrence.Timetable
	maxRuns int64   // 0: no end
	times   []int64 // nominal times that may matter, Unix seconds, in order
	// change says at each of times how many schedules begin there less those that have ended before; it is one longer. Nil:
	// each schedule counts for itself, because it has an offset of its own or is the only one.
	change []int64
}

func newTally(now time.Time, minutes int, stop func() bool) *tally {
	t := &tally{begin: now.UTC().Truncate(time.Minute), now: now.UnixMicro(), stop: stop, rules: map[string]*tallied{},
		minutes: make([]ForecastMinute, minutes)}
	for i := range t.minutes {
		t.minutes[i].Time = t.begin.Add(time.Duration(i) * time.Minute)
	}
	t.end = t.until().UnixMicro()
	return t
}

// until is the end of the last minute.
func (t *tally) until() time.Time { return t.begin.Add(time.Duration(len(t.minutes)) * time.Minute) }

// minute is the one that an instant in µs falls into; nil if that has passed or lies behind the end.
func (t *tally) minute(at int64) *ForecastMinute {
	if at <= t.now || at >= t.end {
		return nil
	}
	return &t.minutes[(at-t.begin.UnixMicro())/time.Minute.Microseconds()]
}

// addJobs counts jobs that exist.
func (t *tally) addJobs(loads []store.MinuteLoad) {
	for _, l := range loads {
		// Rows are those behind now already, and the begin of the present minute is not.
		if i := int(l.Minute.Sub(t.begin) / time.Minute); i >= 0 && i < len(t.minutes) {
			t.minutes[i].Scheduled += l.Ahead
			t.minutes[i].Waiting += l.Waiting
		}
	}
}

// addSchedule counts the nominal times that no job has been made for yet. What was missed is not among them: it is late
// already. A rule that cannot be read makes no jobs.
func (t *tally) addSchedule(s store.ForecastSchedule) {
	rule := t.rule(s)
	if rule == nil {
		return
	}
	offset := rule.table.Offset(seed(s.Tenant, s.Name)).Microseconds()
	after := max(s.Cursor.UnixMicro(), t.now-offset)
	first := sort.Search(len(rule.times), func(i int) bool { return rule.times[i]*1_000_000 > after })
	last := len(rule.times)
	if rule.maxRuns > 0 {
		last = min(last, first+int(max(0, rule.maxRuns-s.Runs)))
	}
	if rule.change != nil {
		rule.change[first]++
		rule.change[last]--
		return
	}
	for _, at := range rule.times[first:last] {
		if m := t.minute(at*1_000_000 + offset); m != nil {
			m.Scheduled++
		}
	}
}

// rule finds what a schedule's rule is counted by; nil if it cannot be read.
func (t *tally) rule(s store.ForecastSchedule) *tallied {
	if known, ok := t.rules[s.Spec]; ok {
		return known
	}
	r, _, err := readRule([]byte(s.Spec))
	if err != nil {
		return nil
	}
	table, err := r.parse(recurrence.Options{Seed: seed(s.Tenant, s.Name)})
	if err != nil {
		return nil
	}
	rule := &tallied{table: table, maxRuns: int64(r.MaxRuns)}
	if r.ofOneSchedule() {
		t.scratch = t.appendTimes(t.scratch[:0], table)
		rule.times = t.scratch
		return rule
	}
	if t.kept > maxTallied {
		t.settleAll()
	}
	rule.times = t.appendTimes(nil, table)
	if table.Jitter() == 0 {
		rule.change = make([]int64, len(rule.times)+1)
	}
	t.rules[s.Spec], t.kept = rule, t.kept+len(rule.times)+ruleWeight
	return rule
}

// ofOneSchedule reports whether no other schedule is likely to fire at the same times: the rule is measured from when its
// schedule was made, or may say H, which means another time for each.
func (r Rule) ofOneSchedule() bool {
	return !r.Anchor.IsZero() || strings.ContainsAny(r.Cron, "hH") && !strings.HasPrefix(r.Cron, "@")
}

// appendTimes appends the nominal times of which a schedule with this jitter may have something due.
func (t *tally) appendTimes(times []int64, table recurrence.Timetable) []int64 {
	after, until := time.UnixMicro(t.now).Add(-table.Jitter()), t.until()
	for {
		if t.stopped = t.stopped || t.stop(); t.stopped {
			return times
		}
		known := len(times)
		if times = table.AppendTimes(times, after, until, tallyStep); len(times)-known < tallyStep {
			return times
		}
		after = time.Unix(times[len(times)-1], 0)
	}
}

// settle moves what is known of a rule into the minutes.
func (t *tally) settle(r *tallied) {
	if r.change == nil {
		return
	}
	schedules := int64(0)
	for i, at := range r.times {
		schedules += r.change[i]
		if m := t.minute(at * 1_000_000); m != nil {
			m.Scheduled += schedules
		}
	}
}

func (t *tally) settleAll() {
	for _, r := range t.rules {
		t.settle(r)
	}
	t.rules, t.kept = map[string]*tallied{}, 0
}

// forecast is the result. complete says whether everything was added.
func (t *tally) forecast(complete bool) Forecast {
	t.settleAll()
	f := Forecast{Complete: complete && !t.stopped}
	for _, m := range t.minutes {
		if m.Scheduled > 0 || m.Waiting > 0 {
			f.Minutes = append(f.Minutes, m)
		}
	}
	return f
}
