package recurrence

import "time"

// gap gives the wall-clock seconds [from, to) that the clock skips on entering
// span i; empty if it skips none.
func (z *zone) gap(i int) (from, to int64) {
	if i == 0 {
		return 0, 0
	}
	start := z.spans[i].start
	return start + z.spans[i-1].offset, start + z.spans[i].offset
}

// repeat gives the wall-clock seconds [from, to) that the clock shows again on
// entering span i; empty if it repeats none.
func (z *zone) repeat(i int) (from, to int64) {
	to, from = z.gap(i)
	return from, to
}

// wallRange gives the wall-clock seconds in which the rule may fire in span i.
// No zone changes its offset twice within the length of a gap or a repeat, so a
// repeat concerns two neighbouring spans only.
func (s *Spec) wallRange(i int) (from, to int64) {
	z := s.zone
	offset := z.spans[i].offset
	from, to = z.spans[i].start+offset, z.end(i)+offset
	if !s.matchesFixed() {
		return from, to
	}
	switch s.overlap {
	case OverlapFirst:
		if i > 0 {
			_, shown := z.repeat(i)
			from = max(from, shown)
		}
	case OverlapLast:
		if i+1 < len(z.spans) {
			again, _ := z.repeat(i + 1)
			to = min(to, again)
		}
	case OverlapBoth:
	}
	return from, to
}

// runsAfterGap reports whether a time in the gap before span i is made up for.
func (s *Spec) runsAfterGap(i int) bool {
	if s.gap != GapRunAfter || !s.matchesFixed() {
		return false
	}
	from, to := s.zone.gap(i)
	_, ok := s.matchInGap(i, from, to)
	return ok
}

// matchInGap finds the first matching time in [from, to) of the gap before span i.
func (s *Spec) matchInGap(i int, from, to int64) (int64, bool) {
	if from >= to {
		return 0, false
	}
	offset := s.zone.spans[i].offset
	if s.rule != nil && s.rule.until < s.zone.spans[i].start {
		// Whatever the time, it would fire at the gap's end, which is too late.
		offset = -endInstant
	}
	return s.match(query{from: from, to: to, offset: offset})
}

// resolve turns one wall-clock time into an instant under the policies; false if
// it falls into a gap that is skipped.
func (s *Spec) resolve(wall int64) (int64, bool) {
	z := s.zone
	found, ok := int64(0), false
	for i := range z.spans {
		if from, to := z.gap(i); from <= wall && wall < to {
			return z.spans[i].start, s.gap == GapRunAfter
		}
		at := wall - z.spans[i].offset
		if z.spans[i].start <= at && at < z.end(i) && (!ok || s.overlap == OverlapLast) {
			found, ok = at, true
		}
	}
	return found, ok
}

// Occurrence is one firing of a rule with what daylight saving did to it.
type Occurrence struct {
	// Time is the instant, UTC, whole seconds.
	Time time.Time
	// Wall is the local wall-clock time that the rule asked for, with UTC as a
	// stand-in for the zone. It is what the clock shows at Time unless Moved.
	Wall time.Time
	// Moved says that Wall was skipped by the clock and Time is the first
	// instant after the gap.
	Moved bool
	// Pass is 1 or 2 if the clock shows Wall twice and this is the first or
	// second time, else 0.
	Pass int
}

// NextOccurrence is [Spec.Next] with notes.
func (s Spec) NextOccurrence(after time.Time) (Occurrence, bool) {
	s = s.anchoredAt(after)
	at, ok := s.Next(after)
	if !ok {
		return Occurrence{}, false
	}
	return s.explain(at), true
}

// Occurrences is [Spec.NextN] with notes.
func (s Spec) Occurrences(after time.Time, n int) []Occurrence {
	s = s.anchoredAt(after)
	times := s.NextN(after, n)
	list := make([]Occurrence, len(times))
	for i, at := range times {
		list[i] = s.explain(at)
	}
	return list
}

