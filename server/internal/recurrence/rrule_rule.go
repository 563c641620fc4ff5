package recurrence

import (
	"math/bits"
	"slices"
)

// frequency is the unit of a recurrence rule's periods.
type frequency uint8

const (
	yearly frequency = iota
	monthly
	weekly
	daily
	hourly
	minutely
	secondly
)

// running reports whether the periods are shorter than a day and follow real time.
func (f frequency) running() bool { return f >= hourly }

// seconds is the length of a running period, or of the shortest that a longer one has.
func (f frequency) seconds() int64 {
	return [...]int64{365 * secondsPerDay, 28 * secondsPerDay, 7 * secondsPerDay, secondsPerDay,
		secondsPerHour, secondsPerMinute, 1}[f]
}

// maxProbes bounds a search for a time at which both a running rule's interval and
// its other parts agree; it takes at most 2 ms. Every other search is bounded by the
// months of all years.
const maxProbes = 50_000

// bitset366 holds numbers from 1 to 366.
type bitset366 [6]uint64

func (b *bitset366) add(v int)      { b[v>>6] |= 1 << (v & 63) }
func (b *bitset366) has(v int) bool { return b[v>>6]>>(v&63)&1 != 0 }
func (b *bitset366) empty() bool    { return *b == bitset366{} }

// rule is a compiled RFC 5545 recurrence: which wall-clock seconds it names. In a
// mask bit v stands for value v; masks named Back count from the end, bit 1 the
// last. It never changes after it was built.
type rule struct {
	freq      frequency
	weekStart uint8 // 0 is Sunday
	nthOfYear bool  // BYDAY counts within the year rather than the month
	interval  int64

	months                   uint16
	monthDays, monthDaysBack uint32
	weeks, weeksBack         uint64
	yearDays, yearDaysBack   bitset366
	weekdays                 uint8
	counted                  uint8 // the weekdays with numbers
	nth, nthBack             [7]uint64
	clock                    calendar // only the time of day
	times                    []int32  // the times of day, if BYSETPOS chose among them

	chooses                  bool // BYSETPOS applies to weeks, months or years
	positions, positionsBack bitset366

	start   int64 // wall-clock second of DTSTART
	instant int64 // of DTSTART
	base    int64 // start of the first period: instant of a running one, else a day, or a number of months or years
	end     int64 // last wall-clock second
	until   int64 // last instant

	extra              []int64 // ascending, in the time of [rule.first]
	except, exceptDays []int64 // ascending wall-clock seconds, and days
}

// query asks for the first matching wall-clock second in [from, to) of a stretch in
// which the clock shows instant + offset.
type query struct {
	from, to, offset int64
	probes           *int // what is left of maxProbes
}

// next answers a query, dates added and left out included.
func (r *rule) next(q query) (int64, bool) {
	until := q
	until.to = min(q.to, r.end+1, r.until+q.offset+1)
	for {
		wall, ok := r.nextInRule(until)
		if added, found := r.nextAdded(q); found && (!ok || added < wall) {
			wall, ok = added, true
		}
		if !ok {
			return 0, false
		}
		day := wall / secondsPerDay
		if _, found := slices.BinarySearch(r.exceptDays, day); found {
			q.from = (day + 1) * secondsPerDay
		} else if _, found := slices.BinarySearch(r.except, wall); found {
			q.from = wall + 1
		} else {
			return wall, true
		}
		until.from = q.from
	}
}

// nextAdded answers for RDATE and an unmatched DTSTART alone.
func (r *rule) nextAdded(q query) (int64, bool) {
	if len(r.extra) == 0 {
		return 0, false
	}
	shift := int64(0)
	if r.freq.running() {
		shift = q.offset
	}
	i, _ := slices.BinarySearch(r.extra, q.from-shift)
	if i == len(r.extra) {
		return 0, false
	}
	wall := r.extra[i] + shift
	return wall, wall < q.to
}

// nextInRule answers for the rule alone.
func (r *rule) nextInRule(q query) (int64, bool) {
	if r.freq.running() {
		q.from = max(q.from, r.instant+q.offset, 0)
		return r.nextRunning(q)
	}
	q.from = max(q.from, r.start)
	q.to = min(q.to, endOfYears)
	if q.from >= q.to {
		return 0, false
	}
	if r.chooses {
		return r.nextChosen(q.from, q.to)
	}
	day := q.from / secondsPerDay
	found, ok := r.nextDay(day, q.to)
	if ok && found == day {
		if t := r.timeOfDay(int(q.from - day*secondsPerDay)); t >= 0 {
			wall := day*secondsPerDay + int64(t)
			return wall, wall < q.to
		}
		found, ok = r.nextDay(day+1, q.to)
	}
	wall := found*secondsPerDay + int64(r.timeOfDay(0))
	return wall, ok && wall < q.to
}

