package ready_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// storeModel is a store with more due rows than the hub may hold, and a loader that pages them in when asked.
type storeModel struct {
	h       *ready.Hub
	rows    map[job.ID]wheel.Entry // due and pending
	unseen  map[job.ID]bool        // written, but not yet read by the loader's near window
	offers  []ready.Offer
	pending []pendingPage
	next    int
}

// pendingPage is a page that was read but not yet handed in.
type pendingPage struct {
	refill ready.Refill
	rows   []wheel.Entry
	more   bool
}

const storeLanes = 3

func newStoreModel(o ready.Options) *storeModel {
	m := &storeModel{h: ready.NewHub(o), rows: map[job.ID]wheel.Entry{}, unseen: map[job.ID]bool{}}
	for id := int32(1); id <= storeLanes; id++ {
		m.h.SetLane(ready.Lane{ID: id, Tenant: id, Queue: 1, Type: "default"})
	}
	m.h.Register(ready.Demand{AllTenants: true, Credit: 1_000_000}, nil)
	return m
}

func (m *storeModel) create(t *rapid.T) {
	for range rapid.IntRange(1, 8).Draw(t, "n") {
		m.next++
		e := wheel.Entry{
			ID: idOf(m.next), Version: 1, Lane: rapid.Int32Range(1, storeLanes).Draw(t, "lane"),
			Priority: rapid.Uint8Range(0, 2).Draw(t, "priority"), DueAt: rapid.Int64Range(1, 50).Draw(t, "due"),
		}
		m.rows[e.ID] = e
		if rapid.Bool().Draw(t, "hint lost") {
			m.unseen[e.ID] = true
		} else {
			m.h.Put(0, []wheel.Entry{e})
		}
	}
}

// herd is more of one lane than the hub may hold, in falling order, so that each is better than those before.
func (m *storeModel) herd(t *rapid.T) {
	lane := rapid.Int32Range(1, storeLanes).Draw(t, "lane")
	for i := range rapid.IntRange(1, 30).Draw(t, "n") {
		m.next++
		e := wheel.Entry{ID: idOf(m.next), Version: 1, Lane: lane, DueAt: int64(50 - i)}
		m.rows[e.ID] = e
		m.h.Put(0, []wheel.Entry{e})
	}
}

// reread is the loader's near window: it puts whatever came in since the last time.
func (m *storeModel) reread(*rapid.T) {
	var page []wheel.Entry
	for id := range m.unseen {
		page = append(page, m.rows[id])
	}
	slices.SortFunc(page, func(a, b wheel.Entry) int { return ready.PositionOf(a).Compare(ready.PositionOf(b)) })
	m.h.Put(0, page)
	clear(m.unseen)
}

// backlog is a load that found too many rows of a lane and leaves them to paging.
func (m *storeModel) backlog(t *rapid.T) {
	lane := rapid.Int32Range(1, storeLanes).Draw(t, "lane")
	m.h.Backlog(0, lane, ready.Position{})
	for id := range m.unseen {
		if m.rows[id].Lane == lane {
			delete(m.unseen, id)
		}
	}
}

func (m *storeModel) readPages(*rapid.T) {
	for _, r := range m.h.TakeRefills(nil) {
		rows, more := m.read(r)
		m.pending = append(m.pending, pendingPage{r, rows, more})
	}
}

func (m *storeModel) read(r ready.Refill) ([]wheel.Entry, bool) {
	var rows []wheel.Entry
	for _, e := range m.rows {
		if e.Lane == r.Lane && ready.PositionOf(e).Compare(r.From) >= 0 {
			rows = append(rows, e)
		}
	}
	slices.SortFunc(rows, func(a, b wheel.Entry) int { return ready.PositionOf(a).Compare(ready.PositionOf(b)) })
	if len(rows) > r.Limit {
		return rows[:r.Limit], true
	}
	return rows, false
}

func (m *storeModel) handIn(t *rapid.T) {
	for _, p := range m.pending {
		if rapid.IntRange(0, 5).Draw(t, "fails") == 0 {
			p.rows, p.more = nil, true
		}
		m.h.Refilled(p.refill, p.rows, p.more)
	}
	m.pending = nil
}

func (m *storeModel) offer(t *rapid.T) {
	m.offers = m.h.NextBatch(rapid.IntRange(1, 12).Draw(t, "limit"), m.offers)
}

