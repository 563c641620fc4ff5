package ready

import "github.com/belfryhq/belfry/server/internal/wheel"

// Refill asks the loader for a page of a lane's due entries in one partition: the first Limit rows at or beyond From, by
// priority, due instant and id. Answer it with Refilled.
type Refill struct {
	Part  int16
	Lane  int32
	From  Position
	Limit int

	ticket uint64 // tells the answer to an older request for the same lane, before the partition was lost and regained
}

// Backlog tells the hub that the store may hold due entries of the lane at or beyond from that are not in memory: what a
// load left out. The hub then asks for them by itself, in order.
func (h *Hub) Backlog(part int16, laneID int32, from Position) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	l := h.lanes[laneID]
	if l == nil {
		return
	}
	s := h.shelf(part, l)
	s.missed(from)
	h.setBound(s, from)
	h.wantRefill(s)
}

// TakeRefills appends to dst the pages that are wanted now. Each is handed out once and must be answered with Refilled;
// until then its lane asks for nothing more.
func (h *Hub) TakeRefills(dst []Refill) []Refill {
	h.mu.Lock()
	defer h.mu.Unlock()
	for !h.refills.empty() {
		s := h.refills.front.value
		h.refills.remove(&s.refillLink)
		h.tickets++
		s.refill, s.asked, s.hasMiss, s.ticket = refillTaken, s.bound, false, h.tickets
		dst = append(dst, Refill{s.part, s.lane.ID, s.bound, h.pageSize(s), s.ticket})
	}
	return dst
}

// pageSize fills the shelf; a full one still reads some, because what is beyond the bound may be better than what it has.
func (h *Hub) pageSize(s *shelf) int {
	return max(1, h.limit()/4, h.limit()-s.held())
}

// Refilled answers r with the rows read, in order; more says that the store may have others beyond them. After a failed
// read call it with no rows and more = true, but not at once, because the hub asks again at once. An answer that comes
// after the partition was dropped is ignored.
func (h *Hub) Refilled(r Refill, page []wheel.Entry, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	s := h.byLane[shelfKey{r.Part, r.Lane}]
	if s == nil || s.refill != refillTaken || s.ticket != r.ticket {
		return
	}
	s.refill = refillIdle
	// A bound that was lowered meanwhile stays: the shelf is full of better entries than the page.
	if s.bound == s.asked {
		switch {
		case !more:
			h.clearBound(s)
		case len(page) > 0:
			s.bound = PositionOf(page[len(page)-1]).successor()
		}
	}
	h.put(r.Part, page)
	// What was refused during the read may be newer than the page.
	if s.hasMiss {
		h.setBound(s, s.miss)
	}
	s.hasMiss = false
	h.wantRefill(s)
}

// wantRefill lists the shelf if there is more in the store and it is running low, or holds entries beyond its bound.
func (h *Hub) wantRefill(s *shelf) {
	if s.dead || !s.hasBound || s.refill != refillIdle {
		return
	}
	low := s.heap.len() < max(1, h.limit()/2)
	if broken := s.heap.len() > 0 && !s.worst.before(s.bound); low || broken {
		s.refill = refillListed
		h.refills.add(&s.refillLink)
	}
}

// drained looks at the node's limit after entries have left: with an eighth free again, lanes may fill up.
func (h *Hub) drained() {
	if !h.full || h.items.Len() > h.opts.NodeLimit-max(1, h.opts.NodeLimit/8) {
		return
	}
	h.full = false
	for l := h.bounded.front; l != nil; l = l.next {
		h.wantRefill(l.value)
	}
}
