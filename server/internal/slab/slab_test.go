package slab_test

import (
	"testing"

	"github.com/belfryhq/belfry/server/internal/slab"
)

func TestSlab_KeepsValuesAcrossGrowth(t *testing.T) {
	t.Parallel()
	var s slab.Slab[int]
	const n = 10_000
	handles := make([]uint32, n)
	for i := range handles {
		handles[i] = s.Alloc()
		if handles[i] == 0 {
			t.Fatal("handle 0 was given out; it means none")
		}
		*s.At(handles[i]) = i
	}
	for i, h := range handles {
		if got := *s.At(h); got != i {
			t.Fatalf("value %d reads %d", i, got)
		}
	}
	if s.Len() != n || s.Cap() < n || s.Bytes() < 8*n {
		t.Fatalf("Len %d, Cap %d, Bytes %d after %d values", s.Len(), s.Cap(), s.Bytes(), n)
	}
}

func TestSlab_ReusesFreedPlacesZeroed(t *testing.T) {
	t.Parallel()
	var s slab.Slab[int]
	a := s.Alloc()
	*s.At(a) = 7
	s.Free(a)
	if s.Len() != 0 {
		t.Fatalf("Len %d after the only value was freed", s.Len())
	}
	b := s.Alloc()
	if b != a {
		t.Fatalf("freed handle %d was not used again, got %d", a, b)
	}
	if *s.At(b) != 0 {
		t.Fatal("a reused place is not zero")
	}
}

// Not parallel: testing.AllocsPerRun counts the allocations of the whole process.
func TestSlab_SteadyStateAllocatesNothing(t *testing.T) {
	var s slab.Slab[int]
	s.Free(s.Alloc())
	allocs := testing.AllocsPerRun(100, func() { s.Free(s.Alloc()) })
	if allocs != 0 {
		t.Fatalf("%v allocations for alloc and free in steady state", allocs)
	}
}

func TestSlab_ResetGivesMemoryBack(t *testing.T) {
	t.Parallel()
	var s slab.Slab[int]
	s.Free(s.Alloc())
	s.Reset()
	if s.Cap() != 0 || s.Bytes() != 0 || s.Len() != 0 {
		t.Fatalf("Cap %d, Bytes %d, Len %d after Reset", s.Cap(), s.Bytes(), s.Len())
	}
	if s.Alloc() != 1 {
		t.Fatal("a reset slab does not start over")
	}
}
