package recurrence_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"pgregory.net/rapid"
)

// oracle is a rule as plain sets and predicates. It is drawn together with its
// text, so that it owes nothing to the parser, and is evaluated one instant after
// the other with the time package, so that it owes nothing to the search.
type oracle struct {
	text    string
	seconds values // nil without a seconds field
	minutes values
	hours   values
	months  values
	years   values // nil without a year field
	day     dayRule
	weekday dayRule
	fixed   bool
}

type values map[int]bool

// dayRule is one of the two day fields.
type dayRule struct {
	starred bool
	match   func(date time.Time) bool
}

func (o *oracle) matches(wall time.Time) bool {
	if !o.minutes[wall.Minute()] || !o.hours[wall.Hour()] || !o.matchesDate(wall) {
		return false
	}
	if o.seconds == nil {
		return wall.Second() == 0
	}
	return o.seconds[wall.Second()]
}

func (o *oracle) matchesDate(wall time.Time) bool {
	if !o.months[int(wall.Month())] || o.years != nil && !o.years[wall.Year()] {
		return false
	}
	if !o.day.starred && !o.weekday.starred {
		return o.day.match(wall) || o.weekday.match(wall)
	}
	return o.day.match(wall) && o.weekday.match(wall)
}

// bounds of a numeric field as the rules state them.
type bounds struct {
	low, high, cycle int
	names            []string
	plain            bool // numbers, ranges and lists only, as in a fixed-time rule
	drawn            int  // highest value to draw, if below high
}

// drawField draws the text of a numeric field and the values it stands for.
func drawField(t *rapid.T, label string, b bounds) (string, values) {
	set := values{}
	var items []string
	for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, label+" items") {
		items = append(items, drawItem(t, label, b, set))
	}
	return strings.Join(items, ","), set
}

func drawItem(t *rapid.T, label string, b bounds, set values) string {
	value := rapid.IntRange(b.low, cmp.Or(b.drawn, b.high))
	step := rapid.IntRange(1, min(b.high, 59))
	from := value.Draw(t, label+" from")
	add := func(first, last, step int) {
		for v := first; v <= last; v += step {
			wrapped := v
			for wrapped > b.high || wrapped-b.low >= b.cycle {
				wrapped -= b.cycle
			}
			set[wrapped] = true
		}
	}
	kinds := []string{"any", "any", "step", "one", "one", "range", "range step", "from step"}
	if b.plain {
		kinds = []string{"one", "range"}
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, label+" kind"); kind {
	case "any":
		add(b.low, b.high, 1)
		return "*"
	case "step":
		s := step.Draw(t, label+" step")
		add(b.low, b.high, s)
		return fmt.Sprintf("*/%d", s)
	case "range", "range step":
		to, s := value.Draw(t, label+" to"), 1
		last := to
		if to < from {
			last += b.cycle
		}
		text := b.text(t, from) + "-" + b.text(t, to)
		if kind == "range step" {
			s = step.Draw(t, label+" step")
			text += fmt.Sprintf("/%d", s)
		}
		add(from, last, s)
		return text
	case "from step":
		s := step.Draw(t, label+" step")
		add(from, b.high, s)
		return fmt.Sprintf("%s/%d", b.text(t, from), s)
	}
	add(from, from, 1)
	return b.text(t, from)
}

// text writes a value as a number or, where it has one, a name.
func (b bounds) text(t *rapid.T, v int) string {
	if len(b.names) > 0 && v-b.low < len(b.names) && rapid.Bool().Draw(t, "named") {
		return b.names[v-b.low]
	}
	return fmt.Sprintf("%0*d", rapid.IntRange(1, 2).Draw(t, "width"), v)
}

func drawDay(t *rapid.T) (string, dayRule) {
	n := rapid.IntRange(1, 31).Draw(t, "day n")
	lastOf := func(d time.Time) int { return time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day() }
	isWorkday := func(d time.Time) bool { return d.Weekday() != time.Saturday && d.Weekday() != time.Sunday }
	// nearest searches outwards from a day for a working day of its month.
	nearest := func(d time.Time, day int) bool {
		if day > lastOf(d) || !isWorkday(d) {
			return false
		}
		for distance := 0; ; distance++ {
			for _, candidate := range []int{day - distance, day + distance} {
				c := time.Date(d.Year(), d.Month(), candidate, 0, 0, 0, 0, time.UTC)
				if c.Month() == d.Month() && isWorkday(c) {
					return c.Day() == d.Day()
				}
			}
		}
	}
	switch rapid.SampledFrom([]string{"plain", "plain", "plain", "?", "L", "L-n", "LW", "nW"}).Draw(t, "day kind") {
	case "?":
		return "?", dayRule{true, func(time.Time) bool { return true }}
	case "L":
		return "L", dayRule{false, func(d time.Time) bool { return d.Day() == lastOf(d) }}
	case "L-n":
		return fmt.Sprintf("L-%d", n-1), dayRule{false, func(d time.Time) bool { return d.Day() == lastOf(d)-n+1 }}
	case "LW":
		return "lw", dayRule{false, func(d time.Time) bool { return nearest(d, lastOf(d)) }}
	case "nW":
		return fmt.Sprintf("%dW", n), dayRule{false, func(d time.Time) bool { return nearest(d, n) }}
	}
	text, set := drawField(t, "day", bounds{low: 1, high: 31, cycle: 31})
	return text, dayRule{text[0] == '*', func(d time.Time) bool { return set[d.Day()] }}
}

