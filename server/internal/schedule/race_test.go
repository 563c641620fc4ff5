package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// mortal is a store whose caller dies at random: before a statement, in its middle, or when it has committed and nobody
// has heard of it.
type mortal struct {
	*store.Store
	mu  sync.Mutex
	rng *rand.Rand
}

var errDied = errors.New("died")

func (s *mortal) roll(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rng.IntN(n)
}

// Materialise implements Ledger.
func (s *mortal) Materialise(ctx context.Context, items []*store.Materialisation) ([]wheel.Entry, error) {
	switch s.roll(4) {
	case 0:
		return nil, errDied
	case 1:
		ctx, cancel := context.WithTimeout(ctx, time.Duration(s.roll(3000))*time.Microsecond)
		defer cancel()
		return s.Store.Materialise(ctx, items)
	case 2:
		if _, err := s.Store.Materialise(ctx, items); err != nil {
			return nil, err
		}
		return nil, errDied
	}
	return s.Store.Materialise(ctx, items)
}

// wantExactlyOnce checks every second between two instants: one outcome each, and one job for each that says so.
func (w *world) wantExactlyOnce(v View, from, to time.Time) {
	w.t.Helper()
	seconds := int(to.Sub(from)/time.Second) + 1
	covered := storetest.Column[int](w.db, `
		SELECT count(o.nominal_at) FROM generate_series($3::timestamptz, $4, '1 second') AS s (at)
		LEFT JOIN occurrences AS o ON o.part = $1 AND o.schedule_uid = $2 AND s.at BETWEEN o.nominal_at AND o.until_at AND o.outcome <> 5
		GROUP BY s.at HAVING count(o.nominal_at) <> 1`, v.Home, v.UID, from, to)
	if len(covered) > 0 {
		w.t.Errorf("schedule %s: %d of %d nominal times have not exactly one outcome: %v", v.Name, len(covered), seconds, covered)
	}
	lost := storetest.Value[int](w.db, `
		SELECT count(*) FROM occurrences AS o WHERE o.part = $1 AND o.schedule_uid = $2 AND o.outcome IN (1, 2)
		AND NOT EXISTS (SELECT FROM triggers AS t WHERE t.id = o.job_id AND t.schedule = $3 AND t.scheduled_at = o.nominal_at)`,
		v.Home, v.UID, v.ID)
	strays := storetest.Value[int](w.db, `
		SELECT count(*) FROM triggers AS t WHERE t.schedule = $3 AND NOT EXISTS (
		    SELECT FROM occurrences AS o WHERE o.part = $1 AND o.schedule_uid = $2 AND o.job_id = t.id AND o.outcome IN (1, 2))`,
		v.Home, v.UID, v.ID)
	if lost != 0 || strays != 0 {
		w.t.Errorf("schedule %s: %d outcomes without their job, %d jobs without their outcome", v.Name, lost, strays)
	}
}

// P-SHU-03: materialisers that compete and die at any point make each occurrence once.
func TestMaterialise_CompetingAndDying_MakesEachOccurrenceOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	var views []View
	for i := range 8 {
		views = append(views, w.create(fmt.Sprintf("s%d", i), "* * * * * *", ""))
	}
	other := w.db.Open()
	const rounds, nodes = 60, 3
	for round := range rounds {
		var wg sync.WaitGroup
		for n := range nodes {
			ledger := &mortal{Store: w.store, rng: rand.New(rand.NewPCG(uint64(round), uint64(n)))}
			if n == nodes-1 {
				ledger.Store = other
			}
			m := w.node(ledger) // fresh: nothing is remembered from before
			m.cfg.Batch = 3
			wg.Go(func() { _, _ = m.Materialise(t.Context()) })
		}
		wg.Wait()
		w.db.Advance(time.Duration(1+round%7) * time.Second)
	}
	w.step()
	until := w.Now().Truncate(time.Second)
	for _, v := range views {
		w.wantExactlyOnce(v, v.CreateTime.Truncate(time.Second).Add(time.Second), until)
	}
}