func (s *Spec) explain(at time.Time) Occurrence {
	instant, z := at.Unix(), s.zone
	i := z.at(instant)
	wall := instant + z.spans[i].offset
	o := Occurrence{Time: at, Wall: time.Unix(wall, 0).UTC()}
	if s.kind == kindInterval {
		return o
	}
	if asked, ok := s.askedInGap(i); ok && instant == z.spans[i].start {
		o.Wall, o.Moved = time.Unix(asked, 0).UTC(), true
		return o
	}
	if from, to := z.repeat(i); from <= wall && wall < to {
		o.Pass = 2
	} else if i+1 < len(z.spans) {
		if from, to := z.repeat(i + 1); from <= wall && wall < to {
			o.Pass = 1
		}
	}
	return o
}

// askedInGap gives the first time in the gap before span i that is made up for.
func (s *Spec) askedInGap(i int) (int64, bool) {
	if s.kind == kindInstant {
		from, to := s.zone.gap(i)
		return s.wall, from <= s.wall && s.wall < to
	}
	if !s.runsAfterGap(i) {
		return 0, false
	}
	from, to := s.zone.gap(i)
	return s.matchInGap(i, from, to)
}

// SuppressReason says why a matching wall-clock time of a fixed-time rule has no
// occurrence of its own.
type SuppressReason string

const (
	// SuppressedGap: the clock skipped it and the gap policy is SKIP.
	SuppressedGap SuppressReason = "GAP"
	// SuppressedMerged: the clock skipped it and the run after the gap already
	// stands for an earlier time of the same gap.
	SuppressedMerged SuppressReason = "MERGED"
	// SuppressedRepeat: the clock shows it twice and the overlap policy fires
	// the other time.
	SuppressedRepeat SuppressReason = "REPEAT"
)

// Suppression is a matching wall-clock time that a daylight-saving policy left out.
type Suppression struct {
	// Time is when it would have been: for a gap the first instant after it.
	Time time.Time
	// Wall is the local wall-clock time, with UTC as a stand-in for the zone.
	Wall   time.Time
	Reason SuppressReason
}

// Suppressed lists up to limit times that the policies left out with
// from < Time <= to, in ascending order. Interval-like rules have none.
func (s Spec) Suppressed(from, to time.Time, limit int) []Suppression {
	s = s.anchoredAt(from)
	if !s.matchesFixed() {
		return nil
	}
	first := max(from.Unix(), firstInstant-1)
	last := min(to.Unix(), endInstant)
	var list []Suppression
	for i := s.zone.at(first); i < len(s.zone.spans) && s.zone.spans[i].start <= last; i++ {
		for _, r := range s.suppressedRanges(i) {
			for wall, ok := r.match(&s, i, r.from); ok; wall, ok = r.match(&s, i, wall+1) {
				at := r.at(wall)
				if at <= first {
					continue
				}
				if at > last || len(list) >= limit {
					return list
				}
				list = append(list, Suppression{
					Time: time.Unix(at, 0).UTC(), Wall: time.Unix(wall, 0).UTC(), Reason: r.reason,
				})
			}
		}
	}
	return list
}

// suppressedRange is a stretch of wall-clock seconds without occurrences.
type suppressedRange struct {
	from, to int64
	reason   SuppressReason
	at       func(wall int64) int64
}

// match finds the first matching time from a wall-clock second on.
func (r *suppressedRange) match(s *Spec, i int, from int64) (int64, bool) {
	if r.reason == SuppressedRepeat {
		return s.match(query{from: from, to: r.to, offset: s.zone.spans[i].offset})
	}
	return s.matchInGap(i, from, r.to)
}

// suppressedRanges gives what is left out on entering span i, then in it.
func (s *Spec) suppressedRanges(i int) []suppressedRange {
	z := s.zone
	var ranges []suppressedRange
	after := func(int64) int64 { return z.spans[i].start }
	from, to := z.gap(i)
	if s.gap == GapSkip {
		ranges = append(ranges, suppressedRange{from, to, SuppressedGap, after})
	} else if asked, ok := s.askedInGap(i); ok {
		ranges = append(ranges, suppressedRange{asked + 1, to, SuppressedMerged, after})
	}
	inside := func(wall int64) int64 { return wall - z.spans[i].offset }
	if s.overlap == OverlapFirst {
		from, to = z.repeat(i)
		ranges = append(ranges, suppressedRange{from, to, SuppressedRepeat, inside})
	}
	if s.overlap == OverlapLast && i+1 < len(z.spans) {
		from, to = z.repeat(i + 1)
		ranges = append(ranges, suppressedRange{from, to, SuppressedRepeat, inside})
	}
	return ranges
}
