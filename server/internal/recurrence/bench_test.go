package recurrence_test

import (
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func BenchmarkNext(b *testing.B) {
	for _, c := range []struct{ name, expr, zone string }{
		{"EveryMinute", "* * * * *", "UTC"},
		{"DailyUTC", "0 9 * * *", "UTC"},
		{"DailyBerlin", "0 9 * * *", "Europe/Berlin"},
		{"Workdays", "*/15 9-17 * * MON-FRI", "America/New_York"},
		{"LastWeekday", "0 9 LW * *", "Europe/Berlin"},
		{"ThirdFriday", "0 9 * * FRI#3", "Asia/Tokyo"},
		{"Yearly", "@yearly", "Pacific/Auckland"},
		{"Every", "@every 90m", "UTC"},
		{"SparsestLeapMonday", "0 0 29 2 */7", "Africa/Casablanca"},
		{"SparsestWithYear", "0 0 0 29 2 ? 2196", "Europe/Berlin"},
	} {
		b.Run(c.name, func(b *testing.B) {
			spec, err := recurrence.Parse(c.expr, c.zone, recurrence.Options{})
			if err != nil {
				b.Fatal(err)
			}
			benchmarkNext(b, spec.Next)
		})
	}
}

func BenchmarkNext_RRule(b *testing.B) {
	for _, c := range []struct{ name, rule, zone string }{
		{"DailyUTC", "FREQ=DAILY", "UTC"},
		{"DailyBerlin", "FREQ=DAILY", "Europe/Berlin"},
		{"EveryOtherWeek", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "Europe/Berlin"},
		{"LastWeekday", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "Europe/Berlin"},
		{"ThirdFriday", "FREQ=MONTHLY;BYDAY=3FR", "Asia/Tokyo"},
		{"Yearly", "FREQ=YEARLY", "Pacific/Auckland"},
		{"YearlyPosition", "FREQ=YEARLY;BYDAY=MO;BYSETPOS=10,-10", "America/New_York"},
		{"Week20", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "America/New_York"},
		{"Quarters", "FREQ=MINUTELY;INTERVAL=15;BYHOUR=9,10,11,12", "America/New_York"},
		{"EverySecond", "FREQ=SECONDLY", "UTC"},
		{"SparsestLeapMonday", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "Africa/Casablanca"},
		{"SparsestWeeks", "FREQ=WEEKLY;INTERVAL=53;BYMONTH=2", "Africa/Casablanca"},
		{"SparsestSeconds", "FREQ=SECONDLY;INTERVAL=8641;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "UTC"},
	} {
		b.Run(c.name, func(b *testing.B) {
			spec, err := recurrence.ParseRRule("DTSTART:19700105T093000\nRRULE:"+c.rule, c.zone, recurrence.Options{})
			if err != nil {
				b.Fatal(err)
			}
			benchmarkNext(b, spec.Next)
		})
	}
}

func BenchmarkNext_Timetable(b *testing.B) {
	for _, c := range []struct {
		name   string
		limits recurrence.Limits
	}{
		{"Plain", recurrence.Limits{}},
		{"Weekends", recurrence.Limits{Exclude: []string{"SAT", "SUN"}}},
		{"WeekendsAndHolidays", recurrence.Limits{Exclude: []string{"SAT", "SUN", "12-25", "2026-04-03", "2027-03-26"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			spec, err := recurrence.Parse("0 9 * * *", "Europe/Berlin", recurrence.Options{})
			if err != nil {
				b.Fatal(err)
			}
			table, err := recurrence.NewTimetable(spec, c.limits)
			if err != nil {
				b.Fatal(err)
			}
			benchmarkNext(b, table.Next)
		})
	}
}

func benchmarkNext(b *testing.B, next func(time.Time) (time.Time, bool)) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := start
	b.ReportAllocs()
	for b.Loop() {
		found, ok := next(at)
		if at = found; !ok || found.Year() > 2190 {
			at = start
		}
	}
}

// The end of all rules: nothing is found up to the last year.
func BenchmarkNext_NothingLeft(b *testing.B) {
	spec, err := recurrence.Parse("0 0 0 29 2 ? 1972", "Europe/Berlin", recurrence.Options{})
	if err != nil {
		b.Fatal(err)
	}
	after := time.Date(1973, 1, 1, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		if _, ok := spec.Next(after); ok {
			b.Fatal("fires")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, expr, zone string }{
		{"Daily", "0 9 * * *", "Europe/Berlin"},
		{"Workdays", "*/15 9-17 * * MON-FRI", "America/New_York"},
		{"Impossible", "0 0 30 2 *", "Europe/Berlin"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = recurrence.Parse(c.expr, c.zone, recurrence.Options{})
			}
		})
	}
}
