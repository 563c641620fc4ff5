package job

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sort"
	"time"
)

// PayloadKind is the form in which a payload was sent and comes back.
type PayloadKind uint8

// Payload kinds; NoPayload is an absent one.
const (
	NoPayload PayloadKind = 0
	JSON      PayloadKind = 1 // Data is compact JSON text
	Text      PayloadKind = 2
	Bytes     PayloadKind = 3
)

// Payload is what a producer hands to a worker, or a worker back.
type Payload struct {
	Kind        PayloadKind
	Data        []byte
	ContentType string
}

// Body is everything about a job that is written once, at creation, and never compared by the database: kept as one
// column beside the hot ones.
type Body struct {
	Payload     Payload
	Headers     map[string]string
	Retry       RetryPolicy   // as stated by the job; the queue's and the defaults are added when it is used
	MaxReleases int32         // 0: not stated
	MaxAge      time.Duration // 0: not stated
	Schedule    string        // name of the schedule this is an occurrence of
	Nominal     time.Time     // nominal time of the occurrence; zero: none
}

// Defaults of what a Body may leave unstated.
const (
	DefaultMaxReleases = 100
	DefaultMaxAge      = 30 * 24 * time.Hour
)

// Releases returns the bound on releases in force.
func (b Body) Releases() int32 {
	if b.MaxReleases == 0 {
		return DefaultMaxReleases
	}
	return b.MaxReleases
}

// Age returns the bound on the job's life in force.
func (b Body) Age() time.Duration {
	if b.MaxAge == 0 {
		return DefaultMaxAge
	}
	return b.MaxAge
}

// ErrBadBody reports a stored body that cannot be read: damage, or a newer version's.
var ErrBadBody = errors.New("stored job body is not readable")

// Field tags of the stored form: a version byte, then (tag, uvarint length, bytes) records. Unknown tags are kept out of
// the way, so that an older server can read what a newer one wrote.
const (
	bodyVersion    = 1
	tagKind        = 1
	tagData        = 2
	tagContentType = 3
	tagHeaderName  = 4
	tagHeaderValue = 5
	tagAttempts    = 6
	tagInitial     = 7
	tagMax         = 8
	tagMultiplier  = 9
	tagJitter      = 10
	tagDelay       = 11
	tagReleases    = 12
	tagAge         = 13
	tagSchedule    = 14
	tagNominal     = 15
)

// Marshal returns the stored form. Equal bodies have equal forms.
func (b Body) Marshal() []byte {
	w := bodyWriter{buf: make([]byte, 0, 32+len(b.Payload.Data))}
	w.buf = append(w.buf, bodyVersion)
	if b.Payload.Kind != NoPayload {
		w.int(tagKind, int64(b.Payload.Kind))
		w.bytes(tagData, b.Payload.Data)
		w.text(tagContentType, b.Payload.ContentType)
	}
	names := make([]string, 0, len(b.Headers))
	for name := range b.Headers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		w.bytes(tagHeaderName, []byte(name))
		w.bytes(tagHeaderValue, []byte(b.Headers[name]))
	}
	w.int(tagAttempts, int64(b.Retry.MaxAttempts))
	w.int(tagInitial, int64(b.Retry.InitialBackoff))
	w.int(tagMax, int64(b.Retry.MaxBackoff))
	w.int(tagMultiplier, int64(math.Float64bits(b.Retry.Multiplier)))
	if b.Retry.JitterSet {
		w.always(tagJitter, int64(math.Float64bits(b.Retry.Jitter)))
	}
	for _, d := range b.Retry.Delays {
		w.always(tagDelay, int64(d))
	}
	w.int(tagReleases, int64(b.MaxReleases))
	w.int(tagAge, int64(b.MaxAge))
	w.text(tagSchedule, b.Schedule)
	if !b.Nominal.IsZero() {
		w.always(tagNominal, b.Nominal.UnixMicro())
	}
	return w.buf
}

type bodyWriter struct{ buf []byte }

func (w *bodyWriter) bytes(tag byte, v []byte) {
	w.buf = append(w.buf, tag)
	w.buf = binary.AppendUvarint(w.buf, uint64(len(v)))
	w.buf = append(w.buf, v...)
}

func (w *bodyWriter) text(tag byte, v string) {
	if v != "" {
		w.bytes(tag, []byte(v))
	}
}

func (w *bodyWriter) int(tag byte, v int64) {
	if v != 0 {
		w.always(tag, v)
	}
}

func (w *bodyWriter) always(tag byte, v int64) {
	w.bytes(tag, binary.AppendVarint(nil, v))
}

// UnmarshalBody reads the stored form; errors wrap ErrBadBody. The payload shares memory with data.
func UnmarshalBody(data []byte) (Body, error) {
	var b Body
	if len(data) == 0 || data[0] != bodyVersion {
		return b, fmt.Errorf("%w: version byte", ErrBadBody)
	}
	header := ""
	for rest := data[1:]; len(rest) > 0; {
		tag := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return b, fmt.Errorf("%w: record %d is cut short", ErrBadBody, tag)
		}
		value := rest[1+n : 1+n+int(size)]
		rest = rest[1+n+int(size):]
		if tag == tagHeaderName {
			header = string(value)
			continue
		}
		if tag == tagHeaderValue {
			if b.Headers == nil {
				b.Headers = map[string]string{}
			}
			b.Headers[header] = string(value)
			continue
		}
		b.set(tag, value)
	}
	return b, nil
}

func (b *Body) set(tag byte, value []byte) {
	num, _ := binary.Varint(value)
	switch tag {
	case tagKind:
		b.Payload.Kind = PayloadKind(num)
	case tagData:
		b.Payload.Data = value
	case tagContentType:
		b.Payload.ContentType = string(value)
	case tagAttempts:
		b.Retry.MaxAttempts = int32(num)
	case tagInitial:
		b.Retry.InitialBackoff = time.Duration(num)
	case tagMax:
		b.Retry.MaxBackoff = time.Duration(num)
	case tagMultiplier:
		b.Retry.Multiplier = math.Float64frombits(uint64(num))
	case tagJitter:
		b.Retry.Jitter, b.Retry.JitterSet = math.Float64frombits(uint64(num)), true
	case tagDelay:
		b.Retry.Delays = append(b.Retry.Delays, time.Duration(num))
	case tagReleases:
		b.MaxReleases = int32(num)
	case tagAge:
		b.MaxAge = time.Duration(num)
	case tagSchedule:
		b.Schedule = string(value)
	case tagNominal:
		b.Nominal = time.UnixMicro(num).UTC()
	}
}

// MarshalPayload returns the stored form of a result; nil for an absent one.
func MarshalPayload(p Payload) []byte {
	if p.Kind == NoPayload {
		return nil
	}
	return Body{Payload: p}.Marshal()
}
