package main

import (
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// takeOverRuns is how often each way of finding leases is tried.
const takeOverRuns = 7

// overdue makes 300,000 waiting rows that are due and, behind them, 10,000 leases on record in all three ways.
var overdue = []string{
	leasesTable,
	`INSERT INTO triggers_p00 (part, id, lane, priority, due_at, scheduled_at, age_until, body)
	 SELECT 0, ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 1 + i % 20, i % 10, t, t, t + interval '30 days',
	        decode(repeat('00', 200), 'hex')
	 FROM generate_series(1, 310000) AS i, LATERAL (SELECT now() - interval '1 hour' + i * interval '0.01 s' AS t) AS due`,
	`UPDATE triggers_p00 SET state = 2, version = 2, claim_id = 1, claimed_at = now(), lease_us = 60000000,
	        lease_until = now() + interval '1 minute', attempt_until = now() + interval '1 hour'
	 WHERE id > '01900000-0000-7000-8000-0000000493e0'`,
	`INSERT INTO leases (part, id) SELECT part, id FROM triggers_p00 WHERE state = 2`,
	`INSERT INTO claims (part, claim_id, ids) SELECT 0, min(n), array_agg(id) FROM (
		SELECT id, row_number() OVER (ORDER BY id) AS n FROM triggers_p00 WHERE state = 2) AS numbered GROUP BY n / 500`,
	`VACUUM (ANALYZE) triggers_p00, leases, claims`,
}

const leaseState = `t.id, t.version, t.claim_id, t.lane, t.lease_until, t.lease_us`

var searches = []struct{ name, sql string }{
	{"row for each claim batch", `SELECT ` + leaseState + ` FROM claims AS c CROSS JOIN unnest(c.ids) AS k (id)
		CROSS JOIN LATERAL (SELECT * FROM triggers_p00 AS w WHERE w.part = 0 AND w.id = k.id OFFSET 0) AS t WHERE c.part = 0 AND t.state = 2`},
	{"narrow leases table", `SELECT ` + leaseState + ` FROM leases AS k
		CROSS JOIN LATERAL (SELECT * FROM triggers_p00 AS w WHERE w.part = 0 AND w.id = k.id OFFSET 0) AS t WHERE k.part = 0 AND t.state = 2`},
	{"scan of what is overdue", `SELECT ` + leaseState + ` FROM triggers_p00 AS t WHERE t.due_at <= belfry_now() AND t.state = 2`},
}

// takeOver measures how long a new owner takes to read 10,000 leases that stand behind 300,000 overdue rows.
func takeOver(b *bench) error {
	url, err := b.database("bench_takeover", 1)
	if err != nil {
		return err
	}
	if err := b.exec(url, overdue...); err != nil {
		return err
	}
	conn, err := pgx.Connect(b.ctx, url)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(b.ctx)
	took := make([][]time.Duration, len(searches))
	for range takeOverRuns {
		for i, s := range searches {
			start := b.clock.Now()
			tag, err := conn.Exec(b.ctx, s.sql)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if tag.RowsAffected() != 10_000 {
				return fmt.Errorf("%s finds %d leases of 10,000", s.name, tag.RowsAffected())
			}
			took[i] = append(took[i], b.clock.Now().Sub(start))
		}
	}
	fmt.Println("\ntake-over of 10,000 leases behind 300,000 overdue rows, median")
	for i, s := range searches {
		fmt.Printf("%-26s %s\n", s.name, median(took[i]).Round(100*time.Microsecond))
	}
	return nil
}
