package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"pgregory.net/rapid"
)

func mustParseDays(t testing.TB, entries ...string) recurrence.Days {
	t.Helper()
	days, err := recurrence.ParseDays(entries)
	if err != nil {
		t.Fatal(err)
	}
	return days
}

func TestParseDays_HoldsDatesRangesYearlyDaysAndWeekdays(t *testing.T) {
	t.Parallel()
	days := mustParseDays(t, "2026-12-25", "2026-12-30/2027-01-02", "02-29", "05-01", "sat", " Sun ", "2026-12-31")
	for date, want := range map[string]bool{
		"2026-12-25": true, "2027-12-25": true, "2028-12-25": false, // the second is a Saturday
		"2026-12-29": false, "2026-12-30": true, "2026-12-31": true, "2027-01-01": true, "2027-01-02": true, "2027-01-04": false,
		"2028-02-29": true, "2029-03-01": false, "2029-02-28": false,
		"2026-05-01": true, "2199-05-01": true, "1970-05-01": true,
		"2026-11-28": true, "2026-11-29": true, "2026-11-30": false,
	} {
		at, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		if days.Has(at) != want {
			t.Errorf("%s (%v): %v, want %v", date, at.Weekday(), !want, want)
		}
	}
	if !mustParseDays(t).Empty() || days.Empty() || mustParseDays(t, "1970-01-01").Empty() {
		t.Error("wrong about what is empty")
	}
}

func TestParseDays_NamesEntryFaultAndRemedy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entry, want string
	}{
		{"", "no date"}, {"2026-02-29", "no date"}, {"2026-13-01", "no date"}, {"1969-12-31", "no date"}, {"2200-01-01", "no date"},
		{"02-30", "no day of any year"}, {"hello", "no day of any year"}, {"MONDAY", "no date"}, {"2026-1-1", "no date"},
		{"2026-01-02/2026-01-01", "before it begins"}, {"2026-01-01/", "no date"}, {"/2026-01-01", "no date"},
		{"2026-01-01/2036-01-09", "at most 3660"}, {"2026-01-01/2026-01-02/2026-01-03", "no date"},
		{"\u0662026-01-01", "no date"}, {strings.Repeat("9", 1<<20), "no date"}, {"2026-01-01T00:00:00Z", "no date"},
	} {
		_, err := recurrence.ParseDays([]string{"2026-01-01", "SAT", c.entry})
		refused := wantRefusal(t, err)
		if refused.Field != recurrence.FieldExclude || !strings.Contains(refused.Error(), "entry [2]") || !strings.Contains(refused.Error(), c.want) || refused.Hint == "" {
			t.Errorf("%.40q: %v, want %q", c.entry, refused, c.want)
		}
	}
	if _, err := recurrence.ParseDays([]string{"2026-01-01/2036-01-08"}); err != nil {
		t.Errorf("3,660 days are refused: %v", err)
	}
	_, err := recurrence.ParseDays(make([]string, 2_001))
	if refused := wantRefusal(t, err); !strings.Contains(refused.Error(), "at most 2000") {
		t.Errorf("2,001 entries: %v", refused)
	}
	many := slices.Repeat([]string{"2026-01-01"}, 2_000)
	if took := quickest(func() { mustParseDays(t, many...) }); took > bound {
		t.Errorf("2,000 entries took %v, at most %v", took, bound)
	}
}

// drawnDays is a list of entries and a predicate that owes nothing to the parser.
type drawnDays struct {
	entries []string
	has     func(day time.Time) bool
}

// drawDays draws entries of which the dates lie around a day.
func drawExcluded(t *rapid.T, around time.Time) drawnDays {
	d := drawnDays{has: func(time.Time) bool { return false }}
	around = time.Date(around.Year(), around.Month(), around.Day(), 0, 0, 0, 0, time.UTC)
	for range rapid.IntRange(0, 5).Draw(t, "entries") {
		rest := d.has
		from := around.AddDate(0, 0, rapid.IntRange(-3, 40).Draw(t, "day"))
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0, 1:
			d.entries = append(d.entries, from.Format(time.DateOnly))
			d.has = func(day time.Time) bool { return day.Equal(from) || rest(day) }
		case 2:
			to := from.AddDate(0, 0, rapid.IntRange(0, 20).Draw(t, "length"))
			d.entries = append(d.entries, from.Format(time.DateOnly)+"/"+to.Format(time.DateOnly))
			d.has = func(day time.Time) bool { return !day.Before(from) && !day.After(to) || rest(day) }
		case 3:
			d.entries = append(d.entries, from.Format("01-02"))
			d.has = func(day time.Time) bool { return day.Month() == from.Month() && day.Day() == from.Day() || rest(day) }
		case 4:
			d.entries = append(d.entries, strings.ToUpper(from.Weekday().String()[:3]))
			d.has = func(day time.Time) bool { return day.Weekday() == from.Weekday() || rest(day) }
		}
	}
	return d
}

