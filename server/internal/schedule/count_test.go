package schedule

import (
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

func TestCountedReason_IsOneOfFew(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"": "", "MISSED": "MISSED", "CATCHUP_WINDOW": "CATCHUP_WINDOW", "MAX_CATCHUP": "MAX_CATCHUP", "OVERLAP": "OVERLAP",
		"BUFFER_FULL": "BUFFER_FULL", "REPLACED": "REPLACED", "EXCLUDED_DATE": "EXCLUDED_DATE", "QUEUE_NOT_FOUND": "QUEUE_NOT_FOUND",
		"JOB_TYPE_LIMIT": "JOB_TYPE_LIMIT", "SCHEDULE_CHANGED": "SCHEDULE_CHANGED", "CALENDAR:holidays": "CALENDAR", "CALENDAR:": "CALENDAR",
		"CALENDARS": "OTHER", "missed": "OTHER", "NEW_REASON": "OTHER",
	} {
		if got := countedReason(reason); got != want {
			t.Errorf("%q is counted as %q, want %q", reason, got, want)
		}
	}
}

// counted takes what was counted since the last call.
func (w *world) counted() map[string]int {
	w.hints.mu.Lock()
	defer w.hints.mu.Unlock()
	all := w.hints.outcomes
	w.hints.outcomes = map[string]int{}
	return all
}

func (w *world) wantCounted(what string, want map[string]int) {
	w.t.Helper()
	if got := w.counted(); !maps.Equal(got, want) {
		w.t.Errorf("%s: counted %v, want %v", what, got, want)
	}
}

func TestChanges_CountWhatTheySkipAndTakeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:50Z")
	w.create("s", "*/10 * * * * *", "")
	made := func() int {
		t.Helper()
		w.step()
		n := w.counted()["materialised"]
		if n == 0 {
			t.Fatal("no job was made ahead")
		}
		return n
	}
	taken := func(n int) map[string]int { return map[string]int{"withdrawn": n, "withdrawn SCHEDULE_CHANGED": n} }
	n := made()
	w.pause("s")
	w.wantCounted("pause", taken(n))
	w.pause("s")
	w.wantCounted("pause of a paused one", map[string]int{})
	w.resume("s")
	n = made()
	if _, err := w.service.Update(t.Context(), Edit{Tenant: "acme", Name: "s", ValidateOnly: true, Change: func(v View) (Draft, error) {
		return Draft{Rule: Rule{Cron: "0 9 * * *"}, Policy: v.Policy, Template: v.Template}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	w.wantCounted("a change that is only checked", map[string]int{})
	if err := w.service.Delete(t.Context(), "acme", "s", "no such etag"); !errors.Is(err, job.ErrEtagMismatch) {
		t.Fatal(err)
	}
	w.wantCounted("a deletion that is refused", map[string]int{})
	if err := w.service.Delete(t.Context(), "acme", "s", ""); err != nil {
		t.Fatal(err)
	}
	w.wantCounted("deletion", taken(n))
}

func TestUpdate_OfARule_CountsWhatWillNotComeAnyMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:30Z")
	w.create("s", "* * * * *", "")
	w.set("2026-05-04T09:05:30Z") // nobody has decided on five times
	w.edit("s", func(d *Draft) { d.Rule.Cron = "0 9 * * *" })
	w.wantCounted("edit", map[string]int{"skipped": 5, "skipped SCHEDULE_CHANGED": 5})
}

func TestSkips_TooManyToBeCounted_CountAsThatMany(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:30Z")
	w.create("s", "* * * * * *", "")
	w.edit("s", func(d *Draft) { d.Policy.Missed = SkipMissed })
	w.counted()
	w.set("2026-05-06T09:00:30Z") // two days of 86,400 each
	w.step()
	if got := w.counted(); got["skipped MISSED"] != maxCounted {
		t.Errorf("counted %v, want %d skips", got, maxCounted)
	}
}

func TestPause_WhereOnlyABackfillWaits_TakesItBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T12:00:30Z")
	w.create("s", "0 9 * * *", "")
	if _, err := w.service.Backfill(t.Context(), Backfill{Tenant: "acme", Name: "s", From: utc(t, "2026-05-01T00:00:00Z"),
		Until: utc(t, "2026-05-04T00:00:00Z"), PerMinute: 1}); err != nil {
		t.Fatal(err)
	}
	w.counted()
	cursor := w.get("s").Cursor
	v := w.pause("s")
	w.wantCounted("pause", map[string]int{"withdrawn": 3, "withdrawn SCHEDULE_CHANGED": 3})
	if late := v.Cursor.Sub(cursor); late < -time.Minute || v.Runs != 0 {
		t.Errorf("the rule goes on from %v instead of %v, with %d runs", v.Cursor, cursor, v.Runs)
	}
	w.want("ledger", w.outcomes(v, store.FromBackfill), "09:00:00 skipped SCHEDULE_CHANGED", "09:00:00 skipped SCHEDULE_CHANGED", "09:00:00 skipped SCHEDULE_CHANGED")
}
