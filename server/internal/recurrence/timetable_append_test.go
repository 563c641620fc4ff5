package recurrence_test

import (
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func TestAppendTimes_AreThoseOfNextBetweenTheInstants(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 10, 24, 22, 0, 0, 0, time.UTC) // the hour is repeated in Berlin
	half := begin.Add(500 * time.Millisecond)
	for _, c := range []struct {
		name, rule string
		limits     recurrence.Limits
	}{
		{"cron", "*/7 * * * *", recurrence.Limits{}},
		{"interval", "@every 97s", recurrence.Limits{}},
		{"interval that ends within", "@every 97s", recurrence.Limits{Start: begin.Add(time.Hour), End: half.Add(2 * time.Hour)}},
		{"interval with days left out", "@every 97s", recurrence.Limits{Exclude: []string{"2026-10-25"}}},
		{"nothing left", "@every 97s", recurrence.Limits{End: begin.Add(-time.Hour)}},
	} {
		d := recurrence.Definition{Text: c.rule, Zone: "Europe/Berlin", Limits: c.limits}
		table, err := d.Timetable(recurrence.Options{})
		if err != nil {
			t.Fatal(err)
		}
		table = table.WithAnchor(begin.Add(-time.Hour))
		for _, after := range []time.Time{begin, half, begin.Add(-time.Second)} {
			for _, before := range []time.Time{begin, half, begin.Add(7 * time.Minute), begin.Add(30 * time.Hour), half.Add(30 * time.Hour)} {
				want := []int64{-1}
				for at, ok := table.Next(after); ok && at.Before(before); at, ok = table.Next(at) {
					want = append(want, at.Unix())
				}
				if got := table.AppendTimes([]int64{-1}, after, before, 1<<30); !slices.Equal(got, want) {
					t.Errorf("%s from %v to %v: %d times %v, want %d %v", c.name, after, before, len(got), got, len(want), want)
				}
				if got := table.AppendTimes(nil, after, before, 3); !slices.Equal(got, want[1:min(4, len(want))]) {
					t.Errorf("%s from %v to %v: the first 3 are %v, want %v", c.name, after, before, got, want[1:min(4, len(want))])
				}
			}
		}
	}
}
