package ready

import (
	"bytes"
	"sync"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/slab"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Options bound a hub's memory. Zero values take the defaults.
type Options struct {
	// LaneLimit is the most entries a lane may hold in one partition, offered ones included. Default 2,000.
	LaneLimit int
	// NodeLimit is the number of entries in the hub from which on a lane may hold Reserve entries only. Default 1,000,000.
	NodeLimit int
	// Reserve is what a lane may hold in one partition although the node is full. Default 32.
	Reserve int
}

func (o Options) withDefaults() Options {
	if o.LaneLimit <= 0 {
		o.LaneLimit = 2_000
	}
	if o.NodeLimit <= 0 {
		o.NodeLimit = 1_000_000
	}
	if o.Reserve <= 0 {
		o.Reserve = 32
	}
	o.Reserve = min(o.Reserve, o.LaneLimit)
	return o
}

// Hub is the ready queue of one node. See the package comment.
type Hub struct {
	opts Options
	work chan struct{} // holds a token whenever there may be something to offer
	page chan struct{} // holds a token whenever there may be something to refill

	mu      sync.Mutex
	items   slab.Slab[item]
	index   map[job.ID]uint32
	lanes   map[int32]*lane
	tenants map[int32]*tenant
	shelves []*shelf // by item.shelf; nil = free
	unused  []int32  // free numbers of shelves
	byLane  map[shelfKey]*shelf
	stars   map[sourceKey]*star
	wanted  []*star // stars with demand

	run     heap[*tenant] // tenants with a hot source, by virtual time
	virtual uint64        // of the offer being made
	turn    int           // rotates between run and wanted where virtual times are equal

	reserved int
	waiters  int
	full     bool          // NodeLimit was reached and the hub has not yet drained below it by a margin
	bounded  queue[*shelf] // shelves with a bound
	refills  queue[*shelf] // shelves that want a page
	tickets  uint64        // refills handed out

	slotOrder  order[slot]
	shelfOrder [sourceKinds]order[*shelf]
	starOrder  order[*source]
	runOrder   order[*tenant]
}

// item is an entry in the hub: on its shelf's heap, or offered.
type item struct {
	wheel.Entry
	offered int64 // version given out, while pos is -1
	shelf   int32
	pos     int32 // in the shelf's heap; -1 = offered
}

// Stats are sizes of a hub at one moment.
type Stats struct {
	Ready    int // entries that can be offered, also of paused lanes and without demand
	Offered  int // entries offered and not yet settled
	Lanes    int
	Waiters  int // waiters that still have credit
	Bounded  int // shelves with more in the store than in memory
	Virtual  uint64
	ItemsCap int // entries there is memory for
}

// NewHub returns an empty hub.
func NewHub(o Options) *Hub {
	h := &Hub{
		opts:    o.withDefaults(),
		work:    make(chan struct{}, 1),
		page:    make(chan struct{}, 1),
		index:   make(map[job.ID]uint32),
		lanes:   make(map[int32]*lane),
		tenants: make(map[int32]*tenant),
		byLane:  make(map[shelfKey]*shelf),
		stars:   make(map[sourceKey]*star),
	}
	h.slotOrder = order[slot]{
		less:  h.slotLess,
		moved: func(s slot, i int) { h.items.At(s.handle).pos = int32(i) },
	}
	for kind := range h.shelfOrder {
		h.shelfOrder[kind] = order[*shelf]{
			less:  func(a, b *shelf) bool { return h.slotLess(a.heap.items[0], b.heap.items[0]) },
			moved: func(s *shelf, i int) { s.pos[kind] = i },
		}
	}
	h.starOrder = order[*source]{
		less:  func(a, b *source) bool { return a.tenant.virtual < b.tenant.virtual },
		moved: func(s *source, i int) { s.starPos = i },
	}
	h.runOrder = order[*tenant]{
		less:  func(a, b *tenant) bool { return a.virtual < b.virtual },
		moved: func(t *tenant, i int) { t.runPos = i },
	}
	h.run.order = &h.runOrder
	return h
}

func (h *Hub) slotLess(a, b slot) bool {
	if a.rank != b.rank {
		return a.rank < b.rank
	}
	x, y := &h.items.At(a.handle).ID, &h.items.At(b.handle).ID
	return bytes.Compare(x[:], y[:]) < 0
}

// WaitWork returns the channel that gets a token whenever there is an entry with a waiter for it. One token can stand for
// many entries: the dispatcher calls NextBatch until it returns nothing. A token can also come for nothing.
func (h *Hub) WaitWork() <-chan struct{} { return h.work }

// WaitRefill returns the channel that gets a token whenever TakeRefills has something to return.
func (h *Hub) WaitRefill() <-chan struct{} { return h.page }

// Version returns the version held for id, ready or offered.
func (h *Hub) Version(id job.ID) (int64, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	handle, ok := h.index[id]
	if !ok {
		return 0, false
	}
	return h.items.At(handle).Version, true
}

// Depth is the number of entries of a lane that can be offered, over all partitions.
func (h *Hub) Depth(laneID int32) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	l, ok := h.lanes[laneID]
	if !ok {
		return 0
	}
	n := 0
	for _, s := range l.shelves {
		n += s.heap.len()
	}
	return n
}

// Room is how many more entries a lane may hold in one partition. A lane that the hub does not know has none.
func (h *Hub) Room(part int16, laneID int32) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lanes[laneID] == nil {
		return 0
	}
	s := h.byLane[shelfKey{part, laneID}]
	if s == nil {
		return h.limit()
	}
	return max(0, h.limit()-s.held())
}

// Stats returns the hub's sizes.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	bounded := 0
	for l := h.bounded.front; l != nil; l = l.next {
		bounded++
	}
	return Stats{
		Ready:    h.items.Len() - h.reserved,
		Offered:  h.reserved,
		Lanes:    len(h.lanes),
		Waiters:  h.waiters,
		Bounded:  bounded,
		Virtual:  h.virtual,
		ItemsCap: h.items.Cap(),
	}
}

// signal leaves tokens for what there is to do. Every method that changes the hub ends with it, so that no wake-up is
// lost whatever the interleaving: while there is a match, the token is in the channel or the dispatcher has just taken it.
func (h *Hub) signal() {
	if h.matches() {
		select {
		case h.work <- struct{}{}:
		default:
		}
	}
	if !h.refills.empty() {
		select {
		case h.page <- struct{}{}:
		default:
		}
	}
}

func (h *Hub) matches() bool {
	if h.run.len() > 0 {
		return true
	}
	for _, s := range h.wanted {
		if s.sources.len() > 0 {
			return true
		}
	}
	return false
}
