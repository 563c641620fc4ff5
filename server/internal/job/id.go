package job

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ID names one job for its whole life and beyond, in history and in dead letters.
//
// It is a UUID version 7 (RFC 9562 section 5.7) whose rand_a field carries the job's partition:
//
//	bytes 0–5   milliseconds since the Unix epoch, big endian: ids sort by creation time
//	bytes 6–7   version nibble 7, then 12 bits of partition (so at most 4,096 partitions)
//	bytes 8–15  variant bits 10, then 62 random bits (or, for an occurrence, a hash of what it stands for)
//
// The zero ID is invalid.
type ID [16]byte

// MaxPartitions is what the 12 partition bits of an ID can address.
const MaxPartitions = 1 << 12

// Prefix starts the text form of every job id.
const Prefix = "job_"

// ErrBadID reports text that is not a job id. Callers answer it like an id that does not exist.
var ErrBadID = errors.New("not a job id")

// NewID returns a fresh ID for a job created at now in partition part.
func NewID(now time.Time, part int16) ID {
	var tail [8]byte
	// crypto/rand.Read never returns an error: it aborts the program if the system has no entropy.
	_, _ = rand.Read(tail[:])
	return makeID(now.UnixMilli(), part, tail)
}

// DerivedID returns the ID that stands for one fact for ever: same inputs, same ID. The materialiser uses it so that an
// occurrence inserted twice collides with itself. sum must be a good hash of the fact; nominal orders it in time.
func DerivedID(nominal time.Time, part int16, sum uint64) ID {
	var tail [8]byte
	binary.BigEndian.PutUint64(tail[:], sum)
	return makeID(nominal.UnixMilli(), part, tail)
}

func makeID(ms int64, part int16, tail [8]byte) ID {
	var id ID
	binary.BigEndian.PutUint64(id[:8], uint64(ms)<<16)
	id[6] = 0x70 | byte(part>>8)&0x0f
	id[7] = byte(part)
	copy(id[8:], tail[:])
	id[8] = id[8]&0x3f | 0x80
	return id
}

// Part returns the partition that holds the job.
func (id ID) Part() int16 { return int16(id[6]&0x0f)<<8 | int16(id[7]) }

// Time returns the creation instant (for occurrences: the nominal time) to the millisecond.
func (id ID) Time() time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16)).UTC()
}

// IsZero reports whether id is the invalid zero ID.
func (id ID) IsZero() bool { return id == ID{} }

// String returns the public form: "job_" and 26 characters of Crockford base 32, which sorts as the ID does.
func (id ID) String() string { return Prefix + encode32(id) }

// ParseID reads the public form, any case. Errors wrap ErrBadID.
func ParseID(s string) (ID, error) {
	rest, ok := strings.CutPrefix(s, Prefix)
	if !ok {
		return ID{}, fmt.Errorf("%w: it must start with %q", ErrBadID, Prefix)
	}
	id, ok := decode32(rest)
	if !ok || id[6]>>4 != 7 || id[8]>>6 != 2 {
		return ID{}, fmt.Errorf("%w: 26 characters of base 32 must follow %q", ErrBadID, Prefix)
	}
	return id, nil
}

const alphabet32 = "0123456789abcdefghjkmnpqrstvwxyz"

// encode32 writes 128 bits as 26 base-32 digits, most significant first (the first digit holds 3 bits).
func encode32(b [16]byte) string {
	hi, lo := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	var out [26]byte
	for i := 25; i >= 0; i-- {
		out[i] = alphabet32[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out[:])
}

func decode32(s string) (b [16]byte, ok bool) {
	if len(s) != 26 {
		return b, false
	}
	var hi, lo uint64
	for i := range len(s) {
		d := strings.IndexByte(alphabet32, lower(s[i]))
		if d < 0 || i == 0 && d > 7 {
			return b, false
		}
		hi = hi<<5 | lo>>59
		lo = lo<<5 | uint64(d)
	}
	binary.BigEndian.PutUint64(b[:8], hi)
	binary.BigEndian.PutUint64(b[8:], lo)
	return b, true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
