package recurrence

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of a recurrence text.
const (
	maxRRuleText = 16 << 10 // bytes
	maxDates     = 1_000    // EXDATE and RDATE together

	// MaxCount is the highest COUNT of a recurrence rule.
	MaxCount = 25_000
)

// recurrenceText is a recurrence as read from its text. It never changes after it
// was read.
type recurrenceText struct {
	parts      ruleParts
	start      moment // DTSTART
	hasStart   bool
	extra      []int64 // RDATE, wall-clock seconds
	except     []int64 // EXDATE, wall-clock seconds
	exceptDays []int64 // EXDATE;VALUE=DATE, day numbers
	unmatched  bool    // DTSTART does not match the rule
}

// ParseRRule reads an RFC 5545 recurrence: the properties DTSTART, RRULE, EXDATE and
// RDATE, a line or a blank apart, of which RRULE must be there once; or a bare rule
// such as FREQ=DAILY;BYHOUR=9. DTSTART may carry TZID= or end in Z, which then is the
// zone of the whole rule and must not contradict tz; else it is local to tz ("" for
// UTC). EXDATE and RDATE in other zones are read as the local times that they show.
// EXDATE;VALUE=DATE leaves out the whole day.
//
// DTSTART is the first occurrence and counts as one, as the RFC says, whether the
// rule matches it or not. A rule without DTSTART is measured from its anchor, like an
// interval ([Spec.WithAnchor]), which is an occurrence only if it matches.
//
// Rules of days and longer name wall-clock times, to which the daylight-saving
// policies apply; rules of hours, minutes and seconds follow real time. What the RFC
// forbids is refused. The error is a *[ParseError]; it takes less than 10 ms.
func ParseRRule(text, tz string, opts Options) (Spec, error) {
	s, err := parseRRule(text, tz, opts)
	if err != nil {
		return Spec{}, err
	}
	return s, nil
}

func parseRRule(text, tz string, opts Options) (Spec, *ParseError) {
	if err := checkRRuleText(text); err != nil {
		return Spec{}, err
	}
	// RFC 5545 folds long lines by a line break and a blank.
	text = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(strings.TrimSpace(text))
	text, tz, err := splitZone(text, tz)
	if err != nil {
		return Spec{}, err
	}
	properties, err := splitProperties(text)
	if err != nil {
		return Spec{}, err
	}
	r := &recurrenceText{}
	if tz, err = r.readStart(properties, tz); err != nil {
		return Spec{}, err
	}
	s, err := newSpec(tz, opts)
	if err != nil {
		return Spec{}, err
	}
	if err := r.readRest(properties, s.zone); err != nil {
		return Spec{}, err
	}
	s.kind, s.recurrence, s.text = kindRRule, r, r.canonical("", "")
	if !r.hasStart {
		return s, s.checkUnanchored(opts.After)
	}
	if err := s.build(r.start.wall, s.firstInstantOf(r.start.wall), true); err != nil {
		return Spec{}, err
	}
	return s, s.checkFires(opts.After)
}

// build compiles the rule with its first period at a wall-clock second and the
// instant that shows it; inclusive says whether COUNT begins there or after it.
func (s *Spec) build(start, instant int64, inclusive bool) *ParseError {
	r := s.recurrence
	compiled, err := r.parts.compile(start, instant)
	if err != nil {
		return err
	}
	if r.parts.hasUntil {
		compiled.end, compiled.until = r.parts.until.bounds()
		if r.hasStart && (compiled.end < start || compiled.until < instant) {
			return refuse("UNTIL", r.parts.until.String(), "is before DTSTART", "choose a later end")
		}
	}
	s.rule = compiled
	count := int64(r.parts.count)
	extra := slices.Clone(r.extra)
	if r.parts.freq.running() {
		for i, wall := range extra {
			extra[i] = s.firstInstantOf(wall)
		}
	}
	if r.hasStart {
		probes := maxProbes
		first, ok := s.nextCounted(compiled.first(), &probes)
		if !ok {
			return s.neverFires()
		}
		if r.unmatched = first != compiled.first(); r.unmatched {
			extra = append(extra, compiled.first())
			inclusive, count = false, count-1
		}
	}
	if r.parts.count > 0 {
		if err := s.endByCount(count, inclusive); err != nil {
			return err
		}
	}
	compiled.extra, compiled.except, compiled.exceptDays = sortedSet(extra), r.except, r.exceptDays
	return nil
}

