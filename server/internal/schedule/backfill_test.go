package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// pastHour asks for an hour of the schedule "s" that has passed at backfillNow.
func pastHour(t testing.TB, shape func(*Backfill)) Backfill {
	t.Helper()
	b := Backfill{Tenant: "acme", Name: "s", From: utc(t, "2026-12-01T09:00:00Z"), Until: utc(t, "2026-12-01T10:00:00Z")}
	shape(&b)
	return b
}

const backfillNow = "2026-12-01T12:00:05Z"

func (w *world) backfill(b Backfill) Backfilled {
	w.t.Helper()
	out, err := w.service.Backfill(w.t.Context(), b)
	if err != nil {
		w.t.Fatalf("backfill: %v", err)
	}
	return out
}

// dueAfter lists the live jobs of a schedule by nominal time, each with how long after an instant it is due.
func (w *world) dueAfter(v View, at time.Time) []string {
	w.t.Helper()
	return storetest.Column[string](w.db, `SELECT to_char(scheduled_at AT TIME ZONE 'UTC', 'HH24:MI') || ' +' ||
		round(extract(epoch FROM due_at - $2::timestamptz), 3)::float8 FROM triggers WHERE schedule = $1 ORDER BY scheduled_at`, v.ID, at)
}

// made is whether a call has left anything behind.
func (w *world) made(v View) (jobs, rows int) {
	w.t.Helper()
	return len(w.states(v)), storetest.Value[int](w.db, "SELECT count(*) FROM occurrences WHERE schedule_uid = $1", v.UID)
}

func TestBackfill_WithARate_SpreadsDueTimesEvenly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "*/10 * * * *", AllowOverlap)
	out := w.backfill(pastHour(t, func(b *Backfill) { b.PerMinute = 4 }))
	first := storetest.Value[time.Time](w.db, "SELECT min(due_at) FROM triggers WHERE schedule = $1", v.ID)
	if late := first.Sub(utc(t, backfillNow)); late < 0 || late > time.Minute {
		t.Errorf("the first is due %v after the call", late)
	}
	w.want("due", w.dueAfter(v, first), "09:00 +0", "09:10 +15", "09:20 +30", "09:30 +45", "09:40 +60", "09:50 +75")
	if out.Jobs != 6 || !out.First.Equal(utc(t, "2026-12-01T09:00:00Z")) || !out.Last.Equal(utc(t, "2026-12-01T09:50:00Z")) {
		t.Errorf("answered %+v", out)
	}
	if off := out.LastDue.Sub(first) - 75*time.Second; off.Abs() > 10*time.Second {
		t.Errorf("the last is said to be due %v off its time", off)
	}
	if n := len(w.hints.entries()); n != 6 {
		t.Errorf("%d jobs were offered, want all 6", n)
	}
	w.want("states", w.states(v), "09:00:00 pending", "09:10:00 pending", "09:20:00 pending", "09:30:00 pending",
		"09:40:00 pending", "09:50:00 pending")
	w.want("ledger", w.outcomes(v, store.FromBackfill), "09:00:00 fired", "09:10:00 scheduled", "09:20:00 scheduled",
		"09:30:00 scheduled", "09:40:00 scheduled", "09:50:00 scheduled")
}

func TestBackfill_WithAllowAndNoRate_MakesAllDueAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "*/20 * * * *", SkipOverlap)
	w.backfill(pastHour(t, func(b *Backfill) { b.Overlap = AllowOverlap }))
	first := storetest.Value[time.Time](w.db, "SELECT min(due_at) FROM triggers WHERE schedule = $1", v.ID)
	w.want("due", w.dueAfter(v, first), "09:00 +0", "09:20 +0", "09:40 +0")
	w.want("states", w.states(v), "09:00:00 pending", "09:20:00 pending", "09:40:00 pending")
	w.decide()
	w.want("decided", w.states(v), "09:00:00 pending", "09:20:00 pending", "09:40:00 pending")
}