// settle claims what is still there; the rest was removed meanwhile, or claimed by way of a stale entry.
func (m *storeModel) settle(t *rapid.T) {
	for i := range m.offers {
		o := m.offers[i : i+1]
		_, pending := m.rows[o[0].Entry.ID]
		switch {
		case !pending:
			m.h.Forget(o)
		case rapid.IntRange(0, 3).Draw(t, "fails") == 0:
			m.h.Return(o)
		default:
			delete(m.rows, o[0].Entry.ID)
			delete(m.unseen, o[0].Entry.ID)
			m.h.Claimed(o)
		}
	}
	m.offers = nil
}

func (m *storeModel) dropPartition(*rapid.T) {
	m.h.DropPartition(0)
	for lane := int32(1); lane <= storeLanes; lane++ {
		m.h.Backlog(0, lane, ready.Position{})
	}
}

// drain goes on until nothing moves any more and reports what is left in the store.
func (m *storeModel) drain(t *rapid.T) {
	m.settle(t)
	m.reread(t)
	for idle := 0; idle < 3; idle++ {
		for _, p := range m.pending {
			m.h.Refilled(p.refill, p.rows, p.more)
		}
		m.pending = nil
		m.readPages(t)
		m.offers = m.h.NextBatch(1000, nil)
		if len(m.offers)+len(m.pending) > 0 {
			idle = 0
		}
		for i := range m.offers {
			delete(m.rows, m.offers[i].Entry.ID)
		}
		m.h.Claimed(m.offers)
		m.offers = nil
	}
	if len(m.rows) > 0 {
		t.Fatalf("%d due rows were never offered, stats %+v", len(m.rows), m.h.Stats())
	}
}

func TestHub_BoundedMemoryLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		opts := ready.Options{
			LaneLimit: rapid.IntRange(1, 20).Draw(t, "lane limit"),
			NodeLimit: rapid.IntRange(1, 60).Draw(t, "node limit"),
			Reserve:   rapid.IntRange(1, 3).Draw(t, "reserve"),
		}
		m := newStoreModel(opts)
		t.Repeat(map[string]func(*rapid.T){
			"create": m.create, "herd": m.herd, "reread": m.reread, "backlog": m.backlog,
			"read pages": m.readPages, "hand in": m.handIn, "offer": m.offer, "settle": m.settle,
			"drop partition": m.dropPartition,
			"": func(t *rapid.T) {
				s := m.h.Stats()
				// Offers of a dropped partition are held until they are settled.
				if most := opts.NodeLimit + storeLanes*opts.Reserve + len(m.offers); s.Ready+s.Offered > most {
					t.Fatalf("%d entries held, at most %d allowed", s.Ready+s.Offered, most)
				}
				for lane := int32(1); lane <= storeLanes; lane++ {
					if d := m.h.Depth(lane); d > opts.LaneLimit || m.h.Room(0, lane) > opts.LaneLimit-d {
						t.Fatalf("lane %d holds %d with a limit of %d", lane, d, opts.LaneLimit)
					}
				}
			},
		})
		m.drain(t)
	})
}

func TestHub_StrictOrderBehindABacklog(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := ready.NewHub(ready.Options{LaneLimit: rapid.IntRange(1, 16).Draw(t, "limit")})
		h.SetLane(ready.Lane{ID: 1, Tenant: 1, Queue: 1, Type: "default"})
		h.Register(ready.Demand{Tenants: []int32{1}, Credit: 1_000_000}, nil)
		m := &storeModel{h: h, rows: map[job.ID]wheel.Entry{}}
		for len(m.rows) > 0 || m.next == 0 {
			for range rapid.IntRange(0, 40).Draw(t, "new") * max(0, 200-m.next) / 200 {
				m.next++
				e := wheel.Entry{ID: idOf(m.next), Lane: 1, Priority: rapid.Uint8Range(0, 3).Draw(t, "priority"),
					DueAt: rapid.Int64Range(1, 30).Draw(t, "due")}
				m.rows[e.ID] = e
				h.Put(0, []wheel.Entry{e})
			}
			m.next++
			m.readPages(t)
			for len(m.pending) > 0 {
				for _, p := range m.pending {
					h.Refilled(p.refill, p.rows, p.more)
				}
				m.pending = nil
				m.readPages(t)
			}
			m.expectFirst(t)
		}
	})
}

