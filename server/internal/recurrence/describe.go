package recurrence

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// Describe says in English when the rule fires, such as "At 09:00 on the last
// weekday of the month, Europe/Berlin". It describes what the rule does rather
// than how it is written: numeric weekdays are spelled out, and H is shown as the
// value it stands for.
func (s Spec) Describe() string {
	switch s.kind {
	case kindCron:
		return capital(s.cal.describeTimes()+s.cal.describeDates()) + ", " + s.Zone()
	case kindInterval:
		text := capital("every " + longDuration(s.every))
		if s.phase > 0 {
			text += ", shifted by " + longDuration(s.phase)
		}
		return text
	case kindInstant:
		return "Once at " + time.Unix(s.wall, 0).UTC().Format("15:04:05 on 2 January 2006") + ", " + s.Zone()
	}
	if s.kind == kindRRule {
		return s.describeRecurrence()
	}
	return "Never"
}

// Notes gives remarks on how an expression was read where other products read it
// differently. Empty for most.
func (s Spec) Notes() []string {
	if s.kind == kindRRule {
		return s.recurrenceNotes()
	}
	if s.kind != kindCron {
		return nil
	}
	var notes []string
	day, weekday := s.fieldText(FieldDay), s.fieldText(FieldWeekday)
	numeric := strings.ContainsAny(stripCounts(weekday), "1234567890")
	switch {
	case numeric && strings.HasPrefix(s.text, "cron("):
		notes = append(notes, "day of week "+weekday+" counts from Sunday as 1: "+s.cal.describeWeekdays())
	case numeric && day == "?":
		notes = append(notes, "day of week "+weekday+" counts from Sunday as 0: "+s.cal.describeWeekdays()+
			"; products that count from 1 read another day")
	}
	if s.cal.either {
		notes = append(notes, "fires when the day of month or the day of week matches")
	} else if s.cal.restrictsDays() && s.cal.restrictsWeekdays() {
		notes = append(notes, "fires when both the day of month and the day of week match, because one of them begins with *")
	}
	return notes
}

// stripCounts removes steps and the n of d#n, which are no weekdays.
func stripCounts(weekday string) string {
	items := strings.Split(weekday, ",")
	for i, item := range items {
		items[i], _, _ = strings.Cut(item, "/")
		items[i], _, _ = strings.Cut(items[i], "#")
		items[i] = strings.TrimPrefix(items[i], "H")
	}
	return strings.Join(items, ",")
}

// maxListedTimes bounds the clock times that are spelled out one by one.
const maxListedTimes = 6

// describeTimes says when in a day.
func (c *calendar) describeTimes() string {
	hours, minutes := bits.OnesCount32(c.hours), bits.OnesCount64(c.minutes)
	if c.fixed && bits.OnesCount64(c.seconds) == 1 && hours*minutes <= maxListedTimes {
		return "at " + joinWords(c.clockTimes()) + c.everyDay()
	}
	minute := describeUnit("minute", c.minutes, 60)
	lead := minute
	if c.seconds != 1 {
		lead = describeUnit("second", c.seconds, 60)
		if step := evenStep(c.minutes, 60); step > 1 {
			lead += " of every " + ordinal(step) + " minute"
		} else if minutes < 60 {
			lead += " of " + strings.TrimPrefix(minute, "at ")
		} else if strings.HasPrefix(lead, "at ") {
			lead += " of every minute"
		}
	}
	if hours == 24 {
		switch {
		case lead == "at minute 0":
			return "every hour"
		case strings.HasPrefix(lead, "at ") && minutes < 60:
			return lead + " of every hour"
		}
		return lead
	}
	if step := evenStep(uint64(c.hours), 24); lead == "at minute 0" && step > 1 {
		return fmt.Sprintf("every %d hours from 00:00", step)
	}
	return lead + c.describeHours()
}

// everyDay completes a clock time that no date follows.
func (c *calendar) everyDay() string {
	if c.restrictsDays() || c.restrictsWeekdays() {
		return ""
	}
	return " every day"
}

// clockTimes lists the times of day; there are few.
func (c *calendar) clockTimes() []string {
	var list []string
	for t := c.timeOfDay(0); t >= 0 && t < secondsPerDay; t = c.timeOfDay(t + 1) {
		text := fmt.Sprintf("%02d:%02d", t/secondsPerHour, t/secondsPerMinute%60)
		if t%secondsPerMinute != 0 {
			text += fmt.Sprintf(":%02d", t%secondsPerMinute)
		}
		list = append(list, text)
		if t == secondsPerDay-1 {
			break
		}
	}
	return list
}

// describeHours says in which hours, of which some are missing.
func (c *calendar) describeHours() string {
	from := bits.TrailingZeros32(c.hours)
	to := 31 - bits.LeadingZeros32(c.hours)
	if to-from+1 == bits.OnesCount32(c.hours) {
		return fmt.Sprintf(" from %02d:00 to %02d:59", from, to)
	}
	if step := evenStep(uint64(c.hours), 24); step > 1 {
		return fmt.Sprintf(" of every %s hour from 00:00", ordinal(step))
	}
	return " of hours " + joinNumbers(uint64(c.hours))
}

// describeUnit says which of the values 0 to n-1 of a unit match.
func describeUnit(unit string, mask uint64, n int) string {
	count := bits.OnesCount64(mask)
	if count == n {
		return "every " + unit
	}
	if step := evenStep(mask, n); step > 1 {
		return fmt.Sprintf("every %d %ss", step, unit)
	}
	if count == 1 {
		return fmt.Sprintf("at %s %d", unit, bits.TrailingZeros64(mask))
	}
	return fmt.Sprintf("at %ss %s", unit, joinNumbers(mask))
}

// evenStep gives the step s if the mask is 0, s, 2s ... and s divides n, else 0.
func evenStep(mask uint64, n int) int {
	count := bits.OnesCount64(mask)
	if count < 2 || n%count != 0 {
		return 0
	}
	step := n / count
	for v := 0; v < n; v += step {
		if mask>>v&1 == 0 {
			return 0
		}
	}
	return step
}

func longDuration(seconds int64) string {
	var parts []string
	for _, unit := range []struct {
		name    string
		seconds int64
	}{{"day", secondsPerDay}, {"hour", secondsPerHour}, {"minute", secondsPerMinute}, {"second", 1}} {
		n := seconds / unit.seconds
		seconds -= n * unit.seconds
		switch {
		case n == 1 && seconds == 0 && len(parts) == 0:
			return unit.name
		case n > 0:
			parts = append(parts, plural(int(n), unit.name))
		}
	}
	return strings.Join(parts, " ")
}

// joinNumbers lists the bits of a mask, runs of three and more as ranges.
func joinNumbers(mask uint64) string {
	var words []string
	for v := 0; v < 64; v++ {
		if mask>>v&1 == 0 {
			continue
		}
		end := v
		for end+1 < 64 && mask>>(end+1)&1 != 0 {
			end++
		}
		if end >= v+2 {
			words = append(words, fmt.Sprintf("%d to %d", v, end))
			v = end
			continue
		}
		words = append(words, strconv.Itoa(v))
	}
	return joinWords(words)
}

// joinWords writes "a, b and c".
func joinWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
