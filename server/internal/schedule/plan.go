package schedule

import "time"

// Recurrence answers the first nominal time after an instant; false if there is none. recurrence.Spec is one.
type Recurrence interface {
	Next(after time.Time) (time.Time, bool)
}

// maxCounted bounds how many nominal times of a backlog are counted one by one: 69 days of a minutely rule, some 10 ms.
const maxCounted = 100_000

// window is what a plan depends on beside the rule.
type window struct {
	cursor    time.Time // nominal times up to and including it have their outcome
	now       time.Time
	ahead     time.Duration // how far beyond now jobs are made
	tolerance time.Duration // how late a nominal time may be and still count as on time
	limit     int           // occurrences to come that one plan makes
}

// plan is what becomes of the nominal times behind the cursor.
type plan struct {
	merged   span        // missed, and stood for by caughtUp
	caughtUp time.Time   // the latest of the missed; zero: nothing was missed
	due      []time.Time // in order
	cursor   time.Time
	next     time.Time // first nominal time after cursor; zero: none
}

// span is a run of nominal times with the same outcome.
type span struct {
	from, until time.Time // zero: an empty run
	count       int32     // 0: not counted
}

// planOf decides. The policy is FIRE_ONCE: if a nominal time is past by more than the tolerance, everything up to now is
// one backlog, for which the latest of it runs once.
func planOf(r Recurrence, w window) plan {
	p := plan{cursor: w.cursor}
	at, ok := r.Next(w.cursor)
	if ok && w.now.Sub(at) > w.tolerance {
		p.caughtUp = latest(r, at, w.now)
		p.merged = spanOf(r, at, p.caughtUp)
		p.cursor = p.caughtUp
		at, ok = r.Next(p.cursor)
	}
	for ok && !at.After(w.now.Add(w.ahead)) && len(p.due) < w.limit {
		p.due = append(p.due, at)
		p.cursor = at
		at, ok = r.Next(at)
	}
	if ok {
		p.next = at
	}
	return p
}

// latest returns the last nominal time that is not after limit; from is one of them. Next is monotonic, so it halves the
// stretch between an instant whose successor is in time and one whose is not.
func latest(r Recurrence, from, limit time.Time) time.Time {
	found, low, high := from, from, limit
	for high.Sub(low) > time.Second {
		middle := low.Add(high.Sub(low) / 2)
		if at, ok := r.Next(middle); ok && !at.After(limit) {
			found, low = at, at
		} else {
			high = middle
		}
	}
	if at, ok := r.Next(low); ok && !at.After(limit) {
		found = at
	}
	return found
}

// spanOf is the run from a nominal time until the one before end; empty if they are the same.
func spanOf(r Recurrence, from, end time.Time) span {
	s := span{from: from, until: from}
	count := int32(0)
	for at, ok := from, true; ok && at.Before(end); at, ok = r.Next(at) {
		s.until = at
		if count++; count > maxCounted {
			s.until, s.count = end.Add(-time.Second), 0
			return s
		}
	}
	if count == 0 {
		return span{}
	}
	s.count = count
	return s
}

// whole is everything the plan decides on as one run: what it comes to where no job can be made.
func (p plan) whole() span {
	s := p.merged
	add := func(at time.Time) {
		switch {
		case s.from.IsZero():
			s = span{from: at, count: 1}
		case s.count > 0:
			s.count++
		}
		s.until = at
	}
	if !p.caughtUp.IsZero() {
		add(p.caughtUp)
	}
	for _, at := range p.due {
		add(at)
	}
	return s
}
