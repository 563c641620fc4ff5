package recurrence

import (
	"fmt"
	"strings"
	"time"
)

// property is one line of a recurrence: NAME;PARAM=VALUE:value.
type property struct {
	name, value string
	zone        string // TZID
	date        bool   // VALUE=DATE
}

const propertyHint = "use DTSTART, RRULE, EXDATE and RDATE, each on its own line"

// splitProperties separates the lines and their parameters. Only zone names keep
// their case.
func splitProperties(text string) ([]property, *ParseError) {
	var list []property
	rules, starts := 0, 0
	for _, line := range strings.Fields(text) {
		p, err := splitProperty(line)
		if err != nil {
			return nil, err
		}
		switch p.name {
		case "RRULE":
			rules++
		case "DTSTART":
			starts++
		case "EXDATE", "RDATE":
		case "EXRULE":
			return nil, refuse(FieldRRule, line, "EXRULE is not supported", "list the dates in EXDATE")
		default:
			return nil, refuse(FieldRRule, line, "unknown property "+clip(p.name), propertyHint)
		}
		list = append(list, p)
	}
	if rules != 1 || starts > 1 {
		return nil, refuse(FieldRRule, text, fmt.Sprintf("%d RRULE and %d DTSTART lines; one rule and at most one start are needed", rules, starts),
			"make a schedule of each rule")
	}
	return list, nil
}

func splitProperty(line string) (property, *ParseError) {
	if bareRule(line) {
		return property{name: "RRULE", value: strings.ToUpper(line)}, nil
	}
	head, value, ok := strings.Cut(line, ":")
	if !ok {
		return property{}, refuse(FieldRRule, line, "neither a property nor a rule", propertyHint)
	}
	name, params, _ := strings.Cut(head, ";")
	p := property{name: strings.ToUpper(name), value: strings.ToUpper(value)}
	if params == "" {
		return p, nil
	}
	for _, param := range strings.Split(params, ";") {
		key, v, _ := strings.Cut(param, "=")
		switch key, upper := strings.ToUpper(key), strings.ToUpper(v); {
		case p.name == "RRULE":
			return p, refuse(FieldRRule, line, "RRULE takes no parameters", "write RRULE:FREQ=WEEKLY;BYDAY=MO")
		case key == "TZID" && p.zone == "" && v != "":
			p.zone = strings.Trim(v, `"`)
		case key == "VALUE" && upper == "DATE":
			p.date = true
		case key == "VALUE" && upper == "DATE-TIME":
		default:
			return p, refuse(Field(p.name), param, "unknown or repeated parameter", "use TZID=Europe/Berlin or VALUE=DATE")
		}
	}
	return p, nil
}

// moment is a time as written: a local time, a UTC one, or a whole day.
type moment struct {
	wall int64 // as written, in seconds
	utc  bool
	date bool
}

const (
	dateLayout   = "20060102"
	momentLayout = "20060102T150405"
)

// readMoment reads 20260105, 20260105T090000 or 20260105T090000Z.
func readMoment(field Field, text string) (moment, *ParseError) {
	layout, m := momentLayout, moment{}
	local, utc := strings.CutSuffix(text, "Z")
	if m.utc = utc; len(text) == len(dateLayout) {
		layout, m.date = dateLayout, true
	}
	t, err := time.Parse(layout, local)
	if err != nil || len(local) != len(layout) {
		return m, refuse(field, text, "not a date and time that exists", "write 20260105T090000, or 20260105T080000Z in UTC")
	}
	if t.Year() < MinYear || t.Year() > MaxYear {
		return m, refuse(field, text, fmt.Sprintf("the year is outside %d to %d", MinYear, MaxYear), "")
	}
	m.wall = t.Unix()
	return m, nil
}

func (m moment) String() string {
	text := time.Unix(m.wall, 0).UTC().Format(momentLayout)
	if m.utc {
		text += "Z"
	}
	return text
}

// bounds gives the last wall-clock second and the last instant up to a moment.
func (m moment) bounds() (end, until int64) {
	switch {
	case m.utc:
		return endOfYears - 1, m.wall
	case m.date:
		return m.wall + secondsPerDay - 1, endInstant
	}
	return m.wall, endInstant
}

