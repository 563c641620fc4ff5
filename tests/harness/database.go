package harness

import (
	"context"
	"fmt"
	"testing"

	"github.com/belfryhq/belfry/internal/pgdev"
)

// Database is a PostgreSQL server of one world, with fsync and full_page_writes on: what is acknowledged must survive.
type Database struct {
	*pgdev.Server
	url string
}

// StartDatabase starts a PostgreSQL for this test alone; it ends with the test. settings overrides those of the server.
func StartDatabase(t testing.TB, settings map[string]string) *Database {
	t.Helper()
	db, err := startDatabase(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Stop(context.Background()); err != nil {
			t.Errorf("stop PostgreSQL: %v", err)
		}
	})
	return db
}

func startDatabase(ctx context.Context, settings map[string]string) (*Database, error) {
	all := map[string]string{"fsync": "on", "full_page_writes": "on", "max_connections": "100"}
	for name, value := range settings {
		all[name] = value
	}
	server, err := pgdev.StartTemporary(ctx, pgdev.Options{Settings: all})
	if err != nil {
		return nil, fmt.Errorf("tests need PostgreSQL; on Debian and Ubuntu: apt-get install postgresql: %w", err)
	}
	// A role without privileges, as in production.
	url, err := server.EnsureOwnedDatabase(ctx, "belfry")
	if err != nil {
		_ = server.Stop(ctx)
		return nil, fmt.Errorf("create database: %w", err)
	}
	return &Database{Server: server, url: url}, nil
}

// URL returns the URL by which Belfry reaches its database.
func (d *Database) URL() string { return d.url }
