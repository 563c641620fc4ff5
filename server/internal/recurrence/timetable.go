package recurrence

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// MaxJitter is the longest jitter of a timetable.
const MaxJitter = 24 * time.Hour

// NamedDays is a calendar of excluded days.
type NamedDays struct {
	Name string
	Days Days
}

// Limits narrow a rule. The zero value changes nothing.
type Limits struct {
	Start     time.Time     // the first instant, inclusive; also anchors a measured rule
	End       time.Time     // no occurrence from this instant on
	Exclude   []string      // excluded days as [ParseDays] reads them
	Calendars []NamedDays   // more excluded days
	Jitter    time.Duration // whole milliseconds, 0 to MaxJitter
}

// Timetable is a rule within limits: its nominal times are those of the rule from start
// to end that do not fall on an excluded day. A day is one of the rule's zone, and a
// time that daylight saving moved belongs to the day on which it fires. The zero
// Timetable never fires. Timetables are immutable and safe for concurrent use.
type Timetable struct {
	spec       Spec
	days       *Days // of all sets; nil if no day is excluded
	sets       []NamedDays
	start, end int64 // Unix seconds, inclusive and exclusive
	started    bool
	jitter     time.Duration
}

// ReasonExcludedDate is the reason of what [Limits].Exclude leaves out; that of a
// calendar is ReasonCalendar followed by its name.
const (
	ReasonExcludedDate = "EXCLUDED_DATE"
	ReasonCalendar     = "CALENDAR:"
)

// NewTimetable applies limits to a rule. A start anchors a measured rule, so that an
// interval without phase first fires at the start itself. Errors are *[ParseError] with
// [FieldStart], [FieldEnd], [FieldExclude] or [FieldJitter]. A timetable without any
// time is no error: Next answers that there is none.
func NewTimetable(spec Spec, l Limits) (Timetable, error) {
	t := Timetable{spec: spec, start: firstInstant, end: endInstant, jitter: l.Jitter}
	if !l.Start.IsZero() {
		t.start, t.started = wholeSecond(l.Start), true
		t.spec = spec.anchorAt(time.Unix(t.start, 0), true)
	}
	if !l.End.IsZero() {
		t.end = wholeSecond(l.End)
	}
	switch {
	case !l.Start.IsZero() && !l.End.IsZero() && !l.End.After(l.Start):
		return Timetable{}, refuse(FieldEnd, l.End.Format(time.RFC3339), "is not after the start "+l.Start.Format(time.RFC3339), "choose a later end")
	case l.Jitter < 0 || l.Jitter > MaxJitter:
		return Timetable{}, refuse(FieldJitter, l.Jitter.String(), fmt.Sprintf("must be from 0s to %v", MaxJitter), "shorten it")
	case l.Jitter%time.Millisecond != 0:
		return Timetable{}, refuse(FieldJitter, l.Jitter.String(), "is not a whole number of milliseconds", "round it")
	}
	excluded, err := ParseDays(l.Exclude)
	if err != nil {
		return Timetable{}, err
	}
	t.sets = append(t.sets, NamedDays{Days: excluded})
	t.sets = append(t.sets, l.Calendars...)
	t.sets = slices.DeleteFunc(t.sets, func(s NamedDays) bool { return s.Days.Empty() })
	if len(t.sets) > 0 {
		sets := make([]Days, len(t.sets))
		for i, s := range t.sets {
			sets[i] = s.Days
		}
		all := union(sets...)
		t.days = &all
	}
	return t, nil
}

// wholeSecond is the first whole second that is not before an instant.
func wholeSecond(at time.Time) int64 {
	second := at.Unix()
	if at.Nanosecond() > 0 {
		second++
	}
	return min(max(second, firstInstant), endInstant)
}

// Spec is the rule, anchored at the start if it is measured.
func (t Timetable) Spec() Spec { return t.spec }

// Location is the time zone of the rule.
func (t Timetable) Location() *time.Location { return t.spec.Location() }

// Zone is the IANA name of the rule's zone.
func (t Timetable) Zone() string { return t.spec.Zone() }

// Jitter is the width of the window in which occurrences are spread.
func (t Timetable) Jitter() time.Duration { return t.jitter }

// Measured reports whether the timetable still depends on an anchor: the rule is
// measured, and no start fixes it.
func (t Timetable) Measured() bool { return t.spec.Measured() && !t.started }

// WithAnchor is [Spec.WithAnchor]; a timetable with a start is returned unchanged.
func (t Timetable) WithAnchor(anchor time.Time) Timetable {
	if !t.started {
		t.spec = t.spec.WithAnchor(anchor)
	}
	return t
}

