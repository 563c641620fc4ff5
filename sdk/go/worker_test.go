package belfry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

var quiet = slog.New(slog.DiscardHandler)

// start runs a worker until the test ends, or until stop, which returns what
// Run returned.
func start(t *testing.T, worker *belfry.Worker) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- worker.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(patience):
			return errors.New("Run did not return")
		}
	})
	t.Cleanup(func() { _ = stop() })
	return stop
}

func newWorker(t *testing.T, server *fakeServer, config belfry.WorkerConfig, opts ...belfry.Option) *belfry.Worker {
	t.Helper()
	if config.Logger == nil {
		config.Logger = quiet
	}
	return belfry.NewWorker(server.client(t, opts...), config)
}

func TestWorker_HandlerGetsFactsAndHandsBackAResult(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	worker := newWorker(t, server, belfry.WorkerConfig{Queues: []string{"mail"}, WorkerID: "w1"})
	type letter struct{ To string }
	var got belfry.Job[letter]
	var facts belfry.LeasedJob
	belfry.HandleFunc(worker, "send", func(_ context.Context, job *belfry.Job[letter]) error {
		got, facts = *job, *job.LeasedJob
		return job.SetResult(map[string]int{"sent": 1})
	})
	payload, err := structpb.NewValue(map[string]any{"To": "ada"})
	if err != nil {
		t.Fatal(err)
	}
	server.offer("job_1", &v1.Payload{Data: &v1.Payload_Json{Json: payload}}, func(l *v1.LeasedJob) {
		l.Attempt, l.Job.Schedule, l.Job.NominalTime, l.Job.Headers = 2, "nightly", timestamp(epoch), map[string]string{"a": "b"}
	})
	stop := start(t, worker)
	lease := server.awaitEnd(t, "job_1")
	if lease.ended != "complete" || lease.complete.GetResult().GetJson().GetStructValue().GetFields()["sent"].GetNumberValue() != 1 {
		t.Errorf("ended by %q with %v", lease.ended, lease.complete)
	}
	if err := stop(); err != nil {
		t.Errorf("Run() = %v", err)
	}
	if got.Payload.To != "ada" || facts.JobID != "job_1" || facts.Queue != "mail" || facts.Attempt != 2 || facts.FencingToken != 7 ||
		facts.Schedule != "nightly" || !facts.NominalTime.Equal(epoch) || !facts.DueTime.Equal(epoch) || facts.Headers["a"] != "b" {
		t.Errorf("job = %+v", facts)
	}
	poll := server.poll(0)
	if !slices.Equal(poll.GetJobTypes(), []string{"send"}) || !slices.Equal(poll.GetQueues(), []string{"mail"}) ||
		poll.GetWorkerId() != "w1" || poll.GetMaxJobs() != 10 || poll.GetLeaseDuration().AsDuration() != time.Minute {
		t.Errorf("LeaseJobs = %v", poll)
	}
}

func TestWorker_WithACatchAll_LeasesAllTypes(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	worker := newWorker(t, server, belfry.WorkerConfig{})
	worker.Handle("send", func(context.Context, *belfry.LeasedJob) error { return errors.New("wrong handler") })
	worker.HandleAny(func(context.Context, *belfry.LeasedJob) error { return nil })
	server.offer("job_1", nil, func(l *v1.LeasedJob) { l.Job.JobType = "other" })
	start(t, worker)
	if lease := server.awaitEnd(t, "job_1"); lease.ended != "complete" {
		t.Errorf("ended by %q", lease.ended)
	}
	if types := server.poll(0).GetJobTypes(); len(types) != 0 {
		t.Errorf("job_types = %q, want none", types)
	}
}

