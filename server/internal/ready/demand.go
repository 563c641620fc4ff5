package ready

import "slices"

// Demand is what a caller with capacity asks for.
type Demand struct {
	Tenants    []int32
	AllTenants bool     // of the platform only; then Tenants is not looked at
	Queues     []int32  // empty = all queues of the tenants
	Types      []string // empty = all job types
	Credit     int      // most entries to offer
	MaxBytes   int      // most bytes (Entry.Size) to offer, except that one entry is offered whatever its size; 0 = no limit
}

// Waiter is a registered Demand. It is offered entries until its credit or bytes are used up or it is closed.
type Waiter struct {
	// Tag is the registrant's own.
	Tag any

	hub       *Hub
	seats     []seat
	perTenant int // seats in a row that are of one tenant
	credit    int
	bytes     int // left, if limited
	limited   bool
	offered   int // entries offered and not come back
	seated    bool
	closed    bool
}

// seat is a waiter's place at one source or star.
type seat struct {
	waiter *Waiter
	number int // in waiter.seats
	source *source
	star   *star
	link   link[*seat]
}

// Register adds demand and returns its waiter, which is to be closed. The cost is that of the combinations of tenants,
// queues and types named. Demand without a tenant matches nothing.
func (h *Hub) Register(d Demand, tag any) *Waiter {
	w := &Waiter{Tag: tag, hub: h, credit: d.Credit, bytes: d.MaxBytes, limited: d.MaxBytes > 0}
	keys := sourceKeys(d)
	w.perTenant = len(keys)
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	if d.AllTenants {
		w.seats = make([]seat, 0, len(keys))
		for _, key := range keys {
			w.seats = append(w.seats, seat{star: h.star(key)})
		}
	} else {
		tenants := distinct(d.Tenants)
		w.seats = make([]seat, 0, len(tenants)*len(keys))
		for _, id := range tenants {
			t := h.tenant(id)
			for _, key := range keys {
				w.seats = append(w.seats, seat{source: h.source(t, key)})
			}
		}
	}
	for i := range w.seats {
		s := &w.seats[i]
		s.waiter, s.number, s.link.value = w, i, s
		if s.star != nil {
			s.star.refs++
		} else {
			s.source.refs++
		}
	}
	h.sit(w)
	return w
}

func sourceKeys(d Demand) []sourceKey {
	queues, types := distinct(d.Queues), distinct(d.Types)
	kind := 0
	if len(queues) == 0 {
		kind |= anyQueue
		queues = []int32{0}
	}
	if len(types) == 0 {
		kind |= anyType
		types = []string{""}
	}
	keys := make([]sourceKey, 0, len(queues)*len(types))
	for _, q := range queues {
		for _, typ := range types {
			keys = append(keys, keyOf(kind, q, typ))
		}
	}
	return keys
}

func distinct[T int32 | string](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// sit puts a waiter with credit in line at all its sources, else makes sure that it is in none.
func (h *Hub) sit(w *Waiter) {
	if w.seated || w.closed || w.credit <= 0 {
		return
	}
	w.seated = true
	h.waiters++
	for i := range w.seats {
		s := &w.seats[i]
		if s.star != nil {
			s.star.seats.add(&s.link)
			h.want(s.star)
			continue
		}
		s.source.seats.add(&s.link)
		h.reconsider(s.source)
	}
}

// stand takes a waiter out of all lines.
func (h *Hub) stand(w *Waiter) {
	if !w.seated {
		return
	}
	w.seated = false
	h.waiters--
	for i := range w.seats {
		s := &w.seats[i]
		if s.star != nil {
			s.star.seats.remove(&s.link)
			if s.star.seats.empty() {
				h.unwant(s.star)
			}
			continue
		}
		s.source.seats.remove(&s.link)
		h.reconsider(s.source)
	}
}

// Close withdraws the demand: once it has returned, no new offer names the waiter. Offers made before are the
// dispatcher's to settle. Closing twice is harmless.
func (w *Waiter) Close() {
	h := w.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.closed {
		return
	}
	w.closed = true
	h.stand(w)
	for i := range w.seats {
		if s := &w.seats[i]; s.star != nil {
			s.star.refs--
			h.retire(s.star)
		} else {
			s.source.refs--
			h.reconsider(s.source)
		}
	}
	h.signal()
}

// Closed reports whether Close was called. The dispatcher returns offers of a closed waiter instead of claiming them.
func (w *Waiter) Closed() bool {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	return w.closed
}

// Credit is how many entries the waiter may still be offered.
func (w *Waiter) Credit() int {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	return w.credit
}
