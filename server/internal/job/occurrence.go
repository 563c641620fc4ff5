package job

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// Parts returns the stored form in two pieces that, put together, are Marshal's: the payload, which may be large, and
// everything else.
func (b Body) Parts() (payload, rest []byte) {
	payload = Body{Payload: b.Payload}.Marshal()
	b.Payload = Payload{}
	return payload, b.Marshal()[1:]
}

// OccurrenceSuffix makes a template's stored form that of one occurrence, when it is put behind it: the database does that,
// so that payloads of templates need not travel.
func OccurrenceSuffix(schedule string, nominal time.Time) []byte {
	return Body{Schedule: schedule, Nominal: nominal}.Marshal()[1:]
}

// OccurrenceID names the job of one occurrence. It is the same whoever materialises it; what was withdrawn under another
// revision of the schedule keeps its own id in history.
func OccurrenceID(schedule [16]byte, revision int64, nominal time.Time, part int16) ID {
	b := make([]byte, 0, 32)
	b = append(b, schedule[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(revision))
	b = binary.BigEndian.AppendUint64(b, uint64(nominal.UnixMicro()))
	sum := sha256.Sum256(b)
	return DerivedID(nominal, part, binary.BigEndian.Uint64(sum[:]))
}

// UnmarshalParts reads a body from its two pieces; payload may be left out. Errors wrap ErrBadBody.
func UnmarshalParts(payload, rest []byte) (Body, error) {
	if len(payload) == 0 {
		payload = []byte{bodyVersion}
	}
	return UnmarshalBody(append(payload[:len(payload):len(payload)], rest...))
}
