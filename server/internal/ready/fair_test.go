package ready_test

import (
	"strconv"
	"testing"

	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

const (
	tenantA = int32(1)
	tenantB = int32(2)
)

// newHub has lane n for tenant n, queue n, for each n given.
func newHub(tenants ...int32) *ready.Hub {
	h := ready.NewHub(ready.Options{})
	for _, n := range tenants {
		h.SetLane(ready.Lane{ID: n, Tenant: n, Queue: n, Type: "default"})
	}
	return h
}

// fill puts n entries of priority 5 into a lane; ids are first, first+1, …, and so are the due instants.
func fill(h *ready.Hub, lane int32, first, n int) {
	entries := make([]wheel.Entry, n)
	for i := range entries {
		entries[i] = wheel.Entry{ID: idOf(first + i), Lane: lane, Priority: 5, DueAt: int64(first + i), Size: 100}
	}
	h.Put(0, entries)
}

func perLane(offers []ready.Offer) map[int32]int {
	n := map[int32]int{}
	for _, o := range offers {
		n[o.Entry.Lane]++
	}
	return n
}

func TestNextBatch_ASmallTenantIsInTheNextBatchBesideABacklog(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA, tenantB)
	fill(h, tenantA, 0, 1000)
	pool := ready.Demand{AllTenants: true, Credit: 10}
	for range 5 {
		w := h.Register(pool, nil)
		h.Claimed(h.NextBatch(10, nil))
		w.Close()
	}
	fill(h, tenantB, 5000, 1)
	defer h.Register(pool, nil).Close()
	if got := perLane(h.NextBatch(10, nil)); got[tenantB] != 1 || got[tenantA] != 9 {
		t.Fatalf("offers per tenant: %v", got)
	}
}

func TestNextBatch_IdlenessEarnsNoCredit(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA, tenantB)
	// B has work all the time, but nobody asks for it.
	fill(h, tenantA, 0, 1000)
	fill(h, tenantB, 5000, 1000)
	defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 1000}, nil).Close()
	h.Claimed(h.NextBatch(500, nil))
	defer h.Register(ready.Demand{AllTenants: true, Credit: 1000}, nil).Close()
	got := perLane(h.NextBatch(100, nil))
	if d := got[tenantA] - got[tenantB]; d < -2 || d > 2 {
		t.Fatalf("offers per tenant: %v", got)
	}
}

func TestNextBatch_ATenantsShareDoesNotGrowWithItsQueuesOrWaiters(t *testing.T) {
	t.Parallel()
	h := newHub(tenantB)
	fill(h, tenantB, 0, 500)
	defer h.Register(ready.Demand{Tenants: []int32{tenantB}, Credit: 500}, nil).Close()
	for q := int32(100); q < 150; q++ {
		h.SetLane(ready.Lane{ID: q, Tenant: tenantA, Queue: q, Type: "default"})
		fill(h, q, int(q)*1000, 10)
		defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Queues: []int32{q}, Credit: 10}, nil).Close()
	}
	got := perLane(h.NextBatch(200, nil))
	if got[tenantB] < 99 || got[tenantB] > 101 {
		t.Fatalf("the tenant with one queue got %d of 200", got[tenantB])
	}
	for q := int32(100); q < 150; q++ {
		if got[q] != 2 {
			t.Fatalf("queue %d got %d offers of 100 for 50 queues", q, got[q])
		}
	}
}

func TestNextBatch_OneDemandOverLanesIsServedByPriorityThenDue(t *testing.T) {
	t.Parallel()
	h := ready.NewHub(ready.Options{})
	for id := int32(1); id <= 3; id++ {
		h.SetLane(ready.Lane{ID: id, Tenant: tenantA, Queue: id, Type: "default"})
	}
	h.Put(0, []wheel.Entry{
		{ID: idOf(1), Lane: 1, Priority: 9, DueAt: 1},
		{ID: idOf(2), Lane: 1, Priority: 5, DueAt: 7},
		{ID: idOf(3), Lane: 2, Priority: 5, DueAt: 3},
		{ID: idOf(4), Lane: 2, Priority: 0, DueAt: 9},
		{ID: idOf(6), Lane: 3, Priority: 5, DueAt: 5},
	})
	// The same lane in another partition.
	h.Put(1, []wheel.Entry{{ID: idOf(5), Lane: 3, Priority: 5, DueAt: 5}})
	defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Queues: []int32{1, 2, 3}, Credit: 10}, nil).Close()
	got := h.NextBatch(10, nil)
	for i, n := range []int{4, 3, 5, 6, 2, 1} {
		if i >= len(got) || got[i].Entry.ID != idOf(n) {
			t.Fatalf("offer %d is not entry %d: %+v", i, n, got)
		}
	}
}