// first is DTSTART in the time that the rule steps in: instants if it follows real
// time, else wall-clock seconds.
func (r *rule) first() int64 {
	if r.freq.running() {
		return r.instant
	}
	return r.start
}

// firstInstantOf gives the first instant at which the clock shows a time; of a time
// in a gap, the one that it would have been without.
func (s *Spec) firstInstantOf(wall int64) int64 {
	z := s.zone
	for i := range z.spans {
		if at := wall - z.spans[i].offset; at < z.end(i) {
			if i > 0 && at < z.spans[i].start {
				return wall - z.spans[i-1].offset
			}
			return at
		}
	}
	return endInstant
}

// endByCount finds the last occurrence of a rule that ends by number. Dates that are
// added or left out are not set yet: they do not change the count.
func (s *Spec) endByCount(count int64, inclusive bool) *ParseError {
	r := s.rule
	if count == 0 {
		r.end = -1
		return nil
	}
	probes := maxProbes
	from, last := r.first(), int64(-1)
	if !inclusive {
		from++
	}
	for ; count > 0; count-- {
		var ok bool
		if last, ok = s.nextCounted(from, &probes); !ok {
			if probes <= 0 {
				return refuse("COUNT", "", "the rule matches too rarely to count its occurrences", "end it with UNTIL")
			}
			return nil // the years end first
		}
		from = last + 1
	}
	if r.freq.running() {
		r.until = min(r.until, last)
	} else {
		r.end = min(r.end, last)
	}
	return nil
}

// nextCounted steps in the time of [rule.first].
func (s *Spec) nextCounted(from int64, probes *int) (int64, bool) {
	if !s.rule.freq.running() {
		return s.rule.nextInRule(query{from: from, to: s.rule.end + 1})
	}
	return s.nextMatch(from, probes)
}

// checkUnanchored refuses a rule without DTSTART that fires after no anchor.
func (s *Spec) checkUnanchored(after time.Time) *ParseError {
	probe := *s
	if err := probe.build(0, probe.firstInstantOf(0), true); err != nil {
		return err
	}
	if _, ok := probe.next(firstInstant - 1); !ok {
		return probe.neverFires()
	}
	if after.IsZero() {
		return nil
	}
	probe = probe.WithAnchor(after)
	if _, ok := probe.next(after.Unix()); !ok {
		return probe.neverFiresAfter(after)
	}
	return nil
}

// anchorRule measures a rule without DTSTART from an instant.
func (s *Spec) anchorRule(anchor int64, inclusive bool) {
	at := min(max(anchor, 0), endOfYears-secondsPerDay)
	wall := max(at+s.zone.spans[s.zone.at(at)].offset, 0)
	// The text was compiled before, and what it refuses does not depend on the
	// start but for COUNT: such a rule then has no end by number.
	_ = s.build(wall, at, inclusive)
}

// bareRule reports whether a property line is a bare rule.
func bareRule(line string) bool {
	return strings.Contains(line, "=") && !strings.Contains(line, ":")
}

func checkRRuleText(text string) *ParseError {
	const hint = "write DTSTART;TZID=Europe/Berlin:20260105T090000 and RRULE:FREQ=WEEKLY;BYDAY=MO"
	if len(text) > maxRRuleText {
		return refuse(FieldRRule, text, fmt.Sprintf("%d bytes long, at most %d are allowed", len(text), maxRRuleText),
			"leave days out by a calendar instead of long lists")
	}
	if strings.TrimSpace(text) == "" {
		return refuse(FieldRRule, "", "empty", hint)
	}
	for i := range len(text) {
		c := text[i]
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c > '~' {
			return refuse(FieldRRule, text[i:], fmt.Sprintf("byte %d is no printable ASCII character", i), hint)
		}
	}
	return nil
}

// sortedSet sorts and drops duplicates.
func sortedSet(list []int64) []int64 {
	slices.Sort(list)
	return slices.Clip(slices.Compact(list))
}
