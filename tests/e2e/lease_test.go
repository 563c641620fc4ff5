package e2e_test

import (
	"testing"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// quick is a policy whose retries come at once.
func quick(attempts int) *belfry.RetryPolicy {
	return &belfry.RetryPolicy{MaxAttempts: attempts, InitialBackoff: 100 * time.Millisecond, MaxBackoff: 100 * time.Millisecond, Jitter: new(0.0)}
}

func TestLease_CarriesTheJobAndItsLease(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Type: "mail", Payload: []byte("a\x00b"), Headers: map[string]string{"k": "v"},
		Priority: new(2), AttemptTimeout: time.Minute})
	got := pull{queue: "q", lease: 20 * time.Second}.one(t, x.Client)
	job := got.GetJob()
	if job.GetJobId() != made.ID || job.GetTenantId() != x.ID || job.GetQueue() != "q" || job.GetJobType() != "mail" ||
		job.GetPriority() != 2 || job.GetState() != v1.JobState_JOB_STATE_RUNNING || job.GetWorkerId() != "e2e" {
		t.Errorf("job %v", job)
	}
	if string(job.GetPayload().GetBytes()) != "a\x00b" || job.GetHeaders()["k"] != "v" {
		t.Errorf("payload %v, headers %v", job.GetPayload(), job.GetHeaders())
	}
	if got.GetAttempt() != 1 || job.GetAttempt() != 1 || got.GetFencingToken() != job.GetVersion() {
		t.Errorf("attempt %d, fencing token %d, version %d", got.GetAttempt(), got.GetFencingToken(), job.GetVersion())
	}
	if left := got.GetLeaseRemaining().AsDuration(); left > 20*time.Second || left < 15*time.Second {
		t.Errorf("lease_remaining %v of 20s", left)
	}
	if left := got.GetAttemptRemaining().AsDuration(); left > time.Minute || left < 50*time.Second {
		t.Errorf("attempt_remaining %v of 1m", left)
	}
	if started := job.GetStartTime().AsTime(); started.Before(job.GetDueTime().AsTime()) {
		t.Errorf("started %v, due %v", started, job.GetDueTime().AsTime())
	}
}

func TestComplete_Repeated_IsOKAndChangesNothing(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	lease := pull{}.one(t, x.Client)
	wantState(t, complete(t, x.Client, lease.GetLeaseToken()), v1.JobState_JOB_STATE_SUCCEEDED)
	first := get(t, x.Client, made.ID)
	wantState(t, complete(t, x.Client, lease.GetLeaseToken()), v1.JobState_JOB_STATE_SUCCEEDED)
	again := get(t, x.Client, made.ID)
	if len(again.Attempts) != 1 || !again.FinishTime.Equal(first.FinishTime) {
		t.Errorf("after the repetition: %d attempts, finished %v, first %v", len(again.Attempts), again.FinishTime, first.FinishTime)
	}
}

func TestFinalCall_OfAnotherKindAfterTheEnd_IsLeaseLost(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	token := pull{}.one(t, x.Client).GetLeaseToken()
	wantState(t, complete(t, x.Client, token), v1.JobState_JOB_STATE_SUCCEEDED)
	wantLost(t, "fail", fail(t, x.Client, &v1.FailItem{LeaseToken: token, Error: "too late"}).GetError())
	wantLost(t, "release", release(t, x.Client, &v1.ReleaseItem{LeaseToken: token}).GetError())
	wantLost(t, "heartbeat", heartbeat(t, x.Client, token).GetError())
	if job := get(t, x.Client, made.ID); job.State != belfry.StateSucceeded || job.LastError != "" {
		t.Errorf("job is %s with error %q", job.State, job.LastError)
	}
}

func TestFail_Repeated_CountsOnce(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: &belfry.RetryPolicy{InitialBackoff: time.Hour}})
	item := &v1.FailItem{LeaseToken: pull{}.one(t, x.Client).GetLeaseToken(), Error: "boom"}
	first := fail(t, x.Client, item)
	wantState(t, first, v1.JobState_JOB_STATE_PENDING)
	second := fail(t, x.Client, item)
	wantState(t, second, v1.JobState_JOB_STATE_PENDING)
	if job := get(t, x.Client, made.ID); job.Attempt != 1 || len(job.Attempts) != 1 || !job.DueTime.Equal(first.GetDueTime().AsTime()) {
		t.Errorf("attempt %d, %d ended, due %v, first answer %v", job.Attempt, len(job.Attempts), job.DueTime, first.GetDueTime().AsTime())
	}
}

