package api

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/structpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

const (
	maxPayload = 256 << 10 // bytes of JSON text, UTF-8 text, or bytes
	// maxInteger is the largest integer that every reader of JSON keeps (2^53-1).
	maxInteger = 1<<53 - 1
	// maxJSONDepth bounds the nesting of objects and arrays. An object is three messages deep in its binary form, and
	// Protobuf refuses more than 100 in C++, Java, Python and JavaScript: a deeper payload could be created, but never be
	// leased by a worker in those languages, nor anything else that is leased with it.
	maxJSONDepth = 30
)

// payload checks p and counts its bytes.
func (w *walker) payload(p *belfryv1.Payload) {
	size := 0
	switch data := p.GetData().(type) {
	case nil:
		if p.GetContentType() != "" {
			w.wrong("", "has a content_type but no data; set json, text or bytes, or leave the payload out")
		}
	case *belfryv1.Payload_Json:
		w.push(pathStep{field: "json"})
		w.json = w.json[:0]
		w.jsonValue(data.Json, 0)
		size = len(w.json)
		w.oversize("", size, "bytes as JSON text")
		w.pop()
	case *belfryv1.Payload_Text:
		size = len(data.Text)
		w.oversize("text", size, "bytes of UTF-8")
		if strings.IndexByte(data.Text, 0) >= 0 {
			w.wrong("text", "must not contain NUL characters (U+0000); send such data as `bytes`")
		} else if !utf8.ValidString(data.Text) {
			w.wrong("text", "must be valid UTF-8; send other data as `bytes`")
		}
	case *belfryv1.Payload_Bytes:
		size = len(data.Bytes)
		w.oversize("bytes", size, "bytes")
	}
	w.bytes += size
	w.push(pathStep{field: "content_type"})
	w.text(p.GetContentType())
	w.pop()
}

func (w *walker) oversize(field string, size int, unit string) {
	if size > maxPayload {
		w.wrong(field, "must have at most %s %s (256 KiB); it has %s: keep large data elsewhere and send its address",
			grouped(maxPayload), unit, grouped(int64(size)))
	}
}

// jsonText returns the compact JSON text of v as it is stored and measured: members sorted by name, numbers in their
// shortest form. Equal values have equal texts. v must have been validated.
func jsonText(v *structpb.Value) []byte {
	var w walker
	w.jsonValue(v, 0)
	return w.json
}

// jsonValue appends the text of v to w.json, and notes what cannot be kept.
func (w *walker) jsonValue(v *structpb.Value, depth int) {
	switch kind := v.GetKind().(type) {
	case *structpb.Value_NullValue:
		w.json = append(w.json, "null"...)
	case *structpb.Value_BoolValue:
		w.json = strconv.AppendBool(w.json, kind.BoolValue)
	case *structpb.Value_NumberValue:
		w.number(kind.NumberValue)
	case *structpb.Value_StringValue:
		w.checkJSONString(kind.StringValue)
		w.json = appendJSONString(w.json, kind.StringValue)
	case *structpb.Value_StructValue:
		if w.tooDeep(depth) {
			return
		}
		w.object(kind.StructValue.GetFields(), depth+1)
	case *structpb.Value_ListValue:
		if w.tooDeep(depth) {
			return
		}
		w.array(kind.ListValue.GetValues(), depth+1)
	default:
		w.wrong("", "holds a value without a kind; set null_value for null")
	}
}

func (w *walker) tooDeep(depth int) bool {
	if depth < maxJSONDepth {
		return false
	}
	w.wrong("", "must not nest objects and arrays more than %d deep; send a deeper document as `text`", maxJSONDepth)
	return true
}

func (w *walker) object(fields map[string]*structpb.Value, depth int) {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	w.json = append(w.json, '{')
	for i, name := range names {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		w.push(pathStep{index: entry, key: name})
		w.checkJSONString(name)
		w.json = append(appendJSONString(w.json, name), ':')
		w.jsonValue(fields[name], depth)
		w.pop()
	}
	w.json = append(w.json, '}')
}

func (w *walker) array(values []*structpb.Value, depth int) {
	w.json = append(w.json, '[')
	for i, value := range values {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		w.push(pathStep{index: i})
		w.jsonValue(value, depth)
		w.pop()
	}
	w.json = append(w.json, ']')
}

func (w *walker) checkJSONString(s string) {
	switch {
	case strings.IndexByte(s, 0) >= 0:
		w.wrong("", "must not contain NUL characters (U+0000); send such data as `bytes`")
	case !utf8.ValidString(s):
		w.wrong("", "must be valid UTF-8; send other data as `bytes`")
	}
}

func (w *walker) number(x float64) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		w.wrong("", "must be a finite number: JSON has no other")
		return
	case math.Abs(x) > maxInteger: // every double of that size is an integer
		w.wrong("", "is a number beyond ±9007199254740991 (2^53-1), which would lose digits; send it as a string, "+
			"or the whole payload as `text`")
	case x == 0:
		x = 0 // minus zero is the same value
	}
	format := byte('f')
	if abs := math.Abs(x); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	w.json = strconv.AppendFloat(w.json, x, format, -1, 64)
}

// appendJSONString appends s in quotes with no more escapes than RFC 8259 section 7 asks for.
func appendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