// expectFirst claims the next offer, which must be the first row of all.
func (m *storeModel) expectFirst(t *rapid.T) {
	want, _ := m.read(ready.Refill{Lane: 1, Limit: 1})
	got := m.h.NextBatch(1, nil)
	if len(want) != len(got) || len(got) > 0 && got[0].Entry != want[0] {
		t.Fatalf("offered %+v, first of %d rows is %+v", got, len(m.rows), want)
	}
	m.h.Claimed(got)
	for _, o := range got {
		delete(m.rows, o.Entry.ID)
	}
}

func TestHub_AMillionOverdueStaysBoundedAndInOrder(t *testing.T) {
	t.Parallel()
	const rows = 100_000
	h := ready.NewHub(ready.Options{})
	h.SetLane(ready.Lane{ID: 1, Tenant: 1, Queue: 1, Type: "default"})
	h.Register(ready.Demand{Tenants: []int32{1}, Credit: 2 * rows}, nil)
	for i := range rows {
		h.Put(3, []wheel.Entry{{ID: idOf(i), Lane: 1, Priority: 9, DueAt: int64(i)}})
	}
	h.Put(3, []wheel.Entry{{ID: idOf(rows), Lane: 1, Priority: 0, DueAt: rows}})
	if s := h.Stats(); s.Ready > 2000 || s.ItemsCap > 2*4096 {
		t.Fatalf("stats %+v with a lane limit of 2,000", s)
	}
	if first := h.NextBatch(1, nil); first[0].Entry.ID != idOf(rows) {
		t.Fatalf("offered %+v before the entry of priority 0", first[0].Entry)
	}
	reads := 0
	for want := 0; want < rows; {
		for _, r := range h.TakeRefills(nil) {
			reads++
			var page []wheel.Entry
			for i := int(r.From.DueAt); i < rows && len(page) < r.Limit; i++ {
				page = append(page, wheel.Entry{ID: idOf(i), Lane: 1, Priority: 9, DueAt: int64(i)})
			}
			h.Refilled(r, page, len(page) == r.Limit)
		}
		batch := h.NextBatch(100, nil)
		for _, o := range batch {
			if o.Entry.ID != idOf(want) {
				t.Fatalf("entry %d came as number %d", o.Entry.DueAt, want)
			}
			want++
		}
		h.Claimed(batch)
	}
	if reads > rows/1000+10 {
		t.Fatalf("%d pages read for %d rows", reads, rows)
	}
}

func TestPut_OfAFullNodeKeepsAReserveForEveryLane(t *testing.T) {
	t.Parallel()
	h := ready.NewHub(ready.Options{LaneLimit: 100, NodeLimit: 100, Reserve: 5})
	for id := int32(1); id <= 2; id++ {
		h.SetLane(ready.Lane{ID: id, Tenant: id, Queue: 1, Type: "default"})
	}
	var all [2][]wheel.Entry
	for i := range 400 {
		lane := i % 2
		all[lane] = append(all[lane], wheel.Entry{ID: idOf(i), Lane: int32(lane + 1), DueAt: int64(i)})
	}
	if r := h.Put(0, all[0]); r.Accepted != 100 || r.Refused != 100 {
		t.Fatalf("%+v", r)
	}
	if r := h.Put(0, all[1]); r.Accepted != 5 || r.Refused != 195 {
		t.Fatalf("%+v: the other tenant's lane was shut out, or let in too far", r)
	}
	if len(h.TakeRefills(nil)) > 0 {
		t.Fatal("a page is wanted although the node is full")
	}
	defer h.Register(ready.Demand{Tenants: []int32{1}, Credit: 30}, nil).Close()
	h.Claimed(h.NextBatch(30, nil))
	<-h.WaitRefill()
	// The first lane still has 70 of its 100.
	if got := h.TakeRefills(nil); len(got) != 1 || got[0].Lane != 2 || got[0].Limit != 95 || got[0].From.DueAt != 11 {
		t.Fatalf("once the node has room, the pages wanted are %+v", got)
	}
}

func TestPut_OfAnUnknownLaneIsReported(t *testing.T) {
	t.Parallel()
	h := ready.NewHub(ready.Options{})
	if r := h.Put(0, []wheel.Entry{{ID: idOf(1), Lane: 3}}); r.Unknown != 1 || h.Room(0, 3) != 0 {
		t.Fatalf("%+v, room for %d", r, h.Room(0, 3))
	}
}
