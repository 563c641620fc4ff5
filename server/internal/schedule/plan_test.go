package schedule

import (
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func utc(t testing.TB, text string) time.Time {
	t.Helper()
	if text == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

func rule(t testing.TB, expr, zone string) recurrence.Spec {
	t.Helper()
	r, err := recurrence.Parse(expr, zone, recurrence.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPlan_DecidesWhatIsDueMissedAndMerged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		expr, zone, cursor, now string
		limit                   int
		merged                  string // from/until
		count                   int32
		caughtUp                string
		due                     []string
		next                    string
	}{
		"ahead only": {expr: "* * * * *", cursor: "2026-01-01T00:00:00Z", now: "2026-01-01T00:00:30Z",
			due: []string{"2026-01-01T00:01:00Z"}, next: "2026-01-01T00:02:00Z"},
		"nothing within the look-ahead": {expr: "0 9 * * *", cursor: "2026-01-01T09:00:00Z", now: "2026-01-01T10:00:00Z",
			next: "2026-01-02T09:00:00Z"},
		"late by no more than the tolerance": {expr: "*/10 * * * *", cursor: "2026-01-01T00:00:00Z", now: "2026-01-01T00:11:00Z",
			due: []string{"2026-01-01T00:10:00Z"}, next: "2026-01-01T00:20:00Z"},
		"late by a second more": {expr: "*/10 * * * *", cursor: "2026-01-01T00:00:00Z", now: "2026-01-01T00:11:01Z",
			caughtUp: "2026-01-01T00:10:00Z", next: "2026-01-01T00:20:00Z"},
		"P-MIS-01: a day of downtime": {expr: "*/10 * * * *", cursor: "2026-01-05T00:00:00Z", now: "2026-01-06T00:03:00Z",
			merged: "2026-01-05T00:10:00Z/2026-01-05T23:50:00Z", count: 143, caughtUp: "2026-01-06T00:00:00Z",
			next: "2026-01-06T00:10:00Z"},
		"P-MIS-02: the backlog reaches up to now": {expr: "* * * * *", cursor: "2026-01-01T00:00:00Z", now: "2026-01-16T00:00:30Z",
			merged: "2026-01-01T00:01:00Z/2026-01-15T23:59:00Z", count: 21599, caughtUp: "2026-01-16T00:00:00Z",
			due: []string{"2026-01-16T00:01:00Z"}, next: "2026-01-16T00:02:00Z"},
		"missed and due at this very second": {expr: "*/30 * * * * *", cursor: "2026-01-01T00:00:00Z", now: "2026-01-01T00:02:00Z",
			merged: "2026-01-01T00:00:30Z/2026-01-01T00:01:30Z", count: 3, caughtUp: "2026-01-01T00:02:00Z",
			due: []string{"2026-01-01T00:02:30Z"}, next: "2026-01-01T00:03:00Z"},
		"no more than the limit": {expr: "* * * * * *", cursor: "2026-01-01T00:00:00Z", now: "2026-01-01T00:00:00Z", limit: 2,
			due: []string{"2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z"}, next: "2026-01-01T00:00:03Z"},
		"the rule ends": {expr: "at(2026-01-01T00:00:10)", cursor: "2026-01-01T00:00:00Z", now: "2026-01-01T00:00:00Z",
			due: []string{"2026-01-01T00:00:10Z"}},
		"the rule has ended": {expr: "at(2026-01-01T00:00:10)", cursor: "2026-01-01T00:00:10Z", now: "2026-01-01T00:00:20Z"},
		"missed the only time": {expr: "at(2026-01-01T00:00:10)", cursor: "2026-01-01T00:00:00Z", now: "2027-01-01T00:00:00Z",
			caughtUp: "2026-01-01T00:00:10Z"},
		"a clock behind the cursor": {expr: "* * * * *", cursor: "2026-01-01T17:00:00Z", now: "2026-01-01T15:01:00Z",
			next: "2026-01-01T17:01:00Z"},
		"a gap in spring": {expr: "30 2 * * *", zone: "Europe/Berlin", cursor: "2026-03-28T01:30:00Z", now: "2026-03-29T00:59:50Z",
			due: []string{"2026-03-29T01:00:00Z"}, next: "2026-03-30T00:30:00Z"},
		"a repeated hour": {expr: "30 2 * * *", zone: "Europe/Berlin", cursor: "2026-10-25T00:00:00Z", now: "2026-10-25T00:30:00Z",
			due: []string{"2026-10-25T00:30:00Z"}, next: "2026-10-26T01:30:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := c.limit
			if limit == 0 {
				limit = 100
			}
			p := planOf(rule(t, c.expr, c.zone), window{cursor: utc(t, c.cursor), now: utc(t, c.now),
				ahead: 30 * time.Second, tolerance: time.Minute, limit: limit, left: -1, policy: Policy{}.withDefaults()})
			merged := ""
			if !p.merged.from.IsZero() {
				merged = p.merged.from.Format(time.RFC3339) + "/" + p.merged.until.Format(time.RFC3339)
			}
			if merged != c.merged || p.merged.count != c.count {
				t.Errorf("merged %q (%d), want %q (%d)", merged, p.merged.count, c.merged, c.count)
			}
			var caughtUp time.Time
			if len(p.caughtUp) > 0 {
				caughtUp = p.caughtUp[0]
			}
			if !caughtUp.Equal(utc(t, c.caughtUp)) || len(p.caughtUp) > 1 {
				t.Errorf("caught up %v, want %q", p.caughtUp, c.caughtUp)
			}
			var due []string
			for _, at := range p.due {
				due = append(due, at.Format(time.RFC3339))
			}
			if len(due) != len(c.due) {
				t.Fatalf("due %v, want %v", due, c.due)
			}
			for i := range due {
				if due[i] != c.due[i] {
					t.Errorf("due %v, want %v", due, c.due)
				}
			}
			if !p.next.Equal(utc(t, c.next)) {
				t.Errorf("next %v, want %q", p.next, c.next)
			}
		})
	}
}

func TestPlan_MovesTheCursorToTheLastItDecidedOn(t *testing.T) {
	t.Parallel()
	cursor := utc(t, "2026-01-01T00:00:00Z")
	for text, now := range map[string]time.Time{
		"2026-01-01T00:00:00Z": cursor,
		"2026-01-01T00:01:00Z": cursor.Add(time.Minute),
		"2026-01-01T01:00:00Z": cursor.Add(time.Hour),
	} {
		p := planOf(rule(t, "* * * * *", ""), window{cursor: cursor, now: now, tolerance: time.Minute, limit: 9, left: -1, policy: Policy{}.withDefaults()})
		if !p.cursor.Equal(utc(t, text)) {
			t.Errorf("at %v the cursor moves to %v, want %s", now, p.cursor, text)
		}
		if !p.next.Equal(p.cursor.Add(time.Minute)) {
			t.Errorf("at %v next is %v after cursor %v", now, p.next, p.cursor)
		}
	}
}

// The search by halves and the count agree with walking every nominal time, for dense, sparse and odd rules.
func TestLatest_AgreesWithWalking(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"* * * * * *", "*/7 * * * * *", "* * * * *", "13 4 * * 1", "0 0 31 * *", "0 0 1 1 *",
		"30 2 * * *", "rate(7 minutes)"} {
		for _, zone := range []string{"UTC", "Europe/Berlin", "Australia/Lord_Howe"} {
			r := rule(t, expr, zone).WithAnchor(utc(t, "2026-01-01T00:00:03Z"))
			from := utc(t, "2026-03-28T23:00:00Z")
			for _, length := range []time.Duration{time.Second, 59 * time.Second, time.Hour, 5 * time.Hour, 40 * time.Hour, 4000 * time.Hour} {
				first, ok := r.Next(from)
				limit := from.Add(length)
				if !ok || first.After(limit) {
					continue
				}
				want, n := first, int32(0)
				for at, _ := r.Next(want); !at.After(limit) && n < maxCounted; at, _ = r.Next(at) {
					want = at
					n++
				}
				if n == maxCounted {
					continue
				}
				if got := latest(r, first, limit); !got.Equal(want) {
					t.Errorf("%s in %s: latest up to %v is %v, want %v", expr, zone, limit, got, want)
				}
				if s := spanOf(r, first, want); s.count != n {
					t.Errorf("%s in %s: %d counted before %v, want %d", expr, zone, s.count, want, n)
				}
			}
		}
	}
}