func TestBackfill_RepeatedWithItsRequestID_AnswersTheSameAndMakesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "*/10 * * * *", SkipOverlap)
	call := pastHour(t, func(b *Backfill) { b.PerMinute, b.RequestID = 4, "r-1" })
	first := w.backfill(call)
	ids := func() []string {
		return storetest.Column[string](w.db, "SELECT id::text FROM triggers WHERE schedule = $1 ORDER BY id", v.ID)
	}
	before := ids()
	same := func(what string) {
		t.Helper()
		again, err := w.service.Backfill(t.Context(), call)
		if err != nil || again.Jobs != first.Jobs || !again.First.Equal(first.First) || !again.Last.Equal(first.Last) ||
			!again.LastDue.Equal(first.LastDue) {
			t.Errorf("%s: %+v (%v), the first was %+v", what, again, err, first)
		}
		if after := ids(); !slices.Equal(after, before) {
			t.Errorf("%s: %d jobs, %d before", what, len(after), len(before))
		}
	}
	w.db.Advance(20 * time.Minute)
	same("repeated")
	for what, change := range map[string]func(*Backfill){
		"another start":  func(b *Backfill) { b.From = b.From.Add(time.Second) },
		"another end":    func(b *Backfill) { b.Until = b.Until.Add(time.Second) },
		"another policy": func(b *Backfill) { b.Overlap = AllowOverlap },
		"another rate":   func(b *Backfill) { b.PerMinute = 5 },
	} {
		other := call
		change(&other)
		if _, err := w.service.Backfill(t.Context(), other); !errors.Is(err, job.ErrRequestIDReused) {
			t.Errorf("with %s: %v", what, err)
		}
	}
	w.want("ledger", w.outcomes(v, store.FromBackfill)[:2], "09:00:00 fired", "09:10:00 fired")
	// Whoever repeats a call does not know what has become of the schedule since.
	w.edit("s", func(d *Draft) { d.Rule.Cron = "0 17 * * *" })
	before = ids()
	same("after the rule has changed")
}

// A range that was backfilled before is run once more: a backfill is for what has to be done again, too.
func TestBackfill_OfTheSameRangeAgain_RunsItAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "*/30 * * * *", AllowOverlap)
	hour := pastHour(t, func(*Backfill) {})
	w.backfill(hour)
	w.lease(v)
	w.end(v, job.Succeeded)
	w.want("after the first", w.states(v))
	w.backfill(hour)
	w.want("made again", w.states(v), "09:00:00 pending", "09:30:00 pending")
	w.want("ledger", w.outcomes(v, store.FromBackfill), "09:00:00 fired", "09:30:00 fired")
	named := storetest.Value[int](w.db, `SELECT count(*) FROM occurrences AS o JOIN triggers AS t ON t.id = o.job_id
		WHERE o.schedule_uid = $1 AND o.origin = 3`, v.UID)
	if named != 2 {
		t.Errorf("the ledger names %d of the 2 jobs that are alive", named)
	}
}

func TestBackfill_RefusesRangesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "*/10 * * * *", SkipOverlap)
	secondly := w.overlapping("secondly", "* * * * * *", AllowOverlap)
	for what, c := range map[string]struct {
		shape func(*Backfill)
		field string
		says  string
	}{
		"an end before the start": {func(b *Backfill) { b.Until = b.From.Add(-time.Second) }, "end_time", "after start_time"},
		"nothing between":         {func(b *Backfill) { b.Until = b.From }, "end_time", "after start_time"},
		"the future":              {func(b *Backfill) { b.Until = b.From.AddDate(1, 0, 0) }, "end_time", "future"},
		"no nominal time": {func(b *Backfill) { b.From, b.Until = b.From.Add(time.Second), b.From.Add(10*time.Minute) },
			"start_time", "none from 2026-12-01T09:00:01Z"},
		"a policy that lets one run": {func(b *Backfill) { b.PerMinute = 0 }, "max_per_minute", "ALLOW"},
		"one too many": {func(b *Backfill) { b.Name, b.Until = "secondly", b.From.Add(10_001*time.Second) },
			"end_time", "2026-12-01T11:46:40Z"},
	} {
		for _, check := range []bool{false, true} {
			_, err := w.service.Backfill(t.Context(), pastHour(t, func(b *Backfill) {
				b.PerMinute, b.ValidateOnly = 60, check
				c.shape(b)
			}))
			e, ok := job.AsError(err)
			if !ok || e.Kind != job.ErrInvalidField || e.Fields[0].Field != c.field || !strings.Contains(e.Msg, c.says) {
				t.Errorf("%s, checked only: %v: %v", what, check, err)
			}
		}
	}
	for _, v := range []View{v, secondly} {
		if jobs, rows := w.made(v); jobs != 0 || rows != 0 {
			t.Errorf("%s has %d jobs, %d in the ledger", v.Name, jobs, rows)
		}
	}
	if _, err := w.service.Backfill(t.Context(), pastHour(t, func(b *Backfill) { b.Name = "none" })); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("of a schedule that is not there: %v", err)
	}
}

