package wheel

import "math/bits"

const (
	slotBits  = 10 // 1,024 µs in a slot
	pageBits  = 10 // 1,024 slots in a page
	pageLen   = 1 << pageBits
	pageShift = slotBits + pageBits // 2^20 µs, about a second, in a page

	// splitAt is the longest unsorted list. It bounds the work of a batch that ends inside a slot, and fits a byte.
	splitAt = 255
	// split marks a head as the number of a page of microseconds instead of the handle of an entry.
	split uint32 = 1 << 31
)

// page is one node of the wheel's tree: a page of slots, or the microseconds of a dense slot.
type page struct {
	head [pageLen]uint32 // first entry, or split | page number; 0 = empty
	n    [pageLen]uint8  // length of the list while it is not split; unused in pages of microseconds
	full [pageLen / 64]uint64
	some uint32 // which words of full are not zero
}

func (p *page) mark(slot uint32) {
	p.full[slot/64] |= 1 << (slot % 64)
	p.some |= 1 << (slot / 64)
}

func (p *page) clear(slot uint32) {
	p.head[slot], p.n[slot] = 0, 0
	p.full[slot/64] &^= 1 << (slot % 64)
	if p.full[slot/64] == 0 {
		p.some &^= 1 << (slot / 64)
	}
}

func (p *page) empty() bool { return p.some == 0 }

// first returns the lowest slot in use. The page must not be empty.
func (p *page) first() uint32 {
	word := uint32(bits.TrailingZeros32(p.some))
	return word*64 + uint32(bits.TrailingZeros64(p.full[word]))
}

// pagePool keeps pages behind small numbers and uses them again. Number 0 is never given out.
type pagePool struct {
	pages []*page
	free  []uint32
}

func (pp *pagePool) alloc() uint32 {
	if n := len(pp.free); n > 0 {
		i := pp.free[n-1]
		pp.free = pp.free[:n-1]
		return i
	}
	if len(pp.pages) == 0 {
		pp.pages = append(pp.pages, nil)
	}
	pp.pages = append(pp.pages, new(page))
	return uint32(len(pp.pages) - 1)
}

// put takes back an empty page; an empty page is all zero.
func (pp *pagePool) put(i uint32) { pp.free = append(pp.free, i) }
