package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// explainedFiles are the query files whose every statement must have a case in planCases.
var explainedFiles = []string{"hot.sql", "load.sql", "read.sql", "list.sql", "ownership.sql", "forecast.sql"}

// smallTables may be scanned as a whole: partitions has one narrow row a partition and cluster one row at all, so that a
// scan is the right plan; lanes has a row a queue and job type, and is joined to a window of many lanes.
var smallTables = []string{"partitions", "cluster", "lanes"}

// leafRows is how much the full and the bloated partition hold, dead rows included.
const leafRows = 50_000

// path is how a statement may read a table: by an index whose name ends so, and with these columns bound.
type path struct {
	index string
	bound []string
}

// keyPaths is how every statement reads, unless its case says otherwise: by the whole key. The leaf stands for part.
var keyPaths = map[string]path{
	"triggers": {"_pkey", []string{"id"}},
	"attempts": {"_pkey", []string{"part", "id"}},
	"claims":   {"_pkey", []string{"part", "claim_id"}},
	"requests": {"_pkey", []string{"part", "key"}},
	"history":  {"_part_id_idx", []string{"part", "id"}},
}

// planCase says how a statement runs and which plans are right for it.
type planCase struct {
	args    []arg
	after   string // the settings that it runs behind, in one transaction; empty: none
	reads   map[string]path
	whole   []string // tables that it reads as a whole where they are small, or one partition's share is most of them
	ordered bool     // the index gives the order: a sort would read all of a range before its first row
}

// arg writes one argument as SQL, with arrays of n elements.
type arg func(n int) string

func lit(sql string) arg { return func(int) string { return sql } }

func array(typ, element string) arg {
	return func(n int) string {
		return "'{" + strings.Repeat(element+",", n-1) + element + "}'::" + typ + "[]"
	}
}

// uuids spreads n of the ids that fill makes over the whole leaf.
func uuids(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("01900000-0000-7001-8000-%012x", 1+i*(leafRows/n))
	}
	return "'{" + strings.Join(list, ",") + "}'::uuid[]"
}

var (
	one    = lit("1")
	id     = lit("'01900000-0000-7001-8000-000000000001'")
	many   = lit("5000")
	hourly = []arg{lit("now()"), lit("now() + interval '1 hour'")}

	small, short, bigs = array("integer", "1"), array("smallint", "1"), array("bigint", "1")
	texts, flags       = array("text", "x"), array("boolean", "f")
	times, bodies      = array("timestamptz", "2026-01-01"), array("bytea", `"\\x01"`)

	token = []arg{uuids, bigs, bigs, small}

	dueReads = map[string]path{"triggers": {"_due_at_lane_idx", []string{"due_at"}}}
)

