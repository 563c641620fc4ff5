package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/belfryhq/belfry/server/internal/job"
)

// Limits on the bytes of one request, uncompressed. Beyond the first it is refused with a sentence; beyond the second
// Connect stops reading.
const (
	maxRequestBytes = 16 << 20
	maxReadBytes    = 32 << 20
)

// codecs returns the codecs of all methods: strict JSON, also with a charset, and binary.
func codecs() []connect.Codec {
	return []connect.Codec{jsonCodec{"json"}, jsonCodec{"json; charset=utf-8"}, binaryCodec{}}
}

// A codec runs before any interceptor, and Connect would tell its errors without details. So a message that cannot be
// decoded is marked with the fault, as an unknown field of a number that no message uses, and the interceptor refuses it
// in the ordinary way. A caller who sends that field makes its own call fail, and nothing else.
const faultField protowire.Number = 1<<29 - 1

// markFault empties m and marks it with what is wrong. field is a path, or empty if the fault has no place.
func markFault(m proto.Message, field, description string) {
	proto.Reset(m)
	text := strings.ToValidUTF8(field+"\x00"+description, "\uFFFD")
	raw := protowire.AppendTag(nil, faultField, protowire.BytesType)
	m.ProtoReflect().SetUnknown(protowire.AppendString(raw, text))
}

// faultOf returns the fault with which m is marked; nil if it was decoded.
func faultOf(m proto.Message) *job.Error {
	for raw := []byte(m.ProtoReflect().GetUnknown()); len(raw) > 0; {
		number, _, n := protowire.ConsumeField(raw)
		if n < 0 {
			return nil
		}
		if number == faultField {
			_, _, tag := protowire.ConsumeTag(raw)
			text, _ := protowire.ConsumeBytes(raw[tag:])
			field, description, _ := strings.Cut(string(text), "\x00")
			e := job.Invalid(field, description)
			e.Msg = strings.TrimSpace(e.Msg)
			return e
		}
		raw = raw[n:]
	}
	return nil
}

// tooLarge marks m if its encoded form of size bytes is over the limit.
func tooLarge(m proto.Message, size int) bool {
	if size <= maxRequestBytes {
		return false
	}
	markFault(m, "", fmt.Sprintf("the request has %d bytes, and at most %d are taken in one call; send fewer items a call",
		size, maxRequestBytes))
	return true
}

// jsonCodec is the standard Protobuf JSON mapping, but refuses what it does not know: a misspelt field that is silently
// dropped would be a job that runs at the wrong time.
type jsonCodec struct{ name string }

func (c jsonCodec) Name() string { return c.name }

func (jsonCodec) IsBinary() bool { return false }

func (jsonCodec) Marshal(message any) ([]byte, error) { return jsonCodec{}.MarshalAppend(nil, message) }

func (jsonCodec) MarshalAppend(dst []byte, message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("marshal %T: not a protobuf message", message)
	}
	return protojson.MarshalOptions{}.MarshalAppend(dst, m)
}

// MarshalStable leaves out the white space that protojson varies on purpose.
func (c jsonCodec) MarshalStable(message any) ([]byte, error) {
	b, err := c.Marshal(message)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		return nil, fmt.Errorf("compact %T: %w", message, err)
	}
	return out.Bytes(), nil
}

func (jsonCodec) Unmarshal(data []byte, message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("unmarshal %T: not a protobuf message", message)
	}
	if tooLarge(m, len(data)) {
		return nil
	}
	if len(bytes.TrimSpace(data)) == 0 {
		markFault(m, "", "the request has an empty body; send {} for a request without fields")
		return nil
	}
	if err := (protojson.UnmarshalOptions{}).Unmarshal(data, m); err != nil {
		fault := explainJSON(data, m.ProtoReflect().Descriptor(), err)
		markFault(m, fault.Field, fault.Description)
	}
	return nil
}

// binaryCodec is the standard binary form. Unknown fields are ignored in it, since they come from newer clients.
type binaryCodec struct{}

func (binaryCodec) Name() string { return "proto" }

func (binaryCodec) IsBinary() bool { return true }

func (binaryCodec) Marshal(message any) ([]byte, error) {
	return binaryCodec{}.MarshalAppend(nil, message)
}

func (binaryCodec) MarshalAppend(dst []byte, message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("marshal %T: not a protobuf message", message)
	}
	return proto.MarshalOptions{}.MarshalAppend(dst, m)
}

func (binaryCodec) MarshalStable(message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("marshal %T: not a protobuf message", message)
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

func (binaryCodec) Unmarshal(data []byte, message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("unmarshal %T: not a protobuf message", message)
	}
	if tooLarge(m, len(data)) {
		return nil
	}
	if err := proto.Unmarshal(data, m); err != nil {
		markFault(m, "", "the request cannot be decoded: "+plainProtoError(err)+
			"; text in string fields must be UTF-8, other data belongs in bytes fields")
	}
	return nil
}