// Cases P-LEA-01 and P-LEA-07, and an expiry noticed within a second of it.
func TestExpiredLease_IsRescued_AndTheLateWorkerIsTold(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: quick(5)})
	stale := pull{lease: 5 * time.Second}.one(t, x.Client)
	expiry := stale.GetLeaseExpireTime().AsTime()
	fresh := pull{wait: 15 * time.Second}.one(t, x.Client)
	if started := fresh.GetJob().GetStartTime().AsTime(); started.Before(expiry) {
		t.Errorf("leased again at %v, the first lease held until %v", started, expiry)
	} else if noticed := started.Sub(expiry); noticed > 2*time.Second {
		t.Errorf("leased again %v after the expiry, want 1s, backoff included", noticed)
	}
	if fresh.GetAttempt() != 2 || fresh.GetFencingToken() <= stale.GetFencingToken() {
		t.Errorf("attempt %d with fencing token %d after %d", fresh.GetAttempt(), fresh.GetFencingToken(), stale.GetFencingToken())
	}
	wantLost(t, "fail", fail(t, x.Client, &v1.FailItem{LeaseToken: stale.GetLeaseToken(), Error: "lost lock"}).GetError())
	wantLost(t, "heartbeat", heartbeat(t, x.Client, stale.GetLeaseToken()).GetError())
	wantLost(t, "complete", complete(t, x.Client, stale.GetLeaseToken()).GetError())
	wantState(t, complete(t, x.Client, fresh.GetLeaseToken()), v1.JobState_JOB_STATE_SUCCEEDED)
	job := get(t, x.Client, made.ID)
	if len(job.Attempts) != 2 || job.Attempts[0].Outcome != belfry.OutcomeTimedOut || job.Attempts[1].Outcome != belfry.OutcomeSucceeded {
		t.Fatalf("attempts %+v", job.Attempts)
	}
	if job.LostLeases != 1 || job.Attempt != 2 || job.State != belfry.StateSucceeded {
		t.Errorf("job %+v", job)
	}
	if job.Attempts[0].Error == "lost lock" {
		t.Error("the stale worker's error overwrote the outcome of its attempt")
	}
}

// Case P-LEA-06: at most once.
func TestExpiredLease_OfTheOnlyAttempt_IsDead(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: quick(1)})
	pull{lease: 5 * time.Second}.one(t, x.Client)
	var job belfry.JobInfo
	harness.Within(t, 10*time.Second, "the job is dead", func() bool {
		job = get(t, x.Client, made.ID)
		return job.State == belfry.StateDead
	})
	if job.Attempt != 1 || job.LostLeases != 1 || len(job.Attempts) != 1 || job.Attempts[0].Outcome != belfry.OutcomeTimedOut {
		t.Errorf("job %+v", job)
	}
	if job.StateReason == "" || job.LastError == "" {
		t.Errorf("reason %q, error %q: a dead job says why", job.StateReason, job.LastError)
	}
	pull{wait: 500 * time.Millisecond}.none(t, x.Client)
}

// Case P-LEA-03: expiry is the server's affair, whatever the workers can do.
func TestExpiredLease_OfATypeNobodyKnows_IsReadyAgain(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Type: "b", Retry: quick(5)})
	pull{lease: 5 * time.Second}.one(t, x.Client)
	pull{types: []string{"a"}, wait: 8 * time.Second}.none(t, x.Client)
	if job := get(t, x.Client, made.ID); job.State != belfry.StateReady || job.Attempt != 1 {
		t.Errorf("job is %s after %d attempts", job.State, job.Attempt)
	}
	if again := (pull{types: []string{"b"}}).one(t, x.Client); again.GetAttempt() != 2 {
		t.Errorf("attempt %d, want 2", again.GetAttempt())
	}
}

