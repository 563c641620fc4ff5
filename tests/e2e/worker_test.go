package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// work runs a worker until the end of the test, or until stop is called, which returns what Run returned.
func work(t *testing.T, worker *belfry.Worker) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	result := make(chan error, 1)
	go func() { result <- worker.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-result
	})
	t.Cleanup(func() { _ = stop() })
	return stop
}

// within waits for a channel to be closed.
func within(t *testing.T, done <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(2 * soon):
		t.Fatalf("not within %v: %s", 2*soon, what)
	}
}

func finished(t *testing.T, x harness.Tenant, id string) belfry.JobInfo {
	t.Helper()
	var job belfry.JobInfo
	harness.Within(t, 2*soon, "the job is final", func() bool {
		job = get(t, x.Client, id)
		return job.State.Final()
	})
	return job
}

func TestWorker_TurnsReturnsIntoOutcomes(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	worker := belfry.NewWorker(x.Client, belfry.WorkerConfig{Concurrency: 4, Logger: slog.New(slog.DiscardHandler)})
	snoozed := new(atomic.Bool)
	handle := func(kind string, handler belfry.Handler) { worker.Handle(kind, handler) }
	handle("ok", func(_ context.Context, job *belfry.LeasedJob) error { return job.SetResult(map[string]int{"sum": 3}) })
	handle("permanent", func(context.Context, *belfry.LeasedJob) error { return belfry.Permanent(errors.New("no")) })
	handle("panic", func(context.Context, *belfry.LeasedJob) error { panic(strings.Repeat("p", 1<<20)) })
	handle("retry", func(_ context.Context, job *belfry.LeasedJob) error {
		if job.Attempt < 3 {
			return errors.New("not yet")
		}
		return nil
	})
	handle("snooze", func(context.Context, *belfry.LeasedJob) error {
		if snoozed.CompareAndSwap(false, true) {
			return belfry.Snooze(100 * time.Millisecond)
		}
		return nil
	})
	work(t, worker)
	tests := []struct {
		kind     string
		attempts int
		state    belfry.JobState
		attempt  int
		reason   string
	}{
		{"ok", 5, belfry.StateSucceeded, 1, ""},
		{"permanent", 5, belfry.StateDead, 1, "PERMANENT"},
		{"panic", 1, belfry.StateDead, 1, "MAX_ATTEMPTS"},
		{"retry", 5, belfry.StateSucceeded, 3, ""},
		{"snooze", 1, belfry.StateSucceeded, 1, ""},
	}
	for _, test := range tests {
		t.Run(test.kind, func(t *testing.T) {
			t.Parallel()
			made := create(t, x.Client, belfry.NewJob{Queue: "q", Type: test.kind, Retry: quick(test.attempts)})
			job := finished(t, x, made.ID)
			if job.State != test.state || job.Attempt != test.attempt || job.StateReason != test.reason {
				t.Errorf("job is %s (%q) after %d attempts: %.100s", job.State, job.StateReason, job.Attempt, job.LastError)
			}
			if len(job.LastError) > 8<<10 {
				t.Errorf("error of %d bytes", len(job.LastError))
			}
			if test.kind == "ok" {
				var result map[string]int
				if err := job.Result.Decode(&result); err != nil || result["sum"] != 3 {
					t.Errorf("result %v, %v", result, err)
				}
			}
		})
	}
}

// Case P-LEA-04: a worker that drains goes on extending what it still works on.
func TestWorker_Draining_KeepsItsLeases(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	started := make(chan struct{})
	var runs atomic.Int32
	worker := belfry.NewWorker(x.Client, belfry.WorkerConfig{LeaseDuration: 5 * time.Second, GracePeriod: 20 * time.Second})
	worker.HandleAny(func(context.Context, *belfry.LeasedJob) error {
		if runs.Add(1) == 1 {
			close(started)
			_ = harness.Pass(context.Background(), 8*time.Second)
		}
		return nil
	})
	stop := work(t, worker)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: quick(5)})
	within(t, started, "the handler runs")
	// Another worker would get the job if its lease ended.
	other := belfry.NewWorker(x.Client, belfry.WorkerConfig{})
	other.HandleAny(func(context.Context, *belfry.LeasedJob) error { runs.Add(1); return nil })
	work(t, other)
	if err := stop(); err != nil {
		t.Errorf("drain: %v", err)
	}
	if job := get(t, x.Client, made.ID); job.State != belfry.StateSucceeded || job.Attempt != 1 || runs.Load() != 1 {
		t.Errorf("job is %s after %d attempts and %d runs", job.State, job.Attempt, runs.Load())
	}
}

