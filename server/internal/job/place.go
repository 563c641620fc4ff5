package job

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"strconv"
)

// PartOf places a queue: hash(tenant, queue) mod n. The same for every node and for ever, since ids carry the answer.
func PartOf(tenant, queue string, n int) int16 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(tenant))
	_, _ = h.Write([]byte{0})
	_, _ = h.Write([]byte(queue))
	return int16(spread(h.Sum64()) % uint64(n))
}

// spread finishes an FNV hash, whose low bits alone are weak (the finalizer of MurmurHash3).
func spread(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// HashRequest returns the stored key of a request id and the partition that holds it. kind keeps methods apart.
func HashRequest(kind string, tenant int32, requestID string, n int) (key [16]byte, part int16) {
	sum := sha256.Sum256([]byte(kind + "\x00" + strconv.Itoa(int(tenant)) + "\x00" + requestID))
	copy(key[:], sum[:])
	return key, int16(binary.BigEndian.Uint64(sum[16:]) % uint64(n))
}
