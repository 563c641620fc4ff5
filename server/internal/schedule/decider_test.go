package schedule

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// startDecider runs a decider on a clock that stands still: after its first pass, which sweeps, only what it is told makes
// it look again.
func (w *world) startDecider() *Decider {
	w.t.Helper()
	manual := clock.NewManual(time.Unix(0, 0))
	d := w.decider()
	d.cfg.Clock = manual
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := d.Run(ctx); err != nil {
			w.t.Errorf("run: %v", err)
		}
	}()
	w.t.Cleanup(func() { stop(); <-done })
	manual.BlockUntil(1)
	manual.Advance(0) // the first pass
	manual.BlockUntil(1)
	return d
}

// waitingRun has one run of a schedule alive, and another that waits for its end.
func (w *world) waitingRun() View {
	w.t.Helper()
	v := w.overlapping("daily", "0 9 * * *", BufferOne)
	for i := range 2 {
		_, blocked, err := w.service.Run(w.t.Context(), RunCall{Tenant: "acme", Name: "daily"})
		if err != nil || blocked != (i == 1) {
			w.t.Fatalf("run %d: blocked %v, %v", i, blocked, err)
		}
		w.lease(v)
	}
	return v
}

func TestDecider_ToldOfTheEndOfARun_ReleasesTheNextAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	v := w.waitingRun()
	d := w.startDecider()
	before := len(w.hints.entries())
	w.end(v, job.Succeeded)
	d.Ended(v.ID, job.Succeeded)
	if got := w.await(before + 1)[before]; got.Version == 0 {
		t.Errorf("offered %+v", got)
	}
	if got := w.states(v); len(got) != 1 || got[0][len("00:00:00 "):] != "pending" {
		t.Errorf("states %q", got)
	}
}

// forgetful is a store that is away when it is asked once who waits.
type forgetful struct {
	*store.Store
	failures int
}

func (f *forgetful) BlockedAmong(ctx context.Context, schedules []int32) ([]int32, error) {
	if f.failures--; f.failures >= 0 {
		return nil, fmt.Errorf("away: %w", store.ErrUnavailable)
	}
	return f.Store.BlockedAmong(ctx, schedules)
}

func TestDecider_ToldWhileTheDatabaseIsAway_ReleasesInTheNextPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	v := w.waitingRun()
	away := &forgetful{Store: w.store}
	d := w.decider()
	d.cfg.Store, d.cfg.Clock = away, clock.NewManual(time.Unix(0, 0)) // it stands still: the first pass alone sweeps
	pass := func(fails bool) {
		t.Helper()
		if _, err := d.Decide(t.Context()); (err != nil) != fails {
			t.Fatalf("decide: %v", err)
		}
	}
	pass(false)
	w.end(v, job.Succeeded)
	pass(false)
	if n := len(w.hints.entries()); n != 1 {
		t.Fatalf("%d jobs were offered before the end was told of, want the first run alone", n)
	}
	away.failures = 1
	d.Ended(v.ID, job.Succeeded)
	pass(true)
	pass(false)
	if n := len(w.hints.entries()); n != 2 {
		t.Errorf("%d jobs were offered, want the one that waited too", n)
	}
}

// meanwhile is a store in which something happens when a call has seen what is alive, and has not made its job yet.
type meanwhile struct {
	*store.Store
	then func()
}

func (m *meanwhile) MakeRuns(ctx context.Context, r store.Runs) (store.RunsMade, error) {
	plan := r.Plan
	r.Plan = func(now time.Time, alive store.RunsAlive) (store.RunPlan, error) {
		m.then()
		return plan(now, alive)
	}
	return m.Store.MakeRuns(ctx, r)
}

// The end of the run that a job is to wait for may be told of before the job can be seen.
func TestRun_ThatWaitsForARunThatHasJustEnded_IsReleasedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	v := w.overlapping("daily", "0 9 * * *", BufferOne)
	if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "daily"}); err != nil {
		t.Fatal(err)
	}
	w.lease(v)
	d := w.startDecider()
	before := len(w.hints.entries())
	service := w.through(&meanwhile{Store: w.store, then: func() { w.end(v, job.Succeeded) }})
	service.Hints, service.Decide = w.hints, d.Look
	if _, blocked, err := service.Run(t.Context(), RunCall{Tenant: "acme", Name: "daily"}); err != nil || !blocked {
		t.Fatalf("run: blocked %v, %v", blocked, err)
	}
	w.await(before + 1)
}

// late is a store in which something happens when a pass has seen what is alive, and has not made its jobs yet.
type late struct {
	*store.Store
	then func()
}

func (l *late) Materialise(ctx context.Context, items []*store.Materialisation) ([]wheel.Entry, error) {
	if f := l.then; f != nil {
		l.then = nil
		f()
	}
	return l.Store.Materialise(ctx, items)
}

