package schedule

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// text shows a plan: its runs, the jobs of the backlog, the jobs to come.
func (p plan) text() string {
	var b strings.Builder
	const layout = "15:04:05"
	for _, s := range p.skipped {
		fmt.Fprintf(&b, "%s %s-%s x%d; ", s.reason, s.from.Format(layout), s.until.Format(layout), s.count)
	}
	if !p.merged.from.IsZero() {
		fmt.Fprintf(&b, "MERGED %s-%s x%d; ", p.merged.from.Format(layout), p.merged.until.Format(layout), p.merged.count)
	}
	for _, at := range p.caughtUp {
		fmt.Fprintf(&b, "catch up %s; ", at.Format(layout))
	}
	for _, at := range p.due {
		fmt.Fprintf(&b, "due %s; ", at.Format(layout))
	}
	if p.next.IsZero() {
		return b.String() + "end"
	}
	return b.String() + "next " + p.next.Format(layout)
}

func TestPlan_TreatsWhatWasMissedAsThePolicySays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		policy Policy
		left   int64
		limit  int
		want   string
	}{
		"skip": {Policy{Missed: SkipMissed}, -1, 100, "MISSED 12:10:00-13:00:00 x6; next 13:10:00"},
		"once": {Policy{}, -1, 100, "MERGED 12:10:00-12:50:00 x5; catch up 13:00:00; next 13:10:00"},
		"once, all older than the window": {Policy{CatchupWindow: 10 * time.Second}, -1, 100,
			"CATCHUP_WINDOW 12:10:00-13:00:00 x6; next 13:10:00"},
		"once, at the edge of the window": {Policy{CatchupWindow: 30 * time.Second}, -1, 100,
			"MERGED 12:10:00-12:50:00 x5; catch up 13:00:00; next 13:10:00"},
		"all": {Policy{Missed: FireAll}, -1, 100, "catch up 12:10:00; catch up 12:20:00; catch up 12:30:00; catch up 12:40:00; " +
			"catch up 12:50:00; catch up 13:00:00; next 13:10:00"},
		"all within the window": {Policy{Missed: FireAll, CatchupWindow: 20*time.Minute + 30*time.Second}, -1, 100,
			"CATCHUP_WINDOW 12:10:00-12:30:00 x3; catch up 12:40:00; catch up 12:50:00; catch up 13:00:00; next 13:10:00"},
		"all, the latest two": {Policy{Missed: FireAll, MaxCatchup: 2}, -1, 100,
			"MAX_CATCHUP 12:10:00-12:40:00 x4; catch up 12:50:00; catch up 13:00:00; next 13:10:00"},
		"all, both bounds": {Policy{Missed: FireAll, MaxCatchup: 1, CatchupWindow: 25 * time.Minute}, -1, 100,
			"CATCHUP_WINDOW 12:10:00-12:30:00 x3; MAX_CATCHUP 12:40:00-12:50:00 x2; catch up 13:00:00; next 13:10:00"},
		"all, older than the window": {Policy{Missed: FireAll, CatchupWindow: time.Second}, -1, 100,
			"CATCHUP_WINDOW 12:10:00-13:00:00 x6; next 13:10:00"},
		"all, in two plans":    {Policy{Missed: FireAll}, -1, 2, "catch up 12:10:00; catch up 12:20:00; next 12:30:00"},
		"all, two runs left":   {Policy{Missed: FireAll}, 2, 100, "catch up 12:10:00; catch up 12:20:00; end"},
		"once, one run left":   {Policy{}, 1, 100, "MERGED 12:10:00-12:50:00 x5; catch up 13:00:00; end"},
		"no run left":          {Policy{}, 0, 100, "end"},
		"skip with a run left": {Policy{Missed: SkipMissed}, 1, 100, "MISSED 12:10:00-13:00:00 x6; next 13:10:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planOf(rule(t, "*/10 * * * *", ""), window{cursor: utc(t, "2026-01-01T12:00:00Z"), now: utc(t, "2026-01-01T13:00:30Z"),
				ahead: 30 * time.Second, tolerance: time.Minute, limit: c.limit, policy: c.policy.withDefaults(), left: c.left})
			if got := p.text(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Whatever the policy, the bounds and where a pass stops: every nominal time up to now gets exactly one outcome, in order,
// and no more jobs are made than are left.
func TestPlan_GivesEveryNominalTimeOneOutcome(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		expr := rapid.SampledFrom([]string{"*/7 * * * * *", "* * * * *", "*/13 * * * *", "0 */2 * * *", "30 2 * * *"}).Draw(t, "rule")
		r, err := recurrence.Parse(expr, "Europe/Berlin", recurrence.Options{})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC)
		now := start.Add(time.Duration(rapid.IntRange(0, 3*86400).Draw(t, "seconds since")) * time.Second)
		policy := Policy{Missed: rapid.SampledFrom([]MissedPolicy{FireOnce, FireAll, SkipMissed}).Draw(t, "missed"),
			CatchupWindow: time.Duration(rapid.IntRange(1, 2*86400).Draw(t, "window")) * time.Second,
			MaxCatchup:    rapid.IntRange(1, 300).Draw(t, "max")}
		left := int64(rapid.IntRange(-1, 30).Draw(t, "left"))
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		cursor, jobs, decided := start, int64(0), map[int64]int{}
		for range 2000 {
			remaining := left
			if left >= 0 {
				remaining = left - jobs
			}
			p := planOf(r, window{cursor: cursor, now: now, tolerance: time.Minute, limit: limit, policy: policy, left: remaining})
			for _, s := range append([]skip{{p.merged, ""}}, p.skipped...) {
				for at, ok := s.from, !s.from.IsZero(); ok && !at.After(s.until); at, ok = r.Next(at) {
					decided[at.Unix()]++
				}
			}
			for _, at := range append(p.caughtUp, p.due...) {
				decided[at.Unix()]++
				jobs++
			}
			if p.cursor.Equal(cursor) {
				break
			}
			cursor = p.cursor
		}
		if left >= 0 && jobs > left {
			t.Fatalf("%d jobs made, %d were left", jobs, left)
		}
		for at, ok := r.Next(start); ok && !at.After(now); at, ok = r.Next(at) {
			if n := decided[at.Unix()]; n != 1 && (n > 1 || left < 0) {
				t.Fatalf("%v has %d outcomes", at, n)
			}
		}
	})
}