// Case P-SHU-01: what cannot be finished in the grace is given back, uncounted, and run elsewhere within 5 s.
func TestWorker_Draining_GivesBackWhatItCannotFinish(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	started, again := make(chan struct{}), make(chan int, 1)
	worker := belfry.NewWorker(x.Client, belfry.WorkerConfig{GracePeriod: 2 * time.Second, StopLead: time.Second})
	worker.HandleAny(func(ctx context.Context, _ *belfry.LeasedJob) error {
		close(started)
		<-ctx.Done()
		return ctx.Err()
	})
	stop := work(t, worker)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: quick(1)})
	within(t, started, "the handler runs")
	other := belfry.NewWorker(x.Client, belfry.WorkerConfig{})
	other.HandleAny(func(_ context.Context, job *belfry.LeasedJob) error { again <- job.Attempt; return nil })
	if err := stop(); err != nil {
		t.Errorf("drain: %v", err)
	}
	work(t, other)
	select {
	case attempt := <-again:
		if attempt != 1 {
			t.Errorf("attempt %d, want 1: the interrupted one does not count", attempt)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("no other worker had the job within 5s")
	}
	if job := finished(t, x, made.ID); job.State != belfry.StateSucceeded || job.Releases != 1 {
		t.Errorf("job is %s after %d releases", job.State, job.Releases)
	}
}

// Case P-SHU-02: a handler that ignores its context does not hold up the end.
func TestWorker_WithADeafHandler_StopsAtTheEndOfItsGrace(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	started, never := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(never) })
	worker := belfry.NewWorker(x.Client, belfry.WorkerConfig{LeaseDuration: 5 * time.Second, GracePeriod: time.Second})
	worker.HandleAny(func(context.Context, *belfry.LeasedJob) error {
		close(started)
		<-never
		return nil
	})
	stop := work(t, worker)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: quick(5)})
	within(t, started, "the handler runs")
	began := time.Now()
	err := stop()
	var left *belfry.DrainError
	if !errors.As(err, &left) || len(left.Abandoned) != 1 || left.Abandoned[0] != made.ID {
		t.Errorf("drain: %v, want %s abandoned", err, made.ID)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("the end took %v of 1s", took)
	}
	if lease := (pull{wait: 12 * time.Second}).one(t, x.Client); lease.GetAttempt() != 2 {
		t.Errorf("attempt %d, want 2", lease.GetAttempt())
	}
}

func TestWorkerExec_RunsACommandPerJob(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	binary, err := harness.Binary()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := `cat >"$OUT/$(date +%s%N)"; env | grep ^BELFRY_ >"$OUT/env"; test "$(cat "$OUT"/1*)" != '"fail"' || { echo bad news >&2; exit 3; }`
	cmd := exec.CommandContext(t.Context(), binary, "worker", "exec", "--queue", "q", "--", "sh", "-c", script)
	cmd.Env = append(os.Environ(), "BELFRY_ADDRESS="+world.Node.Addr, "BELFRY_API_KEY="+x.Key, "OUT="+dir)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	out, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Cancel(); _ = cmd.Wait() })
	good := create(t, x.Client, belfry.NewJob{Queue: "q", Type: "greet", Payload: map[string]string{"to": "ada"}})
	job := finished(t, x, good.ID)
	if job.State != belfry.StateSucceeded {
		t.Fatalf("job is %s: %s", job.State, job.LastError)
	}
	payloads, err := filepath.Glob(filepath.Join(dir, "1*"))
	if err != nil || len(payloads) != 1 {
		t.Fatalf("%d payloads, %v", len(payloads), err)
	}
	text, err := os.ReadFile(payloads[0])
	var payload map[string]string
	if err != nil || json.Unmarshal(text, &payload) != nil || payload["to"] != "ada" {
		t.Errorf("the command read %q, %v", text, err)
	}
	env, err := os.ReadFile(filepath.Join(dir, "env"))
	for _, fact := range []string{"JOB_ID=" + good.ID, "QUEUE=q", "JOB_TYPE=greet", "ATTEMPT=1", "TENANT_ID=" + x.ID} {
		if err != nil || !strings.Contains(string(env), "BELFRY_"+fact+"\n") {
			t.Errorf("no BELFRY_%s in the environment of the command, %v", fact, err)
		}
	}
	if err := os.Remove(payloads[0]); err != nil {
		t.Fatal(err)
	}
	bad := create(t, x.Client, belfry.NewJob{Queue: "q", Payload: "fail", Retry: quick(1)})
	bad2 := create(t, x.Client, belfry.NewJob{Queue: "unused"})
	if job := finished(t, x, bad.ID); job.State == belfry.StateDead && !strings.Contains(job.LastError, "bad news") {
		t.Errorf("error %q, want the tail of stderr", job.LastError)
	}
	if job := get(t, x.Client, bad2.ID); job.State != belfry.StateReady {
		t.Errorf("a job of another queue is %s", job.State)
	}
}