func TestHeartbeat_ExtendsTheLease(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	create(t, x.Client, belfry.NewJob{Queue: "q"})
	lease := pull{lease: 5 * time.Second}.one(t, x.Client)
	for end := time.Now().Add(8 * time.Second); time.Now().Before(end); {
		if beat := heartbeat(t, x.Client, lease.GetLeaseToken()); beat.GetError() != nil || beat.GetLeaseRemaining().AsDuration() < 4*time.Second {
			t.Fatalf("heartbeat: %v", beat)
		}
		pull{wait: 1500 * time.Millisecond}.none(t, x.Client)
	}
	wantState(t, complete(t, x.Client, lease.GetLeaseToken()), v1.JobState_JOB_STATE_SUCCEEDED)
}

// An attempt is bounded whatever its heartbeats say.
func TestAttemptTimeout_EndsTheAttemptDespiteHeartbeats(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", AttemptTimeout: 2 * time.Second, Retry: quick(1)})
	lease := pull{lease: 6 * time.Second}.one(t, x.Client)
	harness.Within(t, 10*time.Second, "the attempt is ended", func() bool {
		return heartbeat(t, x.Client, lease.GetLeaseToken()).GetError() != nil
	})
	wantLost(t, "complete", complete(t, x.Client, lease.GetLeaseToken()).GetError())
	job := get(t, x.Client, made.ID)
	if job.State != belfry.StateDead || job.Attempts[0].Outcome != belfry.OutcomeTimedOut {
		t.Fatalf("job %+v", job)
	}
	if took := job.Attempts[0].EndTime.Sub(job.Attempts[0].StartTime); took < 2*time.Second || took > 4*time.Second {
		t.Errorf("the attempt took %v of 2s", took)
	}
}

// Case P-SDK-05: a poll whose caller has gone gives the job back.
func TestLease_WhoseCallerHasGone_IsNotLostForTheLease(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	gate := harness.NewGate(t, harness.Shared(t).Node.Addr)
	far := x.Through(t, gate.Address(), belfry.WithRetries(belfry.Retries{MaxAttempts: 1}))
	polling := make(chan error, 1)
	go func() {
		_, err := far.Workers().LeaseJobs(t.Context(), pull{wait: 30 * time.Second, lease: time.Minute}.request())
		polling <- err
	}()
	harness.Within(t, soon, "the poll waits", func() bool {
		stats, err := x.Queues().GetQueueStats(t.Context(), &v1.GetQueueStatsRequest{Queue: "q"})
		return err == nil && stats != nil || waiting(t, x)
	})
	gate.Shut()
	if err := <-polling; err == nil {
		t.Fatal("the poll was answered through a shut gate")
	}
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	lease := pull{wait: 10 * time.Second}.one(t, x.Client)
	if lease.GetJob().GetJobId() != made.ID || lease.GetAttempt() != 1 {
		t.Errorf("leased %s, attempt %d; want %s, attempt 1", lease.GetJob().GetJobId(), lease.GetAttempt(), made.ID)
	}
}

// waiting says whether a worker of the tenant is known to the server.
func waiting(t *testing.T, x harness.Tenant) bool {
	t.Helper()
	list, err := x.Workers().ListWorkers(t.Context(), &v1.ListWorkersRequest{})
	return err == nil && len(list.GetWorkers()) > 0
}

// Cases P-DB-04 and P-SDK-06, and tokens that were never given out: a batch is judged item by item.
func TestComplete_ABatch_IsAnsweredItemByItem(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	for range 10 {
		create(t, x.Client, belfry.NewJob{Queue: "q"})
	}
	var items []*v1.CompleteItem
	for len(items) < 10 {
		for _, job := range (pull{max: 10}).from(t, x.Client) {
			items = append(items, &v1.CompleteItem{LeaseToken: job.GetLeaseToken()})
		}
	}
	wantState(t, fail(t, x.Client, &v1.FailItem{LeaseToken: items[4].GetLeaseToken(), Permanent: true}), v1.JobState_JOB_STATE_DEAD)
	items = append(items, &v1.CompleteItem{LeaseToken: "nonsense"}, items[0])
	response, err := x.Workers().CompleteJobs(t.Context(), &v1.CompleteJobsRequest{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	for i, result := range response.GetResults() {
		switch i {
		case 4:
			wantLost(t, "the job that failed", result.GetError())
		case 10:
			if result.GetError().GetReason() == v1.ErrorReason_ERROR_REASON_UNSPECIFIED {
				t.Errorf("nonsense: %v", result)
			}
		default:
			if result.GetError() != nil {
				t.Errorf("item %d: %v", i, result.GetError())
			}
		}
	}
}
