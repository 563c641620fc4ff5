package schedule

import (
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// many makes n schedules behind the service's back, all with the template of one.
func (w *world) many(n int, cron string, like View) {
	w.t.Helper()
	w.db.Exec(`INSERT INTO schedules (tenant, name, part, home, spec, queue, job_type, priority, age_us, payload, body, description, cursor_at, next_at)
		SELECT s.tenant, 'many-' || i, s.part, s.home, jsonb_build_object('cron', $3::text), s.queue, s.job_type, s.priority, s.age_us,
		       s.payload, s.body, s.description, s.cursor_at, s.cursor_at
		FROM schedules AS s, generate_series(1, $2::int) AS i WHERE s.id = $1`, like.ID, n, cron)
}

// A herd due at one second is made in batches, each occurrence once, and schedules that are not due cost nothing.
func TestMaterialise_AHerdAmongMany_IsMadeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:35Z")
	v := w.create("first", "0 9 * * *", "")
	w.many(2500, "0 9 * * *", v)
	w.step()
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM triggers"); n != 2501 {
		t.Errorf("%d jobs, want one for each of 2,501 schedules", n)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM occurrences WHERE outcome = 1"); n != 2501 {
		t.Errorf("%d outcomes", n)
	}
	if n := len(w.hints.entries()); n != 2501 {
		t.Errorf("%d hints", n)
	}
	due, err := w.store.DueSchedules(t.Context(), []int16{0, 1, 2, 3}, w.Now().Add(30*time.Second), store.DuePosition{}, 10)
	if err != nil || len(due) != 0 {
		t.Errorf("%d schedules are still due (%v)", len(due), err)
	}
}

// A herd of schedules due at one second. The clock is the true one: the one that tests move costs more than the work.
func BenchmarkMaterialise_Herd(b *testing.B) {
	const herd = 20_000
	w := newWorld(b, "")
	v := w.create("first", "0 9 * * *", "")
	w.many(herd, "0 9 * * *", v)
	for b.Loop() {
		b.StopTimer()
		at := w.Now().Add(20 * time.Second).Truncate(time.Second)
		w.db.Exec("TRUNCATE occurrences, triggers")
		w.db.Exec("UPDATE schedules SET cursor_at = $1, next_at = $2, spec = jsonb_build_object('cron', $3::text) WHERE name LIKE 'many%'",
			at.Add(-time.Second), at, at.Format("at(2006-01-02T15:04:05)"))
		b.StartTimer()
		w.step()
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM triggers"); n != herd {
		b.Errorf("%d jobs", n)
	}
	b.ReportMetric(float64(herd*b.N)/b.Elapsed().Seconds(), "schedules/s")
}

func TestLookAhead_GrowsAsAHerdAsks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:50:00Z")
	v := w.create("first", "0 9 * * *", "")
	w.many(3000, "0 9 * * *", v)
	w.db.Exec("UPDATE schedules SET next_at = '2026-05-04T09:00:00Z'")
	parts := []int16{0, 1, 2, 3}
	w.m.herd.speed = 100 // 3,001 schedules take half a minute, with the reserve a minute
	for at, want := range map[string]time.Duration{
		"2026-05-04T08:55:00Z": 30 * time.Second, // there is time enough
		"2026-05-04T08:58:30Z": 30 * time.Second,
		"2026-05-04T08:59:10Z": time.Minute,
	} {
		w.set(at)
		if got, err := w.m.lookAhead(t.Context(), parts); err != nil || got != want {
			t.Errorf("at %s: %v (%v), want %v", at, got, err, want)
		}
	}
	w.m.herd.speed = 10
	w.set("2026-05-04T08:50:30Z")
	if got, err := w.m.lookAhead(t.Context(), parts); err != nil || got != 10*time.Minute {
		t.Errorf("a slow node: %v (%v), want 10 min", got, err)
	}
}

func TestHerd_LearnsTheSpeedFromLargePassesAlone(t *testing.T) {
	t.Parallel()
	var h herd
	h.observe(10, time.Second)
	if got := h.need(assumedSpeed); got != herdReserve*time.Second {
		t.Errorf("unknown speed: %v", got)
	}
	for range 50 {
		h.observe(8000, time.Second)
	}
	if got := h.need(8000).Round(time.Millisecond); got != herdReserve*time.Second {
		t.Errorf("8,000 a second: %v for 8,000", got)
	}
}
