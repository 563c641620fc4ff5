//go:build unix

package pgdev

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// The one test that runs the real initdb to its end, durably.
func TestStart_OnNewDirectory_IsDurableAndLocal(t *testing.T) {
	t.Parallel()
	server := started(t, Options{DataDir: filepath.Join(openDir(t), "new", "pg")})
	url := server.URL("postgres")
	for setting, want := range map[string]string{
		"fsync":                   "on",
		"full_page_writes":        "on",
		"synchronous_commit":      "on",
		"listen_addresses":        "127.0.0.1",
		"password_encryption":     "scram-sha-256",
		"shared_buffers":          "512MB",
		"max_connections":         "100",
		"max_wal_size":            "2GB",
		"autovacuum_naptime":      "5s",
		"unix_socket_directories": server.layout.sock(),
		"server_encoding":         "UTF8",
		"TimeZone":                "UTC",
	} {
		if got := query(t, url, "SHOW "+setting); got != want {
			t.Errorf("%s = %s, want %s", setting, got, want)
		}
	}
	info, err := os.Stat(filepath.Join(server.layout.pgdata(), passwordName))
	noError(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("password file has mode %v, want 0600", info.Mode().Perm())
	}
}

func TestStart_AsksForThePassword(t *testing.T) {
	t.Parallel()
	server := started(t, quick(t))
	for _, url := range []string{server.URL("postgres"), server.SocketURL("postgres")} {
		if got := query(t, url, "SELECT current_user::text"); got != "postgres" {
			t.Errorf("current_user = %s", got)
		}
		config, err := pgx.ParseConfig(url)
		noError(t, err)
		config.Password = "guess"
		_, err = pgx.ConnectConfig(t.Context(), config)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "28P01" { // invalid_password
			t.Errorf("connecting with a wrong password: %v", err)
		}
	}
}

func TestStart_AgainOnTheSameDirectory_KeepsDataAndPassword(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	first, err := Start(t.Context(), opts)
	noError(t, err)
	exec1(t, first.URL("postgres"), "CREATE TABLE kept AS SELECT 'yes' AS value")
	noError(t, first.Stop(t.Context()))
	noError(t, first.Stop(t.Context()))

	second := started(t, opts)
	if got := query(t, second.URL("postgres"), "SELECT value FROM kept"); got != "yes" {
		t.Errorf("value = %q", got)
	}
	if first.password != second.password {
		t.Error("the password changed")
	}
}

func TestStart_SettingsOverrideDefaultsButNotWhereItListens(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	opts.Settings = map[string]string{"shared_buffers": "16MB", "work_mem": "5MB", "listen_addresses": "*", "port": "1"}
	server := started(t, opts)
	for setting, want := range map[string]string{"shared_buffers": "16MB", "work_mem": "5MB", "listen_addresses": "127.0.0.1", "fsync": "off"} {
		if got := query(t, server.URL("postgres"), "SHOW "+setting); got != want {
			t.Errorf("%s = %s, want %s", setting, got, want)
		}
	}
}

func TestStart_WithSettingTheServerRefuses_QuotesItsLogAndReleasesTheDirectory(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	opts.Settings = map[string]string{"shared_buffers": "a lot"}
	_, err := Start(t.Context(), opts)
	wantMessage(t, err, "start PostgreSQL", `invalid value for parameter "shared_buffers"`)
	opts.Settings = nil
	started(t, opts)
}

func TestStart_WithEndedContext_LeavesNothingBehind(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, opts); !errors.Is(err, context.Canceled) {
		t.Fatalf("Start = %v, want context.Canceled", err)
	}
	started(t, opts)
}

func TestStart_OnTakenPort_SaysWhich(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	noError(t, err)
	defer listener.Close()
	opts := quick(t)
	opts.Port = listener.Addr().(*net.TCPAddr).Port
	_, err = Start(t.Context(), opts)
	if !errors.Is(err, ErrPortTaken) {
		t.Fatalf("Start = %v, want ErrPortTaken", err)
	}
	wantMessage(t, err, listener.Addr().String())
}

func TestExplain_RecognisesALostRaceForThePort(t *testing.T) {
	t.Parallel()
	server := &Server{}
	log := "LOG:  could not bind IPv4 address \"127.0.0.1\": Address already in use"
	if err := server.explain(errors.New("exit status 1"), log); !errors.Is(err, ErrPortTaken) {
		t.Errorf("explain = %v, want ErrPortTaken", err)
	}
}

func TestPickPort_StaysBelowOutgoingPorts(t *testing.T) {
	t.Parallel()
	for range 20 {
		port, err := pickPort()
		noError(t, err)
		if port < lowestPickedPort || port >= ephemeralLow() {
			t.Errorf("picked %d, want %d to %d", port, lowestPickedPort, ephemeralLow())
		}
	}
}

