package e2e_test

import (
	"context"
	"errors"
	"testing"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// cancelGrace is how long a worker has after a request to cancel its job.
const cancelGrace = 30 * time.Second

func TestCancel_OfAWaitingJob_EndsItAtOnce(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	for name, job := range map[string]belfry.NewJob{"due": {Queue: "due"}, "later": {Queue: "later", Delay: 300 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := create(t, x.Client, job)
			for range 2 { // the second changes nothing
				cancelled, err := x.Cancel(t.Context(), made.ID, "no longer needed")
				if err != nil || cancelled.State != belfry.StateCancelled {
					t.Fatalf("cancel: %s, %v", cancelled.State, err)
				}
			}
			pull{queue: name, wait: 600 * time.Millisecond}.none(t, x.Client)
			if job := get(t, x.Client, made.ID); job.State != belfry.StateCancelled || job.Attempt != 0 || job.FinishTime.IsZero() {
				t.Errorf("job %+v", job)
			}
		})
	}
}

func TestCancel_OfAFinishedJob_IsRefused(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	wantState(t, complete(t, x.Client, pull{}.one(t, x.Client).GetLeaseToken()), v1.JobState_JOB_STATE_SUCCEEDED)
	_, err := x.Cancel(t.Context(), made.ID, "")
	if belfry.CodeOf(err) != belfry.CodeFailedPrecondition || belfry.ReasonOf(err) != belfry.ReasonJobFinished {
		t.Errorf("cancel: %v", err)
	}
}

func TestCancel_OfARunningJob_ReachesTheWorkerByItsHeartbeat(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	token := pull{}.one(t, x.Client).GetLeaseToken()
	if beat := heartbeat(t, x.Client, token); beat.GetCancelRequested() {
		t.Fatal("asked to cancel before anybody did")
	}
	for range 2 {
		asked, err := x.Cancel(t.Context(), made.ID, "wrong address")
		if err != nil || asked.State != belfry.StateRunning || !asked.CancelRequested {
			t.Fatalf("cancel: %+v, %v", asked, err)
		}
	}
	beat := heartbeat(t, x.Client, token)
	if !beat.GetCancelRequested() || beat.GetCancelReason() != "wrong address" || beat.GetError() != nil {
		t.Errorf("heartbeat: %v", beat)
	}
	wantState(t, fail(t, x.Client, &v1.FailItem{LeaseToken: token, Error: "stopped"}), v1.JobState_JOB_STATE_CANCELLED)
	job := get(t, x.Client, made.ID)
	if job.State != belfry.StateCancelled || len(job.Attempts) != 1 || job.Attempts[0].Outcome != belfry.OutcomeCancelled {
		t.Errorf("job %s, attempts %+v", job.State, job.Attempts)
	}
	pull{wait: 300 * time.Millisecond}.none(t, x.Client)
}

// The request does not outrun the work: a worker that completes all the same has done the job.
func TestCancel_OfAJobThatIsCompletedAllTheSame(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	token := pull{}.one(t, x.Client).GetLeaseToken()
	if _, err := x.Cancel(t.Context(), made.ID, ""); err != nil {
		t.Fatal(err)
	}
	result := complete(t, x.Client, token)
	if result.GetError() != nil {
		t.Fatalf("complete: %v", result)
	}
	if job := get(t, x.Client, made.ID); !job.State.Final() || string(job.State) != result.GetState().String()[len("JOB_STATE_"):] {
		t.Errorf("job is %s, the worker was told %v", job.State, result.GetState())
	}
}

// Case P-SDK-01.
func TestCancel_EndsTheContextOfTheHandler(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	started, ended := make(chan struct{}), make(chan error, 1)
	worker := belfry.NewWorker(x.Client, belfry.WorkerConfig{LeaseDuration: 5 * time.Second, Concurrency: 1})
	worker.HandleAny(func(ctx context.Context, _ *belfry.LeasedJob) error {
		close(started)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	})
	work(t, worker)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	within(t, started, "the handler runs")
	if _, err := x.Cancel(t.Context(), made.ID, "enough"); err != nil {
		t.Fatal(err)
	}
	select {
	case cause := <-ended:
		var asked *belfry.CancelRequestedError
		if !errors.As(cause, &asked) || asked.Reason != "enough" {
			t.Errorf("cause %v", cause)
		}
	case <-time.After(6 * time.Second):
		t.Fatal("the handler was not told within 6s")
	}
	harness.Within(t, soon, "the job is cancelled", func() bool { return get(t, x.Client, made.ID).State == belfry.StateCancelled })
}

// A worker that goes on beating, and never ends, loses its lease 30 seconds after the request.
func TestCancel_AfterTheGrace_RevokesTheLease(t *testing.T) {
	t.Parallel()
	if !harness.Nightly() {
		// The grace is real time: the ordinary run checks that the lease is good until then.
		cancelAndBeat(t, 3*time.Second)
		return
	}
	x, id, token := cancelAndBeat(t, cancelGrace-2*time.Second)
	harness.Within(t, 6*time.Second, "the lease is revoked", func() bool { return heartbeat(t, x.Client, token).GetError() != nil })
	wantLost(t, "complete", complete(t, x.Client, token).GetError())
	if job := get(t, x.Client, id); job.State != belfry.StateCancelled {
		t.Errorf("job is %s", job.State)
	}
}

// cancelAndBeat asks to cancel a running job and checks for d that its lease holds.
func cancelAndBeat(t *testing.T, d time.Duration) (x harness.Tenant, id, token string) {
	t.Helper()
	x = harness.Shared(t).NewTenant(t)
	id = create(t, x.Client, belfry.NewJob{Queue: "q"}).ID
	token = pull{}.one(t, x.Client).GetLeaseToken()
	if _, err := x.Cancel(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
		if beat := heartbeat(t, x.Client, token); beat.GetError() != nil || !beat.GetCancelRequested() {
			t.Fatalf("heartbeat within the grace: %v", beat)
		}
		_ = harness.Pass(t.Context(), time.Second)
	}
	return x, id, token
}
