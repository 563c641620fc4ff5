package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// A run belongs to a range as soon as one end of the range lies within it.
func TestOccurrences_FindsWhatReachesIntoTheRange_LatestFirst(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	at := func(clock string) time.Time {
		when, err := time.Parse(time.RFC3339, "2026-05-04T"+clock+":00Z")
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, run := range [][2]string{{"09:00", "09:59"}, {"10:00", "10:59"}, {"11:00", "11:00"}, {"12:00", "12:59"}} {
		db.Exec(`INSERT INTO occurrences (part, outcome, count, schedule_uid, nominal_at, until_at, revision)
			VALUES ($1, 4, NULL, $2, $3, $4, 1)`, s.Home, s.UID, at(run[0]), at(run[1]))
	}
	for name, test := range map[string]struct {
		from, until string
		limit       int
		want        []string
	}{
		"everything":              {"08:00", "13:00", 9, []string{"12:00", "11:00", "10:00", "09:00"}},
		"both ends inside runs":   {"09:30", "12:30", 9, []string{"12:00", "11:00", "10:00", "09:00"}},
		"inside one run":          {"10:20", "10:40", 9, []string{"10:00"}},
		"up to a run's beginning": {"11:30", "12:00", 9, []string{"12:00"}},
		"from a run's end":        {"10:59", "11:30", 9, []string{"11:00", "10:00"}},
		"between two":             {"11:10", "11:50", 9, nil},
		"before all":              {"07:00", "08:00", 9, nil},
		"behind all":              {"13:00", "14:00", 9, nil},
		"no more than asked for":  {"08:00", "13:00", 2, []string{"12:00", "11:00"}},
	} {
		rows, err := db.Store.Occurrences(t.Context(), store.LedgerRange{Origin: store.FromRule, Home: s.Home, UID: s.UID, From: at(test.from),
			Until: at(test.until), Limit: test.limit})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range rows {
			got = append(got, row.Nominal.Format("15:04"))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// The rule of a row is that of the greatest revision that is not behind it.
func TestOccurrences_CarryTheRuleOfTheirRevision(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	db.Exec(`DELETE FROM schedule_rules`)
	db.Exec(`INSERT INTO schedule_rules (schedule_uid, revision, spec) VALUES ($1, 2, '"two"'), ($1, 5, '"five"')`, s.UID)
	db.Exec(`INSERT INTO occurrences (part, outcome, schedule_uid, nominal_at, until_at, revision)
		SELECT $1, 4, $2, at, at, r FROM generate_series(1, 6) AS r, LATERAL (SELECT '2026-05-04 09:00Z'::timestamptz - r * interval '1 hour' AS at) AS x`,
		s.Home, s.UID)
	rows, err := db.Store.Occurrences(t.Context(), store.LedgerRange{Origin: store.FromRule, Home: s.Home, UID: s.UID, From: time.Unix(0, 0),
		Until: time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC), Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, string(row.Spec))
	}
	if want := []string{``, `"two"`, `"two"`, `"two"`, `"five"`, `"five"`}; !slices.Equal(got, want) {
		t.Errorf("rules %q, want %q", got, want)
	}
}
