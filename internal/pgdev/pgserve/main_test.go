//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/belfryhq/belfry/internal/pgdev"
)

// binaries makes serve start a server of its own even if one is given.
func binaries(t *testing.T) string {
	t.Helper()
	bins, err := pgdev.Find(t.Context(), pgdev.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return bins.Dir
}

func TestServe_GivesTheCommandAServerAndReturnsItsCode(t *testing.T) {
	t.Parallel()
	seen := filepath.Join(t.TempDir(), "url")
	code, err := serve(binaries(t), []string{"sh", "-c", `echo "$BELFRY_TEST_DATABASE_URL" >"$0"; exit 7`, seen})
	if code != 7 || err != nil {
		t.Fatalf("serve = %d, %v, want 7", code, err)
	}
	url, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(url), "postgres://postgres:") {
		t.Errorf("URL = %q", url)
	}
}

func TestServe_OfMissingCommand_Is127(t *testing.T) {
	t.Parallel()
	code, err := serve(binaries(t), []string{"/no/such/command"})
	if code != 127 || err == nil {
		t.Errorf("serve = %d, %v, want 127 and an error", code, err)
	}
}

func TestServe_WithoutServer_Fails(t *testing.T) {
	t.Parallel()
	code, err := serve(t.TempDir(), []string{"true"})
	if code != 1 || err == nil || !strings.Contains(err.Error(), "apt-get install postgresql") {
		t.Errorf("serve = %d, %v, want 1 and what to install", code, err)
	}
}

func TestRun_PassesSignalsOn(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal, 1)
	// The command asks for the signal once its trap is set.
	pipe := filepath.Join(t.TempDir(), "ready")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = os.ReadFile(pipe)
		signals <- syscall.SIGTERM
	}()
	script := `trap 'exit 3' TERM; echo >"$0"; while :; do sleep 0.05; done`
	code, err := run([]string{"sh", "-c", script, pipe}, os.Environ(), signals)
	if code != 3 || err != nil {
		t.Errorf("run = %d, %v, want 3", code, err)
	}
}

func TestStartServer_GivesUpAtASignal(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal, 1)
	signals <- syscall.SIGINT
	server, err := startServer("", signals)
	if server != nil || err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("startServer = %v, %v, want it interrupted", server, err)
	}
}
