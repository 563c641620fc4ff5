package recurrence_test

import (
	"errors"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// FuzzParse checks of any text: it is refused with a reason, or its canonical form
// means the same rule and its occurrences ascend in whole seconds.
func FuzzParse(f *testing.F) {
	for _, c := range loadGolden(f) {
		f.Add(c.Expr, c.Zone, c.After.Unix(), uint8(0))
	}
	f.Add("H(0-29)/10 H * * *", "Europe/Berlin", int64(0), uint8(3))
	f.Add("@every 1h/5m", "", int64(1<<40), uint8(1))
	f.Add("0 0 L-3,LW,15W * 5#3,6L", "Pacific/Apia", int64(-1<<62), uint8(5))
	f.Fuzz(func(t *testing.T, expr, zone string, after int64, policies uint8) {
		opts := recurrence.Options{
			Gap:     recurrence.GapPolicy(policies & 1),
			Overlap: recurrence.OverlapPolicy(policies >> 1 % 3),
		}
		spec, err := recurrence.Parse(expr, zone, opts)
		if err != nil {
			var refused *recurrence.ParseError
			if !errors.As(err, &refused) || refused.Reason == "" || refused.Field == "" {
				t.Fatalf("%q: bare refusal %v", expr, err)
			}
			return
		}
		wantRoundTrip(t, spec, opts)
		if spec.Describe() == "" {
			t.Fatalf("%q: no description", expr)
		}
		_ = spec.Notes()
		at := time.Unix(after, 0)
		for range 5 {
			o, ok := spec.NextOccurrence(at)
			if !ok {
				return
			}
			if !o.Time.After(at) || o.Time.Nanosecond() != 0 || o.Time.Location() != time.UTC {
				t.Fatalf("%q after %v: %v", expr, at, o.Time)
			}
			at = o.Time
		}
	})
}

// FuzzParseForms does the same inside the forms that have a name.
func FuzzParseForms(f *testing.F) {
	f.Add(uint8(0), "5 minutes", "Europe/Berlin")
	f.Add(uint8(1), "2026-03-29T02:30:00", "Europe/Berlin")
	f.Add(uint8(2), "0 12 ? * 2-6 2026/2", "")
	f.Add(uint8(3), " 1h30m/5m", "")
	f.Fuzz(func(t *testing.T, form uint8, inner, zone string) {
		expr := []string{"rate(" + inner + ")", "at(" + inner + ")", "cron(" + inner + ")", "@every" + inner}[form%4]
		spec, err := recurrence.Parse(expr, zone, recurrence.Options{})
		if err != nil {
			wantReason(t, expr, err)
			return
		}
		wantRoundTrip(t, spec, recurrence.Options{})
		wantAscending(t, spec, time.Unix(0, 0))
	})
}

// FuzzParseRRule checks the same of recurrences, and that the limits of a timetable
// neither add times nor let them go backwards.
func FuzzParseRRule(f *testing.F) {
	for _, c := range rfcExamples {
		f.Add("DTSTART;TZID=America/New_York:"+c.start+"T090000\nRRULE:"+c.rule, "", int64(0), uint8(0))
	}
	for _, c := range rruleCases {
		f.Add(c.text, c.zone, int64(1<<30), uint8(c.opts.Overlap)<<1|uint8(c.opts.Gap))
	}
	for _, c := range rruleRefusals {
		f.Add(c.text[:min(len(c.text), 200)], c.zone, int64(1<<33), uint8(5))
	}
	f.Fuzz(func(t *testing.T, text, zone string, after int64, policies uint8) {
		opts := recurrence.Options{
			Gap:     recurrence.GapPolicy(policies & 1),
			Overlap: recurrence.OverlapPolicy(policies >> 1 % 3),
		}
		spec, err := recurrence.ParseRRule(text, zone, opts)
		if err != nil {
			wantReason(t, text, err)
			return
		}
		again, err := recurrence.ParseRRule(spec.String(), "", opts)
		if err != nil || !again.Equal(spec) || again.String() != spec.String() {
			t.Fatalf("%q: canonical text %q: %v, %v", text, spec, again, err)
		}
		if spec.Describe() == "" {
			t.Fatalf("%q: no description", text)
		}
		_ = spec.Notes()
		at := time.Unix(after, 0)
		wantAscending(t, spec, at)
		table, err := recurrence.NewTimetable(spec, recurrence.Limits{Exclude: []string{"MON", "02-29"}})
		if err != nil {
			t.Fatal(err)
		}
		table = table.WithAnchor(at)
		if found, ok := table.Next(at); ok && (found.In(spec.Location()).Weekday() == time.Monday || !found.After(at)) {
			t.Fatalf("%q without Mondays fires at %v", text, found)
		}
		_ = table.Excluded(at, at.Add(time.Hour), 3)
		_ = table.Suppressed(at, at.Add(time.Hour), 3)
	})
}

// FuzzParseDays checks of any entry that it is refused with a reason or holds a day.
func FuzzParseDays(f *testing.F) {
	for _, entry := range []string{"2026-12-25", "2026-12-24/2027-01-01", "02-29", "SAT", "", "2026-02-30"} {
		f.Add(entry)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		days, err := recurrence.ParseDays([]string{entry})
		if err != nil {
			wantReason(t, entry, err)
			return
		}
		for day := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() <= recurrence.MaxYear; day = day.AddDate(0, 0, 1) {
			if days.Has(day) {
				return
			}
		}
		t.Fatalf("%q holds no day", entry)
	})
}

func wantReason(t *testing.T, text string, err error) {
	var refused *recurrence.ParseError
	if !errors.As(err, &refused) || refused.Reason == "" || refused.Field == "" {
		t.Fatalf("%q: bare refusal %v", text, err)
	}
}

func wantAscending(t *testing.T, spec recurrence.Spec, at time.Time) {
	for _, o := range spec.Occurrences(at, 5) {
		if !o.Time.After(at) || o.Time.Nanosecond() != 0 || o.Time.Location() != time.UTC {
			t.Fatalf("%q after %v: %v", spec, at, o.Time)
		}
		at = o.Time
	}
}