var planCases = map[string]planCase{
	"hot_settings":     {},
	"ordered_settings": {},
	"create_jobs": {args: []arg{short, uuids, bigs, uuids, short, uuids, small, short, times, bigs, bigs, times, bigs, bigs,
		bodies, flags}},
	"note_claim":  {after: "hot_settings", args: []arg{one, uuids}},
	"claim_turn":  {after: "hot_settings", args: []arg{small}},
	"claim_jobs":  {after: "hot_settings", args: []arg{one, one, one, uuids, bigs, bigs, bigs, texts}},
	"beat_leases": {after: "hot_settings", args: slices.Concat(token, []arg{bigs})},
	"finish_jobs": {after: "hot_settings", args: slices.Concat(token, []arg{short, flags, short, short, texts, texts, bodies, short, flags, small,
		flags, short})},
	"drop_attempts": {after: "hot_settings", args: []arg{uuids}},
	"return_jobs":   {after: "hot_settings", args: slices.Concat(token, []arg{flags, short, texts, bigs, flags, flags})},
	"ask_cancel":    {args: []arg{id, one, lit("'x'"), one}},

	"load_window": {after: "ordered_settings", args: append(hourly, many), ordered: true,
		reads: map[string]path{"triggers": {"_due_at_lane_idx", []string{"due_at"}}}},
	"load_lanes": {reads: map[string]path{"triggers": {"_lane_priority_due_at_id_idx", nil}}, ordered: true},
	"load_lane": {after: "ordered_settings", args: []arg{one, one, lit("now()"), id, lit("now()"), many}, ordered: true,
		reads: map[string]path{"triggers": {"_lane_priority_due_at_id_idx", []string{"lane", "priority", "due_at"}}}},
	"load_lane_rest": {after: "ordered_settings", args: []arg{one, one, lit("now()"), many},
		reads: map[string]path{"triggers": {"_lane_priority_due_at_id_idx", []string{"lane", "priority", "due_at"}}}},
	"load_expired": {after: "ordered_settings", args: []arg{lit("500")}, ordered: true,
		reads: map[string]path{"triggers": {"_start_by_idx", []string{"start_by"}}}},
	"load_overaged": {after: "ordered_settings", args: []arg{lit("500")},
		reads: map[string]path{"triggers": {"_due_at_lane_idx", []string{"due_at"}}}},
	"open_claims":  {whole: []string{"claims"}, reads: map[string]path{"claims": {"_pkey", []string{"part"}}}},
	"lease_states": {args: []arg{uuids}},
	"drop_claims":  {after: "hot_settings", args: []arg{bigs}},

	"live_jobs":        {args: []arg{uuids}},
	"ended_jobs":       {args: []arg{uuids, lit("now() - interval '1 day'")}},
	"job_attempts":     {args: []arg{id}},
	"attempt_receipts": {args: []arg{uuids, bigs}},
	"requests_by_key":  {args: []arg{short, uuids}},
	"clock":            {},
	"lane_depth": {after: "ordered_settings", args: []arg{small, lit("10000")},
		reads: map[string]path{"triggers": {"_lane_priority_due_at_id_idx", []string{"lane"}}}},

	"list_live":        {after: "ordered_settings", args: []arg{id, many, one}},
	"list_ended":       {args: []arg{one, id, lit("100")}, reads: map[string]path{"history": {"_tenant_id_idx", []string{"tenant", "id"}}}},
	"parts_of_tenant":  {args: []arg{one}, whole: []string{"queues"}, reads: map[string]path{"queues": {"_tenant", []string{"tenant"}}}},
	"last_errors":      {args: []arg{uuids}},
	"attempts_of_jobs": {args: []arg{uuids, lit("10")}},

	"limit_time":      {args: []arg{lit("'1000'")}},
	"lanes_of_tenant": {args: []arg{one, many}, whole: []string{"queues"}, reads: map[string]path{"queues": {"", nil}}},
	"forecast_near":   {after: "ordered_settings", args: append(hourly, many, small), ordered: true, reads: dueReads},
	"forecast_far":    {after: "ordered_settings", args: append(hourly, many, small), ordered: true, reads: dueReads},
	"forecast_lanes_near": {after: "ordered_settings", args: append(hourly, many, small), ordered: true,
		reads: map[string]path{"triggers": {"_lane_priority_due_at_id_idx", []string{"lane", "priority", "due_at"}}}},
	"forecast_lanes_far": {after: "ordered_settings", args: append(hourly, many, small), ordered: true,
		reads: map[string]path{"triggers": {"_lane_priority_due_at_id_idx", []string{"lane", "priority", "due_at"}}}},

	"take_partitions":    {args: []arg{lit("'node'"), one}},
	"renew_partitions":   {args: []arg{lit("'node'"), one}},
	"release_partitions": {args: []arg{lit("'node'")}},
	"partition_state":    {},
	"take_turn":          {args: []arg{one}},
	"raise_config":       {args: []arg{one}},
	"contact":            {},
}

// fill puts leafRows rows of partition 1 into every table that the statements read.
var fill = []string{
	`INSERT INTO triggers_p01 (part, id, lane, priority, due_at, scheduled_at, age_until, start_by, body)
	 SELECT 1, ('01900000-0000-7001-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 1 + i % 20, i % 10, t, t, t + interval '30 days',
	        CASE WHEN i % 10 = 0 THEN t + interval '1 minute' END, decode(repeat('00', 200), 'hex')
	 FROM generate_series(1, $1) AS i, LATERAL (SELECT now() + (i - $1 / 2) * interval '0.1 s' AS t) AS due`,
	`INSERT INTO attempts (part, id, number, outcome, claim_id, version, started_at, ended_at, due_at, worker_id, error)
	 SELECT 1, ('01900000-0000-7001-8000-' || lpad(to_hex(i / 2 + 1), 12, '0'))::uuid, i % 2 + 1, 2, i, 2, now(), now(), now(), 'w', 'boom'
	 FROM generate_series(1, $1) AS i`,
	`INSERT INTO claims (part, claim_id, ids)
	 SELECT 1, i, array_fill('01900000-0000-7001-8000-000000000001'::uuid, ARRAY[500]) FROM generate_series(1, $1 / 100) AS i`,
	`INSERT INTO requests (part, key, fingerprint, job_id)
	 SELECT i % 4, ('01900000-0000-7001-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 1, gen_random_uuid() FROM generate_series(1, $1) AS i`,
	`INSERT INTO history (part, retention, state, priority, attempt, outcome, lane, tenant, id, version, due_at, scheduled_at,
	                      finished_at, age_until, leases, releases, lost_leases, cancel_asked, reason, error)
	 SELECT i % 4, CASE i % 10 WHEN 0 THEN 1 WHEN 1 THEN 30 ELSE 7 END, 4, 5, 1, 1, 1 + i % 20, 1 + i % 5,
	        ('01900000-0000-7001-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 3, now(), now(), now(), now(), 1, 0, 0, false, '', ''
	 FROM generate_series(1, $1) AS i`,
}

