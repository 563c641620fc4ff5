package ready_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// idOf makes distinct ids out of small numbers.
func idOf(n int) job.ID {
	var id job.ID
	binary.BigEndian.PutUint64(id[8:], uint64(n))
	return id
}

// model is a hub without limits as lists and loops would do it.
type model struct {
	h       *ready.Hub
	lanes   map[int32]ready.Lane
	items   map[job.ID]*modelItem
	waiters []*modelWaiter
	offers  []ready.Offer // not settled
}

type modelItem struct {
	wheel.Entry
	part    int16
	offered bool
	as      int64 // version offered
	dead    bool  // its lane or partition went while it was offered
}

type modelWaiter struct {
	w       *ready.Waiter
	d       ready.Demand
	credit  int
	bytes   int
	offered int
	closed  bool
}

func (m *model) matches(w *modelWaiter, it *modelItem) bool {
	l, ok := m.lanes[it.Lane]
	return ok && !l.Paused && !it.offered && !w.closed && w.credit > 0 &&
		(w.d.AllTenants || slices.Contains(w.d.Tenants, l.Tenant)) &&
		(len(w.d.Queues) == 0 || slices.Contains(w.d.Queues, l.Queue)) &&
		(len(w.d.Types) == 0 || slices.Contains(w.d.Types, l.Type))
}

// hungry lists the tenants with an entry that some waiter must be offered; byte limits make others possible.
func (m *model) hungry() map[int32]bool {
	tenants := map[int32]bool{}
	for _, w := range m.waiters {
		for _, it := range m.items {
			if m.matches(w, it) && (w.d.MaxBytes == 0 || w.offered == 0) {
				tenants[m.lanes[it.Lane].Tenant] = true
			}
		}
	}
	return tenants
}

func (m *model) setLane(t *rapid.T) {
	id := rapid.Int32Range(1, 6).Draw(t, "lane")
	shape := id
	if rapid.IntRange(0, 9).Draw(t, "move") == 0 {
		shape = rapid.Int32Range(1, 12).Draw(t, "shape")
	}
	l := ready.Lane{
		ID: id, Tenant: shape % 3, Queue: shape % 2, Type: []string{"a", "b"}[shape/3%2],
		Paused: rapid.IntRange(0, 3).Draw(t, "paused") == 0,
	}
	m.h.SetLane(l)
	m.lanes[id] = l
}

func (m *model) drop(gone func(*modelItem) bool) {
	for id, it := range m.items {
		if gone(it) && it.offered {
			it.dead = true
		} else if gone(it) {
			delete(m.items, id)
		}
	}
}

func (m *model) removeLane(t *rapid.T) {
	lane := rapid.Int32Range(1, 6).Draw(t, "lane")
	m.h.RemoveLane(lane)
	if _, known := m.lanes[lane]; known {
		m.drop(func(it *modelItem) bool { return it.Lane == lane })
	}
	delete(m.lanes, lane)
}

func (m *model) dropPartition(t *rapid.T) {
	part := rapid.Int16Range(0, 1).Draw(t, "part")
	m.h.DropPartition(part)
	m.drop(func(it *modelItem) bool { return it.part == part })
}

func (m *model) put(t *rapid.T) {
	part := rapid.Int16Range(0, 1).Draw(t, "part")
	var entries []wheel.Entry
	var want ready.PutResult
	for range rapid.IntRange(1, 12).Draw(t, "n") {
		n := rapid.IntRange(0, 30).Draw(t, "id")
		version := rapid.Int64Range(1, 4).Draw(t, "version")
		e := wheel.Entry{
			ID: idOf(2*n + int(part)), Version: version, Lane: int32((n+int(version)/3)%6 + 1),
			// What a version says never changes.
			Priority: uint8(n % 3), DueAt: int64(n)*version%5 + 1, Size: uint32(n % 4),
		}
		entries = append(entries, e)
		m.count(part, e, &want)
	}
	if got := m.h.Put(part, entries); got != want {
		t.Fatalf("Put says %+v, want %+v", got, want)
	}
}

func (m *model) count(part int16, e wheel.Entry, want *ready.PutResult) {
	it := m.items[e.ID]
	switch _, known := m.lanes[e.Lane]; {
	case !known:
		want.Unknown++
	case it == nil:
		m.items[e.ID] = &modelItem{Entry: e, part: part}
		want.Accepted++
	case e.Version > it.Version:
		it.Entry, it.dead = e, false
		want.Accepted++
	default:
		it.dead = it.dead && e.Version != it.Version
		want.Held++
	}
}

func (m *model) remove(t *rapid.T) {
	id := idOf(rapid.IntRange(0, 61).Draw(t, "id"))
	m.h.Remove(id)
	delete(m.items, id)
}

func (m *model) register(t *rapid.T) {
	d := ready.Demand{
		AllTenants: rapid.IntRange(0, 2).Draw(t, "all") == 0,
		Tenants:    rapid.SliceOfN(rapid.Int32Range(0, 3), 0, 3).Draw(t, "tenants"),
		Queues:     rapid.SliceOfN(rapid.Int32Range(0, 2), 0, 2).Draw(t, "queues"),
		Types:      rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2).Draw(t, "types"),
		Credit:     rapid.IntRange(0, 8).Draw(t, "credit"),
		MaxBytes:   rapid.SampledFrom([]int{0, 0, 1, 5}).Draw(t, "bytes"),
	}
	w := &modelWaiter{d: d, credit: d.Credit, bytes: d.MaxBytes}
	w.w = m.h.Register(d, w)
	m.waiters = append(m.waiters, w)
}

