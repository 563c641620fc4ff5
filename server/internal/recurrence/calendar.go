package recurrence

import "math/bits"

// The years in which a rule may fire, in local time. Expressions naming other
// years are refused, and a search ends after MaxYear.
const (
	MinYear = 1970
	MaxYear = 2199
)

const (
	secondsPerMinute = 60
	secondsPerHour   = 60 * secondsPerMinute
	secondsPerDay    = 24 * secondsPerHour

	endOfYears int64 = 7258118400 // 2200-01-01T00:00:00, the end of MaxYear

	// Local years begin and end up to a day away from UTC ones.
	firstInstant int64 = -secondsPerDay
	endInstant         = endOfYears + secondsPerDay
)

// bitset holds the values of one field; years are stored from MinYear.
type bitset [4]uint64

// allYears allows every year.
var allYears = bitset{^uint64(0), ^uint64(0), ^uint64(0), 1<<(MaxYear-MinYear+1-3*64) - 1}

func (b *bitset) add(v int)      { b[v>>6] |= 1 << (v & 63) }
func (b *bitset) has(v int) bool { return b[v>>6]>>(v&63)&1 != 0 }

// calendar is a compiled cron expression: which wall-clock seconds match. Bit v of
// a mask stands for value v. It is comparable, and equal calendars fire alike.
type calendar struct {
	seconds, minutes uint64
	hours            uint32
	months           uint16 // bits 1 to 12
	years            bitset // bit 0 is MinYear
	firstTime        int32  // earliest matching second of a day

	days        uint32 // bits 1 to 31
	daysFromEnd uint32 // L-n: bit n
	nearest     uint32 // nW: bit n
	lastWorkday bool   // LW

	weekdays    uint8  // bit 0 is Sunday
	nthWeekdays uint64 // d#n: bit 7n+d
	lastOf      uint8  // dL: bit d

	either bool // day of month or day of week, rather than both
	fixed  bool // names fixed wall times, so the daylight-saving policies apply
}

// seal derives what the search needs from the masks.
func (c *calendar) seal() {
	c.firstTime = int32(bits.TrailingZeros32(c.hours)*secondsPerHour +
		bits.TrailingZeros64(c.minutes)*secondsPerMinute + bits.TrailingZeros64(c.seconds))
}

// next finds the first matching wall-clock second in [from, to). Wall-clock
// seconds count like Unix seconds, as if the wall clock showed UTC.
func (c *calendar) next(from, to int64) (int64, bool) {
	from, to = max(from, 0), min(to, endOfYears)
	if from >= to {
		return 0, false
	}
	day := from / secondsPerDay
	y, m, d := civil(day)
	var left uint32 // matching days of the month that are still ahead
	first := day - int64(d) + 1
	if c.months>>m&1 != 0 && c.years.has(y-MinYear) {
		left = c.matchingDays(first, daysIn(y, m)) >> d << d
		if left>>d&1 != 0 {
			if t := c.timeOfDay(int(from - day*secondsPerDay)); t >= 0 {
				wall := day*secondsPerDay + int64(t)
				return wall, wall < to
			}
			left &^= 1 << d
		}
	}
	for left == 0 {
		var ok bool
		if y, m, ok = c.nextMonth(y, m); !ok {
			return 0, false
		}
		first = dayNumber(y, m, 1)
		if first*secondsPerDay >= to {
			return 0, false
		}
		left = c.matchingDays(first, daysIn(y, m))
	}
	wall := (first+int64(bits.TrailingZeros32(left))-1)*secondsPerDay + int64(c.firstTime)
	return wall, wall < to
}

// timeOfDay finds the first matching second of a day at or after t, or -1.
func (c *calendar) timeOfDay(t int) int {
	if t <= int(c.firstTime) {
		return int(c.firstTime)
	}
	h, m, s := t/secondsPerHour, t/secondsPerMinute%60, t%60
	if c.hours>>h&1 != 0 {
		if c.minutes>>m&1 != 0 {
			if rest := c.seconds >> s; rest != 0 {
				return t + bits.TrailingZeros64(rest)
			}
		}
		if rest := c.minutes >> (m + 1); rest != 0 {
			return h*secondsPerHour + (m+1+bits.TrailingZeros64(rest))*secondsPerMinute +
				bits.TrailingZeros64(c.seconds)
		}
	}
	if rest := c.hours >> (h + 1); rest != 0 {
		wait := h + 1 + bits.TrailingZeros32(rest) - bits.TrailingZeros32(c.hours)
		return wait*secondsPerHour + int(c.firstTime)
	}
	return -1
}

