package recurrence

import (
	"fmt"
	"math/bits"
	"time"
)

const (
	everyDayOfMonth = 1<<32 - 2
	everyWeekday    = 1<<7 - 1
	everyMonth      = 1<<13 - 2
)

func (c *calendar) restrictsDays() bool     { return c.days != everyDayOfMonth }
func (c *calendar) restrictsWeekdays() bool { return c.weekdays != everyWeekday }

// describeDates says on which dates, with a leading blank; empty for every day.
func (c *calendar) describeDates() string {
	text := ""
	days, weekdays := c.restrictsDays(), c.restrictsWeekdays()
	month := c.singleMonth()
	plain := c.daysFromEnd == 0 && c.nearest == 0 && !c.lastWorkday
	switch {
	case c.either && !(days && weekdays):
		// One of them lists every value, so every day matches.
		text = " every day"
	case days && weekdays && c.either:
		text = " on " + c.describeDays() + " or on " + c.describeWeekdays()
	case days && weekdays:
		text = " on " + c.describeWeekdays() + " falling on " + c.describeDays()
	case days && plain && month != "":
		text = " on " + joinNumbers(uint64(c.days)) + " " + month
	case days:
		text = " on " + c.describeDays()
	case weekdays:
		text = " on " + c.describeWeekdays()
	}
	if !(days && !weekdays && plain && month != "") {
		text += c.describeMonths()
	}
	return text + c.describeYears()
}

// describeDays reads the day-of-month field.
func (c *calendar) describeDays() string {
	var parts []string
	switch n := bits.OnesCount32(c.days); {
	case dayStep(c.days) > 0:
		parts = append(parts, fmt.Sprintf("every %s day from day 1", ordinal(dayStep(c.days))))
	case n == 1:
		parts = append(parts, fmt.Sprintf("day %d", bits.TrailingZeros32(c.days)))
	case n > 1:
		parts = append(parts, "days "+joinNumbers(uint64(c.days)))
	}
	for rest := c.nearest; rest != 0; rest &= rest - 1 {
		parts = append(parts, fmt.Sprintf("the weekday nearest to day %d", bits.TrailingZeros32(rest)))
	}
	for n := 30; n > 0; n-- {
		if c.daysFromEnd>>n&1 != 0 {
			parts = append(parts, "the day "+plural(n, "day")+" before the last")
		}
	}
	if c.daysFromEnd&1 != 0 {
		parts = append(parts, "the last day")
	}
	if c.lastWorkday {
		parts = append(parts, "the last weekday")
	}
	return joinWords(parts) + " of the month"
}

// dayStep gives the step s if the days are 1, 1+s, 1+2s ... up to the month's end
// and there are too many to list, else 0.
func dayStep(days uint32) int {
	step := bits.TrailingZeros32(days >> 1 &^ 1) // distance of the second day from day 1
	if days>>1&1 == 0 || step < 2 || step > 4 {
		return 0
	}
	want := uint32(0)
	for d := 1; d <= 31; d += step {
		want |= 1 << d
	}
	if days != want {
		return 0
	}
	return step
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// describeWeekdays reads the day-of-week field, days spelled out from Monday on.
func (c *calendar) describeWeekdays() string {
	parts := weekdayRuns(c.weekdays)
	for rest := c.nthWeekdays; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		nth := [...]string{"", "first", "second", "third", "fourth", "fifth"}[i/7]
		parts = append(parts, fmt.Sprintf("the %s %s of the month", nth, time.Weekday(i%7)))
	}
	for rest := c.lastOf; rest != 0; rest &= rest - 1 {
		parts = append(parts, fmt.Sprintf("the last %s of the month", time.Weekday(bits.TrailingZeros8(rest))))
	}
	return joinWords(parts)
}

// weekdayRuns names the weekdays of a mask; one run of three and more as a range,
// also across the end of the week.
func weekdayRuns(mask uint8) []string {
	count := bits.OnesCount8(mask)
	if from, ok := cyclicRun(uint16(mask), 7); ok && count > 2 {
		return []string{fmt.Sprintf("%s to %s", time.Weekday(from), time.Weekday((from+count-1)%7))}
	}
	var names []string
	for v := 1; v <= 7; v++ {
		if mask>>(v%7)&1 != 0 {
			names = append(names, time.Weekday(v%7).String())
		}
	}
	return names
}

// singleMonth names the month if there is just one.
func (c *calendar) singleMonth() string {
	if bits.OnesCount16(c.months) != 1 {
		return ""
	}
	return time.Month(bits.TrailingZeros16(c.months)).String()
}

func (c *calendar) describeMonths() string {
	count := bits.OnesCount16(c.months)
	if c.months == everyMonth {
		return ""
	}
	if from, ok := cyclicRun(c.months>>1, 12); ok && count > 2 {
		return fmt.Sprintf(" from %s to %s", time.Month(from+1), time.Month((from+count-1)%12+1))
	}
	var names []string
	for m := 1; m <= 12; m++ {
		if c.months>>m&1 != 0 {
			names = append(names, time.Month(m).String())
		}
	}
	return " in " + joinWords(names)
}

// cyclicRun reports whether bits 0 to n-1 hold a single run, if bit 0 follows bit
// n-1, and where it begins.
func cyclicRun(mask uint16, n int) (first int, ok bool) {
	starts := 0
	for v := range n {
		if before := (v + n - 1) % n; mask>>v&1 != 0 && mask>>before&1 == 0 {
			first = v
			starts++
		}
	}
	return first, starts == 1
}

func (c *calendar) describeYears() string {
	if c.years == allYears {
		return ""
	}
	var words []string
	for y := MinYear; y <= MaxYear; y++ {
		if !c.years.has(y - MinYear) {
			continue
		}
		end := y
		for end < MaxYear && c.years.has(end+1-MinYear) {
			end++
		}
		if end >= y+2 {
			words = append(words, fmt.Sprintf("%d to %d", y, end))
			y = end
			continue
		}
		words = append(words, fmt.Sprint(y))
	}
	return " in " + joinWords(words)
}
