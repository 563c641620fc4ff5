package api

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/belfryhq/belfry/server/internal/job"
)

// jsonValueOf reads stored JSON text. What jsonText writes is read directly, since protojson takes 7 µs for 70 bytes and
// every job that is leased pays for it; any other text is left to protojson.
func jsonValueOf(text []byte) (*structpb.Value, error) {
	r := jsonReader{text: text}
	if v := r.value(0); v != nil && r.at == len(text) {
		return v, nil
	}
	v := &structpb.Value{}
	if err := protojson.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("read stored JSON: %w: %w", job.ErrBadBody, err)
	}
	return v, nil
}

// jsonReader reads compact JSON. Its methods return nil, or false, for anything else.
type jsonReader struct {
	text []byte
	at   int
}

func (r *jsonReader) value(depth int) *structpb.Value {
	if r.at == len(r.text) || depth > maxJSONDepth {
		return nil
	}
	switch c := r.text[r.at]; {
	case c == '"':
		if s, ok := r.str(); ok {
			return &structpb.Value{Kind: &structpb.Value_StringValue{StringValue: s}}
		}
		return nil
	case c == '{':
		return r.object(depth + 1)
	case c == '[':
		return r.array(depth + 1)
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	case r.take("true"):
		return &structpb.Value{Kind: &structpb.Value_BoolValue{BoolValue: true}}
	case r.take("false"):
		return &structpb.Value{Kind: &structpb.Value_BoolValue{}}
	case r.take("null"):
		return &structpb.Value{Kind: &structpb.Value_NullValue{}}
	}
	return nil
}

// take passes word, if it comes next.
func (r *jsonReader) take(word string) bool {
	if len(r.text)-r.at < len(word) || string(r.text[r.at:r.at+len(word)]) != word {
		return false
	}
	r.at += len(word)
	return true
}

func (r *jsonReader) object(depth int) *structpb.Value {
	fields := map[string]*structpb.Value{}
	for first := true; ; first = false {
		switch {
		case first && r.take("{}"):
			return structOf(fields)
		case first && !r.take("{"), !first && !r.take(","):
			return nil
		}
		name, ok := r.str()
		if _, twice := fields[name]; !ok || twice || !r.take(":") {
			return nil
		}
		v := r.value(depth)
		if v == nil {
			return nil
		}
		fields[name] = v
		if r.take("}") {
			return structOf(fields)
		}
	}
}

func structOf(fields map[string]*structpb.Value) *structpb.Value {
	return &structpb.Value{Kind: &structpb.Value_StructValue{StructValue: &structpb.Struct{Fields: fields}}}
}

func (r *jsonReader) array(depth int) *structpb.Value {
	list := &structpb.ListValue{}
	for first := true; ; first = false {
		switch {
		case first && r.take("[]"):
			return structpb.NewListValue(list)
		case first && !r.take("["), !first && !r.take(","):
			return nil
		}
		v := r.value(depth)
		if v == nil {
			return nil
		}
		list.Values = append(list.Values, v)
		if r.take("]") {
			return structpb.NewListValue(list)
		}
	}
}

func (r *jsonReader) number() *structpb.Value {
	from := r.at
	for r.at < len(r.text) && bytes.IndexByte([]byte("+-.0123456789Ee"), r.text[r.at]) >= 0 {
		r.at++
	}
	x, err := strconv.ParseFloat(string(r.text[from:r.at]), 64)
	if err != nil {
		return nil
	}
	return &structpb.Value{Kind: &structpb.Value_NumberValue{NumberValue: x}}
}

// str reads a string in quotes.
func (r *jsonReader) str() (string, bool) {
	if !r.take(`"`) {
		return "", false
	}
	from := r.at
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			s := r.text[from:r.at]
			r.at++
			return string(s), utf8.Valid(s)
		case c == '\\':
			return r.escaped(append([]byte(nil), r.text[from:r.at]...))
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped reads the rest of a string that begins with s and goes on with an escape.
func (r *jsonReader) escaped(s []byte) (string, bool) {
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == '"':
			return string(s), utf8.Valid(s)
		case c < ' ':
			return "", false
		case c != '\\':
			s = append(s, c)
		case r.take("u00"):
			if len(r.text)-r.at < 2 {
				return "", false
			}
			code, err := strconv.ParseUint(string(r.text[r.at:r.at+2]), 16, 8)
			if err != nil || code >= utf8.RuneSelf {
				return "", false
			}
			s, r.at = append(s, byte(code)), r.at+2
		default:
			if r.at == len(r.text) {
				return "", false
			}
			i := bytes.IndexByte([]byte(`"\bfnrt`), r.text[r.at])
			if i < 0 {
				return "", false
			}
			s, r.at = append(s, "\"\\\b\f\n\r\t"[i]), r.at+1
		}
	}
	return "", false
}
