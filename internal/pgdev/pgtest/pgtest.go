//go:build unix

// Package pgtest gives tests a PostgreSQL server.
//
// `make test` starts one server for the whole run and names it in
// BELFRY_TEST_DATABASE_URL. A plain `go test` starts one per test process on
// first use. Either way it is shared and runs without fsync: a test creates a
// database of its own in it. A machine without PostgreSQL fails the tests; it
// never skips them.
//
// The functions may be called from parallel tests.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/belfryhq/belfry/internal/pgdev"
)

// EnvURL names the environment variable with the URL of a server for tests, as
// a superuser.
const EnvURL = "BELFRY_TEST_DATABASE_URL"

// shared is the server of this process. A process has one environment and one
// life, and so one such server.
var shared struct {
	sync.Mutex
	server *pgdev.Server
	err    error
}

// URL returns the URL of the shared server's database postgres, as superuser.
func URL(t testing.TB) string {
	t.Helper()
	if url := os.Getenv(EnvURL); url != "" {
		return url
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil && shared.err == nil {
		// Not the test's context: the server outlives the test.
		shared.server, shared.err = pgdev.StartTemporary(context.Background(), pgdev.Options{})
	}
	if shared.err != nil {
		fail(t, shared.err)
	}
	return shared.server.URL("postgres")
}

// Server starts a server for this test alone, which it may kill and restart.
// It is stopped and removed at the end of the test. opts is as for
// pgdev.StartTemporary.
func Server(t testing.TB, opts pgdev.Options) *pgdev.Server {
	t.Helper()
	server, err := pgdev.StartTemporary(t.Context(), opts)
	if err != nil {
		fail(t, err)
	}
	t.Cleanup(func() {
		if err := server.Stop(context.Background()); err != nil {
			t.Errorf("stop PostgreSQL: %v", err)
		}
	})
	return server
}

func fail(t testing.TB, err error) {
	t.Helper()
	t.Fatalf("this test needs PostgreSQL: install it (on Debian and Ubuntu: apt-get install postgresql), "+
		"or set %s to the URL of a superuser: %v", EnvURL, err)
}

// Main runs the tests of a package and then stops the shared server:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
//
// Without it the server still ends with the process, but its directory is left
// in the temporary directory until the next test run.
func Main(m *testing.M) int {
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		return code
	}
	if err := shared.server.Stop(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		return max(code, 1)
	}
	return code
}
