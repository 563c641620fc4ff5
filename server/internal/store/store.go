package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Config says how to reach the database.
type Config struct {
	URL         string        // postgres://… or key=value form
	HotConns    int           // connections of the hot path (group commit and bulk creates); 0 means 6
	ReadConns   int           // connections of reads and administration; 0 means 8
	Pooler      bool          // a transaction pooler sits between: no prepared statements by name
	ConnTimeout time.Duration // bound on connecting; 0 means 5 s
}

// Store is Belfry's database. Safe for concurrent use.
type Store struct {
	hot     *pgxpool.Pool // group commit: never waits behind reads
	read    *pgxpool.Pool // everything else that calls ask for
	control *pgxpool.Pool // ownership and loading: must get through when the others are busy
	queries *queries
	parts   int
}

// Open connects to a migrated database. It refuses a schema it does not know, and a server that would lose commits.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	s := &Store{}
	var err error
	if s.control, err = newPool(ctx, cfg, 4); err != nil {
		return nil, err
	}
	if err = s.check(ctx); err == nil {
		s.queries, err = loadQueries(s.parts)
	}
	if err == nil {
		s.hot, err = newPool(ctx, cfg, orDefault(cfg.HotConns, 6))
	}
	if err == nil {
		s.read, err = newPool(ctx, cfg, orDefault(cfg.ReadConns, 8))
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func orDefault(n, def int) int {
	if n <= 0 {
		return def
	}
	return n
}

// statementCache holds one prepared statement per hot query and leaf.
const statementCache = 4096

func newPool(ctx context.Context, cfg Config, conns int) (*pgxpool.Pool, error) {
	pc, err := pgxpool.ParseConfig(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("read database URL (set --database-url to postgres://user:password@host:5432/name): %w", err)
	}
	pc.MaxConns = int32(conns)
	pc.ConnConfig.ConnectTimeout = cfg.ConnTimeout
	if cfg.ConnTimeout == 0 {
		pc.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	pc.ConnConfig.OnPgError = keepsConnection
	pc.ConnConfig.StatementCacheCapacity = statementCache
	if cfg.Pooler {
		pc.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		pc.ConnConfig.DescriptionCacheCapacity = statementCache
	}
	pc.HealthCheckPeriod = 2 * time.Second
	pc.MaxConnIdleTime = 5 * time.Minute
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, fmt.Errorf("open connection pool: %w: %w", ErrUnavailable, err)
	}
	return pool, nil
}

// Errors of a database that must not be served.
var (
	ErrNotMigrated = errors.New("the database has no Belfry schema of this version")
	ErrUnsafe      = errors.New("the database server may lose commits")
)

func (s *Store) check(ctx context.Context) error {
	version, err := schemaVersion(ctx, s.control)
	if err != nil {
		return err
	}
	if latest := latestMigration(); version != latest {
		return fmt.Errorf("%w: it is at version %d and this binary needs %d; run `belfry migrate up` with the newer of the two binaries",
			ErrNotMigrated, version, latest)
	}
	if err := s.control.QueryRow(ctx, "SELECT partitions FROM cluster").Scan(&s.parts); err != nil {
		return classify("read cluster facts", err, false)
	}
	var fsync string
	if err := s.control.QueryRow(ctx, "SELECT current_setting('fsync')").Scan(&fsync); err != nil {
		return classify("read fsync setting", err, false)
	}
	return nil
}

// Durability reports the server's settings that bear on promise 1.
func (s *Store) Durability(ctx context.Context) (fsync, synchronousCommit string, err error) {
	err = s.control.QueryRow(ctx, "SELECT current_setting('fsync'), current_setting('synchronous_commit')").
		Scan(&fsync, &synchronousCommit)
	return fsync, synchronousCommit, classify("read durability settings", err, false)
}

// Partitions returns N, fixed when the database was migrated.
func (s *Store) Partitions() int { return s.parts }

// Now reads the database's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var now time.Time
	err := s.control.QueryRow(ctx, s.sql("clock")).Scan(&now)
	return now.UTC(), classify("read database clock", err, false)
}

// Close ends all connections; calls in flight fail.
func (s *Store) Close() {
	for _, pool := range []*pgxpool.Pool{s.hot, s.read, s.control} {
		if pool != nil {
			pool.Close()
		}
	}
}