// nextRunning alternates between the next time that the parts allow and the next
// period that the interval allows until they agree.
func (r *rule) nextRunning(q query) (int64, bool) {
	unit := r.freq.seconds()
	base := r.base + q.offset
	to := min(q.to, endOfYears)
	for from := q.from; from < to && *q.probes > 0; {
		day, ok := r.nextDay(from/secondsPerDay, to)
		if !ok {
			return 0, false
		}
		midnight := day * secondsPerDay
		for at := max(from, midnight); ; *q.probes-- {
			from = midnight + secondsPerDay
			if at >= from {
				from = at
				break
			}
			t := r.timeOfDay(int(at - midnight))
			if t < 0 {
				break
			}
			wall := midnight + int64(t)
			index := (wall - base) / unit
			if r.interval == 1 || index%r.interval == 0 {
				return wall, wall < to
			}
			at = base + (index/r.interval+1)*r.interval*unit
		}
		*q.probes--
	}
	return 0, false
}

// timeOfDay finds the first time of a day at or after t, or -1.
func (r *rule) timeOfDay(t int) int {
	if r.times == nil {
		return r.clock.timeOfDay(t)
	}
	i, _ := slices.BinarySearch(r.times, int32(t))
	if i == len(r.times) {
		return -1
	}
	return int(r.times[i])
}

// nextDay finds the first matching day that is not before the given one and begins
// before the wall-clock second to.
func (r *rule) nextDay(day, to int64) (int64, bool) {
	if day*secondsPerDay >= to {
		return 0, false
	}
	y, m, d := civil(day)
	first := day - int64(d) + 1
	left := r.month(y, m, first) >> d << d
	for left == 0 {
		if y, m = r.nextMonth(y, m); y > MaxYear {
			return 0, false
		}
		first = dayNumber(y, m, 1)
		if first*secondsPerDay >= to {
			return 0, false
		}
		left = r.month(y, m, first)
	}
	found := first + int64(bits.TrailingZeros32(left)) - 1
	return found, found*secondsPerDay < to
}

// month gives the days of a month that match, the interval included.
func (r *rule) month(y, m int, first int64) uint32 {
	switch r.freq {
	case yearly:
		if (int64(y)-r.base)%r.interval != 0 {
			return 0
		}
	case monthly:
		if (monthNumber(y, m)-r.base)%r.interval != 0 {
			return 0
		}
	}
	days := r.matchingDays(y, m, first)
	if days != 0 && r.interval > 1 && (r.freq == daily || r.freq == weekly) {
		days &= r.inInterval(first, daysIn(y, m))
	}
	return days
}

func monthNumber(y, m int) int64 { return int64(y)*12 + int64(m) - 1 }

// inInterval gives the days of a month that the interval of days or weeks allows.
func (r *rule) inInterval(first int64, n int) uint32 {
	length, step := int64(1), r.interval
	if r.freq == weekly {
		length, step = 7, 7*r.interval
	}
	at := r.base // the last allowed period that begins on or before the first
	if first > at {
		at += (first - at) / step * step
	}
	var days uint32
	for ; at < first+int64(n); at += step {
		for day := max(at, first); day < min(at+length, first+int64(n)); day++ {
			days |= 1 << (day - first + 1)
		}
	}
	return days
}

// nextMonth gives the first month after (y, m) that months and interval allow; a
// year beyond MaxYear if there is none.
func (r *rule) nextMonth(y, m int) (int, int) {
	if r.freq == monthly {
		n := monthNumber(y, m) - r.base
		n = r.base + (n/r.interval+1)*r.interval
		return int(n / 12), int(n%12) + 1
	}
	if rest := r.months >> (m + 1); rest != 0 && (r.freq != yearly || (int64(y)-r.base)%r.interval == 0) {
		return y, m + 1 + bits.TrailingZeros16(rest)
	}
	if r.freq == yearly {
		y = int(r.base + ((int64(y)-r.base)/r.interval+1)*r.interval)
	} else {
		y++
	}
	return y, bits.TrailingZeros16(r.months)
}
