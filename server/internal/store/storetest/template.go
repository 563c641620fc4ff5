package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/server/internal/store"
)

const (
	templatePrefix = "belfry_template_"
	templateLock   = 0x62656c66 // advisory lock under which templates are made, in the server's database postgres
)

// server is a PostgreSQL server for tests, by the URL of its database postgres.
type server struct {
	t   testing.TB
	url string
}

// on returns the URL of another database of the server, with the time-outs that `belfry migrate` sets on the role.
func (s server) on(database string) string {
	u, err := url.Parse(s.url)
	if err != nil {
		s.t.Fatalf("%s is not a URL: %v", pgtest.EnvURL, err)
	}
	u.Path = "/" + database
	q := u.Query()
	q.Set("options", "-c statement_timeout=30s -c lock_timeout=5s")
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // a plus sign is one here, not a space
	return u.String()
}

// do runs f on a connection to the database postgres.
func (s server) do(ctx context.Context, what string, f func(*pgx.Conn) error) {
	s.t.Helper()
	conn, err := pgx.Connect(ctx, s.url)
	if err == nil {
		err = errors.Join(f(conn), conn.Close(ctx))
	}
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
}

// clone makes a database that is a copy of the template for n partitions, which it makes if it is the first to need it.
func (s server) clone(ctx context.Context, name string, n int) {
	s.t.Helper()
	fingerprint, err := store.SchemaFingerprint()
	if err != nil {
		s.t.Fatal(err)
	}
	// The template has history for the days around that of its making.
	template := fmt.Sprintf("%s%s_%d_%s", templatePrefix, fingerprint, n, time.Now().UTC().Format("060102"))
	s.do(ctx, "make the test's database", func(conn *pgx.Conn) error {
		var exists bool
		if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", template).Scan(&exists); err != nil {
			return err
		}
		if !exists {
			if err := s.makeTemplate(ctx, conn, template, n); err != nil {
				return fmt.Errorf("make template: %w", err)
			}
		}
		_, err := conn.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", name, template))
		return err
	})
}

func (s server) drop(ctx context.Context, name string) {
	s.do(ctx, "drop the test's database", func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, fmt.Sprintf("DROP DATABASE IF EXISTS %s WITH (FORCE)", name))
		return err
	})
}

// makeTemplate works under another name until the template is complete. conn holds the lock until it is closed.
func (s server) makeTemplate(ctx context.Context, conn *pgx.Conn, template string, n int) error {
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return err
	}
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", template).Scan(&exists); err != nil || exists {
		return errors.Join(err, unlock(ctx, conn))
	}
	if err := dropStale(ctx, conn, template); err != nil {
		return err
	}
	draft := template + "_draft"
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+draft); err != nil {
		return err
	}
	if err := migrate(ctx, s.on(draft), n); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", draft, template)); err != nil {
		return err
	}
	// Nobody may connect: a database with a connection cannot be copied.
	if _, err := conn.Exec(ctx, fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS false", template)); err != nil {
		return err
	}
	return unlock(ctx, conn)
}

func unlock(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", templateLock)
	return err
}

// dropStale removes templates of other days, which a server that runs for long would collect, and drafts that were left
// behind.
func dropStale(ctx context.Context, conn *pgx.Conn, template string) error {
	today := template[strings.LastIndexByte(template, '_'):]
	rows, err := conn.Query(ctx, "SELECT datname FROM pg_database WHERE starts_with(datname, $1) AND NOT datname LIKE '%' || $2",
		templatePrefix, today)
	if err != nil {
		return err
	}
	stale, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, name := range stale {
		if _, dropErr := conn.Exec(ctx, fmt.Sprintf("DROP DATABASE IF EXISTS %s WITH (FORCE)", name)); dropErr != nil {
			err = errors.Join(err, dropErr)
		}
	}
	return err
}

func migrate(ctx context.Context, url string, n int) error {
	if _, err := store.Migrate(ctx, url, store.MigrateOptions{Partitions: n, UnsafeTesting: true}); err != nil {
		return err
	}
	s, err := store.Open(ctx, store.Config{URL: url})
	if err != nil {
		return err
	}
	defer s.Close()
	classes, err := s.RetentionInUse(ctx)
	if err != nil {
		return err
	}
	if err := s.EnsureHistory(ctx, time.Now(), classes); err != nil {
		return err
	}
	return dropLaterDays(ctx, url)
}

// dropLaterDays leaves the history of yesterday to tomorrow: the number of files is what a copy costs.
func dropLaterDays(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `DO $$ DECLARE leaf text; BEGIN
		FOR leaf IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^history_r[0-9]+_'
			AND right(relname, 8) > to_char((now() AT TIME ZONE 'UTC') + interval '1 day', 'YYYYMMDD')
		LOOP EXECUTE 'DROP TABLE ' || leaf; END LOOP; END $$`)
	return errors.Join(err, conn.Close(ctx))
}
