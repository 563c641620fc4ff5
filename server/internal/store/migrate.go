package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// DefaultPartitions is N when nothing else is said.
const DefaultPartitions = 16

// MigrateOptions says what to make of an empty database.
type MigrateOptions struct {
	Partitions    int  // fixed at the first migration; 0 means 16
	RoleSettings  bool // set time-outs on the role in this database; off only where the role may not
	UnsafeTesting bool // a test database: faster, not durable
}

// MigrationStatus is one migration and whether it has been applied.
type MigrationStatus struct {
	Version int64
	Name    string
	Applied bool
}

// Migrate brings the database to the newest schema of this binary. It holds a lock, so that two of them run one after the
// other. Repeating it changes nothing.
func Migrate(ctx context.Context, url string, opts MigrateOptions) ([]MigrationStatus, error) {
	db, provider, err := openGoose(url)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if _, err := provider.Up(ctx); err != nil {
		return nil, fmt.Errorf("migrate database: %w", classify("apply migrations", err, false))
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, classify("connect to migrated database", err, false)
	}
	defer conn.Close(ctx)
	if err := makePartitions(ctx, conn, opts); err != nil {
		return nil, err
	}
	return migrationStatus(ctx, provider)
}

// Status lists all migrations of this binary and whether they have been applied.
func Status(ctx context.Context, url string) ([]MigrationStatus, error) {
	db, provider, err := openGoose(url)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return migrationStatus(ctx, provider)
}

func migrationStatus(ctx context.Context, provider *goose.Provider) ([]MigrationStatus, error) {
	list, err := provider.Status(ctx)
	if err != nil {
		return nil, classify("read migration status", err, false)
	}
	var out []MigrationStatus
	for _, m := range list {
		name := m.Source.Path[strings.LastIndexByte(m.Source.Path, '/')+1:]
		out = append(out, MigrationStatus{Version: m.Source.Version, Name: name, Applied: m.State == goose.StateApplied})
	}
	return out, nil
}

func openGoose(url string) (*sql.DB, *goose.Provider, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, nil, fmt.Errorf("read database URL (set --database-url to postgres://user:password@host:5432/name): %w", err)
	}
	db := stdlib.OpenDB(*cfg)
	files, err := fs.Sub(migrationFiles, "migrations")
	if err == nil {
		var provider *goose.Provider
		provider, err = goose.NewProvider(goose.DialectPostgres, db, files, goose.WithTableName("belfry_migrations"))
		if err == nil {
			return db, provider, nil
		}
	}
	_ = db.Close()
	return nil, nil, fmt.Errorf("open migrations: %w", err)
}

// latestMigration is the schema version this binary needs, read from the names of the embedded files.
func latestMigration() int64 {
	entries, err := migrationFiles.ReadDir("migrations")
	if err != nil || len(entries) == 0 {
		return 0
	}
	number, _, _ := strings.Cut(entries[len(entries)-1].Name(), "_") // in order of name
	version, _ := strconv.ParseInt(number, 10, 64)                   // goose refuses names without one
	return version
}

// schemaVersion reads which migration the database is at; 0 if it has none.
func schemaVersion(ctx context.Context, pool *pgxpool.Pool) (int64, error) {
	var version int64
	err := pool.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM belfry_migrations WHERE is_applied").Scan(&version)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "42P01" {
		return 0, nil
	}
	return version, classify("read schema version", err, false)
}

// leafOptions tunes the hot tables: room for HOT updates in each page, and vacuum that follows the work closely.
const leafOptions = `fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
	autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05,
	toast_tuple_target = 1024`

func makePartitions(ctx context.Context, conn *pgx.Conn, opts MigrateOptions) error {
	n := orDefault(opts.Partitions, DefaultPartitions)
	if n > 4096 {
		return fmt.Errorf("partitions: %d is above the limit of 4096; choose fewer", n)
	}
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// Serialises concurrent migrations of one database, within this transaction only.
		if _, err := tx.Exec(ctx, "LOCK TABLE cluster IN EXCLUSIVE MODE"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO cluster (partitions) VALUES ($1) ON CONFLICT DO NOTHING", n); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "SELECT partitions FROM cluster").Scan(&n); err != nil {
			return err
		}
		for part := range n {
			ddl := fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s PARTITION OF triggers FOR VALUES IN (%d) WITH (%s)",
				Leaf(int16(part)), part, leafOptions)
			if _, err := tx.Exec(ctx, ddl); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "INSERT INTO partitions (part) SELECT generate_series(0, $1::int - 1) ON CONFLICT DO NOTHING", n)
		return err
	})
	if err != nil {
		return classify("make partitions", err, false)
	}
	if opts.RoleSettings {
		return setRole(ctx, conn)
	}
	return nil
}

// roleSettings bound every statement and transaction of Belfry's role in this database, so that a stuck client cannot
// hold locks or the xmin horizon. Just-in-time compilation costs more than any of our statements: pinned plans carry the
// cost of the plans they rule out, which takes them over its threshold.
var roleSettings = []string{
	"statement_timeout = '30s'",
	"lock_timeout = '5s'",
	"idle_in_transaction_session_timeout = '10s'",
	"default_transaction_isolation = 'read committed'",
	"jit = off",
}

func setRole(ctx context.Context, conn *pgx.Conn) error {
	var role, database string
	if err := conn.QueryRow(ctx, "SELECT quote_ident(current_user), quote_ident(current_database())").Scan(&role, &database); err != nil {
		return classify("read role", err, false)
	}
	for _, setting := range roleSettings {
		if _, err := conn.Exec(ctx, fmt.Sprintf("ALTER ROLE %s IN DATABASE %s SET %s", role, database, setting)); err != nil {
			return classify("set role time-outs (the role needs the right to alter itself; or pass --no-role-settings)", err, false)
		}
	}
	return nil
}
