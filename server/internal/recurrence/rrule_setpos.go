package recurrence

import (
	"math/bits"
	"slices"
)

// BYSETPOS chooses by number among the times of one period. In days and hours those
// are the same in every period, so that [rule.choose] resolves them once; in weeks,
// months and years the period is counted, not listed, at each search.

// period is the matching days of one week, month or year: bit d of days[i] is the
// day first[i] + d - 1.
type period struct {
	first [12]int64
	days  [12]uint32
	n     int
}

// nextChosen searches period by period from the one that holds the second from.
func (r *rule) nextChosen(from, to int64) (int64, bool) {
	p, at := period{}, r.periodOf(from/secondsPerDay)
	perDay := r.clock.timesOfDay()
	for {
		begin := r.fill(&p, at)
		if begin*secondsPerDay >= to {
			return 0, false
		}
		size := 0
		for i := range p.n {
			size += bits.OnesCount32(p.days[i]) * perDay
		}
		if number := r.chosenAfter(r.rank(&p, from), size); number > 0 {
			wall := r.element(&p, number-1, perDay)
			return wall, wall < to
		}
		at += r.interval
	}
}

// periodOf gives the number of the first period in the interval that ends after a day
// begins, which is not before DTSTART: in weeks from the first, in months or in years.
func (r *rule) periodOf(day int64) int64 {
	y, m, _ := civil(day)
	switch r.freq {
	case weekly:
		return roundUp((day-r.base)/7, r.interval)
	case monthly:
		return r.base + roundUp(monthNumber(y, m)-r.base, r.interval)
	}
	return r.base + roundUp(int64(y)-r.base, r.interval)
}

func roundUp(v, step int64) int64 { return (v + step - 1) / step * step }

// fill sets p to a period and gives its first day.
func (r *rule) fill(p *period, number int64) int64 {
	switch r.freq {
	case weekly:
		begin := r.base + 7*number
		p.n, p.first[0], p.days[0] = 1, begin, 0
		for d := range int64(7) {
			m := 12 // of days before 1970, in the week of the first
			if begin+d >= 0 {
				_, m, _ = civil(begin + d)
			}
			if r.weekdays>>weekdayOf(begin+d+7)&1 != 0 && r.months>>m&1 != 0 {
				p.days[0] |= 2 << d
			}
		}
	case monthly:
		y, m := int(number/12), int(number%12)+1
		p.n, p.first[0] = 1, dayNumber(y, m, 1)
		p.days[0] = r.matchingDays(y, m, p.first[0])
	default:
		p.n = 12
		for i := range 12 {
			p.first[i] = dayNumber(int(number), i+1, 1)
			p.days[i] = r.matchingDays(int(number), i+1, p.first[i])
		}
	}
	return p.first[0]
}

// rank counts the times of a period that are before the second from.
func (r *rule) rank(p *period, from int64) int {
	day := from / secondsPerDay
	perDay, rank := r.clock.timesOfDay(), 0
	for i := range p.n {
		d := day - p.first[i] + 1
		if d <= 0 {
			break
		}
		below := p.days[i]
		if d < 32 {
			below &= 1<<d - 1
			if p.days[i]>>d&1 != 0 {
				rank += r.clock.timesBefore(int(from - day*secondsPerDay))
			}
		}
		rank += bits.OnesCount32(below) * perDay
	}
	return rank
}

// chosenAfter gives the first chosen number above rank among size times, or 0.
func (r *rule) chosenAfter(rank, size int) int {
	found := 0
	for n := rank + 1; n <= min(size, 366); n++ {
		rest := r.positions[n>>6] >> (n & 63)
		if rest == 0 {
			n |= 63
			continue
		}
		if n += bits.TrailingZeros64(rest); n <= size {
			found = n
		}
		break
	}
	for k := min(size-rank, 366); k >= 1; k-- {
		rest := r.positionsBack[k>>6] << (63 - k&63)
		if rest == 0 {
			k &^= 63
			continue
		}
		k -= bits.LeadingZeros64(rest)
		if n := size - k + 1; k >= 1 && (found == 0 || n < found) {
			found = n
		}
		break
	}
	return found
}

