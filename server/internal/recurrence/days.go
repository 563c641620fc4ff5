package recurrence

import (
	"fmt"
	"strconv"
	"strings"
)

// parseDays reads day of month: numbers and L, L-n, LW, nW.
func (c *calendar) parseDays(t *fieldText) *ParseError {
	if t.raw == "?" {
		return c.parseAnyDay(t)
	}
	err := t.parse(func(item string) (string, *ParseError) {
		switch {
		case item == "L":
			c.daysFromEnd |= 1
			return item, nil
		case item == "LW":
			c.lastWorkday = true
			return item, nil
		case strings.HasPrefix(item, "L-"):
			return c.parseFromEnd(t, item)
		case strings.HasSuffix(item, "W"):
			return c.parseNearest(t, item)
		case strings.HasPrefix(item, "L"):
			return "", t.fault(fmt.Sprintf("%q is not a day", clip(item)), "write L, L-3 or LW")
		}
		return "", nil
	})
	c.days = uint32(t.set[0])
	return err
}

func (c *calendar) parseFromEnd(t *fieldText, item string) (string, *ParseError) {
	n, ok := number(item[2:])
	if !ok || n > 30 {
		return "", t.fault(fmt.Sprintf("%q must count 0 to 30 days back", clip(item)), "write L-3 for the third day before the last")
	}
	c.daysFromEnd |= 1 << n
	return "L-" + strconv.Itoa(n), nil
}

func (c *calendar) parseNearest(t *fieldText, item string) (string, *ParseError) {
	n, ok := number(strings.TrimSuffix(item, "W"))
	if !ok || n < 1 || n > 31 {
		return "", t.fault(fmt.Sprintf("%q: W follows one day from 1 to 31, or L", clip(item)), "write 15W or LW; list several days")
	}
	c.nearest |= 1 << n
	return strconv.Itoa(n) + "W", nil
}

// parseWeekdays reads day of week: numbers, names, dL and d#n.
func (c *calendar) parseWeekdays(t *fieldText) *ParseError {
	if t.raw == "?" {
		return c.parseAnyDay(t)
	}
	err := t.parse(func(item string) (string, *ParseError) {
		if day, nth, ok := strings.Cut(item, "#"); ok {
			return c.parseNth(t, day, nth)
		}
		if item == "L" {
			return c.parseWeekEnd(t)
		}
		if day, ok := strings.CutSuffix(item, "L"); ok {
			v, err := t.parseValue(day)
			if err != nil {
				return "", err
			}
			c.lastOf |= 1 << weekdayNumber(t, v)
			return t.canonical(day, v) + "L", nil
		}
		return "", nil
	})
	for v := range 8 {
		if t.set.has(v) {
			c.weekdays |= 1 << weekdayNumber(t, v)
		}
	}
	return err
}

func (c *calendar) parseNth(t *fieldText, day, nth string) (string, *ParseError) {
	v, err := t.parseValue(day)
	if err != nil {
		return "", err
	}
	n, ok := number(nth)
	if !ok || n < 1 || n > 5 {
		return "", t.fault(fmt.Sprintf("#%s must be from 1 to 5", clip(nth)), "write FRI#3 for the third Friday, FRIL for the last")
	}
	c.nthWeekdays |= 1 << (7*n + weekdayNumber(t, v))
	return t.canonical(day, v) + "#" + strconv.Itoa(n), nil
}

// parseWeekEnd reads a bare L, which EventBridge takes for Saturday.
func (c *calendar) parseWeekEnd(t *fieldText) (string, *ParseError) {
	if t.min == 0 {
		return "", t.fault("L alone is ambiguous", "write SAT for every Saturday, FRIL for the last Friday of the month")
	}
	c.weekdays |= 1 << 6
	return "L", nil
}

// parseAnyDay reads a lone '?': no restriction.
func (c *calendar) parseAnyDay(t *fieldText) *ParseError {
	t.out.WriteByte('?')
	if t.name == FieldDay {
		c.days = 1<<32 - 2
	} else {
		c.weekdays = 1<<7 - 1
	}
	return nil
}

// weekdayNumber turns a value of the field into 0 (Sunday) to 6.
func weekdayNumber(t *fieldText, v int) int {
	return (v - t.firstName) % 7
}