func TestNextBatch_LanesOfEqualStandingAreServedByDueInstant(t *testing.T) {
	t.Parallel()
	h := ready.NewHub(ready.Options{})
	for id := int32(1); id <= 2; id++ {
		h.SetLane(ready.Lane{ID: id, Tenant: tenantA, Queue: id, Type: "default"})
		fill(h, id, int(id)*1000, 100)
	}
	for i := range 50 {
		h.Put(0, []wheel.Entry{{ID: idOf(5000 + i), Lane: int32(i%2 + 1), DueAt: int64(i)}})
	}
	defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 50}, nil).Close()
	if got := perLane(h.NextBatch(50, nil)); got[1] != 25 || got[2] != 25 {
		t.Fatalf("offers per lane: %v", got)
	}
}

func TestNextBatch_WaitersOfOneSourceTakeTurns(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	fill(h, tenantA, 0, 1000)
	got := map[*ready.Waiter]int{}
	for range 10 {
		got[h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 100}, nil)] = 0
	}
	for _, o := range h.NextBatch(100, nil) {
		got[o.Waiter]++
	}
	for w, n := range got {
		if n != 10 {
			t.Fatalf("a waiter of ten got %d of 100 offers", n)
		}
		w.Close()
	}
}

func TestNextBatch_OwnAndPlatformDemandShareATenantsWork(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	fill(h, tenantA, 0, 1000)
	own := h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 100}, nil)
	defer own.Close()
	defer h.Register(ready.Demand{AllTenants: true, Credit: 100}, nil).Close()
	n := 0
	for _, o := range h.NextBatch(100, nil) {
		if o.Waiter == own {
			n++
		}
	}
	if n < 45 || n > 55 {
		t.Fatalf("the tenant's own waiter got %d of 100", n)
	}
}

func TestNextBatch_EntriesAreOfferedToAsManyWaitersAsNeeded(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	for range 1000 {
		defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 1}, nil).Close()
	}
	fill(h, tenantA, 0, 3)
	got := h.NextBatch(100, nil)
	if len(got) != 3 || got[0].Waiter == got[1].Waiter || got[1].Waiter == got[2].Waiter {
		t.Fatalf("%d offers for 3 entries", len(got))
	}
}

func TestNextBatch_APausedLaneIsKeptButNotOffered(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	fill(h, tenantA, 0, 3)
	defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 10}, nil).Close()
	l := ready.Lane{ID: tenantA, Tenant: tenantA, Queue: tenantA, Type: "default", Paused: true}
	h.SetLane(l)
	if got := h.NextBatch(10, nil); len(got) != 0 || h.Depth(tenantA) != 3 {
		t.Fatalf("%d offers of a paused lane, depth %d", len(got), h.Depth(tenantA))
	}
	<-h.WaitWork()
	l.Paused = false
	h.SetLane(l)
	<-h.WaitWork()
	if got := h.NextBatch(10, nil); len(got) != 3 {
		t.Fatalf("%d offers after resuming", len(got))
	}
}

func TestNextBatch_ByteLimitStopsButNeverStarves(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	fill(h, tenantA, 0, 10) // 100 bytes each
	small := h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 10, MaxBytes: 50}, nil)
	defer small.Close()
	first := h.NextBatch(10, nil)
	if len(first) != 1 {
		t.Fatalf("%d entries of 100 bytes for a limit of 50; one must be offered whatever its size", len(first))
	}
	h.Claimed(first)
	defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 10, MaxBytes: 250}, nil).Close()
	if got := h.NextBatch(10, nil); len(got) != 2 {
		t.Fatalf("%d entries of 100 bytes for a limit of 250", len(got))
	}
}

func TestRegister_ManyFormsOfPlatformDemand(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA, tenantB)
	fill(h, tenantA, 0, 200)
	fill(h, tenantB, 1000, 200)
	// More forms than the hub keeps without demand, then those again.
	for i := range 300 {
		w := h.Register(ready.Demand{AllTenants: true, Types: []string{strconv.Itoa(i % 150), "default"}, Credit: 1}, nil)
		got := h.NextBatch(10, nil)
		if len(got) != 1 {
			t.Fatalf("round %d: %d offers", i, len(got))
		}
		h.Claimed(got)
		w.Close()
	}
	if a, b := h.Depth(tenantA), h.Depth(tenantB); a != 50 || b != 50 {
		t.Fatalf("%d and %d entries left, want 50 each", a, b)
	}
}
