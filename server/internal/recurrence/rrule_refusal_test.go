package recurrence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// manyNumbers lists 1 to 10,000.
var manyNumbers = strings.Repeat("1,", 9_999) + "1"

var rruleRefusals = []struct {
	text, zone string
	field      recurrence.Field
	want       string // part of the message
}{
	{"", "", recurrence.FieldRRule, "empty"},
	{" \n ", "", recurrence.FieldRRule, "empty"},
	{"FREQ=DAILY;", "", recurrence.FieldRRule, "without a value"},
	{"FREQ=DAILY;;COUNT=2", "", recurrence.FieldRRule, "without a value"},
	{"FREQ=", "", recurrence.FieldRRule, "without a value"},
	{"INTERVAL=2", "", recurrence.FieldRRule, "FREQ is missing"},
	{"FREQ=FORTNIGHTLY", "", "FREQ", "use YEARLY"},
	{"FREQ=DAILY;FREQ=DAILY", "", "FREQ", "twice"},
	{"FREQ=DAILY;BYEASTER=0", "", recurrence.FieldRRule, "unknown part"},
	{"FREQ=DAILY;BYHOUR=9,,10", "", "BYHOUR", "empty item"},
	{"FREQ=DAILY;BYHOUR=24", "", "BYHOUR", "0 to 23"},
	{"FREQ=DAILY;BYHOUR=-1", "", "BYHOUR", "0 to 23"},
	{"FREQ=DAILY;BYHOUR=nine", "", "BYHOUR", "whole numbers"},
	{"FREQ=DAILY;BYMINUTE=60", "", "BYMINUTE", "0 to 59"},
	{"FREQ=DAILY;BYSECOND=60", "", "BYSECOND", "0 to 59"},
	{"FREQ=YEARLY;BYMONTH=13", "", "BYMONTH", "1 to 12"},
	{"FREQ=MONTHLY;BYMONTHDAY=0", "", "BYMONTHDAY", "-31 to -1"},
	{"FREQ=MONTHLY;BYMONTHDAY=32", "", "BYMONTHDAY", "1 to 31"},
	{"FREQ=YEARLY;BYYEARDAY=367", "", "BYYEARDAY", "1 to 366"},
	{"FREQ=YEARLY;BYWEEKNO=54", "", "BYWEEKNO", "1 to 53"},
	{"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", "", "BYSETPOS", "1 to 366"},
	{"FREQ=MONTHLY;BYDAY=53MO", "", "BYDAY", "at most 5"},
	{"FREQ=YEARLY;BYDAY=54MO", "", "BYDAY", "at most 53"},
	{"FREQ=YEARLY;BYMONTH=1;BYDAY=6MO", "", "BYDAY", "at most 5"},
	{"FREQ=MONTHLY;BYDAY=0MO", "", "BYDAY", "no number 0"},
	{"FREQ=WEEKLY;BYDAY=MONDAY", "", "BYDAY", "use MO"},
	{"FREQ=WEEKLY;BYDAY=1MO", "", "BYDAY", "MONTHLY and YEARLY only"},
	{"FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", "", "BYDAY", "BYWEEKNO"},
	{"FREQ=MONTHLY;BYWEEKNO=1", "", "BYWEEKNO", "YEARLY only"},
	{"FREQ=DAILY;BYYEARDAY=1", "", "BYYEARDAY", "YEARLY"},
	{"FREQ=WEEKLY;BYMONTHDAY=1", "", "BYMONTHDAY", "MONTHLY"},
	{"FREQ=MONTHLY;BYSETPOS=1", "", "BYSETPOS", "needs another part"},
	{"FREQ=DAILY;BYHOUR=9;BYSETPOS=2", "", "BYSETPOS", "never fires"},
	{"FREQ=SECONDLY;BYSECOND=1;BYSETPOS=2", "", "BYSETPOS", "never fires"},
	{"FREQ=DAILY;COUNT=0", "", "COUNT", "1 to 25000"},
	{"FREQ=DAILY;COUNT=25001", "", "COUNT", "or UNTIL"},
	{"FREQ=DAILY;COUNT=2;UNTIL=20300101", "", recurrence.FieldRRule, "exclude each other"},
	{"FREQ=DAILY;INTERVAL=0", "", "INTERVAL", "out of range"},
	{"FREQ=DAILY;INTERVAL=-1", "", "INTERVAL", "out of range"},
	{"FREQ=DAILY;INTERVAL=2147483648", "", "INTERVAL", "out of range"},
	{"FREQ=SECONDLY;INTERVAL=99999999999999999999", "", "INTERVAL", "whole numbers"},
	{"FREQ=YEARLY;INTERVAL=231", "", "INTERVAL", "1 to 2"},
	{"FREQ=DAILY;UNTIL=99990101T000000Z", "", "UNTIL", "1970 to 2199"},
	{"FREQ=DAILY;UNTIL=tomorrow", "", "UNTIL", "20260105T090000"},
	{"DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY;UNTIL=20251231", "", "UNTIL", "before DTSTART"},
	{"DTSTART:20260101T090000Z", "", recurrence.FieldRRule, "0 RRULE"},
	{"RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", "", recurrence.FieldRRule, "2 RRULE"},
	{"DTSTART:20260101T090000Z DTSTART:20260101T090000Z FREQ=DAILY", "", recurrence.FieldRRule, "2 DTSTART"},
	{"DTSTART:20260230T090000\nRRULE:FREQ=DAILY", "", "DTSTART", "not a date"},
	{"DTSTART:2026-01-01T09:00:00\nRRULE:FREQ=DAILY", "", "DTSTART", "20260105T090000"},
	{"DTSTART:99990101T000000\nRRULE:FREQ=DAILY", "", "DTSTART", "1970 to 2199"},
	{"DTSTART;TZID=Nowhere:20260101T090000\nRRULE:FREQ=DAILY", "", recurrence.FieldZone, "not in the time zone database"},
	{"DTSTART;TZID=Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY", "Asia/Tokyo", recurrence.FieldZone, "give the zone once"},
	{"DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY", "Asia/Tokyo", recurrence.FieldZone, "give the zone once"},
	{"DTSTART;TZID=Europe/Berlin:20260101T090000Z\nRRULE:FREQ=DAILY", "", "DTSTART", "contradicts TZID"},
	{"DTSTART;RANGE=THIS:20260101T090000Z\nRRULE:FREQ=DAILY", "", "DTSTART", "parameter"},
	{"RRULE;X=1:FREQ=DAILY", "", recurrence.FieldRRule, "no parameters"},
	{"SUMMARY:hello\nRRULE:FREQ=DAILY", "", recurrence.FieldRRule, "unknown property"},
	{"EXRULE:FREQ=DAILY\nRRULE:FREQ=DAILY", "", recurrence.FieldRRule, "EXRULE"},
	{"FREQ=DAILY hello", "", recurrence.FieldRRule, "neither"},
	{"RRULE:FREQ=DAILY\nRDATE:20260101", "", "RDATE", "needs a time"},
	{"RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260101T000000", "", "EXDATE", "without a time"},
	{"RRULE:FREQ=DAILY\nEXDATE:,", "", "EXDATE", "not a date"},
	{"RRULE:FREQ=DAILY\nEXDATE;TZID=Nowhere:20260101T000000", "", recurrence.FieldZone, "database"},
	{"FREQ=DAILY;BYHOUR=\u0669", "", recurrence.FieldRRule, "printable ASCII"},
	{"FREQ=DAILY\x00", "", recurrence.FieldRRule, "printable ASCII"},
	// Never fires.
	{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "", recurrence.FieldRRule, "never fires"},
	{"DTSTART:20260101T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "", recurrence.FieldRRule, "never fires"},
	{"DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "", recurrence.FieldRRule, "never fires"},
	{"DTSTART:20260101T000001Z\nRRULE:FREQ=SECONDLY;INTERVAL=2;BYSECOND=0,2,4,6,8,10", "", recurrence.FieldRRule, "never fires"},
	{"DTSTART:20260101T000000Z\nRRULE:FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5", "Etc/UTC", recurrence.FieldZone, "contradicts"},
	{"DTSTART:20260101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5", "UTC", recurrence.FieldRRule, "never fires"},
	{"DTSTART:20260101T000000Z\nRRULE:FREQ=YEARLY;BYYEARDAY=366;INTERVAL=4", "", recurrence.FieldRRule, "never fires"},
	{"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", "", recurrence.FieldRRule, "never fires"},
	// Too long.
	{"FREQ=DAILY;BYHOUR=" + manyNumbers, "", recurrence.FieldRRule, "bytes long"},
	{"FREQ=DAILY;BYHOUR=" + manyNumbers[:2_001], "", "BYHOUR", "more than 800"},
	{"RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:" + strings.Repeat("20260101,", 1_100) + "20260101", "", "EXDATE", "more than 1000 dates"},
	{strings.Repeat("x", 1<<20), "", recurrence.FieldRRule, "bytes long"},
	{strings.Repeat("EXDATE:\n", 2_000), "", recurrence.FieldRRule, "0 RRULE"},
}

func TestParseRRule_NamesFieldFaultAndRemedyQuickly(t *testing.T) {
	t.Parallel()
	for _, c := range rruleRefusals {
		t.Run(c.text[:min(len(c.text), 80)], func(t *testing.T) {
			t.Parallel()
			_, err := recurrence.ParseRRule(c.text, c.zone, recurrence.Options{})
			refused := wantRefusal(t, err)
			if refused.Field != c.field || !strings.Contains(refused.Error(), c.want) {
				t.Errorf("got %q about %q, want %q with %q", refused, refused.Field, c.field, c.want)
			}
			if took := quickest(func() { _, _ = recurrence.ParseRRule(c.text, c.zone, recurrence.Options{}) }); took > bound {
				t.Errorf("took %v, at most %v", took, bound)
			}
		})
	}
}

// Whatever is accepted is parsed, and answers, within the bound.
func TestParseRRule_HostileRulesAnswerQuickly(t *testing.T) {
	t.Parallel()
	far := time.Date(2198, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, rule := range []string{
		"FREQ=SECONDLY;COUNT=25000",
		"FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
		"FREQ=SECONDLY;INTERVAL=86399;BYHOUR=9;BYMINUTE=0;BYSECOND=0",
		"FREQ=SECONDLY;INTERVAL=7;BYDAY=MO;BYHOUR=9;BYMINUTE=0;BYSECOND=1;COUNT=25000",
		"FREQ=MINUTELY;INTERVAL=1439;BYHOUR=9;COUNT=25000",
		"FREQ=HOURLY;INTERVAL=25;BYHOUR=3;COUNT=25000",
		"FREQ=MINUTELY;INTERVAL=59;BYMINUTE=1;COUNT=25000",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
		"FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;BYMONTH=1;INTERVAL=3",
		"FREQ=DAILY;INTERVAL=12345;BYMONTH=2",
		"FREQ=WEEKLY;INTERVAL=53;BYMONTH=2",
		"FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=0,1,2,3,4,5,6;BYSETPOS=1,2,3,4,5,6,7,8,9,10,-300,-366;COUNT=25000",
		"FREQ=MONTHLY;BYDAY=MO,2TU;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSETPOS=1,-1,5,-5,20;COUNT=25000",
	} {
		for _, zone := range []string{"UTC", "Africa/Casablanca"} {
			text := "DTSTART:19700105T000000\nRRULE:" + rule
			var spec recurrence.Spec
			var err error
			if took := quickest(func() { spec, err = recurrence.ParseRRule(text, zone, recurrence.Options{}) }); took > bound {
				t.Errorf("%s %s: parsing took %v, at most %v", rule, zone, took, bound)
			}
			if err != nil {
				t.Logf("%s: %v", rule, err)
				continue
			}
			for _, after := range []time.Time{year1990, year2100, far} {
				if took := quickest(func() { spec.Next(after) }); took > bound {
					t.Errorf("%s %s after %v took %v, at most %v", rule, zone, after, took, bound)
				} else if took > bound/10 {
					t.Logf("%s %s after %v took %v", rule, zone, after, took)
				}
			}
		}
	}
}

func TestParseRRule_RefusesWhatNeverFiresAgain(t *testing.T) {
	t.Parallel()
	after := instant(t, "2026-06-01T00:00:00Z")
	for _, text := range []string{
		"DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;COUNT=10",
		"DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;UNTIL=20260501T000000Z",
		"FREQ=DAILY;UNTIL=20260501T000000Z",
	} {
		_, err := recurrence.ParseRRule(text, "", recurrence.Options{After: after})
		if refused := wantRefusal(t, err); !strings.Contains(refused.Error(), "never fires after 2026-06-01") {
			t.Errorf("%s: %v", text, refused)
		}
		if spec, err := recurrence.ParseRRule(text, "", recurrence.Options{}); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if at, ok := spec.Next(after); ok {
			t.Errorf("%s fires at %v", text, at)
		}
	}
}

func TestRRule_NextDoesNotAllocate(t *testing.T) {
	spec := mustParseRRule(t, "DTSTART;TZID=Europe/Berlin:19700101T090000\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "", recurrence.Options{})
	at := instant(t, "2026-01-01T00:00:00Z")
	if n := testing.AllocsPerRun(100, func() { at, _ = spec.Next(at) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
