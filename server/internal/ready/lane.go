package ready

import "slices"

// Lane describes one (tenant, queue, job type) to the hub. ID is unique on the node, Queue within the tenant.
type Lane struct {
	ID     int32
	Tenant int32
	Queue  int32
	Type   string
	Paused bool // nothing is offered while it is set; entries are kept
}

type lane struct {
	Lane
	sources [sourceKinds]*source
	shelves []*shelf
}

// SetLane makes a lane known, or changes it. Entries of a lane must not come before the lane: Put refuses them.
func (h *Hub) SetLane(l Lane) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	held, known := h.lanes[l.ID]
	switch {
	case !known:
		held = &lane{Lane: l}
		h.lanes[l.ID] = held
		h.attach(held)
		return
	case held.Tenant != l.Tenant || held.Queue != l.Queue || held.Type != l.Type:
		h.detach(held)
		held.Lane = l
		h.attach(held)
	default:
		held.Paused = l.Paused
	}
	for _, s := range held.shelves {
		h.touch(s)
	}
}

// RemoveLane forgets a lane and its entries. Offers of it stay valid and are settled as usual.
func (h *Hub) RemoveLane(laneID int32) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	l, ok := h.lanes[laneID]
	if !ok {
		return
	}
	for len(l.shelves) > 0 {
		h.dropShelf(l.shelves[len(l.shelves)-1])
	}
	h.detach(l)
	delete(h.lanes, laneID)
}

// DropPartition forgets all entries of a partition that this node no longer owns. Offers of it stay valid and are settled
// as usual, but do not come back with Return.
func (h *Hub) DropPartition(part int16) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	for _, s := range h.shelves {
		if s != nil && !s.dead && s.part == part {
			h.dropShelf(s)
		}
	}
}

// attach makes the lane feed its sources.
func (h *Hub) attach(l *lane) {
	t := h.tenant(l.Tenant)
	for kind := range l.sources {
		src := h.source(t, keyOf(kind, l.Queue, l.Type))
		src.refs++
		l.sources[kind] = src
	}
}

func (h *Hub) detach(l *lane) {
	for kind, src := range l.sources {
		for _, s := range l.shelves {
			if s.pos[kind] >= 0 {
				src.active.remove(s.pos[kind])
			}
		}
		src.refs--
		h.reconsider(src)
		l.sources[kind] = nil
	}
}

// shelf returns the lane's shelf in a partition, made on first use.
func (h *Hub) shelf(part int16, l *lane) *shelf {
	key := shelfKey{part, l.ID}
	if s := h.byLane[key]; s != nil {
		return s
	}
	s := &shelf{part: part, lane: l}
	s.heap.order = &h.slotOrder
	s.boundLink.value, s.refillLink.value = s, s
	for kind := range s.pos {
		s.pos[kind] = -1
	}
	if n := len(h.unused); n > 0 {
		s.number = h.unused[n-1]
		h.unused = h.unused[:n-1]
		h.shelves[s.number] = s
	} else {
		s.number = int32(len(h.shelves))
		h.shelves = append(h.shelves, s)
	}
	h.byLane[key] = s
	l.shelves = append(l.shelves, s)
	return s
}

// dropShelf forgets the shelf and what is on it. It stays behind its number until its offers are settled.
func (h *Hub) dropShelf(s *shelf) {
	for _, x := range s.heap.items {
		h.discard(x.handle)
	}
	s.heap.items = nil
	h.touch(s)
	h.bounded.remove(&s.boundLink)
	h.refills.remove(&s.refillLink)
	s.dead = true
	delete(h.byLane, shelfKey{s.part, s.lane.ID})
	i := slices.Index(s.lane.shelves, s)
	s.lane.shelves = slices.Delete(s.lane.shelves, i, i+1)
	h.bury(s)
	h.drained()
}

// bury gives the number of a dead shelf back once nothing refers to it.
func (h *Hub) bury(s *shelf) {
	if s.dead && s.reserved == 0 {
		h.shelves[s.number] = nil
		h.unused = append(h.unused, s.number)
	}
}
