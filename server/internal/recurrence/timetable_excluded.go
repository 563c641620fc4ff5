package recurrence

import "time"

// maxCounted bounds how many nominal times one call of Excluded counts one by one.
const maxCounted = 100_000

// Exclusion is a run of consecutive nominal times of the rule that fall on excluded days
// for one reason.
type Exclusion struct {
	From, Until time.Time // first and last of them, UTC
	Count       int       // how many; 0 if there were too many to count
	// Reason is ReasonExcludedDate, or ReasonCalendar and the name of the first
	// calendar that holds the day.
	Reason string
}

// Excluded lists up to limit runs of nominal times in (after, until] that the timetable
// leaves out because of their day, in ascending order. A run ends where a time that is
// not excluded lies between, or the reason changes. What lies before the start or from
// the end on is not part of the timetable, and not excluded.
//
// One call counts up to 100,000 times; the Count of further runs is 0. Beside that it
// takes time by the number of excluded days on which the rule fires.
func (t Timetable) Excluded(after, until time.Time, limit int) []Exclusion {
	if t.days == nil {
		return nil
	}
	t.spec = t.spec.anchoredAt(after)
	e := exclusions{t: &t, last: min(until.Unix(), t.end-1), budget: maxCounted}
	var list []Exclusion
	from, ok := e.firstExcluded(max(after.Unix(), t.start-1))
	for ok && len(list) < limit {
		run, next, found := e.run(from)
		list = append(list, run)
		if from, ok = next, found; ok && !e.t.excludes(from) {
			from, ok = e.firstExcluded(from)
		}
	}
	return list
}

// exclusions is one call of Excluded.
type exclusions struct {
	t      *Timetable
	last   int64 // the last instant that matters
	budget int   // times that may still be counted
}

// next gives the first time of the rule after an instant, if it matters.
func (e *exclusions) next(after int64) (int64, bool) {
	at, ok := e.t.spec.next(after)
	return at, ok && at <= e.last
}

// firstExcluded finds the first excluded time after an instant; it passes over the days
// that are not excluded.
func (e *exclusions) firstExcluded(after int64) (int64, bool) {
	z := e.t.spec.zone
	at, ok := e.next(after)
	for ok {
		i := z.at(at)
		day := z.day(i, at)
		in := e.t.days.nextIn(day, z.day(i, z.end(i))+1)
		if in == day {
			return at, true
		}
		at, ok = e.next(z.begin(i, in) - 1)
	}
	return 0, false
}

// run follows a run from its first time on, and gives the time of the rule after it.
func (e *exclusions) run(from int64) (run Exclusion, next int64, ok bool) {
	reason, z := e.t.reason(from), e.t.spec.zone
	count, last := 0, from
	for next, ok = from, true; ok && e.t.excludes(next) && e.t.reason(next) == reason; {
		i := z.at(next)
		end := z.begin(i, z.day(i, next)+1)
		last = next
		for next, ok = last, true; ok && next < end && e.budget > 0; next, ok = e.next(last) {
			last = next
			count++
			e.budget--
		}
		if e.budget == 0 {
			count = 0
			last = e.lastBefore(last, min(end, e.last+1))
			next, ok = e.next(last)
		}
	}
	if e.budget == 0 {
		count = 0
	}
	return Exclusion{
		From: time.Unix(from, 0).UTC(), Until: time.Unix(last, 0).UTC(), Count: count, Reason: reason,
	}, next, ok
}

// lastBefore finds the last time of the rule before an instant, given an earlier one, by
// halving.
func (e *exclusions) lastBefore(known, before int64) int64 {
	for low, high := known, before-1; low < high; {
		middle := low + (high-low)/2
		if at, ok := e.next(middle); ok && at < before {
			known, low = at, at
		} else {
			high = middle
		}
	}
	return known
}

// excludes reports whether a time falls on an excluded day; there are some.
func (t *Timetable) excludes(at int64) bool {
	z := t.spec.zone
	return t.days.has(z.day(z.at(at), at))
}

// reason says why an excluded time is left out.
func (t *Timetable) reason(at int64) string {
	day := t.spec.zone.day(t.spec.zone.at(at), at)
	for _, s := range t.sets {
		if !s.Days.has(day) {
			continue
		}
		if s.Name == "" {
			return ReasonExcludedDate
		}
		return ReasonCalendar + s.Name
	}
	return ""
}

// Suppressed is [Spec.Suppressed] for the times that the limits leave in; it looks at
// ten times limit of them.
func (t Timetable) Suppressed(after, until time.Time, limit int) []Suppression {
	t.spec = t.spec.anchoredAt(after)
	first, last := max(after.Unix(), t.start-1), min(until.Unix(), t.end-1)
	if first >= last {
		return nil
	}
	// More than are wanted, as some may fall on excluded days.
	found := t.spec.Suppressed(time.Unix(first, 0), time.Unix(last, 0), 10*limit)
	kept := found[:0]
	for _, s := range found {
		if len(kept) < limit && (t.days == nil || !t.excludes(s.Time.Unix())) {
			kept = append(kept, s)
		}
	}
	return kept
}
