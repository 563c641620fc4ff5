package schedule

import (
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// createAs makes a schedule whose draft the test shapes.
func (w *world) createAs(name, cron string, shape func(*Draft)) View {
	w.t.Helper()
	d := draft(cron, "")
	shape(&d)
	v, err := w.service.Create(w.t.Context(), NewCall{Tenant: "acme", Name: name, Draft: d})
	if err != nil {
		w.t.Fatalf("create %s: %v", name, err)
	}
	return v
}

func TestMaxRuns_EndTheSchedule_AndJobsTakenBackDoNotCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	v := w.createAs("thrice", "*/10 * * * * *", func(d *Draft) { d.Rule.MaxRuns = 3 })
	w.step()
	w.want("jobs", w.waiting(v), "04 09:00:10", "04 09:00:20", "04 09:00:30")
	if got := w.get("thrice"); got.Runs != 3 || !got.Next.Equal(utc(t, "2026-05-04T09:00:10Z")) {
		t.Errorf("%d runs, next %v; want 3, and the first one next", got.Runs, got.Next)
	}
	w.set("2026-05-04T09:00:25Z")
	w.db.Exec("UPDATE triggers SET leases = 1 WHERE scheduled_at < '2026-05-04T09:00:25Z'") // two have been worked on
	w.pause("thrice")
	if got := w.get("thrice"); got.Runs != 2 {
		t.Errorf("%d runs after one was taken back, want 2", got.Runs)
	}
	w.resume("thrice")
	w.step()
	w.set("2026-05-04T09:05:00Z")
	w.step()
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM triggers"); n != 3 {
		t.Errorf("%d jobs, want 3", n)
	}
	if got := w.get("thrice"); got.Runs != 3 || !got.Next.IsZero() {
		t.Errorf("%d runs, next %v; want 3 and none", got.Runs, got.Next)
	}
}

func TestJitter_DelaysEveryJobByTheSameSpan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	v := w.createAs("spread", "0 * * * *", func(d *Draft) { d.Rule.Jitter = 20 * time.Minute })
	table, err := readTable(v.Spec, "acme", "spread")
	if err != nil {
		t.Fatal(err)
	}
	offset := table.Offset("acme/spread")
	if offset <= time.Minute || offset >= 20*time.Minute {
		t.Fatalf("offset %v: choose another name for this test", offset)
	}
	due := utc(t, "2026-05-04T10:00:00Z").Add(offset)
	w.db.SetClock(time.Until(due.Add(-31 * time.Second)))
	w.step()
	w.want("jobs 31 s ahead of the effective time", w.waiting(v))
	w.db.SetClock(time.Until(due.Add(-29 * time.Second)))
	w.step()
	w.want("jobs 29 s ahead of it", w.waiting(v), "04 10:00:00")
	w.want("ledger", w.ledger(v), "materialised 04 10:00:00")
	if got := storetest.Value[time.Time](w.db, "SELECT due_at FROM triggers"); !got.Equal(due) {
		t.Errorf("due at %v, want %v", got, due)
	}
}

func TestExcludedDays_AreOnRecord_AsTheyPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-01T12:00:00Z") // a Friday
	v := w.createAs("workdays", "0 9,15 * * *", func(d *Draft) { d.Rule.Exclude = []string{"SAT", "SUN"} })
	for _, at := range []string{"2026-05-01T15:00:00Z", "2026-05-02T09:00:00Z", "2026-05-02T20:00:00Z"} {
		w.set(at)
		w.step()
	}
	w.want("ledger on Saturday evening", w.ledger(v), "materialised 01 15:00:00",
		"skipped 02 09:00:00–02 15:00:00 (2) EXCLUDED_DATE")
	for _, at := range []string{"2026-05-03T09:00:00Z", "2026-05-03T15:00:00Z", "2026-05-04T08:59:40Z"} {
		w.set(at)
		w.step()
	}
	w.want("ledger on Monday", w.ledger(v), "materialised 01 15:00:00",
		"skipped 02 09:00:00–03 15:00:00 (4) EXCLUDED_DATE", "materialised 04 09:00:00")
}

// Of a backlog that runs as a whole, the days between its runs are on record too.
func TestExcludedDays_InsideABacklogThatRuns_AreOnRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-01T08:00:00Z") // a Friday
	v := w.createAs("workdays", "0 9 * * *", func(d *Draft) {
		d.Rule.Exclude, d.Policy.Missed = []string{"SAT", "SUN"}, FireAll
	})
	w.set("2026-05-05T12:00:00Z")
	w.step()
	w.want("ledger", w.ledger(v), "caught up 01 09:00:00", "skipped 02 09:00:00–03 09:00:00 (2) EXCLUDED_DATE",
		"caught up 04 09:00:00", "caught up 05 09:00:00")
}

// A schedule with an excluded time inside the look-ahead is decided on once and then left alone.
func TestExcludedDays_KeepNoPassBusy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-01T23:59:45Z")
	w.createAs("minutely", "* * * * *", func(d *Draft) { d.Rule.Exclude = []string{"2026-05-02"} })
	if again, err := w.m.Materialise(t.Context()); err != nil || again {
		t.Fatalf("again %v (%v)", again, err)
	}
	if again, err := w.m.Materialise(t.Context()); err != nil || again {
		t.Fatalf("again %v (%v) the second time", again, err)
	}
}

func TestFireAll_GoesOnOverSeveralPasses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T00:00:00Z")
	v := w.createAs("all", "* * * * *", func(d *Draft) { d.Policy = Policy{Missed: FireAll, MaxCatchup: 250} })
	w.set("2026-05-04T06:00:30Z")
	w.step()
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM occurrences WHERE outcome = 2"); n != 250 {
		t.Errorf("%d caught up, want 250", n)
	}
	got := w.ledger(v)
	w.want("ledger's ends", []string{got[0], got[1], got[len(got)-1]}, "skipped 04 00:01:00–04 01:50:00 (110) MAX_CATCHUP",
		"caught up 04 01:51:00", "materialised 04 06:01:00")
}

// P-MIS-02: nothing that was missed runs, and resuming answers at once.
func TestSkipMissed_AfterHalfAMonthOfPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-01T00:00:10Z")
	v := w.createAs("skip", "* * * * *", func(d *Draft) { d.Policy = Policy{Missed: SkipMissed} })
	w.pause("skip")
	w.set("2026-01-16T00:00:30Z")
	w.resume("skip")
	w.step()
	w.want("ledger", w.ledger(v), "skipped 01 00:01:00–16 00:00:00 (21600) MISSED", "materialised 16 00:01:00")
}

// P-MIS-03: an interval is measured from its creation, whatever restarts come.
func TestInterval_SurvivesRestarts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-01T00:00:00Z")
	v := w.createAs("weekly", "rate(7 days)", func(*Draft) {})
	anchor := v.Rule.Anchor
	for day := 2; day <= 23; day++ {
		w.m = w.node(w.store) // a new process every day
		w.db.SetClock(time.Until(anchor.AddDate(0, 0, day-1).Add(3 * time.Hour)))
		w.step()
		w.db.SetClock(time.Until(anchor.AddDate(0, 0, day).Add(-20 * time.Second)))
		w.step()
	}
	var want []string
	for week := 1; week <= 3; week++ {
		want = append(want, anchor.AddDate(0, 0, 7*week).Format("materialised 02 15:04:05"))
	}
	w.want("ledger", w.ledger(v), want...)
}
