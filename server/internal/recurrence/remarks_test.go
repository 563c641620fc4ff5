package recurrence

import (
	"slices"
	"testing"
	"time"
)

func TestLeftOut_SaysWhichTimesAndWhyInOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rule    string
		opts    Options
		exclude []string
		after   string
		until   string
		limit   int
		want    []string
	}{
		"a gap that is skipped": {"30 2 * * *", Options{Gap: GapSkip}, nil, "2027-03-27T12:00:00Z", "2027-03-29T12:00:00Z", 20,
			[]string{"2027-03-28 02:30:00 Europe/Berlin is left out: the clock skips it"}},
		"a repeat that runs first": {"30 2 * * *", Options{}, nil, "2027-10-30T12:00:00Z", "2027-11-01T12:00:00Z", 20,
			[]string{"2027-10-31 02:30:00 Europe/Berlin does not fire again when the clock repeats it"}},
		"a repeat that runs last": {"30 2 * * *", Options{Overlap: OverlapLast}, nil, "2027-10-30T12:00:00Z", "2027-11-01T12:00:00Z", 20,
			[]string{"2027-10-31 02:30:00 Europe/Berlin does not fire the first time: the clock shows it again"}},
		"days around a gap": {"30 2 * * *", Options{Gap: GapSkip}, []string{"2027-03-26", "2027-03-30/2027-03-31"}, "2027-03-25T12:00:00Z",
			"2027-04-01T12:00:00Z", 20, []string{
				"2027-03-26 02:30:00 Europe/Berlin is left out: an excluded date",
				"2027-03-28 02:30:00 Europe/Berlin is left out: the clock skips it",
				"2027-03-30 02:30:00 to 2027-03-31 02:30:00 Europe/Berlin, 2 times, are left out: excluded dates"}},
		"no more than the limit": {"30 2 * * *", Options{Gap: GapSkip}, []string{"2027-03-26", "2027-03-29"}, "2027-03-25T12:00:00Z",
			"2027-04-01T12:00:00Z", 1, []string{"2027-03-26 02:30:00 Europe/Berlin is left out: an excluded date"}},
		"nothing": {"30 2 * * *", Options{}, nil, "2027-06-01T00:00:00Z", "2027-06-05T00:00:00Z", 20, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec, err := Parse(c.rule, "Europe/Berlin", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			table, err := NewTimetable(spec, Limits{Exclude: c.exclude})
			if err != nil {
				t.Fatal(err)
			}
			after, _ := time.Parse(time.RFC3339, c.after)
			until, _ := time.Parse(time.RFC3339, c.until)
			if got := table.LeftOut(after, until, c.limit); !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestTimetable_LeftOut_NamesTheCalendar(t *testing.T) {
	t.Parallel()
	spec, err := Parse("0 9 * * *", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	days, err := ParseDays([]string{"2027-03-26", "2027-03-28/2027-03-29"})
	if err != nil {
		t.Fatal(err)
	}
	table, err := NewTimetable(spec, Limits{Calendars: []NamedDays{{Name: "easter", Days: days}}})
	if err != nil {
		t.Fatal(err)
	}
	from := time.Date(2027, 3, 25, 12, 0, 0, 0, time.UTC)
	want := []string{"2027-03-26 09:00:00 UTC is left out: a day of calendar easter",
		"2027-03-28 09:00:00 to 2027-03-29 09:00:00 UTC, 2 times, are left out: days of calendar easter"}
	if got := table.LeftOut(from, from.AddDate(0, 0, 7), 20); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
