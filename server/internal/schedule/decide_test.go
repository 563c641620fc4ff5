package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// elsewhere makes a queue in another partition than the world's, and answers its name.
func (w *world) elsewhere() string {
	w.t.Helper()
	for i := 0; ; i++ {
		name := fmt.Sprintf("other%d", i)
		if job.PartOf("acme", name, w.store.Partitions()) == w.queue.Part {
			continue
		}
		made, _, err := w.store.CreateQueue(w.t.Context(), store.NewQueue{Tenant: w.tenant.ID, TenantName: "acme", Name: name})
		if err != nil {
			w.t.Fatal(err)
		}
		w.catalog.Observe(made)
		return name
	}
}

// A blocked job that was cancelled before its schedule went to a queue in another partition holds nobody up.
func TestDecide_BehindAJobThatIsGoneFromAFormerPartition_ComesToAnEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:45Z")
	v := w.overlapping("tens", "*/10 * * * * *", SkipOverlap)
	w.step()
	w.db.Exec("DELETE FROM triggers WHERE schedule = $1 AND state = 3", v.ID)
	queue := w.elsewhere()
	w.edit("tens", func(d *Draft) { d.Template.Queue = queue })
	w.set("2026-12-01T12:00:20Z")
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if _, err := w.decider().Decide(ctx); err != nil {
		t.Fatalf("decide: %v", err)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM blocked_jobs WHERE decide_at <= belfry_now()"); n != 0 {
		t.Errorf("%d rows of jobs that are gone", n)
	}
}

// refusingOverlaps refuses to decide on one schedule.
type refusingOverlaps struct {
	*store.Store
	refused int32
}

// DecideOverlaps implements Overlaps.
func (r refusingOverlaps) DecideOverlaps(ctx context.Context, schedules []int32, decide func(store.OverlapCase) store.OverlapDecision) (store.OverlapOutcome, error) {
	for _, id := range schedules {
		if id == r.refused {
			return store.OverlapOutcome{}, fmt.Errorf("no: %w", store.ErrRefused)
		}
	}
	return r.Store.DecideOverlaps(ctx, schedules, decide)
}

func TestDecide_WhatTheDatabaseRefuses_HoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:45Z")
	var views []View
	for i := range 5 {
		views = append(views, w.overlapping(fmt.Sprintf("s%d", i), "*/10 * * * * *", SkipOverlap))
	}
	w.step()
	w.set("2026-12-01T12:00:00.5Z")
	d := w.decider()
	d.cfg.Store = refusingOverlaps{w.store, views[2].ID}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if wait, err := d.Decide(ctx); err != nil || wait > errorWait {
		t.Errorf("decide: %v; again in %v, want at most %v", err, wait, errorWait)
	}
	for i, v := range views {
		want := []string{"11:59:50 pending", "12:00:10 blocked"}
		if i == 2 {
			want = []string{"11:59:50 pending", "12:00:00 blocked", "12:00:10 blocked"}
		}
		w.want(v.Name, w.states(v), want...)
	}
	d.cfg.Store = w.store
	if _, err := d.Decide(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.want("later", w.states(views[2]), "11:59:50 pending", "12:00:10 blocked")
}

// A plan that was made before an occurrence was skipped has counted it among the schedule's runs.
func TestMaterialise_BehindASkip_CountsRunsAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	d := draft("* * * * *", "UTC")
	d.Rule.MaxRuns, d.Policy.Overlap = 3, SkipOverlap
	v, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "three", Draft: d})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"11:59:45", "12:00:00.1", "12:00:40"} {
		w.set("2026-12-01T" + at + "Z")
		w.step()
		w.lease(v)
	}
	w.set("2026-12-01T12:01:40Z")
	w.m = w.node(overtakenLedger{w.store, w.decide})
	w.step() // 12:01 is skipped, between what is read and what is stored
	w.m = w.node(w.store)
	w.step()
	w.end(v, job.Succeeded)
	for _, at := range []string{"12:02:00.1", "12:02:40", "12:03:00.1", "12:03:40", "12:04:00.1"} {
		w.set("2026-12-01T" + at + "Z")
		w.step()
		w.decide()
		w.lease(v)
		w.end(v, job.Succeeded)
	}
	w.want("three run", w.outcomes(v, store.FromRule), "12:00:00 fired", "12:01:00 skipped OVERLAP", "12:02:00 fired", "12:03:00 fired")
}

