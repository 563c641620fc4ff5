package ready

import (
	"slices"

	"github.com/belfryhq/belfry/server/internal/wheel"
)

type shelfKey struct {
	part int16
	lane int32
}

// shelf holds the entries of a lane in one partition: a prefix of their order, everything before bound.
type shelf struct {
	number   int32
	part     int16
	dead     bool // dropped, but some of its entries are offered
	lane     *lane
	heap     heap[slot]
	reserved int              // offered entries
	pos      [sourceKinds]int // in the heaps of its lane's sources; -1 = nothing to offer

	hasBound bool
	bound    Position // if hasBound: entries at or beyond it are in the store only
	worst    Position // no entry in the heap is beyond it; may be too high after removals
	refill   refillState
	asked    Position // bound when the refill was taken
	ticket   uint64   // of that refill
	hasMiss  bool
	miss     Position // if hasMiss: the lowest entry refused since the refill was taken

	boundLink, refillLink link[*shelf]
}

type refillState uint8

const (
	refillIdle refillState = iota
	refillListed
	refillTaken
)

// held counts against the limits.
func (s *shelf) held() int { return s.heap.len() + s.reserved }

// limit is how many entries a shelf may hold now.
func (h *Hub) limit() int {
	if h.full {
		return h.opts.Reserve
	}
	return h.opts.LaneLimit
}

// insert puts a new entry on the shelf, or refuses it because it is beyond the bound or the shelf is full of better ones.
func (h *Hub) insert(s *shelf, e wheel.Entry) bool {
	if !h.admit(s, PositionOf(e)) {
		return false
	}
	handle := h.items.Alloc()
	it := h.items.At(handle)
	it.Entry, it.shelf = e, s.number
	h.index[e.ID] = handle
	h.place(s, handle)
	if h.items.Len() >= h.opts.NodeLimit {
		h.full = true
	}
	return true
}

// place puts an item into the heap.
func (h *Hub) place(s *shelf, handle uint32) {
	it := h.items.At(handle)
	if p := PositionOf(it.Entry); s.heap.len() == 0 || s.worst.before(p) {
		s.worst = p
	}
	s.heap.push(slot{rankOf(&it.Entry), handle})
	if it.pos == 0 {
		h.touch(s)
	}
}

// unplace takes an item out of the heap.
func (h *Hub) unplace(s *shelf, it *item) {
	wasHead := it.pos == 0
	s.heap.remove(int(it.pos))
	if wasHead {
		h.touch(s)
	}
	if s.heap.len() == 0 && cap(s.heap.items) > 256 {
		s.heap.items = nil
	}
}

// discard forgets an item that is in no heap.
func (h *Hub) discard(handle uint32) {
	delete(h.index, h.items.At(handle).ID)
	h.items.Free(handle)
}

func (h *Hub) admit(s *shelf, p Position) bool {
	if s.hasBound && !p.before(s.bound) {
		s.missed(p)
		return false
	}
	if s.held() < h.limit() {
		return true
	}
	if s.heap.len() == 0 || !p.before(s.worst) || !h.evict(s, p) {
		h.setBound(s, p)
		return false
	}
	return true
}

// evict makes room for p by dropping about an eighth of the shelf from its end, as far as that comes after p, and lowers
// the bound to it. An eighth, because finding the end costs a sort. It returns false if nothing comes after p.
func (h *Hub) evict(s *shelf, p Position) bool {
	// A sorted slice is a heap too.
	slices.SortFunc(s.heap.items, func(a, b slot) int {
		if h.slotLess(a, b) {
			return -1
		}
		return 1
	})
	n := s.heap.len()
	for i, x := range s.heap.items {
		h.items.At(x.handle).pos = int32(i)
	}
	from := n
	for from > 0 && n-from < max(1, n/8) && p.before(h.positionAt(s, from-1)) {
		from--
	}
	if from == n {
		s.worst = h.positionAt(s, n-1)
		return false
	}
	h.setBound(s, h.positionAt(s, from))
	for _, x := range s.heap.items[from:] {
		h.discard(x.handle)
	}
	s.heap.items = s.heap.items[:from]
	if from > 0 {
		s.worst = h.positionAt(s, from-1)
	} else {
		h.touch(s)
	}
	return true
}

func (h *Hub) positionAt(s *shelf, i int) Position {
	return PositionOf(h.items.At(s.heap.items[i].handle).Entry)
}

// setBound lowers the bound to p.
func (h *Hub) setBound(s *shelf, p Position) {
	if !s.hasBound || p.before(s.bound) {
		s.hasBound, s.bound = true, p
		h.bounded.add(&s.boundLink)
	}
}

// missed notes that an entry at p is in the store only, while a page is being read that may have been too early for it.
func (s *shelf) missed(p Position) {
	if s.refill == refillTaken && (!s.hasMiss || p.before(s.miss)) {
		s.hasMiss, s.miss = true, p
	}
}

func (h *Hub) clearBound(s *shelf) {
	s.hasBound = false
	h.bounded.remove(&s.boundLink)
}

// touch tells the lane's sources that the shelf's head has changed or that it can or cannot be offered from.
func (h *Hub) touch(s *shelf) {
	if s.dead {
		return
	}
	works := s.heap.len() > 0 && !s.lane.Paused
	for kind, src := range s.lane.sources {
		switch pos := s.pos[kind]; {
		case works && pos < 0:
			src.active.push(s)
		case works:
			src.active.fix(pos)
		case pos >= 0:
			src.active.remove(pos)
		default:
			continue
		}
		h.reconsider(src)
	}
}
