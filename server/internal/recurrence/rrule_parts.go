package recurrence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/teambition/rrule-go"
)

// maxPartItems bounds the list of one part of a rule.
const maxPartItems = 800

// ruleParts is the value of RRULE. Lists are ascending and without duplicates.
type ruleParts struct {
	freq            frequency
	interval, count int
	weekStart       int // 0 is Sunday
	until           moment
	hasUntil        bool
	days            []ruleDay
	months, weeks, yearDays, monthDays,
	hours, minutes, seconds, positions []int
}

// ruleDay is one item of BYDAY.
type ruleDay struct {
	weekday int // 0 is Sunday
	n       int // 0 is every one, negative counts from the end
}

const rruleHint = "write parts such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"

// knownParts are the parts that RFC 5545 has.
const knownParts = "FREQ UNTIL COUNT INTERVAL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST"

// read reads the value of RRULE, in capitals. The syntax of lists and names is left to
// rrule-go; what it lets pass is checked around it.
func (p *ruleParts) read(text string) *ParseError {
	seen := map[string]bool{}
	var rest []string
	for _, part := range strings.Split(text, ";") {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case !ok || value == "":
			return refuse(FieldRRule, part, "a part without a value", rruleHint)
		case !slices.Contains(strings.Fields(knownParts), key):
			return refuse(FieldRRule, part, "unknown part "+clip(key), "use "+strings.ReplaceAll(knownParts, " ", ", "))
		case seen[key]:
			return refuse(Field(key), part, "given twice", "give each part once")
		case strings.Count(value, ",") >= maxPartItems:
			return refuse(Field(key), part, fmt.Sprintf("more than %d values", maxPartItems), "list only those that are needed")
		case strings.Contains(","+value+",", ",,"):
			return refuse(Field(key), part, "an empty item in the list", "remove the extra comma")
		}
		seen[key] = true
		if key == "BYDAY" && zeroth(value) {
			return refuse("BYDAY", part, "a weekday has no number 0", "count from 1, or from -1 at the end")
		}
		if key != "UNTIL" {
			rest = append(rest, part)
			continue
		}
		var err *ParseError
		if p.until, err = readMoment("UNTIL", value); err != nil {
			return err
		}
		p.hasUntil = true
	}
	if !seen["FREQ"] {
		return refuse(FieldRRule, text, "FREQ is missing", rruleHint)
	}
	options, err := rrule.StrToROption(strings.Join(rest, ";"))
	if err != nil {
		return p.blame(rest)
	}
	if !seen["INTERVAL"] {
		options.Interval = 1
	}
	p.take(options)
	if err := p.checkNumbers(seen); err != nil {
		return err
	}
	return p.checkCombination(seen)
}

// zeroth reports a weekday with a number that is 0.
func zeroth(list string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(item string) bool {
		return len(item) > 2 && strings.Trim(item[:len(item)-2], "+-0") == ""
	})
}

// blame finds the part that cannot be read.
func (p *ruleParts) blame(parts []string) *ParseError {
	for _, part := range parts {
		key, _, _ := strings.Cut(part, "=")
		alone := part
		if key != "FREQ" {
			alone = "FREQ=DAILY;" + part
		}
		if _, err := rrule.StrToROption(alone); err == nil {
			continue
		}
		hint := "write whole numbers, such as " + key + "=1,15"
		switch key {
		case "FREQ":
			hint = "use YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY or SECONDLY"
		case "BYDAY", "WKST":
			hint = "use MO, TU, WE, TH, FR, SA and SU, in BYDAY with a number as in 2MO or -1FR"
		}
		return refuse(Field(key), part, "not a value of "+key, hint)
	}
	return refuse(FieldRRule, strings.Join(parts, ";"), "not a recurrence rule", rruleHint)
}

// take copies what rrule-go has read.
func (p *ruleParts) take(o *rrule.ROption) {
	p.freq = frequency(o.Freq) // the same order
	p.interval, p.count = o.Interval, o.Count
	p.weekStart = (o.Wkst.Day() + 1) % 7
	for _, d := range o.Byweekday {
		p.days = append(p.days, ruleDay{weekday: (d.Day() + 1) % 7, n: d.N()})
	}
	slices.SortFunc(p.days, func(a, b ruleDay) int {
		if a.n != b.n {
			return a.n - b.n
		}
		return (a.weekday+6)%7 - (b.weekday+6)%7
	})
	p.days = slices.Compact(p.days)
	for _, list := range []struct {
		to   *[]int
		from []int
	}{{&p.months, o.Bymonth}, {&p.weeks, o.Byweekno}, {&p.yearDays, o.Byyearday}, {&p.monthDays, o.Bymonthday},
		{&p.hours, o.Byhour}, {&p.minutes, o.Byminute}, {&p.seconds, o.Bysecond}, {&p.positions, o.Bysetpos}} {
		slices.Sort(list.from)
		*list.to = slices.Compact(list.from)
	}
}

