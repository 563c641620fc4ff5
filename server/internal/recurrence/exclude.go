package recurrence

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
)

// Bounds of a list of excluded days.
const (
	MaxDayEntries = 2_000 // entries of one list
	MaxDayRange   = 3_660 // days of one range
)

// Days is a set of calendar days without a zone: dates, ranges of dates, days of every
// year and weekdays. The zero Days is empty. It is immutable.
type Days struct {
	weekdays uint8      // bit 0 is Sunday
	annual   [13]uint32 // by month, bit of the day
	yearly   bool       // annual is not empty
	ranges   []dayRange // ascending, neither overlapping nor touching
}

// dayRange holds day numbers, both inclusive.
type dayRange struct{ from, to int64 }

const daysHint = "write 2026-12-25, 2026-12-24/2027-01-01, 12-25 for every year, or SAT"

// ParseDays reads excluded days. An entry is a date (2026-12-25), a range of dates with
// both ends included (2026-12-24/2027-01-01, at most [MaxDayRange] days), a day of every
// year (12-25; 02-29 only in leap years) or a weekday (SAT, in any case). At most
// [MaxDayEntries] entries; a repeated one is no error. The error is a *[ParseError] with
// [FieldExclude] that names the entry by its index from 0.
func ParseDays(entries []string) (Days, error) {
	var d Days
	if len(entries) > MaxDayEntries {
		return Days{}, refuse(FieldExclude, "", fmt.Sprintf("%d entries, at most %d are allowed", len(entries), MaxDayEntries),
			"write ranges, weekdays and days of every year")
	}
	for i, entry := range entries {
		if reason, hint := d.add(strings.TrimSpace(entry)); reason != "" {
			return Days{}, refuse(FieldExclude, clip(entry), fmt.Sprintf("entry [%d] %s", i, reason), hint)
		}
	}
	d.ranges = mergeRanges(d.ranges)
	return d, nil
}

// Empty reports whether no day is in the set.
func (d Days) Empty() bool { return d.weekdays == 0 && !d.yearly && len(d.ranges) == 0 }

// Has reports whether the set holds the day that a time shows in its own location.
func (d Days) Has(t time.Time) bool {
	y, m, day := t.Date()
	return y >= MinYear && y <= MaxYear && d.has(dayNumber(y, int(m), day))
}

// add reads one entry; reason is empty if it can be read.
func (d *Days) add(entry string) (reason, hint string) {
	if i := slices.Index(weekdayField.names, strings.ToUpper(entry)); i >= 0 {
		d.weekdays |= 1 << (i % 7)
		return "", ""
	}
	if len(entry) == len("12-25") {
		// 2024 is a leap year, so that 02-29 exists.
		t, err := time.Parse(time.DateOnly, "2024-"+entry)
		if err != nil {
			return "is no day of any year", daysHint
		}
		d.yearly = true
		d.annual[t.Month()] |= 1 << t.Day()
		return "", ""
	}
	first, last, isRange := strings.Cut(entry, "/")
	from, ok := parseDay(first)
	to := from
	if isRange && ok {
		to, ok = parseDay(last)
	}
	switch {
	case !ok:
		return fmt.Sprintf("is no date from %d to %d", MinYear, MaxYear), daysHint
	case to < from:
		return "ends before it begins", "write the earlier date first"
	case to-from >= MaxDayRange:
		return fmt.Sprintf("has %d days, at most %d are allowed", to-from+1, MaxDayRange), "end the schedule instead, or give it a start"
	}
	d.ranges = append(d.ranges, dayRange{from, to})
	return "", ""
}

func parseDay(text string) (int64, bool) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < MinYear || t.Year() > MaxYear {
		return 0, false
	}
	return t.Unix() / secondsPerDay, true
}

func mergeRanges(ranges []dayRange) []dayRange {
	sort.Slice(ranges, func(i, j int) bool { return ranges[i].from < ranges[j].from })
	var merged []dayRange
	for _, r := range ranges {
		if n := len(merged); n > 0 && r.from <= merged[n-1].to+1 {
			merged[n-1].to = max(merged[n-1].to, r.to)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// union holds the days of all sets.
func union(sets ...Days) Days {
	var all Days
	for _, d := range sets {
		all.weekdays |= d.weekdays
		all.yearly = all.yearly || d.yearly
		for m := range d.annual {
			all.annual[m] |= d.annual[m]
		}
		all.ranges = append(all.ranges, d.ranges...)
	}
	all.ranges = mergeRanges(all.ranges)
	return all
}

// after gives the index of the first range that ends on a day or later.
func (d *Days) after(day int64) int {
	lo, hi := 0, len(d.ranges)
	for lo < hi {
		if mid := (lo + hi) / 2; d.ranges[mid].to < day {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (d *Days) has(day int64) bool {
	if d.weekdays>>weekdayOf(day+7)&1 != 0 || d.annually(day) {
		return true
	}
	i := d.after(day)
	return i < len(d.ranges) && d.ranges[i].from <= day
}

func (d *Days) annually(day int64) bool {
	if !d.yearly || day < 0 {
		return false
	}
	_, m, n := civil(day)
	return d.annual[m]>>n&1 != 0
}

// nextOut gives the first day in [day, limit) that the set does not hold, else limit.
func (d *Days) nextOut(day, limit int64) int64 {
	for day < limit {
		if i := d.after(day); i < len(d.ranges) && d.ranges[i].from <= day {
			day = d.ranges[i].to + 1
		} else if d.weekdays>>weekdayOf(day+7)&1 != 0 || d.annually(day) {
			day++
		} else {
			return day
		}
	}
	return limit
}

// nextIn gives the first day in [day, limit) that the set holds, else limit.
func (d *Days) nextIn(day, limit int64) int64 {
	next := limit
	if i := d.after(day); i < len(d.ranges) {
		next = min(limit, max(day, d.ranges[i].from))
	}
	if d.weekdays == 0 && !d.yearly {
		return next
	}
	for ; day < next; day++ {
		if d.weekdays>>weekdayOf(day+7)&1 != 0 || d.annually(day) {
			return day
		}
	}
	return next
}
