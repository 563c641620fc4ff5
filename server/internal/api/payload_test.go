package api

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func number(x float64) proto.Message { return withJSON(structpb.NewNumberValue(x)) }

// nested returns a value with so many arrays or objects around a null.
func nested(depth int, wrap func(*structpb.Value) *structpb.Value) *structpb.Value {
	v := structpb.NewNullValue()
	for range depth {
		v = wrap(v)
	}
	return v
}

func inList(v *structpb.Value) *structpb.Value {
	return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{v}})
}

func inObject(v *structpb.Value) *structpb.Value {
	return structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"k": v}})
}

func TestValidate_PayloadAtItsEdges(t *testing.T) {
	t.Parallel()
	x := strings.Repeat("x", maxPayload)
	contentType := func(s string) proto.Message {
		return withPayload(&belfryv1.Payload{Data: &belfryv1.Payload_Text{}, ContentType: s})
	}
	list := func(n int) *structpb.Value { // n bytes of JSON text: [1,1,…]
		v := &structpb.ListValue{}
		for range (n - 1) / 2 {
			v.Values = append(v.Values, structpb.NewNumberValue(1))
		}
		return structpb.NewListValue(v)
	}
	checkEdges(t, []edge{
		{"text", withText(x), withText(x + "x"), "job.payload.text", "at most 262,144 bytes of UTF-8 (256 KiB); it has 262,145"},
		{"text of wide characters", withText(strings.Repeat("é", maxPayload/2)), withText(strings.Repeat("é", maxPayload/2) + "x"), "job.payload.text", "262,145"},
		{"bytes", withBytes([]byte(x)), withBytes([]byte(x + "x")), "job.payload.bytes", "at most 262,144 bytes (256 KiB); it has 262,145"},
		{"json string", withJSON(structpb.NewStringValue(x[2:])), withJSON(structpb.NewStringValue(x[1:])), "job.payload.json", "262,145"},
		{"json escapes count", withJSON(structpb.NewStringValue(strings.Repeat("\n", (maxPayload-2)/2))),
			withJSON(structpb.NewStringValue(strings.Repeat("\n", maxPayload/2))), "job.payload.json", "262,146"},
		{"json list", withJSON(list(maxPayload - 1)), withJSON(list(maxPayload + 1)), "job.payload.json", "as JSON text"},
		{"empty text", withText(""), nil, "", ""},
		{"NUL in text", withText("\x01"), withText("a\x00b"), "job.payload.text", "send such data as `bytes`"},
		{"NUL in bytes", withBytes([]byte{0, 0}), nil, "", ""},
		{"NUL in json", withJSON(structpb.NewStringValue("\x01")), withJSON(inObject(structpb.NewStringValue("\x00"))), `job.payload.json["k"]`, "NUL"},
		{"NUL in a member's name", nil, withJSON(structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"a\x00": structpb.NewNullValue()}})),
			`job.payload.json["a\x00"]`, "NUL"},
		{"not UTF-8", nil, withText("\xff"), "job.payload.text", "must be valid UTF-8"},
		{"integer high", number(9007199254740991), number(9007199254740992), "job.payload.json", "±9007199254740991 (2^53-1), which would lose digits; send it as a string"},
		{"integer low", number(-9007199254740991), number(-9007199254740992), "job.payload.json", "2^53-1"},
		{"int64 edge", nil, number(math.MaxInt64), "job.payload.json", "2^53-1"},
		{"integer inside", nil, withJSON(inObject(inList(structpb.NewNumberValue(1e16)))), `job.payload.json["k"][0]`, "2^53-1"},
		{"fraction", number(0.1), nil, "", ""},
		{"NaN", nil, number(math.NaN()), "job.payload.json", "finite"},
		{"infinite", nil, number(math.Inf(-1)), "job.payload.json", "finite"},
		{"lists deep", withJSON(nested(30, inList)), withJSON(nested(31, inList)), "job.payload.json" + strings.Repeat("[0]", 30), "more than 30 deep"},
		{"objects deep", withJSON(nested(30, inObject)), withJSON(nested(31, inObject)), "job.payload.json" + strings.Repeat(`["k"]`, 30), "send a deeper document as `text`"},
		{"no kind", nil, withJSON(&structpb.Value{}), "job.payload.json", "without a kind"},
		{"null", withJSON(structpb.NewNullValue()), nil, "", ""},
		{"absent", withPayload(nil), nil, "", ""},
		{"empty", withPayload(&belfryv1.Payload{}), withPayload(&belfryv1.Payload{ContentType: "a/b"}), "job.payload", "has a content_type but no data"},
		{"content type long", contentType(strings.Repeat("c", 255)), contentType(strings.Repeat("c", 256)), "job.payload.content_type", "at most 255 characters"},
		{"content type set", contentType("text/plain; charset=utf-8"), contentType("text/plain\n"), "job.payload.content_type", "printable ASCII"},
		{"result is judged by its handler", &belfryv1.CompleteJobsRequest{Items: []*belfryv1.CompleteItem{{LeaseToken: "t",
			Result: &belfryv1.Payload{Data: &belfryv1.Payload_Text{Text: x + "x"}}}}}, nil, "", ""},
	})
}

// A payload of the deepest form must be readable by clients whose Protobuf stops at 100 nested messages.
func TestValidate_DeepestPayloadCanBeLeased(t *testing.T) {
	t.Parallel()
	answer := &belfryv1.LeaseJobsResponse{Jobs: []*belfryv1.LeasedJob{{Job: &belfryv1.Job{
		Payload: &belfryv1.Payload{Data: &belfryv1.Payload_Json{Json: nested(maxJSONDepth, inObject)}}}}}}
	data, err := proto.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	if err := (proto.UnmarshalOptions{RecursionLimit: 100}).Unmarshal(data, &belfryv1.LeaseJobsResponse{}); err != nil {
		t.Error(err)
	}
}

func TestJSONText_IsCompactSortedAndEqualForEqualValues(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		` { "b" : [ 1 , 2.5 , -0 , 1e2 ] , "a" : null } `: `{"a":null,"b":[1,2.5,0,100]}`,
		`"é \u00e9 \/ \" \\ \b\f\n\r\t\u001f\u007f <&>"`:  `"é é / \" \\ \b\f\n\r\t\u001f` + "\u007f" + ` <&>"`,
		`1e-7`:                  `1e-07`,
		`0.000001`:              `0.000001`,
		`9007199254740991`:      `9007199254740991`,
		`{}`:                    `{}`,
		`[]`:                    `[]`,
		`true`:                  `true`,
		`{"":{"":[{},[]]}}`:     `{"":{"":[{},[]]}}`,
		"\"\u2028 \U0001F514\"": "\"\u2028 \U0001F514\"",
	} {
		v := &structpb.Value{}
		if err := protojson.Unmarshal([]byte(in), v); err != nil {
			t.Fatal(err)
		}
		got := jsonText(v)
		if string(got) != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
		back := &structpb.Value{}
		if err := protojson.Unmarshal(got, back); err != nil || !json.Valid(got) {
			t.Errorf("%s: %v", got, err)
		}
		if string(jsonText(back)) != want {
			t.Errorf("%s changes when it is read again", want)
		}
	}
}