func TestSpan_GivesUpCountingAtTheBound(t *testing.T) {
	t.Parallel()
	r := rule(t, "* * * * * *", "")
	now := utc(t, "2026-06-01T00:00:00Z")
	p := planOf(r, window{cursor: now.AddDate(-1, 0, 0), now: now, tolerance: time.Minute, limit: 1, left: -1, policy: Policy{}.withDefaults()})
	if p.merged.count != 0 || !p.merged.until.Equal(now.Add(-time.Second)) || !p.caughtUp[0].Equal(now) {
		t.Errorf("a year of seconds: %+v caught up at %v", p.merged, p.caughtUp)
	}
	if whole := p.whole(); whole.count != 0 || !whole.until.Equal(now) {
		t.Errorf("as one run: %+v", whole)
	}
}

func TestWhole_IsOneRunOfEverything(t *testing.T) {
	t.Parallel()
	now := utc(t, "2026-01-01T01:00:10Z")
	p := planOf(rule(t, "* * * * *", ""), window{cursor: now.Add(-time.Hour), now: now, ahead: time.Minute, tolerance: time.Minute, limit: 5, left: -1, policy: Policy{}.withDefaults()})
	want := span{from: utc(t, "2026-01-01T00:01:00Z"), until: utc(t, "2026-01-01T01:01:00Z"), count: 61}
	if got := p.whole(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := (plan{}).whole(); got != (span{}) {
		t.Error("an empty plan is not an empty run")
	}
}

// P-MIS-02: 21,600 missed minutes are counted by a bounded scan.
func BenchmarkPlan_HalfAMonthOfMinutes(b *testing.B) {
	r := rule(b, "* * * * *", "Europe/Berlin")
	now := time.Date(2026, 1, 16, 0, 0, 30, 0, time.UTC)
	for b.Loop() {
		planOf(r, window{cursor: now.AddDate(0, 0, -15), now: now, ahead: 30 * time.Second, tolerance: time.Minute, limit: 100, left: -1, policy: Policy{}.withDefaults()})
	}
}
