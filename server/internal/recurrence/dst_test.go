package recurrence_test

import (
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

const (
	runAfter = recurrence.GapRunAfter
	skip     = recurrence.GapSkip
	first    = recurrence.OverlapFirst
	last     = recurrence.OverlapLast
	both     = recurrence.OverlapBoth
)

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func instants(times []time.Time) []string {
	var list []string
	for _, at := range times {
		list = append(list, at.Format(time.RFC3339Nano))
	}
	return list
}

func mustParse(t testing.TB, expr, zone string, opts recurrence.Options) recurrence.Spec {
	t.Helper()
	spec, err := recurrence.Parse(expr, zone, opts)
	if err != nil {
		t.Fatalf("%q is refused: %v", expr, err)
	}
	return spec
}

var oddZoneCases = []struct {
	name, expr, zone string
	gap              recurrence.GapPolicy
	overlap          recurrence.OverlapPolicy
	after            string
	want             []string
}{
	{"gap skipped", "30 2 * * *", "America/New_York", skip, first, "2025-03-08T12:00:00Z",
		[]string{"2025-03-10T06:30:00Z", "2025-03-11T06:30:00Z"}},
	{"repeat first", "30 1 * * *", "America/New_York", runAfter, first, "2024-11-03T00:00:00Z",
		[]string{"2024-11-03T05:30:00Z", "2024-11-04T06:30:00Z"}},
	{"repeat last", "30 1 * * *", "America/New_York", runAfter, last, "2024-11-03T00:00:00Z",
		[]string{"2024-11-03T06:30:00Z", "2024-11-04T06:30:00Z"}},
	{"repeat last, asked between the passes", "30 1 * * *", "America/New_York", runAfter, last, "2024-11-03T05:45:00Z",
		[]string{"2024-11-03T06:30:00Z", "2024-11-04T06:30:00Z"}},
	{"repeat both", "30 1 * * *", "America/New_York", runAfter, both, "2024-11-03T00:00:00Z",
		[]string{"2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-04T06:30:00Z"}},
	{"interval ignores policies", "30 * * * *", "America/New_York", skip, last, "2024-11-03T05:00:00Z",
		[]string{"2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"}},
	{"hour range is fixed time", "30 1-2 * * *", "America/New_York", runAfter, last, "2024-11-03T05:00:00Z",
		[]string{"2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"}},
	{"the gap's end has its own run too", "0,30 2,3 * * *", "America/New_York", runAfter, first, "2025-03-09T05:00:00Z",
		[]string{"2025-03-09T07:00:00Z", "2025-03-09T07:30:00Z", "2025-03-10T06:00:00Z"}},
	{"asked at the gap's end", "30 2 * * *", "America/New_York", runAfter, first, "2025-03-09T07:00:00Z",
		[]string{"2025-03-10T06:30:00Z"}},
	{"asked a second before the gap's end", "30 2 * * *", "America/New_York", runAfter, first, "2025-03-09T06:59:59Z",
		[]string{"2025-03-09T07:00:00Z", "2025-03-10T06:30:00Z"}},
	{"half an hour repeated", "45 1 * * *", "Australia/Lord_Howe", runAfter, last, "2026-04-04T00:00:00Z",
		[]string{"2026-04-04T15:15:00Z", "2026-04-05T15:15:00Z"}},
	{"half an hour repeated, both", "45 1 * * *", "Australia/Lord_Howe", runAfter, both, "2026-04-04T00:00:00Z",
		[]string{"2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"}},
	{"half an hour skipped", "15 2 * * *", "Australia/Lord_Howe", skip, first, "2024-10-05T00:00:00Z",
		[]string{"2024-10-06T15:15:00Z"}},
	{"two hours skipped", "30 1,2 * * *", "Antarctica/Troll", skip, first, "2025-03-29T02:30:00Z",
		[]string{"2025-03-30T23:30:00Z", "2025-03-31T00:30:00Z"}},
	{"two hours repeated", "30 1,2 * * *", "Antarctica/Troll", runAfter, last, "2024-10-26T12:00:00Z",
		[]string{"2024-10-27T01:30:00Z", "2024-10-27T02:30:00Z", "2024-10-28T01:30:00Z"}},
	{"a day skipped", "0 12 * * *", "Pacific/Apia", skip, first, "2011-12-29T00:00:00Z",
		[]string{"2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z"}},
	{"a day skipped, weekly", "0 9 * * FRI", "Pacific/Apia", runAfter, first, "2011-12-24T00:00:00Z",
		[]string{"2011-12-30T10:00:00Z", "2012-01-05T19:00:00Z"}},
	{"a day skipped, interval-like", "0 */6 30 12 *", "Pacific/Apia", runAfter, first, "2011-12-01T00:00:00Z",
		[]string{"2012-12-29T10:00:00Z"}},
	{"Ramadan begins", "30 2 * * *", "Africa/Casablanca", runAfter, first, "2025-02-22T12:00:00Z",
		[]string{"2025-02-23T01:30:00Z", "2025-02-24T02:30:00Z"}},
	{"Ramadan begins, second pass", "30 2 * * *", "Africa/Casablanca", runAfter, last, "2025-02-22T12:00:00Z",
		[]string{"2025-02-23T02:30:00Z", "2025-02-24T02:30:00Z"}},
	{"Ramadan ends", "30 2 * * *", "Africa/Casablanca", skip, first, "2025-04-05T12:00:00Z",
		[]string{"2025-04-07T01:30:00Z"}},
	{"back for good", "45 2 * * *", "America/Caracas", runAfter, first, "2007-12-09T00:00:00Z",
		[]string{"2007-12-09T06:45:00Z", "2007-12-10T07:15:00Z"}},
	{"back for good, second pass", "45 2 * * *", "America/Caracas", runAfter, last, "2007-12-09T00:00:00Z",
		[]string{"2007-12-09T07:15:00Z", "2007-12-10T07:15:00Z"}},
	{"forward for good", "45 2 * * *", "America/Caracas", runAfter, first, "2016-05-01T00:00:00Z",
		[]string{"2016-05-01T07:00:00Z", "2016-05-02T06:45:00Z"}},
	{"back across midnight", "45 23 * * *", "Asia/Pyongyang", runAfter, both, "2015-08-14T00:00:00Z",
		[]string{"2015-08-14T14:45:00Z", "2015-08-14T15:15:00Z", "2015-08-15T15:15:00Z"}},
	{"forward across midnight", "45 23 * * *", "Asia/Pyongyang", runAfter, first, "2018-05-04T00:00:00Z",
		[]string{"2018-05-04T15:00:00Z", "2018-05-05T14:45:00Z"}},
	{"one instant, repeated, last", "at(2024-11-03T01:30:00)", "America/New_York", runAfter, last, "2024-01-01T00:00:00Z",
		[]string{"2024-11-03T06:30:00Z"}},
	{"one instant, repeated, both is still one", "at(2024-11-03T01:30:00)", "America/New_York", runAfter, both, "2024-01-01T00:00:00Z",
		[]string{"2024-11-03T05:30:00Z"}},
}

func TestNext_AppliesPoliciesInOddZones(t *testing.T) {
	t.Parallel()
	for _, c := range oddZoneCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			spec := mustParse(t, c.expr, c.zone, recurrence.Options{Gap: c.gap, Overlap: c.overlap})
			got := instants(spec.NextN(instant(t, c.after), len(c.want)))
			if !slices.Equal(got, c.want) {
				t.Errorf("%q %s after %s:\n got %v\nwant %v", c.expr, c.zone, c.after, got, c.want)
			}
		})
	}
}

