package main

import (
	"fmt"
	"strings"
)

// layout is one way to keep jobs: what differs from the schema as it is, and the statements of a job's life. Statements
// name their arguments @parts, @ids, @bodies, @versions and @claim; {{leaf}} and {{part}} are as in the store's queries.
type layout struct {
	name    string
	parts   int      // partitions of the database
	spread  bool     // jobs go to all partitions in turn, else to the first
	payload int      // bytes
	generic bool     // plans are made once for any values
	ddl     []string // after the migrations

	insert []string
	claim  []string // for each partition
	finish []string // for each partition
}

// comparison is a question and the layouts that answer it, the present one first.
type comparison struct {
	name     string
	question string
	layouts  []layout
	after    func(*bench) error // a measurement of another kind; may be nil
}

const (
	insertInline = `INSERT INTO triggers (part, id, lane, priority, due_at, scheduled_at, age_until, body)
		SELECT u.part, u.id, 1, 5, belfry_now(), belfry_now(), belfry_now() + interval '1 day', u.body
		FROM unnest(@parts::smallint[], @ids::uuid[], @bodies::bytea[]) AS u (part, id, body) RETURNING id, due_at`
	insertRow = `INSERT INTO triggers (part, id, lane, priority, due_at, scheduled_at, age_until, body)
		SELECT u.part, u.id, 1, 5, belfry_now(), belfry_now(), belfry_now() + interval '1 day', ''
		FROM unnest(@parts::smallint[], @ids::uuid[]) AS u (part, id) RETURNING id, due_at`
	insertBody = `INSERT INTO payloads (part, id, body)
		SELECT u.part, u.id, u.body FROM unnest(@parts::smallint[], @ids::uuid[], @bodies::bytea[]) AS u (part, id, body)`

	keys = `(SELECT {{part}}::smallint AS part, i.id, i.version FROM unnest(@ids::uuid[], @versions::bigint[]) AS i (id, version)
		OFFSET 0) AS u`
	match = `t.part = ANY (ARRAY[u.part]) AND t.id = ANY (ARRAY[u.id]) AND t.version = u.version`

	claimRows = `UPDATE {{leaf}} AS t
		SET state = 2, version = t.version + 1, attempt = t.attempt + 1, leases = t.leases + 1, claim_id = @claim,
		    claimed_at = belfry_now(), lease_us = 60000000, beaten = false, worker_id = 'worker-1',
		    attempt_until = belfry_now() + interval '1 hour', lease_until = belfry_now() + interval '1 minute'
		FROM ` + keys + ` WHERE ` + match + ` AND t.state = 1 AND (t.due_at <= belfry_now()) IS TRUE
		RETURNING t.part, t.id, t.version, t.due_at, t.claim_id, t.lease_until, t.body`

	historyColumns = `INSERT INTO history (part, retention, state, priority, attempt, outcome, lane, tenant, id, version, claim_id,
		due_at, scheduled_at, started_at, finished_at, age_until, leases, releases, lost_leases, cancel_asked, worker_id, reason,
		error, body)
		SELECT g.part, 7, 4, g.priority, g.attempt, 1, g.lane, 1, g.id, g.version + 1, g.claim_id, g.due_at, g.scheduled_at,
		       g.claimed_at, belfry_now(), g.age_until, g.leases, g.releases, g.lost_leases, g.cancel_asked, g.worker_id, '', '', `
	deleteRows = `DELETE FROM {{leaf}} AS t USING ` + keys + ` WHERE ` + match + ` AND t.state = 2 AND t.claim_id = @claim`
	finishRows = `WITH gone AS (` + deleteRows + ` RETURNING t.*) ` + historyColumns + `g.body FROM gone AS g RETURNING id`

	noteClaim = `INSERT INTO claims (part, claim_id, ids) VALUES ({{part}}, @claim, @ids)`
	dropClaim = `DELETE FROM claims WHERE part = {{part}} AND claim_id = @claim`
)

// inline is the layout as it is.
func inline(name string, payload int) layout {
	return layout{name: name, parts: 1, payload: payload, insert: []string{insertInline},
		claim: []string{claimRows, noteClaim}, finish: []string{finishRows, dropClaim}}
}

// leafOption changes a storage parameter of every leaf.
func leafOption(l layout, option string) layout {
	for part := range l.parts {
		l.ddl = append(l.ddl, fmt.Sprintf("ALTER TABLE triggers_p%02d SET (%s)", part, option))
	}
	return l
}

const vacuumOften = `autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0`

