package ready

import "github.com/belfryhq/belfry/server/internal/wheel"

// Offer is an entry reserved for a waiter: nobody else is offered it until the offer is settled.
type Offer struct {
	Waiter *Waiter
	Part   int16
	Entry  wheel.Entry
}

// NextBatch reserves up to limit entries for waiters, fairly over tenants, and appends them to dst in the order in which
// they were chosen. It returns nothing only if no entry has a waiter. See the package comment for who is next.
func (h *Hub) NextBatch(limit int, dst []Offer) []Offer {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	for n := 0; n < limit; {
		at, t := h.next()
		if at == nil {
			break
		}
		s := h.best(at, t)
		it := h.items.At(s.heap.items[0].handle)
		w := at.waiter
		if w.limited && w.offered > 0 && int(it.Size) > w.bytes {
			// Strict order: nothing smaller overtakes the entry that is next. The call that waits has something already.
			h.stand(w)
			continue
		}
		dst = append(dst, Offer{Waiter: w, Part: s.part, Entry: it.Entry})
		h.reserve(s, it)
		w.credit--
		w.offered++
		w.bytes -= int(it.Size)
		if w.credit == 0 {
			h.stand(w)
		}
		h.charge(t)
		at.rotate()
		n++
	}
	return dst
}

// next returns the seat whose turn it is and the tenant to serve it from: the tenant with the lowest virtual time among
// those with demand of their own and those that a star reaches; equals take turns.
func (h *Hub) next() (*seat, *tenant) {
	var t *tenant
	var from *star
	choices := 1 + len(h.wanted)
	h.turn = (h.turn + 1) % choices
	for i := range choices {
		c := (h.turn + i) % choices
		if c == 0 {
			if h.run.len() > 0 && (t == nil || h.run.items[0].virtual < t.virtual) {
				t, from = h.run.items[0], nil
			}
			continue
		}
		st := h.wanted[c-1]
		if st.sources.len() > 0 && (t == nil || st.sources.items[0].tenant.virtual < t.virtual) {
			t, from = st.sources.items[0].tenant, st
		}
	}
	switch {
	case t == nil:
		return nil, nil
	case from != nil:
		return from.seats.front.value, t
	default:
		return t.hot.front.value.seats.front.value, t
	}
}

// best returns the shelf with the first entry, by priority, due instant and id, of all that the waiter asks of t.
func (h *Hub) best(at *seat, t *tenant) *shelf {
	w := at.waiter
	row := w.seats
	if at.star == nil {
		first := at.number / w.perTenant * w.perTenant
		row = w.seats[first : first+w.perTenant]
	}
	var best *shelf
	for i := range row {
		src := row[i].source
		if src == nil {
			src = t.sources[row[i].star.key]
		}
		if src == nil || src.active.len() == 0 {
			continue
		}
		if s := src.active.items[0]; best == nil || h.slotLess(s.heap.items[0], best.heap.items[0]) {
			best = s
		}
	}
	return best
}

func (h *Hub) reserve(s *shelf, it *item) {
	it.offered = it.Version
	h.unplace(s, it)
	s.reserved++
	h.reserved++
	h.wantRefill(s)
}

// rotate ends a seat's turn, and that of its source among the tenant's.
func (at *seat) rotate() {
	if at.star != nil {
		at.star.seats.rotate(&at.link)
		return
	}
	at.source.seats.rotate(&at.link)
	at.source.tenant.hot.rotate(&at.source.hotLink)
}

// Claimed settles offers whose claim is committed: the entries are forgotten.
func (h *Hub) Claimed(offers []Offer) {
	h.settleAll(offers, false, false)
}

// Return settles offers that were not claimed (waiter gone, transaction failed): the entries are ready again, at their old
// place, and the waiters have their credit back.
func (h *Hub) Return(offers []Offer) {
	h.settleAll(offers, true, true)
}

// Forget settles offers whose rows were not as expected (another version, not pending): the entries are forgotten, the
// caller reads the rows again, and the waiters have their credit back.
func (h *Hub) Forget(offers []Offer) {
	h.settleAll(offers, false, true)
}

func (h *Hub) settleAll(offers []Offer, back, refund bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	for i := range offers {
		h.settle(&offers[i], back)
		if w := offers[i].Waiter; refund {
			w.credit++
			w.offered--
			w.bytes += int(offers[i].Entry.Size)
			h.sit(w)
		}
	}
}

// settle ends a reservation. An entry that was replaced by a newer version meanwhile becomes ready in any case; one that
// was removed, or offered again after that, is no longer this offer's.
func (h *Hub) settle(o *Offer, back bool) {
	handle, ok := h.index[o.Entry.ID]
	if !ok {
		return
	}
	it := h.items.At(handle)
	if it.pos >= 0 || it.offered != o.Entry.Version {
		return
	}
	s := h.shelves[it.shelf]
	h.release(s)
	if !s.dead && (back || it.Version != it.offered) {
		h.place(s, handle)
	} else {
		h.discard(handle)
		h.drained()
	}
	h.wantRefill(s)
}
