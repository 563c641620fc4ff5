package api

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// fingerprintOf tells two creates apart that have the same request_id. It is made of what is stored, so that requests with
// the same meaning have the same one. The parts must be plain data.
func fingerprintOf(parts ...any) int64 {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("BUG: fingerprint of %T: %v", parts, err))
	}
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:]))
}
