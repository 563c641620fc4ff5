package recurrence

import "time"

// AppendTimes appends up to limit nominal times between two instants, both exclusive, as
// Unix seconds in ascending order. It is the form of [Timetable.NextN] for those who
// count: the times of an interval cost an addition each unless days are excluded.
func (t Timetable) AppendTimes(times []int64, after, before time.Time, limit int) []int64 {
	t.spec = t.spec.anchoredAt(after)
	end := min(t.end, wholeSecond(before))
	step := int64(0)
	if t.spec.kind == kindInterval && t.days == nil {
		step = t.spec.every
	}
	at, ok := t.next(after.Unix())
	for ; ok && at < end && limit > 0; limit-- {
		times = append(times, at)
		if step > 0 {
			at += step
		} else {
			at, ok = t.next(at)
		}
	}
	return times
}
