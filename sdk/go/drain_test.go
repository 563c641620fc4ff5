package belfry_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// startDraining begins the shutdown of a running worker and waits until it
// drains, that is, until its two timers beside that of the heartbeats run.
func startDraining(t *testing.T, worker *belfry.Worker, manual *clock.Manual, ready func()) <-chan error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- worker.Run(ctx) }()
	ready()
	cancel()
	manual.BlockUntil(3)
	return done
}

// P-LEA-04: heartbeats go on until the handler ends.
func TestDrain_ExtendsLeasesUntilHandlersEnd(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{LeaseDuration: 15 * time.Second, GracePeriod: time.Minute})
	server.offer("job_1", nil)
	done := startDraining(t, worker, manual, func() { receive(t, h.started, "start") })
	polls := server.pollCount()
	for i := 1; i <= 10; i++ {
		manual.BlockUntil(3)
		manual.Advance(5 * time.Second)
		server.await(t, "beat", func() bool { return beats(server, "job_1") >= i })
	}
	close(h.letGo)
	if err := receive(t, done, "end of Run"); err != nil {
		t.Errorf("Run() = %v", err)
	}
	if lease := server.lease("job_1"); lease.ended != "complete" || server.pollCount() != polls {
		t.Errorf("ended by %q, polls %d before and %d after", lease.ended, polls, server.pollCount())
	}
}

// P-SHU-01: what honours its context is given back, uncounted.
func TestDrain_GivesBackWhatIsUnfinishedShortlyBeforeTheLimit(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{GracePeriod: 10 * time.Second, StopLead: 2 * time.Second})
	server.offer("job_1", nil)
	done := startDraining(t, worker, manual, func() { receive(t, h.started, "start") })
	manual.Advance(8*time.Second - 1)
	select {
	case cause := <-h.cause:
		t.Fatalf("context ended early: %v", cause)
	default:
	}
	manual.Advance(1)
	if cause := receive(t, h.cause, "end of the context"); !errors.Is(cause, belfry.ErrShutdown) {
		t.Errorf("cause = %v, want ErrShutdown", cause)
	}
	if err := receive(t, done, "end of Run"); err != nil {
		t.Errorf("Run() = %v", err)
	}
	if lease := server.lease("job_1"); lease.ended != "release" || lease.release.GetDelay() != nil {
		t.Errorf("ended by %q with %v, want a release at once", lease.ended, lease.release)
	}
}

// P-SHU-02: Run returns at the limit and names what it leaves behind, without
// another heartbeat.
func TestDrain_HandlerThatIgnoresItsContext_IsAbandonedAtTheLimit(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker := newWorker(t, server, belfry.WorkerConfig{GracePeriod: 10 * time.Second}, belfry.WithClock(manual))
	started, letGo, ended := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	worker.Handle("send", func(context.Context, *belfry.LeasedJob) error {
		defer close(ended)
		started <- struct{}{}
		<-letGo
		return nil
	})
	server.offer("job_1", nil)
	done := startDraining(t, worker, manual, func() { receive(t, started, "start") })
	manual.Advance(10 * time.Second)
	var drain *belfry.DrainError
	if err := receive(t, done, "end of Run"); !errors.As(err, &drain) || !slices.Equal(drain.Abandoned, []string{"job_1"}) || drain.Unreported != nil {
		t.Errorf("Run() = %v, want a DrainError that names job_1", err)
	}
	manual.Advance(time.Hour)
	close(letGo)
	receive(t, ended, "end of the handler")
	if n := server.count("WorkerService/Heartbeat") + server.count("WorkerService/CompleteJobs"); n != 0 {
		t.Errorf("%d calls for an abandoned job", n)
	}
}

func TestDrain_WithoutServer_NamesWhatCouldNotBeReported(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{GracePeriod: 10 * time.Second})
	server.offer("job_1", nil)
	done := startDraining(t, worker, manual, func() {
		receive(t, h.started, "start")
		server.fault(func(context.Context, string, any) error { return unavailable() })
	})
	close(h.letGo)
	server.await(t, "failed completion", func() bool { return server.calls["WorkerService/CompleteJobs failed"] > 0 })
	manual.Advance(10 * time.Second)
	var drain *belfry.DrainError
	if err := receive(t, done, "end of Run"); !errors.As(err, &drain) || !slices.Equal(drain.Unreported, []string{"job_1"}) || drain.Abandoned != nil {
		t.Errorf("Run() = %v, want a DrainError that names job_1 as unreported", err)
	}
}

func TestDrain_WithNothingRunning_ReturnsAtOnceAndLeavesNoGoroutine(t *testing.T) { //nolint:paralleltest // Counts goroutines.
	server := newFakeServer(t)
	client := server.client(t)
	before := runtime.NumGoroutine()
	worker := belfry.NewWorker(client, belfry.WorkerConfig{Logger: quiet})
	worker.HandleAny(func(context.Context, *belfry.LeasedJob) error { return nil })
	server.offer("job_1", nil)
	stop := start(t, worker)
	server.awaitEnd(t, "job_1")
	if err := stop(); err != nil {
		t.Errorf("Run() = %v", err)
	}
	client.Close()
	server.CloseClientConnections()
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines after, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestDrain_LateAnswerToAPoll_IsGivenBackUnstarted(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server.fault(func(_ context.Context, method string, _ any) error {
		if method == "WorkerService/LeaseJobs" {
			cancel()
		}
		return nil
	})
	worker := newWorker(t, server, belfry.WorkerConfig{})
	worker.Handle("send", func(context.Context, *belfry.LeasedJob) error { return errors.New("was started") })
	server.offer("job_1", nil)
	if err := worker.Run(ctx); err != nil {
		t.Errorf("Run() = %v", err)
	}
	if lease := server.lease("job_1"); lease.ended != "release" {
		t.Errorf("ended by %q, want a release", lease.ended)
	}
}
