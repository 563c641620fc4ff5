package ready

import "slices"

// A kind of source says what it leaves open: bit 0 the queue, bit 1 the job type.
const (
	anyQueue    = 1
	anyType     = 2
	sourceKinds = 4
)

type sourceKey struct {
	kind  uint8
	queue int32
	typ   string
}

func keyOf(kind int, queue int32, typ string) sourceKey {
	k := sourceKey{kind: uint8(kind), queue: queue, typ: typ}
	if kind&anyQueue != 0 {
		k.queue = 0
	}
	if kind&anyType != 0 {
		k.typ = ""
	}
	return k
}

// tenant is a party of the fair sharing.
type tenant struct {
	id      int32
	weight  uint64
	virtual uint64 // virtual time at which its share of what it got so far ends
	sources map[sourceKey]*source
	hot     queue[*source] // sources with work and demand; the front one is next
	starred []*source      // sources with work that are in a star's heap
	runPos  int
}

// source is what one form of demand can take from a tenant.
type source struct {
	key     sourceKey
	tenant  *tenant
	refs    int           // lanes that feed it and waiters not closed that ask for it
	active  heap[*shelf]  // shelves with something to offer, by their heads
	seats   queue[*seat]  // waiters of this tenant's demand; the front one is next
	hotLink link[*source] // in tenant.hot
	star    *star         // demand over all tenants for the same key, if there has been any
	starPos int           // in star.sources; -1 = no work
}

// star is demand over all tenants for one form of source.
type star struct {
	key     sourceKey
	refs    int // waiters not closed
	seats   queue[*seat]
	sources heap[*source] // with work, by their tenants' virtual time
}

// maxIdleStars is how many stars without demand are kept, because making one has to look at every tenant.
const maxIdleStars = 64

// share is the virtual time of one offer to a tenant of weight 1.
const share = 1 << 20

func (h *Hub) tenant(id int32) *tenant {
	t := h.tenants[id]
	if t == nil {
		t = &tenant{id: id, weight: 1, sources: make(map[sourceKey]*source), runPos: -1}
		h.tenants[id] = t
	}
	return t
}

func (h *Hub) source(t *tenant, key sourceKey) *source {
	src := t.sources[key]
	if src == nil {
		src = &source{key: key, tenant: t, star: h.stars[key], starPos: -1}
		src.active.order = &h.shelfOrder[key.kind]
		src.hotLink.value = src
		t.sources[key] = src
	}
	return src
}

// star returns the star for a key, made on first use.
func (h *Hub) star(key sourceKey) *star {
	st := h.stars[key]
	if st != nil {
		return st
	}
	st = &star{key: key}
	st.sources.order = &h.starOrder
	h.stars[key] = st
	for _, t := range h.tenants {
		if src := t.sources[key]; src != nil {
			src.star = st
			h.reconsider(src)
		}
	}
	return st
}

// want puts a star that has got its first waiter among those NextBatch looks at.
func (h *Hub) want(st *star) {
	if !slices.Contains(h.wanted, st) {
		h.wanted = append(h.wanted, st)
	}
}

// unwant takes a star whose last waiter stood up out again.
func (h *Hub) unwant(st *star) {
	if i := slices.Index(h.wanted, st); i >= 0 {
		h.wanted = slices.Delete(h.wanted, i, i+1)
	}
}

// retire forgets a star that nobody refers to, if many are kept.
func (h *Hub) retire(st *star) {
	if st.refs > 0 || len(h.stars) <= maxIdleStars {
		return
	}
	delete(h.stars, st.key)
	for _, t := range h.tenants {
		if src := t.sources[st.key]; src != nil {
			h.leaveStar(src)
			src.star = nil
		}
	}
}

// reconsider puts a source where its work and its demand say it belongs, after either has changed.
func (h *Hub) reconsider(src *source) {
	t := src.tenant
	works := src.active.len() > 0
	if works && !src.seats.empty() {
		t.hot.add(&src.hotLink)
	} else {
		t.hot.remove(&src.hotLink)
	}
	switch hot := !t.hot.empty(); {
	case hot && t.runPos < 0:
		h.run.push(t)
	case !hot && t.runPos >= 0:
		h.run.remove(t.runPos)
	}
	switch {
	case works && src.star != nil && src.starPos < 0:
		src.star.sources.push(src)
		t.starred = append(t.starred, src)
	case !works:
		h.leaveStar(src)
	}
	if src.refs == 0 {
		delete(t.sources, src.key)
		if len(t.sources) == 0 {
			delete(h.tenants, t.id)
		}
	}
}

func (h *Hub) leaveStar(src *source) {
	if src.starPos < 0 {
		return
	}
	src.star.sources.remove(src.starPos)
	t := src.tenant
	i := slices.Index(t.starred, src)
	t.starred = slices.Delete(t.starred, i, i+1)
}

// charge moves the tenant's virtual time on by one offer. A tenant that was idle starts from the current virtual time.
func (h *Hub) charge(t *tenant) {
	h.virtual = max(h.virtual, t.virtual)
	t.virtual = h.virtual + share/t.weight
	if t.runPos >= 0 {
		h.run.fix(t.runPos)
	}
	for _, src := range t.starred {
		src.star.sources.fix(src.starPos)
	}
}
