package cli_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/pgdev"
	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
)

// accepted runs a command that must succeed and returns its standard output.
func accepted(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("belfry", args...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("belfry %v: %v\n%s", args, err, errors.String())
	}
	return string(out)
}

// The steps of an operator on a new database.
func TestServe_FromEmptyDatabase(t *testing.T) {
	t.Parallel()
	postgres := pgtest.Server(t, pgdev.Options{})
	url, err := postgres.EnsureOwnedDatabase(t.Context(), "belfry")
	noError(t, err)
	serve := []string{"serve", "--database-url", url, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"}

	refused(t, 1, []string{"pending", "belfry migrate up"}, "migrate", "status", "--database-url", url)
	refused(t, 1, []string{"belfry migrate up"}, serve...)
	if got := accepted(t, "migrate", "up", "--database-url", url, "--partitions", "4"); !strings.Contains(got, "applied 0001") {
		t.Errorf("migrate up:\n%s", got)
	}
	if got := accepted(t, "migrate", "up", "--database-url", url); !strings.HasPrefix(got, "0 migrations applied") {
		t.Errorf("migrate up again:\n%s", got)
	}
	if got := accepted(t, "migrate", "status", "--database-url", url); strings.Contains(got, "pending") {
		t.Errorf("migrate status:\n%s", got)
	}
	var key struct{ Secret string }
	noError(t, json.Unmarshal([]byte(accepted(t, "key", "create", "--platform", "--database-url", url, "-o", "json")), &key))

	refused(t, 1, []string{"fsync"}, serve...)
	running := startServe(t, append(serve, "--allow-unsafe-database"))
	accepted(t, "tenant", "create", "acme", "--address", running.address, "--admin-key", key.Secret)
	if got := accepted(t, "tenant", "list", "--address", running.address, "--admin-key", key.Secret); !strings.Contains(got, "acme") {
		t.Errorf("tenants:\n%s", got)
	}
	noError(t, running.cmd.Process.Signal(syscall.SIGTERM))
	if err := running.cmd.Wait(); err != nil {
		t.Errorf("serve after SIGTERM: %v", err)
	}
}

// serving is a `belfry serve` in progress.
type serving struct {
	cmd     *exec.Cmd
	address string
}

func startServe(t *testing.T, args []string) serving {
	t.Helper()
	cmd := exec.Command("belfry", append(args, "--log-format", "json")...)
	log, err := cmd.StderrPipe()
	noError(t, err)
	noError(t, cmd.Start())
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill() // the test has failed
			_ = cmd.Wait()
		}
	})
	watchdog := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("serve ended before it was ready: %v", err)
		}
		var event struct{ Msg, Address string }
		noError(t, json.Unmarshal([]byte(line), &event))
		if event.Msg == "ready" {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return serving{cmd, event.Address}
		}
	}
}

// A database of the user's is taken as it is, and one key of the platform is good for all of them.
func TestDev_OnGivenDatabases_KeepsItsKey(t *testing.T) {
	t.Parallel()
	postgres := pgtest.Server(t, pgdev.Options{})
	dir := devDir(t)
	var first string
	for _, name := range []string{"one", "two", "one"} {
		url, err := postgres.EnsureOwnedDatabase(t.Context(), name)
		noError(t, err)
		run := startDevOn(t, dir, "--database-url", url, "--allow-unsafe-database", "--partitions", "2")
		if got := run.client(t, "tenant", "list"); !strings.Contains(got, "dev") {
			t.Errorf("tenants of database %s:\n%s", name, got)
		}
		run.end(t, syscall.SIGINT)
		_, admin, _ := strings.Cut(readFile(t, filepath.Join(dir, "dev.env")), "BELFRY_ADMIN_KEY=")
		if first == "" {
			first = admin
		}
		if admin != first {
			t.Errorf("database %s has another platform key", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil {
		t.Error("a PostgreSQL was made beside the given one")
	}
}
