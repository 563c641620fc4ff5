package belfry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/structpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// maxPayload is the limit on the data of a payload or result, in bytes.
const maxPayload = 256 << 10

// Payload is what a producer hands to a worker, or a worker back as a result:
// a JSON value, text, bytes, or nothing (the zero Payload). It arrives in the
// form in which it was sent, up to 256 KiB of data. A Payload is immutable.
type Payload struct {
	value *structpb.Value
	text  string
	bytes []byte
	form  form
	media string
	// err is why the value cannot be sent; JSON defers it to the call.
	err error
}

type form int

const (
	formNone form = iota
	formJSON
	formText
	formBytes
)

// JSON returns v as a JSON value, by the rules of encoding/json. It is kept and
// compared by value: the order of object members is not kept. Integers beyond
// ±9007199254740991 (2^53-1) would lose digits and are refused by the call that
// gets the payload: make them strings (the struct tag `json:",string"` does), or
// use Text.
func JSON(v any) Payload {
	value, err := jsonValue(v)
	if err != nil {
		return Payload{err: fmt.Errorf("payload: %w", err)}
	}
	return Payload{form: formJSON, value: value}
}

// Text returns UTF-8 text, which is kept byte for byte. It must not hold NUL
// characters: use Bytes for that.
func Text(text string) Payload {
	if !utf8.ValidString(text) {
		return Payload{err: errors.New("payload: text is not valid UTF-8; use belfry.Bytes")}
	}
	return Payload{form: formText, text: text}
}

// Bytes returns any bytes, which are kept byte for byte. The slice must not be
// changed afterwards.
func Bytes(data []byte) Payload { return Payload{form: formBytes, bytes: data} }

// WithContentType returns p with another media type than its form's default
// (application/json, text/plain; charset=utf-8 or application/octet-stream).
func (p Payload) WithContentType(mediaType string) Payload {
	p.media = mediaType
	return p
}

// ContentType returns the media type; empty if there is no payload, or if it
// was not sent yet and has its form's default.
func (p Payload) ContentType() string { return p.media }

// IsZero reports whether there is no payload.
func (p Payload) IsZero() bool { return p.form == formNone && p.err == nil }

// Data returns the data as bytes: JSON text, UTF-8 text or the bytes; nil if
// there is no payload.
func (p Payload) Data() ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	switch p.form {
	case formJSON:
		return jsonText(p.value)
	case formText:
		return []byte(p.text), nil
	case formBytes:
		return p.bytes, nil
	default:
		return nil, nil
	}
}

// Decode stores the payload in what v points to. Text goes into a *string and
// text or bytes into a *[]byte as they are; everything else is read as JSON by
// encoding/json. Without a payload v is left alone.
func (p Payload) Decode(v any) error {
	if p.err != nil {
		return p.err
	}
	if p.form == formNone {
		return nil
	}
	if target, ok := v.(*Payload); ok {
		*target = p
		return nil
	}
	data, err := p.Data()
	if err != nil {
		return err
	}
	if p.form != formJSON {
		switch target := v.(type) {
		case *string:
			*target = string(data)
			return nil
		case *[]byte:
			*target = data
			return nil
		}
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("decode payload as %T: %w", v, err)
	}
	return nil
}

// payloadOf turns what a caller gave into a payload: nil is none, a Payload is
// itself, a string is text, a []byte is bytes, and everything else is JSON.
func payloadOf(v any) Payload {
	switch v := v.(type) {
	case nil:
		return Payload{}
	case Payload:
		return v
	case string:
		return Text(v)
	case []byte:
		return Bytes(v)
	default:
		return JSON(v)
	}
}

func (p Payload) proto() (*v1.Payload, error) {
	if p.err != nil || p.form == formNone {
		return nil, p.err
	}
	message := &v1.Payload{ContentType: p.media}
	switch p.form {
	case formJSON:
		message.Data = &v1.Payload_Json{Json: p.value}
	case formText:
		message.Data = &v1.Payload_Text{Text: p.text}
	default:
		message.Data = &v1.Payload_Bytes{Bytes: p.bytes}
	}
	return message, nil
}

func payloadFromProto(message *v1.Payload) Payload {
	p := Payload{media: message.GetContentType()}
	switch data := message.GetData().(type) {
	case *v1.Payload_Json:
		p.form, p.value = formJSON, data.Json
	case *v1.Payload_Text:
		p.form, p.text = formText, data.Text
	case *v1.Payload_Bytes:
		p.form, p.bytes = formBytes, data.Bytes
	}
	return p
}

// jsonText writes a value as encoding/json would, without HTML escapes.
func jsonText(value *structpb.Value) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value.AsInterface()); err != nil {
		return nil, fmt.Errorf("encode payload: %w", err)
	}
	return bytes.TrimRight(text.Bytes(), "\n"), nil
}
