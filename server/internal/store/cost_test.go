package store_test

import (
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// loadCases is one load with a page of one lane, as the engine sends them, for rows that dueRows makes.
func loadCases(now time.Time) []explained {
	at := func(d time.Duration) arg { return lit(now.Add(d).Format("'2006-01-02 15:04:05.999999Z07:00'")) }
	zero := lit("'00000000-0000-0000-0000-000000000000'")
	cases := []explained{
		{name: "load_window", planCase: planCase{args: []arg{at(-10 * time.Second), at(4 * time.Second), many}}},
		{name: "load_window", planCase: planCase{args: []arg{at(4 * time.Second), at(time.Minute), many}}},
		{name: "load_expired", planCase: planCase{args: []arg{lit("500")}}},
		{name: "load_lane", planCase: planCase{args: []arg{one, lit("5"), at(-time.Hour), zero, at(0), many}}},
		{name: "load_lanes"},
	}
	for i := range cases {
		cases[i].after, cases[i].options = planCases[cases[i].name].after, ", ANALYZE, BUFFERS"
	}
	return cases
}

// dueRows are the same in both tables: 2,000 rows of 10 lanes due within a minute of now, some past their start-by time.
// The waiting ones, due from tomorrow on, come behind them.
const (
	dueRows = `INSERT INTO triggers_p01 (part, id, lane, priority, due_at, scheduled_at, age_until, start_by, body)
		SELECT 1, ('01900000-0000-7001-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 1 + i % 10, 5, t, t, t + interval '30 days',
		       CASE WHEN i % 100 = 0 THEN $1::timestamptz - interval '1 hour' END, 'x'
		FROM generate_series(1, 2000) AS i, LATERAL (SELECT $1::timestamptz + (i - 1000) * interval '0.06 s' AS t) AS due`
	waitingRows = `INSERT INTO triggers_p01 (part, id, lane, priority, due_at, scheduled_at, age_until, start_by, body)
		SELECT 1, ('01900000-0000-7001-9000-' || lpad(to_hex(i), 12, '0'))::uuid, 1 + i % 10, 5, t, t, t + interval '30 days',
		       CASE WHEN i % 10 = 0 THEN t + interval '1 second' END, 'x'
		FROM generate_series($2::int, $3::int) AS i, LATERAL (SELECT $1::timestamptz + interval '1 day' + i * interval '1 s' AS t) AS due`
)

// Promise 9: a tick costs what is due, not what is stored.
func TestLoad_TouchesAsManyPages_HoweverManyRowsWait(t *testing.T) {
	t.Parallel()
	stored := 1_000_000
	if testing.Short() {
		stored = 100_000
	}
	few, many := pagesOfLoad(t, 10_000), pagesOfLoad(t, stored)
	for i := range few {
		// An index of 100 times the rows may be one or two levels higher, and load_lanes goes down it once a lane.
		slack := 4
		if few[i].name == "load_lanes" {
			slack = 2 * 11
		}
		t.Logf("%s: %d pages with 10,000 rows waiting, %d with %d", few[i].name, few[i].pages, many[i].pages, stored)
		if diff := many[i].pages - few[i].pages; diff > slack || -diff > slack {
			t.Errorf("%s touches %d pages with 10,000 rows waiting and %d with %d", few[i].name, few[i].pages, many[i].pages, stored)
		}
	}
}

type pages struct {
	name  string
	pages int
}

// pagesOfLoad counts the pages that the statements of a load touch with so many rows waiting.
func pagesOfLoad(t *testing.T, waiting int) []pages {
	t.Helper()
	db := storetest.New(t)
	stopAutovacuum(db)
	now, err := db.Store.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db.Exec("ALTER TABLE triggers_p01 SET UNLOGGED") // to be quick; pages are the same
	db.Exec(dueRows, now)
	// In pieces, because of the time-out on statements.
	for from := 1; from <= waiting; from += 100_000 {
		db.Exec(waitingRows, now, from, min(from+100_000-1, waiting))
	}
	db.Exec("VACUUM (ANALYZE) triggers_p01")
	e := newExplainer(t, db)
	var all []pages
	for _, x := range loadCases(now) {
		plan, _ := e.explain(x)
		all = append(all, pages{x.name, plan.Hit + plan.Read})
	}
	return all
}
