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
			start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			at := start
			b.ReportAllocs()
			for b.Loop() {
				next, ok := spec.Next(at)
				if at = next; !ok || next.Year() > 2190 {
					at = start
				}
			}
		})
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
