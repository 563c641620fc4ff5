package recurrence

import "math/bits"

// matchingDays gives the days (bits 1 to 31) of a month that the parts of the rule
// allow, whatever the interval.
func (r *rule) matchingDays(y, m int, first int64) uint32 {
	if r.months>>m&1 == 0 {
		return 0
	}
	n := daysIn(y, m)
	days := uint32(1)<<(n+1) - 2
	if r.monthDays|r.monthDaysBack != 0 {
		// Bit k counted from the end is day n-k+1.
		back := bits.Reverse32(r.monthDaysBack) << 1 >> (31 - n)
		days &= r.monthDays | back
	}
	if !r.yearDays.empty() || !r.yearDaysBack.empty() {
		days &= r.daysOfYear(y, first, n)
	}
	if r.weeks|r.weeksBack != 0 {
		days &= r.daysOfWeeks(y, first, n)
	}
	if r.weekdays|r.counted != 0 {
		days &= weekdayDays(r.weekdays, weekdayOf(first)) | r.countedDays(y, first, n)
	}
	return days
}

// weekdayDays gives the days of a month, which begins on weekday, that fall on weekdays.
func weekdayDays(weekdays uint8, weekday int) uint32 {
	const weeks = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35
	return uint32(uint64(weekdays) * weeks >> weekday << 1)
}

// daysOfYear resolves BYYEARDAY in the month of n days that begins on first.
func (r *rule) daysOfYear(y int, first int64, n int) uint32 {
	before := int(first - dayNumber(y, 1, 1))
	length := 337 + daysIn(y, 2)
	var days uint32
	for d := 1; d <= n; d++ {
		if r.yearDays.has(before+d) || r.yearDaysBack.has(length-before-d+1) {
			days |= 1 << d
		}
	}
	return days
}

// daysOfWeeks resolves BYWEEKNO. A day counts by the number of the week that holds
// it, which may be a week of the year before or after.
func (r *rule) daysOfWeeks(y int, first int64, n int) uint32 {
	// The year of the week that holds the first day, and where that year's weeks
	// begin and end.
	start := first - int64((weekdayOf(first)-int(r.weekStart)+7)%7)
	if start < r.firstWeek(y) {
		y--
	} else if start >= r.firstWeek(y+1) {
		y++
	}
	begin, end := r.firstWeek(y), r.firstWeek(y+1)
	var days uint32
	for ; start < first+int64(n); start += 7 {
		if start == end {
			begin, end = end, r.firstWeek(y+2)
		}
		if r.weeks>>((start-begin)/7+1)&1 == 0 && r.weeksBack>>((end-start)/7)&1 == 0 {
			continue
		}
		from, to := max(1, start-first+1), min(int64(n), start-first+7)
		days |= uint32(1)<<(to+1) - uint32(1)<<from
	}
	return days
}

// firstWeek is the first day of a year's first week: the one with four days or more
// in that year.
func (r *rule) firstWeek(y int) int64 {
	fourth := dayNumber(y, 1, 4)
	// Some weeks more, as the weekday of a day before 1970 would be negative.
	return fourth - int64((weekdayOf(fourth+700)-int(r.weekStart)+7)%7)
}

// countedDays resolves BYDAY with numbers, within the month or the year.
func (r *rule) countedDays(y int, first int64, n int) uint32 {
	if r.counted == 0 {
		return 0
	}
	before, length := 0, n
	if r.nthOfYear {
		before, length = int(first-dayNumber(y, 1, 1)), 337+daysIn(y, 2)
	}
	var days uint32
	for rest := r.counted; rest != 0; rest &= rest - 1 {
		w := bits.TrailingZeros8(rest)
		for d := 1 + (w-weekdayOf(first)+7)%7; d <= n; d += 7 {
			number, back := (before+d-1)/7+1, (length-before-d)/7+1
			if r.nth[w]>>number&1 != 0 || r.nthBack[w]>>back&1 != 0 {
				days |= 1 << d
			}
		}
	}
	return days
}
