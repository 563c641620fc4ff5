package wheel

import (
	"math/bits"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/slab"
)

// DefaultHorizon is how far past the last Advance a wheel takes entries if Options do not say otherwise.
const DefaultHorizon = 2 * time.Minute

// shrinkAbove is the number of entries above which a wheel that has become empty gives its memory back. Below it the
// memory stays, so that an ordinary wheel allocates nothing in steady state.
const shrinkAbove = 1 << 16

// Entry is what the engine keeps in memory of a pending job: enough to claim it, nothing of its content.
type Entry struct {
	ID       job.ID
	Version  int64  // of the row when it was read; a claim compares it
	DueAt    int64  // µs since the Unix epoch
	Lane     int32  // (tenant, queue, job type)
	Priority uint8  // 0 first, 9 last
	Size     uint32 // bytes of payload and headers
}

// Options of a wheel. The zero value takes the defaults.
type Options struct {
	// Horizon is how far past the last Advance entries are surely taken. Default DefaultHorizon. It costs 4 bytes per
	// second, and 5 KiB for each second that has an entry.
	Horizon time.Duration
}

// Wheel holds entries until they are due. See the package comment for its shape and invariants.
type Wheel struct {
	origin int64
	low    int64

	nodes slab.Slab[node]
	index map[job.ID]uint32
	peak  int // most entries since the index was made

	ring  []uint32 // page number by page position modulo len(ring); a power of two of at least 64
	busy  []uint64 // which ring positions have a page
	pages pagePool
	late  []uint32

	scratch []timed
}

type node struct {
	Entry
	next, prev uint32 // handles; prev 0 = first of its list. See inLate for entries of the late heap.
}

// New returns an empty wheel that starts at origin (µs).
func New(origin int64, o Options) *Wheel {
	if o.Horizon <= 0 {
		o.Horizon = DefaultHorizon
	}
	// One page more than the horizon, because the first page may be nearly over.
	span := uint64(o.Horizon.Microseconds())>>pageShift + 2
	size := max(64, 1<<bits.Len64(span-1))
	return &Wheel{
		origin: origin,
		low:    origin,
		index:  make(map[job.ID]uint32),
		ring:   make([]uint32, size),
		busy:   make([]uint64, size/64),
	}
}

// Add merges e by id and version: an unknown id is added, a higher version replaces what is held, the same or a lower
// version changes nothing. It returns false only if e is beyond the horizon; then nothing of that id with a lower version
// is held any more, and the caller has to read the row again later. An entry that is already due comes with the next
// Advance.
func (w *Wheel) Add(e Entry) bool {
	h, known := w.index[e.ID]
	if known {
		n := w.nodes.At(h)
		if e.Version <= n.Version {
			return true
		}
		w.unlink(h)
		if w.beyond(e.DueAt) {
			w.forget(h)
			return false
		}
		n.Entry = e
		w.link(h)
		return true
	}
	if w.beyond(e.DueAt) {
		return false
	}
	h = w.nodes.Alloc()
	w.nodes.At(h).Entry = e
	w.index[e.ID] = h
	w.peak = max(w.peak, len(w.index))
	w.link(h)
	return true
}

// Version returns the version held for id, if any.
func (w *Wheel) Version(id job.ID) (int64, bool) {
	h, ok := w.index[id]
	if !ok {
		return 0, false
	}
	return w.nodes.At(h).Version, true
}

// Remove takes id out, whatever its version, and reports whether it was held.
func (w *Wheel) Remove(id job.ID) bool {
	h, ok := w.index[id]
	if !ok {
		return false
	}
	w.unlink(h)
	w.forget(h)
	w.shrink()
	return true
}

// Len is the number of entries held.
func (w *Wheel) Len() int { return len(w.index) }

// Bytes estimates the memory held.
func (w *Wheel) Bytes() int {
	const pageBytes, indexBytes = 5300, 40 // an index entry is key, handle and control byte at the map's usual load
	return w.nodes.Bytes() + indexBytes*w.peak + pageBytes*len(w.pages.pages) + 4*(len(w.ring)+cap(w.late))
}

func (w *Wheel) beyond(due int64) bool {
	return due >= w.low && w.pageOf(due)-w.pageOf(w.low) >= uint64(len(w.ring))
}

