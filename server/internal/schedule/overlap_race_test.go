package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// dies makes a call on the store as mortal does.
func dies(ctx context.Context, s *mortal, call func(ctx context.Context) error) error {
	switch s.roll(5) {
	case 0:
		return errDied
	case 1:
		ctx, cancel := context.WithTimeout(ctx, time.Duration(s.roll(5000))*time.Microsecond)
		defer cancel()
		return call(ctx)
	case 2:
		if err := call(ctx); err != nil {
			return err
		}
		return errDied
	}
	return call(ctx)
}

// DecideOverlaps implements Overlaps.
func (s *mortal) DecideOverlaps(ctx context.Context, schedules []int32, decide func(store.OverlapCase) store.OverlapDecision) (out store.OverlapOutcome, err error) {
	err = dies(ctx, s, func(ctx context.Context) (err error) {
		out, err = s.Store.DecideOverlaps(ctx, schedules, decide)
		return err
	})
	return out, err
}

// MakeRuns implements Rows.
func (s *mortal) MakeRuns(ctx context.Context, r store.Runs) (made store.RunsMade, err error) {
	err = dies(ctx, s, func(ctx context.Context) (err error) {
		made, err = s.Store.MakeRuns(ctx, r)
		return err
	})
	return made, err
}

// ChangeSchedule implements Rows.
func (s *mortal) ChangeSchedule(ctx context.Context, c store.ScheduleChange) (changed *store.Schedule, err error) {
	err = dies(ctx, s, func(ctx context.Context) (err error) {
		changed, err = s.Store.ChangeSchedule(ctx, c)
		return err
	})
	return changed, err
}

// crowd is everybody that works on a few schedules at once.
type crowd struct {
	*world
	seed   uint64
	stores [2]*store.Store
	views  []View

	mu    sync.Mutex
	asked map[string]struct{} // request ids of manual runs
	runs  map[string]job.ID   // what was answered
}

// rings is how often the i-th schedule of a crowd does: each second, so that there are always some made ahead, or so seldom that
// there is one at most.
func rings(i int) (cron string, every time.Duration) {
	if i%2 == 0 {
		return "* * * * * *", time.Second
	}
	return "*/30 * * * * *", 30 * time.Second
}

// crowded makes two schedules for each policy.
func crowded(t *testing.T, seed uint64) *crowd {
	t.Logf("seed %d", seed)
	w := newWorld(t, "2026-12-01T12:00:00Z")
	c := &crowd{world: w, seed: seed, stores: [2]*store.Store{w.store, w.db.Open()}, asked: map[string]struct{}{}, runs: map[string]job.ID{}}
	for i := range 8 {
		overlap := []Overlap{SkipOverlap, BufferOne, CancelRunning, AllowOverlap}[i/2]
		cron, _ := rings(i)
		c.views = append(c.views, w.createAs(fmt.Sprintf("s%d", i), cron, func(d *Draft) {
			d.Policy = Policy{Overlap: overlap, PauseOnFailure: overlap == BufferOne, Missed: MissedPolicy(i % 3)}
		}))
	}
	return c
}

// mortal is the n-th process of a round; two share a database connection pool each.
func (c *crowd) mortal(round, n int) *mortal {
	return &mortal{Store: c.stores[n%2], rng: rand.New(rand.NewPCG(c.seed, uint64(round*100+n)))}
}

// round lets everybody work at once.
func (c *crowd) round(n int) {
	var wg sync.WaitGroup
	for i := range 2 {
		m, d, call := c.mortal(n, i), c.mortal(n, 10+i), c.mortal(n, 20+i)
		wg.Go(func() { _, err := c.node(m).Materialise(c.t.Context()); c.check("materialise", err) })
		wg.Go(func() { _, err := c.cancelling(d).Decide(c.t.Context()); c.check("decide", err) })
		wg.Go(func() { c.check("call", c.call(call, fmt.Sprintf("%d-%d", n, i))) })
	}
	worker := c.mortal(n, 30)
	wg.Go(func() { c.check("work", c.work(worker)) })
	wg.Wait()
}

// check fails the test for errors that nobody has made.
func (c *crowd) check(what string, err error) {
	for _, fine := range []error{nil, errDied, context.DeadlineExceeded, context.Canceled, job.ErrScheduleRunning, job.ErrUnavailable,
		job.ErrInvalidField /* no nominal time to backfill */, store.ErrUnavailable, store.ErrUnknown} {
		if errors.Is(err, fine) {
			return
		}
	}
	c.t.Errorf("%s: %v", what, err)
}