// readStart reads DTSTART and answers the zone of the rule.
func (r *recurrenceText) readStart(list []property, tz string) (string, *ParseError) {
	for _, p := range list {
		if p.name != "DTSTART" {
			continue
		}
		var err *ParseError
		if r.start, err = readMoment("DTSTART", p.value); err != nil {
			return "", err
		}
		r.hasStart = true
		zone := p.zone
		if r.start.utc {
			if zone != "" && zone != "UTC" {
				return "", refuse("DTSTART", p.value, "a time in UTC contradicts TZID="+clip(zone), "leave the Z or the TZID out")
			}
			zone = "UTC"
		}
		if zone != "" && tz != "" && zone != tz {
			return "", refuse(FieldZone, zone, fmt.Sprintf("the zone of DTSTART contradicts the time zone %q given beside the rule", clip(tz)),
				"give the zone once; a DTSTART without Z and TZID is local to it")
		}
		if zone != "" {
			return zone, nil
		}
	}
	return tz, nil
}

// readRest reads everything but DTSTART; z is the zone of the rule.
func (r *recurrenceText) readRest(list []property, z *zone) *ParseError {
	dates := 0
	for _, p := range list {
		var err *ParseError
		switch p.name {
		case "RRULE":
			err = r.parts.read(p.value)
		case "EXDATE", "RDATE":
			if dates += strings.Count(p.value, ",") + 1; dates > maxDates {
				return refuse(Field(p.name), "", fmt.Sprintf("more than %d dates", maxDates), "leave days out by a calendar")
			}
			err = r.readDates(p, z)
		}
		if err != nil {
			return err
		}
	}
	r.extra, r.except, r.exceptDays = sortedSet(r.extra), sortedSet(r.except), sortedSet(r.exceptDays)
	return nil
}

// readDates reads the list of an EXDATE or RDATE.
func (r *recurrenceText) readDates(p property, z *zone) *ParseError {
	field, from := Field(p.name), z
	if p.zone != "" {
		var err *ParseError
		if from, err = loadZone(p.zone); err != nil {
			return err
		}
	}
	for _, text := range strings.Split(p.value, ",") {
		m, err := readMoment(field, text)
		if err != nil {
			return err
		}
		if p.date && !m.date {
			return refuse(field, text, "VALUE=DATE takes dates without a time", "write 20260105")
		}
		if m.date {
			if field == "RDATE" {
				return refuse(field, text, "an added date needs a time", "write 20260105T090000")
			}
			r.exceptDays = append(r.exceptDays, m.wall/secondsPerDay)
			continue
		}
		wall := m.wall
		if m.utc || from != z {
			instant := m.wall
			if !m.utc {
				instant = (&Spec{zone: from}).firstInstantOf(m.wall)
			}
			wall = instant + z.spans[z.at(instant)].offset
		}
		if field == "RDATE" {
			r.extra = append(r.extra, wall)
		} else {
			r.except = append(r.except, wall)
		}
	}
	return nil
}

// canonical writes the recurrence; suffix ends local times and zone, a TZID parameter,
// precedes them.
func (r *recurrenceText) canonical(zone, suffix string) string {
	var b strings.Builder
	if r.hasStart {
		b.WriteString("DTSTART" + zone + ":" + moment{wall: r.start.wall}.String() + suffix + "\n")
	}
	b.WriteString("RRULE:" + r.parts.canonical())
	for _, dates := range []struct {
		name  string
		walls []int64
	}{{"EXDATE", r.except}, {"RDATE", r.extra}} {
		for i, wall := range dates.walls {
			if i == 0 {
				b.WriteString("\n" + dates.name + zone + ":")
			} else {
				b.WriteByte(',')
			}
			b.WriteString(moment{wall: wall}.String() + suffix)
		}
	}
	for i, day := range r.exceptDays {
		if i == 0 {
			b.WriteString("\nEXDATE;VALUE=DATE:")
		} else {
			b.WriteByte(',')
		}
		b.WriteString(time.Unix(day*secondsPerDay, 0).UTC().Format(dateLayout))
	}
	return b.String()
}

// zoned writes the recurrence with its zone.
func (r *recurrenceText) zoned(zone string) string {
	switch {
	case !r.hasStart && zone != "UTC":
		return "CRON_TZ=" + zone + " " + r.canonical("", "")
	case !r.hasStart:
		return r.canonical("", "")
	case zone == "UTC":
		return r.canonical("", "Z")
	}
	return r.canonical(";TZID="+zone, "")
}