// Next answers the first nominal time after an instant, exclusive, in UTC and whole
// seconds; false if there is none. It allocates nothing if the rule does not.
//
// Excluded days are passed over as a whole, a run of them in one step a day at most and
// ranges at once. So a search asks the rule at most once for each run of excluded days
// up to [MaxYear], fewer than 43,000 times.
func (t Timetable) Next(after time.Time) (time.Time, bool) {
	at, ok := t.next(after.Unix())
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(at, 0).UTC(), true
}

func (t *Timetable) next(after int64) (int64, bool) {
	spec := &t.spec
	if spec.Measured() && !spec.anchored {
		anchored := spec.WithAnchor(time.Unix(after, 0))
		spec = &anchored
	}
	probes := maxProbes
	after = max(after, t.start-1)
	for {
		at, ok := spec.search(after, &probes)
		if !ok || at >= t.end {
			return 0, false
		}
		if t.days == nil {
			return at, true
		}
		i := spec.zone.at(at)
		day := spec.zone.day(i, at)
		if !t.days.has(day) {
			return at, true
		}
		// Within one offset a run of excluded days is left at once.
		out := t.days.nextOut(day+1, spec.zone.day(i, spec.zone.end(i))+1)
		after = spec.zone.begin(i, out) - 1
	}
}

// day gives the local day of an instant by the offset of span i.
func (z *zone) day(i int, at int64) int64 {
	// Days are counted from 1969 so that the division rounds down.
	return (at+z.spans[i].offset+365*secondsPerDay)/secondsPerDay - 365
}

// begin gives the instant at which a local day begins by the offset of span i, or at
// which the span ends if that is earlier.
func (z *zone) begin(i int, day int64) int64 {
	return min(day*secondsPerDay-z.spans[i].offset, z.end(i))
}

// NextN answers up to n nominal times after an instant, in ascending order. A measured
// rule without an anchor is measured from after.
func (t Timetable) NextN(after time.Time, n int) []time.Time {
	t.spec = t.spec.anchoredAt(after)
	var found []time.Time
	at, ok := t.next(after.Unix())
	for ; ok && len(found) < n; at, ok = t.next(at) {
		found = append(found, time.Unix(at, 0).UTC())
	}
	return found
}

// Occurrences is [Timetable.NextN] with notes.
func (t Timetable) Occurrences(after time.Time, n int) []Occurrence {
	t.spec = t.spec.anchoredAt(after)
	times := t.NextN(after, n)
	list := make([]Occurrence, len(times))
	for i, at := range times {
		list[i] = t.spec.explain(at)
	}
	return list
}

// Offset is how much later than their nominal times the occurrences of one schedule
// are: from 0 to Jitter, exclusive, in whole milliseconds, the same for all of them and
// spread evenly over schedules. seed is "<tenant>/<schedule>".
func (t Timetable) Offset(seed string) time.Duration {
	// The last bytes of a text reach few of the high bits of FNV; the finaliser of
	// SplitMix64 spreads them.
	h := fnv1a(seed)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	high, _ := bits.Mul64(h, uint64(t.jitter/time.Millisecond))
	return time.Duration(high) * time.Millisecond
}

// Describe adds the limits to [Spec.Describe].
func (t Timetable) Describe() string {
	const layout = "2 January 2006 15:04:05"
	text := t.spec.Describe()
	if t.started {
		text += ", from " + time.Unix(t.start, 0).In(t.Location()).Format(layout)
	}
	if t.end < endInstant {
		text += ", until before " + time.Unix(t.end, 0).In(t.Location()).Format(layout)
	}
	var calendars []string
	for _, s := range t.sets {
		if s.Name == "" {
			text += ", except on " + s.Days.describe()
		} else {
			calendars = append(calendars, s.Name)
		}
	}
	if len(calendars) > 0 {
		text += ", except on days of " + joinWords(calendars)
	}
	if t.jitter > 0 {
		text += ", up to " + shortDuration(t.jitter) + " later"
	}
	return text
}

// shortDuration writes 5m rather than 5m0s.
func shortDuration(d time.Duration) string {
	if d%time.Second != 0 {
		return d.String()
	}
	return formatSeconds(int64(d / time.Second))
}

func (d *Days) describe() string {
	if len(d.ranges) == 0 && !d.yearly {
		return joinWords(weekdayRuns(d.weekdays))
	}
	return "the excluded dates"
}

// Notes gives the remarks of [Spec.Notes].
func (t Timetable) Notes() []string {
	notes := t.spec.Notes()
	if t.spec.Measured() && t.started {
		return slices.DeleteFunc(notes, func(n string) bool { return strings.HasPrefix(n, "has no DTSTART") })
	}
	return notes
}
