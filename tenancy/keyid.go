package tenancy

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// KeyID names an API key. It is a UUID version 7 (RFC 9562 section 5.7), so ids sort by creation time. It is not secret.
type KeyID [16]byte

const keyPrefix = "key_"

// NewKeyID returns a fresh id for a key made at now.
func NewKeyID(now time.Time) KeyID {
	var id KeyID
	// crypto/rand.Read never returns an error: it aborts the program if the system has no entropy.
	_, _ = rand.Read(id[6:])
	ms := uint64(now.UnixMilli())
	binary.BigEndian.PutUint16(id[0:], uint16(ms>>32))
	binary.BigEndian.PutUint32(id[2:], uint32(ms))
	id[6] = 0x70 | id[6]&0x0f
	id[8] = 0x80 | id[8]&0x3f
	return id
}

// String returns "key_" and 26 characters of Crockford base 32, lower case.
func (id KeyID) String() string { return keyPrefix + id.digits() }

// ParseKeyID reads the form of String, and no other spelling of it: a cache keyed by the text holds one entry a key.
func ParseKeyID(s string) (KeyID, error) {
	digits, ok := strings.CutPrefix(s, keyPrefix)
	if !ok {
		return KeyID{}, fmt.Errorf("an API key id starts with %q", keyPrefix)
	}
	id, ok := parseDigits(digits)
	if !ok {
		return KeyID{}, fmt.Errorf("26 characters of lower-case base 32 must follow %q", keyPrefix)
	}
	return id, nil
}

const (
	alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	idDigits = 26
)

// digits writes 128 bits, most significant first; the first digit holds 3 of them.
func (id KeyID) digits() string {
	hi, lo := binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:])
	var out [idDigits]byte
	for i := idDigits - 1; i >= 0; i-- {
		out[i] = alphabet[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out[:])
}

func parseDigits(s string) (id KeyID, ok bool) {
	if len(s) != idDigits {
		return id, false
	}
	var hi, lo uint64
	for i := range len(s) {
		d := strings.IndexByte(alphabet, s[i])
		if d < 0 || i == 0 && d > 7 {
			return id, false
		}
		hi = hi<<5 | lo>>59
		lo = lo<<5 | uint64(d)
	}
	binary.BigEndian.PutUint64(id[:8], hi)
	binary.BigEndian.PutUint64(id[8:], lo)
	return id, id[6]>>4 == 7 && id[8]>>6 == 2
}
