package schedule

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// decider decides for the world's node; cancelled runs are ended at once as a worker would that answers the request, unless
// the test takes them from asked itself.
func (w *world) decider() *Decider {
	return NewDecider(DeciderConfig{Store: w.store, Owner: everything(w.store.Partitions()), DB: w, Clock: clock.Real(), Hints: w.hints,
		Log: slog.New(slog.DiscardHandler), Metrics: w.hints, Fail: w.service.PauseAfterFailure,
		Cancel: func(_ context.Context, _ int32, id job.ID, _ string) error {
			w.db.Exec("UPDATE triggers SET cancel_asked = true WHERE id = $1", [16]byte(id))
			return nil
		}})
}

func (w *world) decide() time.Duration {
	w.t.Helper()
	wait, err := w.decider().Decide(w.t.Context())
	if err != nil {
		w.t.Fatalf("decide: %v", err)
	}
	return wait
}

// overlapping makes a schedule with a policy for overlapping runs.
func (w *world) overlapping(name, cron string, overlap Overlap) View {
	w.t.Helper()
	d := draft(cron, "UTC")
	d.Policy.Overlap = overlap
	v, err := w.service.Create(w.t.Context(), NewCall{Tenant: "acme", Name: name, Draft: d})
	if err != nil {
		w.t.Fatalf("create %s: %v", name, err)
	}
	return v
}

// states lists the live jobs of a schedule by nominal time, e.g. "12:00:00 running".
func (w *world) states(v View) []string {
	w.t.Helper()
	return storetest.Column[string](w.db, `SELECT to_char(scheduled_at AT TIME ZONE 'UTC', 'HH24:MI:SS') ||
		CASE state WHEN 1 THEN ' pending' WHEN 2 THEN ' running' ELSE ' blocked' END FROM triggers WHERE schedule = $1 ORDER BY scheduled_at`, v.ID)
}

// lease starts what is due of a schedule, as a worker would.
func (w *world) lease(v View) {
	w.t.Helper()
	w.db.Exec(`UPDATE triggers SET state = 2, leases = leases + 1, attempt = attempt + 1, version = version + 1, claim_id = 7,
		claimed_at = belfry_now(), lease_us = 60000000, lease_until = belfry_now() + interval '1 hour',
		attempt_until = belfry_now() + interval '1 hour' WHERE schedule = $1 AND state = 1 AND due_at <= belfry_now()`, v.ID)
}

// end finishes the running jobs of a schedule by the statement that does so.
func (w *world) end(v View, state job.State) {
	w.t.Helper()
	for _, id := range storetest.Column[[16]byte](w.db, "SELECT id FROM triggers WHERE schedule = $1 AND state = 2", v.ID) {
		live, err := w.store.LiveJobs(w.t.Context(), []job.ID{id})
		if err != nil {
			w.t.Fatal(err)
		}
		row := live[id]
		f := &store.Finish{Token: row.Token(), Tenant: w.tenant.ID, From: job.Running, State: state, Reason: "MAX_ATTEMPTS", Retention: 7}
		if err := w.store.Commit(w.t.Context(), &store.HotTx{Finishes: []*store.Finish{f}}); err != nil || !f.Done || f.Schedule != v.ID {
			w.t.Fatalf("end run: %v, done %v, schedule %d", err, f.Done, f.Schedule)
		}
	}
}

