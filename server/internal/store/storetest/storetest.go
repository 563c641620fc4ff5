package storetest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/server/internal/store"
)

// DB is the database of one test.
type DB struct {
	Store *store.Store
	URL   string // with the rights of a superuser

	t    testing.TB
	pool *pgxpool.Pool // for what the test does behind the store's back
}

// Option changes what New makes.
type Option func(*options)

type options struct {
	server     string
	partitions int
	config     store.Config
}

// WithPartitions sets the number of partitions; 4 unless said otherwise, to be quick.
func WithPartitions(n int) Option { return func(o *options) { o.partitions = n } }

// OnServer names another server than the shared one, by the URL of its database postgres: a transaction that writes for
// long in any database of a server holds up pruning in all of them.
func OnServer(url string) Option { return func(o *options) { o.server = url } }

// WithConfig sets how the Store connects; the URL in it does not count.
func WithConfig(c store.Config) Option { return func(o *options) { o.config = c } }

// New makes a database for the test, and opens a Store on it.
func New(t testing.TB, opts ...Option) *DB {
	t.Helper()
	o := options{partitions: 4, config: store.Config{HotConns: 3, ReadConns: 4}}
	for _, opt := range opts {
		opt(&o)
	}
	if o.server == "" {
		o.server = pgtest.URL(t)
	}
	s := server{t: t, url: o.server}
	name := databaseName()
	s.clone(t.Context(), name, o.partitions)
	t.Cleanup(func() { s.drop(context.Background(), name) })

	db := &DB{URL: s.on(name), t: t}
	o.config.URL = db.URL
	var err error
	if db.Store, err = store.Open(t.Context(), o.config); err != nil {
		t.Fatalf("open the test's store: %v", err)
	}
	t.Cleanup(db.Store.Close)
	// Not the test's context, which ends before its cleanups run.
	if db.pool, err = pgxpool.New(context.Background(), db.URL+"&pool_max_conns=8"); err != nil {
		t.Fatalf("open the test's connections: %v", err)
	}
	t.Cleanup(db.pool.Close)
	t.Cleanup(db.audit)
	return db
}

func databaseName() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return "belfry_test_" + hex.EncodeToString(b[:])
}

// Open opens another Store on the database, as a second node would; it is closed at the end of the test.
func (db *DB) Open() *store.Store {
	db.t.Helper()
	s, err := store.Open(db.t.Context(), store.Config{URL: db.URL, HotConns: 3, ReadConns: 4})
	if err != nil {
		db.t.Fatalf("open another store: %v", err)
	}
	db.t.Cleanup(s.Close)
	return s
}

// Exec runs one statement behind the store's back and returns the number of rows it touched.
func (db *DB) Exec(sql string, args ...any) int64 {
	db.t.Helper()
	tag, err := db.pool.Exec(context.Background(), sql, args...)
	if err != nil {
		db.t.Fatalf("%s: %v", sql, err)
	}
	return tag.RowsAffected()
}

// Value reads the only column of the only row of a query.
func Value[T any](db *DB, sql string, args ...any) T {
	db.t.Helper()
	var v T
	if err := db.pool.QueryRow(context.Background(), sql, args...).Scan(&v); err != nil {
		db.t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// Column reads the only column of all rows of a query.
func Column[T any](db *DB, sql string, args ...any) []T {
	db.t.Helper()
	rows, err := db.pool.Query(context.Background(), sql, args...)
	if err == nil {
		var all []T
		if all, err = pgx.CollectRows(rows, pgx.RowTo[T]); err == nil {
			return all
		}
	}
	db.t.Fatalf("%s: %v", sql, err)
	return nil
}

// Tx is a transaction that a test holds open beside the store's.
type Tx struct {
	db *DB
	tx pgx.Tx
}

// Begin opens a transaction, which is rolled back at the end of the test at the latest.
func (db *DB) Begin() *Tx {
	db.t.Helper()
	tx, err := db.pool.Begin(context.Background())
	if err != nil {
		db.t.Fatalf("begin: %v", err)
	}
	db.t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return &Tx{db: db, tx: tx}
}

// Exec runs one statement in the transaction.
func (tx *Tx) Exec(sql string, args ...any) {
	tx.db.t.Helper()
	if _, err := tx.tx.Exec(context.Background(), sql, args...); err != nil {
		tx.db.t.Fatalf("%s: %v", sql, err)
	}
}

// Commit ends the transaction.
func (tx *Tx) Commit() {
	tx.db.t.Helper()
	if err := tx.tx.Commit(context.Background()); err != nil {
		tx.db.t.Fatalf("commit: %v", err)
	}
}

// AwaitBlocked waits until n of the database's connections wait for a lock: the moment at which a test may say that a
// call is being held up.
func (db *DB) AwaitBlocked(n int) {
	db.t.Helper()
	const waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
	for deadline := time.Now().Add(10 * time.Second); Value[int](db, waiting) < n; {
		if time.Now().After(deadline) {
			db.t.Fatalf("after 10 s fewer than %d connections wait for a lock", n)
		}
	}
}

// SetClock moves the database's clock, as belfry_now() tells it, to offset from the true time, and makes the history that
// is needed there. It holds for every statement that begins afterwards, on every connection.
func (db *DB) SetClock(offset time.Duration) {
	db.t.Helper()
	db.moveClock("excluded.shift", offset)
}

// Advance moves the database's clock by d from where it is.
func (db *DB) Advance(d time.Duration) {
	db.t.Helper()
	db.moveClock("test_clock.shift + excluded.shift", d)
}

func (db *DB) moveClock(shift string, d time.Duration) {
	db.t.Helper()
	// The function is replaced only here: tests of plans shall see the true one. It reads by key, since the hot path turns
	// scans off, and PostgreSQL would compile one for its price.
	db.Exec(`CREATE TABLE IF NOT EXISTS test_clock (only_row boolean PRIMARY KEY DEFAULT true, shift interval NOT NULL)`)
	db.Exec(fmt.Sprintf(`INSERT INTO test_clock (shift) VALUES ($1::bigint * interval '1 microsecond')
		ON CONFLICT (only_row) DO UPDATE SET shift = %s`, shift), d.Microseconds())
	db.Exec(`CREATE OR REPLACE FUNCTION belfry_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
		AS 'SELECT statement_timestamp() + (SELECT shift FROM test_clock WHERE only_row)'`)
	ctx := context.Background()
	now, err := db.Store.Now(ctx)
	if err != nil {
		db.t.Fatal(err)
	}
	classes, err := db.Store.RetentionInUse(ctx)
	if err != nil {
		db.t.Fatal(err)
	}
	if err := db.Store.EnsureHistory(ctx, now, classes); err != nil {
		db.t.Fatal(err)
	}
}
