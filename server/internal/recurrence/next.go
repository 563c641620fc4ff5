package recurrence

import "time"

// Next answers the first occurrence after an instant, exclusive, in UTC and whole
// seconds; false if there is none up to the end of [MaxYear]. It allocates
// nothing.
//
// A measured rule without an anchor is measured from after itself; whoever steps
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
// if the rule ends. A measured rule without an anchor is measured from after.
func (s Spec) NextN(after time.Time, n int) []time.Time {
	s = s.anchoredAt(after)
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
	probes := maxProbes
	return s.search(after, &probes)
}

// search is next with a bound that several searches share.
func (s *Spec) search(after int64, probes *int) (int64, bool) {
	if after >= endInstant {
		return 0, false
	}
	after = max(after, firstInstant-1)
	switch s.kind {
	case kindCron:
		return s.nextMatch(after+1, probes)
	case kindInterval:
		return s.nextMultiple(after)
	case kindInstant:
		return s.instant, !s.missing && s.instant > after
	case kindRRule:
		return s.nextRecurrence(after, probes)
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

// nextRecurrence serves recurrences.
func (s *Spec) nextRecurrence(after int64, probes *int) (int64, bool) {
	if s.rule == nil {
		anchored := s.WithAnchor(time.Unix(after, 0))
		s = &anchored
	}
	return s.nextMatch(after+1, probes)
}

// match finds the first wall-clock second that the rule names and that q holds.
func (s *Spec) match(q query) (int64, bool) {
	if s.cal != nil {
		return s.cal.next(q.from, q.to)
	}
	return s.rule.next(q)
}

// matchesFixed reports whether the rule names wall-clock times to which the
// daylight-saving policies apply.
func (s *Spec) matchesFixed() bool {
	switch s.kind {
	case kindCron:
		return s.cal.fixed
	case kindRRule:
		return !s.recurrence.parts.freq.running()
	}
	return false
}

// nextMatch serves rules that name wall-clock times: it goes through the spans of constant offset from
// the one holding the instant from, and searches the wall clock inside each.
func (s *Spec) nextMatch(from int64, probes *int) (int64, bool) {
	spans := s.zone.spans
	for i := s.zone.at(from); i < len(spans); i++ {
		if at := spans[i].start; from <= at && s.runsAfterGap(i) {
			return at, true
		}
		lo, hi := s.wallRange(i)
		offset := spans[i].offset
		if wall, ok := s.match(query{max(lo, from+offset), hi, offset, probes}); ok {
			return wall - offset, true
		}
		from = s.zone.end(i)
	}
	return 0, false
}