func TestStart_WithLongPath_PutsTheSocketElsewhereAndRemovesIt(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	opts.DataDir = filepath.Join(opts.DataDir, strings.Repeat("long", 25))
	server, err := Start(t.Context(), opts)
	noError(t, err)
	if got := query(t, server.SocketURL("postgres"), "SELECT 'up'"); got != "up" {
		t.Errorf("got %q", got)
	}
	noError(t, server.Stop(t.Context()))
	if _, err := os.Stat(server.sockDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("socket directory %s is still there: %v", server.sockDir, err)
	}
}

func TestStop_EndsTheServerEvenIfItsContextHasEnded(t *testing.T) {
	t.Parallel()
	server := started(t, quick(t))
	connect(t, server.URL("postgres"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	noError(t, server.Stop(ctx))
	select {
	case <-server.Done():
	default:
		t.Error("Done is open after Stop")
	}
	if err := server.Restart(t.Context()); err == nil {
		t.Error("Restart after Stop succeeded")
	}
}

func TestStop_EscalatesWhenTheServerHangs(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	opts.StopTimeout = time.Millisecond
	server := started(t, opts)
	noError(t, server.Stop(t.Context()))
	if proc.Alive(server.PID()) {
		t.Error("the server is alive after Stop")
	}
}

func TestRestart_KeepsPortAndData(t *testing.T) {
	t.Parallel()
	server := started(t, quick(t))
	url, pid, done := server.URL("postgres"), server.PID(), server.Done()
	exec1(t, url, "CREATE TABLE kept AS SELECT 'yes' AS value")
	noError(t, server.Restart(t.Context()))
	<-done
	if server.PID() == pid {
		t.Error("the process is the same after Restart")
	}
	if server.URL("postgres") != url {
		t.Error("the URL changed")
	}
	if got := query(t, url, "SELECT value FROM kept"); got != "yes" {
		t.Errorf("value = %q", got)
	}
	select {
	case <-server.Done():
		t.Error("Done is closed although the server runs")
	default:
	}
}

func TestKill_EndsBackendsTooAndRestartRecovers(t *testing.T) {
	t.Parallel()
	server := started(t, quick(t))
	url := server.URL("postgres")
	conn := connect(t, url)
	exec1(t, url, "CREATE TABLE acknowledged AS SELECT 'yes' AS value")
	backend := int(conn.PgConn().PID())

	noError(t, server.Kill(t.Context()))
	<-server.Done()
	if proc.Alive(backend) {
		t.Error("a backend survived Kill")
	}
	wantMessage(t, server.Err(), "signal: killed")
	noError(t, server.Kill(t.Context()))

	noError(t, server.Restart(t.Context()))
	if got := query(t, url, "SELECT value FROM acknowledged"); got != "yes" {
		t.Errorf("value = %q", got)
	}
}

func TestRestart_AfterTheServerWasKilledByOthers(t *testing.T) {
	t.Parallel()
	server := started(t, quick(t))
	connect(t, server.URL("postgres"))
	noError(t, syscall.Kill(server.PID(), syscall.SIGKILL))
	<-server.Done()
	noError(t, server.Restart(t.Context()))
	if got := query(t, server.URL("postgres"), "SELECT 'up'"); got != "up" {
		t.Errorf("got %q", got)
	}
}

func TestEnsureDatabase_CreatesOnceWithAnyName(t *testing.T) {
	t.Parallel()
	server := started(t, quick(t))
	for range 2 {
		noError(t, server.EnsureDatabase(t.Context(), `odd "name`))
	}
	if got := query(t, server.URL(`odd "name`), "SELECT current_database()::text"); got != `odd "name` {
		t.Errorf("current_database = %q", got)
	}
}

func TestStartTemporary_RemovesItsDirectoryAndSweepsThatOfTheDead(t *testing.T) {
	t.Parallel()
	dead, err := os.MkdirTemp("", temporaryPrefix)
	noError(t, err)
	// No process has an id this high (PID_MAX_LIMIT, 2^22).
	writeFile(t, layout(dead).pidFile(), "4194305\n")
	writeFile(t, layout(dead).lockFile(), "")
	fresh, err := os.MkdirTemp("", temporaryPrefix)
	noError(t, err)
	defer os.RemoveAll(fresh)

	server, err := StartTemporary(t.Context(), Options{})
	noError(t, err)
	if _, err := os.Stat(dead); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s was not swept: %v", dead, err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("a directory being set up was swept: %v", err)
	}
	noError(t, server.Stop(t.Context()))
	if _, err := os.Stat(server.opts.DataDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", server.opts.DataDir, err)
	}
}

func TestExec_ChangesTheDatabase(t *testing.T) {
	t.Parallel()
	server, err := StartTemporary(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	if err := server.Exec(t.Context(), "postgres", "CREATE TABLE made (n int)"); err != nil {
		t.Fatal(err)
	}
	if err := server.Exec(t.Context(), "postgres", "CREATE TABLE made (n int)"); err == nil {
		t.Error("the second CREATE TABLE went well: the first did nothing")
	}
	if err := server.Exec(t.Context(), "no such database", "SELECT 1"); err == nil {
		t.Error("a statement in a database that does not exist went well")
	}
}
