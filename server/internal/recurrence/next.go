package recurrence

import "time"

// Next answers the first occurrence after an instant, exclusive, in UTC and whole
// seconds; false if there is none up to the end of [MaxYear]. It allocates
// nothing.
//
// An interval without an anchor is measured from after itself; whoever steps
// through such a rule anchors it first ([Spec.WithAnchor]), or uses
// [Spec.NextN].
func (s Spec) Next(after time.Time) (time.Time, bool) {
	at, ok := s.next(after.Unix())
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(at, 0).UTC(), true
}

// NextN answers up to n occurrences after an instant, in ascending order; fewer
// if the rule ends. An interval without an anchor is measured from after.
func (s Spec) NextN(after time.Time, n int) []time.Time {
	if s.kind == kindInterval && !s.anchored {
		s = s.WithAnchor(after)
	}
	var found []time.Time
	at, ok := s.next(after.Unix())
	for ; ok && len(found) < n; at, ok = s.next(at) {
		found = append(found, time.Unix(at, 0).UTC())
	}
	return found
}

// next works in Unix seconds. A fraction of a second in the instant asked after
// was cut, which is right: whole seconds after the cut one are after both.
func (s *Spec) next(after int64) (int64, bool) {
	if after >= endInstant {
		return 0, false
	}
	after = max(after, firstInstant-1)
	switch s.kind {
	case kindCron:
		return s.nextMatch(after + 1)
	case kindInterval:
		return s.nextMultiple(after)
	case kindInstant:
		return s.instant, !s.missing && s.instant > after
	}
	return 0, false
}

// nextMultiple serves intervals.
func (s *Spec) nextMultiple(after int64) (int64, bool) {
	base := after + s.phase
	if s.anchored {
		base = s.anchor + s.phase
	}
	if base <= after {
		base += ((after-base)/s.every + 1) * s.every
	}
	return base, base < endOfYears
}

// nextMatch serves cron rules: it goes through the spans of constant offset from
// the one holding the instant from, and searches the wall clock inside each.
func (s *Spec) nextMatch(from int64) (int64, bool) {
	spans := s.zone.spans
	for i := s.zone.at(from); i < len(spans); i++ {
		if at := spans[i].start; from <= at && s.runsAfterGap(i) {
			return at, true
		}
		lo, hi := s.wallRange(i)
		offset := spans[i].offset
		if wall, ok := s.cal.next(max(lo, from+offset), hi); ok {
			return wall - offset, true
		}
		from = s.zone.end(i)
	}
	return 0, false
}
