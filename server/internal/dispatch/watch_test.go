package dispatch

import (
	"context"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// A claim whose outcome was unknown and that looks uncommitted may still commit: its lease must be watched, or nobody
// would ever end it.
func TestClaim_OfUnknownOutcome_IsWatchedAlsoIfItLooksUncommitted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	hub := ready.NewHub(ready.Options{})
	hub.SetLane(ready.Lane{ID: 1, Tenant: 1, Queue: 1, Type: "default"})
	d := New(Config{Store: r.store, Catalog: r, Hub: hub, Owner: r, Hints: r, Clock: r.manual, Log: r.log, Metrics: noMetrics{}})
	for unknown, want := range map[bool]int{false: 0, true: 1} {
		id := job.NewID(start, 1)
		hub.Put(1, []wheel.Entry{{ID: id, Version: 1, Lane: 1, DueAt: start.UnixMicro()}})
		call := &leaseCall{LeaseCall: LeaseCall{Max: 1, Lease: time.Minute, Worker: "w"}, done: make(chan struct{}, 1)}
		waiter := hub.Register(ready.Demand{AllTenants: true, Credit: 1}, call)
		claim := d.claimer.take(1)[0].(*claimOp)
		waiter.Close()
		claim.open = unknown
		d.claimer.answer(claim, nil)
		if got := d.Outstanding(); got != want {
			t.Errorf("unknown %v: %d leases watched, want %d", unknown, got, want)
		}
		d.leases.drop(1)
	}
	r.manual.BlockUntil(2) // both look at their row again after a pause
	r.manual.Advance(rereadPause)
	d.background.Wait()
}

// A server that was stopped could take no heartbeats: leases that ended meanwhile get one heartbeat interval.
func TestRescuer_AfterItsProcessWasStopped_HoldsRescues(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = r.runRescuer(ctx) }()
	r.manual.BlockUntil(1)
	r.manual.Advance(10 * time.Second)
	r.manual.BlockUntil(1)
	r.leases.mu.Lock()
	floor := r.leases.floor
	r.leases.mu.Unlock()
	if !floor.Equal(r.manual.Now()) {
		t.Errorf("rescues are held from %v, want %v", floor, r.manual.Now())
	}
	stop()
	<-done
}
