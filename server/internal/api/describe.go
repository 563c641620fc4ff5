package api

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/belfryhq/belfry/server/internal/job"
)

// describe says in plain words which rule of the proto files is broken: what the limit is, and where it helps, what was
// given.
func describe(request protoreflect.MessageDescriptor, v *protovalidate.Violation) job.FieldViolation {
	return job.FieldViolation{
		Field:       clip(protovalidate.FieldPathString(v.Proto.GetField())),
		Description: sentence(lastRule(fieldAt(request, v), v), v),
	}
}

// fieldAt returns the field that v is about; for an item or entry, its list or map. The violation itself does not tell
// then.
func fieldAt(request protoreflect.MessageDescriptor, v *protovalidate.Violation) protoreflect.FieldDescriptor {
	var fd protoreflect.FieldDescriptor
	md := request
	for _, element := range v.Proto.GetField().GetElements() {
		if md == nil {
			return nil
		}
		fd = md.Fields().ByNumber(protoreflect.FieldNumber(element.GetFieldNumber()))
		if fd == nil {
			return nil
		}
		md = fd.Message()
	}
	return fd
}

func sentence(rule brokenRule, v *protovalidate.Violation) string {
	switch rule.name {
	case "required":
		return "is required"
	case "pattern":
		return patternSentence(rule, v)
	case "min_len", "min_bytes":
		return "must not be empty"
	case "max_len":
		return fmt.Sprintf("must have at most %s characters", rule.number())
	case "max_bytes":
		return fmt.Sprintf("must have at most %s bytes of UTF-8; it has %s",
			rule.number(), grouped(int64(len(v.FieldValue.String()))))
	case "min_items":
		return "must not be empty"
	case "max_items":
		return fmt.Sprintf("must have at most %s items", rule.number())
	case "max_pairs":
		return fmt.Sprintf("must have at most %s entries", rule.number())
	case "unique":
		return "must not hold the same value twice"
	case "defined_only":
		return "must be one of the values that the API defines"
	case "not_in":
		return "must not be UNSPECIFIED"
	case "in":
		return "must be one of " + rule.list()
	case "gt", "gte", "lt", "lte":
		return rangeSentence(rule, v)
	}
	return v.Proto.GetMessage()
}

// brokenRule is one rule of the proto files with those beside it.
type brokenRule struct {
	name   string
	beside protoreflect.Message // e.g. an Int32Rules; invalid if the field has none
}

// lastRule follows the violation's rule path (repeated.items.duration.gte) to the rule.
func lastRule(field protoreflect.FieldDescriptor, v *protovalidate.Violation) brokenRule {
	path := v.Proto.GetRule().GetElements()
	if len(path) == 0 || field == nil {
		return brokenRule{name: v.Proto.GetRuleId()}
	}
	rule := brokenRule{name: path[len(path)-1].GetFieldName()}
	rules, err := protovalidate.ResolveFieldRules(field)
	if err != nil || rules == nil {
		return rule
	}
	rule.beside = rules.ProtoReflect()
	for _, element := range path[:len(path)-1] {
		fd := rule.beside.Descriptor().Fields().ByName(protoreflect.Name(element.GetFieldName()))
		if fd == nil || fd.Message() == nil || fd.IsList() {
			return brokenRule{name: rule.name}
		}
		rule.beside = rule.beside.Get(fd).Message()
	}
	return rule
}

// bound returns a rule beside the broken one, as text with its unit; empty if it is not set.
func (r brokenRule) bound(name protoreflect.Name) string {
	if r.beside == nil {
		return ""
	}
	fd := r.beside.Descriptor().Fields().ByName(name)
	if fd == nil || !r.beside.Has(fd) {
		return ""
	}
	return valueText(r.beside.Get(fd))
}

func (r brokenRule) number() string { return r.bound(protoreflect.Name(r.name)) }

func (r brokenRule) list() string {
	fd := r.beside.Descriptor().Fields().ByName(protoreflect.Name(r.name))
	values := r.beside.Get(fd).List()
	var out []string
	for i := range values.Len() {
		out = append(out, values.Get(i).String())
	}
	return strings.Join(out, ", ")
}

func rangeSentence(r brokenRule, v *protovalidate.Violation) string {
	low, high := r.bound("gte"), r.bound("lte")
	got := ""
	if v.FieldValue.IsValid() {
		got = "; it is " + valueText(v.FieldValue)
	}
	switch {
	case low != "" && high != "":
		return fmt.Sprintf("must be between %s and %s%s", low, high, got)
	case low != "":
		return fmt.Sprintf("must be at least %s%s", low, got)
	case high != "":
		return fmt.Sprintf("must be at most %s%s", high, got)
	}
	return v.Proto.GetMessage()
}

func valueText(value protoreflect.Value) string {
	switch x := value.Interface().(type) {
	case protoreflect.Message:
		if d, ok := x.Interface().(*durationpb.Duration); ok {
			return durationText(d.AsDuration())
		}
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case int32:
		return grouped(int64(x))
	case int64:
		return grouped(x)
	case uint64:
		return grouped(int64(x))
	}
	return clip(value.String())
}

// grouped writes n with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// durationText writes a bound as the proto comments do: the largest unit that divides it.
func durationText(d time.Duration) string {
	const day, tenYears = 24 * time.Hour, 315576000 * time.Second
	switch {
	case d == tenYears:
		return "10 years"
	case d >= 2*day && d%day == 0:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Hour && d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	case d%time.Millisecond == 0:
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	}
	return d.String()
}

func patternSentence(r brokenRule, v *protovalidate.Violation) string {
	var text string
	switch pattern := patternOf(r.beside); pattern {
	case "^[a-z0-9][a-z0-9._-]{0,62}$":
		text = "must be 1–63 characters of a-z 0-9 . _ -, the first a letter or digit"
	case "^[!-~]*$":
		text = "must be printable ASCII without spaces"
	case "^[!-~]{1,128}$":
		text = "must be 1–128 printable ASCII characters without spaces"
	case "^[ -~]*$":
		text = "must be printable ASCII"
	case "^[A-Za-z0-9_.-]{1,128}$":
		text = "must have a name of 1–128 characters of A-Z a-z 0-9 - _ ."
	default:
		text = "must match " + pattern
	}
	if v.FieldValue.IsValid() && v.FieldValue.String() == "" {
		return "is required and " + text
	}
	return text
}

func patternOf(rules protoreflect.Message) string {
	if rules == nil {
		return ""
	}
	s, _ := rules.Interface().(*validate.StringRules)
	return s.GetPattern()
}
