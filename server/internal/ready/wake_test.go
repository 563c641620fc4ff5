package ready_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

func hasToken(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

func TestWaitWork_SignalsOnlyWhenAnEntryHasAWaiter(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA, tenantB)
	fill(h, tenantA, 0, 2)
	if hasToken(h.WaitWork()) {
		t.Fatal("a token without demand")
	}
	b := h.Register(ready.Demand{Tenants: []int32{tenantB}, Credit: 1}, nil)
	defer b.Close()
	if hasToken(h.WaitWork()) {
		t.Fatal("a token for another tenant's demand")
	}
	a := h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 2}, nil)
	defer a.Close()
	if !hasToken(h.WaitWork()) {
		t.Fatal("no token when demand met an entry")
	}
	if got := h.NextBatch(1, nil); len(got) != 1 || !hasToken(h.WaitWork()) {
		t.Fatal("no token although the batch left an entry with a waiter")
	}
	if got := h.NextBatch(1, nil); len(got) != 1 || hasToken(h.WaitWork()) {
		t.Fatal("a token although credit is used up")
	}
	if a.Credit() != 0 || a.Closed() {
		t.Fatalf("credit %d, closed %v", a.Credit(), a.Closed())
	}
}

func TestReturn_PassesAClosedWaitersEntryOn(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	fill(h, tenantA, 0, 1)
	demand := ready.Demand{Tenants: []int32{tenantA}, Credit: 1}
	first := h.Register(demand, nil)
	got := h.NextBatch(10, nil)
	second := h.Register(demand, nil)
	defer second.Close()
	hasToken(h.WaitWork())
	first.Close()
	first.Close()
	if !first.Closed() || len(h.NextBatch(10, nil)) != 0 {
		t.Fatal("an entry was offered twice")
	}
	h.Return(got)
	if !hasToken(h.WaitWork()) {
		t.Fatal("the wake-up was lost with the closed waiter")
	}
	if got = h.NextBatch(10, nil); len(got) != 1 || got[0].Waiter != second {
		t.Fatalf("the next waiter did not get the entry: %+v", got)
	}
}

func TestForget_GivesCreditBackAndAdmitsTheRereadRow(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	fill(h, tenantA, 0, 1)
	w := h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 1}, nil)
	defer w.Close()
	got := h.NextBatch(10, nil)
	newer := got[0].Entry
	newer.Version++
	h.Put(0, []wheel.Entry{newer})
	if len(h.NextBatch(10, nil)) != 0 {
		t.Fatal("a reserved entry was offered again")
	}
	h.Forget(got)
	if got = h.NextBatch(10, nil); len(got) != 1 || got[0].Entry != newer {
		t.Fatalf("the newer version was not offered: %+v", got)
	}
}

func TestSettle_AnOldOfferDoesNotEndANewOne(t *testing.T) {
	t.Parallel()
	h := newHub(tenantA)
	fill(h, tenantA, 0, 1)
	defer h.Register(ready.Demand{Tenants: []int32{tenantA}, Credit: 5}, nil).Close()
	old := h.NextBatch(1, nil)
	h.Remove(old[0].Entry.ID)
	edited := old[0].Entry
	edited.Version++
	h.Put(0, []wheel.Entry{edited})
	if got := h.NextBatch(1, nil); len(got) != 1 || got[0].Entry != edited {
		t.Fatalf("offered %+v", got)
	}
	h.Return(old)
	if got := h.NextBatch(1, nil); len(got) != 0 {
		t.Fatal("the entry is offered twice at a time")
	}
}

// TestHub_NoWakeUpIsLostUnderConcurrency runs producers, pollers that come and go, and a dispatcher that only ever acts
// on a token. If a wake-up were lost, entries would be left and the test would not end.
func TestHub_NoWakeUpIsLostUnderConcurrency(t *testing.T) {
	t.Parallel()
	const producers, each, pollers = 4, 2000, 8
	h := newHub(1, 2, 3)
	done := make(chan struct{})
	timeout := time.After(time.Minute)
	var all sync.WaitGroup
	for p := range producers {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(p), 1))
			for i := range each {
				e := wheel.Entry{ID: idOf(p*each + i), Lane: rnd.Int32N(3) + 1, Priority: uint8(rnd.IntN(10))}
				for h.Put(int16(p), []wheel.Entry{e}).Refused > 0 {
					select {
					case <-done:
						return
					default:
					}
				}
			}
		})
	}
	for p := range pollers {
		all.Go(func() { poll(h, uint64(p), done) })
	}
	dispatched := dispatch(h, producers*each, timeout)
	close(done)
	all.Wait()
	if dispatched != producers*each {
		t.Fatalf("%d of %d entries came out", dispatched, producers*each)
	}
}

// poll registers demand again and again; it leaves when it has been offered something, or on a whim.
func poll(h *ready.Hub, seed uint64, done <-chan struct{}) {
	rnd := rand.New(rand.NewPCG(seed, 2))
	for {
		fed := make(chan struct{}, 100)
		d := ready.Demand{Credit: rnd.IntN(20) + 1}
		switch rnd.IntN(3) {
		case 0:
			d.AllTenants = true
		case 1:
			d.Tenants = []int32{1, 2, 3}
			d.Queues = []int32{1, 2, 3}
		default:
			d.Tenants = []int32{rnd.Int32N(3) + 1}
		}
		w := h.Register(d, fed)
		if rnd.IntN(3) > 0 {
			select {
			case <-fed:
			case <-time.After(time.Millisecond):
			case <-done:
				return
			}
		}
		w.Close()
		select {
		case <-done:
			return
		default:
		}
	}
}

// dispatch claims until want entries are claimed; offers of closed waiters go back, and so does every tenth batch.
func dispatch(h *ready.Hub, want int, timeout <-chan time.Time) int {
	claimed, batches := 0, 0
	seen := map[[16]byte]bool{}
	for claimed < want {
		select {
		case <-h.WaitWork():
		case <-timeout:
			return claimed
		}
		for {
			batch := h.NextBatch(50, nil)
			if len(batch) == 0 {
				break
			}
			batches++
			for i := range batch {
				o := batch[i : i+1]
				if o[0].Waiter.Closed() || batches%10 == 0 {
					h.Return(o)
					continue
				}
				h.Claimed(o)
				if !seen[o[0].Entry.ID] {
					seen[o[0].Entry.ID] = true
					claimed++
				}
				if fed, ok := o[0].Waiter.Tag.(chan struct{}); ok {
					select {
					case fed <- struct{}{}:
					default:
					}
				}
			}
		}
	}
	return claimed
}
