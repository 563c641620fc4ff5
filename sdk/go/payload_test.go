package belfry_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	belfry "github.com/belfryhq/belfry/sdk/go"
)

func timestamp(t time.Time) *timestamppb.Timestamp { return timestamppb.New(t) }

func TestPayload_ArrivesAsItWasSent(t *testing.T) {
	t.Parallel()
	type order struct {
		ID    int64             `json:"id"`
		Price float64           `json:"price"`
		Tags  []string          `json:"tags"`
		Meta  map[string]string `json:"meta"`
		Note  *string           `json:"note"`
	}
	sent := order{ID: 1<<53 - 1, Price: 0.1, Tags: []string{"a<b", "ü"}, Meta: map[string]string{"k": "v"}}
	var got order
	if err := belfry.JSON(sent).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.ID != sent.ID || got.Price != sent.Price || got.Tags[0] != "a<b" || got.Meta["k"] != "v" || got.Note != nil {
		t.Errorf("Decode() = %+v, want %+v", got, sent)
	}
	data, err := belfry.JSON(map[string]any{"b": 1, "a": []any{true, nil, -2.5}}).Data()
	if err != nil || string(data) != `{"a":[true,null,-2.5],"b":1}` {
		t.Errorf("Data() = %s, %v", data, err)
	}
	var text string
	if err := belfry.Text("plain").Decode(&text); err != nil || text != "plain" {
		t.Errorf("Decode(text) = %q, %v", text, err)
	}
	var raw []byte
	if err := belfry.Bytes([]byte{0, 255}).Decode(&raw); err != nil || string(raw) != "\x00\xff" {
		t.Errorf("Decode(bytes) = %q, %v", raw, err)
	}
	var number int
	if err := belfry.Text("9007199254740993").Decode(&number); err != nil || number != 9007199254740993 {
		t.Errorf("Decode(number as text) = %d, %v", number, err)
	}
	untouched := 5
	if err := (belfry.Payload{}).Decode(&untouched); err != nil || untouched != 5 {
		t.Errorf("Decode(nothing) = %d, %v", untouched, err)
	}
}

func TestJSON_RefusesNumbersThatWouldChange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		value any
		path  string
	}{
		"2^53":           {map[string]any{"items": []any{0, map[string]any{"id": int64(1 << 53)}}}, "$.items[1].id"},
		"-2^53":          {int64(-1 << 53), "$"},
		"largest int64":  {int64(math.MaxInt64), "$"},
		"largest uint64": {uint64(math.MaxUint64), "$"},
	} {
		_, err := belfry.JSON(test.value).Data()
		if err == nil || !strings.Contains(err.Error(), test.path+": integer") || !strings.Contains(err.Error(), "as a string") {
			t.Errorf("%s: error = %v, want one that names %s and advises a string", name, err, test.path)
		}
	}
	for _, value := range []any{int64(1<<53 - 1), int64(-(1<<53 - 1)), 0.1, -1e-300} {
		if _, err := belfry.JSON(value).Data(); err != nil {
			t.Errorf("JSON(%v): %v", value, err)
		}
	}
	if _, err := belfry.JSON(math.NaN()).Data(); err == nil {
		t.Error("JSON(NaN) = nil error")
	}
	if _, err := belfry.Text("\xff").Data(); err == nil {
		t.Error("Text of invalid UTF-8 = nil error")
	}
}