func (m *model) close(t *rapid.T) {
	if len(m.waiters) == 0 {
		return
	}
	w := rapid.SampledFrom(m.waiters).Draw(t, "waiter")
	w.w.Close()
	w.closed = true
}

func (m *model) nextBatch(t *rapid.T) {
	select {
	case <-m.h.WaitWork():
	default:
	}
	limit := rapid.SampledFrom([]int{0, 1, 3, 10, 100}).Draw(t, "limit")
	got := m.h.NextBatch(limit, nil)
	served := map[int32]int{}
	for _, o := range got {
		m.checkOffer(t, o)
		served[m.lanes[o.Entry.Lane].Tenant]++
	}
	m.offers = append(m.offers, got...)
	left := m.hungry()
	if len(got) < limit && len(left) > 0 {
		t.Fatalf("%d offers of %d although tenants %v have matches", len(got), limit, left)
	}
	for a := range left {
		for b := range left {
			if served[a]-served[b] > 2 {
				t.Fatalf("tenant %d got %d, tenant %d got %d, and both have more", a, served[a], b, served[b])
			}
		}
	}
}

func (m *model) checkOffer(t *rapid.T, o ready.Offer) {
	w, _ := o.Waiter.Tag.(*modelWaiter)
	it := m.items[o.Entry.ID]
	if it == nil || it.Entry != o.Entry || it.part != o.Part {
		t.Fatalf("offered %+v of partition %d, which holds %+v", o.Entry, o.Part, it)
	}
	if !m.matches(w, it) {
		t.Fatalf("offered %+v of lane %+v to %+v", o.Entry, m.lanes[it.Lane], w)
	}
	if w.d.MaxBytes > 0 && w.offered > 0 && int(o.Entry.Size) > w.bytes {
		t.Fatalf("offered %d bytes to a waiter with %d left", o.Entry.Size, w.bytes)
	}
	for _, other := range m.items {
		if m.matches(w, other) && m.lanes[other.Lane].Tenant == m.lanes[it.Lane].Tenant &&
			ready.PositionOf(other.Entry).Compare(ready.PositionOf(it.Entry)) < 0 {
			t.Fatalf("offered %+v before %+v", it.Entry, other.Entry)
		}
	}
	it.offered, it.as = true, it.Version
	w.credit--
	w.offered++
	w.bytes -= int(o.Entry.Size)
}

func (m *model) settle(t *rapid.T) {
	if len(m.offers) == 0 {
		return
	}
	from := rapid.IntRange(0, len(m.offers)-1).Draw(t, "from")
	to := rapid.IntRange(from, len(m.offers)).Draw(t, "to")
	some := slices.Clone(m.offers[from:to])
	m.offers = slices.Delete(m.offers, from, to)
	how := rapid.SampledFrom([]string{"claimed", "return", "forget"}).Draw(t, "how")
	switch how {
	case "claimed":
		m.h.Claimed(some)
	case "return":
		m.h.Return(some)
	default:
		m.h.Forget(some)
	}
	for _, o := range some {
		if w, _ := o.Waiter.Tag.(*modelWaiter); how != "claimed" {
			w.credit++
			w.offered--
			w.bytes += int(o.Entry.Size)
		}
		it := m.items[o.Entry.ID]
		if it == nil || !it.offered || it.as != o.Entry.Version {
			continue
		}
		it.offered = false
		if it.dead || how != "return" && it.Version == it.as {
			delete(m.items, o.Entry.ID)
		}
	}
}

func (m *model) check(t *rapid.T) {
	if len(m.hungry()) > 0 && len(m.h.WaitWork()) == 0 {
		t.Fatal("lost wake-up: there is a match and no token")
	}
	depth := map[int32]int{}
	readyItems, offered := 0, 0
	for _, it := range m.items {
		if it.offered {
			offered++
		} else {
			readyItems++
			depth[it.Lane]++
		}
	}
	s := m.h.Stats()
	if s.Ready != readyItems || s.Offered != offered || s.Lanes != len(m.lanes) || s.Bounded != 0 {
		t.Fatalf("stats %+v, want %d ready, %d offered, %d lanes", s, readyItems, offered, len(m.lanes))
	}
	for id := range m.lanes {
		if got := m.h.Depth(id); got != depth[id] {
			t.Fatalf("lane %d is %d deep, want %d", id, got, depth[id])
		}
	}
	for n := range 62 {
		v, ok := m.h.Version(idOf(n))
		if it := m.items[idOf(n)]; ok != (it != nil) || ok && v != it.Version {
			t.Fatalf("Version(%d) = %d %v, model %+v", n, v, ok, it)
		}
	}
}

func TestHub_BehavesLikeListsAndLoops(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &model{
			h:     ready.NewHub(ready.Options{}),
			lanes: map[int32]ready.Lane{},
			items: map[job.ID]*modelItem{},
		}
		for id := int32(1); id <= 4; id++ {
			l := ready.Lane{ID: id, Tenant: id % 3, Queue: id % 2, Type: []string{"a", "b"}[id/3%2]}
			m.h.SetLane(l)
			m.lanes[id] = l
		}
		t.Repeat(map[string]func(*rapid.T){
			"set lane": m.setLane, "remove lane": m.removeLane, "drop partition": m.dropPartition,
			"put": m.put, "put again": m.put, "remove": m.remove,
			"register": m.register, "register again": m.register, "close": m.close,
			"next batch": m.nextBatch, "next batch again": m.nextBatch, "settle": m.settle, "settle again": m.settle,
			"": m.check,
		})
	})
}