func TestWorker_WhatTheHandlerReturns_DecidesTheEnd(t *testing.T) {
	t.Parallel()
	type failure struct{ error }
	for name, test := range map[string]struct {
		handler belfry.Handler
		ended   string
		check   func(fakeLease) bool
	}{
		"nil completes": {func(context.Context, *belfry.LeasedJob) error { return nil }, "complete",
			func(l fakeLease) bool { return l.complete.GetResult() == nil }},
		"an error fails": {func(context.Context, *belfry.LeasedJob) error { return errors.New("no route") }, "fail",
			func(l fakeLease) bool {
				return l.fail.GetError() == "no route" && !l.fail.GetPermanent() && l.fail.GetRetryAfter() == nil
			}},
		"permanent, also wrapped": {func(context.Context, *belfry.LeasedJob) error {
			return fmt.Errorf("send: %w", belfry.Permanent(errors.New("no such user")))
		}, "fail", func(l fakeLease) bool { return l.fail.GetError() == "send: no such user" && l.fail.GetPermanent() }},
		"retry after": {func(context.Context, *belfry.LeasedJob) error {
			return belfry.RetryAfter(errors.New("busy"), time.Minute)
		}, "fail", func(l fakeLease) bool { return l.fail.GetRetryAfter().AsDuration() == time.Minute }},
		"snooze releases": {func(context.Context, *belfry.LeasedJob) error { return belfry.Snooze(time.Hour) }, "release",
			func(l fakeLease) bool { return l.release.GetDelay().AsDuration() == time.Hour }},
		"a snooze too long is cut": {func(context.Context, *belfry.LeasedJob) error { return belfry.Snooze(1e6 * time.Hour) }, "release",
			func(l fakeLease) bool { return l.release.GetDelay().AsDuration() == 30*24*time.Hour }},
		// P-SDK-03
		"a panic of 1 MiB fails within 8 KiB": {func(context.Context, *belfry.LeasedJob) error { panic(strings.Repeat("x", 1<<20)) }, "fail",
			func(l fakeLease) bool {
				return len(l.fail.GetError()) <= 8<<10 && strings.HasPrefix(l.fail.GetError(), "panic: xxx") && strings.Contains(l.fail.GetError(), "worker_test.go")
			}},
		"a handler that ends its goroutine fails": {func(context.Context, *belfry.LeasedJob) error { runtime.Goexit(); return nil }, "fail",
			func(l fakeLease) bool { return strings.Contains(l.fail.GetError(), "Goexit") }},
		"an error that panics fails": {func(context.Context, *belfry.LeasedJob) error { return (*failure)(nil) }, "fail",
			func(l fakeLease) bool { return strings.Contains(l.fail.GetError(), "failure") }},
		"an error that is no UTF-8 fails": {func(context.Context, *belfry.LeasedJob) error {
			return errors.New(strings.Repeat("\xff", 8<<10) + "\x00")
		}, "fail", func(l fakeLease) bool {
			return len(l.fail.GetError()) <= 8<<10 && strings.HasPrefix(l.fail.GetError(), "\uFFFD")
		}},
		"a result too large is refused to the handler": {func(_ context.Context, job *belfry.LeasedJob) error {
			return job.SetResult(make([]byte, 256<<10+1))
		}, "fail", func(l fakeLease) bool { return strings.Contains(l.fail.GetError(), "262144") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newFakeServer(t)
			worker := newWorker(t, server, belfry.WorkerConfig{Concurrency: 1})
			worker.Handle("send", test.handler)
			worker.Handle("next", func(context.Context, *belfry.LeasedJob) error { return nil })
			server.offer("job_1", nil)
			server.offer("job_2", nil, func(l *v1.LeasedJob) { l.Job.JobType = "next" })
			start(t, worker)
			if lease := server.awaitEnd(t, "job_1"); lease.ended != test.ended || !test.check(lease) {
				t.Errorf("ended by %q: %.300v %.300v %.300v", lease.ended, lease.complete, lease.fail, lease.release)
			}
			server.awaitEnd(t, "job_2") // The slot is free again.
		})
	}
}

func TestWorker_PayloadThatIsNoT_FailsTheAttempt(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	worker := newWorker(t, server, belfry.WorkerConfig{})
	belfry.HandleFunc(worker, "send", func(context.Context, *belfry.Job[map[string]int]) error { return nil })
	server.offer("job_1", textPayload("not JSON"))
	start(t, worker)
	if lease := server.awaitEnd(t, "job_1"); lease.ended != "fail" || !strings.Contains(lease.fail.GetError(), "decode payload") {
		t.Errorf("ended by %q with %v", lease.ended, lease.fail)
	}
}

func TestWorker_Middleware_WrapsInOrderAndSeesPanics(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	worker := newWorker(t, server, belfry.WorkerConfig{})
	var seen []string
	note := func(name string) func(belfry.Handler) belfry.Handler {
		return func(next belfry.Handler) belfry.Handler {
			return func(ctx context.Context, job *belfry.LeasedJob) error {
				seen = append(seen, name)
				err := next(ctx, job)
				seen = append(seen, fmt.Sprintf("%s saw %.9v", name, err))
				return err
			}
		}
	}
	worker.Use(note("outer"), note("inner"))
	worker.Handle("send", func(context.Context, *belfry.LeasedJob) error { panic("oh") })
	server.offer("job_1", nil)
	start(t, worker)
	server.awaitEnd(t, "job_1")
	if want := []string{"outer", "inner", "inner saw panic: oh", "outer saw panic: oh"}; !slices.Equal(seen, want) {
		t.Errorf("seen = %q, want %q", seen, want)
	}
}