// overtakenLedger is a ledger on which something else happens between what is read and what is stored.
type overtakenLedger struct {
	*store.Store
	by func() time.Duration
}

// DueSchedules implements Ledger.
func (i overtakenLedger) DueSchedules(ctx context.Context, parts []int16, until time.Time, after store.DuePosition, limit int) ([]store.DueSchedule, error) {
	due, err := i.Store.DueSchedules(ctx, parts, until, after, limit)
	i.by()
	return due, err
}

// A failure that is noted anew while an earlier note is being dealt with is not forgotten with it.
func TestPauseOnFailure_NotedAnew_IsNotForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	v := w.createAs("careful", "* * * * *", func(d *Draft) { d.Policy = Policy{Overlap: SkipOverlap, PauseOnFailure: true} })
	w.step()
	w.set("2026-12-01T12:00:01Z")
	w.lease(v)
	// An end that comes with a lease that is lost leaves a note of a job that is not dead.
	id := storetest.Value[[16]byte](w.db, "SELECT id FROM triggers WHERE schedule = $1", v.ID)
	stale := &store.Finish{Token: job.Token{ID: id, Version: 1, ClaimID: 1}, Tenant: w.tenant.ID, From: job.Running, State: job.Dead}
	if err := w.store.Commit(t.Context(), &store.HotTx{Finishes: []*store.Finish{stale}}); err != nil || stale.Done {
		t.Fatalf("end with a lost lease: %v, done %v", err, stale.Done)
	}
	read, err := w.store.DeadRuns(t.Context(), []int16{v.Part}, 9)
	if err != nil || len(read) != 1 || read[0].Reason != "" {
		t.Fatalf("notes %+v, %v", read, err)
	}
	w.end(v, job.Dead)
	if err := w.store.DropDeadRuns(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	w.decide()
	if !w.get("careful").Paused {
		t.Error("the schedule goes on after a failure")
	}
}

// Case P-CLK-01 with an overlap policy: what was skipped by a clock that was ahead is decided on anew, by a job of its own.
func TestDecide_WhatWasSkippedBeforeTheClockWentBack_MakesAnotherJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	v := w.createAs("minutely", "* * * * *", func(d *Draft) { d.Policy = Policy{Overlap: SkipOverlap} })
	w.step()
	w.set("2026-12-01T12:00:01Z")
	w.lease(v)
	for range 2 {
		w.set("2026-12-01T12:00:40Z")
		w.step()
		w.set("2026-12-01T12:01:01Z")
		w.decide()
		w.set("2026-12-01T11:59:50Z")
		w.step()
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM history"); n < 2 {
		t.Fatalf("%d jobs were skipped, want one each time", n)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) - count(DISTINCT id) FROM history"); n != 0 {
		t.Errorf("%d jobs have an id that another one had", n)
	}
}

// A note of a failed run whose schedule cannot be paused now is kept; those of others are dealt with.
func TestPauseOnFailure_OneThatFails_HoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	var views []View
	for _, name := range []string{"a", "b", "c"} {
		views = append(views, w.createAs(name, "* * * * *", func(d *Draft) { d.Policy = Policy{Overlap: SkipOverlap, PauseOnFailure: true} }))
	}
	w.step()
	w.set("2026-12-01T12:00:01Z")
	for _, v := range views {
		w.lease(v)
		w.end(v, job.Dead)
	}
	d := w.decider()
	pause, failing, calls := d.cfg.Fail, "", 0
	d.cfg.Fail = func(ctx context.Context, tenant, name, reason string) error {
		if calls++; calls == 1 {
			failing = name
		}
		if name == failing {
			return errors.New("not now")
		}
		return pause(ctx, tenant, name, reason)
	}
	if _, err := d.Decide(t.Context()); err == nil {
		t.Error("nobody hears of the failure")
	}
	for _, v := range views {
		if got := w.get(v.Name); got.Paused != (v.Name != failing) {
			t.Errorf("schedule %s: paused %v while %s cannot be", v.Name, got.Paused, failing)
		}
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM dead_runs"); n != 1 {
		t.Errorf("%d notes are left, want that of %s", n, failing)
	}
	d.cfg.Fail = pause
	if _, err := d.Decide(t.Context()); err != nil || !w.get(failing).Paused {
		t.Errorf("later: %v, paused %v", err, w.get(failing).Paused)
	}
}