// Edits, pauses and resumes at any moment neither lose a nominal time nor give it two outcomes.
func TestMaterialise_RacingWithChanges_MakesEachOccurrenceOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	v := w.create("s", "* * * * * *", "")
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		m := w.node(w.store)
		wg.Go(func() {
			for ctx.Err() == nil {
				if _, err := m.Materialise(ctx); err != nil && ctx.Err() == nil {
					t.Errorf("materialise: %v", err)
				}
			}
		})
	}
	for i := range 25 {
		w.edit("s", func(d *Draft) { d.Template.Priority = int16(i % 10) })
		w.pause("s")
		w.db.Advance(time.Duration(i%4) * time.Second)
		w.resume("s")
	}
	stop()
	wg.Wait()
	w.step()
	w.wantExactlyOnce(v, v.CreateTime.Truncate(time.Second).Add(time.Second), w.Now().Truncate(time.Second))
}

// claimAll leases whatever has been offered and is due, again and again, as busy workers do.
func (w *world) claimAll(ctx context.Context, p store.PartitionState) {
	for ctx.Err() == nil {
		batch := &store.ClaimBatch{Part: p.Part, Epoch: p.Epoch, Config: p.Config, ClaimID: rand.Int64()}
		entries := w.hints.entries()
		seen := map[job.ID]bool{}
		for _, e := range entries[max(0, len(entries)-200):] {
			if !seen[e.ID] {
				seen[e.ID] = true
				batch.Items = append(batch.Items, store.ClaimItem{ID: e.ID, Version: e.Version, Lease: time.Minute, Timeout: time.Hour, Worker: "w"})
			}
		}
		if err := w.store.Commit(ctx, &store.HotTx{Claims: []*store.ClaimBatch{batch}}); err != nil && ctx.Err() == nil {
			w.t.Errorf("claim: %v", err)
		}
	}
}

// When PauseSchedule has answered, nothing is leased any more that was not leased before.
func TestPause_AgainstBusyWorkers_StopsLeasing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	v := w.create("s", "* * * * * *", "")
	owned, err := w.store.TakePartitions(t.Context(), "test", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	var part store.PartitionState
	for _, p := range owned {
		if p.Part == v.Part {
			part = p
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { w.claimAll(ctx, part) })
	}
	m := w.node(w.store)
	wg.Go(func() {
		for ctx.Err() == nil {
			_, _ = m.Materialise(ctx)
		}
	})
	w.wantLeasingToStop(v, 15, func() { w.pause("s") }, func() { w.resume("s") })
	stop()
	wg.Wait()
	w.step()
	w.wantExactlyOnce(v, v.CreateTime.Truncate(time.Second).Add(time.Second), w.Now().Truncate(time.Second))
}

// wantLeasingToStop lets busy workers lease the jobs of a schedule that fires each second, and stops it, in turns: when stop
// has answered, nothing is leased any more that was not leased before.
func (w *world) wantLeasingToStop(v View, rounds int, stop, goOn func()) {
	w.t.Helper()
	leased := func() int {
		return storetest.Value[int](w.db, "SELECT count(*) FROM triggers WHERE schedule = $1 AND leases > 0", v.ID)
	}
	for range rounds {
		busy := leased()
		w.db.Advance(2 * time.Second)
		for deadline := time.Now().Add(10 * time.Second); leased() == busy; {
			if time.Now().After(deadline) {
				w.t.Fatal("nothing is leased while nothing is stopped")
			}
		}
		stop()
		before := leased()
		w.db.Advance(31 * time.Second) // everything that was made ahead would be due now
		for range 5 {
			if after := leased(); after != before {
				w.t.Fatalf("%d jobs were leased when leasing had been stopped, and %d later", before, after)
			}
		}
		goOn()
	}
}
