package recurrence

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Note says what daylight saving did to an occurrence of the timetable; empty if nothing. A rule that follows real time
// goes through a repeated hour twice as a matter of course.
func (t Timetable) Note(o Occurrence) string {
	clock := o.Wall.Format("15:04")
	if o.Wall.Second() != 0 {
		clock = o.Wall.Format(time.TimeOnly)
	}
	switch {
	case o.Moved:
		return "moved to the end of a daylight-saving gap: the clock skips " + clock
	case o.Pass == 1 && t.spec.FixedTime():
		return "the clock shows " + clock + " twice; this is the first time"
	case o.Pass == 2 && t.spec.FixedTime():
		return "the clock shows " + clock + " twice; this is the second time"
	}
	return ""
}

// LeftOut says in English which times with after < time <= until have no run of their own, and why: what the
// daylight-saving policies leave out, and excluded days. At most limit sentences, in order of time. A measured timetable
// is to be anchored.
func (t Timetable) LeftOut(after, until time.Time, limit int) []string {
	why := map[SuppressReason]string{
		SuppressedGap:    "is left out: the clock skips it",
		SuppressedMerged: "is left out: the clock skips it, and one run after the gap stands for all",
		SuppressedRepeat: "does not fire again when the clock repeats it",
	}
	if t.spec.Overlap() == OverlapLast {
		why[SuppressedRepeat] = "does not fire the first time: the clock shows it again"
	}
	type sentence struct {
		at   time.Time
		text string
	}
	var all []sentence
	for _, s := range t.Suppressed(after, until, limit) {
		all = append(all, sentence{s.Time, fmt.Sprintf("%s %s %s", s.Wall.Format(time.DateTime), t.Zone(), why[s.Reason])})
	}
	for _, run := range t.Excluded(after, until, limit) {
		all = append(all, sentence{run.From, t.excludedText(run)})
	}
	slices.SortStableFunc(all, func(a, b sentence) int { return a.at.Compare(b.at) })
	var texts []string
	for _, s := range all[:min(len(all), limit)] {
		texts = append(texts, s.text)
	}
	return texts
}

func (t Timetable) excludedText(run Exclusion) string {
	from, until := run.From.In(t.Location()).Format(time.DateTime), run.Until.In(t.Location()).Format(time.DateTime)
	one, many := "an excluded date", "excluded dates"
	if name, ok := strings.CutPrefix(run.Reason, ReasonCalendar); ok {
		one, many = "a day of calendar "+name, "days of calendar "+name
	}
	switch {
	case from == until:
		return from + " " + t.Zone() + " is left out: " + one
	case run.Count == 0:
		return fmt.Sprintf("%s to %s %s are left out: %s", from, until, t.Zone(), many)
	}
	return fmt.Sprintf("%s to %s %s, %d times, are left out: %s", from, until, t.Zone(), run.Count, many)
}
