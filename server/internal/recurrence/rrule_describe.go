package recurrence

import (
	"fmt"
	"strings"
	"time"
)

var periodNames = [...]string{"year", "month", "week", "day", "hour", "minute", "second"}

// describe says in English when the recurrence fires.
func (s *Spec) describeRecurrence() string {
	t, r := s.recurrence, s.rule
	if !t.hasStart {
		// What such a rule leaves open follows from its anchor.
		r = nil
	}
	return "Every " + t.parts.describePeriod() + t.parts.describeDays(r) + t.parts.describeTimes(r) +
		t.describeEnd() + ", " + s.Zone()
}

func (p *ruleParts) describePeriod() string {
	if p.interval > 1 {
		return plural(p.interval, periodNames[p.freq])
	}
	return periodNames[p.freq]
}

// describeDays says on which days, with a leading blank.
func (p *ruleParts) describeDays(r *rule) string {
	var text string
	period := map[bool]string{true: "year", false: "month"}[p.freq == yearly && p.months == nil]
	if len(p.weeks) > 0 {
		text += " in " + countFromEnd("week", p.weeks)
	}
	days, monthDays := p.days, p.monthDays
	months := p.months
	if r != nil {
		days, monthDays, months = r.completed(p)
	}
	switch {
	case len(days) > 0:
		text += " on " + describeRuleDays(days, period)
		if len(monthDays) > 0 {
			text += " falling on " + countFromEnd("day", monthDays) + " of the month"
		}
	case len(monthDays) > 0 && len(months) == 1 && monthDays[0] > 0:
		return text + " on " + joinNumbers(bitsOf(monthDays)) + " " + time.Month(months[0]).String() + p.describeChoice()
	case len(monthDays) > 0:
		text += " on " + countFromEnd("day", monthDays) + " of the month"
	}
	if len(p.yearDays) > 0 {
		text += " on " + countFromEnd("day", p.yearDays) + " of the year"
	}
	if len(months) > 0 {
		names := make([]string, len(months))
		for i, m := range months {
			names[i] = time.Month(m).String()
		}
		text += " in " + joinWords(names)
	}
	return text + p.describeChoice()
}

// completed gives the days that the parts name or that follow from DTSTART.
func (r *rule) completed(p *ruleParts) (days []ruleDay, monthDays, months []int) {
	days, monthDays, months = p.days, p.monthDays, p.months
	_, m, d := civil(r.start / secondsPerDay)
	if len(days)+len(monthDays)+len(p.yearDays) > 0 {
		return days, monthDays, months
	}
	switch {
	case len(p.weeks) > 0 || r.freq == weekly:
		days = []ruleDay{{weekday: weekdayOf(r.start / secondsPerDay)}}
	case r.freq == yearly && len(months) == 0:
		months, monthDays = []int{m}, []int{d}
	case r.freq == yearly || r.freq == monthly:
		monthDays = []int{d}
	}
	return days, monthDays, months
}

func bitsOf(values []int) uint64 {
	var mask uint64
	for _, v := range values {
		mask |= 1 << (v & 63)
	}
	return mask
}

// countFromEnd lists numbers, negative ones counted from the end: "days 1 and 15 and
// the 2nd to last day".
func countFromEnd(noun string, values []int) string {
	var words []string
	for _, v := range values {
		switch {
		case v == -1:
			words = append(words, "the last "+noun)
		case v < 0:
			words = append(words, "the "+ordinal(-v)+" to last "+noun)
		default:
			words = append(words, fmt.Sprintf("%s %d", noun, v))
		}
	}
	if len(words) > maxListedTimes {
		return fmt.Sprintf("%d %ss", len(words), noun)
	}
	return joinWords(words)
}

func describeRuleDays(days []ruleDay, period string) string {
	words, counted := make([]string, len(days)), false
	workdays := 0
	for i, d := range days {
		name := time.Weekday(d.weekday).String()
		switch {
		case d.n == 0:
			words[i] = name
			if d.weekday >= 1 && d.weekday <= 5 {
				workdays++
			}
			continue
		case d.n == -1:
			words[i] = "the last " + name
		case d.n < 0:
			words[i] = "the " + ordinal(-d.n) + " to last " + name
		default:
			words[i] = "the " + ordinal(d.n) + " " + name
		}
		counted = true
	}
	text := joinWords(words)
	if workdays == 5 && len(days) == 5 {
		text = "Monday to Friday"
	}
	if counted {
		text += " of the " + period
	}
	return text
}

