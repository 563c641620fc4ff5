package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

func never() bool { return false }

// forecastOf is the forecast of some schedules alone.
func forecastOf(now time.Time, minutes int, list []store.ForecastSchedule) Forecast {
	t := newTally(now, minutes, never)
	for _, s := range list {
		t.addSchedule(s)
	}
	return t.forecast(true)
}

// stepped counts the same by going through every nominal time of each schedule.
func stepped(t *testing.T, now time.Time, minutes int, list []store.ForecastSchedule) []ForecastMinute {
	t.Helper()
	begin := now.Truncate(time.Minute)
	counts := make([]int64, minutes)
	for _, s := range list {
		rule, _, err := readRule([]byte(s.Spec))
		if err != nil {
			t.Fatal(err)
		}
		table, err := rule.parse(recurrence.Options{Seed: seed(s.Tenant, s.Name)})
		if err != nil {
			t.Fatal(err)
		}
		left, offset := int64(1<<40), table.Offset(seed(s.Tenant, s.Name))
		if rule.MaxRuns > 0 {
			left = int64(rule.MaxRuns) - s.Runs
		}
		for at, ok := table.Next(s.Cursor); ok && left > 0; at, ok = table.Next(at) {
			due := at.Add(offset)
			if !due.Before(begin.Add(time.Duration(minutes) * time.Minute)) {
				break
			}
			if due.After(now) {
				counts[due.Sub(begin)/time.Minute]++
				left--
			}
		}
	}
	var all []ForecastMinute
	for i, n := range counts {
		if n > 0 {
			all = append(all, ForecastMinute{Time: begin.Add(time.Duration(i) * time.Minute), Scheduled: n})
		}
	}
	return all
}

// anySchedules makes schedules of few rules, so that many have the same one.
func anySchedules(r *rand.Rand, now time.Time, n int) []store.ForecastSchedule {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	anyTime := func() time.Time { return now.Add(time.Duration(r.Int64N(int64(4*time.Hour))) - 2*time.Hour) }
	rules := make([]Rule, 12)
	for i := range rules {
		rule := &rules[i]
		rule.TimeZone = pick("", "Europe/Berlin", "Asia/Kathmandu")
		switch r.IntN(4) {
		case 0:
			rule.Every = time.Duration(1+r.IntN(400)) * time.Second
			rule.Anchor = anyTime().Truncate(time.Second)
		case 1:
			rule.RRule = pick("DTSTART:20260101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=13", "DTSTART:20260504T080000\nRRULE:FREQ=HOURLY;COUNT=9")
		default:
			rule.Cron = pick("* * * * *", "*/20 * * * * *", "H * * * *", "H/7 * * * *", "0 9 * * THU", "@hourly", "*/5 9-11 * * *", "7 * * * *")
		}
		if r.IntN(3) == 0 {
			rule.MaxRuns = int32(1 + r.IntN(20))
		}
		if r.IntN(3) == 0 {
			rule.Jitter = time.Duration(1+r.IntN(7200)) * time.Second
		}
		if r.IntN(4) == 0 {
			rule.Exclude = []string{"2026-05-05"}
		}
		if r.IntN(4) == 0 {
			rule.End = anyTime()
		}
	}
	list := make([]store.ForecastSchedule, n)
	for i := range list {
		list[i] = store.ForecastSchedule{Tenant: pick("acme", "globex"), Name: fmt.Sprint("s", r.IntN(1000)), Cursor: anyTime(),
			Spec: string(storedForm(rules[r.IntN(len(rules))], Policy{})), Runs: r.Int64N(25)}
	}
	return list
}

func TestTally_CountsWhatSteppingThroughEveryTimeCounts(t *testing.T) {
	t.Parallel()
	for n := range uint64(300) {
		r := rand.New(rand.NewPCG(n, 1))
		now := utc(t, "2026-05-04T22:58:00Z").Add(time.Duration(r.Int64N(int64(2*time.Minute)) / 1000 * 1000))
		list, minutes := anySchedules(r, now, 1+r.IntN(60)), 1+r.IntN(200)
		got, want := forecastOf(now, minutes, list), stepped(t, now, minutes, list)
		if !slices.Equal(got.Minutes, want) || !got.Complete {
			t.Fatalf("round %d, %d minutes from %v, complete %v:\n got %v\nwant %v", n, minutes, now, got.Complete, got.Minutes, want)
		}
	}
}

func TestTally_ForgetsRulesAndStillCountsThem(t *testing.T) {
	t.Parallel()
	now := utc(t, "2026-05-04T12:00:30Z")
	var list []store.ForecastSchedule
	for i := range 30 { // each of 86,370 times
		rule := Rule{Cron: "* * * * * *", MaxRuns: int32(1_000_000 + i)}
		list = append(list, store.ForecastSchedule{Tenant: "acme", Name: fmt.Sprint(i), Spec: string(storedForm(rule, Policy{})), Cursor: now})
	}
	tally := newTally(now, 1440, never)
	for _, s := range list {
		tally.addSchedule(s)
		if tally.kept > maxTallied+90_000 {
			t.Fatalf("%d times in memory", tally.kept)
		}
	}
	got := tally.forecast(true)
	if len(got.Minutes) != 1440 || got.Minutes[0].Scheduled != 30*29 || got.Minutes[1439].Scheduled != 30*60 {
		t.Errorf("%d minutes, the first %v", len(got.Minutes), got.Minutes[0])
	}
}

