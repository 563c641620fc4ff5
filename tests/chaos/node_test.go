package chaos_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// Promise 3 through a hand-over: a server that was stopped longer than its ownership lasts, and goes on where it stood,
// claims nothing that its successor owns.
func TestStaleOwner_ClaimsNothing(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{Flags: quickOwnership})
	x := world.NewTenant(t)
	account := harness.NewAccount()
	const jobs = 3000
	old := &harness.Crew{Client: x.Client, Account: account, Members: 4, Batch: 10, Hold: 20 * time.Millisecond}
	old.Start(t)
	harness.Producer{Client: x.Client, Account: account, Job: spread(8*time.Second, jobs)}.Preload(t, jobs)
	harness.Within(t, 15*time.Second, "the first server leases", func() bool { return old.Completed() > jobs/20 })
	if err := world.Node.Pause(); err != nil {
		t.Fatal(err)
	}
	successor := harness.StartNode(t, harness.NodeOptions{DatabaseURL: world.DB.URL(), Flags: quickOwnership})
	next := &harness.Crew{Client: x.Through(t, successor.Addr), Account: account, Members: 4, Batch: 10, Hold: 20 * time.Millisecond}
	next.Start(t)
	harness.Within(t, 10*time.Second, "the successor leases", func() bool { return next.Completed() > jobs/20 })
	if err := world.Node.Resume(); err != nil {
		t.Fatal(err)
	}
	account.Settle(t, next.Client, 30*time.Second)
}

// Case P-SDK-02: a worker that is cut off loses its lease to another, learns of it, and works on by itself when it is back.
func TestWorkerCutOff_LosesItsLease_AndComesBack(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{})
	x := world.NewTenant(t)
	gate := harness.NewGate(t, world.Node.Addr)
	started, ended := make(chan string, 10), make(chan error, 10)
	var release atomic.Bool
	worker := belfry.NewWorker(x.Through(t, gate.Address()), belfry.WorkerConfig{LeaseDuration: 5 * time.Second, Concurrency: 2, PollWait: time.Second})
	worker.HandleAny(func(ctx context.Context, job *belfry.LeasedJob) error {
		started <- job.JobID
		for !release.Load() {
			if harness.Pass(ctx, 20*time.Millisecond) != nil {
				ended <- context.Cause(ctx)
				return ctx.Err()
			}
		}
		return nil
	})
	ctx, stop := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- worker.Run(ctx) }()
	made, err := x.Create(t.Context(), belfry.NewJob{Queue: "q", Retry: eager})
	if err != nil {
		t.Fatal(err)
	}
	<-started
	gate.Shut()
	if again := take(t, x, "q", 1)[0]; again.GetJob().GetJobId() != made.ID || again.GetAttempt() != 2 {
		t.Errorf("leased %s, attempt %d", again.GetJob().GetJobId(), again.GetAttempt())
	}
	gate.Open(t)
	select {
	case cause := <-ended:
		if !errors.Is(cause, belfry.ErrLeaseLost) {
			t.Errorf("the handler ended with %v", cause)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the handler was not told within 10s of the return")
	}
	release.Store(true)
	fresh, err := x.Create(t.Context(), belfry.NewJob{Queue: "q", Retry: eager})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case id := <-started:
		if id != fresh.ID {
			t.Errorf("the worker got %s, want %s", id, fresh.ID)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the worker had no new work within 10s of its return")
	}
	stop()
	if err := <-result; err != nil {
		t.Errorf("worker: %v", err)
	}
}