func TestOccurrences_MarkMovedAndRepeatedTimes(t *testing.T) {
	t.Parallel()
	type mark struct {
		at, wall string
		moved    bool
		pass     int
	}
	cases := []struct {
		name, expr, zone string
		overlap          recurrence.OverlapPolicy
		after            string
		want             []mark
	}{
		{"moved", "30 2 * * *", "America/New_York", first, "2025-03-08T12:00:00Z", []mark{
			{"2025-03-09T07:00:00Z", "2025-03-09T02:30:00Z", true, 0},
			{"2025-03-10T06:30:00Z", "2025-03-10T02:30:00Z", false, 0}}},
		{"moved instant", "at(2025-03-09T02:45:00)", "America/New_York", first, "2025-03-08T12:00:00Z", []mark{
			{"2025-03-09T07:00:00Z", "2025-03-09T02:45:00Z", true, 0}}},
		{"not moved at the gap's end", "0 3 * * *", "America/New_York", first, "2025-03-08T12:00:00Z", []mark{
			{"2025-03-09T07:00:00Z", "2025-03-09T03:00:00Z", false, 0}}},
		{"interval-like is never moved", "*/30 * * * *", "America/New_York", first, "2025-03-09T06:30:00Z", []mark{
			{"2025-03-09T07:00:00Z", "2025-03-09T03:00:00Z", false, 0}}},
		{"both passes", "30 1 * * *", "America/New_York", both, "2024-11-03T00:00:00Z", []mark{
			{"2024-11-03T05:30:00Z", "2024-11-03T01:30:00Z", false, 1},
			{"2024-11-03T06:30:00Z", "2024-11-03T01:30:00Z", false, 2},
			{"2024-11-04T06:30:00Z", "2024-11-04T01:30:00Z", false, 0}}},
		{"measured rules have no wall time to lose", "@every 1h", "America/New_York", first, "2024-11-03T04:30:00Z", []mark{
			{"2024-11-03T05:30:00Z", "2024-11-03T01:30:00Z", false, 0},
			{"2024-11-03T06:30:00Z", "2024-11-03T01:30:00Z", false, 0}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			spec := mustParse(t, c.expr, c.zone, recurrence.Options{Overlap: c.overlap})
			got := spec.Occurrences(instant(t, c.after), len(c.want))
			if len(got) != len(c.want) {
				t.Fatalf("%d occurrences, want %d", len(got), len(c.want))
			}
			for i, o := range got {
				m := mark{o.Time.Format(time.RFC3339), o.Wall.Format(time.RFC3339), o.Moved, o.Pass}
				if m != c.want[i] {
					t.Errorf("occurrence %d is %+v, want %+v", i, m, c.want[i])
				}
			}
		})
	}
}