// checkNumbers holds every number against its bounds.
func (p *ruleParts) checkNumbers(seen map[string]bool) *ParseError {
	for _, list := range []struct {
		part      string
		values    []int
		low, high int
		fromEnd   bool
	}{
		{"BYMONTH", p.months, 1, 12, false}, {"BYWEEKNO", p.weeks, 1, 53, true}, {"BYYEARDAY", p.yearDays, 1, 366, true},
		{"BYMONTHDAY", p.monthDays, 1, 31, true}, {"BYHOUR", p.hours, 0, 23, false}, {"BYMINUTE", p.minutes, 0, 59, false},
		{"BYSECOND", p.seconds, 0, 59, false}, {"BYSETPOS", p.positions, 1, 366, true},
	} {
		for _, v := range list.values {
			if v >= list.low && v <= list.high || list.fromEnd && -v >= list.low && -v <= list.high {
				continue
			}
			hint := fmt.Sprintf("use %d to %d", list.low, list.high)
			if list.fromEnd {
				hint += fmt.Sprintf(", or -%d to -1 to count from the end", list.high)
			}
			return refuse(Field(list.part), strconv.Itoa(v), "out of range", hint)
		}
	}
	most := 5
	if p.freq == yearly && p.months == nil {
		most = 53
	}
	for _, d := range p.days {
		if d.n > most || d.n < -most {
			return refuse("BYDAY", d.String(), fmt.Sprintf("there are at most %d of a weekday", most), "use 1 to 5 in months, 1 to 53 in years")
		}
	}
	longest := int(endOfYears / min(p.freq.seconds(), 365*secondsPerDay))
	text := strconv.Itoa(p.interval)
	switch {
	case p.interval < 1 || p.interval > longest:
		return refuse("INTERVAL", text, "out of range", fmt.Sprintf("use 1 to %d with this FREQ", longest))
	case seen["COUNT"] && (p.count < 1 || p.count > MaxCount):
		return refuse("COUNT", strconv.Itoa(p.count), "out of range", fmt.Sprintf("use 1 to %d, or UNTIL", MaxCount))
	}
	return nil
}

// checkCombination refuses what RFC 5545, section 3.3.10, forbids.
func (p *ruleParts) checkCombination(seen map[string]bool) *ParseError {
	counted := slices.ContainsFunc(p.days, func(d ruleDay) bool { return d.n != 0 })
	others := len(p.months) + len(p.weeks) + len(p.yearDays) + len(p.monthDays) + len(p.days) +
		len(p.hours) + len(p.minutes) + len(p.seconds)
	between := p.freq == monthly || p.freq == weekly || p.freq == daily
	switch {
	case seen["COUNT"] && seen["UNTIL"]:
		return refuse(FieldRRule, "", "COUNT and UNTIL exclude each other", "keep one of them")
	case seen["BYWEEKNO"] && p.freq != yearly:
		return refuse("BYWEEKNO", "", "goes with FREQ=YEARLY only", "use FREQ=YEARLY")
	case seen["BYYEARDAY"] && between:
		return refuse("BYYEARDAY", "", "does not go with FREQ=DAILY, WEEKLY or MONTHLY", "use FREQ=YEARLY")
	case seen["BYMONTHDAY"] && p.freq == weekly:
		return refuse("BYMONTHDAY", "", "does not go with FREQ=WEEKLY", "use FREQ=MONTHLY")
	case counted && p.freq != monthly && p.freq != yearly:
		return refuse("BYDAY", "", "numbers go with FREQ=MONTHLY and YEARLY only", "leave the number out, or use FREQ=MONTHLY")
	case counted && seen["BYWEEKNO"]:
		return refuse("BYDAY", "", "numbers do not go with BYWEEKNO", "leave the number out")
	case seen["BYSETPOS"] && others == 0:
		return refuse("BYSETPOS", "", "needs another part that begins with BY", "add BYDAY or another list to choose from")
	}
	return nil
}

// rruleDays are the weekdays as RFC 5545 writes them.
var rruleDays = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

func (d ruleDay) String() string {
	if d.n == 0 {
		return rruleDays[d.weekday]
	}
	return strconv.Itoa(d.n) + rruleDays[d.weekday]
}

var frequencyNames = [...]string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"}

// canonical writes the parts in one order.
func (p *ruleParts) canonical() string {
	var b strings.Builder
	b.WriteString("FREQ=" + frequencyNames[p.freq])
	if p.interval > 1 {
		fmt.Fprintf(&b, ";INTERVAL=%d", p.interval)
	}
	if p.count > 0 {
		fmt.Fprintf(&b, ";COUNT=%d", p.count)
	}
	if p.hasUntil {
		until := p.until
		if until.date {
			until.wall += secondsPerDay - 1
		}
		b.WriteString(";UNTIL=" + until.String())
	}
	if p.weekStart != 1 {
		b.WriteString(";WKST=" + rruleDays[p.weekStart])
	}
	writeList(&b, "BYMONTH", p.months)
	writeList(&b, "BYWEEKNO", p.weeks)
	writeList(&b, "BYYEARDAY", p.yearDays)
	writeList(&b, "BYMONTHDAY", p.monthDays)
	writeList(&b, "BYDAY", p.days)
	writeList(&b, "BYHOUR", p.hours)
	writeList(&b, "BYMINUTE", p.minutes)
	writeList(&b, "BYSECOND", p.seconds)
	writeList(&b, "BYSETPOS", p.positions)
	return b.String()
}

func writeList[T any](b *strings.Builder, name string, list []T) {
	for i, v := range list {
		if i == 0 {
			b.WriteString(";" + name + "=")
		} else {
			b.WriteByte(',')
		}
		fmt.Fprint(b, v)
	}
}
