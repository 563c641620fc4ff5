package recurrence_test

import (
	"slices"
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
