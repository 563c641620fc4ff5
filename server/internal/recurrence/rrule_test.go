package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func mustParseRRule(t testing.TB, text, zone string, opts recurrence.Options) recurrence.Spec {
	t.Helper()
	spec, err := recurrence.ParseRRule(text, zone, opts)
	if err != nil {
		t.Fatalf("%s %s: %v", text, zone, err)
	}
	return spec
}

// localTimes shows instants as the zone's clock does.
func localTimes(spec recurrence.Spec, times []time.Time) []string {
	list := make([]string, len(times))
	for i, at := range times {
		list[i] = at.In(spec.Location()).Format("2006-01-02T15:04")
	}
	return list
}

// Examples of RFC 5545, section 3.8.5.3, all from DTSTART 9:00 in New York.
var rfcExamples = []struct {
	start, rule string
	want        string // the first local days, at 09:00 unless a time is given
	total       int    // 0 if it goes on
}{
	{"19970902", "FREQ=DAILY;COUNT=10", "0902 0903 0904 0905 0906 0907 0908 0909 0910 0911", 10},
	{"19970902", "FREQ=DAILY;UNTIL=19971224T000000Z", "0902 0903", 113},
	{"19970902", "FREQ=DAILY;INTERVAL=2", "0902 0904 0906", 0},
	{"19970902", "FREQ=DAILY;INTERVAL=10;COUNT=5", "0902 0912 0922 1002 1012", 5},
	{"19980101", "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "0101 0102 0103", 93},
	{"19970902", "FREQ=WEEKLY;COUNT=10", "0902 0909 0916 0923 0930 1007", 10},
	{"19970902", "FREQ=WEEKLY;UNTIL=19971224T000000Z", "0902 0909", 17},
	{"19970902", "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "0902 0916 0930 1014 1028 1111", 0},
	{"19970902", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "0902 0904 0909 0911", 10},
	{"19970901", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "0901 0903 0905 0915 0917", 25},
	{"19970902", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "0902 0904 0916 0918 0930 1002 1014 1016", 8},
	{"19970905", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "0905 1003 1107 1205 0102 0206", 10},
	{"19970905", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "0905 1003 1107 1205", 4},
	{"19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "0907 0928 1102 1130 0104 0125", 10},
	{"19970922", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "0922 1020 1117 1222 0119 0216", 6},
	{"19970928", "FREQ=MONTHLY;BYMONTHDAY=-3", "0928 1029 1128 1229 0129 0226", 0},
	{"19970902", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "0902 0915 1002 1015", 10},
	{"19970930", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "0930 1001 1031 1101 1130 1201", 10},
	{"19970910", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "0910 0911 0912 0913 0914 0915 0310", 10},
	{"19970902", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "0902 0909 0916 0923 0930 1104", 0},
	{"19970610", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "0610 0710 0610 0710", 10},
	{"19970310", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", "0310 0110 0210 0310 0110", 10},
	{"19970101", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "0101 0410 0719 0101 0409 0718", 10},
	{"19970519", "FREQ=YEARLY;BYDAY=20MO", "0519 0518 0517", 0},
	{"19970512", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "0512 0511 0517", 0},
	{"19970313", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "0313 0320 0327 0305", 0},
	{"19970605", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "0605 0612 0619 0626 0703", 0},
	{"19970913", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "0913 1011 1108 1213", 0},
	{"19961105", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1105 1107 1102", 0},
	{"19970904", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "0904 1007 1106", 3},
	{"19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "0929 1030 1127 1230 0129", 0},
	{"19970902", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", "0902T09 0902T12 0902T15", 3},
	{"19970902", "FREQ=MINUTELY;INTERVAL=90;COUNT=4", "0902T09:00 0902T10:30 0902T12:00 0902T13:30", 4},
	{"19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "0805 0810 0819 0824", 4},
	{"19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "0805 0817 0819 0831", 4},
	{"20070115", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "0115 0130 0215 0315 0330", 5},
	// A mixture of counted and plain days is every day that is one of them.
	{"19970901", "FREQ=MONTHLY;BYDAY=MO,-1FR", "0901 0908 0915 0922 0926 0929 1006", 0},
	// In weeks, BYSETPOS counts the first week as a whole.
	{"19970903", "FREQ=WEEKLY;BYDAY=TU,WE,SU;BYSETPOS=2,3", "0903 0907 0910 0914", 0},
	// BYWEEKNO alone: the weekday of DTSTART.
	{"19970513", "FREQ=YEARLY;BYWEEKNO=20", "0513 0512 0518", 0},
	// A week that begins in December belongs to the days of both years.
	{"20001230", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,WE", "1230 0101 0103 1231 0102", 0},
}

func TestRRule_ExamplesOfTheRFC(t *testing.T) {
	t.Parallel()
	for _, c := range rfcExamples {
		t.Run(c.start+" "+c.rule, func(t *testing.T) {
			t.Parallel()
			text := "DTSTART;TZID=America/New_York:" + c.start + "T090000\nRRULE:" + c.rule
			spec := mustParseRRule(t, text, "", recurrence.Options{})
			before := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
			want := strings.Fields(c.want)
			for i, local := range localTimes(spec, spec.NextN(before, len(want))) {
				compact := strings.ReplaceAll(local[5:10], "-", "") + local[10:]
				if !strings.HasPrefix(compact, want[i]) || !strings.Contains(want[i], "T") && compact[4:] != "T09:00" {
					t.Errorf("occurrence %d is %s, want %s", i, local, want[i])
				}
			}
			if got := len(spec.NextN(before, 200)); c.total > 0 && got != c.total {
				t.Errorf("%d occurrences, want %d", got, c.total)
			}
		})
	}
}

var rruleCases = []struct {
	name, text, zone string
	opts             recurrence.Options
	after            string
	want             []string
}{
	{"friday the 13th leaves out DTSTART by EXDATE",
		"DTSTART;TZID=America/New_York:19970902T090000\nEXDATE;TZID=America/New_York:19970902T090000\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
		"", recurrence.Options{}, "1997-01-01T00:00:00Z", []string{"1998-02-13T14:00:00Z", "1998-03-13T14:00:00Z", "1998-11-13T14:00:00Z"}},
	{"DTSTART counts though it does not match", "DTSTART:20260101T090000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3",
		"", recurrence.Options{}, "2025-01-01T00:00:00Z", []string{"2026-01-01T09:00:00Z", "2026-01-05T09:00:00Z", "2026-01-12T09:00:00Z"}},
	{"floating start is local", "DTSTART:20260101T090000\nRRULE:FREQ=DAILY", "Europe/Berlin", recurrence.Options{},
		"2026-03-28T00:00:00Z", []string{"2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z"}},
	{"UNTIL as a day includes it", "DTSTART:20260101T090000\nRRULE:FREQ=DAILY;UNTIL=20260102", "Europe/Berlin", recurrence.Options{},
		"2025-12-01T00:00:00Z", []string{"2026-01-01T08:00:00Z", "2026-01-02T08:00:00Z"}},
	{"UNTIL in UTC is inclusive", "DTSTART:20260101T090000\nRRULE:FREQ=DAILY;UNTIL=20260102T080000Z", "Europe/Berlin", recurrence.Options{},
		"2025-12-01T00:00:00Z", []string{"2026-01-01T08:00:00Z", "2026-01-02T08:00:00Z"}},
	{"RDATE adds, EXDATE removes, by day too",
		"DTSTART:20260101T090000Z RRULE:FREQ=DAILY RDATE:20260101T120000Z,20260103T100000Z EXDATE:20260101T090000Z EXDATE;VALUE=DATE:20260102,20260104",
		"", recurrence.Options{}, "2025-12-01T00:00:00Z",
		[]string{"2026-01-01T12:00:00Z", "2026-01-03T09:00:00Z", "2026-01-03T10:00:00Z", "2026-01-05T09:00:00Z"}},
	{"COUNT ignores what is added and left out", "DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260102T090000Z\nRDATE:20260201T000000Z",
		"", recurrence.Options{}, "2025-12-01T00:00:00Z",
		[]string{"2026-01-01T09:00:00Z", "2026-01-03T09:00:00Z", "2026-02-01T00:00:00Z"}},
	{"EXDATE of another zone", "DTSTART;TZID=Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY\nEXDATE:20260102T080000Z\nEXDATE;TZID=America/New_York:20260103T030000",
		"", recurrence.Options{}, "2026-01-01T09:00:00Z", []string{"2026-01-04T08:00:00Z"}},
	{"folded lines and any case", "dtstart:20260101T090000z\r\nrrule:freq=dai\r\n ly;interval=2\r\n", "", recurrence.Options{},
		"2026-01-01T09:00:00Z", []string{"2026-01-03T09:00:00Z"}},
	{"moved out of a gap", "DTSTART;TZID=America/New_York:20250301T023000\nRRULE:FREQ=DAILY", "", recurrence.Options{},
		"2025-03-08T12:00:00Z", []string{"2025-03-09T07:00:00Z", "2025-03-10T06:30:00Z"}},
	{"a gap is skipped", "DTSTART;TZID=America/New_York:20250301T023000\nRRULE:FREQ=DAILY", "", recurrence.Options{Gap: skip},
		"2025-03-08T12:00:00Z", []string{"2025-03-10T06:30:00Z"}},
	{"a gap counts", "DTSTART;TZID=America/New_York:20250308T023000\nRRULE:FREQ=DAILY;COUNT=3", "", recurrence.Options{Gap: skip},
		"2025-03-01T12:00:00Z", []string{"2025-03-08T07:30:00Z", "2025-03-10T06:30:00Z"}},
	{"not moved beyond UNTIL", "DTSTART;TZID=America/New_York:20250308T023000\nRRULE:FREQ=DAILY;UNTIL=20250309T065500Z", "", recurrence.Options{},
		"2025-03-01T12:00:00Z", []string{"2025-03-08T07:30:00Z"}},
	{"both passes", "DTSTART;TZID=America/New_York:20241101T013000\nRRULE:FREQ=DAILY", "", recurrence.Options{Overlap: both},
		"2024-11-03T00:00:00Z", []string{"2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-04T06:30:00Z"}},
	{"hours are real hours", "DTSTART;TZID=America/New_York:20250309T003000\nRRULE:FREQ=HOURLY;INTERVAL=2", "", recurrence.Options{},
		"2025-03-09T05:00:00Z", []string{"2025-03-09T05:30:00Z", "2025-03-09T07:30:00Z", "2025-03-09T09:30:00Z"}},
	{"hours go on through a repeated one", "DTSTART;TZID=America/New_York:20241103T003000\nRRULE:FREQ=HOURLY;COUNT=4", "", recurrence.Options{},
		"2024-11-03T00:00:00Z", []string{"2024-11-03T04:30:00Z", "2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"}},
	{"minutes within hours", "DTSTART:20260105T090000\nRRULE:FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;BYDAY=MO", "Asia/Tokyo", recurrence.Options{},
		"2026-01-05T01:00:00Z", []string{"2026-01-05T01:20:00Z", "2026-01-05T01:40:00Z", "2026-01-12T00:00:00Z"}},
	{"positions in hours", "DTSTART:20260105T090000Z\nRRULE:FREQ=HOURLY;BYMINUTE=0,10,20,30;BYSETPOS=1,-1", "", recurrence.Options{},
		"2026-01-05T09:00:00Z", []string{"2026-01-05T09:30:00Z", "2026-01-05T10:00:00Z"}},
	{"positions in days", "DTSTART:20260105T090000Z\nRRULE:FREQ=DAILY;BYHOUR=9,12,15;BYSETPOS=-1,1", "", recurrence.Options{},
		"2026-01-05T09:00:00Z", []string{"2026-01-05T15:00:00Z", "2026-01-06T09:00:00Z"}},
	{"Samoa's missing day", "DTSTART;TZID=Pacific/Apia:20111228T120000\nRRULE:FREQ=DAILY", "", recurrence.Options{},
		"2011-12-29T00:00:00Z", []string{"2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"}},
}

func TestRRule_FollowsPropertiesAndPolicies(t *testing.T) {
	t.Parallel()
	for _, c := range rruleCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			spec := mustParseRRule(t, c.text, c.zone, c.opts)
			n := len(c.want)
			if strings.Contains(c.text, "COUNT") || strings.Contains(c.text, "UNTIL") {
				n += 5
			}
			if got := instants(spec.NextN(instant(t, c.after), n)); !slices.Equal(got, c.want) {
				t.Errorf("%s after %s:\n got %v\nwant %v", c.text, c.after, got, c.want)
			}
			again, err := recurrence.ParseRRule(spec.String(), "", c.opts)
			if err != nil || !again.Equal(spec) || again.String() != spec.String() {
				t.Errorf("canonical text %q: %v, %v", spec, again, err)
			}
		})
	}
}

func TestRRule_WeeksAreCountedFromAnyWeekday(t *testing.T) {
	t.Parallel()
	for _, day := range []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"} {
		list := func(n int) []time.Time {
			text := fmt.Sprintf("DTSTART:19900601T000000Z\nRRULE:FREQ=YEARLY;WKST=%s;BYWEEKNO=%d;BYDAY=%s", day, n, day)
			return mustParseRRule(t, text, "", recurrence.Options{}).NextN(time.Date(1990, 12, 20, 0, 0, 0, 0, time.UTC), 60)
		}
		first, last, second := list(1), list(-1), list(2)
		for i, at := range first {
			fourth := time.Date(at.AddDate(0, 0, 6).Year(), 1, 4, 0, 0, 0, 0, time.UTC)
			if at.After(fourth) || at.AddDate(0, 0, 7).Before(fourth) {
				t.Errorf("WKST=%s: the first week, from %v, does not hold %v", day, at, fourth)
			}
			if !second[i].Equal(at.AddDate(0, 0, 7)) || !slices.ContainsFunc(last, func(l time.Time) bool { return l.AddDate(0, 0, 7).Equal(at) }) && i > 0 {
				t.Errorf("WKST=%s: the weeks around %v are not numbered 2 and -1", day, at)
			}
		}
	}
}

func TestRRule_WeeksAreThoseOfISO8601(t *testing.T) {
	t.Parallel()
	for week := 1; week <= 53; week++ {
		spec := mustParseRRule(t, fmt.Sprintf("DTSTART:19700101T000000Z RRULE:FREQ=YEARLY;BYWEEKNO=%d;BYDAY=MO,SU", week), "", recurrence.Options{})
		from := time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
		got := upTo(spec, from, year2100)
		var want []time.Time
		for day := from; day.Before(year2100); day = day.AddDate(0, 0, 1) {
			if _, w := day.ISOWeek(); w == week && (day.Weekday() == time.Monday || day.Weekday() == time.Sunday) {
				want = append(want, day)
			}
		}
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Errorf("week %d: %s", week, difference(got, want))
		}
	}
}

func TestRRule_WithoutStartIsMeasuredFromItsAnchor(t *testing.T) {
	t.Parallel()
	anchor := instant(t, "2026-01-05T09:30:15Z")
	for _, c := range []struct {
		rule string
		want []string
	}{
		{"FREQ=DAILY", []string{"2026-01-06T09:30:15Z", "2026-01-07T09:30:15Z"}},
		{"RRULE:FREQ=WEEKLY;INTERVAL=2", []string{"2026-01-19T09:30:15Z", "2026-02-02T09:30:15Z"}},
		{"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", []string{"2026-01-06T09:00:00Z", "2026-01-07T09:00:00Z"}},
		{"FREQ=DAILY;COUNT=2", []string{"2026-01-06T09:30:15Z", "2026-01-07T09:30:15Z"}},
		{"FREQ=HOURLY;INTERVAL=5", []string{"2026-01-05T14:30:15Z", "2026-01-05T19:30:15Z"}},
	} {
		spec := mustParseRRule(t, c.rule, "", recurrence.Options{})
		if !spec.Measured() {
			t.Errorf("%s is not measured", c.rule)
		}
		if got := instants(spec.NextN(anchor, 2)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.rule, got, c.want)
		}
		anchored := spec.WithAnchor(anchor)
		if got := instants(anchored.NextN(instant(t, c.want[0]), 1)); got[0] != c.want[1] {
			t.Errorf("%s anchored: got %v, want %v", c.rule, got, c.want[1])
		}
		if anchored.Equal(spec) || !anchored.WithAnchor(time.Time{}).Equal(spec) {
			t.Errorf("%s: the anchor is not told apart", c.rule)
		}
	}
	if mustParseRRule(t, "DTSTART:20260101T000000Z RRULE:FREQ=DAILY", "", recurrence.Options{}).Measured() {
		t.Error("a rule with DTSTART is measured")
	}
}
