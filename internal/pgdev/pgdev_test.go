//go:build unix

package pgdev

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/internal/clock"
)

const (
	// childEnv makes the test binary a process that starts a server on the
	// data directory named by it, says so, and waits to be killed.
	childEnv = "BELFRY_PGDEV_TEST_CHILD"
	// childTemplateEnv is the child's Options.TemplateDir.
	childTemplateEnv = "BELFRY_PGDEV_TEST_TEMPLATE"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

func child(dir string) int {
	server, err := Start(context.Background(), Options{DataDir: dir, NoFsync: true, TemplateDir: os.Getenv(childTemplateEnv)})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(server.URL(superuser))
	// Ends at the latest when the test binary that started us does.
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// startChild starts the child and returns once it has said something, or at
// once if it is not expected to.
func startChild(t *testing.T, dir, template string) (cmd *exec.Cmd, output *bufio.Reader) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir, childTemplateEnv+"="+template)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	noError(t, err)
	stdout, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, bufio.NewReader(stdout)
}

// openDir returns a new directory that every user can traverse, unlike
// t.TempDir, which the server's account cannot.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "belfry-pgdev-test-")
	noError(t, err)
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("remove test directory: %v", err)
		}
	})
	noError(t, os.Chmod(dir, 0o755))
	return dir
}

// quick returns options for a server that starts fast on a new directory.
func quick(t *testing.T) Options {
	t.Helper()
	return Options{DataDir: filepath.Join(openDir(t), "pg"), NoFsync: true, TemplateDir: templateDir()}
}

func templateDir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("belfry-pg-template-%d", os.Geteuid()))
}

// started starts a server that ends with the test.
func started(t *testing.T, opts Options) *Server {
	t.Helper()
	server, err := Start(t.Context(), opts)
	noError(t, err)
	t.Cleanup(func() {
		if err := server.Stop(context.Background()); err != nil {
			t.Errorf("Stop: %v", err)
		}
	})
	return server
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	noError(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// query returns the one value that the statement yields, as text.
func query(t *testing.T, url, statement string) string {
	t.Helper()
	conn := connect(t, url)
	defer conn.Close(t.Context())
	var value string
	noError(t, conn.QueryRow(t.Context(), statement).Scan(&value))
	return value
}

func exec1(t *testing.T, url, statement string) {
	t.Helper()
	conn := connect(t, url)
	defer conn.Close(t.Context())
	_, err := conn.Exec(t.Context(), statement)
	noError(t, err)
}

// eventually polls until the condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !condition() {
		if clock.Sleep(ctx, clock.Real(), 5*time.Millisecond) != nil {
			t.Fatalf("gave up waiting: %s", what)
		}
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantMessage(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not mention %q", err, part)
		}
	}
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	noError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	noError(t, os.WriteFile(name, []byte(content), 0o644))
}
