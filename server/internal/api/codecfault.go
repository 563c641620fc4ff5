package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/belfryhq/belfry/server/internal/job"
)

// maxQuoted bounds what is repeated of a caller's text, in bytes: a payload must not come back in an error.
const maxQuoted = 120

// clip shortens s to maxQuoted bytes.
func clip(s string) string { return clipTo(s, maxQuoted) }

// clipTo shortens s to limit bytes, at a character, and marks the cut.
func clipTo(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// plainProtoError returns the text of a decoding error without the package's prefix, which varies on purpose.
func plainProtoError(err error) string {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	return clip(strings.TrimSpace(strings.TrimPrefix(text, "proto:")))
}

// explainJSON says where and why data is not a message of type md, given the error of protojson. A path in the answer
// spells fields as the caller did.
func explainJSON(data []byte, md protoreflect.MessageDescriptor, err error) job.FieldViolation {
	text := plainProtoError(err)
	if at, lone := loneSurrogate(data); lone {
		return job.FieldViolation{Field: clip(pathAt(data, at)), Description: fmt.Sprintf(
			"holds %s, half of a surrogate pair, which is not text; send both halves, or send the data as `bytes`", data[at:at+6])}
	}
	at, where := len(data), "at its end"
	position := regexp.MustCompile(`(?:syntax error )?\(line (\d+):(\d+)\): `)
	if found := position.FindStringSubmatch(text); found != nil {
		line, _ := strconv.Atoi(found[1])
		column, _ := strconv.Atoi(found[2])
		at, where = offsetOf(data, line, column), fmt.Sprintf("line %d, column %d", line, column)
		text = strings.Replace(text, found[0], "", 1)
	}
	path := pathAt(data, at)
	switch {
	case strings.HasPrefix(text, "unknown field"):
		return job.FieldViolation{Field: clip(path), Description: unknownField(md, path)}
	case strings.HasPrefix(text, "duplicate"):
		return job.FieldViolation{Field: clip(path), Description: "is given twice; leave one out"}
	case strings.Contains(text, "FieldMask"):
		return job.FieldViolation{Field: clip(path),
			Description: `must name its fields in lowerCamelCase in JSON, e.g. "retryPolicy,attemptTimeout"`}
	}
	return job.FieldViolation{Field: clip(path),
		Description: fmt.Sprintf("cannot be read as JSON of %s (%s): %s", md.Name(), where, text)}
}

// unknownField names the fault and, if there is one, the field that was probably meant.
func unknownField(md protoreflect.MessageDescriptor, path string) string {
	method := strings.TrimSuffix(string(md.Name()), "Request")
	segments := strings.Split(path, ".")
	last := segments[len(segments)-1]
	for _, segment := range segments[:len(segments)-1] {
		name, _, _ := strings.Cut(segment, "[")
		fd := fieldNamed(md, name)
		if fd == nil || fd.Message() == nil {
			return "is not a field of " + method
		}
		md = fd.Message()
	}
	text := fmt.Sprintf("is not a field of %s (unknown field %q in %s)", method, clip(last), md.Name())
	if near := nearestField(md, last); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text
}

func fieldNamed(md protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if fd := md.Fields().ByJSONName(name); fd != nil {
		return fd
	}
	return md.Fields().ByName(protoreflect.Name(name))
}

// nearestField returns the field of md whose name is at most two typing errors away, or empty.
func nearestField(md protoreflect.MessageDescriptor, name string) string {
	best, distance := "", 3
	if len(name) > 64 {
		return ""
	}
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		for _, candidate := range []string{string(fd.Name()), fd.JSONName()} {
			if d := editDistance(strings.ToLower(name), strings.ToLower(candidate)); d < distance {
				best, distance = string(fd.Name()), d
			}
		}
	}
	return best
}

// editDistance counts the insertions, deletions and replacements of bytes that turn a into b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// loneSurrogate returns the offset of the first \u escape in data that is half of a surrogate pair without the other
// half (RFC 8259 section 8.2).
func loneSurrogate(data []byte) (at int, found bool) {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		r := escaped(data[i:])
		switch {
		case !utf16.IsSurrogate(r):
			i++ // what is escaped
		case utf16.DecodeRune(r, escaped(data[i+6:])) == utf8.RuneError:
			return i, true
		default:
			i += 11
		}
	}
	return 0, false
}

// escaped returns the code unit of a \uXXXX escape at the start of data, or 0.
func escaped(data []byte) rune {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

// offsetOf returns the byte offset of a line and a column, both from 1; columns count characters.
func offsetOf(data []byte, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		next := bytes.IndexByte(data[at:], '\n')
		if next < 0 {
			return len(data)
		}
		at += next + 1
	}
	for ; column > 1 && at < len(data); column-- {
		_, size := utf8.DecodeRune(data[at:])
		at += size
	}
	return at
}

// pathAt returns the path of the member or element of the JSON text data that offset at lies in, e.g.
// jobs[3].job.priority. It reads as far as data is JSON.
func pathAt(data []byte, at int) string {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var stack []jsonFrame
	for {
		token, err := d.Token()
		if err != nil {
			return renderFrames(stack)
		}
		stack = follow(stack, token)
		if d.InputOffset() > int64(at) {
			return renderFrames(stack)
		}
	}
}

// jsonFrame is one open object or array, and where in it the reader is.
type jsonFrame struct {
	array bool
	index int    // of the element, in an array; -1 before the first
	key   string // of the member, in an object
	value bool   // in an object: the key has been read, its value comes next
}

// follow returns the stack after token.
func follow(stack []jsonFrame, token json.Token) []jsonFrame {
	if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
		return stack[:max(len(stack)-1, 0)]
	}
	if top := len(stack) - 1; top >= 0 {
		switch frame := &stack[top]; {
		case frame.array:
			frame.index++
		case frame.value:
			frame.value = false
		default:
			frame.key, _ = token.(string)
			frame.value = true
			return stack
		}
	}
	if delim, ok := token.(json.Delim); ok {
		return append(stack, jsonFrame{array: delim == '[', index: -1})
	}
	return stack
}

func renderFrames(stack []jsonFrame) string {
	var path strings.Builder
	for _, frame := range stack {
		switch {
		case frame.array:
			if frame.index >= 0 {
				fmt.Fprintf(&path, "[%d]", frame.index)
			}
		case frame.key != "":
			if path.Len() > 0 {
				path.WriteByte('.')
			}
			path.WriteString(frame.key)
		}
	}
	return path.String()
}