const analyze = "ANALYZE triggers, attempts, claims, requests, history, partitions, lanes, queues"

// partitionStates are what a partition looks like to the planner. Autovacuum is off, so that it stays so.
var partitionStates = map[string]func(db *storetest.DB){
	"fresh": func(*storetest.DB) {},
	"filled and never analysed": func(db *storetest.DB) {
		fillTables(db, leafRows)
	},
	"a few rows and never analysed": func(db *storetest.DB) {
		fillTables(db, 2000)
	},
	"full": func(db *storetest.DB) {
		fillTables(db, leafRows)
		db.Exec(analyze)
	},
	"analysed while empty": func(db *storetest.DB) {
		db.Exec(analyze)
		fillTables(db, leafRows)
	},
	// No rows on many pages: the planner takes every index for a single page. History is only ever dropped as a whole.
	"analysed when all had gone": func(db *storetest.DB) {
		fillTables(db, leafRows)
		for _, table := range []string{"triggers", "attempts", "claims", "requests"} {
			db.Exec("DELETE FROM " + table)
		}
		db.Exec(analyze)
		db.Exec("TRUNCATE history")
		fillTables(db, leafRows)
	},
	"bloated": func(db *storetest.DB) {
		db.Exec(analyze)
		fillTables(db, leafRows)
		db.Exec("DELETE FROM triggers_p01 WHERE id > '01900000-0000-7001-8000-0000000003e8'")
		db.Exec("DELETE FROM attempts WHERE id > '01900000-0000-7001-8000-0000000003e8'")
		db.Exec("DELETE FROM claims WHERE claim_id > 10")
	},
}

func fillTables(db *storetest.DB, rows int) {
	for _, sql := range fill {
		db.Exec(sql, rows)
	}
}

func TestStatements_EveryPlanReadsByKey(t *testing.T) {
	t.Parallel()
	for state, prepare := range partitionStates {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			stopAutovacuum(db)
			prepare(db)
			e := newExplainer(t, db)
			for _, file := range explainedFiles {
				names, err := store.StatementNames(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range names {
					e.check(name)
				}
			}
		})
	}
}

// stopAutovacuum keeps all tables in the state that the test brings them into.
func stopAutovacuum(db *storetest.DB) {
	db.Exec(`DO $$ DECLARE leaf text; BEGIN FOR leaf IN SELECT oid::regclass FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
		LOOP EXECUTE 'ALTER TABLE ' || leaf || ' SET (autovacuum_enabled = off)'; END LOOP; END $$`)
}

func TestStatements_EveryCaseHasItsStatement(t *testing.T) {
	t.Parallel()
	var known []string
	for _, file := range explainedFiles {
		names, err := store.StatementNames(file)
		if err != nil {
			t.Fatal(err)
		}
		known = append(known, names...)
	}
	for name := range planCases {
		if !slices.Contains(known, name) {
			t.Errorf("planCases has %s, which no file of %v has", name, explainedFiles)
		}
	}
}

// check looks at the plans of one statement: for the values at hand and for any, for few items and for many.
func (e explainer) check(name string) {
	e.t.Helper()
	c, ok := planCases[name]
	if !ok {
		e.t.Errorf("%s has no case in planCases: add one that says how it reads its tables", name)
		return
	}
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		for _, n := range []int{1, 500} {
			plan, text := e.explain(explained{planCase: c, name: name, mode: mode, items: n})
			for _, fault := range c.faults(plan) {
				e.t.Errorf("%s, %s, %d items: %s\n%s", name, mode, n, fault, text)
			}
		}
	}
}

// planNode is a node of EXPLAIN (FORMAT JSON).
type planNode struct {
	Type     string     `json:"Node Type"`
	Relation string     `json:"Relation Name"`
	Index    string     `json:"Index Name"`
	Cond     string     `json:"Index Cond"`
	Hit      int        `json:"Shared Hit Blocks"`
	Read     int        `json:"Shared Read Blocks"`
	Plans    []planNode `json:"Plans"`
}

