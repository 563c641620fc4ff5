package store

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// Forecast reads schedules and waiting jobs as they were at one instant, so that a job that is made meanwhile is counted
// either as one or by its rule. Its statements end after the time that is left to them: such an error is IsContention, and
// nothing more can be read then.
type Forecast struct {
	Now time.Time // the database's clock

	store *Store
	tx    pgx.Tx
}

// Forecast calls read with what stands in the database now. It holds one connection of reads as long as read takes.
func (s *Store) Forecast(ctx context.Context, read func(*Forecast) error) error {
	tx, err := s.read.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return classify("begin forecast", err, false)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	f := &Forecast{store: s, tx: tx}
	batch := &pgx.Batch{}
	batch.Queue(s.sql(orderedSettings))
	batch.Queue(s.sql("clock")).QueryRow(func(row pgx.Row) error { return row.Scan(&f.Now) })
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return classify("begin forecast", err, false)
	}
	f.Now = f.Now.UTC()
	return read(f)
}

// within runs one statement that ends after the given time at the latest.
func (f *Forecast) within(ctx context.Context, left time.Duration, queue func(*pgx.Batch)) error {
	batch := &pgx.Batch{}
	batch.Queue(f.store.sql("limit_time"), strconv.FormatInt(max(1, left.Milliseconds()), 10)) // 0 would be no limit
	queue(batch)
	return classify("read forecast", f.tx.SendBatch(ctx, batch).Close(), false)
}

// Parts reads the partitions of a tenant's queues, in order.
func (f *Forecast) Parts(ctx context.Context, tenant int32) ([]int16, error) {
	return partsOfTenant(ctx, f.tx, f.store, tenant)
}

// Lanes reads up to limit lanes of a tenant, in any order.
func (f *Forecast) Lanes(ctx context.Context, tenant int32, limit int) ([]int32, error) {
	return listRows(ctx, f.tx, "read lanes of tenant", f.store.sql("lanes_of_tenant"), scanID, tenant, limit)
}

// ForecastJobs asks for the jobs of one partition that are due inside (From, To).
type ForecastJobs struct {
	Part     int16
	From, To time.Time
	Lanes    []int32       // only theirs; nil: of all
	ByLane   bool          // Lanes are few: read lane by lane
	Near     bool          // tell apart what schedules have made ahead; each job costs the look at its row then
	Limit    int           // rows looked at, the first ones
	Within   time.Duration // for the statement
}

// MinuteLoad is what becomes due in one minute.
type MinuteLoad struct {
	Minute  time.Time // its begin, UTC
	Ahead   int64     // jobs of the look-ahead of schedules, if asked for
	Waiting int64     // others
}

// Jobs counts by the minute, in any order. seen is how many rows were looked at: the limit means that there may be more.
func (f *Forecast) Jobs(ctx context.Context, q ForecastJobs) (loads []MinuteLoad, seen int, err error) {
	name := "forecast"
	if q.ByLane {
		name += "_lanes"
	}
	if q.Near {
		name += "_near"
	} else {
		name += "_far"
	}
	err = f.within(ctx, q.Within, func(batch *pgx.Batch) {
		batch.Queue(f.store.leafSQL(name, q.Part), q.From, q.To, q.Limit, q.Lanes).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var m MinuteLoad
				var n int
				if err := rows.Scan(&m.Minute, &m.Ahead, &m.Waiting, &n); err != nil {
					return err
				}
				m.Minute = m.Minute.UTC()
				loads = append(loads, m)
				seen += n
			}
			return rows.Err()
		})
	})
	return loads, seen, err
}

// ForecastSchedule is what a forecast needs to know of a schedule that is neither paused nor deleted nor in error.
type ForecastSchedule struct {
	Tenant string // name
	Name   string
	Spec   string // JSON
	Runs   int64
	Cursor time.Time // nominal times up to and including it have been decided on
	Next   time.Time // a bound below the due time of the first one after it
	ID     int32
}

// ForecastPage asks for up to Limit schedules that may have something due before Until.
type ForecastPage struct {
	Until  time.Time
	After  *ForecastSchedule // the last one of the page before; nil: the first page
	Limit  int
	Within time.Duration // for the statement
}

// Schedules reads a page of those of all tenants in a partition.
func (f *Forecast) Schedules(ctx context.Context, part int16, p ForecastPage) ([]ForecastSchedule, error) {
	var after ForecastSchedule
	if p.After != nil {
		after = *p.After
	}
	return f.schedules(ctx, p, f.store.sql("forecast_schedules"), part, p.Until, after.Next, after.ID, p.Limit)
}

// SchedulesOf reads a page of those of one tenant.
func (f *Forecast) SchedulesOf(ctx context.Context, tenant int32, p ForecastPage) ([]ForecastSchedule, error) {
	name := ""
	if p.After != nil {
		name = p.After.Name
	}
	return f.schedules(ctx, p, f.store.sql("forecast_schedules_of_tenant"), tenant, p.Until, name, p.Limit)
}

func (f *Forecast) schedules(ctx context.Context, p ForecastPage, sql string, args ...any) ([]ForecastSchedule, error) {
	list := make([]ForecastSchedule, 0, p.Limit)
	err := f.within(ctx, p.Within, func(batch *pgx.Batch) {
		batch.Queue(sql, args...).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var s ForecastSchedule
				if err := rows.Scan(&s.Tenant, &s.Name, &s.Spec, &s.Runs, &s.Cursor, &s.Next, &s.ID); err != nil {
					return err
				}
				list = append(list, s)
			}
			return rows.Err()
		})
	})
	return list, err
}