func TestTally_Edges(t *testing.T) {
	t.Parallel()
	now := utc(t, "2026-05-04T12:00:00Z")
	minutely := string(storedForm(Rule{Cron: "* * * * *"}, Policy{}))
	for name, c := range map[string]struct {
		s    store.ForecastSchedule
		now  time.Time
		want string // minutes with something of the first five
	}{
		"what is due now is not coming":          {store.ForecastSchedule{Spec: minutely}, now, "1 2 3 4"},
		"a microsecond before it still is":       {store.ForecastSchedule{Spec: minutely}, now.Add(-time.Microsecond), "1 2 3 4"},
		"what has a job is not counted":          {store.ForecastSchedule{Spec: minutely, Cursor: now.Add(2 * time.Minute)}, now, "3 4"},
		"a cursor between two times":             {store.ForecastSchedule{Spec: minutely, Cursor: now.Add(2*time.Minute - 1000)}, now, "2 3 4"},
		"a cursor behind the end":                {store.ForecastSchedule{Spec: minutely, Cursor: now.Add(time.Hour)}, now, ""},
		"a rule that cannot be read":             {store.ForecastSchedule{Spec: `{"cron": "no"}`}, now, ""},
		"not even JSON":                          {store.ForecastSchedule{Spec: `{`}, now, ""},
		"two runs are left":                      {store.ForecastSchedule{Spec: `{"cron": "* * * * *", "max_runs": 7}`, Runs: 5}, now, "1 2"},
		"no run is left":                         {store.ForecastSchedule{Spec: `{"cron": "* * * * *", "max_runs": 7}`, Runs: 7}, now, ""},
		"more runs than allowed":                 {store.ForecastSchedule{Spec: `{"cron": "* * * * *", "max_runs": 7}`, Runs: 9}, now, ""},
		"an end within, which is not part of it": {store.ForecastSchedule{Spec: `{"cron": "* * * * *", "end": "2026-05-04T12:03:00Z"}`}, now, "1 2"},
	} {
		got := forecastOf(c.now, 5, []store.ForecastSchedule{c.s, c.s})
		var minutes []string
		for _, m := range got.Minutes {
			minutes = append(minutes, fmt.Sprint(int(m.Time.Sub(c.now.Truncate(time.Minute))/time.Minute)))
			if m.Scheduled != 2 || m.Waiting != 0 {
				t.Errorf("%s: two schedules make %d jobs in one minute, and %d wait", name, m.Scheduled, m.Waiting)
			}
		}
		if strings.Join(minutes, " ") != c.want {
			t.Errorf("%s: minutes %q, want %q", name, minutes, c.want)
		}
	}
}

func TestTally_OutOfTime_GivesLowerBounds(t *testing.T) {
	t.Parallel()
	now := utc(t, "2026-05-04T12:00:00Z")
	asked := 0
	tally := newTally(now, 1440, func() bool { asked++; return asked > 2 })
	for i := range 4 {
		tally.addSchedule(store.ForecastSchedule{Spec: fmt.Sprintf(`{"cron": "* * * * * *", "max_runs": %d}`, 1_000_000_000+i)})
	}
	got := tally.forecast(true)
	total := int64(0)
	for _, m := range got.Minutes {
		total += m.Scheduled
	}
	if got.Complete || total != 2*tallyStep {
		t.Errorf("complete %v with %d jobs, want the first %d and no more", got.Complete, total, 2*tallyStep)
	}
}

// A rule that fires often costs little for each schedule that has it.
func BenchmarkTally(b *testing.B) {
	now := time.Date(2026, 5, 4, 12, 0, 30, 0, time.UTC)
	for name, spec := range map[string]func(i int) string{
		"same minutely cron": func(int) string { return `{"cron": "* * * * *"}` },
		"minutely of its own anchor": func(i int) string {
			return fmt.Sprintf(`{"every": 60000000000, "anchor": "%s"}`, now.Add(-time.Duration(i)*time.Second).Format(time.RFC3339))
		},
		"same minutely cron with jitter": func(int) string { return `{"cron": "* * * * *", "jitter": 60000000000}` },
		"daily with H":                   func(int) string { return `{"cron": "H H * * *"}` },
		"daily of its own":               func(i int) string { return fmt.Sprintf(`{"cron": "%d %d * * *", "max_runs": %d}`, i%60, i%24, i+1) },
	} {
		b.Run(name, func(b *testing.B) {
			tally, i := newTally(now, 1440, never), 0
			for b.Loop() {
				tally.addSchedule(store.ForecastSchedule{Tenant: "acme", Name: "s", Spec: spec(i), Cursor: now})
				i++
			}
		})
	}
}
