package recurrence

import (
	"hash/fnv"
	"strconv"
)

// hashed picks the value that H stands for: FNV-1a 64 of "<seed>/<index>" modulo
// the size of the range, plus its low end. The index is the field's position in
// the expression as written, from 0.
func hashed(seed string, index, low, high int) int {
	h := fnv.New64a()
	_, _ = h.Write([]byte(seed + "/" + strconv.Itoa(index))) // never fails
	return low + int(h.Sum64()%uint64(high-low+1))
}