func TestSuppressed_ListsWhatPoliciesLeaveOut(t *testing.T) {
	t.Parallel()
	type left struct {
		at, wall string
		reason   recurrence.SuppressReason
	}
	cases := []struct {
		name, expr string
		opts       recurrence.Options
		from, to   string
		want       []left
	}{
		{"skipped", "30 2 * * *", recurrence.Options{Gap: skip}, "2025-03-01T00:00:00Z", "2025-04-01T00:00:00Z",
			[]left{{"2025-03-09T07:00:00Z", "2025-03-09T02:30:00Z", recurrence.SuppressedGap}}},
		{"merged", "10,20,40 2 * * *", recurrence.Options{}, "2025-03-01T00:00:00Z", "2025-04-01T00:00:00Z", []left{
			{"2025-03-09T07:00:00Z", "2025-03-09T02:20:00Z", recurrence.SuppressedMerged},
			{"2025-03-09T07:00:00Z", "2025-03-09T02:40:00Z", recurrence.SuppressedMerged}}},
		{"second pass", "15,30 1 * * *", recurrence.Options{}, "2024-11-03T06:15:00Z", "2024-12-01T00:00:00Z",
			[]left{{"2024-11-03T06:30:00Z", "2024-11-03T01:30:00Z", recurrence.SuppressedRepeat}}},
		{"first pass", "30 1 * * *", recurrence.Options{Overlap: last}, "2024-11-01T00:00:00Z", "2024-12-01T00:00:00Z",
			[]left{{"2024-11-03T05:30:00Z", "2024-11-03T01:30:00Z", recurrence.SuppressedRepeat}}},
		{"both passes fire", "30 1 * * *", recurrence.Options{Overlap: both}, "2024-11-01T00:00:00Z", "2024-12-01T00:00:00Z", nil},
		{"interval-like", "*/10 * * * *", recurrence.Options{}, "2024-01-01T00:00:00Z", "2025-12-01T00:00:00Z", nil},
		{"limited", "30 2 * * *", recurrence.Options{Gap: skip}, "2025-01-01T00:00:00Z", "2199-01-01T00:00:00Z", []left{
			{"2025-03-09T07:00:00Z", "2025-03-09T02:30:00Z", recurrence.SuppressedGap},
			{"2026-03-08T07:00:00Z", "2026-03-08T02:30:00Z", recurrence.SuppressedGap}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			spec := mustParse(t, c.expr, "America/New_York", c.opts)
			var got []left
			for _, s := range spec.Suppressed(instant(t, c.from), instant(t, c.to), 2) {
				got = append(got, left{s.Time.Format(time.RFC3339), s.Wall.Format(time.RFC3339), s.Reason})
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// One rule of which a time is skipped on 10 March 2024 and another repeated on
// 3 November, under each combination of policies, as cron text and as recurrence.
func TestNext_EachCombinationOfPolicies(t *testing.T) {
	t.Parallel()
	gaps := map[recurrence.GapPolicy][]string{
		runAfter: {"2024-03-10T06:30:00Z", "2024-03-10T07:00:00Z", "2024-03-11T05:30:00Z"},
		skip:     {"2024-03-10T06:30:00Z", "2024-03-11T05:30:00Z", "2024-03-11T06:30:00Z"},
	}
	repeats := map[recurrence.OverlapPolicy][]string{
		first: {"2024-11-03T05:30:00Z", "2024-11-03T07:30:00Z", "2024-11-04T06:30:00Z"},
		last:  {"2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z", "2024-11-04T06:30:00Z"},
		both:  {"2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"},
	}
	for gap, inSpring := range gaps {
		for overlap, inAutumn := range repeats {
			opts := recurrence.Options{Gap: gap, Overlap: overlap}
			for _, spec := range []recurrence.Spec{
				mustParse(t, "30 1,2 * * *", "America/New_York", opts),
				mustParse(t, "cron(30 1,2 * * ? *)", "America/New_York", opts),
				mustParseRRule(t, "FREQ=DAILY;BYHOUR=1,2;BYMINUTE=30;BYSECOND=0", "America/New_York", opts),
			} {
				if got := instants(spec.NextN(instant(t, "2024-03-10T05:00:00Z"), 3)); !slices.Equal(got, inSpring) {
					t.Errorf("%s, %v and %v: in spring %v, want %v", spec, gap, overlap, got, inSpring)
				}
				if got := instants(spec.NextN(instant(t, "2024-11-03T04:00:00Z"), 3)); !slices.Equal(got, inAutumn) {
					t.Errorf("%s, %v and %v: in autumn %v, want %v", spec, gap, overlap, got, inAutumn)
				}
			}
		}
	}
}