func TestWorker_CreditNeverExceedsFreeSlots(t *testing.T) {
	t.Parallel()
	const jobs, slots = 400, 7
	server := newFakeServer(t)
	server.limit = slots
	worker := newWorker(t, server, belfry.WorkerConfig{Concurrency: slots})
	runs := map[string]int{}
	worker.Handle("send", func(_ context.Context, job *belfry.LeasedJob) error {
		server.update(func() { server.active++; runs[job.JobID]++ })
		for range rand.IntN(50) {
			runtime.Gosched()
		}
		server.update(func() { server.active-- })
		return nil
	})
	stop := start(t, worker)
	for i := range jobs {
		server.offer(fmt.Sprintf("job_%d", i), nil)
	}
	server.await(t, "all jobs", func() bool {
		ended := 0
		for _, lease := range server.leases {
			if lease.ended == "complete" {
				ended++
			}
		}
		return ended == jobs
	})
	if err := stop(); err != nil {
		t.Errorf("Run() = %v", err)
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	if server.overdrawn {
		t.Error("polls asked for more jobs than there were free slots")
	}
	for id, n := range runs {
		if n != 1 {
			t.Errorf("%s ran %d times", id, n)
		}
	}
}

func TestWorker_FinalCalls_AreGatheredWhileOneIsOut(t *testing.T) {
	t.Parallel()
	const jobs = 50
	server := newFakeServer(t)
	first := make(chan struct{})
	var once sync.Once
	server.fault(func(_ context.Context, method string, _ any) error {
		if method == "WorkerService/CompleteJobs" {
			once.Do(func() { <-first })
		}
		return nil
	})
	var running sync.WaitGroup
	running.Add(jobs)
	worker := newWorker(t, server, belfry.WorkerConfig{Concurrency: jobs})
	worker.Handle("send", func(context.Context, *belfry.LeasedJob) error { running.Done(); return nil })
	for i := range jobs {
		server.offer(fmt.Sprintf("job_%d", i), nil)
	}
	stop := start(t, worker)
	running.Wait()
	close(first)
	for i := range jobs {
		server.awaitEnd(t, fmt.Sprintf("job_%d", i))
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	// One that went at once, one that gathered; some handlers may return later.
	if n := server.count("WorkerService/CompleteJobs"); n > jobs/2 {
		t.Errorf("%d calls for %d jobs", n, jobs)
	}
}

// P-SDK-06: a lost answer to a final call is asked for again, with the same
// token, and counts once.
func TestWorker_LostAnswerToACompletion_CountsOnce(t *testing.T) {
	t.Parallel()
	for method, handler := range map[string]belfry.Handler{
		"CompleteJobs": func(context.Context, *belfry.LeasedJob) error { return nil },
		"FailJobs":     func(context.Context, *belfry.LeasedJob) error { return errors.New("x") },
		"ReleaseJobs":  func(context.Context, *belfry.LeasedJob) error { return belfry.Snooze(0) },
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			server := newFakeServer(t)
			server.dropFirst("WorkerService/" + method)
			worker := newWorker(t, server, belfry.WorkerConfig{}, belfry.WithClock(newFastClock()))
			worker.Handle("send", handler)
			server.offer("job_1", nil)
			stop := start(t, worker)
			server.await(t, "second call", func() bool { return server.calls["WorkerService/"+method] == 2 })
			if err := stop(); err != nil {
				t.Errorf("Run() = %v", err)
			}
			for _, other := range []string{"CompleteJobs", "FailJobs", "ReleaseJobs"} {
				if n := server.count("WorkerService/" + other); other != method && n != 0 {
					t.Errorf("%d calls of %s", n, other)
				}
			}
		})
	}
}