// beside keeps payloads in a table of their own, written at creation and deleted at the end.
func beside(payload int) layout {
	claimed, _, _ := strings.Cut(claimRows, ", t.body")
	l := layout{name: "payloads beside the row", parts: 1, payload: payload, insert: []string{insertRow, insertBody}}
	l.ddl = []string{`CREATE TABLE payloads (part smallint, id uuid, body bytea NOT NULL, PRIMARY KEY (part, id)) WITH (` + vacuumOften + `)`}
	l.claim = []string{`WITH c AS (` + claimed + `) SELECT c.*, p.body FROM c
		CROSS JOIN LATERAL (SELECT w.body FROM payloads AS w WHERE w.part = c.part AND w.id = c.id OFFSET 0) AS p`, noteClaim}
	l.finish = []string{`WITH gone AS (` + deleteRows + ` RETURNING t.*), g AS (
			DELETE FROM payloads AS p USING (SELECT * FROM gone OFFSET 0) AS g
			WHERE p.part = ANY (ARRAY[g.part]) AND p.id = ANY (ARRAY[g.id])
			RETURNING g.part, g.id, g.priority, g.attempt, g.lane, g.version, g.claim_id, g.due_at, g.scheduled_at, g.claimed_at,
			          g.age_until, g.leases, g.releases, g.lost_leases, g.cancel_asked, g.worker_id, p.body
		) ` + historyColumns + `g.body FROM g RETURNING id`, dropClaim}
	return l
}

func comparisons() []comparison {
	return []comparison{
		{name: "row", question: "payload of 200 bytes: inside the row or beside it", layouts: rowLayouts(200)},
		{name: "row", question: "payload of 2 KB: inside the row or beside it", layouts: rowLayouts(2048)},
		{name: "fill", question: "fillfactor, payload of 200 bytes", layouts: fillLayouts(200)},
		{name: "fill", question: "fillfactor, payload of 20 bytes", layouts: fillLayouts(20)},
		{name: "leases", question: "how a new owner finds the outstanding leases", layouts: leaseLayouts(), after: takeOver},
		{name: "parts", question: "partitions", layouts: partLayouts()},
		{name: "plans", question: "plans of the hot statements, jobs over 16 partitions", layouts: planLayouts()},
		{name: "finish", question: "end of a job: one statement or two", layouts: finishLayouts()},
	}
}

func rowLayouts(payload int) []layout {
	var all []layout
	for _, target := range []int{1024, 128, 2040} {
		l := inline(fmt.Sprintf("inside, toast_tuple_target %d", target), payload)
		all = append(all, leafOption(l, fmt.Sprintf("toast_tuple_target = %d", target)))
	}
	return append(all, beside(payload))
}

func fillLayouts(payload int) []layout {
	var all []layout
	for _, factor := range []int{40, 50, 80, 100} {
		all = append(all, leafOption(inline(fmt.Sprintf("fillfactor %d", factor), payload), fmt.Sprintf("fillfactor = %d", factor)))
	}
	return all
}

func leaseLayouts() []layout {
	narrow := inline("narrow leases table", 200)
	narrow.ddl = []string{leasesTable}
	narrow.claim = []string{claimRows, `INSERT INTO leases (part, id) SELECT {{part}}, i.id FROM unnest(@ids::uuid[]) AS i (id)`}
	narrow.finish = []string{finishRows, `DELETE FROM leases AS t USING ` + keys + ` WHERE t.part = ANY (ARRAY[u.part]) AND t.id = ANY (ARRAY[u.id])`}
	scan := inline("scan of what is overdue", 200)
	scan.claim, scan.finish = []string{claimRows}, []string{finishRows}
	return []layout{inline("row for each claim batch", 200), narrow, scan}
}

const leasesTable = `CREATE TABLE leases (part smallint, id uuid, PRIMARY KEY (part, id)) WITH (` + vacuumOften + `)`

func partLayouts() []layout {
	var all []layout
	for _, spread := range []bool{false, true} {
		for _, n := range []int{16, 1, 64} {
			l := inline(fmt.Sprintf("%d partitions, one queue", n), 200)
			if l.parts, l.spread = n, spread; spread {
				l.name = fmt.Sprintf("%d partitions, jobs over all of them", n)
			}
			all = append(all, l)
		}
	}
	return all
}

func planLayouts() []layout {
	var all []layout
	for _, generic := range []bool{false, true} {
		l := inline("as PostgreSQL chooses", 200)
		if l.parts, l.spread, l.generic = 16, true, generic; generic {
			l.name = "generic plans forced"
		}
		all = append(all, l)
	}
	return all
}

func finishLayouts() []layout {
	two := inline("lock and copy, then delete", 200)
	two.finish = []string{historyColumns + `g.body FROM (
			SELECT t.* FROM {{leaf}} AS t, ` + keys + ` WHERE ` + match + ` AND t.state = 2 AND t.claim_id = @claim FOR UPDATE OF t
		) AS g RETURNING id`, deleteRows, dropClaim}
	return []layout{inline("DELETE and INSERT in one statement", 200), two}
}
