package schedule

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func TestMaterialise_MakesTheJobAheadOfItsTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:10Z")
	v := w.create("nightly", "0 9 * * *", "")
	w.step()
	w.want("ledger a minute before", w.ledger(v))
	w.set("2026-05-04T08:59:35Z")
	w.step()
	w.want("ledger within the look-ahead", w.ledger(v), "materialised 04 09:00:00")
	w.want("jobs", w.waiting(v), "04 09:00:00")

	at := utc(t, "2026-05-04T09:00:00Z")
	offered := w.hints.entries()
	if len(offered) != 1 || offered[0].DueAt != at.UnixMicro() {
		t.Fatalf("hints: %+v", offered)
	}
	live, err := w.store.LiveJobs(t.Context(), []job.ID{offered[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	row := live[offered[0].ID]
	want := job.Body{Payload: job.Payload{Kind: job.Text, Data: []byte("ring")}, Headers: map[string]string{"a": "b"},
		Schedule: "nightly", Nominal: at}
	if !bytes.Equal(row.Body, want.Marshal()) {
		t.Errorf("body %q", row.Body)
	}
	if !row.Due.Equal(at) || !row.Scheduled.Equal(at) || row.Priority != 5 || !row.AgeUntil.Equal(at.Add(job.DefaultMaxAge)) {
		t.Errorf("row %+v", row)
	}
	if got := w.hints.outcome("materialised"); got != 1 {
		t.Errorf("%d counted as materialised", got)
	}
}

func TestMaterialise_FirstOccurrenceIsTheFirstAfterCreation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	v := w.create("minutely", "* * * * *", "")
	w.set("2026-05-04T09:00:40Z")
	w.step()
	w.want("ledger", w.ledger(v), "materialised 04 09:01:00")
}

// P-MIS-01.
func TestMaterialise_AfterADayOfDowntime_RunsTheLatestOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-04T23:55:00Z")
	v := w.create("every-ten", "*/10 * * * *", "")
	w.set("2026-01-04T23:59:50Z")
	w.step()
	w.set("2026-01-06T00:03:00Z")
	w.step()
	w.want("ledger", w.ledger(v), "materialised 05 00:00:00", "merged 05 00:10:00–05 23:50:00 (143)", "caught up 06 00:00:00")
	if got := w.get("every-ten"); !got.Next.Equal(utc(t, "2026-01-06T00:10:00Z")) || !got.Last.Equal(utc(t, "2026-01-06T00:00:00Z")) {
		t.Errorf("next %v, last %v", got.Next, got.Last)
	}
	due := storetest.Value[time.Time](w.db, "SELECT due_at FROM triggers WHERE schedule = $1 AND scheduled_at = '2026-01-06Z'", v.ID)
	if due.Before(utc(t, "2026-01-06T00:03:00Z")) {
		t.Errorf("the caught-up job is due at %v, before the clock that made it", due)
	}
	w.step()
	w.want("ledger after another pass", w.ledger(v), "materialised 05 00:00:00", "merged 05 00:10:00–05 23:50:00 (143)", "caught up 06 00:00:00")
}

// P-MIS-02.
func TestResume_AfterHalfAMonthOfMinutes_IsQuickAndWritesOneRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-01T00:00:15Z")
	v := w.create("minutely", "* * * * *", "")
	w.pause("minutely")
	w.set("2026-01-16T00:00:15Z")
	began := time.Now()
	if got := w.resume("minutely"); !got.Next.Equal(utc(t, "2026-01-16T00:01:00Z")) {
		t.Errorf("next %v", got.Next)
	}
	if took := time.Since(began); took > 5*time.Second { // the figure is in the benchmark; this catches a write each
		t.Errorf("resume took %v", took)
	}
	w.step()
	w.want("ledger", w.ledger(v), "merged 01 00:01:00–15 23:59:00 (21599)", "caught up 16 00:00:00")
}

