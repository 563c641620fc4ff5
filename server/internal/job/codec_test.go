package job

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func validText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

func TestID_CarriesPartitionAndTime_AndSorts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := int16(rapid.IntRange(0, MaxPartitions-1).Draw(t, "part"))
		at := time.UnixMilli(rapid.Int64Range(0, 1<<45).Draw(t, "ms")).UTC()
		id := NewID(at, part)
		if id.Part() != part || !id.Time().Equal(at) {
			t.Fatalf("part %d, time %s", id.Part(), id.Time())
		}
		back, err := ParseID(id.String())
		if err != nil || back != id {
			t.Fatalf("%s: %v, %v", id, back, err)
		}
		later := NewID(at.Add(time.Millisecond), part)
		if later.String() <= id.String() {
			t.Fatalf("%s does not sort before %s", id, later)
		}
	})
}

func TestParseID_RefusesOtherText(t *testing.T) {
	t.Parallel()
	good := NewID(time.UnixMilli(1), 3).String()
	for _, s := range []string{"", "job_", good[:len(good)-1], good + "0", "wf_" + good[4:], "job_" + strings.Repeat("0", 26),
		"job_" + strings.Repeat("u", 26), "job_z" + good[5:], strings.Replace(good, "job_", "job-", 1)} {
		if _, err := ParseID(s); !errors.Is(err, ErrBadID) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if id, err := ParseID("job_" + strings.ToUpper(good[4:])); err != nil || id.String() != good {
		t.Errorf("capitals: %v, %v", id, err)
	}
}

func TestDerivedID_IsTheSameForTheSameFact(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_700_000_000_000)
	first, again, other := DerivedID(at, 5, 77), DerivedID(at, 5, 77), DerivedID(at, 5, 78)
	if first != again || first == other {
		t.Fatal("derived ids do not stand for their fact")
	}
}

func TestToken_RoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tok := Token{ID: NewID(time.UnixMilli(5), 9), Version: rapid.Int64().Draw(t, "version"),
			ClaimID: rapid.Int64().Draw(t, "claim"), Lane: rapid.Int32().Draw(t, "lane"), Lease: rapid.Int32().Draw(t, "lease")}
		if back, err := ParseToken(tok.String()); err != nil || back != tok {
			t.Fatalf("%+v, %v", back, err)
		}
	})
	for _, s := range []string{"", "x", strings.Repeat("A", 55), strings.Repeat("!", 55), Token{}.String()[:54] + "\n"} {
		if _, err := ParseToken(s); !errors.Is(err, ErrBadToken) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestBody_RoundTrips(t *testing.T) {
	t.Parallel()
	duration := rapid.Map(rapid.Int64Range(0, 1<<50), func(n int64) time.Duration { return time.Duration(n) })
	rapid.Check(t, func(t *rapid.T) {
		b := Body{
			Payload: Payload{Kind: PayloadKind(rapid.IntRange(1, 3).Draw(t, "kind")),
				Data: rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "data"), ContentType: rapid.String().Draw(t, "content type")},
			Retry: RetryPolicy{MaxAttempts: rapid.Int32Range(0, 1000).Draw(t, "attempts"), InitialBackoff: duration.Draw(t, "initial"),
				MaxBackoff: duration.Draw(t, "max"), Multiplier: rapid.Float64Range(0, 10).Draw(t, "multiplier")},
			MaxReleases: rapid.Int32Range(0, 10000).Draw(t, "releases"), MaxAge: duration.Draw(t, "age"),
			Schedule: rapid.String().Draw(t, "schedule"),
		}
		if rapid.Bool().Draw(t, "jitter set") {
			b.Retry.JitterSet, b.Retry.Jitter = true, rapid.Float64Range(0, 1).Draw(t, "jitter")
		}
		if d := rapid.SliceOfN(duration, 0, 5).Draw(t, "delays"); len(d) > 0 {
			b.Retry.Delays = d
		}
		if h := rapid.MapOfN(rapid.String(), rapid.String(), 0, 5).Draw(t, "headers"); len(h) > 0 {
			b.Headers = h
		}
		if rapid.Bool().Draw(t, "nominal set") {
			b.Nominal = time.UnixMicro(rapid.Int64Range(0, 1<<52).Draw(t, "nominal")).UTC()
		}
		back, err := UnmarshalBody(b.Marshal())
		if err != nil || !reflect.DeepEqual(back, b) {
			t.Fatalf("got %+v, want %+v, %v", back, b, err)
		}
	})
}

func TestUnmarshalBody_DamageIsAnError(t *testing.T) {
	t.Parallel()
	whole := Body{Payload: Payload{Kind: Text, Data: []byte("hello")}}.Marshal()
	for n := range len(whole) - 1 {
		b, err := UnmarshalBody(whole[:n])
		if err == nil && string(b.Payload.Data) == "hello" {
			t.Errorf("cut to %d bytes it still read", n)
		}
	}
	if _, err := UnmarshalBody([]byte{9}); !errors.Is(err, ErrBadBody) {
		t.Errorf("another version: %v", err)
	}
}

func FuzzUnmarshalBody(f *testing.F) {
	f.Add(Body{Payload: Payload{Kind: JSON, Data: []byte("{}")}, Headers: map[string]string{"a": "b"}}.Marshal())
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = UnmarshalBody(data) })
}