func (w *world) outcomes(v View, origin store.OccurrenceOrigin) []string {
	w.t.Helper()
	page, _, err := w.service.Occurrences(w.t.Context(), OccurrenceQuery{Tenant: "acme", Name: v.Name, Origin: origin, Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	var list []string
	for _, o := range slices.Backward(page) {
		result := map[Result]string{ResultScheduled: "scheduled", ResultFired: "fired", ResultCaughtUp: "caught up", ResultMerged: "merged",
			ResultSkipped: "skipped", ResultBlocked: "blocked"}[o.Result]
		if o.Reason != "" {
			result += " " + o.Reason
		}
		list = append(list, o.Nominal.UTC().Format("15:04:05 ")+result)
	}
	return list
}

// P-MIS-04: every 10 seconds, a run of 45: four are skipped, the next one runs at its time.
func TestOverlapSkip_WhileARunIsAlive_SkipsAndSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:45Z")
	v := w.overlapping("tens", "*/10 * * * * *", SkipOverlap)
	w.step()
	w.want("made ahead", w.states(v), "11:59:50 pending", "12:00:00 blocked", "12:00:10 blocked")
	w.set("2026-12-01T11:59:52Z")
	w.lease(v)
	w.end(v, job.Succeeded)
	w.set("2026-12-01T12:00:00.5Z")
	w.decide()
	w.lease(v)
	w.want("at twelve", w.states(v), "12:00:00 running", "12:00:10 blocked")
	for _, at := range []string{"12:00:10.5", "12:00:20.5", "12:00:30.5", "12:00:40.5"} {
		w.set("2026-12-01T" + at + "Z")
		w.step()
		w.decide()
	}
	w.set("2026-12-01T12:00:45Z")
	w.end(v, job.Succeeded)
	w.decide()
	w.set("2026-12-01T12:00:50.2Z")
	if wait := w.decide(); wait > 15*time.Second {
		t.Errorf("the decider sleeps %v beyond its next decision", wait)
	}
	w.want("ledger", w.outcomes(v, store.FromRule)[:7], "11:59:50 fired", "12:00:00 fired", "12:00:10 skipped OVERLAP",
		"12:00:20 skipped OVERLAP", "12:00:30 skipped OVERLAP", "12:00:40 skipped OVERLAP", "12:00:50 fired")
	if !slices.Contains(w.states(v), "12:00:50 pending") {
		t.Errorf("12:00:50 does not run: %q", w.states(v))
	}
}

// P-OVL-01: a manual run counts, one waits, the next is dropped.
func TestBufferOne_BehindAManualRun_KeepsOneAndDropsTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	v := w.overlapping("minutely", "* * * * *", BufferOne)
	w.set("2026-12-01T12:00:10Z")
	if _, blocked, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "minutely"}); err != nil || blocked {
		t.Fatalf("run: blocked %v, %v", blocked, err)
	}
	w.lease(v)
	for _, at := range []string{"12:00:40", "12:01:00.1", "12:01:40", "12:02:00.1"} {
		w.set("2026-12-01T" + at + "Z")
		w.step()
		w.decide()
	}
	w.want("while it runs", w.outcomes(v, store.FromRule), "12:01:00 blocked", "12:02:00 skipped BUFFER_FULL")
	w.set("2026-12-01T12:02:40Z")
	w.end(v, job.Succeeded)
	w.decide()
	w.want("after its end", w.states(v), "12:01:00 pending")
	w.want("ledger", w.outcomes(v, store.FromRule), "12:01:00 fired", "12:02:00 skipped BUFFER_FULL")
	if n := len(w.outcomes(v, store.FromCall)); n != 1 {
		t.Errorf("%d manual runs in the ledger, want 1", n)
	}
}

// P-OVL-02: what runs is in the database, so another process decides as the first would have.
func TestOverlapSkip_AfterARestart_SeesTheRunThatIsAlive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	v := w.overlapping("minutely", "* * * * *", SkipOverlap)
	w.step()
	w.set("2026-12-01T12:00:01Z")
	w.lease(v)
	w.set("2026-12-01T12:00:40Z")
	w.m = w.node(w.db.Open())
	w.step()
	w.set("2026-12-01T12:01:00.2Z")
	w.decide()
	w.want("ledger", w.outcomes(v, store.FromRule), "12:00:00 fired", "12:01:00 skipped OVERLAP")
	w.want("alive", w.states(v), "12:00:00 running")
}

// P-OVL-04: the new run is leased only when the old one has ended.
func TestCancelRunning_WaitsForTheEndOfTheRunThatItCancels(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	v := w.overlapping("minutely", "* * * * *", CancelRunning)
	w.step()
	w.set("2026-12-01T12:00:00.2Z")
	w.lease(v)
	w.set("2026-12-01T12:00:45Z")
	w.step()
	w.set("2026-12-01T12:01:00.1Z")
	w.decide()
	w.want("cancel asked", w.states(v), "12:00:00 running", "12:01:00 blocked")
	if asked := storetest.Value[bool](w.db, "SELECT bool_or(cancel_asked) FROM triggers WHERE schedule = $1", v.ID); !asked {
		t.Error("the run was not asked to end")
	}
	w.set("2026-12-01T12:01:20Z")
	w.end(v, job.Cancelled)
	w.decide()
	w.want("after its end", w.states(v), "12:01:00 pending")
}