func (n planNode) walk(visit func(planNode)) {
	visit(n)
	for _, child := range n.Plans {
		child.walk(visit)
	}
}

// explainer asks one connection for plans.
type explainer struct {
	t    *testing.T
	db   *storetest.DB
	conn *pgx.Conn
}

func newExplainer(t *testing.T, db *storetest.DB) explainer {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return explainer{t: t, db: db, conn: conn}
}

// explained is what to explain.
type explained struct {
	planCase
	name    string
	mode    string // of the plan cache
	items   int
	options string // of EXPLAIN
}

// explain prepares a statement as the driver does and answers its plan, as a tree and as text.
func (e explainer) explain(x explained) (planNode, string) {
	e.t.Helper()
	args := make([]string, len(x.args))
	for i, a := range x.args {
		args[i] = a(x.items)
	}
	call := "subject"
	if len(args) > 0 {
		call += "(" + strings.Join(args, ", ") + ")"
	}
	script := []string{"BEGIN"}
	if x.after != "" {
		script = append(script, e.db.Store.Statement(x.after, 0))
	}
	if x.mode != "" {
		script = append(script, "SET LOCAL plan_cache_mode = "+x.mode)
	}
	e.exec(append(script, "PREPARE subject AS "+e.db.Store.Statement(x.name, 1))...)
	defer e.exec("ROLLBACK", "DEALLOCATE subject")
	var text string
	ask := fmt.Sprintf("EXPLAIN (FORMAT JSON%s) EXECUTE %s", x.options, call)
	if err := e.conn.QueryRow(e.t.Context(), ask, pgx.QueryExecModeSimpleProtocol).Scan(&text); err != nil {
		e.t.Fatalf("explain %s: %v", x.name, err)
	}
	var plans []struct{ Plan planNode }
	if err := json.Unmarshal([]byte(text), &plans); err != nil || len(plans) == 0 {
		e.t.Fatalf("read plan: %v\n%s", err, text)
	}
	return plans[0].Plan, text
}

// explain is the plan of one statement on a connection of its own.
//
//nolint:revive // Tables of cases read better with six plain arguments.
func explain(t *testing.T, db *storetest.DB, name string, c planCase, mode string, items int) (planNode, string) {
	t.Helper()
	return newExplainer(t, db).explain(explained{planCase: c, name: name, mode: mode, items: items})
}

func (e explainer) exec(script ...string) {
	e.t.Helper()
	for _, sql := range script {
		if _, err := e.conn.Exec(e.t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			e.t.Fatalf("%s: %v", sql, err)
		}
	}
}

// faults lists what is wrong with a plan.
func (c planCase) faults(plan planNode) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	plan.walk(func(n planNode) {
		table := tableOf(n.Relation, n.Index)
		switch {
		case slices.Contains(smallTables, table), table == "":
			if c.ordered && strings.HasSuffix(n.Type, "Sort") {
				fault("%s where the index gives the order", n.Type)
			}
			return
		case table == "triggers" && n.Relation != "" && n.Relation != "triggers_p01" && n.Type != "ModifyTable":
			fault("reads %s, which is not its leaf", n.Relation)
		case n.Type == "Seq Scan" && !slices.Contains(c.whole, table) && !emptyDay(n.Relation):
			fault("Seq Scan on %s", n.Relation)
		case n.Type == "Bitmap Heap Scan" && c.after == "ordered_settings":
			fault("reads all of a range of %s before its first row", n.Relation)
		}
		if n.Index == "" {
			return
		}
		want, ok := c.reads[table]
		if !ok {
			want, ok = keyPaths[table]
		}
		if !ok || !strings.HasSuffix(n.Index, want.index) {
			fault("reads %s by %s, want %s", table, n.Index, want.index)
			return
		}
		for _, column := range want.bound {
			if !strings.Contains(n.Cond, "("+column+" ") && !strings.Contains(n.Cond, "ROW("+column+",") {
				fault("reads %s by %s with %q, which leaves %s open", table, n.Index, n.Cond, column)
			}
		}
	})
	return faults
}

// emptyDay reports whether a table is history of a day on which no test writes: nothing is cheaper than to scan it.
func emptyDay(relation string) bool {
	return strings.HasPrefix(relation, "history_r") && !strings.HasSuffix(relation, time.Now().UTC().Format("20060102"))
}

// tableOf names the table to which a scan's relation or index belongs, a leaf's being that of its parent.
func tableOf(relation, index string) string {
	name := relation
	if name == "" {
		name = index
	}
	table, _, _ := strings.Cut(name, "_")
	return table
}