// nextMonth finds the first allowed month after (y, m).
func (c *calendar) nextMonth(y, m int) (int, int, bool) {
	if rest := c.months >> (m + 1); rest != 0 && c.years.has(y-MinYear) {
		return y, m + 1 + bits.TrailingZeros16(rest), true
	}
	for y++; y <= MaxYear; y++ {
		if c.years.has(y - MinYear) {
			return y, bits.TrailingZeros16(c.months), true
		}
	}
	return 0, 0, false
}

// matchingDays gives the matching days (bits 1 to 31) of a month of n days whose
// first is the given day number.
func (c *calendar) matchingDays(first int64, n int) uint32 {
	all := uint32(1)<<(n+1) - 2
	weekday := weekdayOf(first)
	byDay := c.days
	if c.daysFromEnd != 0 || c.nearest != 0 || c.lastWorkday {
		byDay |= c.specialDays(weekday, n)
	}
	byWeekday := c.weekdayDays(weekday, n)
	if c.either {
		return (byDay | byWeekday) & all
	}
	return byDay & byWeekday & all
}

// specialDays resolves L-n, nW and LW in a month of n days that begins on weekday.
func (c *calendar) specialDays(weekday, n int) uint32 {
	var days uint32
	for rest := c.daysFromEnd; rest != 0; rest &= rest - 1 {
		if back := bits.TrailingZeros32(rest); back < n {
			days |= 1 << (n - back)
		}
	}
	for rest := c.nearest; rest != 0; rest &= rest - 1 {
		if d := bits.TrailingZeros32(rest); d <= n {
			days |= 1 << nearestWorkday(d, n, weekday)
		}
	}
	if c.lastWorkday {
		days |= 1 << nearestWorkday(n, n, weekday)
	}
	return days
}

// nearestWorkday moves day d off a weekend without leaving a month of n days that
// begins on weekday.
func nearestWorkday(d, n, weekday int) int {
	switch (weekday + d - 1) % 7 {
	case 6:
		if d == 1 {
			return 3
		}
		return d - 1
	case 0:
		if d == n {
			return d - 2
		}
		return d + 1
	}
	return d
}

// weekdayDays gives the days on which the day-of-week field matches.
func (c *calendar) weekdayDays(weekday, n int) uint32 {
	// Six copies of the week, so that a shift lines any first weekday up with day 1.
	const weeks = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35
	days := uint32(uint64(c.weekdays) * weeks >> weekday << 1)
	for rest := c.nthWeekdays; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		if d := 1 + (i%7-weekday+7)%7 + 7*(i/7-1); d <= n {
			days |= 1 << d
		}
	}
	for rest := c.lastOf; rest != 0; rest &= rest - 1 {
		d := bits.TrailingZeros8(rest)
		days |= 1 << (n - ((weekday+n-1)%7-d+7)%7)
	}
	return days
}

// civil converts a day number (0 is 1970-01-01, not negative) to a date of the
// proleptic Gregorian calendar; the method is Howard Hinnant's civil_from_days.
func civil(day int64) (y, m, d int) {
	z := uint64(day) + 719468
	era := z / 146097
	doe := z % 146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = int(doy-(153*mp+2)/5) + 1
	m = int(mp) + 3
	y = int(yoe + era*400)
	if m > 12 {
		m -= 12
		y++
	}
	return y, m, d
}

// dayNumber is the inverse of civil.
func dayNumber(y, m, d int) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	yoe := y % 400
	doy := (153*(m-3)+2)/5 + d - 1
	return int64(era)*146097 + int64(yoe*365+yoe/4-yoe/100+doy) - 719468
}

func daysIn(y, m int) int {
	if m == 2 {
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (m+m>>3)&1
}

// weekdayOf counts from Sunday as 0; 1970-01-01 was a Thursday.
func weekdayOf(day int64) int { return int((day + 4) % 7) }