// pageOf is the page position of an instant at or after the origin, counted from the origin. The difference is exact in
// uint64 also where it would overflow int64.
func (w *Wheel) pageOf(due int64) uint64 { return w.sinceOrigin(due) >> pageShift }

func (w *Wheel) sinceOrigin(due int64) uint64 { return uint64(due) - uint64(w.origin) }

// link puts the node into its place. Its instant must not be beyond the horizon.
func (w *Wheel) link(h uint32) {
	due := w.nodes.At(h).DueAt
	if due < w.low {
		w.latePush(h)
		return
	}
	pos, slot, micro := w.place(due)
	if w.ring[pos] == 0 {
		w.ring[pos] = w.pages.alloc()
		w.busy[pos/64] |= 1 << (pos % 64)
	}
	p := w.pages.pages[w.ring[pos]]
	if p.head[slot]&split == 0 && p.n[slot] == splitAt {
		w.splitSlot(p, slot)
	}
	if head := p.head[slot]; head&split != 0 {
		w.push(w.pages.pages[head&^split], micro, h)
		return
	}
	w.push(p, slot, h)
	p.n[slot]++
}

// place says where an instant at or after low belongs: ring position, slot, and microsecond within the slot.
func (w *Wheel) place(due int64) (pos, slot, micro uint32) {
	d := w.sinceOrigin(due)
	return uint32(d>>pageShift) & uint32(len(w.ring)-1), uint32(d>>slotBits) & (pageLen - 1), uint32(d) & (pageLen - 1)
}

func (w *Wheel) push(p *page, slot, h uint32) {
	head := p.head[slot]
	n := w.nodes.At(h)
	n.next, n.prev = head, 0
	if head != 0 {
		w.nodes.At(head).prev = h
	} else {
		p.mark(slot)
	}
	p.head[slot] = h
}

// splitSlot spreads a full list over the microseconds of its slot.
func (w *Wheel) splitSlot(p *page, slot uint32) {
	num := w.pages.alloc()
	fine := w.pages.pages[num]
	for h := p.head[slot]; h != 0; {
		n := w.nodes.At(h)
		next := n.next
		w.push(fine, uint32(w.sinceOrigin(n.DueAt))&(pageLen-1), h)
		h = next
	}
	p.head[slot] = split | num
	p.n[slot] = 0
}

// unlink takes the node out of its place but keeps it.
func (w *Wheel) unlink(h uint32) {
	n := w.nodes.At(h)
	if n.next == inLate {
		w.lateRemove(n.prev)
		return
	}
	pos, slot, micro := w.place(n.DueAt)
	p := w.pages.pages[w.ring[pos]]
	if head := p.head[slot]; head&split != 0 {
		w.cut(w.pages.pages[head&^split], micro, n)
	} else {
		p.n[slot]--
		w.cut(p, slot, n)
	}
	w.tidy(pos, slot)
}

func (w *Wheel) cut(p *page, slot uint32, n *node) {
	if n.next != 0 {
		w.nodes.At(n.next).prev = n.prev
	}
	if n.prev != 0 {
		w.nodes.At(n.prev).next = n.next
		return
	}
	p.head[slot] = n.next
	if n.next == 0 {
		p.clear(slot)
	}
}

// tidy frees the pages that have become empty under ring position pos.
func (w *Wheel) tidy(pos, slot uint32) {
	p := w.pages.pages[w.ring[pos]]
	if head := p.head[slot]; head&split != 0 && w.pages.pages[head&^split].empty() {
		w.pages.put(head &^ split)
		p.clear(slot)
	}
	if p.empty() {
		w.pages.put(w.ring[pos])
		w.ring[pos] = 0
		w.busy[pos/64] &^= 1 << (pos % 64)
	}
}

// forget drops an unlinked node.
func (w *Wheel) forget(h uint32) {
	delete(w.index, w.nodes.At(h).ID)
	w.nodes.Free(h)
}

// shrink gives memory back once a herd has passed; Go's maps and slices do not shrink by themselves.
func (w *Wheel) shrink() {
	if len(w.index) > 0 || w.peak <= shrinkAbove {
		return
	}
	w.index = make(map[job.ID]uint32)
	w.peak = 0
	w.nodes.Reset()
	w.pages = pagePool{}
	w.late = nil
}
