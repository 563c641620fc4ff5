package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// How many days of history have their table beforehand: a server that could not make any for a week still keeps its
// promise. The day before is for rows that a lagging clock dates back.
const (
	historyBehind = 1
	historyAhead  = 8
)

// RequestsKept is how long a request id is remembered at least.
const RequestsKept = 24 * time.Hour

// historyDay is one leaf of history: what ended on one UTC day and is kept for class days.
type historyDay struct {
	class int16
	from  time.Time
}

func classTable(class int16) string { return fmt.Sprintf("history_r%02d", class) }

func (d historyDay) table() string { return classTable(d.class) + "_" + d.from.Format("20060102") }

// droppable is the first instant at which no row of the leaf has to be kept: class days after the end of its day.
func (d historyDay) droppable() time.Time { return d.from.AddDate(0, 0, int(d.class)+1) }

func parseHistoryDay(table string) (historyDay, bool) {
	class, day, ok := strings.Cut(strings.TrimPrefix(table, "history_r"), "_")
	days, err := strconv.ParseInt(class, 10, 16)
	from, bad := time.ParseInLocation("20060102", day, time.UTC)
	return historyDay{class: int16(days), from: from}, ok && err == nil && bad == nil
}

func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// EnsureHistory makes the tables of the given retention classes from the day before now until 8 days after it, in UTC.
// Those that exist are left alone; concurrent calls wait for each other.
func (s *Store) EnsureHistory(ctx context.Context, now time.Time, classes []int16) error {
	missing, err := s.missingHistory(ctx, s.control, now, classes)
	if err != nil || len(missing) == 0 {
		return err
	}
	return inTx(ctx, s.control, "make history partitions", func(tx pgx.Tx) error {
		return s.makeHistory(ctx, tx, now, classes)
	})
}

// makeHistory is EnsureHistory within a transaction.
func (s *Store) makeHistory(ctx context.Context, tx pgx.Tx, now time.Time, classes []int16) error {
	missing, err := s.missingHistory(ctx, tx, now, classes)
	if err != nil || len(missing) == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, s.sql("lock_history")); err != nil {
		return err
	}
	if missing, err = s.missingHistory(ctx, tx, now, classes); err != nil {
		return err
	}
	for _, table := range missing {
		if _, err := tx.Exec(ctx, historyDDL(table)); err != nil {
			return fmt.Errorf("make %s: %w", table, err)
		}
	}
	return nil
}

// missingHistory lists the tables that do not exist yet, a class before its days.
func (s *Store) missingHistory(ctx context.Context, db querier, now time.Time, classes []int16) ([]string, error) {
	var wanted []string
	for _, class := range classes {
		if class <= 0 {
			return nil, fmt.Errorf("BUG: retention class %d", class)
		}
		wanted = append(wanted, classTable(class))
		for n := -historyBehind; n <= historyAhead; n++ {
			wanted = append(wanted, historyDay{class, dayOf(now).AddDate(0, 0, n)}.table())
		}
	}
	rows, err := db.Query(ctx, s.sql("missing_tables"), wanted)
	if err != nil {
		return nil, classify("look for history partitions", err, false)
	}
	missing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	slices.Sort(missing)
	return missing, classify("look for history partitions", err, false)
}

// historyDDL makes a table and then attaches it: PARTITION OF would lock out everyone who writes to the parent.
func historyDDL(table string) string {
	day, ok := parseHistoryDay(table)
	if !ok {
		class := strings.TrimPrefix(table, "history_r")
		return fmt.Sprintf("CREATE TABLE %[1]s (LIKE history INCLUDING DEFAULTS) PARTITION BY RANGE (finished_at);"+
			"ALTER TABLE history ATTACH PARTITION %[1]s FOR VALUES IN (%[2]s)", table, strings.TrimLeft(class, "0"))
	}
	bound := func(t time.Time) string { return t.Format("2006-01-02 15:04:05Z07:00") }
	return fmt.Sprintf("CREATE TABLE %[1]s (LIKE history INCLUDING DEFAULTS);"+
		"ALTER TABLE %[2]s ATTACH PARTITION %[1]s FOR VALUES FROM ('%[3]s') TO ('%[4]s')",
		table, classTable(day.class), bound(day.from), bound(day.from.AddDate(0, 0, 1)))
}

// RetentionInUse lists the classes that need tables: those of all queues, and the three that any queue can come to need.
func (s *Store) RetentionInUse(ctx context.Context) ([]int16, error) {
	used, err := listRows(ctx, s.control, "read retention classes", s.sql("retention_in_use"), func(row pgx.Row) (int16, error) {
		var class int16
		err := row.Scan(&class)
		return class, err
	})
	classes := append([]int16{job.SlimRetention, job.DefaultRetention, job.DeadRetention}, used...)
	slices.Sort(classes)
	return slices.Compact(classes), err
}

// DropHistory drops the tables of whole days that have outlived their class, and answers their names. now counts unless
// the database's clock is behind it: a node whose clock runs ahead must not drop a row early. A table that somebody reads
// just now is left for the next call.
func (s *Store) DropHistory(ctx context.Context, now time.Time) ([]string, error) {
	theirs, err := s.Now(ctx)
	if err != nil {
		return nil, err
	}
	if theirs.Before(now) {
		now = theirs
	}
	tables, err := listRows(ctx, s.control, "list history partitions", s.sql("history_days"), func(row pgx.Row) (string, error) {
		var table string
		err := row.Scan(&table)
		return table, err
	})
	var dropped []string
	var faults []error
	for _, table := range tables {
		day, ok := parseHistoryDay(table)
		if !ok || now.Before(day.droppable()) {
			continue
		}
		switch err := s.dropTable(ctx, table); {
		case err == nil:
			dropped = append(dropped, table)
		case !IsContention(err):
			faults = append(faults, err)
		}
	}
	return dropped, errors.Join(append(faults, err)...)
}

func (s *Store) dropTable(ctx context.Context, table string) error {
	return inTx(ctx, s.control, "drop "+table, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, s.sql("quick_lock")); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "DROP TABLE IF EXISTS "+pgx.Identifier{table}.Sanitize())
		return err
	})
}

// SweepRequests forgets at most limit request ids of jobs, and as many others, that are older than age (RequestsKept at
// least). It answers how many it forgot; as many as limit or more means that another call is due.
func (s *Store) SweepRequests(ctx context.Context, age time.Duration, limit int) (int64, error) {
	age = max(age, RequestsKept)
	var n int64
	for _, query := range []string{"sweep_requests", "sweep_admin_requests"} {
		tag, err := s.control.Exec(ctx, s.sql(query), age.Microseconds(), limit)
		if err != nil {
			return n, classify("sweep request ids", err, false)
		}
		n += tag.RowsAffected()
	}
	return n, nil
}
