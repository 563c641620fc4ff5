package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"pgregory.net/rapid"
)

// runningOracle is a rule of hours, minutes or seconds as plain sets, evaluated at
// one instant after the other. A nil set allows every value.
type runningOracle struct {
	parts                       string
	unit, interval              int64
	hours, minutes, seconds     values
	months, monthDays, weekdays values
	start, base                 int64
}

func drawRunning(t *rapid.T) *runningOracle {
	o := &runningOracle{interval: 1}
	freq := rapid.SampledFrom([]string{"HOURLY", "MINUTELY", "SECONDLY"}).Draw(t, "freq")
	o.unit = map[string]int64{"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}[freq]
	o.parts = "FREQ=" + freq
	if rapid.Bool().Draw(t, "interval?") {
		o.interval = rapid.Int64Range(1, 100).Draw(t, "interval")
		o.parts += fmt.Sprintf(";INTERVAL=%d", o.interval)
	}
	draw := func(part string, low, high, odds int) values {
		if rapid.IntRange(0, odds).Draw(t, part+"?") > 0 {
			return nil
		}
		set := values{}
		var texts []string
		for _, v := range rapid.SliceOfN(rapid.IntRange(low, high), 1, 12).Draw(t, part) {
			set[v] = true
			texts = append(texts, fmt.Sprint(v))
		}
		o.parts += ";" + part + "=" + strings.Join(texts, ",")
		return set
	}
	o.hours = draw("BYHOUR", 0, 23, 2)
	o.minutes = draw("BYMINUTE", 0, 59, 2)
	o.seconds = draw("BYSECOND", 0, 59, 2)
	o.months = draw("BYMONTH", 1, 12, 5)
	o.monthDays = draw("BYMONTHDAY", 1, 31, 5)
	if rapid.IntRange(0, 4).Draw(t, "BYDAY?") == 0 {
		o.weekdays = values{}
		day := rapid.IntRange(0, 6).Draw(t, "BYDAY")
		o.weekdays[day], o.weekdays[(day+1)%7] = true, true
		names := []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
		o.parts += ";BYDAY=" + names[day] + "," + names[(day+1)%7]
	}
	return o
}

// from fixes the start, and takes from it what the rule leaves open.
func (o *runningOracle) from(start time.Time, loc *time.Location) {
	wall := wallOf(start, loc)
	if o.minutes == nil && o.unit > 60 {
		o.minutes = values{wall.Minute(): true}
	}
	if o.seconds == nil && o.unit > 1 {
		o.seconds = values{wall.Second(): true}
	}
	o.start = start.Unix()
	o.base = o.start - wall.Unix()%o.unit
}

func (o *runningOracle) matches(at time.Time, loc *time.Location) bool {
	if at.Unix() < o.start || (at.Unix()-o.base)/o.unit%o.interval != 0 {
		return false
	}
	allows := func(set values, v int) bool { return set == nil || set[v] }
	wall := at.In(loc)
	return allows(o.hours, wall.Hour()) && allows(o.minutes, wall.Minute()) && allows(o.seconds, wall.Second()) &&
		allows(o.months, int(wall.Month())) && allows(o.monthDays, wall.Day()) && allows(o.weekdays, int(wall.Weekday()))
}

func TestRRule_RunningAgreesWithSteppingThroughEverySecond(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o, zone := drawRunning(t), drawZone(t)
		loc := locationOf(t, zone)
		window := 8 * time.Hour
		if nightly {
			window *= 10
		}
		after := drawStart(t, loc, window)
		start := after.Add(-time.Duration(rapid.IntRange(0, 300_000).Draw(t, "lead")) * time.Second)
		if begin, _ := start.In(loc).ZoneBounds(); start.Sub(begin) < 25*time.Hour && !begin.IsZero() {
			t.Skip("the start may be shown twice")
		}
		o.from(start, loc)
		text := "DTSTART:" + start.In(loc).Format("20060102T150405") + "\nRRULE:" + o.parts
		spec, err := recurrence.ParseRRule(text, zone, recurrence.Options{})
		var want []time.Time
		until := after.Add(window)
		for at := after.Add(time.Second); !at.After(until); at = at.Add(time.Second) {
			if o.matches(at, loc) || at.Equal(start) {
				want = append(want, at)
			}
		}
		if err != nil {
			if slices.ContainsFunc(want, func(at time.Time) bool { return !at.Equal(start) }) {
				t.Fatalf("%s %s is refused (%v) but fires at %v", text, zone, err, want)
			}
			return
		}
		if got := upTo(spec, after, until); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s %s after %v:\n%s", text, zone, after, difference(got, want))
		}
	})
}

func locationOf(t *rapid.T, zone string) *time.Location {
	spec, err := recurrence.Parse("@daily", zone, recurrence.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec.Location()
}
