package ready

import (
	"bytes"
	"cmp"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Position is a place in the order of a shelf: by priority, then due instant, then id (as bytes). It is also a keyset
// cursor over the store's rows of a lane. The zero Position comes before everything.
type Position struct {
	Priority uint8
	DueAt    int64 // µs since the Unix epoch, 0 to 2^60
	ID       job.ID
}

// PositionOf is where e stands on its shelf.
func PositionOf(e wheel.Entry) Position { return Position{e.Priority, e.DueAt, e.ID} }

// Compare returns -1, 0 or 1 as p comes before, is, or comes after q.
func (p Position) Compare(q Position) int {
	if c := cmp.Compare(p.Priority, q.Priority); c != 0 {
		return c
	}
	if c := cmp.Compare(p.DueAt, q.DueAt); c != 0 {
		return c
	}
	return bytes.Compare(p.ID[:], q.ID[:])
}

func (p Position) before(q Position) bool { return p.Compare(q) < 0 }

// successor is the lowest Position after p.
func (p Position) successor() Position {
	for i := len(p.ID) - 1; i >= 0; i-- {
		p.ID[i]++
		if p.ID[i] != 0 {
			return p
		}
	}
	p.DueAt++
	return p
}

// slot is an entry's place in the heap of its shelf. rank is priority and due instant in one number, so that sorting
// rarely has to look at the item.
type slot struct {
	rank   uint64
	handle uint32
}

const dueBits = 60

func rankOf(e *wheel.Entry) uint64 {
	due := min(uint64(max(e.DueAt, 0)), 1<<dueBits-1)
	return uint64(min(e.Priority, 15))<<dueBits | due
}