func TestBackfill_OfAsManyAsAreAllowed_MakesThemAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "* * * * * *", AllowOverlap)
	out := w.backfill(pastHour(t, func(b *Backfill) { b.Until, b.PerMinute = b.From.Add(maxBackfill*time.Second), 600 }))
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM triggers WHERE schedule = $1", v.ID); n != maxBackfill || out.Jobs != n {
		t.Errorf("%d jobs, answered %d, want %d", n, out.Jobs, maxBackfill)
	}
}

func TestBackfill_OfAPausedSchedule_Runs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "*/30 * * * *", SkipOverlap)
	w.pause("s")
	w.backfill(pastHour(t, func(b *Backfill) { b.PerMinute = 1 }))
	w.decide()
	w.want("states", w.states(v), "09:00:00 pending", "09:30:00 blocked")
	if !w.get("s").Paused {
		t.Error("the backfill has resumed the schedule")
	}
	w.pause("s")
	w.want("paused with the same reason", w.states(v), "09:00:00 pending", "09:30:00 blocked")
	if _, err := w.service.Pause(t.Context(), "acme", "s", "stop it"); err != nil {
		t.Fatal(err)
	}
	w.want("paused for another reason", w.states(v))
}

func TestBackfill_ThatIsOnlyChecked_CountsAndMakesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, backfillNow)
	v := w.overlapping("s", "*/10 * * * *", BufferOne)
	call := pastHour(t, func(b *Backfill) { b.PerMinute, b.ValidateOnly, b.RequestID = 2, true, "r-1" })
	checked := w.backfill(call)
	if jobs, rows := w.made(v); jobs != 0 || rows != 0 {
		t.Errorf("%d jobs, %d in the ledger", jobs, rows)
	}
	call.ValidateOnly = false
	made := w.backfill(call) // the check has not used up the request id
	if jobs, _ := w.made(v); jobs != 6 || made.Jobs != 6 {
		t.Errorf("%d jobs, %d answered, want 6", jobs, made.Jobs)
	}
	if checked.Jobs != made.Jobs || !checked.First.Equal(made.First) || !checked.Last.Equal(made.Last) ||
		made.LastDue.Sub(checked.LastDue).Abs() > 10*time.Second || checked.LastDue.Sub(utc(t, backfillNow)) < 150*time.Second {
		t.Errorf("checked %+v, made %+v", checked, made)
	}
}

func TestBackfill_LeavesExcludedDaysOut_AndCountsForNoLimitOfRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-10T12:00:00Z")
	w.calendar("holidays", "2026-12-03")
	v := w.createAs("s", "0 9 * * *", func(d *Draft) {
		naming("holidays")(d)
		d.Rule.Exclude, d.Rule.MaxRuns = []string{"2026-12-05/2026-12-06"}, 2
	})
	out := w.backfill(pastHour(t, func(b *Backfill) { b.Until = utc(t, "2026-12-09T00:00:00Z") }))
	w.want("jobs", w.waiting(v), "01 09:00:00", "02 09:00:00", "04 09:00:00", "07 09:00:00", "08 09:00:00")
	if got := w.get("s"); out.Jobs != 5 || got.Runs != 0 {
		t.Errorf("%d jobs answered, %d runs counted; want 5 and none", out.Jobs, got.Runs)
	}
	for _, day := range []int{11, 12, 13} {
		w.set(fmt.Sprintf("2026-12-%dT09:00:10Z", day))
		w.step()
	}
	w.want("the rule's own", w.outcomes(v, store.FromRule), "09:00:00 fired", "09:00:00 fired")
	if got := w.get("s"); got.Runs != 2 || !got.Next.IsZero() {
		t.Errorf("%d runs counted, next %v", got.Runs, got.Next)
	}
}

