package ready_test

import (
	"math/rand/v2"
	"testing"

	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// crowd is a hub with 10,000 idle lanes, 1,000 idle waiters, and busy lanes of as many tenants with one waiter each.
func crowd(busy int) *ready.Hub {
	h := ready.NewHub(ready.Options{})
	for i := range int32(10_000) {
		h.SetLane(ready.Lane{ID: 100_000 + i, Tenant: 1000 + i%500, Queue: i, Type: "default"})
	}
	for i := range int32(1_000) {
		h.Register(ready.Demand{Tenants: []int32{1000 + i%500}, Queues: []int32{i}, Credit: 10}, nil)
	}
	for i := range int32(busy) {
		h.SetLane(ready.Lane{ID: i, Tenant: i, Queue: i, Type: "default"})
		h.Register(ready.Demand{Tenants: []int32{i}, Queues: []int32{i}, Credit: 1 << 60}, nil)
	}
	return h
}

type cycle struct {
	h      *ready.Hub
	batch  []wheel.Entry
	offers []ready.Offer
	busy   int32
	next   int
	rnd    *rand.Rand
}

func newCycle(busy, depth int) *cycle {
	c := &cycle{h: crowd(busy), batch: make([]wheel.Entry, 100), busy: int32(busy), rnd: rand.New(rand.NewPCG(1, 2))}
	for range busy * depth / len(c.batch) {
		c.put()
	}
	return c
}

func (c *cycle) put() {
	for i := range c.batch {
		c.batch[i] = wheel.Entry{
			ID: idOf(c.next), Lane: int32(c.next) % c.busy, Priority: uint8(c.rnd.IntN(10)), DueAt: int64(c.next),
		}
		c.next++
	}
	c.h.Put(0, c.batch)
}

// round moves 100 entries in and 100 out.
func (c *cycle) round() {
	c.put()
	c.offers = c.h.NextBatch(len(c.batch), c.offers[:0])
	c.h.Claimed(c.offers)
}

// BenchmarkCycle reports the time of Put, NextBatch and Claimed together for one entry (one op = 1 entry).
func BenchmarkCycle(b *testing.B) {
	for _, c := range []struct {
		name        string
		busy, depth int
	}{{"1 lane 1000 deep", 1, 1000}, {"100 lanes 1000 deep", 100, 1000}, {"10 lanes empty", 10, 0}} {
		b.Run(c.name, func(b *testing.B) {
			c := newCycle(c.busy, c.depth)
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i += len(c.batch) {
				c.round()
			}
		})
	}
}

// BenchmarkPoll registers and closes one waiter among 1,000 others (one op = both).
func BenchmarkPoll(b *testing.B) {
	h := crowd(1)
	b.ReportAllocs()
	for b.Loop() {
		h.Register(ready.Demand{Tenants: []int32{1000}, Queues: []int32{1, 2}, Credit: 10}, nil).Close()
	}
}

// Not parallel: testing.AllocsPerRun counts the allocations of the whole process.
func TestHub_SteadyStateAllocatesNothing(t *testing.T) {
	c := newCycle(10, 100)
	for range 1000 {
		c.round()
	}
	if allocs := testing.AllocsPerRun(100, c.round); allocs > 1 {
		t.Fatalf("%v allocations for 100 entries in and out", allocs)
	}
}
