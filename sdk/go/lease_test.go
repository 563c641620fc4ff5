package belfry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/internal/clock"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// hold is a handler that runs until it is let go or its context ends, and
// tells a test what happened to it.
type hold struct {
	started chan struct{}
	letGo   chan struct{}
	// cause is what ended the context, if anything did.
	cause chan error
}

func newHold() *hold {
	return &hold{make(chan struct{}, 1000), make(chan struct{}), make(chan error, 1000)}
}

func (h *hold) handle(ctx context.Context, _ *belfry.LeasedJob) error {
	h.started <- struct{}{}
	select {
	case <-h.letGo:
		return nil
	case <-ctx.Done():
		h.cause <- context.Cause(ctx)
		return ctx.Err()
	}
}

func receive[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-c:
		return value
	case <-time.After(patience):
		t.Fatalf("waited %v for: %s", patience, what)
		panic("unreachable")
	}
}

func holdWorker(t *testing.T, server *fakeServer, manual clock.Clock, config belfry.WorkerConfig) (*belfry.Worker, *hold) {
	t.Helper()
	worker, h := newWorker(t, server, config, belfry.WithClock(manual)), newHold()
	worker.Handle("send", h.handle)
	return worker, h
}

// advance moves the clock once the worker waits for its next heartbeat, the
// only timer there is while nothing fails.
func advance(manual *clock.Manual, d time.Duration) {
	manual.BlockUntil(1)
	manual.Advance(d)
}

func beats(server *fakeServer, id string) int { return server.leases[id].beats }

func TestLeases_OfManyJobs_AreExtendedInOneCallByAThird(t *testing.T) {
	t.Parallel()
	const jobs = 50
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{Concurrency: jobs})
	for i := range jobs {
		server.offer(fmt.Sprintf("job_%d", i), nil)
	}
	stop := start(t, worker)
	for range jobs {
		receive(t, h.started, "start")
	}
	advance(manual, 17*time.Second) // Jitter makes a beat at most a tenth early.
	if n := server.count("WorkerService/Heartbeat"); n != 0 {
		t.Errorf("%d heartbeats after 17 of 60 s", n)
	}
	for third := 1; third <= 3; third++ {
		manual.BlockUntil(1)
		manual.Set(epoch.Add(time.Duration(third) * 20 * time.Second))
		server.await(t, "beats of all", func() bool {
			for i := range jobs {
				if beats(server, fmt.Sprintf("job_%d", i)) < third {
					return false
				}
			}
			return true
		})
	}
	close(h.letGo)
	if err := stop(); err != nil {
		t.Errorf("Run() = %v", err)
	}
	if n := server.count("WorkerService/Heartbeat"); n != 3 {
		t.Errorf("%d heartbeat calls in three thirds, want 3", n)
	}
}

func TestLease_ShorterThanAskedFor_IsExtendedByAThirdOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{})
	server.offer("job_1", nil, func(l *v1.LeasedJob) { l.LeaseRemaining = durationpb.New(6 * time.Second) })
	start(t, worker)
	receive(t, h.started, "start")
	advance(manual, 2*time.Second)
	server.await(t, "beat", func() bool { return beats(server, "job_1") == 1 })
	close(h.letGo)
}

// The promise behind it: leases of workers that are alive survive an outage of
// the database.
func TestLease_ThroughAnOutageOfTwoMinutes_RunsOn(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{Concurrency: 1, LeaseDuration: 30 * time.Second})
	server.offer("job_1", nil)
	start(t, worker)
	receive(t, h.started, "start")
	server.fault(func(context.Context, string, any) error { return unavailable() })
	const failed = "WorkerService/Heartbeat failed"
	for elapsed := time.Duration(0); elapsed < 2*time.Minute; elapsed += 10 * time.Second {
		before := server.count(failed)
		advance(manual, 10*time.Second)
		server.await(t, "another try", func() bool { return server.calls[failed] > before })
	}
	select {
	case cause := <-h.cause:
		t.Fatalf("the job was ended: %v", cause)
	default:
	}
	server.fault(nil)
	advance(manual, 5*time.Second)
	server.await(t, "beat after the outage", func() bool { return beats(server, "job_1") == 1 })
	close(h.letGo)
	if lease := server.awaitEnd(t, "job_1"); lease.ended != "complete" {
		t.Errorf("ended by %q", lease.ended)
	}
}

func TestLease_WhoseEndIsNotAcknowledged_IsExtended(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{})
	server.fault(func(_ context.Context, method string, _ any) error {
		if method == "WorkerService/CompleteJobs" {
			return unavailable()
		}
		return nil
	})
	server.offer("job_1", nil)
	close(h.letGo)
	start(t, worker)
	server.await(t, "failed completion", func() bool { return server.calls["WorkerService/CompleteJobs failed"] > 0 })
	advanceUntil(t, manual, func() bool { return server.lease("job_1").beats > 0 })
	server.fault(nil)
	advanceUntil(t, manual, func() bool { return server.lease("job_1").ended != "" })
	if lease := server.awaitEnd(t, "job_1"); lease.ended != "complete" {
		t.Errorf("ended by %q", lease.ended)
	}
}