// Runs that are replaced are cancelled side by side: a schedule with thousands does not hold up the decisions of others.
func TestDecide_ManyRunsToCancel_CancelsThemSideBySide(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	w.overlapping("daily", "0 9 * * *", AllowOverlap)
	for range 3 {
		if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "daily"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "daily", Overlap: CancelRunning}); err != nil {
		t.Fatal(err)
	}
	var together sync.WaitGroup
	together.Add(3)
	d := w.decider()
	ask := d.cfg.Cancel
	d.cfg.Cancel = func(ctx context.Context, tenant int32, id job.ID, reason string) error {
		together.Done()
		all := make(chan struct{})
		go func() { together.Wait(); close(all) }()
		select {
		case <-all:
		case <-ctx.Done():
			t.Error("one run is cancelled after the other")
		}
		return ask(ctx, tenant, id, reason)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if _, err := d.Decide(ctx); err != nil {
		t.Error(err)
	}
}

func TestRun_WhileTheOtherOneEnds_DoesNotWaitForASweep(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	v := w.overlapping("daily", "0 9 * * *", BufferOne)
	if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "daily"}); err != nil {
		t.Fatal(err)
	}
	w.lease(v)
	d := w.decider()
	pass := func() {
		if _, err := d.Decide(t.Context()); err != nil {
			t.Error(err)
		}
	}
	pass() // the first one sweeps
	w.service.Decide = d.Look
	w.service.Rows = &meanwhile{Store: w.store, then: func() {
		w.end(v, job.Succeeded)
		d.Ended(v.ID, job.Succeeded)
		pass()
	}}
	if _, blocked, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "daily"}); err != nil || !blocked {
		t.Fatalf("run: blocked %v, %v", blocked, err)
	}
	pass()
	if got := w.states(v); len(got) != 1 || !strings.HasSuffix(got[0], " pending") {
		t.Errorf("jobs: %q, want one that is pending", got)
	}
}

func TestDecideOverlap_CancelRunning_ReplacesWhatHasNotBegun(t *testing.T) {
	t.Parallel()
	run, wait := store.OverlapVerdict{Run: true}, store.OverlapVerdict{}
	replaced := store.OverlapVerdict{Skip: reasonReplaced}
	for name, c := range map[string]struct {
		alive   bool
		blocked []Overlap
		want    []store.OverlapVerdict
	}{
		"two at once":              {false, []Overlap{CancelRunning, CancelRunning}, []store.OverlapVerdict{replaced, run}},
		"behind one that overlaps": {false, []Overlap{AllowOverlap, AllowOverlap, CancelRunning}, []store.OverlapVerdict{replaced, replaced, run}},
		"while a run is alive":     {true, []Overlap{AllowOverlap, CancelRunning, CancelRunning}, []store.OverlapVerdict{replaced, replaced, wait}},
		"before another policy":    {false, []Overlap{CancelRunning, SkipOverlap}, []store.OverlapVerdict{run, {Skip: reasonOverlap}}},
	} {
		oc := store.OverlapCase{Alive: c.alive}
		for _, o := range c.blocked {
			oc.Blocked = append(oc.Blocked, store.BlockedJob{Overlap: int16(o)})
		}
		if d := decideOverlap(oc); !slices.Equal(d.Verdicts, c.want) || d.CancelRuns != c.alive {
			t.Errorf("%s: %+v, want %+v", name, d, c.want)
		}
	}
}
