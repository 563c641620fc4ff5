// Package slab stores many small values of one type behind uint32 handles.
//
// It exists for the in-memory structures that hold up to millions of jobs: links between values are handles instead of
// pointers, so the garbage collector has nothing to follow (T must be free of pointers for that), a freed place is used
// again without an allocation, and growth adds a chunk instead of copying what is there, so no single call stalls.
//
// A Slab is not safe for concurrent use.
package slab

import "unsafe"

const (
	chunkBits = 12
	chunkLen  = 1 << chunkBits
)

// Slab holds values of type T. The zero Slab is empty and ready to use.
type Slab[T any] struct {
	chunks []*[chunkLen]T
	free   []uint32
	used   uint32 // handles ever given out since the last Reset; handle 0 is never given out
}

// Alloc returns the handle of a zero value. Handles are never 0, so that 0 can mean "none" in links.
func (s *Slab[T]) Alloc() uint32 {
	if n := len(s.free); n > 0 {
		h := s.free[n-1]
		s.free = s.free[:n-1]
		return h
	}
	s.used++
	if int(s.used>>chunkBits) == len(s.chunks) {
		s.chunks = append(s.chunks, new([chunkLen]T))
	}
	return s.used
}

// At returns the value behind h. The pointer is valid until h is freed or the slab is reset.
func (s *Slab[T]) At(h uint32) *T { return &s.chunks[h>>chunkBits][h&(chunkLen-1)] }

// Free gives h back. Its value is zeroed, so that a later Alloc starts clean.
func (s *Slab[T]) Free(h uint32) {
	var zero T
	*s.At(h) = zero
	s.free = append(s.free, h)
}

// Len is the number of handles in use.
func (s *Slab[T]) Len() int { return int(s.used) - len(s.free) }

// Cap is the number of values there is memory for.
func (s *Slab[T]) Cap() int { return len(s.chunks) * chunkLen }

// Bytes is the memory held, in bytes.
func (s *Slab[T]) Bytes() int {
	var zero T
	return s.Cap()*int(unsafe.Sizeof(zero)) + 4*cap(s.free)
}

// Reset forgets every value and gives the memory back. All handles become invalid.
func (s *Slab[T]) Reset() { *s = Slab[T]{} }
