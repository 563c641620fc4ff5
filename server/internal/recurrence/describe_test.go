package recurrence_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func TestDescribe_SaysWhatTheRuleDoes(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"0 9 LW * *":                 "At 09:00 on the last weekday of the month, Europe/Berlin",
		"0 9 * * *":                  "At 09:00 every day, Europe/Berlin",
		"0 9 * * 1-5":                "At 09:00 on Monday to Friday, Europe/Berlin",
		"0 9 * * FRI-MON":            "At 09:00 on Friday to Monday, Europe/Berlin",
		"0 9 * * 0,6":                "At 09:00 on Saturday and Sunday, Europe/Berlin",
		"0 9 ? * 6":                  "At 09:00 on Saturday, Europe/Berlin",
		"cron(0 9 ? * 6 *)":          "At 09:00 on Friday, Europe/Berlin",
		"cron(0 9 ? * L *)":          "At 09:00 on Saturday, Europe/Berlin",
		"0 9 * * 5#3":                "At 09:00 on the third Friday of the month, Europe/Berlin",
		"0 9 * * FRIL":               "At 09:00 on the last Friday of the month, Europe/Berlin",
		"0 0 29 2 *":                 "At 00:00 on 29 February, Europe/Berlin",
		"0 0 1,15,L * *":             "At 00:00 on days 1 and 15 and the last day of the month, Europe/Berlin",
		"0 0 L-3,15W * *":            "At 00:00 on the weekday nearest to day 15 and the day 3 days before the last of the month, Europe/Berlin",
		"0 0 13 * FRI":               "At 00:00 on day 13 of the month or on Friday, Europe/Berlin",
		"0 0 */2 * MON":              "At 00:00 on Monday falling on every 2nd day from day 1 of the month, Europe/Berlin",
		"0 9 1-31 * 1":               "At 09:00 every day, Europe/Berlin",
		"0 0 * NOV-FEB *":            "At 00:00 every day from November to February, Europe/Berlin",
		"30 6 * 3,6 *":               "At 06:30 every day in March and June, Europe/Berlin",
		"0 0 0 1 1 ? 2026-2030,2040": "At 00:00 on 1 January in 2026 to 2030 and 2040, Europe/Berlin",
		"19 15 10 4 4 ?":             "At 10:15:19 on 4 April, Europe/Berlin",
		"0 8,12,18 * * *":            "At 08:00, 12:00 and 18:00 every day, Europe/Berlin",
		"* * * * *":                  "Every minute, Europe/Berlin",
		"* * * * * *":                "Every second, Europe/Berlin",
		"*/15 * * * *":               "Every 15 minutes, Europe/Berlin",
		"*/30 * * * * *":             "Every 30 seconds, Europe/Berlin",
		"*/10 */5 * * * *":           "Every 10 seconds of every 5th minute, Europe/Berlin",
		"7 * * * * *":                "At second 7 of every minute, Europe/Berlin",
		"0 * * * *":                  "Every hour, Europe/Berlin",
		"5 * * * *":                  "At minute 5 of every hour, Europe/Berlin",
		"*/7 * * * *":                "At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour, Europe/Berlin",
		"0 */2 * * *":                "Every 2 hours from 00:00, Europe/Berlin",
		"*/15 9-17 * * MON-FRI":      "Every 15 minutes from 09:00 to 17:59 on Monday to Friday, Europe/Berlin",
		"*/5 13,15 * * *":            "Every 5 minutes of hours 13 and 15, Europe/Berlin",
		"@every 90m":                 "Every 1 hour 30 minutes",
		"@every 1h/5m":               "Every hour, shifted by 5 minutes",
		"rate(1 day)":                "Every day",
		"at(2026-11-30T12:00:00)":    "Once at 12:00:00 on 30 November 2026, Europe/Berlin",
	} {
		if got := mustParse(t, expr, "Europe/Berlin", recurrence.Options{}).Describe(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", expr, got, want)
		}
	}
}

func TestNotes_WarnWhereOtherProductsReadDifferently(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string][]string{
		"0 9 ? * 6":           {"day of week 6 counts from Sunday as 0: Saturday; products that count from 1 read another day"},
		"0 0 9 ? * 2-6 2030":  {"day of week 2-6 counts from Sunday as 0: Tuesday to Saturday; products that count from 1 read another day"},
		"cron(0 9 ? * 2#1 *)": {"day of week 2#1 counts from Sunday as 1: the first Monday of the month"},
		"0 9 ? * FRI#3":       nil,
		"0 9 ? * MON-FRI/2":   nil,
		"0 9 * * 6":           nil,
		"0 9 13 * FRI":        {"fires when the day of month or the day of week matches"},
		"0 9 */2 * FRI":       {"fires when both the day of month and the day of week match, because one of them begins with *"},
		"@daily":              nil,
		"@every 5m":           nil,
	} {
		if got := mustParse(t, expr, "", recurrence.Options{}).Notes(); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", expr, got, want)
		}
	}
}

func TestDescribe_SaysWhatARecurrenceDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, zone, want string }{
		{"DTSTART:20260105T090000 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20261231T225959Z", "Europe/Berlin",
			"Every 2 weeks on Monday and Friday at 09:00, until 31 December 2026 22:59:59 UTC, Europe/Berlin"},
		{"DTSTART:20260105T090000 RRULE:FREQ=WEEKLY", "", "Every week on Monday at 09:00, UTC"},
		{"DTSTART:20260105T090000 RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10", "", "Every week on Monday to Friday at 09:00, 10 times, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=MONTHLY", "", "Every month on day 15 of the month at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=MONTHLY;BYMONTHDAY=1,-1;BYHOUR=9,17", "", "Every month on the last day and day 1 of the month at 09:00 and 17:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=MONTHLY;BYDAY=2TU,-1FR", "", "Every month on the last Friday and the 2nd Tuesday of the month at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "", "Every month on Friday falling on day 13 of the month at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "", "Every month on Monday to Friday, only the last of these in each month at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=YEARLY", "", "Every year on 15 January at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "", "Every year on the last Sunday of the month in March and October at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=YEARLY;BYWEEKNO=20", "", "Every year in week 20 on Thursday at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=YEARLY;BYYEARDAY=100,-1", "", "Every year on the last day and day 100 of the year at 09:00, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=DAILY;INTERVAL=3;COUNT=1", "", "Every 3 days at 09:00, once, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=HOURLY;BYMINUTE=0,30", "", "Every hour at minute 0 and 30, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=MINUTELY;INTERVAL=20", "", "Every 20 minutes, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11", "", "Every 20 minutes from 09:00 to 11:59, UTC"},
		{"DTSTART:20260115T090000 RRULE:FREQ=DAILY RDATE:20260201T120000 EXDATE;VALUE=DATE:20260116,20260117", "",
			"Every day at 09:00, and on 1 more date, except on 2 dates, UTC"},
		{"DTSTART:20260115T090007 RRULE:FREQ=MINUTELY;BYMINUTE=0,15;BYHOUR=9,11", "", "Every minute at minute 0 and 15 and second 7 of hours 9 and 11, UTC"},
		{"FREQ=DAILY", "", "Every day, UTC"},
		{"FREQ=DAILY;BYHOUR=9", "", "Every day in hour 9, UTC"},
		{"FREQ=HOURLY", "", "Every hour, UTC"},
		{"FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "Asia/Tokyo", "Every week on Monday at 09:00, Asia/Tokyo"},
		{"FREQ=DAILY;UNTIL=20261231", "", "Every day, until 31 December 2026, UTC"},
	} {
		spec := mustParseRRule(t, c.text, c.zone, recurrence.Options{})
		if got := spec.Describe(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestNotes_SayHowARecurrenceWasRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"DTSTART:20260105T090000 RRULE:FREQ=WEEKLY;BYDAY=FR", "DTSTART does not match"},
		{"DTSTART:20260105T090000 RRULE:FREQ=WEEKLY;UNTIL=20270101", "that whole day is included"},
		{"DTSTART:20260511T090000 RRULE:FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO without BYDAY"},
		{"DTSTART:20260131T090000 RRULE:FREQ=MONTHLY;BYMONTHDAY=31", "months without a day 31 are skipped"},
		{"DTSTART:20260131T090000 RRULE:FREQ=MONTHLY", "months without a day 31 are skipped"},
		{"DTSTART:20260131T090000 RRULE:FREQ=DAILY EXDATE:20260201", "leaves the whole day out"},
		{"FREQ=DAILY", "has no DTSTART"},
		{"DTSTART:20260105T090000 RRULE:FREQ=WEEKLY;BYDAY=MO", ""},
	} {
		notes := mustParseRRule(t, c.text, "", recurrence.Options{}).Notes()
		if c.want == "" && len(notes) > 0 || c.want != "" && (len(notes) != 1 || !strings.Contains(notes[0], c.want)) {
			t.Errorf("%s: notes %q, want one with %q", c.text, notes, c.want)
		}
	}
}