// P-CLK-01.
func TestMaterialise_ClockSetForwardAndBack_NeitherStopsNorRepeats(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-03-02T14:58:30Z")
	v := w.create("minutely", "* * * * *", "")
	w.step()
	w.set("2026-03-02T17:00:10Z")
	w.step()
	w.want("ledger with the clock ahead", w.ledger(v), "materialised 02 14:59:00", "merged 02 15:00:00–02 16:59:00 (120)", "caught up 02 17:00:00")
	w.set("2026-03-02T15:01:10Z")
	w.step()
	got := w.ledger(v)
	if len(got) != 3 || got[0] != "materialised 02 14:59:00" || !strings.HasPrefix(got[1], "merged 02 15:00:00–02 15:01:1") || got[2] != "caught up 02 17:00:00" {
		t.Errorf("ledger with the clock back: %q", got)
	}
	w.set("2026-03-02T15:01:40Z")
	w.step()
	if got := w.waiting(v); len(got) != 3 || got[1] != "02 15:02:00" {
		t.Errorf("jobs after the clock went back: %q", got)
	}
	for _, minute := range []string{"15:02", "15:03", "15:04"} {
		w.set("2026-03-02T" + minute + ":40Z")
		w.step()
	}
	w.set("2026-03-02T16:59:40Z")
	w.step()
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM triggers WHERE schedule = $1 AND scheduled_at = '2026-03-02 17:00Z'", v.ID); n != 1 {
		t.Errorf("17:00 has %d jobs", n)
	}
	w.want("jobs", w.waiting(v), "02 14:59:00", "02 15:02:00", "02 15:03:00", "02 15:04:00", "02 15:05:00", "02 16:59:00", "02 17:00:00")
	if got := w.get("minutely").Runs; got != 7 {
		t.Errorf("%d runs counted, want one for each of the 7 jobs", got)
	}
}

// P-API-01.
func TestMaterialise_UnreadableRule_StopsThatScheduleOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	bad, odd, good := w.create("bad", "0 9 * * *", ""), w.create("odd", "0 9 * * *", ""), w.create("good", "0 9 * * *", "")
	w.db.Exec(`UPDATE schedules SET spec = '{"cron": "often"}' WHERE id = $1`, bad.ID)
	w.db.Exec(`UPDATE schedules SET spec = '[1]' WHERE id = $1`, odd.ID)
	if got := w.get("bad"); got.Fault == "" {
		t.Error("the fault is not shown before the schedule was due")
	}
	w.step()
	w.want("ledger of the good one", w.ledger(good), "materialised 04 09:00:00")
	for _, v := range []View{bad, odd} {
		w.want("ledger", w.ledger(v))
		if got := w.get(v.Name); got.Fault == "" || got.Error == "" || !got.Next.IsZero() {
			t.Errorf("%s: fault %q, next %v", v.Name, got.Fault, got.Next)
		}
	}
	if n := w.hints.outcome("error"); n != 2 {
		t.Errorf("%d errors counted, want 2", n)
	}
	w.step()
	if n := w.hints.outcome("error"); n != 2 {
		t.Errorf("%d errors counted after another pass: the schedules are looked at again and again", n)
	}
	got := w.edit("bad", func(d *Draft) { d.Rule = Rule{Cron: "0 9 * * *"} })
	if got.Fault != "" || !got.Next.Equal(utc(t, "2026-05-04T09:00:00Z")) {
		t.Errorf("after the repair: fault %q, next %v", got.Fault, got.Next)
	}
	w.step()
	w.want("ledger after the repair", w.ledger(bad), "materialised 04 09:00:00")
}

func TestMaterialise_WithoutItsQueue_SkipsInOneRunAndGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:00:00Z")
	v := w.create("minutely", "* * * * *", "")
	w.deleteQueue()
	w.set("2026-05-04T08:00:40Z")
	w.step()
	w.set("2026-05-04T08:02:40Z")
	w.step()
	w.set("2026-05-04T09:30:40Z")
	w.step()
	w.want("ledger", w.ledger(v), "skipped 04 08:01:00–04 09:31:00 (91) QUEUE_NOT_FOUND")
	w.makeQueue()
	w.set("2026-05-04T09:31:40Z")
	w.step()
	w.want("ledger with the queue again", w.ledger(v), "skipped 04 08:01:00–04 09:31:00 (91) QUEUE_NOT_FOUND", "materialised 04 09:32:00")
}
