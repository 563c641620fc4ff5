package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// patience bounds every wait of a test; only failing ones reach it.
const patience = time.Minute

// devDir returns a data directory that the account of PostgreSQL can reach.
func devDir(t testing.TB) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "belfry-dev-test-")
	noError(t, err)
	t.Cleanup(func() { noError(t, os.RemoveAll(parent)) })
	noError(t, os.Chmod(parent, 0o755))
	return filepath.Join(parent, "dev")
}

// devRun is a `belfry dev` in progress.
type devRun struct {
	cmd      *exec.Cmd
	dir      string
	greeting string
	errors   *bytes.Buffer // read after the end
	postgres int           // process id; 0: none of its own
}

// startDev starts `belfry dev` with a PostgreSQL of its own.
func startDev(t *testing.T, dir string) *devRun {
	t.Helper()
	r := startDevOn(t, dir, "--postgres-download=false")
	r.postgres = pidIn(t, filepath.Join(dir, "postgres", "server.pid"))
	return r
}

// startDevOn starts `belfry dev` and returns when it has said how to begin.
func startDevOn(t *testing.T, dir string, flags ...string) *devRun {
	t.Helper()
	r := &devRun{dir: dir, errors: new(bytes.Buffer)}
	r.cmd = exec.Command("belfry", append([]string{"dev", "--listen", "127.0.0.1:0", "--data-dir", dir}, flags...)...)
	r.cmd.Stderr = r.errors
	out, err := r.cmd.StdoutPipe()
	noError(t, err)
	noError(t, r.cmd.Start())
	t.Cleanup(func() {
		if r.cmd.ProcessState == nil {
			_ = r.cmd.Process.Kill() // the test has failed
			_ = r.cmd.Wait()
		}
	})
	watchdog := time.AfterFunc(patience, func() { _ = r.cmd.Process.Kill() })
	defer watchdog.Stop()
	lines := bufio.NewReader(out)
	for !strings.Contains(r.greeting, "worker exec") {
		line, err := lines.ReadString('\n')
		if err != nil {
			_ = r.cmd.Wait() // its code says less than its messages
			t.Fatalf("belfry dev ended before it was ready: %v\n%s%s", err, r.greeting, r.errors)
		}
		r.greeting += line
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return r
}

// end signals it and waits for its end, and that of PostgreSQL.
func (r *devRun) end(t *testing.T, sig syscall.Signal) {
	t.Helper()
	noError(t, r.cmd.Process.Signal(sig))
	err := r.cmd.Wait()
	if sig != syscall.SIGKILL && err != nil {
		t.Errorf("belfry dev after %v: %v\n%s", sig, err, r.errors)
	}
	if r.postgres == 0 {
		return
	}
	if sig != syscall.SIGKILL && proc.Alive(r.postgres) {
		t.Errorf("PostgreSQL runs on after an orderly end")
	}
	await(t, func() bool { return !proc.Alive(r.postgres) }, "the end of PostgreSQL")
}

// command is the pasted text that begins with the given word.
func (r *devRun) command(t *testing.T, first, last string) string {
	t.Helper()
	from := strings.Index(r.greeting, first)
	if from < 0 {
		t.Fatalf("no %q in\n%s", first, r.greeting)
	}
	text := r.greeting[from:]
	to := strings.Index(text, last)
	if to < 0 {
		t.Fatalf("no %q after %q in\n%s", last, first, r.greeting)
	}
	return text[:to+len(last)]
}

// client runs a client command against it.
func (r *devRun) client(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("belfry", args...)
	cmd.Env = append(os.Environ(), "BELFRY_DATA_DIR="+r.dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("belfry %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// A newcomer's first five minutes, and everything that can go wrong in them.
func TestDev_FromFirstStartToSIGKILL(t *testing.T) {
	t.Parallel()
	dir := devDir(t)
	first := startDev(t, dir)

	created, err := exec.Command("sh", "-c", first.command(t, "curl ", `}}}}'`)).CombinedOutput()
	if err != nil || !bytes.Contains(created, []byte("JOB_STATE_PENDING")) {
		t.Fatalf("the printed command that creates a job: %v\n%s", err, created)
	}
	worker := exec.Command("sh", "-c", "exec env "+first.command(t, "BELFRY_DATA_DIR=", `$(cat)"'`))
	output, err := worker.StdoutPipe()
	noError(t, err)
	noError(t, worker.Start())
	watchdog := time.AfterFunc(patience, func() { _ = worker.Process.Kill() })
	defer watchdog.Stop()
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || !strings.HasSuffix(line, `got {"name":"Ada"}`+"\n") {
		t.Errorf("the printed worker: %v, %q", err, line)
	}
	noError(t, worker.Process.Signal(syscall.SIGTERM))
	if err := worker.Wait(); err != nil {
		t.Errorf("the worker after SIGTERM: %v", err)
	}

	refused(t, 1, []string{"another `belfry dev` uses the data directory", strconv.Itoa(first.cmd.Process.Pid), "--data-dir"},
		"dev", "--listen", "127.0.0.1:0", "--data-dir", dir)
	refused(t, 1, []string{"is taken", "--listen"}, "dev", "--listen", address(t, dir), "--data-dir", dir+"-other")
	env := readFile(t, filepath.Join(dir, "dev.env"))
	first.end(t, syscall.SIGINT)

	second := startDev(t, dir)
	if keys(env) != keys(readFile(t, filepath.Join(dir, "dev.env"))) {
		t.Error("the keys are others after a restart")
	}
	id, _, _ := strings.Cut(line, " ")
	if got := second.client(t, "job", "get", id); !strings.Contains(got, "SUCCEEDED") || !strings.Contains(got, "got {") {
		t.Errorf("the job after a restart:\n%s", got)
	}
	if got := second.client(t, "tenant", "list"); !strings.Contains(got, "dev") {
		t.Errorf("tenants:\n%s", got)
	}
	second.end(t, syscall.SIGKILL)

	// What is left behind names a process that is none of ours.
	noError(t, os.WriteFile(filepath.Join(dir, "postgres", "server.pid"), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600))
	noError(t, os.WriteFile(filepath.Join(dir, "dev.lock"), []byte("1\n"), 0o600))
	third := startDev(t, dir)
	if got := third.client(t, "job", "get", id); !strings.Contains(got, "SUCCEEDED") {
		t.Errorf("the job after SIGKILL:\n%s", got)
	}
	third.end(t, syscall.SIGTERM)
}

// refused runs a command that must fail with the code and say all of that.
func refused(t *testing.T, code int, says []string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "belfry", args...).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != code {
		t.Errorf("belfry %v: %v, want exit code %d\n%s", args, err, code, out)
	}
	for _, want := range says {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("belfry %v: no %q in\n%s", args, want, out)
		}
	}
}

func address(t *testing.T, dir string) string {
	t.Helper()
	_, rest, _ := strings.Cut(readFile(t, filepath.Join(dir, "dev.env")), "BELFRY_ADDRESS=")
	found, _, _ := strings.Cut(rest, "\n")
	return found
}

// keys is a dev.env without its address.
func keys(env string) string {
	_, found, _ := strings.Cut(env, "BELFRY_API_KEY=")
	return found
}

func pidIn(t *testing.T, name string) int {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(readFile(t, name)))
	noError(t, err)
	return pid
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	noError(t, err)
	return string(text)
}

// await polls for a condition.
func await(t *testing.T, condition func() bool, what string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for !condition() {
		if clock.Sleep(ctx, clock.Real(), 5*time.Millisecond) != nil {
			t.Fatalf("%s has not come within %v", what, patience)
		}
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
