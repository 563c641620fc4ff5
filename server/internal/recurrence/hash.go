package recurrence

import (
	"hash/fnv"
	"strconv"
)

// hashed picks the value that H stands for: FNV-1a 64 of "<seed>/<index>" modulo
// the size of the range, plus its low end. The index is the field's position in
// the expression as written, from 0.
func hashed(seed string, index, low, high int) int {
	return low + int(fnv1a(seed+"/"+strconv.Itoa(index))%uint64(high-low+1))
}

func fnv1a(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}
