package recurrence

import (
	"testing"
	"time"
)

// wallRange relies on it: a repeat or gap concerns two neighbouring spans only.
func TestZones_NeverChangeTwiceWithinOneGapOrRepeat(t *testing.T) {
	t.Parallel()
	for _, name := range ZoneNames() {
		z, _ := loadZone(name)
		for i := 1; i < len(z.spans); i++ {
			jump := max(z.spans[i].offset-z.spans[i-1].offset, z.spans[i-1].offset-z.spans[i].offset)
			if jump == 0 {
				t.Errorf("%s: spans %d and %d have the same offset", name, i-1, i)
			}
			if length := z.end(i) - z.spans[i].start; length <= jump {
				t.Errorf("%s: changes again %d s after a change of %d s", name, length, jump)
			}
			if length := z.spans[i].start - z.spans[i-1].start; i > 1 && length <= jump {
				t.Errorf("%s: a change of %d s only %d s after another", name, jump, length)
			}
		}
	}
}

func TestZones_TableAgreesWithLocation(t *testing.T) {
	t.Parallel()
	names := ZoneNames()
	if len(names) < 500 {
		t.Fatalf("%d zones in the database, want at least 500", len(names))
	}
	const probe = 9*secondsPerDay + 12345 // drifts through days, hours and seasons
	for _, name := range names {
		z, err := loadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		for at := firstInstant; at < endInstant; at += probe {
			_, want := time.Unix(at, 0).In(z.loc).Zone()
			if got := z.spans[z.at(at)].offset; got != int64(want) {
				t.Fatalf("%s: offset %d at %v, want %d", name, got, time.Unix(at, 0).UTC(), want)
			}
		}
	}
}

func TestZones_IncludeThisYearsRulesForEver(t *testing.T) {
	t.Parallel()
	z, err := loadZone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for year := 2030; year <= MaxYear; year++ {
		summer := time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC).Unix()
		winter := time.Date(year, 12, 31, 12, 0, 0, 0, time.UTC).Unix()
		if z.spans[z.at(summer)].offset != 7200 || z.spans[z.at(winter)].offset != 3600 {
			t.Fatalf("no summer time in %d", year)
		}
	}
}

func TestCalendar_DatesAgreeWithTimePackage(t *testing.T) {
	t.Parallel()
	for day := int64(0); day*secondsPerDay < endOfYears; day++ {
		want := time.Unix(day*secondsPerDay, 0).UTC()
		y, m, d := civil(day)
		if y != want.Year() || m != int(want.Month()) || d != want.Day() {
			t.Fatalf("day %d is %d-%d-%d, want %v", day, y, m, d, want)
		}
		if dayNumber(y, m, d) != day || weekdayOf(day) != int(want.Weekday()) {
			t.Fatalf("%v: number %d, weekday %d", want, dayNumber(y, m, d), weekdayOf(day))
		}
		if d == 1 && daysIn(y, m) != want.AddDate(0, 1, -1).Day() {
			t.Fatalf("%v: %d days", want, daysIn(y, m))
		}
	}
}
