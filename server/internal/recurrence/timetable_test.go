package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func mustTimetable(t testing.TB, spec recurrence.Spec, l recurrence.Limits) recurrence.Timetable {
	t.Helper()
	table, err := recurrence.NewTimetable(spec, l)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTimetable_StartIsInclusiveAndEndIsNot(t *testing.T) {
	t.Parallel()
	daily := mustParse(t, "0 9 * * *", "", recurrence.Options{})
	for _, c := range []struct {
		name, start, end string
		want             []string
	}{
		{"at the times", "2026-01-02T09:00:00Z", "2026-01-04T09:00:00Z", []string{"2026-01-02T09:00:00Z", "2026-01-03T09:00:00Z"}},
		{"a fraction later", "2026-01-02T09:00:00.001Z", "2026-01-04T09:00:00.001Z", []string{"2026-01-03T09:00:00Z", "2026-01-04T09:00:00Z"}},
		{"nothing between", "2026-01-02T10:00:00Z", "2026-01-02T11:00:00Z", nil},
	} {
		table := mustTimetable(t, daily, recurrence.Limits{Start: instant(t, c.start), End: instant(t, c.end)})
		if got := instants(table.NextN(instant(t, "2025-01-01T00:00:00Z"), 9)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTimetable_StartAnchorsAMeasuredRule(t *testing.T) {
	t.Parallel()
	start := instant(t, "2026-01-01T00:00:10Z")
	for _, c := range []struct {
		spec recurrence.Spec
		want []string
	}{
		{mustParse(t, "@every 1h", "", recurrence.Options{}), []string{"2026-01-01T00:00:10Z", "2026-01-01T01:00:10Z"}},
		{mustParse(t, "@every 1h/5m", "", recurrence.Options{}), []string{"2026-01-01T00:05:10Z", "2026-01-01T01:05:10Z"}},
		{mustParse(t, "rate(1 day)", "", recurrence.Options{}), []string{"2026-01-01T00:00:10Z", "2026-01-02T00:00:10Z"}},
		{mustParseRRule(t, "FREQ=WEEKLY;COUNT=2", "", recurrence.Options{}), []string{"2026-01-01T00:00:10Z", "2026-01-08T00:00:10Z"}},
		{mustParseRRule(t, "FREQ=MINUTELY;INTERVAL=7;COUNT=2", "", recurrence.Options{}), []string{"2026-01-01T00:00:10Z", "2026-01-01T00:07:10Z"}},
	} {
		table := mustTimetable(t, c.spec, recurrence.Limits{Start: start})
		if table.Measured() {
			t.Errorf("%s still depends on an anchor", c.spec)
		}
		for _, again := range []recurrence.Timetable{table, table.WithAnchor(start.Add(time.Minute))} {
			if got := instants(again.NextN(instant(t, "2025-06-01T00:00:00Z"), 9)); !slices.Equal(got[:2], c.want) || strings.Contains(c.spec.String(), "COUNT") && len(got) != 2 {
				t.Errorf("%s: got %v, want %v", c.spec, got, c.want)
			}
		}
	}
	table := mustTimetable(t, mustParse(t, "@every 1h", "", recurrence.Options{}), recurrence.Limits{})
	if !table.Measured() {
		t.Error("without a start the timetable needs no anchor")
	}
	if got := instants(table.WithAnchor(start).NextN(start, 1)); got[0] != "2026-01-01T01:00:10Z" {
		t.Errorf("anchored at %v, first fires at %v", start, got)
	}
}

func TestNewTimetable_NamesFieldFaultAndRemedy(t *testing.T) {
	t.Parallel()
	at := instant(t, "2026-01-01T00:00:00Z")
	daily := mustParse(t, "0 9 * * *", "", recurrence.Options{})
	for _, c := range []struct {
		limits recurrence.Limits
		field  recurrence.Field
		want   string
	}{
		{recurrence.Limits{Start: at, End: at}, recurrence.FieldEnd, "not after the start"},
		{recurrence.Limits{Start: at, End: at.Add(-time.Hour)}, recurrence.FieldEnd, "not after the start"},
		{recurrence.Limits{Jitter: -1}, recurrence.FieldJitter, "from 0s"},
		{recurrence.Limits{Jitter: 24*time.Hour + time.Millisecond}, recurrence.FieldJitter, "to 24h"},
		{recurrence.Limits{Jitter: time.Microsecond}, recurrence.FieldJitter, "milliseconds"},
		{recurrence.Limits{Exclude: []string{"never"}}, recurrence.FieldExclude, "entry [0]"},
	} {
		_, err := recurrence.NewTimetable(daily, c.limits)
		if refused := wantRefusal(t, err); refused.Field != c.field || !strings.Contains(refused.Error(), c.want) || refused.Hint == "" {
			t.Errorf("%+v: %v", c.limits, refused)
		}
	}
	_ = mustTimetable(t, mustParse(t, "* * * * *", "", recurrence.Options{}), recurrence.Limits{Jitter: 24 * time.Hour})
}

func TestTimetable_EndsQuicklyWhateverIsExcluded(t *testing.T) {
	t.Parallel()
	weekdays := []string{"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"}
	var everyDate, decades, odd []string
	for day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2024; day = day.AddDate(0, 0, 1) {
		everyDate = append(everyDate, day.Format("01-02"))
		if day.Day()%2 == 1 {
			odd = append(odd, day.Format("01-02"))
		}
	}
	for y := 1970; y < 2200; y += 10 {
		decades = append(decades, fmt.Sprintf("%d-01-01/%d-12-31", y, y+9))
	}
	for _, c := range []struct {
		name, expr string
		exclude    []string
	}{
		{"every weekday", "* * * * * *", weekdays},
		{"every day of the year", "* * * * * *", everyDate},
		{"every day", "* * * * * *", decades},
		{"the rule's weekday", "* * * * 1", []string{"MON"}},
		{"the rule's days", "* * 1-31/2 * *", odd},
		{"all but the last day", "0 9 * * *", decades[:22]},
	} {
		for _, zone := range []string{"UTC", "Africa/Casablanca"} {
			table := mustTimetable(t, mustParse(t, c.expr, zone, recurrence.Options{}), recurrence.Limits{Exclude: c.exclude})
			var ok bool
			took := quickest(func() { _, ok = table.Next(year1990) })
			if took > bound {
				t.Errorf("%s in %s took %v, at most %v", c.name, zone, took, bound)
			}
			if ok != (len(c.exclude) == 22) {
				t.Errorf("%s in %s: fires: %v", c.name, zone, ok)
			}
			t.Logf("%s in %s: %v", c.name, zone, took)
		}
	}
}

func TestTimetable_NextDoesNotAllocate(t *testing.T) {
	table := mustTimetable(t, mustParse(t, "0 9 * * *", "Europe/Berlin", recurrence.Options{}),
		recurrence.Limits{Start: year1990, End: year2100, Exclude: []string{"SAT", "12-25", "2026-01-01/2026-02-01"}})
	at := instant(t, "2026-01-01T00:00:00Z")
	if n := testing.AllocsPerRun(100, func() { at, _ = table.Next(at) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestExcluded_DoesNotCountWithoutEnd(t *testing.T) {
	t.Parallel()
	table := mustTimetable(t, mustParse(t, "* * * * * *", "Europe/Berlin", recurrence.Options{}), recurrence.Limits{Exclude: []string{"2026-03-29/2026-03-31"}})
	from, until := instant(t, "2026-03-28T23:00:00Z"), instant(t, "2026-03-31T21:59:59Z")
	for _, c := range []struct {
		after, until time.Time
		want         recurrence.Exclusion
	}{
		{year1990, year2100, recurrence.Exclusion{From: from, Until: until}},
		{until.Add(-10 * time.Second), year2100, recurrence.Exclusion{From: until.Add(-9 * time.Second), Until: until, Count: 10}},
		{year1990, from.Add(9 * time.Second), recurrence.Exclusion{From: from, Until: from.Add(9 * time.Second), Count: 10}},
		{year1990, until.Add(-time.Hour), recurrence.Exclusion{From: from, Until: until.Add(-time.Hour)}},
	} {
		c.want.Reason = recurrence.ReasonExcludedDate
		if got := table.Excluded(c.after, c.until, 5); !slices.Equal(got, []recurrence.Exclusion{c.want}) {
			t.Errorf("from %v to %v: got %v, want %v", c.after, c.until, got, c.want)
		}
	}
}

func TestExcluded_IsLimitedAndStaysWithinStartAndEnd(t *testing.T) {
	t.Parallel()
	table := mustTimetable(t, mustParse(t, "0 9 * * *", "", recurrence.Options{}), recurrence.Limits{
		Start: instant(t, "2026-01-04T00:00:00Z"), End: instant(t, "2026-01-18T00:00:00Z"), Exclude: []string{"SUN"},
		Calendars: []recurrence.NamedDays{{Name: "weekends", Days: mustParseDays(t, "SAT", "SUN")}},
	})
	day := func(d int) time.Time { return time.Date(2026, 1, d, 9, 0, 0, 0, time.UTC) }
	one := func(d int, reason string) recurrence.Exclusion {
		return recurrence.Exclusion{From: day(d), Until: day(d), Count: 1, Reason: reason}
	}
	want := []recurrence.Exclusion{one(4, "EXCLUDED_DATE"), one(10, "CALENDAR:weekends"), one(11, "EXCLUDED_DATE"), one(17, "CALENDAR:weekends")}
	if got := table.Excluded(year1990, year2100, 10); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := table.Excluded(year1990, year2100, 2); !slices.Equal(got, want[:2]) {
		t.Errorf("two of them: got %v", got)
	}
	if got := mustTimetable(t, table.Spec(), recurrence.Limits{}).Excluded(year1990, year2100, 10); got != nil {
		t.Errorf("without excluded days: %v", got)
	}
}

func TestTimetable_ExplainsMovedAndSuppressedTimes(t *testing.T) {
	t.Parallel()
	table := mustTimetable(t, mustParse(t, "10,30 2 * * *", "America/New_York", recurrence.Options{}),
		recurrence.Limits{Start: instant(t, "2025-03-09T00:00:00Z"), Exclude: []string{"2026-03-08"}})
	moved := table.Occurrences(year1990, 1)[0]
	if !moved.Moved || moved.Time != instant(t, "2025-03-09T07:00:00Z") {
		t.Errorf("got %+v", moved)
	}
	got := table.Suppressed(year1990, instant(t, "2027-12-01T00:00:00Z"), 5)
	var years []int
	for _, s := range got {
		years = append(years, s.Time.Year())
	}
	if !slices.Equal(years, []int{2025, 2027}) {
		t.Errorf("suppressed in %v, want 2025 and 2027", years)
	}
}

func TestOffset_IsDeterministicAndEven(t *testing.T) {
	t.Parallel()
	spec := mustParse(t, "@hourly", "", recurrence.Options{})
	if got := mustTimetable(t, spec, recurrence.Limits{}).Offset("a/b"); got != 0 {
		t.Errorf("without jitter %v", got)
	}
	table := mustTimetable(t, spec, recurrence.Limits{Jitter: time.Minute})
	const seeds, buckets = 60_000, 60
	var counts [buckets]int
	for i := range seeds {
		offset := table.Offset(fmt.Sprintf("tenant/schedule-%d", i))
		if offset < 0 || offset >= time.Minute || offset%time.Millisecond != 0 || offset != table.Offset(fmt.Sprintf("tenant/schedule-%d", i)) {
			t.Fatalf("seed %d: %v", i, offset)
		}
		counts[offset*buckets/time.Minute]++
	}
	for i, n := range counts {
		if n < 850 || n > 1150 { // 1,000 ± five standard deviations
			t.Errorf("%d of %d offsets in second %d, want about %d", n, seeds, i, seeds/buckets)
		}
	}
}

func TestTimetable_DescribesItsLimits(t *testing.T) {
	t.Parallel()
	table := mustTimetable(t, mustParse(t, "0 9 * * *", "Europe/Berlin", recurrence.Options{}), recurrence.Limits{
		Start: instant(t, "2026-01-01T00:00:00Z"), End: instant(t, "2027-01-01T00:00:00Z"), Exclude: []string{"SAT", "SUN"},
		Calendars: []recurrence.NamedDays{{Name: "holidays", Days: mustParseDays(t, "12-25")}}, Jitter: 5 * time.Minute,
	})
	want := "At 09:00 every day, Europe/Berlin, from 1 January 2026 01:00:00, until before 1 January 2027 01:00:00, " +
		"except on Saturday and Sunday, except on days of holidays, up to 5m later"
	if got := table.Describe(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	bare := mustParseRRule(t, "FREQ=DAILY", "", recurrence.Options{})
	if len(mustTimetable(t, bare, recurrence.Limits{}).Notes()) != 1 || len(mustTimetable(t, bare, recurrence.Limits{Start: year1990}).Notes()) != 0 {
		t.Error("a start does not settle what a rule without DTSTART leaves open")
	}
}