func TestLease_Lost_EndsTheContextAndReportsNothing(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	var log syncBuffer
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{Concurrency: 1, Logger: debugLogger(&log)})
	server.offer("job_1", nil)
	stop := start(t, worker)
	receive(t, h.started, "start")
	server.update(func() { server.leases["job_1"].lost = true })
	advance(manual, 20*time.Second)
	if cause := receive(t, h.cause, "end of the context"); !errors.Is(cause, belfry.ErrLeaseLost) || !belfry.IsLeaseLost(cause) {
		t.Errorf("cause = %v, want ErrLeaseLost", cause)
	}
	close(h.letGo)
	server.offer("job_2", nil)
	server.awaitEnd(t, "job_2") // The slot is free again.
	if err := stop(); err != nil {
		t.Errorf("Run() = %v", err)
	}
	if lease := server.lease("job_1"); lease.ended != "" || server.count("WorkerService/FailJobs") != 0 {
		t.Errorf("a lost lease was ended by %q", lease.ended)
	}
	if text := log.String(); !strings.Contains(text, "level=DEBUG") || strings.Contains(text, "level=WARN") || strings.Contains(text, "level=ERROR") {
		t.Errorf("log = %s, want debug lines only", text)
	}
}

// P-LEA-07: a heartbeat that arrives just after the completion.
func TestHeartbeat_AfterTheCompletion_IsNoNews(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	var log syncBuffer
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{Logger: debugLogger(&log)})
	completed := make(chan struct{})
	server.fault(func(_ context.Context, method string, _ any) error {
		if method == "WorkerService/Heartbeat" {
			close(h.letGo)
			<-completed
		}
		return nil
	})
	server.offer("job_1", nil)
	stop := start(t, worker)
	receive(t, h.started, "start")
	advance(manual, 20*time.Second)
	lease := server.awaitEnd(t, "job_1")
	close(completed)
	server.await(t, "late heartbeat", func() bool { return server.calls["WorkerService/Heartbeat"] == 1 })
	if err := stop(); err != nil {
		t.Errorf("Run() = %v", err)
	}
	if lease.ended != "complete" || server.count("WorkerService/CompleteJobs") != 1 {
		t.Errorf("ended by %q after %d calls", lease.ended, server.count("WorkerService/CompleteJobs"))
	}
	if text := log.String(); strings.Contains(text, "level=WARN") || strings.Contains(text, "level=ERROR") {
		t.Errorf("log = %s, want debug lines only", text)
	}
}

// P-SDK-01: a cancel request reaches the handler with the next heartbeat.
func TestCancelRequest_EndsTheContextWithItsReason(t *testing.T) {
	t.Parallel()
	server, manual := newFakeServer(t), clock.NewManual(epoch)
	worker, h := holdWorker(t, server, manual, belfry.WorkerConfig{LeaseDuration: 15 * time.Second})
	server.offer("job_1", nil)
	start(t, worker)
	receive(t, h.started, "start")
	server.update(func() { server.leases["job_1"].cancelRequested = "no longer needed" })
	advance(manual, 5*time.Second)
	cause := receive(t, h.cause, "end of the context")
	var request *belfry.CancelRequestedError
	if !errors.Is(cause, belfry.ErrCancelRequested) || !errors.As(cause, &request) || request.Reason != "no longer needed" {
		t.Errorf("cause = %v, want ErrCancelRequested with its reason", cause)
	}
	if lease := server.awaitEnd(t, "job_1"); lease.ended != "fail" {
		t.Errorf("ended by %q, want a final call", lease.ended)
	}
}

func TestAttempt_OutOfTime_EndsTheContext(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	worker, h := holdWorker(t, server, clock.NewManual(epoch), belfry.WorkerConfig{})
	server.offer("job_1", nil, func(l *v1.LeasedJob) { l.AttemptRemaining = durationpb.New(time.Millisecond) })
	start(t, worker)
	if cause := receive(t, h.cause, "end of the context"); !errors.Is(cause, belfry.ErrAttemptTimeout) {
		t.Errorf("cause = %v, want ErrAttemptTimeout", cause)
	}
	if lease := server.awaitEnd(t, "job_1"); lease.ended != "fail" {
		t.Errorf("ended by %q", lease.ended)
	}
}

// P-SDK-02: after a cut that cost the lease, the job is ended locally and new
// work flows.
func TestWorker_AfterACutThatCostItsLease_GoesOn(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	worker, h := holdWorker(t, server, newFastClock(), belfry.WorkerConfig{LeaseDuration: 60 * time.Second})
	server.offer("job_1", nil)
	start(t, worker)
	receive(t, h.started, "start")
	server.fault(func(context.Context, string, any) error { return unavailable() })
	server.CloseClientConnections()
	server.await(t, "the cut to be noticed", func() bool {
		return server.calls["WorkerService/Heartbeat failed"] > 1 && server.calls["WorkerService/LeaseJobs failed"] > 1
	})
	server.update(func() { server.leases["job_1"].lost, server.before = true, nil })
	server.offer("job_2", nil)
	if cause := receive(t, h.cause, "end of the lost job"); !errors.Is(cause, belfry.ErrLeaseLost) {
		t.Errorf("cause = %v, want ErrLeaseLost", cause)
	}
	receive(t, h.started, "start of new work")
	close(h.letGo)
	server.awaitEnd(t, "job_2")
}

type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func debugLogger(out *syncBuffer) *slog.Logger {
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
