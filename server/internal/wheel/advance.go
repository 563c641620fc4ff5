package wheel

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// timed is an entry of the slot being taken out.
type timed struct {
	due int64
	h   uint32
}

// Advance appends to dst, in due order, at most max of the entries whose due instant is at or before now, takes them out,
// and reports whether more of them are left: then call again with the same or a later now. The horizon moves along once
// nothing due is left. A now before an earlier one is allowed (a corrected clock) and moves nothing back.
//
// The cost is that of the entries returned, whatever the time since the last call and however many are held.
func (w *Wheel) Advance(now int64, max int, dst []Entry) (out []Entry, more bool) {
	end := len(dst) + max
	for len(w.late) > 0 && len(dst) < end && w.nodes.At(w.late[0]).DueAt <= now {
		h := w.late[0]
		w.lateRemove(0)
		dst = append(dst, w.nodes.At(h).Entry)
		w.forget(h)
	}
	if len(w.late) > 0 && w.nodes.At(w.late[0]).DueAt <= now {
		return dst, true
	}
	for len(dst) < end {
		pos, slot, start, ok := w.firstSlot()
		if !ok || start > now {
			break
		}
		before := len(dst)
		dst = w.takeSlot(pos, slot, take{start: start, now: now, end: end}, dst)
		if len(dst) == before {
			break
		}
	}
	next, ok := w.firstInPages()
	more = ok && next <= now
	switch {
	case more:
		w.low = next
	case now >= w.low && now < math.MaxInt64:
		w.low = now + 1
	}
	w.shrink()
	return dst, more
}

// Next returns the earliest instant (µs) at which an entry is due, so that the caller can sleep until then; false if
// nothing is held.
func (w *Wheel) Next() (int64, bool) {
	if len(w.late) > 0 {
		return w.nodes.At(w.late[0]).DueAt, true
	}
	return w.firstInPages()
}

// firstSlot finds the earliest slot in use and the instant at which it starts.
func (w *Wheel) firstSlot() (pos, slot uint32, start int64, ok bool) {
	base := w.pageOf(w.low)
	mask := uint64(len(w.ring) - 1)
	pos, ok = w.firstPage(uint32(base & mask))
	if !ok {
		return 0, 0, 0, false
	}
	slot = w.pages.pages[w.ring[pos]].first()
	number := base + (uint64(pos)-base)&mask
	return pos, slot, int64(uint64(w.origin) + number<<pageShift + uint64(slot)<<slotBits), true
}

// firstPage finds the first ring position in use, going round from position from.
func (w *Wheel) firstPage(from uint32) (uint32, bool) {
	words := uint32(len(w.busy))
	for i := uint32(0); i <= words; i++ {
		at := (from/64 + i) % words
		word := w.busy[at]
		switch i {
		case 0:
			word &= ^uint64(0) << (from % 64)
		case words: // back in the first word: what lies before from comes last
			word &= 1<<(from%64) - 1
		}
		if word != 0 {
			return at*64 + uint32(bits.TrailingZeros64(word)), true
		}
	}
	return 0, false
}

// firstInPages returns the exact earliest due instant outside the late heap.
func (w *Wheel) firstInPages() (int64, bool) {
	pos, slot, start, ok := w.firstSlot()
	if !ok {
		return 0, false
	}
	head := w.pages.pages[w.ring[pos]].head[slot]
	if head&split != 0 {
		return start + int64(w.pages.pages[head&^split].first()), true
	}
	least := int64(math.MaxInt64)
	for h := head; h != 0; {
		n := w.nodes.At(h)
		least = min(least, n.DueAt)
		h = n.next
	}
	return least, true
}

// take bounds what takeSlot may take: due at or before now, until dst has end entries. start is the slot's first instant.
type take struct {
	start, now int64
	end        int
}

// takeSlot moves what is due in a slot to dst.
func (w *Wheel) takeSlot(pos, slot uint32, t take, dst []Entry) []Entry {
	p := w.pages.pages[w.ring[pos]]
	if head := p.head[slot]; head&split != 0 {
		dst = w.takeMicros(w.pages.pages[head&^split], t, dst)
	} else {
		dst = w.takeList(p, slot, t, dst)
	}
	w.tidy(pos, slot)
	return dst
}

func (w *Wheel) takeMicros(fine *page, t take, dst []Entry) []Entry {
	for len(dst) < t.end && !fine.empty() {
		micro := fine.first()
		if t.start+int64(micro) > t.now {
			break
		}
		h := fine.head[micro]
		for h != 0 && len(dst) < t.end {
			n := w.nodes.At(h)
			next := n.next
			dst = append(dst, n.Entry)
			w.forget(h)
			h = next
		}
		fine.head[micro] = h
		if h == 0 {
			fine.clear(micro)
		} else {
			w.nodes.At(h).prev = 0
		}
	}
	return dst
}

func (w *Wheel) takeList(p *page, slot uint32, t take, dst []Entry) []Entry {
	w.scratch = w.scratch[:0]
	for h := p.head[slot]; h != 0; {
		n := w.nodes.At(h)
		w.scratch = append(w.scratch, timed{n.DueAt, h})
		h = n.next
	}
	slices.SortFunc(w.scratch, func(a, b timed) int { return cmp.Compare(a.due, b.due) })
	taken := 0
	for taken < len(w.scratch) && len(dst) < t.end && w.scratch[taken].due <= t.now {
		h := w.scratch[taken].h
		dst = append(dst, w.nodes.At(h).Entry)
		w.forget(h)
		taken++
	}
	if taken == 0 {
		return dst
	}
	p.clear(slot)
	for _, x := range w.scratch[taken:] {
		w.push(p, slot, x.h)
		p.n[slot]++
	}
	return dst
}