// call is one thing that a caller does to a schedule. Policies that forbid two runs stay such, so that never may two be alive.
func (c *crowd) call(s *mortal, id string) error {
	v := c.views[s.roll(len(c.views))]
	service := NewService(ServiceConfig{Rows: s, Names: c.catalog, Poke: func() {}, Decide: func(int32) {}, Hints: c.hints, Now: c.Now, Metrics: c.hints})
	ctx := c.t.Context()
	overlap := []Overlap{0, SkipOverlap, BufferOne, CancelRunning}[s.roll(4)]
	switch s.roll(8) {
	case 0, 1:
		return c.run(service, RunCall{Tenant: "acme", Name: v.Name, Overlap: overlap, RequestID: id})
	case 2:
		from := c.Now().Add(-time.Duration(20+s.roll(40)) * time.Second).Truncate(time.Second)
		_, err := service.Backfill(ctx, Backfill{Tenant: "acme", Name: v.Name, From: from,
			Until: from.Add(time.Duration(1+s.roll(4)) * time.Second), Overlap: overlap, PerMinute: 60})
		return err
	case 3:
		_, err := service.Pause(ctx, "acme", v.Name, id)
		return err
	case 4:
		_, err := service.Update(ctx, Edit{Tenant: "acme", Name: v.Name, Change: func(current View) (Draft, error) {
			d := Draft{Rule: current.Rule, Policy: current.Policy, Template: current.Template}
			d.Template.Priority = int16(s.roll(10))
			if overlap != 0 && d.Policy.Overlap != AllowOverlap {
				d.Policy.Overlap = overlap
			}
			return d, nil
		}})
		return err
	}
	_, err := service.Resume(ctx, "acme", v.Name)
	return err
}

// run makes a manual run, and repeats the call once if its outcome is not known.
func (c *crowd) run(service *Service, call RunCall) (err error) {
	c.mu.Lock()
	c.asked[call.RequestID] = struct{}{}
	c.mu.Unlock()
	for range 2 {
		var id job.ID
		if id, _, err = service.Run(c.t.Context(), call); err == nil {
			c.mu.Lock()
			c.runs[call.RequestID] = id
			c.mu.Unlock()
			return nil
		}
	}
	return err
}

// work leases some of what is due and ends some of what runs, well or not.
func (c *crowd) work(s *mortal) error {
	for _, id := range storetest.Column[[16]byte](c.db, "SELECT id FROM triggers WHERE state = 1 AND due_at <= belfry_now() ORDER BY id") {
		if s.roll(4) > 0 {
			c.leaseOne(id)
		}
	}
	var faults []error
	for _, id := range storetest.Column[[16]byte](c.db, "SELECT id FROM triggers WHERE state = 2 ORDER BY id") {
		if s.roll(3) == 0 {
			state := []job.State{job.Succeeded, job.Dead, job.Cancelled}[s.roll(3)]
			faults = append(faults, dies(c.t.Context(), s, func(ctx context.Context) error { return c.endOne(ctx, id, state) }))
		}
	}
	for _, err := range faults {
		c.check("end", err)
	}
	return nil
}

func (c *crowd) leaseOne(id [16]byte) {
	c.db.Exec(`UPDATE triggers SET state = 2, leases = leases + 1, attempt = attempt + 1, version = version + 1, claim_id = 7,
		claimed_at = belfry_now(), lease_us = 60000000, lease_until = belfry_now() + interval '1 hour',
		attempt_until = belfry_now() + interval '1 hour' WHERE id = $1 AND state = 1 AND due_at <= belfry_now()`, id)
}

func (c *crowd) endOne(ctx context.Context, id job.ID, state job.State) error {
	live, err := c.store.LiveJobs(ctx, []job.ID{id})
	if err != nil || live[id].State != job.Running {
		return err
	}
	row := live[id]
	f := &store.Finish{Token: row.Token(), Tenant: c.tenant.ID, From: job.Running, State: state, Reason: "MAX_ATTEMPTS", Retention: 7}
	return c.store.Commit(ctx, &store.HotTx{Finishes: []*store.Finish{f}})
}

