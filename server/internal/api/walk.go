package api

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
)

// walker visits a message and collects what is wrong with it. It is used by one goroutine at a time.
type walker struct {
	now   time.Time
	path  []pathStep // from the request to where the walk is
	found []job.FieldViolation
	bytes int    // payload bytes, and headers, seen so far
	json  []byte // scratch for the JSON text of payloads
}

// pathStep is a field, an element of a list, or an entry of a map; rendered only when something is wrong.
type pathStep struct {
	field protoreflect.Name // empty: an element or entry of the step before
	index int               // of the element; entry if it is one of a map
	key   string            // of the entry
}

const entry = -1

// maxScratch bounds what a walker keeps between calls.
const maxScratch = 64 << 10

func (w *walker) reset(now time.Time) {
	scratch := w.json
	if cap(scratch) > maxScratch {
		scratch = nil
	}
	*w = walker{now: now, path: w.path[:0], json: scratch[:0]}
}

// wrong notes a violation where the walk is, or at a field of the message there.
func (w *walker) wrong(field, format string, args ...any) {
	if len(w.found) < maxViolations {
		w.found = append(w.found, job.FieldViolation{Field: w.at(field), Description: fmt.Sprintf(format, args...)})
	}
}

func (w *walker) at(field string) string {
	var out strings.Builder
	for _, step := range w.path {
		switch {
		case step.field != "":
			if out.Len() > 0 {
				out.WriteByte('.')
			}
			out.WriteString(string(step.field))
		case step.index == entry:
			out.WriteString("[" + strconv.Quote(clip(step.key)) + "]")
		default:
			out.WriteString("[" + strconv.Itoa(step.index) + "]")
		}
	}
	if field != "" && out.Len() > 0 {
		out.WriteByte('.')
	}
	return out.String() + field
}

func (w *walker) push(step pathStep) { w.path = append(w.path, step) }

func (w *walker) pop() { w.path = w.path[:len(w.path)-1] }

// message visits m and everything in it.
func (w *walker) message(m protoreflect.Message) {
	switch msg := m.Interface().(type) {
	case *timestamppb.Timestamp:
		if !msg.IsValid() {
			w.wrong("", "must be between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z, "+
				"with 0–999,999,999 nanoseconds")
		}
		return
	case *durationpb.Duration:
		if !msg.IsValid() {
			w.wrong("", "must be at most 10,000 years to either side, with nanoseconds below a second and of the same sign")
		}
		return
	case *belfryv1.Payload:
		w.payload(msg)
		return
	case *belfryv1.JobSpec:
		w.jobSpec(msg)
	}
	m.Range(func(fd protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		w.field(fd, value)
		return len(w.found) < maxViolations
	})
}

func (w *walker) field(fd protoreflect.FieldDescriptor, value protoreflect.Value) {
	if !fd.IsMap() && fd.Message() == nil && fd.Kind() != protoreflect.StringKind {
		return
	}
	w.push(pathStep{field: fd.Name()})
	defer w.pop()
	switch {
	case fd.IsMap():
		w.entries(value.Map())
	case fd.IsList():
		list := value.List()
		for i := range list.Len() {
			w.push(pathStep{index: i})
			w.value(fd, list.Get(i))
			w.pop()
		}
	default:
		w.value(fd, value)
	}
}

// entries visits a map of strings; the API has no other.
func (w *walker) entries(entries protoreflect.Map) {
	entries.Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
		w.push(pathStep{index: entry, key: key.String()})
		w.text(key.String())
		if s, ok := value.Interface().(string); ok {
			w.text(s)
		}
		w.pop()
		return true
	})
}

func (w *walker) value(fd protoreflect.FieldDescriptor, value protoreflect.Value) {
	if fd.FullName() == "belfry.v1.CompleteItem.result" { // its handler judges it, so that it spoils no other item
		return
	}
	if fd.Message() != nil {
		w.message(value.Message())
		return
	}
	if fd.FullName() != "belfry.v1.FailItem.error" { // its NULs are replaced: a failure must be reportable
		w.text(value.String())
	}
}

func (w *walker) text(s string) {
	switch {
	case strings.IndexByte(s, 0) >= 0:
		w.wrong("", "must not contain NUL characters (U+0000)")
	case !utf8.ValidString(s):
		w.wrong("", "must be valid UTF-8")
	}
}
