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