// Each policy decides on the jobs of a backfill as they become due: here one run lives through the times of two others.
func TestBackfill_WithARateAndAPolicy_DecidesAsTheyBecomeDue(t *testing.T) {
	t.Parallel()
	for policy, c := range map[Overlap]struct{ during, ledger []string }{
		SkipOverlap: {[]string{"09:00:00 running", "09:30:00 blocked", "09:40:00 blocked", "09:50:00 blocked"},
			[]string{"09:00:00 fired", "09:10:00 skipped OVERLAP", "09:20:00 skipped OVERLAP", "09:30:00 fired"}},
		BufferOne: {[]string{"09:00:00 running", "09:10:00 blocked", "09:30:00 blocked", "09:40:00 blocked", "09:50:00 blocked"},
			[]string{"09:00:00 fired", "09:10:00 fired", "09:20:00 skipped BUFFER_FULL", "09:30:00 blocked"}},
		CancelRunning: {[]string{"09:00:00 running", "09:20:00 blocked", "09:30:00 blocked", "09:40:00 blocked", "09:50:00 blocked"},
			[]string{"09:00:00 fired", "09:10:00 skipped REPLACED", "09:20:00 fired", "09:30:00 blocked"}},
	} {
		t.Run(fmt.Sprint("policy ", policy), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, backfillNow)
			v := w.overlapping("s", "*/10 * * * *", AllowOverlap)
			w.backfill(pastHour(t, func(b *Backfill) { b.Overlap, b.PerMinute = policy, 1 }))
			for _, later := range []time.Duration{0, time.Minute, time.Minute} { // the first begins, the second and the third meet it
				w.db.Advance(later)
				w.decide()
				w.lease(v)
			}
			w.want("while the first runs", w.states(v), c.during...)
			asked := storetest.Value[bool](w.db, "SELECT bool_or(cancel_asked) FROM triggers WHERE schedule = $1", v.ID)
			if asked != (policy == CancelRunning) {
				t.Errorf("the first was asked to end: %v", asked)
			}
			w.end(v, job.Succeeded)
			w.decide() // the one that waits begins
			w.db.Advance(time.Minute)
			w.decide() // the fourth begins, or meets that one
			w.want("ledger", w.outcomes(v, store.FromBackfill)[:4], c.ledger...)
		})
	}
}

// What someone has asked for by hand is no matter of the rule's days: a calendar takes back the jobs of the rule alone.
func TestUpdateCalendar_LeavesManualRunsAndBackfillsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:35Z")
	w.calendar("holidays", "12-25")
	v := w.createAs("s", "* * * * *", func(d *Draft) {
		naming("holidays")(d)
		d.Policy.Overlap = BufferOne
	})
	w.step()
	for _, overlap := range []Overlap{AllowOverlap, BufferOne} {
		if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "s", Overlap: overlap}); err != nil {
			t.Fatal(err)
		}
	}
	w.backfill(pastHour(t, func(b *Backfill) { b.Until, b.PerMinute = b.From.Add(3*time.Minute), 1 }))
	live := func() []string {
		return storetest.Column[string](w.db, `SELECT o.origin || CASE t.state WHEN 1 THEN ' pending' ELSE ' blocked' END
			FROM triggers AS t JOIN occurrences AS o ON o.job_id = t.id WHERE t.schedule = $1 ORDER BY o.origin, t.scheduled_at`, v.ID)
	}
	asked := []string{"2 pending", "2 blocked", "3 blocked", "3 blocked", "3 blocked"}
	w.want("before", live(), append([]string{"1 blocked"}, asked...)...)
	w.redate("holidays", "2026-12-01")
	w.want("on a day that is left out", live(), asked...)
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM blocked_jobs"); n != 4 {
		t.Errorf("%d jobs are to be decided on, want 4", n)
	}
	w.step()
	w.want("the rule's own", w.outcomes(v, store.FromRule)[:1], "12:01:00 skipped CALENDAR:holidays")
	w.redate("holidays", "12-25")
	w.step()
	w.want("on a day that counts again", live(), append([]string{"1 blocked"}, asked...)...)
	w.edit("s", func(d *Draft) { d.Template.Priority = 1 })
	w.step()
	w.want("after an edit of the template", live(), "1 pending")
}