func TestWorker_ServerRefusesACompletion_FailsThatAttemptOnly(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	server.fault(func(_ context.Context, method string, request any) error {
		if complete, ok := request.(*v1.CompleteJobsRequest); ok {
			for _, item := range complete.GetItems() {
				if item.GetResult().GetText() == "poison" {
					return connect.NewError(connect.CodeInvalidArgument, errors.New("items: bad result"))
				}
			}
		}
		return nil
	})
	var together sync.WaitGroup
	together.Add(3)
	worker := newWorker(t, server, belfry.WorkerConfig{})
	worker.Handle("send", func(_ context.Context, job *belfry.LeasedJob) error {
		text, err := belfry.Decode[string](job)
		together.Done()
		together.Wait()
		return errors.Join(err, job.SetResult(text))
	})
	for i, text := range []string{"good", "poison", "fine"} {
		server.offer(fmt.Sprintf("job_%d", i), textPayload(text))
	}
	stop := start(t, worker)
	for i, want := range []string{"complete", "fail", "complete"} {
		if lease := server.awaitEnd(t, fmt.Sprintf("job_%d", i)); lease.ended != want {
			t.Errorf("job_%d ended by %q, want %q", i, lease.ended, want)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestWorker_ThatCannotWork_SaysSoAtOnce(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	handler := func(context.Context, *belfry.LeasedJob) error { return nil }
	wrongKey, err := belfry.NewClient(server.URL, "wrong")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(wrongKey.Close)
	twice := newWorker(t, server, belfry.WorkerConfig{})
	twice.Handle("send", handler)
	twice.Handle("send", handler)
	many := newWorker(t, server, belfry.WorkerConfig{})
	for i := range 101 {
		many.Handle(fmt.Sprint(i), handler)
	}
	short := newWorker(t, server, belfry.WorkerConfig{LeaseDuration: time.Second, Concurrency: -1})
	short.HandleAny(handler)
	refused := belfry.NewWorker(wrongKey, belfry.WorkerConfig{Logger: quiet})
	refused.HandleAny(handler)
	for name, test := range map[string]struct {
		worker *belfry.Worker
		want   string
	}{
		"no handlers":   {newWorker(t, server, belfry.WorkerConfig{}), "no handlers"},
		"two of a type": {twice, `two handlers for job type "send"`},
		"too many":      {many, "101 job types"},
		"bad settings":  {short, "LeaseDuration is 1s"},
		"wrong key":     {refused, "unauthenticated"},
	} {
		if err := test.worker.Run(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: Run() = %v, want %q", name, err, test.want)
		}
	}
}

func TestWorker_WrongClockOfTheMachine_DoesNoHarm(t *testing.T) {
	t.Parallel()
	// P-CLK-03: the lease "expired" an hour ago by this clock.
	server := newFakeServer(t)
	worker := newWorker(t, server, belfry.WorkerConfig{LeaseDuration: 30 * time.Second}, belfry.WithClock(hourAhead()))
	worker.Handle("send", func(ctx context.Context, _ *belfry.LeasedJob) error { return context.Cause(ctx) })
	server.offer("job_1", nil, func(l *v1.LeasedJob) {
		l.LeaseExpireTime, l.LeaseRemaining = timestamp(time.Now().Add(30*time.Second)), durationpb.New(30*time.Second)
	})
	start(t, worker)
	if lease := server.awaitEnd(t, "job_1"); lease.ended != "complete" || lease.beats != 0 {
		t.Errorf("ended by %q after %d beats", lease.ended, lease.beats)
	}
}

// P-SDK-04: workers come back by themselves, and leave no goroutine behind.
// Not parallel: it counts goroutines.
func TestWorker_ServerRestarts_AllWorkersLeaseAgain(t *testing.T) { //nolint:paralleltest // Counts goroutines.
	const workers, restarts = 50, 3
	server := newFakeServer(t)
	before := runtime.NumGoroutine()
	var clients []*belfry.Client
	var stops []func() error
	for i := range workers {
		client := server.client(t, belfry.WithClock(newFastClock()))
		worker := belfry.NewWorker(client, belfry.WorkerConfig{Logger: quiet, WorkerID: fmt.Sprint(i)})
		worker.Handle("send", func(context.Context, *belfry.LeasedJob) error { return nil })
		clients, stops = append(clients, client), append(stops, start(t, worker))
	}
	seen := func() int {
		ids := map[string]bool{}
		for _, poll := range server.polls {
			ids[poll.GetWorkerId()] = true
		}
		return len(ids)
	}
	for range restarts {
		server.await(t, "a poll of every worker", func() bool { return seen() == workers })
		server.fault(func(context.Context, string, any) error { return unavailable() })
		server.CloseClientConnections()
		server.update(func() { server.polls = nil })
		server.await(t, "failed polls", func() bool { return server.calls["WorkerService/LeaseJobs failed"] >= workers })
		server.update(func() { server.before, server.calls = nil, map[string]int{} })
	}
	server.await(t, "a poll of every worker", func() bool { return seen() == workers })
	var stopping sync.WaitGroup
	for i, stop := range stops {
		stopping.Go(func() {
			if err := stop(); err != nil {
				t.Errorf("worker %d: %v", i, err)
			}
			clients[i].Close()
		})
	}
	stopping.Wait()
	server.CloseClientConnections()
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines after, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
