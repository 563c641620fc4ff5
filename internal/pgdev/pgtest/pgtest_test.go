//go:build unix

package pgtest_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/internal/pgdev"
	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestURL_IsThatOfASuperuserAndAlwaysTheSame(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	if again := pgtest.URL(t); again != url {
		t.Error("a second server was started")
	}
	if got := isSuperuser(t, url); !got {
		t.Error("not a superuser")
	}
}

func TestServer_IsOnesOwn(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t, pgdev.Options{Settings: map[string]string{"work_mem": "5MB"}})
	if server.URL("postgres") == pgtest.URL(t) {
		t.Fatal("Server returned the shared server")
	}
	if err := server.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !isSuperuser(t, server.URL("postgres")) {
		t.Error("not a superuser")
	}
}

func isSuperuser(t *testing.T, url string) bool {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var super string
	if err := conn.QueryRow(t.Context(), "SHOW is_superuser").Scan(&super); err != nil {
		t.Fatal(err)
	}
	return super == "on"
}
