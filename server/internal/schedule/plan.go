package schedule

import (
	"slices"
	"time"
)

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
	limit     int           // jobs that one plan makes at most; at least 1
	policy    Policy        // for what was missed; with defaults
	left      int64         // jobs that the schedule may still make; negative: no end
}

// plan is what becomes of the nominal times behind the cursor. Runs come before jobs in time.
type plan struct {
	skipped  []skip      // missed, and not made up for; in order
	merged   span        // missed, and stood for by the first of caughtUp
	caughtUp []time.Time // missed, and run now; in order
	due      []time.Time // in order
	cursor   time.Time
	next     time.Time // first nominal time after cursor; zero: none, or the schedule has made all its jobs
}

// span is a run of nominal times with the same outcome.
type span struct {
	from, until time.Time // zero: an empty run
	count       int32     // 0: not counted
}

// skip is a run of nominal times that make no job.
type skip struct {
	span
	reason string
}

// planOf decides. If a nominal time is past by more than the tolerance, everything up to now is one backlog, of which runs
// what the policy says.
func planOf(r Recurrence, w window) plan {
	p := plan{cursor: w.cursor}
	if w.left == 0 {
		return p
	}
	if w.left > 0 {
		w.limit = int(min(int64(w.limit), w.left))
	}
	at, ok := r.Next(w.cursor)
	if ok && w.now.Sub(at) > w.tolerance {
		p.settleMissed(r, at, w)
		at, ok = r.Next(p.cursor)
	}
	made := len(p.caughtUp)
	for ok && !at.After(w.now.Add(w.ahead)) && made+len(p.due) < w.limit {
		p.due = append(p.due, at)
		p.cursor = at
		at, ok = r.Next(at)
	}
	if ok && (w.left < 0 || int64(made+len(p.due)) < w.left) {
		p.next = at
	}
	return p
}

// settleMissed decides on the backlog from a nominal time up to now.
func (p *plan) settleMissed(r Recurrence, from time.Time, w window) {
	last := latest(r, from, w.now)
	oldest := w.now.Add(-w.policy.CatchupWindow)
	p.cursor = last
	switch {
	case w.policy.Missed == SkipMissed:
		p.skip(r, from, last.Add(time.Second), reasonMissed)
	case last.Before(oldest):
		p.skip(r, from, last.Add(time.Second), reasonWindow)
	case w.policy.Missed == FireAll:
		runs := lastOf(r, from, last, w.policy.MaxCatchup)
		for runs[0].Before(oldest) {
			runs = runs[1:]
		}
		recent := from
		if recent.Before(oldest) {
			recent, _ = r.Next(oldest.Add(-time.Nanosecond))
		}
		p.skip(r, from, recent, reasonWindow)
		p.skip(r, recent, runs[0], reasonMaxCatchup)
		p.caughtUp = runs[:min(len(runs), w.limit)]
		p.cursor = p.caughtUp[len(p.caughtUp)-1]
	default:
		p.merged = spanOf(r, from, last)
		p.caughtUp = []time.Time{last}
	}
}

// skip adds the run from a nominal time until the one before end, if there is any.
func (p *plan) skip(r Recurrence, from, end time.Time, reason string) {
	if s := spanOf(r, from, end); !s.from.IsZero() {
		p.skipped = append(p.skipped, skip{s, reason})
	}
}

// lastOf returns the last n nominal times from one to another, both included, in order. It looks back twice as far each
// time, so that what it walks through is little more than what it returns, unless times are very uneven.
func lastOf(r Recurrence, from, last time.Time, n int) []time.Time {
	for back := time.Second; ; back *= 2 {
		start, whole := last.Add(-back), false
		if start.Before(from) {
			start, whole = from.Add(-time.Second), true
		}
		var found []time.Time
		for at, ok := r.Next(start); ok && !at.After(last); at, ok = r.Next(at) {
			found = append(found, at)
		}
		if whole || len(found) >= n {
			return found[max(0, len(found)-n):]
		}
	}
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

// backlog is the run of everything that was missed.
func (p plan) backlog() span {
	p.due = nil
	return p.whole()
}

// whole is everything the plan decides on as one run: what it comes to where no job can be made.
func (p plan) whole() span {
	var s span
	add := func(more span) {
		switch {
		case more.from.IsZero():
			return
		case s.from.IsZero():
			s = more
		case s.count > 0 && more.count > 0:
			s.count += more.count
		default:
			s.count = 0
		}
		s.until = more.until
	}
	for _, k := range p.skipped {
		add(k.span)
	}
	add(p.merged)
	for _, at := range slices.Concat(p.caughtUp, p.due) {
		add(span{from: at, until: at, count: 1})
	}
	return s
}
