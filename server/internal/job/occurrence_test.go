package job

import (
	"bytes"
	"testing"
	"time"
)

func TestBodyParts_WithTheSuffixAreTheOccurrence(t *testing.T) {
	t.Parallel()
	at := time.Date(2030, 3, 31, 1, 0, 0, 0, time.UTC)
	for name, b := range map[string]Body{
		"empty": {},
		"full": {Payload: Payload{Kind: JSON, Data: []byte(`{"a":1}`), ContentType: "application/x"},
			Headers: map[string]string{"b": "2", "a": "1"}, MaxReleases: 3, MaxAge: time.Hour,
			Retry: RetryPolicy{MaxAttempts: 2, JitterSet: true, Delays: []time.Duration{0, time.Second}}},
		"empty payload": {Payload: Payload{Kind: Text, Data: []byte{}}},
	} {
		payload, rest := b.Parts()
		if whole := append(bytes.Clone(payload), rest...); !bytes.Equal(whole, b.Marshal()) {
			t.Errorf("%s: parts are %x, the whole is %x", name, whole, b.Marshal())
		}
		stored := append(append(payload, rest...), OccurrenceSuffix("nightly", at)...)
		b.Schedule, b.Nominal = "nightly", at
		if !bytes.Equal(stored, b.Marshal()) {
			t.Errorf("%s: the occurrence is stored as %x, want %x", name, stored, b.Marshal())
		}
	}
}

func TestOccurrenceID_DependsOnScheduleRevisionAndTimeOnly(t *testing.T) {
	t.Parallel()
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	id := OccurrenceID([16]byte{1}, 1, at, 7)
	if again := OccurrenceID([16]byte{1}, 1, at.In(time.FixedZone("", 3600)), 7); again != id {
		t.Errorf("the same occurrence is %s and %s", id, again)
	}
	if id.Part() != 7 || !id.Time().Equal(at) {
		t.Errorf("id is of partition %d and time %v", id.Part(), id.Time())
	}
	seen := map[ID]bool{id: true}
	for _, other := range []ID{OccurrenceID([16]byte{2}, 1, at, 7), OccurrenceID([16]byte{1}, 2, at, 7),
		OccurrenceID([16]byte{1}, 1, at.Add(time.Second), 7)} {
		if seen[other] {
			t.Errorf("%s is the id of two occurrences", other)
		}
		seen[other] = true
	}
}

func TestUnmarshalParts_ReadsABodyWithAndWithoutItsPayload(t *testing.T) {
	t.Parallel()
	b := Body{Payload: Payload{Kind: Bytes, Data: []byte{0, 1}}, Headers: map[string]string{"a": "1"}, MaxReleases: 2}
	payload, rest := b.Parts()
	got, err := UnmarshalParts(payload, rest)
	if err != nil || !bytes.Equal(got.Marshal(), b.Marshal()) {
		t.Errorf("got %+v, %v", got, err)
	}
	b.Payload = Payload{}
	if got, err = UnmarshalParts(nil, rest); err != nil || !bytes.Equal(got.Marshal(), b.Marshal()) {
		t.Errorf("without payload: %+v, %v", got, err)
	}
}
