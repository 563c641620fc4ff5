package ready

import (
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// PutResult counts what became of the entries of a Put.
type PutResult struct {
	Accepted int // new, or newer than what was held
	Held     int // held already in the same or a higher version
	Refused  int // beyond the shelf's bound or limit; they come with a refill
	Unknown  int // of a lane that was never set: set it and put them again
}

// Put adds entries that are due, merging by id and version: the same or a lower version of what is held, ready or
// offered, changes nothing; a higher version replaces it (if it is offered, once the offer is settled). Ids are unique
// over all partitions. Nothing that is refused is lost: it is in the store, and is paged in later.
func (h *Hub) Put(part int16, entries []wheel.Entry) PutResult {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	return h.put(part, entries)
}

func (h *Hub) put(part int16, entries []wheel.Entry) PutResult {
	var r PutResult
	for _, e := range entries {
		l := h.lanes[e.Lane]
		if l == nil {
			r.Unknown++
			continue
		}
		s := h.shelf(part, l)
		handle, known := h.index[e.ID]
		switch {
		case known && !h.replace(s, handle, e):
			r.Held++
		case h.index[e.ID] != 0: // an offered one was replaced in place
			r.Accepted++
		case h.insert(s, e):
			r.Accepted++
		default:
			r.Refused++
			h.wantRefill(s)
		}
	}
	return r
}

// replace prepares for a higher version of a held entry: a ready one is dropped, an offered one takes the new entry and
// stays offered. It returns false if e is not newer.
func (h *Hub) replace(s *shelf, handle uint32, e wheel.Entry) bool {
	it := h.items.At(handle)
	old := h.shelves[it.shelf]
	if it.pos >= 0 {
		if e.Version <= it.Version {
			return false
		}
		h.unplace(old, it)
		h.discard(handle)
		h.drained()
		h.wantRefill(old)
		return true
	}
	// The same version moves only from a dead shelf, when its lane or partition is back.
	newer := e.Version > it.Version
	if back := old.dead && e.Version == it.Version; !newer && !back {
		return false
	}
	if newer {
		it.Entry = e
	}
	if old != s {
		old.reserved--
		s.reserved++
		it.shelf = s.number
		h.bury(old)
	}
	return newer
}

// Remove forgets an entry (cancelled, edited, moved). If it is offered, settling the offer later finds nothing to do.
func (h *Hub) Remove(id job.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	handle, ok := h.index[id]
	if !ok {
		return
	}
	it := h.items.At(handle)
	s := h.shelves[it.shelf]
	if it.pos >= 0 {
		h.unplace(s, it)
	} else {
		h.release(s)
	}
	h.discard(handle)
	h.drained()
	h.wantRefill(s)
	h.signal()
}

// release ends the reservation of one of the shelf's entries.
func (h *Hub) release(s *shelf) {
	s.reserved--
	h.reserved--
	h.bury(s)
}