// localDay is the day that a zone's clock shows, as midnight UTC.
func localDay(at time.Time, loc *time.Location) time.Time {
	y, m, d := at.In(loc).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// drawnTable is a random timetable, with what filtering the rule's own times gives.
type drawnTable struct {
	rule       recurrence.Spec
	table      recurrence.Timetable
	sets       map[string]drawnDays // "" for the list of dates
	names      []string
	after      time.Time
	start, end time.Time
	text       string
}

func drawTable(t *rapid.T) drawnTable {
	var d drawnTable
	var err error
	zone, opts := drawZone(t), drawPolicies(t)
	switch rapid.IntRange(0, 3).Draw(t, "kind of rule") {
	case 0:
		d.rule, err = recurrence.NewInterval(recurrence.Interval{Every: time.Duration(rapid.IntRange(600, 400_000).Draw(t, "every")) * time.Second}, zone, opts)
	case 1:
		d.rule, err = recurrence.ParseRRule(drawDated(t).text(), zone, opts)
	default:
		o := drawOracle(t)
		if o.seconds != nil {
			t.Skip("too dense to filter")
		}
		d.rule, err = recurrence.Parse(o.text, zone, opts)
	}
	if err != nil {
		t.Skip("never fires:", err)
	}
	d.after = drawStart(t, d.rule.Location(), 10*24*time.Hour)
	var limits recurrence.Limits
	hours := func(label string) time.Duration {
		return time.Duration(rapid.IntRange(-100, 700).Draw(t, label)) * time.Hour
	}
	if rapid.Bool().Draw(t, "start?") {
		limits.Start = d.after.Add(hours("start"))
	}
	if rapid.Bool().Draw(t, "end?") {
		limits.End = d.after.Add(hours("end"))
	}
	d.start, d.end = limits.Start, limits.End
	d.sets = map[string]drawnDays{"": drawExcluded(t, d.after)}
	limits.Exclude = d.sets[""].entries
	d.names = []string{""}
	for i := range rapid.IntRange(0, 2).Draw(t, "calendars") {
		name := fmt.Sprint("calendar-", i)
		d.sets[name] = drawExcluded(t, d.after)
		d.names = append(d.names, name)
		days, err := recurrence.ParseDays(d.sets[name].entries)
		if err != nil {
			t.Fatal(err)
		}
		limits.Calendars = append(limits.Calendars, recurrence.NamedDays{Name: name, Days: days})
	}
	if d.table, err = recurrence.NewTimetable(d.rule, limits); err != nil {
		if !limits.Start.IsZero() && !limits.End.After(limits.Start) {
			t.Skip("ends before it begins")
		}
		t.Fatal(err)
	}
	if d.rule.Measured() {
		anchor := d.start
		if anchor.IsZero() {
			anchor = d.after.Add(-time.Hour)
			d.table = d.table.WithAnchor(anchor)
		}
		d.rule = d.rule.WithAnchor(anchor)
	}
	d.text = fmt.Sprintf("%s gap %v overlap %v, %v to %v, without %v, after %v", d.rule, opts.Gap, opts.Overlap, d.start, d.end, d.sets, d.after)
	return d
}

// reason says why a time is left out, "" if it is not.
func (d drawnTable) reason(at time.Time) string {
	for _, name := range d.names {
		if d.sets[name].has(localDay(at, d.rule.Location())) {
			if name == "" {
				return recurrence.ReasonExcludedDate
			}
			return recurrence.ReasonCalendar + name
		}
	}
	return ""
}

// nominal lists the times of the rule within start and end up to an instant.
func (d drawnTable) nominal(until time.Time) []time.Time {
	from := d.after
	if d.start.After(from) {
		from = d.start.Add(-time.Second)
	}
	return slices.DeleteFunc(upTo(d.rule, from, until), func(at time.Time) bool { return !d.end.IsZero() && !at.Before(d.end) })
}

func TestTimetable_LeavesOutWhatFilteringLeavesOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawTable(t)
		until := d.after.AddDate(0, 0, 30)
		var want []time.Time
		for _, at := range d.nominal(until) {
			if d.reason(at) == "" {
				want = append(want, at)
			}
		}
		var got []time.Time
		for at, ok := d.table.Next(d.after); ok && !at.After(until); at, ok = d.table.Next(at) {
			got = append(got, at)
		}
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s:\n%s", d.text, difference(got, want))
		}
	})
}

func TestTimetable_ExcludedRunsAccountForEveryTimeLeftOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawTable(t)
		until := d.after.AddDate(0, 0, 30)
		var want []recurrence.Exclusion
		previous := ""
		for _, at := range d.nominal(until) {
			reason := d.reason(at)
			switch {
			case reason == "":
			case reason == previous:
				run := &want[len(want)-1]
				run.Until = at
				run.Count++
			default:
				want = append(want, recurrence.Exclusion{From: at, Until: at, Count: 1, Reason: reason})
			}
			previous = reason
		}
		got := d.table.Excluded(d.after, until, 1_000)
		if !slices.Equal(got, want) {
			t.Fatalf("%s:\n got %v\nwant %v", d.text, got, want)
		}
	})
}