// P-OVL-03: a cancelled run is no failure.
func TestPauseOnFailure_CountsDeadRunsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	d := draft("* * * * *", "UTC")
	d.Policy = Policy{Overlap: SkipOverlap, PauseOnFailure: true}
	v, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "careful", Draft: d})
	if err != nil {
		t.Fatal(err)
	}
	w.step()
	w.set("2026-12-01T12:00:01Z")
	w.lease(v)
	w.end(v, job.Cancelled)
	w.decide()
	if got := w.get("careful"); got.Paused {
		t.Fatalf("paused after a cancelled run: %s", got.PauseReason)
	}
	w.set("2026-12-01T12:00:40Z")
	w.step()
	w.set("2026-12-01T12:01:01Z")
	w.decide()
	w.lease(v)
	w.end(v, job.Dead)
	w.decide()
	if got := w.get("careful"); !got.Paused || got.PauseReason == "" {
		t.Errorf("paused %v (%q) after a dead run", got.Paused, got.PauseReason)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM dead_runs"); n != 0 {
		t.Errorf("%d notes are left", n)
	}
}

func TestRun_WhileOneIsAlive_AsksThePolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	w.overlapping("daily", "0 9 * * *", SkipOverlap)
	run := func(overlap Overlap) (bool, error) {
		_, blocked, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "daily", Overlap: overlap})
		return blocked, err
	}
	for _, step := range []struct {
		overlap Overlap
		blocked bool
		want    error
	}{
		{0, false, nil}, {0, false, job.ErrScheduleRunning}, {AllowOverlap, false, nil}, {BufferOne, true, nil},
		{BufferOne, false, job.ErrScheduleRunning}, {CancelRunning, true, nil},
	} {
		blocked, err := run(step.overlap)
		if !errors.Is(err, step.want) || blocked != step.blocked {
			t.Errorf("run with policy %d: blocked %v, %v; want %v, %v", step.overlap, blocked, err, step.blocked, step.want)
		}
	}
}

func TestRun_RepeatedWithItsRequestID_MakesNoSecondJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	v := w.overlapping("daily", "0 9 * * *", BufferOne)
	call := RunCall{Tenant: "acme", Name: "daily", RequestID: "r-1"}
	first, _, err := w.service.Run(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	again, blocked, err := w.service.Run(t.Context(), call)
	if err != nil || again != first || blocked {
		t.Errorf("repeated: %v, blocked %v, %v; want %v", again, blocked, err, first)
	}
	if n := len(w.states(v)); n != 1 {
		t.Errorf("%d jobs, want 1", n)
	}
	call.Overlap = AllowOverlap
	if _, _, err := w.service.Run(t.Context(), call); !errors.Is(err, job.ErrRequestIDReused) {
		t.Errorf("with another body: %v", err)
	}
}

// An occurrence made ahead when nothing was alive is decided on after all once a manual run begins.
func TestRun_BehindAnOccurrenceMadeAhead_LetsThePolicyDecide(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:35Z")
	v := w.overlapping("minutely", "* * * * *", SkipOverlap)
	w.step()
	w.want("made ahead", w.states(v), "12:01:00 pending")
	if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "minutely"}); err != nil {
		t.Fatal(err)
	}
	w.lease(v)
	w.set("2026-12-01T12:01:00.1Z")
	w.decide()
	w.want("ledger", w.outcomes(v, store.FromRule), "12:01:00 skipped OVERLAP")
}

func TestSkippedRuns_DoNotCountForMaxRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	d := draft("* * * * *", "UTC")
	d.Rule.MaxRuns, d.Policy.Overlap = 2, SkipOverlap
	v, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "two", Draft: d})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"11:59:45", "12:00:00.1", "12:00:40", "12:01:00.1"} {
		w.set("2026-12-01T" + at + "Z")
		w.step()
		w.decide()
		w.lease(v)
	}
	w.want("the second is skipped", w.outcomes(v, store.FromRule), "12:00:00 fired", "12:01:00 skipped OVERLAP")
	w.end(v, job.Succeeded)
	for _, at := range []string{"12:01:40", "12:02:00.1", "12:02:40", "12:03:00.1"} {
		w.set("2026-12-01T" + at + "Z")
		w.step()
		w.decide()
		w.lease(v)
		w.end(v, job.Succeeded)
	}
	w.want("another one runs in its place", w.outcomes(v, store.FromRule), "12:00:00 fired", "12:01:00 skipped OVERLAP", "12:02:00 fired")
}

