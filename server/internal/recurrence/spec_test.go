package recurrence_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// Behaviour case P-CLK-04.
func TestNext_FractionsOfASecondDoNotCarryOver(t *testing.T) {
	t.Parallel()
	spec := mustParse(t, "* * * * *", "", recurrence.Options{})
	for after, want := range map[string]string{
		"2026-01-01T12:00:00.5Z":         "2026-01-01T12:01:00Z",
		"2026-01-01T12:00:59.999999999Z": "2026-01-01T12:01:00Z",
		"2026-01-01T12:01:00Z":           "2026-01-01T12:02:00Z",
		"2026-01-01T12:01:00.000000003Z": "2026-01-01T12:02:00Z",
		"1960-01-01T12:00:00.5Z":         "1970-01-01T00:00:00Z",
	} {
		if next, ok := spec.Next(instant(t, after)); !ok || next.Format(time.RFC3339Nano) != want {
			t.Errorf("after %s: %v (%v), want %s", after, next, ok, want)
		}
	}
}

// Behaviour case P-IDE-06.
func TestNext_EqualLocalTimesAreTwoInstants(t *testing.T) {
	t.Parallel()
	spec := mustParse(t, "30 * * * *", "America/New_York", recurrence.Options{})
	got := instants(spec.NextN(instant(t, "2024-11-03T05:00:00Z"), 2))
	if want := []string{"2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Behaviour case P-TZ-02.
func TestNext_MonthlyRulesMatchLocalDays(t *testing.T) {
	t.Parallel()
	spec := mustParse(t, "0 3 1 * *", "Australia/Brisbane", recurrence.Options{})
	got := instants(spec.NextN(instant(t, "2018-05-04T00:00:00Z"), 5))
	want := []string{"2018-05-31T17:00:00Z", "2018-06-30T17:00:00Z", "2018-07-31T17:00:00Z", "2018-08-31T17:00:00Z", "2018-09-30T17:00:00Z"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNext_EndsWithTheLastYear(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"* * * * *", "@every 1h", "at(2199-12-31T23:00:00)", "0 0 29 2 *"} {
		spec := mustParse(t, expr, "America/New_York", recurrence.Options{})
		for _, after := range []time.Time{
			time.Date(2200, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(1<<62, 0),
		} {
			if next, ok := spec.Next(after); ok {
				t.Errorf("%q fires at %v", expr, next)
			}
		}
		if _, ok := spec.Next(time.Unix(-1<<62, 0)); !ok {
			t.Errorf("%q never fires after the beginning of time", expr)
		}
	}
	daily := mustParse(t, "59 23 31 12 *", "America/New_York", recurrence.Options{})
	if next, ok := daily.Next(instant(t, "2199-12-01T00:00:00Z")); !ok || !next.Equal(instant(t, "2200-01-01T04:59:00Z")) {
		t.Errorf("the last local minute of 2199 is %v (%v)", next, ok)
	}
}

func TestNext_ZeroSpecNeverFires(t *testing.T) {
	t.Parallel()
	var spec recurrence.Spec
	if next, ok := spec.Next(time.Time{}); ok {
		t.Errorf("fires at %v", next)
	}
	if spec.NextN(time.Time{}, 3) != nil || spec.Suppressed(time.Time{}, time.Time{}, 3) != nil ||
		spec.Notes() != nil || spec.Zone() != "UTC" || spec.String() != "" || spec.FixedTime() {
		t.Error("the zero Spec has content")
	}
}

func TestNext_DoesNotAllocate(t *testing.T) {
	spec := mustParse(t, "0 9 * * MON-FRI", "Europe/Berlin", recurrence.Options{})
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if n := testing.AllocsPerRun(100, func() { at, _ = spec.Next(at) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestInterval_CountsFromAnchorPlusPhase(t *testing.T) {
	t.Parallel()
	anchor := instant(t, "2026-01-01T00:00:30.7Z")
	spec, err := recurrence.NewInterval(recurrence.Interval{Every: time.Hour, Phase: 5 * time.Minute}, "Europe/Berlin", recurrence.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if spec.String() != "CRON_TZ=Europe/Berlin @every 1h/5m" {
		t.Errorf("text %q", spec)
	}
	wantRoundTrip(t, spec, recurrence.Options{})
	got := instants(spec.WithAnchor(anchor).NextN(instant(t, "2026-01-01T10:00:00Z"), 2))
	if want := []string{"2026-01-01T10:05:30Z", "2026-01-01T11:05:30Z"}; !slices.Equal(got, want) {
		t.Errorf("anchored: got %v, want %v", got, want)
	}
	got = instants(spec.WithAnchor(anchor).NextN(instant(t, "2025-06-01T10:00:00Z"), 2))
	if want := []string{"2026-01-01T00:05:30Z", "2026-01-01T01:05:30Z"}; !slices.Equal(got, want) {
		t.Errorf("before the anchor: got %v, want %v", got, want)
	}
	got = instants(spec.NextN(anchor, 2))
	if want := []string{"2026-01-01T00:05:30Z", "2026-01-01T01:05:30Z"}; !slices.Equal(got, want) {
		t.Errorf("measured from after: got %v, want %v", got, want)
	}
	if spec.Equal(spec.WithAnchor(anchor)) || !spec.Equal(spec.WithAnchor(anchor).WithAnchor(time.Time{})) {
		t.Error("the zero time does not take the anchor away")
	}
}

func TestInterval_RefusesWhatIsNotWholeSeconds(t *testing.T) {
	t.Parallel()
	for _, interval := range []recurrence.Interval{
		{}, {Every: -time.Second}, {Every: time.Millisecond}, {Every: 1500 * time.Millisecond},
		{Every: recurrence.MaxInterval + time.Second}, {Every: time.Hour, Phase: -time.Second},
		{Every: time.Hour, Phase: time.Hour}, {Every: time.Hour, Phase: time.Millisecond},
	} {
		_, err := recurrence.NewInterval(interval, "", recurrence.Options{})
		if refused := wantRefusal(t, err); refused.Field != recurrence.FieldInterval {
			t.Errorf("%+v: field %q", interval, refused.Field)
		}
	}
	_, err := recurrence.NewInterval(recurrence.Interval{Every: time.Hour}, "Nowhere", recurrence.Options{})
	_ = wantRefusal(t, err)
}

func TestHash_IsFNV1aOfSeedAndFieldIndex(t *testing.T) {
	t.Parallel()
	opts := recurrence.Options{Seed: "acme/nightly"}
	for expr, want := range map[string]string{
		"H 9 * * *":          "At 09:42 every day, UTC",                         // 8236993574352047082 mod 60
		"0 H * * *":          "At 13:00 every day, UTC",                         // 8236994673863675293 mod 24
		"H(0-29) 9 * * *":    "At 09:12 every day, UTC",                         // ... mod 30
		"H(10-39) 9 * * *":   "At 09:22 every day, UTC",                         // 10 + ... mod 30
		"H/15 * * * *":       "At minutes 12, 27, 42 and 57 of every hour, UTC", // ... mod 15
		"H(0-29)/15 9 * * *": "At minutes 12 and 27 from 09:00 to 09:59, UTC",
	} {
		spec := mustParse(t, expr, "", opts)
		if got := spec.Describe(); got != want {
			t.Errorf("%q: %s, want %s", expr, got, want)
		}
		wantRoundTrip(t, spec, opts)
	}
	// Without a seed the canonical expression is the seed: H H * * */0 mod 60, .../1 mod 24.
	for _, expr := range []string{"H H * * *", " h  H * * * ", "CRON_TZ=UTC H H * * *"} {
		spec := mustParse(t, expr, "", recurrence.Options{})
		if got, want := spec.Describe(), "At 13:30 every day, UTC"; got != want {
			t.Errorf("%q: %s, want %s", expr, got, want)
		}
		wantRoundTrip(t, spec, recurrence.Options{})
	}
	if !mustParse(t, "H 9 * * *", "", opts).FixedTime() || mustParse(t, "H/15 9 * * *", "", opts).FixedTime() {
		t.Error("H alone is a fixed time, H/15 is not")
	}
}

func TestHash_SpreadsOverTheWholeRange(t *testing.T) {
	t.Parallel()
	minutes := map[int]bool{}
	for i := range 1000 {
		seed := fmt.Sprintf("acme/job-%d", i)
		next, _ := mustParse(t, "H(10-19) 9 * * *", "", recurrence.Options{Seed: seed}).Next(time.Unix(0, 0))
		minutes[next.Minute()] = true
	}
	for m := range minutes {
		if m < 10 || m > 19 {
			t.Errorf("minute %d is outside 10 to 19", m)
		}
	}
	if len(minutes) != 10 {
		t.Errorf("%d of 10 minutes are used", len(minutes))
	}
}

func TestString_IsCanonical(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\t05  08 * jan-Mar  mon-FRI ":                "5 8 * JAN-MAR MON-FRI",
		"CRON_TZ=Europe/Berlin @Daily":                "CRON_TZ=Europe/Berlin @daily",
		"TZ=UTC 0 9 * * friL":                         "0 9 * * FRIL",
		"0 0 l-03,lw,015w * sun#01":                   "0 0 L-3,LW,15W * SUN#1",
		"CRON( 15 10 ? * 6l 2022-2023 )":              "cron(15 10 ? * 6L 2022-2023)",
		"rate( 05  minutes )":                         "rate(5 minutes)",
		"@every 90m":                                  "@every 1h30m",
		"at( 2026-11-30T12:00:00 )":                   "at(2026-11-30T12:00:00)",
		"h(00-29)/010 * * * *":                        "H(0-29)/10 * * * *",
		"0 0 12 */02 * ? */5":                         "0 0 12 */2 * ? */5",
		"CRON_TZ=Asia/Tokyo\tat(2026-11-30T12:00:00)": "CRON_TZ=Asia/Tokyo at(2026-11-30T12:00:00)",
	} {
		spec := mustParse(t, text, "", recurrence.Options{})
		if got := spec.String(); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
		wantRoundTrip(t, spec, recurrence.Options{})
	}
}

func TestEqual_TellsRulesApart(t *testing.T) {
	t.Parallel()
	base := mustParse(t, "0 9 * * *", "UTC", recurrence.Options{})
	if !base.Equal(mustParse(t, " 00 09 * * * ", "", recurrence.Options{})) {
		t.Error("the same rule written otherwise is not equal")
	}
	for _, other := range []recurrence.Spec{
		mustParse(t, "0 10 * * *", "UTC", recurrence.Options{}),
		mustParse(t, "0 9 * * *", "Asia/Tokyo", recurrence.Options{}),
		mustParse(t, "0 9 * * *", "UTC", recurrence.Options{Gap: skip}),
		mustParse(t, "0 9 * * *", "UTC", recurrence.Options{Overlap: both}),
		mustParse(t, "@every 9h", "UTC", recurrence.Options{}),
		{},
	} {
		if base.Equal(other) || other.Equal(base) {
			t.Errorf("%q equals %q", base, other)
		}
	}
	one := mustParse(t, "H 9 * * *", "", recurrence.Options{Seed: "acme/a"})
	if one.Equal(mustParse(t, "H 9 * * *", "", recurrence.Options{Seed: "acme/b"})) {
		t.Error("rules hashed to different minutes are equal")
	}
}

func TestSpec_AnswersItsParts(t *testing.T) {
	t.Parallel()
	spec := mustParse(t, "CRON_TZ=Asia/Tokyo rate(90 minutes)", "", recurrence.Options{Gap: skip, Overlap: last})
	interval, ok := spec.Interval()
	if !ok || interval != (recurrence.Interval{Every: 90 * time.Minute}) || !spec.Measured() || spec.FixedTime() {
		t.Errorf("interval %+v (%v)", interval, ok)
	}
	if spec.Zone() != "Asia/Tokyo" || spec.Expression() != "rate(90 minutes)" {
		t.Errorf("zone %q, expression %q", spec.Zone(), spec.Expression())
	}
	if spec.Gap().String() != "SKIP" || spec.Overlap().String() != "LAST" {
		t.Errorf("policies %v, %v", spec.Gap(), spec.Overlap())
	}
	if _, ok := mustParse(t, "@daily", "", recurrence.Options{}).Interval(); ok {
		t.Error("@daily is an interval")
	}
	if _, err := recurrence.Parse("@daily", "", recurrence.Options{Gap: 7}); err == nil {
		t.Error("an unknown policy is accepted")
	}
}