var shortWeekdays = []string{"SUN", "mon", "Tue", "WED", "THU", "FRI", "SAT"}

func drawWeekday(t *rapid.T, mayQuestion bool) (string, dayRule) {
	n := rapid.IntRange(0, 6).Draw(t, "weekday n")
	kinds := []string{"plain", "plain", "plain", "L", "#"}
	if mayQuestion {
		kinds = append(kinds, "?")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "weekday kind") {
	case "?":
		return "?", dayRule{true, func(time.Time) bool { return true }}
	case "L":
		return fmt.Sprintf("%dL", n), dayRule{false, func(d time.Time) bool {
			return int(d.Weekday()) == n && d.AddDate(0, 0, 7).Month() != d.Month()
		}}
	case "#":
		nth := rapid.IntRange(1, 5).Draw(t, "nth")
		return fmt.Sprintf("%s#%d", shortWeekdays[n], nth), dayRule{false, func(d time.Time) bool {
			return int(d.Weekday()) == n && (d.Day()-1)/7+1 == nth
		}}
	}
	text, set := drawField(t, "weekday", bounds{low: 0, high: 7, cycle: 7, names: shortWeekdays})
	return text, dayRule{text[0] == '*', func(d time.Time) bool { return set[int(d.Weekday())] }}
}

// drawOracle draws a rule of 5, 6 or 7 fields; every other one is fixed-time and
// mostly about the small hours, where clocks change.
func drawOracle(t *rapid.T) *oracle {
	return drawRule(t, rapid.Bool().Draw(t, "plain times"))
}

func drawRule(t *rapid.T, plain bool) *oracle {
	o := &oracle{}
	hours := bounds{low: 0, high: 23, cycle: 24, plain: plain}
	if plain && rapid.IntRange(0, 3).Draw(t, "small hours") > 0 {
		hours.drawn = 3
	}
	var texts [7]string
	fields := rapid.SampledFrom([]int{5, 5, 5, 6, 7}).Draw(t, "fields")
	if fields >= 6 {
		texts[0], o.seconds = drawField(t, "second", bounds{low: 0, high: 59, cycle: 60, plain: plain})
	}
	texts[1], o.minutes = drawField(t, "minute", bounds{low: 0, high: 59, cycle: 60, plain: plain})
	texts[2], o.hours = drawField(t, "hour", hours)
	o.fixed = !strings.ContainsAny(texts[0]+texts[1]+texts[2], "*/")
	texts[3], o.day = drawDay(t)
	texts[4], o.months = drawField(t, "month", bounds{low: 1, high: 12, cycle: 12,
		names: []string{"jan", "FEB", "Mar", "APR", "may", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}})
	texts[5], o.weekday = drawWeekday(t, texts[3] != "?")
	if fields == 7 {
		from := rapid.IntRange(1985, 2105).Draw(t, "first year")
		to := rapid.IntRange(from, 2110).Draw(t, "last year")
		texts[6], o.years = fmt.Sprintf("%d-%d", from, to), values{}
		for y := from; y <= to; y++ {
			o.years[y] = true
		}
	}
	used := slices.DeleteFunc(texts[:], func(s string) bool { return s == "" })
	o.text = strings.Join(used, " ")
	return o
}

// step is the distance of the instants at which the rule could fire.
func (o *oracle) step() time.Duration {
	if o.seconds == nil {
		return time.Minute
	}
	return time.Second
}

// occurrences goes through every minute (or second) of (after, until].
func (o *oracle) occurrences(loc *time.Location, after, until time.Time, opts recurrence.Options) []time.Time {
	const longestRepeat = 4 * time.Hour
	step := o.step()
	// How often the clock shows each wall time, and when first and last.
	first, last := map[int64]time.Time{}, map[int64]time.Time{}
	if o.fixed {
		for at := after.Add(-longestRepeat); !at.After(until.Add(longestRepeat)); at = at.Add(step) {
			w := wallOf(at, loc).Unix()
			if _, shown := first[w]; !shown {
				first[w] = at
			}
			last[w] = at
		}
	}
	var found []time.Time
	previous := wallOf(after, loc)
	for at := after.Add(step); !at.After(until); at = at.Add(step) {
		wall := wallOf(at, loc)
		fires := o.matches(wall)
		if fires && o.fixed && opts.Overlap == recurrence.OverlapFirst {
			fires = first[wall.Unix()].Equal(at)
		}
		if fires && o.fixed && opts.Overlap == recurrence.OverlapLast {
			fires = last[wall.Unix()].Equal(at)
		}
		if o.fixed && opts.Gap == recurrence.GapRunAfter {
			for skipped := previous.Add(step); skipped.Before(wall) && !fires; skipped = skipped.Add(step) {
				fires = o.matches(skipped)
			}
		}
		if fires {
			found = append(found, at.UTC())
		}
		previous = wall
	}
	return found
}

// wallOf gives the wall clock at an instant, with UTC as a stand-in for the zone.
func wallOf(at time.Time, loc *time.Location) time.Time {
	l := at.In(loc)
	return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), 0, time.UTC)
}
