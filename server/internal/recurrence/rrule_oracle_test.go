package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"
)

// drawnRule is a random recurrence for which rrule-go and RFC 5545 agree.
type drawnRule struct {
	start time.Time
	freq  string
	parts string
}

func (d drawnRule) text() string {
	return "DTSTART:" + d.start.Format("20060102T150405") + "\nRRULE:" + d.parts
}

// drawNumbers draws a list without duplicates, which rrule-go would repeat; high may also be drawn from the end.
func drawNumbers(t *rapid.T, part string, low, high int, fromEnd bool) string {
	values := rapid.SliceOfNDistinct(rapid.IntRange(low, high), 1, 4, rapid.ID[int]).Draw(t, part)
	texts := make([]string, len(values))
	for i, v := range values {
		if fromEnd && rapid.IntRange(0, 2).Draw(t, "from end") == 0 {
			v = -v
		}
		texts[i] = fmt.Sprint(v)
	}
	return ";" + part + "=" + strings.Join(texts, ",")
}

// drawDays draws weekdays, all with numbers or none: rrule-go takes a mixture for
// those that are both.
func drawDays(t *rapid.T, counted int) string {
	if !rapid.Bool().Draw(t, "counted") {
		counted = 0
	}
	days := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}), 1, 4, rapid.ID[string]).Draw(t, "BYDAY")
	for i := range days {
		if counted > 0 {
			n := rapid.IntRange(1, counted).Draw(t, "n")
			if rapid.Bool().Draw(t, "back") {
				n = -n
			}
			days[i] = fmt.Sprint(n) + days[i]
		}
	}
	return ";BYDAY=" + strings.Join(days, ",")
}

// drawDated draws a rule of days or longer.
func drawDated(t *rapid.T) drawnRule {
	d := drawnRule{freq: rapid.SampledFrom([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}).Draw(t, "freq")}
	day := rapid.IntRange(0, 365*110).Draw(t, "start day")
	second := rapid.IntRange(0, 86399).Draw(t, "start second")
	d.start = year1990.AddDate(0, 0, day).Add(time.Duration(second) * time.Second)
	maybe := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	parts := "FREQ=" + d.freq
	if maybe("interval?") {
		parts += fmt.Sprintf(";INTERVAL=%d", rapid.IntRange(1, 40).Draw(t, "interval"))
	}
	if maybe("week start?") {
		parts += ";WKST=" + rapid.SampledFrom([]string{"SU", "MO", "SA"}).Draw(t, "WKST")
	}
	months := maybe("months?")
	if months {
		parts += drawNumbers(t, "BYMONTH", 1, 12, false)
	}
	limits := len(parts)
	switch {
	case d.freq == "YEARLY" && maybe("weeks?"):
		// rrule-go miscounts the last week of some years.
		parts += drawNumbers(t, "BYWEEKNO", 1, 51, false) + drawDays(t, 0)
	default:
		if d.freq == "YEARLY" && maybe("year days?") {
			parts += drawNumbers(t, "BYYEARDAY", 1, 366, true)
		}
		if d.freq != "WEEKLY" && maybe("month days?") {
			parts += drawNumbers(t, "BYMONTHDAY", 1, 31, true)
		}
		if rapid.Bool().Draw(t, "days?") {
			counted := map[string]int{"MONTHLY": 5, "YEARLY": 53}[d.freq]
			if months {
				counted = min(counted, 5)
			}
			parts += drawDays(t, counted)
		}
	}
	for _, time := range []struct {
		part string
		high int
	}{{"BYHOUR", 23}, {"BYMINUTE", 59}, {"BYSECOND", 59}} {
		if maybe(time.part + "?") {
			parts += drawNumbers(t, time.part, 0, time.high, false)
		}
	}
	if len(parts) > limits && maybe("positions?") {
		parts += drawNumbers(t, "BYSETPOS", 1, 9, true)
	}
	d.parts = parts
	return d
}

// expected lists what rrule-go gives up to n occurrences from the start on.
func (d drawnRule) expected(t *rapid.T, n int) []time.Time {
	option, err := rrule.StrToROption(d.parts)
	if err != nil {
		t.Fatal(err)
	}
	option.Dtstart = d.start
	option.Until = time.Date(2199, 12, 31, 23, 59, 59, 0, time.UTC)
	r, err := rrule.NewRRule(*option)
	if err != nil {
		t.Fatal(err)
	}
	next := r.Iterator()
	var times []time.Time
	for at, ok := next(); ok && len(times) < n; at, ok = next() {
		times = append(times, at)
	}
	return times
}

// matched drops DTSTART from what we give if the rule does not match it: rrule-go
// leaves it out.
func (d drawnRule) matched(spec recurrence.Spec, n int) []time.Time {
	times := spec.NextN(d.start.Add(-time.Second), n+1)
	if slices.ContainsFunc(spec.Notes(), func(note string) bool { return strings.HasPrefix(note, "DTSTART does not match") }) {
		times = times[1:]
	}
	return times[:min(n, len(times))]
}

func TestRRule_AgreesWithARecurrenceLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDated(t)
		const n = 60
		want := d.expected(t, n)
		spec, err := recurrence.ParseRRule(d.text(), "", recurrence.Options{})
		if err != nil {
			if len(want) > 0 {
				t.Fatalf("%s is refused (%v) but fires at %v", d.text(), err, want[0])
			}
			return
		}
		got := d.matched(spec, n)
		if d.freq == "WEEKLY" && strings.Contains(d.parts, "BYSETPOS") {
			// rrule-go counts the first week from DTSTART on rather than as a whole.
			early := func(at time.Time) bool { return at.Before(d.start.AddDate(0, 0, 7)) }
			want, got = slices.DeleteFunc(want, early), slices.DeleteFunc(got, early)
			m := min(len(want), len(got), n-20)
			want, got = want[:m], got[:m]
		}
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s:\n%s", d.text(), difference(got, want))
		}
	})
}

// Asked from anywhere, the search gives what stepping from the start gives.
func TestRRule_AnswersFromAnywhere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDated(t)
		spec, err := recurrence.ParseRRule(d.text(), "", recurrence.Options{})
		if err != nil {
			t.Skip("never fires:", err)
		}
		times := spec.NextN(d.start.Add(-time.Second), 40)
		i := rapid.IntRange(0, len(times)-1).Draw(t, "i")
		lead := time.Second
		if i > 0 {
			lead = time.Duration(rapid.Int64Range(1, int64(times[i].Sub(times[i-1])/time.Second)).Draw(t, "lead")) * time.Second
		}
		if got, ok := spec.Next(times[i].Add(-lead)); !ok || !got.Equal(times[i]) {
			t.Fatalf("%s: %v before %v gives %v", d.text(), lead, times[i], got)
		}
	})
}

func TestRRule_CountEndsAfterSoMany(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDated(t)
		spec, err := recurrence.ParseRRule(d.text(), "", recurrence.Options{})
		if err != nil {
			t.Skip("never fires:", err)
		}
		count := rapid.IntRange(1, 50).Draw(t, "count")
		d.parts += fmt.Sprintf(";COUNT=%d", count)
		counted, err := recurrence.ParseRRule(d.text(), "", recurrence.Options{})
		if err != nil {
			t.Fatalf("%s: %v", d.text(), err)
		}
		want := spec.NextN(d.start.Add(-time.Second), count)
		got := counted.NextN(d.start.Add(-time.Second), count+5)
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s:\n%s", d.text(), difference(got, want))
		}
	})
}

func TestRRule_RoundTripsThroughItsText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d, opts := drawDated(t), drawPolicies(t)
		text := d.text()
		if rapid.Bool().Draw(t, "bare") {
			text = d.parts
		}
		spec, err := recurrence.ParseRRule(text, drawZone(t), opts)
		if err != nil {
			t.Skip("never fires:", err)
		}
		again, err := recurrence.ParseRRule(spec.String(), "", opts)
		if err != nil || !again.Equal(spec) || again.String() != spec.String() {
			t.Fatalf("canonical text %q: %v, %v", spec, again, err)
		}
		after := d.start.Add(-time.Hour)
		if got, want := again.NextN(after, 20), spec.NextN(after, 20); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s:\n%s", spec, difference(got, want))
		}
		if spec.Describe() == "" {
			t.Fatalf("%q has no description", spec)
		}
	})
}

// In a zone with changes, a rule of days means the wall-clock times that it has in
// UTC, under the policies.
func TestRRule_AppliesPoliciesInEveryZone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zone, opts := drawZone(t), drawPolicies(t)
		minutes := rapid.SliceOfN(rapid.SampledFrom([]string{"0", "15", "30", "45", "59"}), 1, 3).Draw(t, "minutes")
		hours := rapid.SliceOfN(rapid.SampledFrom([]string{"0", "1", "2", "3", "23", "12"}), 1, 3).Draw(t, "hours")
		rule := "RRULE:FREQ=DAILY;BYHOUR=" + strings.Join(hours, ",") + ";BYMINUTE=" + strings.Join(minutes, ",") + ";BYSECOND=0"
		cron := strings.Join(minutes, ",") + " " + strings.Join(hours, ",") + " * * *"
		want, err := recurrence.Parse(cron, zone, opts)
		if err != nil {
			t.Fatal(err)
		}
		start := drawStart(t, want.Location(), 48*time.Hour)
		// The start is a midnight long before, which the rule may or may not match.
		text := "DTSTART:" + start.AddDate(0, 0, -9).Format("20060102") + "\n" + rule
		spec, err := recurrence.ParseRRule(text, zone, opts)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		until := start.Add(96 * time.Hour)
		if got, want := upTo(spec, start, until), upTo(want, start, until); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s %s %+v after %v:\n%s", text, zone, opts, start, difference(got, want))
		}
		a, b := spec.Suppressed(start, until, 50), want.Suppressed(start, until, 50)
		if !slices.Equal(a, b) {
			t.Fatalf("%s %s %+v after %v: leaves out %v, want %v", text, zone, opts, start, a, b)
		}
	})
}