// describeChoice says what BYSETPOS picks.
func (p *ruleParts) describeChoice() string {
	if len(p.positions) == 0 {
		return ""
	}
	words := make([]string, len(p.positions))
	for i, n := range p.positions {
		switch {
		case n == -1:
			words[i] = "the last"
		case n < 0:
			words[i] = "the " + ordinal(-n) + " to last"
		default:
			words[i] = "the " + ordinal(n)
		}
	}
	if len(words) > maxListedTimes {
		return fmt.Sprintf(", only %d of these in each %s", len(words), periodNames[p.freq])
	}
	return ", only " + joinWords(words) + " of these in each " + periodNames[p.freq]
}

// describeTimes says at which times of day, with a leading blank. Without DTSTART only
// what the rule itself names is known.
func (p *ruleParts) describeTimes(r *rule) string {
	clock := calendar{hours: uint32(bitsOf(p.hours)), minutes: bitsOf(p.minutes), seconds: bitsOf(p.seconds)}
	if r != nil {
		clock = r.clock
	}
	if p.freq < hourly && clock.hours != 0 && clock.minutes != 0 {
		clock.seconds = max(clock.seconds, 1)
		// Not every day, or the text would say so after the time.
		clock.fixed, clock.days, clock.weekdays = true, 1<<1, everyWeekday
		clock.seal()
		text := clock.describeTimes()
		if strings.HasPrefix(text, "at ") {
			return " " + text
		}
		return ", " + text
	}
	var parts []string
	if n := clock.minutes; n != 0 && (p.freq <= hourly || len(p.minutes) > 0) {
		parts = append(parts, "minute "+joinNumbers(n))
	}
	if n := clock.seconds; n > 1 && (p.freq <= minutely || len(p.seconds) > 0) {
		parts = append(parts, "second "+joinNumbers(n))
	}
	text := ""
	if len(parts) > 0 {
		text = " at " + joinWords(parts)
	}
	switch {
	case len(p.hours) == 0:
	case p.freq < hourly:
		text += " in hour " + joinNumbers(uint64(clock.hours))
	default:
		text += clock.describeHours()
	}
	return text
}

// describeEnd says where the rule ends and what is added and left out.
func (t *recurrenceText) describeEnd() string {
	var text string
	if t.parts.count > 0 {
		text = ", " + map[bool]string{true: "once", false: fmt.Sprintf("%d times", t.parts.count)}[t.parts.count == 1]
	}
	if u := t.parts.until; t.parts.hasUntil {
		at := time.Unix(u.wall, 0).UTC()
		text = ", until " + at.Format("2 January 2006")
		if !u.date && u.wall%secondsPerDay != secondsPerDay-1 {
			text += at.Format(" 15:04:05")
		}
		if u.utc {
			text += " UTC"
		}
	}
	if n := len(t.extra); n > 0 {
		text += ", and on " + plural(n, "more date")
	}
	if n := len(t.except) + len(t.exceptDays); n > 0 {
		text += ", except on " + plural(n, "date")
	}
	return text
}

// recurrenceNotes remarks on what other products read differently.
func (s *Spec) recurrenceNotes() []string {
	t, notes := s.recurrence, []string(nil)
	if !t.hasStart {
		notes = append(notes, "has no DTSTART: what the rule leaves open, such as the time of day or where an interval begins, follows from when the schedule starts or was created")
	}
	if t.unmatched {
		notes = append(notes, "DTSTART does not match the rule; it is the first occurrence all the same, as RFC 5545 says, where some libraries leave it out")
	}
	if t.parts.until.date {
		notes = append(notes, "UNTIL names a day without a time: that whole day is included")
	}
	if len(t.parts.weeks) > 0 && len(t.parts.days)+len(t.parts.monthDays)+len(t.parts.yearDays) == 0 {
		notes = append(notes, "BYWEEKNO without BYDAY fires on one day of the week, the weekday of the start, where some libraries fire on all seven")
	}
	if len(t.exceptDays) > 0 {
		notes = append(notes, "an EXDATE without a time leaves the whole day out")
	}
	monthDays := t.parts.monthDays
	if t.hasStart {
		_, monthDays, _ = s.rule.completed(&t.parts)
	}
	for _, d := range monthDays {
		if d > 28 && (t.parts.freq == monthly || t.parts.freq == yearly) {
			notes = append(notes, fmt.Sprintf("months without a day %d are skipped", d))
			break
		}
	}
	return notes
}
