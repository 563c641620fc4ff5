package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

func (w *world) forecaster(longest time.Duration) *Forecaster {
	return NewForecaster(ForecastConfig{Loads: w.store, Tenants: w.catalog, Clock: clock.Real(), Longest: longest})
}

// forecast writes a forecast as "12:01 scheduled+waiting", a minute each; incomplete ones end in "…".
func (w *world) forecast(tenant string, minutes int) string {
	w.t.Helper()
	f, err := w.forecaster(time.Minute).Forecast(w.t.Context(), tenant, minutes)
	if err != nil {
		w.t.Fatal(err)
	}
	return forecastText(f)
}

func forecastText(f Forecast) string {
	var out []string
	for _, m := range f.Minutes {
		out = append(out, fmt.Sprintf("%s %d+%d", m.Time.Format("15:04"), m.Scheduled, m.Waiting))
	}
	if !f.Complete {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// wait puts a job into a lane, due at an instant.
func (w *world) wait(lane int32, at string) {
	w.t.Helper()
	w.db.Exec(`INSERT INTO triggers (part, id, lane, priority, due_at, scheduled_at, age_until, body)
		VALUES ($1, gen_random_uuid(), $2, 5, $3, $3, $3, 'x')`, w.queue.Part, lane, utc(w.t, at))
}

func (w *world) lane(jobType string) int32 {
	w.t.Helper()
	lane, err := w.catalog.EnsureLane(w.t.Context(), w.queue, jobType)
	if err != nil {
		w.t.Fatal(err)
	}
	return lane.Number
}

func TestForecast_CountsEachJobOnce_MadeAheadOrNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:40Z")
	w.create("minutely", "* * * * *", "")
	w.create("paused", "* * * * *", "")
	w.create("deleted", "* * * * *", "")
	w.create("later", "20 9 * * *", "")
	w.pause("paused")
	if err := w.service.Delete(t.Context(), "acme", "deleted", ""); err != nil {
		t.Fatal(err)
	}
	const want = "09:01 1+0, 09:02 1+0, 09:03 1+0"
	if got := w.forecast("acme", 4); got != want {
		t.Errorf("before anything is made: %s, want %s", got, want)
	}
	w.step() // 09:01 is inside the look-ahead
	if n := len(w.waiting(w.get("minutely"))); n != 1 {
		t.Fatalf("%d jobs are made ahead", n)
	}
	if got := w.forecast("acme", 4); got != want {
		t.Errorf("with a job made ahead: %s, want %s", got, want)
	}
	w.wait(w.lane("default"), "2026-05-04T09:02:30Z")
	w.wait(w.lane("other"), "2026-05-04T09:30:00Z") // beyond any look-ahead
	w.wait(w.lane("other"), "2026-05-04T09:00:00Z") // due already
	if got, want := w.forecast("acme", 3), "09:01 1+0, 09:02 1+1"; got != want {
		t.Errorf("three minutes: %s, want %s", got, want)
	}
	if got, want := w.forecast("acme", 31), "09:20 2+0, 09:21 1+0"; !strings.Contains(got, want) || !strings.HasSuffix(got, "09:30 1+1") {
		t.Errorf("31 minutes: %s, want %s and at the end 09:30 1+1", got, want)
	}
	if got := w.forecast("acme", 1); got != "" {
		t.Errorf("what is left of this minute: %s, want nothing", got)
	}
}

func TestForecast_IsOfOneTenant_OrOfAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:40Z")
	w.create("minutely", "* * * * *", "")
	w.wait(w.lane("default"), "2026-05-04T09:01:30Z")
	if _, _, err := w.store.CreateTenant(t.Context(), store.NewTenant{Name: "globex"}); err != nil {
		t.Fatal(err)
	}
	w.db.Exec(`INSERT INTO schedules (tenant, name, part, home, spec, queue, job_type, priority, age_us, payload, body, description, cursor_at, next_at)
		SELECT id, 's', 1, 1, '{"cron": "*/2 * * * *"}', 'q', 't', 5, 1, '\x01', '', '', $1::timestamptz, $1::timestamptz FROM tenants WHERE name = 'globex'`,
		utc(t, "2026-05-04T09:00:40Z"))
	for tenant, want := range map[string]string{
		"acme": "09:01 1+1, 09:02 1+0", "globex": "09:02 1+0", tenancy.AllTenants: "09:01 1+1, 09:02 2+0",
	} {
		if got := w.forecast(tenant, 3); got != want {
			t.Errorf("of %s: %s, want %s", tenant, got, want)
		}
	}
	if _, err := w.forecaster(0).Forecast(t.Context(), "nobody", 3); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("of a tenant that does not exist: %v", err)
	}
	// With very many lanes the jobs of the partition are looked at instead.
	w.db.Exec(`INSERT INTO lanes (tenant, queue, job_type) SELECT $1, $2, 'type-' || i FROM generate_series(1, $3::int) AS i`,
		w.tenant.ID, w.queue.ID, lanesApart)
	w.db.Exec(`INSERT INTO triggers (part, id, lane, priority, due_at, scheduled_at, age_until, body)
		VALUES ($1, gen_random_uuid(), 1000000, 5, $2, $2, $2, 'x')`, w.queue.Part, utc(t, "2026-05-04T09:01:30Z"))
	if got, want := w.forecast("acme", 3), "09:01 1+1, 09:02 1+0"; got != want {
		t.Errorf("with very many lanes: %s, want %s", got, want)
	}
}

func TestForecast_OutOfTime_IsNotComplete(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:40Z")
	w.create("minutely", "* * * * *", "")
	f, err := w.forecaster(time.Nanosecond).Forecast(t.Context(), "acme", 3)
	if got := forecastText(f); err != nil || got != "…" {
		t.Errorf("%s, %v; want nothing, and that more may come", got, err)
	}
}

func TestForecast_GoesOneAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:40Z")
	f := w.forecaster(10 * time.Millisecond)
	<-f.turn // as a forecast that is being made
	if _, err := f.Forecast(t.Context(), "acme", 3); !errors.Is(err, job.ErrUnavailable) {
		t.Errorf("%v, want that the turn does not come", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.forecaster(time.Hour).Forecast(ctx, "acme", 3); err == nil {
		t.Error("a caller that has gone got a forecast")
	}
	patient := w.forecaster(time.Minute)
	for range 2 {
		if _, err := patient.Forecast(t.Context(), "acme", 3); err != nil {
			t.Errorf("%v, want a forecast, and the turn given back", err)
		}
	}
}
