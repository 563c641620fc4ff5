package recurrence

import (
	"strconv"
	"time"
)

type kind uint8

const (
	kindNone     kind = iota // the zero Spec: never fires
	kindCron                 // cron, cron(...), calendar macros
	kindInterval             // @every, rate(...), NewInterval
	kindInstant              // at(...)
	kindRRule                // ParseRRule
)

// GapPolicy says what a fixed-time rule does when the clock skips its wall time.
type GapPolicy uint8

const (
	// GapRunAfter fires once at the first instant after the gap, whatever its
	// length; several skipped times of one rule become that one occurrence.
	GapRunAfter GapPolicy = iota
	// GapSkip leaves the skipped times out.
	GapSkip
)

// String gives the policy's name as the API spells it.
func (p GapPolicy) String() string {
	return enumName(int(p), "RUN_AFTER", "SKIP")
}

// OverlapPolicy says what a fixed-time rule does when the clock shows its wall
// time twice.
type OverlapPolicy uint8

// Overlap policies; the zero value is the default.
const (
	OverlapFirst OverlapPolicy = iota // fire the first time only
	OverlapLast                       // fire the second time only
	OverlapBoth                       // fire both times; at(...) still fires once, the first time
)

// String gives the policy's name as the API spells it.
func (p OverlapPolicy) String() string {
	return enumName(int(p), "FIRST", "LAST", "BOTH")
}

func enumName(i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i)
}

// Options are the settings of a rule beside its text and zone. The zero value is
// the default of every one.
type Options struct {
	// Seed spreads H: "<tenant>/<schedule>". Empty means the canonical
	// expression itself, without its zone.
	Seed string
	// After, if set, refuses a rule that has no occurrence after it. Creation
	// sets it; preview, which may answer nothing, does not.
	After time.Time
	// Gap and Overlap are the daylight-saving policies of fixed-time rules and
	// of at(...). Interval-like rules follow real time and ignore them.
	Gap     GapPolicy
	Overlap OverlapPolicy
}

// Spec is a parsed rule. The zero Spec never fires. Specs are immutable; methods
// that change something return a new one.
type Spec struct {
	text string // canonical, without zone
	zone *zone
	cal  *calendar // kindCron

	recurrence *recurrenceText // kindRRule
	rule       *rule           // kindRRule; nil without DTSTART and anchor

	every, phase int64 // kindInterval, seconds
	anchor       int64 // of a measured rule, Unix seconds, if anchored
	wall         int64 // kindInstant, the wall-clock second as written
	instant      int64 // kindInstant, Unix seconds

	kind     kind
	anchored bool
	missing  bool // kindInstant in a gap that is skipped
	gap      GapPolicy
	overlap  OverlapPolicy
}

// String is the canonical text with its zone: a CRON_TZ= prefix unless that is UTC,
// in a recurrence with DTSTART its Z or TZID. Parsing it, with [ParseRRule] if it is
// a recurrence, with an empty zone and the same options gives an equal Spec. An anchor
// is not part of the text.
func (s Spec) String() string {
	if s.kind == kindRRule {
		return s.recurrence.zoned(s.zone.name)
	}
	if s.zone == nil || s.zone.name == "UTC" {
		return s.text
	}
	return "CRON_TZ=" + s.zone.name + " " + s.text
}

// Expression is the canonical text without the zone.
func (s Spec) Expression() string { return s.text }

// Zone is the IANA name of the rule's time zone, "UTC" by default.
func (s Spec) Zone() string { return s.Location().String() }

// Location is the rule's time zone, for showing its instants in local time.
func (s Spec) Location() *time.Location {
	if s.zone == nil {
		return time.UTC
	}
	return s.zone.loc
}

// Gap is the policy for skipped wall times.
func (s Spec) Gap() GapPolicy { return s.gap }

// Overlap is the policy for repeated wall times.
func (s Spec) Overlap() OverlapPolicy { return s.overlap }

// FixedTime reports whether the daylight-saving policies apply: the rule names
// wall-clock times rather than following real time.
func (s Spec) FixedTime() bool {
	return s.kind == kindInstant || s.matchesFixed()
}

// Equal reports whether two rules have the same text, zone, policies and anchor
// and fire at the same instants.
func (s Spec) Equal(other Spec) bool {
	a, b := s, other
	if a.cal != nil && b.cal != nil {
		if *a.cal != *b.cal {
			return false
		}
		a.cal, b.cal = nil, nil
	}
	if a.kind == kindRRule && b.kind == kindRRule {
		// Everything follows from the text, zone, policies and anchor.
		a.recurrence, a.rule = b.recurrence, b.rule
	}
	return a == b
}

// Measured reports whether the rule counts from an anchor, as @every, rate(...) and
// a recurrence without DTSTART do.
func (s Spec) Measured() bool {
	return s.kind == kindInterval || s.kind == kindRRule && !s.recurrence.hasStart
}

// WithAnchor fixes the instant that a measured rule counts from. The occurrences of
// an interval are at anchor + phase + k × interval, k >= 0, exclusive of the instant
// asked after. So a rule anchored at its creation first fires one interval later. A
// recurrence takes the anchor as its DTSTART; its COUNT begins after it. Whole
// seconds; a fraction is cut. The zero time takes the anchor away. Other rules are
// returned unchanged.
func (s Spec) WithAnchor(anchor time.Time) Spec { return s.anchorAt(anchor, false) }

// anchoredAt anchors a measured rule that is not yet.
func (s Spec) anchoredAt(anchor time.Time) Spec {
	if s.Measured() && !s.anchored {
		return s.WithAnchor(anchor)
	}
	return s
}

// anchorAt is WithAnchor; inclusive says that COUNT includes the anchor itself.
func (s Spec) anchorAt(anchor time.Time, inclusive bool) Spec {
	if !s.Measured() {
		return s
	}
	s.anchor, s.anchored, s.rule = 0, false, nil
	if anchor.IsZero() {
		return s
	}
	// Bounded so that sums with it cannot overflow.
	s.anchor, s.anchored = min(max(anchor.Unix(), -1<<40), endInstant), true
	if s.kind == kindRRule {
		s.anchorRule(s.anchor, inclusive)
	}
	return s
}
