package recurrence_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func wantRefusal(t *testing.T, err error) *recurrence.ParseError {
	t.Helper()
	var refused *recurrence.ParseError
	if !errors.As(err, &refused) {
		t.Fatalf("error is %v, want a *ParseError", err)
	}
	if refused.Field == "" || refused.Reason == "" {
		t.Fatalf("refusal %+v lacks field or reason", refused)
	}
	for _, r := range refused.Error() {
		if r < ' ' || r > '~' {
			t.Fatalf("message %q is not printable ASCII", refused.Error())
		}
	}
	if len(refused.Error()) > 500 {
		t.Fatalf("message has %d bytes: %s", len(refused.Error()), refused)
	}
	return refused
}

var refusals = []struct {
	expr, zone string
	field      recurrence.Field
	want       string // part of the message
}{
	{"*/90 * * * *", "", recurrence.FieldMinute, "write @every 90m"},
	{"RRULE:FREQ=DAILY", "", recurrence.FieldExpression, "give it as rrule"},
	{"*/90 * * * * *", "", recurrence.FieldSecond, "write @every 90s"},
	{"0 */36 * * *", "", recurrence.FieldHour, "write @every 36h"},
	{"0 0 */40 * *", "", recurrence.FieldDay, "write @every 960h"},
	{"0 0 1 */13 *", "", recurrence.FieldMonth, "at most 12"},
	{"0 0 * * */8", "", recurrence.FieldWeekday, "highest value 7"},
	{"10-20/60 * * * *", "", recurrence.FieldMinute, "highest value 59"},
	{"0 0 0 1 1 ? */230", "", recurrence.FieldYear, "highest value 229"},
	{"*/99999999999999999999999 * * * *", "", recurrence.FieldMinute, "highest value 59"},
	{"0 9 * * MONDAY", "", recurrence.FieldWeekday, "write MON"},
	{"0 9 * JULY *", "", recurrence.FieldMonth, "write JUL"},
	{"0 MON * * *", "", recurrence.FieldHour, "0 to 23"},
	{"0 9 * * L", "", recurrence.FieldWeekday, "FRIL"},
	{"0 9 * * 5#0", "", recurrence.FieldWeekday, "1 to 5"},
	{"0 9 * * 8#1", "", recurrence.FieldWeekday, "0 to 7"},
	{"0 9 32W * *", "", recurrence.FieldDay, "1 to 31"},
	{"0 9 W * *", "", recurrence.FieldDay, "15W or LW"},
	{"0 9 WL * *", "", recurrence.FieldDay, "number"},
	{"0 9 L-31 * *", "", recurrence.FieldDay, "0 to 30"},
	{"0 9 L3 * *", "", recurrence.FieldDay, "L-3"},
	{"0 9 ?/2 * *", "", recurrence.FieldDay, "stand alone"},
	{"? 9 * * *", "", recurrence.FieldMinute, "day of month and day of week only"},
	{"0 0 0 1 1 * 1969", "", recurrence.FieldYear, "1970 to 2199"},
	{"0 0 0 1 1 * 9999", "", recurrence.FieldYear, "1970 to 2199"},
	{"0 0 0 1 1 * 2030-2026", "", recurrence.FieldYear, "lower end first"},
	{"0 0 31 2 *", "", recurrence.FieldDay, "never fires"},
	{"0 0 0 29 2 ? 2026", "", recurrence.FieldYear, "never fires"},
	{"1,,2 * * * *", "", recurrence.FieldMinute, "empty item"},
	{",1 * * * *", "", recurrence.FieldMinute, "empty item"},
	{"1, * * * *", "", recurrence.FieldMinute, "empty item"},
	{"5- * * * *", "", recurrence.FieldMinute, "lacks a number"},
	{"-5 * * * *", "", recurrence.FieldMinute, "signs are not allowed"},
	{"/5 * * * *", "", recurrence.FieldMinute, "a number is missing"},
	{"5/ * * * *", "", recurrence.FieldMinute, "whole number"},
	{"5/5/5 * * * *", "", recurrence.FieldMinute, "whole number"},
	{"*-5 * * * *", "", recurrence.FieldMinute, "not a number"},
	{"٥ * * * *", "", recurrence.FieldMinute, `'\u0665' is not allowed`},
	{"5 * * * ſun", "", recurrence.FieldWeekday, `'\u017f' is not allowed`},
	{"0\u00a09 * * * *", "", recurrence.FieldMinute, `'\u00a0' is not allowed`},
	{"\xff * * * *", "", recurrence.FieldMinute, "is not allowed"},
	{"0 0 * * *\n", "", recurrence.FieldExpression, "control character"},
	{"0 0 * * *\x00", "", recurrence.FieldExpression, "control character"},
	{"* * *", "", recurrence.FieldExpression, "3 fields; 5, 6 or 7 are needed"},
	{"* * * * * * * *", "", recurrence.FieldExpression, "8 fields"},
	{" \t ", "", recurrence.FieldExpression, "empty"},
	{"@every", "", recurrence.FieldInterval, "missing"},
	{"@every 1d", "", recurrence.FieldInterval, "24h"},
	{"@every 500ms", "", recurrence.FieldInterval, "shorter than 1s"},
	{"@every 1500ms", "", recurrence.FieldInterval, "whole number of seconds"},
	{"@every 999999h", "", recurrence.FieldInterval, "longer than 87840h"},
	{"@every 99999999999999999999h", "", recurrence.FieldInterval, "not a duration"},
	{"@every 1h/1h", "", recurrence.FieldInterval, "shorter than the interval"},
	{"@daily 5", "", recurrence.FieldExpression, "nothing may follow"},
	{"@reboot", "", recurrence.FieldExpression, "names no time"},
	{"rate(1 minutes)", "", recurrence.FieldInterval, "write rate(1 minute)"},
	{"rate(5 minute)", "", recurrence.FieldInterval, "write rate(5 minutes)"},
	{"rate(30 seconds)", "", recurrence.FieldInterval, "write @every 30s"},
	{"rate(5 weeks)", "", recurrence.FieldInterval, "minute, hour or day"},
	{"rate(99999999 days)", "", recurrence.FieldInterval, "longer than"},
	{"rate(5)", "", recurrence.FieldInterval, "a number and a unit"},
	{"rate()", "", recurrence.FieldInterval, "a number and a unit"},
	{"at(2026-11-30T12:00:00Z)", "", recurrence.FieldTime, "without an offset"},
	{"at(2026-11-30T12:00:00+01:00)", "", recurrence.FieldTime, "without an offset"},
	{"at(2026-11-30T12:00:00.5)", "", recurrence.FieldTime, "not a date"},
	{"at(2026-02-30T12:00:00)", "", recurrence.FieldTime, "not a date"},
	{"at(9999-01-01T00:00:00)", "", recurrence.FieldTime, "1970 to 2199"},
	{"at()", "", recurrence.FieldTime, "not a date"},
	{"cron(0 12 * * * *)", "", recurrence.FieldWeekday, "exactly one"},
	{"cron(0 12 ? * ? *)", "", recurrence.FieldWeekday, "exactly one"},
	{"cron(0 12 ? * 0 *)", "", recurrence.FieldWeekday, "1 to 7"},
	{"cron(0 12 * * ?)", "", recurrence.FieldExpression, "5 fields inside cron(...)"},
	{"cron()", "", recurrence.FieldExpression, "0 fields inside cron(...)"},
	{"cron(0 12 * * ? *", "", recurrence.FieldExpression, "not closed"},
	{"at", "", recurrence.FieldExpression, "not closed"},
	{"H(30-10) * * * *", "", recurrence.FieldMinute, "lower end first"},
	{"H(0-60) * * * *", "", recurrence.FieldMinute, "0 to 59"},
	{"H(5) * * * *", "", recurrence.FieldMinute, "write H or H(0-29)"},
	{"H(-) * * * *", "", recurrence.FieldMinute, "a number is missing"},
	{"0-H * * * *", "", recurrence.FieldMinute, "not a number"},
	{"0 0 0 1 1 * H", "", recurrence.FieldYear, "H is not allowed"},
	{"0 9 * * *", "Local", recurrence.FieldZone, "must not depend"},
	{"0 9 * * *", "europe/berlin", recurrence.FieldZone, "did you mean Europe/Berlin?"},
	{"0 9 * * *", "Berlin", recurrence.FieldZone, "did you mean Europe/Berlin?"},
	{"0 9 * * *", "../../etc/passwd", recurrence.FieldZone, "not in the time zone database"},
	{"0 9 * * *", strings.Repeat("x", 100_000), recurrence.FieldZone, "longer than 64 bytes"},
	{"CRON_TZ= 0 9 * * *", "", recurrence.FieldZone, "empty"},
	{"CRON_TZ=Asia/Tokyo", "", recurrence.FieldExpression, "nothing follows"},
	{"CRON_TZ=Asia/Tokyo 0 9 * * *", "UTC", recurrence.FieldZone, "contradicts"},
}