func TestPause_TakesBackBlockedJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:45Z")
	v := w.overlapping("tens", "*/10 * * * * *", SkipOverlap)
	w.step()
	w.pause("tens")
	w.want("alive", w.states(v))
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM blocked_jobs"); n != 0 {
		t.Errorf("%d rows say that jobs are blocked", n)
	}
}

// A job that is cancelled while it is blocked leaves nothing behind that another waits for.
func TestDecide_PassesOverBlockedJobsThatAreGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:45Z")
	v := w.overlapping("tens", "*/10 * * * * *", SkipOverlap)
	w.step()
	w.db.Exec("DELETE FROM triggers WHERE schedule = $1 AND state = 3", v.ID)
	w.set("2026-12-01T12:00:20Z")
	w.decide()
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM blocked_jobs"); n != 0 {
		t.Errorf("%d rows of jobs that are gone", n)
	}
}

// A changed policy goes for what was made ahead too: when the change has answered, none of the former state is made.
func TestUpdate_OfTheOverlapPolicy_GoesForWhatWasMadeAhead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to Overlap
		want     []string
	}{
		"overlaps no more": {AllowOverlap, SkipOverlap, []string{"11:59:50 fired", "12:00:00 skipped OVERLAP", "12:00:10 scheduled"}},
		"may overlap":      {SkipOverlap, AllowOverlap, []string{"11:59:50 fired", "12:00:00 fired", "12:00:10 scheduled"}},
		"waits":            {SkipOverlap, BufferOne, []string{"11:59:50 fired", "12:00:00 blocked", "12:00:10 scheduled"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "2026-12-01T11:59:45Z")
			v := w.overlapping("tens", "*/10 * * * * *", c.from)
			w.step()
			w.set("2026-12-01T11:59:51Z")
			w.lease(v)
			w.edit("tens", func(d *Draft) { d.Policy.Overlap = c.to })
			w.set("2026-12-01T12:00:00.5Z")
			w.decide()
			w.want("ledger", w.outcomes(v, store.FromRule), c.want...)
		})
	}
}

// Runs of calls have a policy of their own, which a change of the schedule's leaves alone.
func TestUpdate_OfTheOverlapPolicy_LeavesRunsOfCallsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	v := w.overlapping("daily", "0 9 * * *", SkipOverlap)
	if _, err := w.service.Backfill(t.Context(), Backfill{Tenant: "acme", Name: "daily", From: utc(t, "2026-11-28T00:00:00Z"),
		Until: utc(t, "2026-12-01T00:00:00Z"), PerMinute: 6}); err != nil {
		t.Fatal(err)
	}
	w.edit("daily", func(d *Draft) { d.Policy.Overlap = AllowOverlap })
	if got := storetest.Column[int](w.db, "SELECT DISTINCT overlap::int FROM blocked_jobs WHERE schedule = $1", v.ID); !slices.Equal(got, []int{int(SkipOverlap)}) {
		t.Errorf("policies of the backfill: %v", got)
	}
}

// A pause takes back a job that waits and a later one that was caught up, with a run of merged times between them, which stay.
// What is merged next goes on with that run, and stands for the later job's time too.
func TestPause_BehindMergedTimes_LeavesOneOutcomeForEachTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	v := w.overlapping("minutely", "* * * * *", BufferOne)
	for _, at := range []string{"11:59:45", "12:00:00.1", "12:00:45", "12:01:00.1"} {
		w.set("2026-12-01T" + at + "Z")
		w.step()
		w.decide()
		w.lease(v)
	}
	w.want("before the stop", w.states(v), "12:00:00 running", "12:01:00 blocked")
	w.set("2026-12-01T12:10:20Z")
	w.step()
	w.pause("minutely")
	w.set("2026-12-01T12:20:20Z")
	w.resume("minutely")
	w.step()
	w.want("ledger", w.ledger(v), "materialised 01 12:00:00", "withdrawn 01 12:01:00 SCHEDULE_CHANGED",
		"merged 01 12:02:00–01 12:19:00 (18)", "caught up 01 12:20:00")
}
