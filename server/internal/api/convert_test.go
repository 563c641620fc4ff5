package api

import (
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
)

func TestPayload_ArrivesInTheFormInWhichItWasSent(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`{}`:             `null`,
		`{"json": null}`: `{"json": null, "contentType": "application/json"}`,
		`{"json": {"b": [1.5, "x\n\u2028\"ä", true, null, {}], "a": []}}`: `{"json": {"a": [], "b": [1.5, "x\n\u2028\"ä", true, null, {}]}, "contentType": "application/json"}`,
		`{"text": ""}`:      `{"text": "", "contentType": "text/plain; charset=utf-8"}`,
		`{"bytes": "AAEC"}`: `{"bytes": "AAEC", "contentType": "application/octet-stream"}`,
		`{"bytes": ""}`:     `{"bytes": "", "contentType": "application/octet-stream"}`,
		`{"text": "<a/>", "contentType": "a/xml"}`: `{"text": "<a/>", "contentType": "a/xml"}`,
	} {
		p := &belfryv1.Payload{}
		if err := protojson.Unmarshal([]byte(sent), p); err != nil {
			t.Fatal(err)
		}
		stored, err := job.UnmarshalBody(job.Body{Payload: payloadFrom(p)}.Marshal())
		if err != nil {
			t.Fatal(err)
		}
		got, err := payloadProto(stored.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if want == "null" {
			if got != nil {
				t.Errorf("%s arrives as %v", sent, got)
			}
			continue
		}
		wanted := &belfryv1.Payload{}
		if err := protojson.Unmarshal([]byte(want), wanted); err != nil {
			t.Fatal(err)
		}
		wantProto(t, got, wanted)
	}
}

func TestPayload_AnyJSONValueSurvives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := drawValue(t, 4)
		got, err := payloadProto(payloadFrom(&belfryv1.Payload{Data: &belfryv1.Payload_Json{Json: value}}))
		if err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(got.GetJson(), value) {
			t.Fatalf("got %v, want %v", got.GetJson(), value)
		}
	})
}

// The direct reader must not differ from protojson on any text that it takes.
func TestJSONReader_AgreesWithProtojson(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := jsonText(drawValue(t, 4))
		r := jsonReader{text: text}
		v := r.value(0)
		if v == nil || r.at != len(text) {
			t.Fatalf("%s is not read directly", text)
		}
		if want := byProtojson(text); !proto.Equal(v, want) {
			t.Fatalf("%s: got %v, want %v", text, v, want)
		}
	})
}

func FuzzJSONReader(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-0.5e-7,"\u0000\u001f\n\"\\"],"b":{}}`, `"\u00e9"`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, `[1,]`,
		` 1`, `01`, `1.`, "\"\xff\"", `nul`, `-`, `[[[[`, `"\u00`, `"\`, `{"a":`, `1e999`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := jsonReader{text: text}
		v := r.value(0)
		if v == nil || r.at != len(text) {
			return
		}
		want := byProtojson(text)
		// Numbers of another form than JSON's are never written by jsonText; reading them does no harm.
		if want != nil && !proto.Equal(v, want) {
			t.Errorf("%q: got %v, want %v", text, v, want)
		}
	})
}

func byProtojson(text []byte) *structpb.Value {
	v := &structpb.Value{}
	if protojson.Unmarshal(text, v) != nil {
		return nil
	}
	return v
}

func drawValue(t *rapid.T, depth int) *structpb.Value {
	switch rapid.IntRange(0, 5-min(1, max(0, 1-depth))*2).Draw(t, "kind") {
	case 0:
		return structpb.NewNullValue()
	case 1:
		return structpb.NewBoolValue(rapid.Bool().Draw(t, "bool"))
	case 2:
		return structpb.NewNumberValue(rapid.Float64Range(-maxInteger, maxInteger).Draw(t, "number") + 0)
	case 3:
		return structpb.NewStringValue(rapid.String().Draw(t, "string"))
	case 4:
		list := &structpb.ListValue{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list.Values = append(list.Values, drawValue(t, depth-1))
		}
		return structpb.NewListValue(list)
	}
	object := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		object.Fields[rapid.String().Draw(t, "name")] = drawValue(t, depth-1)
	}
	return structpb.NewStructValue(object)
}

func TestPayload_DamageIsReported(t *testing.T) {
	t.Parallel()
	for _, p := range []job.Payload{{Kind: job.JSON, Data: []byte("{")}, {Kind: 9}} {
		if _, err := payloadProto(p); !isDamage(err) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

func TestRetryPolicy_WhatIsStatedIsShown(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"maxAttempts": 1}`, `{"jitter": 0}`, `{"multiplier": 1.5, "initialBackoff": "0.001s", "maxBackoff": "86400s"}`,
		`{"delays": ["0s", "3s", "86400s"], "jitter": 1}`,
	} {
		p := &belfryv1.RetryPolicy{}
		if err := protojson.Unmarshal([]byte(text), p); err != nil {
			t.Fatal(err)
		}
		wantProto(t, retryProto(retryFrom(p)), p)
	}
	if retryProto(retryFrom(nil)) != nil || retryProto(retryFrom(&belfryv1.RetryPolicy{})) != nil {
		t.Error("a policy that states nothing is shown")
	}
}

func TestStates_HaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for s := job.Pending; s <= job.Ready; s++ {
		if got := stateProto(s).String(); got != "JOB_STATE_"+s.String() {
			t.Errorf("%v is shown as %s", s, got)
		}
	}
	if stateProto(99) != belfryv1.JobState_JOB_STATE_UNSPECIFIED || math.MaxInt16 < int(job.Ready) {
		t.Error("an unknown state has a name")
	}
	for o, name := range map[job.Outcome]string{job.OutcomeSucceeded: "SUCCEEDED", job.OutcomeFailed: "FAILED",
		job.OutcomeTimedOut: "TIMED_OUT", job.OutcomeReleased: "RELEASED", job.OutcomeCancelled: "CANCELLED"} {
		if got := belfryv1.AttemptOutcome(o).String(); got != "ATTEMPT_OUTCOME_"+name {
			t.Errorf("%d is shown as %s", o, got)
		}
	}
}