// settle ends everything that there is: what is blocked is released or skipped, as runs end.
func (c *crowd) settle() {
	c.t.Helper()
	c.db.Advance(2 * time.Minute) // everything that was made ahead is due
	var states []string
	for range 20 {
		if _, err := c.cancelling(c.store).Decide(c.t.Context()); err != nil { // a fresh one sweeps
			c.t.Fatal(err)
		}
		c.wantNoneTogether("settling")
		states = storetest.Column[string](c.db, "SELECT schedule || ' ' || scheduled_at || ' ' || state FROM triggers ORDER BY schedule, scheduled_at")
		if len(states) == 0 {
			break
		}
		for _, id := range storetest.Column[[16]byte](c.db, "SELECT id FROM triggers WHERE state <> 3 ORDER BY id") {
			c.leaseOne(id)
			if err := c.endOne(c.t.Context(), id, job.Succeeded); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	if blocked := storetest.Value[int](c.db, "SELECT count(*) FROM blocked_jobs"); len(states) > 0 || blocked > 0 {
		c.t.Errorf("%d rows of blocked jobs, and alive for ever: %q", blocked, states)
	}
}

// wantSound checks what holds whenever nobody is at work.
func (c *crowd) wantSound(when string) {
	c.t.Helper()
	c.wantNoneTogether(when)
	forgotten := storetest.Value[int](c.db, `SELECT count(*) FROM triggers AS t WHERE t.state = 3
		AND NOT EXISTS (SELECT FROM blocked_jobs AS b WHERE b.schedule = t.schedule AND b.id = t.id AND b.part = t.part)`)
	if forgotten > 0 {
		c.t.Errorf("%s: %d jobs are blocked, and nobody will decide on them", when, forgotten)
	}
}

// wantAccounted checks the ledger: each nominal time of the rule has one row, and rows with jobs have them.
func (c *crowd) wantAccounted() {
	c.t.Helper()
	until := c.Now().Truncate(time.Second)
	for i, v := range c.views {
		_, every := rings(i)
		wrong := storetest.Column[string](c.db, `
			SELECT s.at::text || ': ' || coalesce(string_agg(o.nominal_at || '-' || o.until_at || ' ' || o.outcome || ' ' || o.reason, ', '), 'none')
			FROM generate_series($3::timestamptz, $4, $5::bigint * interval '1 second') AS s (at)
			LEFT JOIN occurrences AS o ON o.part = $1 AND o.schedule_uid = $2 AND o.origin = 1 AND s.at BETWEEN o.nominal_at AND o.until_at
			GROUP BY s.at HAVING count(o.nominal_at) <> 1 ORDER BY s.at LIMIT 5`, v.Home, v.UID, v.CreateTime.Truncate(every).Add(every), until,
			int64(every/time.Second))
		lost := storetest.Value[int](c.db, `SELECT count(*) FROM occurrences AS o WHERE o.schedule_uid = $1 AND o.outcome IN (1, 2)
			AND NOT EXISTS (SELECT FROM history AS h WHERE h.id = o.job_id AND h.scheduled_at = o.nominal_at)
			AND NOT EXISTS (SELECT FROM triggers AS t WHERE t.id = o.job_id AND t.scheduled_at = o.nominal_at)`, v.UID)
		if len(wrong) > 0 || lost > 0 {
			c.t.Errorf("schedule %s: not exactly one outcome: %q; %d outcomes without their jobs", v.Name, wrong, lost)
		}
	}
	strays := storetest.Value[int](c.db, `SELECT count(*) FROM history AS h WHERE h.reason <> 'WITHDRAWN' AND h.state <> 6
		AND NOT EXISTS (SELECT FROM occurrences AS o WHERE o.job_id = h.id) AND NOT EXISTS (SELECT FROM occurrences AS o WHERE o.origin = 3 AND o.nominal_at = h.scheduled_at)`)
	if strays > 0 {
		c.t.Errorf("%d jobs ran that are in no ledger", strays)
	}
	if n := storetest.Value[int](c.db, "SELECT count(*) FROM occurrences WHERE origin = 2"); n < len(c.runs) || n > len(c.asked) {
		c.t.Errorf("%d manual runs on record, %d were answered and %d asked for", n, len(c.runs), len(c.asked))
	}
	for request, id := range c.runs {
		if storetest.Value[int](c.db, "SELECT count(*) FROM history WHERE id = $1", [16]byte(id)) != 1 {
			c.t.Errorf("the job that call %s was answered with has no end", request)
		}
	}
}

// Materialisers, deciders, callers and workers, who compete and die at any point: each nominal time has one outcome, no two runs
// are alive that must not be, and no job is blocked for ever. BELFRY_NIGHTLY=1 goes on for longer.
func TestOverlaps_AgainstEverybodyAtOnce_AreAccountedForAndEnd(t *testing.T) {
	t.Parallel()
	rounds := 60
	if os.Getenv("BELFRY_NIGHTLY") != "" {
		rounds = 1500
	}
	c := crowded(t, rand.Uint64())
	rng := rand.New(rand.NewPCG(c.seed, 0))
	for n := 1; n <= rounds && !t.Failed(); n++ {
		c.round(n)
		c.wantSound(fmt.Sprint("after round ", n))
		if rng.IntN(15) == 0 {
			c.db.Advance(90 * time.Second) // what was not made is missed
		}
		c.db.Advance(time.Duration(rng.IntN(4000)) * time.Millisecond)
	}
	c.step()
	c.settle()
	for _, v := range c.views {
		c.resume(v.Name)
	}
	c.step()
	c.wantAccounted()
}