func TestParse_NamesFieldFaultAndRemedy(t *testing.T) {
	t.Parallel()
	for _, c := range refusals {
		t.Run(c.expr[:min(len(c.expr), 40)]+c.zone[:min(len(c.zone), 20)], func(t *testing.T) {
			t.Parallel()
			_, err := recurrence.Parse(c.expr, c.zone, recurrence.Options{})
			refused := wantRefusal(t, err)
			if refused.Field != c.field {
				t.Errorf("field %q, want %q: %v", refused.Field, c.field, refused)
			}
			if !strings.Contains(refused.Error(), c.want) {
				t.Errorf("message %q does not contain %q", refused.Error(), c.want)
			}
		})
	}
}

func TestParse_HostileTextIsRefusedQuickly(t *testing.T) {
	t.Parallel()
	long := func(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	texts := map[string]string{
		"10,000 items":       long("5", 10_000) + " * * * *",
		"231 items":          long("5", 231) + " * * * *",
		"10 MB":              strings.Repeat("* ", 5_000_000),
		"commas":             strings.Repeat(",", 4000) + " * * * *",
		"stars":              long("*/60", 200) + " * * * *",
		"many nearest":       "0 0 " + long("31W", 200) + " 2 ?",
		"impossible":         "59 59 23 31 2,4,6,9,11 ? 1970-2199",
		"sparse impossible":  "0 0 0 29 2 ? 2001-2199/4",
		"nested zones":       strings.Repeat("TZ=", 1000),
		"nested forms":       strings.Repeat("cron(", 800),
		"digits":             strings.Repeat("9", 4000) + " * * * *",
		"unicode everywhere": strings.Repeat("٥", 1000),
		"every nines":        "@every " + strings.Repeat("9", 4000) + "h",
		"every parts":        "@every " + strings.Repeat("1ns", 1300),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := recurrence.Parse(text, "Europe/Berlin", recurrence.Options{})
			_ = wantRefusal(t, err)
			if took := quickest(func() { _, _ = recurrence.Parse(text, "Europe/Berlin", recurrence.Options{}) }); took > bound {
				t.Errorf("refusal took %v, at most %v", took, bound)
			}
		})
	}
}

// Behaviour case P-API-02.
func TestParse_RefusesWhatNeverFiresAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, expr := range []string{"0 0 31 2 *", "0 0 0 1 1 ? 2021", "at(2025-12-31T23:59:59)", "at(2026-01-01T00:00:00)"} {
		_, err := recurrence.Parse(expr, "", recurrence.Options{After: now})
		if refused := wantRefusal(t, err); !strings.Contains(refused.Reason, "never fires") {
			t.Errorf("%q: reason %q does not say that it never fires", expr, refused.Reason)
		}
	}
	if _, err := recurrence.Parse("0 0 0 1 1 ? 2021", "", recurrence.Options{}); err != nil {
		t.Errorf("preview of a past year is refused: %v", err)
	}
	_, err := recurrence.Parse("30 2 29 3 ? ", "Europe/Berlin", recurrence.Options{Gap: recurrence.GapSkip, After: now})
	if err != nil {
		t.Errorf("a day that is in a gap in some years only is refused: %v", err)
	}
	_, err = recurrence.Parse("at(2026-03-29T02:30:00)", "Europe/Berlin", recurrence.Options{Gap: recurrence.GapSkip})
	_ = wantRefusal(t, err)
}
