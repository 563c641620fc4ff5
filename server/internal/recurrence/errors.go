package recurrence

import (
	"strconv"
	"strings"
)

// Field names the part of a rule that a [ParseError] is about.
type Field string

// The parts of a rule.
const (
	FieldExpression Field = "expression"
	FieldSecond     Field = "second"
	FieldMinute     Field = "minute"
	FieldHour       Field = "hour"
	FieldDay        Field = "day of month"
	FieldMonth      Field = "month"
	FieldWeekday    Field = "day of week"
	FieldYear       Field = "year"
	FieldInterval   Field = "interval"
	FieldTime       Field = "time"
	FieldZone       Field = "time zone"
	FieldStart      Field = "start time"
	FieldEnd        Field = "end time"
	FieldJitter     Field = "jitter"
	FieldExclude    Field = "excluded dates"
	FieldRRule      Field = "rrule" // or the name of one of its parts, such as BYDAY
)

// quotedLimit bounds how much of a refused text is repeated in its error.
const quotedLimit = 60

// ParseError says why a rule was refused. Its message is written for the person
// who wrote the rule.
type ParseError struct {
	Field  Field  // the part at fault
	Text   string // that part as written, cut to 60 bytes
	Reason string // the fault and the limit that was broken
	Hint   string // what to write instead; may be empty
}

// Error gives field, text, reason and hint in one line of printable ASCII.
func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Field))
	if e.Text != "" {
		b.WriteByte(' ')
		b.WriteString(strconv.QuoteToASCII(e.Text))
	}
	b.WriteString(": ")
	b.WriteString(e.Reason)
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

func refuse(field Field, text, reason, hint string) *ParseError {
	if len(text) > quotedLimit {
		text = text[:quotedLimit] + "..."
	}
	return &ParseError{Field: field, Text: text, Reason: reason, Hint: hint}
}
