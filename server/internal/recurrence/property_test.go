package recurrence_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"pgregory.net/rapid"
)

// nightly stretches the windows that the oracle steps through; the number of
// rules is set by -rapid.checks.
var nightly = os.Getenv("BELFRY_NIGHTLY") != ""

// oddZones are drawn as often as all others together.
var oddZones = []string{
	"Australia/Lord_Howe", "Antarctica/Troll", "Pacific/Apia", "Africa/Casablanca", "Pacific/Chatham",
	"America/New_York", "Europe/Berlin", "Asia/Pyongyang", "America/Caracas", "Europe/Istanbul",
	"Asia/Gaza", "Africa/El_Aaiun", "America/Nuuk", "Europe/Dublin", "Pacific/Kiritimati", "Antarctica/Casey",
	"Asia/Tehran", "America/Havana", "Europe/Moscow", "Africa/Juba",
}

func drawZone(t *rapid.T) string {
	if rapid.Bool().Draw(t, "odd zone") {
		return rapid.SampledFrom(oddZones).Draw(t, "zone")
	}
	return rapid.SampledFrom(recurrence.ZoneNames()).Draw(t, "zone")
}

func drawPolicies(t *rapid.T) recurrence.Options {
	return recurrence.Options{
		Gap:     recurrence.GapPolicy(rapid.IntRange(0, 1).Draw(t, "gap")),
		Overlap: recurrence.OverlapPolicy(rapid.IntRange(0, 2).Draw(t, "overlap")),
	}
}

var (
	year1990 = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
	year2100 = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// drawStart draws an instant from 1990 to 2100, mostly shortly before a change of
// the zone's offset.
func drawStart(t *rapid.T, loc *time.Location, window time.Duration) time.Time {
	minutes := rapid.Int64Range(0, int64(year2100.Sub(year1990)/time.Minute)).Draw(t, "start")
	start := year1990.Add(time.Duration(minutes) * time.Minute)
	if _, end := start.In(loc).ZoneBounds(); !end.IsZero() && end.Before(year2100) && rapid.IntRange(0, 3).Draw(t, "near a change") > 0 {
		lead := rapid.Int64Range(0, int64(window/time.Minute)-1).Draw(t, "lead")
		start = end.Add(-time.Duration(lead) * time.Minute)
	}
	return start.UTC()
}

func TestNext_AgreesWithSteppingThroughEveryMinute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o, zone, opts := drawOracle(t), drawZone(t), drawPolicies(t)
		spec, err := recurrence.Parse(o.text, zone, opts)
		if err != nil {
			t.Skip("never fires:", err)
		}
		window := 12 * 24 * time.Hour
		if o.seconds != nil {
			window = 12 * time.Hour
		}
		if nightly {
			window *= 30
		}
		after := drawStart(t, spec.Location(), window)
		until := after.Add(window)
		want := o.occurrences(spec.Location(), after, until, opts)
		got := upTo(spec, after, until)
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%q %s gap %v overlap %v after %v:\n%s", o.text, zone, opts.Gap, opts.Overlap, after, difference(got, want))
		}
	})
}

// Sparse rules are compared day by day over 110 years, in UTC.
func TestNext_AgreesWithSteppingThroughEveryDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := drawOracle(t)
		spec, err := recurrence.Parse(o.text, "", recurrence.Options{})
		if err != nil {
			wantNoDay(t, o, err)
			return
		}
		at := year1990.Add(-time.Second)
		for day := year1990; day.Before(year2100); day = day.AddDate(0, 0, 1) {
			if !o.matchesDate(day) {
				continue
			}
			next, ok := spec.Next(at)
			if !ok || !next.Truncate(24*time.Hour).Equal(day) {
				t.Fatalf("%q after %v: %v (%v), want a time on %v", o.text, at, next, ok, day)
			}
			at = day.AddDate(0, 0, 1).Add(-time.Second)
		}
		if next, ok := spec.Next(at); ok && next.Before(year2100) {
			t.Fatalf("%q after %v: %v, want none before 2100", o.text, at, next)
		}
	})
}

// wantNoDay checks that a refused rule has no day in any year.
func wantNoDay(t *rapid.T, o *oracle, err error) {
	for day := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2200; day = day.AddDate(0, 0, 1) {
		if o.matchesDate(day) {
			t.Fatalf("%q is refused (%v) but %v matches", o.text, err, day)
		}
	}
}

func TestString_RoundTripsAndKeepsEveryOccurrence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		opts := drawPolicies(t)
		spec, err := recurrence.Parse(drawOracle(t).text, drawZone(t), opts)
		if err != nil {
			t.Skip("never fires:", err)
		}
		again, err := recurrence.Parse(spec.String(), "", opts)
		if err != nil || !again.Equal(spec) || again.String() != spec.String() {
			t.Fatalf("canonical text %q: %v, %v", spec, again, err)
		}
		if spec.Describe() == "" {
			t.Fatalf("%q has no description", spec)
		}
	})
}

// Suppressed and NextN together account for every matching wall-clock time: BOTH
// and a gap that is skipped fire exactly those that FIRST fires or suppresses.
func TestSuppressed_AccountsForWhatPoliciesLeaveOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o, zone := drawRule(t, true), drawZone(t)
		both, err := recurrence.Parse(o.text, zone, recurrence.Options{Gap: recurrence.GapSkip, Overlap: recurrence.OverlapBoth})
		if err != nil {
			t.Skip("never fires:", err)
		}
		overlap := recurrence.OverlapPolicy(rapid.IntRange(0, 1).Draw(t, "overlap"))
		one, err := recurrence.Parse(o.text, zone, recurrence.Options{Gap: recurrence.GapSkip, Overlap: overlap})
		if err != nil {
			t.Skip("fires in repeated hours only:", err)
		}
		after := drawStart(t, one.Location(), 24*time.Hour)
		until := after.Add(48 * time.Hour)
		got := upTo(one, after, until)
		for _, s := range one.Suppressed(after, until, 1<<20) {
			if s.Reason == recurrence.SuppressedRepeat {
				got = append(got, s.Time)
			}
		}
		slices.SortFunc(got, time.Time.Compare)
		if want := upTo(both, after, until); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%q %s %v after %v:\n%s", o.text, zone, overlap, after, difference(got, want))
		}
	})
}

// upTo steps through the occurrences in (after, until].
func upTo(spec recurrence.Spec, after, until time.Time) []time.Time {
	var found []time.Time
	for at, ok := spec.Next(after); ok && !at.After(until); at, ok = spec.Next(at) {
		found = append(found, at)
	}
	return found
}

// difference shows where two series part.
func difference(got, want []time.Time) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) {
			return "missing " + want[i].Format(time.RFC3339)
		}
		if i >= len(want) {
			return "too many, first " + got[i].Format(time.RFC3339)
		}
		if !got[i].Equal(want[i]) {
			return "got " + got[i].Format(time.RFC3339) + ", want " + want[i].Format(time.RFC3339)
		}
	}
	return "equal"
}