func TestMaterialise_WhileAManualRunBegins_LetsThePolicyDecide(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:35Z")
	v := w.overlapping("minutely", "* * * * *", SkipOverlap)
	w.m = w.node(&late{Store: w.store, then: func() {
		if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "minutely"}); err != nil {
			t.Error(err)
		}
	}})
	w.step()
	w.step() // the first pass is overtaken, and leaves the schedule to the next
	w.want("made ahead", w.states(v)[1:], "12:01:00 blocked")
	w.lease(v)
	w.set("2026-12-01T12:01:00.1Z")
	w.decide()
	w.want("ledger", w.outcomes(v, store.FromRule), "12:01:00 skipped OVERLAP")
}

// What changes between the look at a job and the verdict on it is decided on in the next pass: nobody else would.
func TestDecideOverlaps_OnAJobThatChangesMeanwhile_LeavesItToTheNextPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:45Z")
	v := w.overlapping("tens", "*/10 * * * * *", SkipOverlap)
	w.set("2026-12-01T11:59:45Z") // it has run on
	w.step()
	w.set("2026-12-01T11:59:52Z")
	w.lease(v)
	w.end(v, job.Succeeded)
	w.set("2026-12-01T12:00:10.2Z")
	out, err := w.store.DecideOverlaps(t.Context(), []int32{v.ID}, func(c store.OverlapCase) store.OverlapDecision {
		w.db.Exec("UPDATE triggers SET priority = 1, version = version + 1 WHERE schedule = $1", v.ID)
		return decideOverlap(c)
	})
	if err != nil || len(out.Released) != 0 || len(out.Skipped) != 0 {
		t.Errorf("decided on %+v (%v), though both have changed", out, err)
	}
	w.want("undecided", w.states(v), "12:00:00 blocked", "12:00:10 blocked")
	w.decide()
	w.want("decided", w.states(v), "12:00:00 pending")
	w.want("ledger", w.outcomes(v, store.FromRule)[1:], "12:00:00 fired", "12:00:10 skipped OVERLAP")
}

func TestDecideOverlap_OnSeveralAtOnce_GoesInTheirOrder(t *testing.T) {
	t.Parallel()
	waits := func(o Overlap) store.BlockedJob { return store.BlockedJob{Overlap: int16(o), Waits: true} }
	comes := func(o Overlap) store.BlockedJob { return store.BlockedJob{Overlap: int16(o)} }
	for name, c := range map[string]struct {
		alive   bool
		blocked []store.BlockedJob
		want    string
		cancel  bool
	}{
		"skip behind nothing":      {false, []store.BlockedJob{comes(SkipOverlap), comes(SkipOverlap)}, "run OVERLAP", false},
		"buffer behind nothing":    {false, []store.BlockedJob{comes(BufferOne), comes(BufferOne), comes(BufferOne)}, "run wait BUFFER_FULL", false},
		"buffer behind a run":      {true, []store.BlockedJob{waits(BufferOne), comes(BufferOne), comes(SkipOverlap)}, "wait BUFFER_FULL OVERLAP", false},
		"the one that waits first": {false, []store.BlockedJob{waits(BufferOne), comes(BufferOne)}, "run wait", false},
		"cancel behind a run":      {true, []store.BlockedJob{waits(BufferOne), comes(CancelRunning), comes(CancelRunning)}, "REPLACED REPLACED wait", true},
		// A run that would begin only to be cancelled does not begin.
		"cancel behind nothing":             {false, []store.BlockedJob{comes(CancelRunning), comes(CancelRunning), comes(CancelRunning)}, "REPLACED REPLACED run", false},
		"cancel behind one that waited":     {false, []store.BlockedJob{waits(BufferOne), comes(BufferOne), comes(CancelRunning)}, "REPLACED REPLACED run", false},
		"buffer behind cancel":              {false, []store.BlockedJob{comes(CancelRunning), comes(BufferOne)}, "run wait", false},
		"allow runs beside":                 {true, []store.BlockedJob{comes(AllowOverlap), comes(SkipOverlap)}, "run OVERLAP", false},
		"cancel behind one that is allowed": {false, []store.BlockedJob{comes(SkipOverlap), comes(AllowOverlap), comes(CancelRunning)}, "REPLACED REPLACED run", false},
	} {
		d := decideOverlap(store.OverlapCase{Alive: c.alive, Blocked: c.blocked})
		var got []string
		for _, v := range d.Verdicts {
			switch {
			case v.Run:
				got = append(got, "run")
			case v.Skip == "":
				got = append(got, "wait")
			default:
				got = append(got, v.Skip)
			}
		}
		if text := strings.Join(got, " "); text != c.want || d.CancelRuns != c.cancel {
			t.Errorf("%s: %s, cancel %v; want %s, cancel %v", name, text, d.CancelRuns, c.want, c.cancel)
		}
	}
}
