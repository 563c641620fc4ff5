package recurrence

import (
	"fmt"
	"strings"
	"time"
)

var eventBridgeFields = []field{minuteField, hourField, dayField, monthField, eventBridgeWeekday, yearField}

// parseEventBridge reads the inside of cron(...): minute, hour, day of month,
// month, day of week counted from SUN as 1, year.
func (s *Spec) parseEventBridge(inner, seed string) *ParseError {
	texts := strings.FieldsFunc(inner, isBlank)
	if len(texts) != 6 {
		return refuse(FieldExpression, inner, fmt.Sprintf("%d fields inside cron(...); 6 are needed", len(texts)),
			"write minute, hour, day of month, month, day of week, year, such as cron(0 12 * * ? *)")
	}
	if (texts[2] == "?") == (texts[4] == "?") {
		return refuse(FieldWeekday, texts[4], "exactly one of day of month and day of week must be '?' inside cron(...)",
			"write ? in the one that does not matter")
	}
	err := s.compile(expression{fields: eventBridgeFields, texts: texts, seed: seed})
	s.text = "cron(" + s.text + ")"
	return err
}

// atLayout is the only form of the inside of at(...).
const atLayout = "2006-01-02T15:04:05"

// parseAt reads the inside of at(...): one local time in the rule's zone.
func (s *Spec) parseAt(inner string) *ParseError {
	if strings.HasSuffix(inner, "Z") || len(inner) > len(atLayout) && strings.ContainsAny(inner[len(atLayout):], "+-") {
		return refuse(FieldTime, inner, "at(...) takes a local time without an offset",
			"remove the offset and give the zone beside the expression")
	}
	t, err := time.Parse(atLayout, inner)
	// The length check refuses the fractions of a second that time.Parse lets pass.
	if err != nil || len(inner) != len(atLayout) {
		return refuse(FieldTime, inner, "not a date and time that exists", "write at(2026-11-30T12:00:00)")
	}
	if t.Year() < MinYear || t.Year() > MaxYear {
		return refuse(FieldTime, inner, fmt.Sprintf("the year is outside %d to %d", MinYear, MaxYear), "")
	}
	s.kind, s.text = kindInstant, "at("+inner+")"
	s.wall = t.Unix()
	instant, ok := s.resolve(s.wall)
	s.instant, s.missing = instant, !ok
	return nil
}