// element gives the time of a period by its index.
func (r *rule) element(p *period, index, perDay int) int64 {
	skip := index / perDay
	for i := range p.n {
		days := p.days[i]
		if n := bits.OnesCount32(days); skip >= n {
			skip -= n
			continue
		}
		for ; skip > 0; skip-- {
			days &= days - 1
		}
		day := p.first[i] + int64(bits.TrailingZeros32(days)) - 1
		return day*secondsPerDay + int64(r.clock.timeByIndex(index%perDay))
	}
	return endOfYears
}

// timesOfDay counts the times of a day.
func (c *calendar) timesOfDay() int {
	return bits.OnesCount32(c.hours) * bits.OnesCount64(c.minutes) * bits.OnesCount64(c.seconds)
}

// timesBefore counts the times of a day before t.
func (c *calendar) timesBefore(t int) int {
	h, m, s := t/secondsPerHour, t/secondsPerMinute%60, t%60
	minutes, seconds := bits.OnesCount64(c.minutes), bits.OnesCount64(c.seconds)
	n := bits.OnesCount32(c.hours&(1<<h-1)) * minutes * seconds
	if c.hours>>h&1 != 0 {
		n += bits.OnesCount64(c.minutes&(1<<m-1)) * seconds
		if c.minutes>>m&1 != 0 {
			n += bits.OnesCount64(c.seconds & (1<<s - 1))
		}
	}
	return n
}

// timeByIndex gives one of the times of a day.
func (c *calendar) timeByIndex(i int) int {
	minutes, seconds := bits.OnesCount64(c.minutes), bits.OnesCount64(c.seconds)
	return bitByIndex(uint64(c.hours), i/(minutes*seconds))*secondsPerHour +
		bitByIndex(c.minutes, i/seconds%minutes)*secondsPerMinute +
		bitByIndex(c.seconds, i%seconds)
}

// bitByIndex gives the i-th set bit of a mask that has more than i.
func bitByIndex(mask uint64, i int) int {
	for ; i > 0; i-- {
		mask &= mask - 1
	}
	return bits.TrailingZeros64(mask)
}

// choose resolves BYSETPOS where every period has the same times; false if none is
// chosen.
func (r *rule) choose() bool {
	switch r.freq {
	case secondly:
		return r.positions.has(1) || r.positionsBack.has(1)
	case minutely:
		r.clock.seconds = r.chosenSeconds()
	case daily:
		r.times = r.chosenTimes(r.clock)
		return len(r.times) > 0
	case hourly:
		hour := r.clock
		hour.hours = 1
		within := r.chosenTimes(hour)
		r.times = make([]int32, 0, 24*len(within))
		for h := range int32(24) {
			for _, t := range within {
				if r.clock.hours>>h&1 != 0 {
					r.times = append(r.times, h*secondsPerHour+t)
				}
			}
		}
		return len(r.times) > 0
	default:
		r.chooses = true
	}
	return r.clock.seconds != 0
}

func (r *rule) chosenSeconds() uint64 {
	size, chosen := bits.OnesCount64(r.clock.seconds), uint64(0)
	for n := r.chosenAfter(0, size); n > 0; n = r.chosenAfter(n, size) {
		chosen |= 1 << bitByIndex(r.clock.seconds, n-1)
	}
	return chosen
}

func (r *rule) chosenTimes(clock calendar) []int32 {
	size, chosen := clock.timesOfDay(), []int32{}
	for n := r.chosenAfter(0, size); n > 0; n = r.chosenAfter(n, size) {
		chosen = append(chosen, int32(clock.timeByIndex(n-1)))
	}
	return slices.Clip(chosen)
}
