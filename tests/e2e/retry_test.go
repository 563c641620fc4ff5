package e2e_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// Cases P-RET-02 and P-DLQ-01.
func TestFailures_WaitByThePolicy_AndEndDead(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	policy := &belfry.RetryPolicy{MaxAttempts: 4, InitialBackoff: 100 * time.Millisecond, Multiplier: 2, Jitter: new(0.0)}
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Payload: "kept", Retry: policy})
	var due time.Time
	for attempt, want := range []time.Duration{100, 200, 400} {
		lease := notBefore(t, due, pull{}.one(t, x.Client))
		if int(lease.GetAttempt()) != attempt+1 {
			t.Fatalf("attempt %d, want %d", lease.GetAttempt(), attempt+1)
		}
		before := time.Now()
		result := fail(t, x.Client, &v1.FailItem{LeaseToken: lease.GetLeaseToken(), Error: "boom"})
		wantState(t, result, v1.JobState_JOB_STATE_PENDING)
		wait := result.GetDueTime().AsTime().Sub(before)
		if lowest := want * time.Millisecond; wait < lowest-time.Millisecond || wait > lowest+time.Second {
			t.Errorf("failure %d waits about %v, want %v", attempt+1, wait, lowest)
		}
		due = result.GetDueTime().AsTime()
	}
	last := notBefore(t, due, pull{}.one(t, x.Client))
	wantState(t, fail(t, x.Client, &v1.FailItem{LeaseToken: last.GetLeaseToken(), Error: "the last"}), v1.JobState_JOB_STATE_DEAD)
	job := get(t, x.Client, made.ID)
	if job.State != belfry.StateDead || job.StateReason != "MAX_ATTEMPTS" || job.LastError != "the last" || job.Attempt != 4 {
		t.Errorf("job %+v", job)
	}
	if text, err := job.Payload.Data(); string(text) != "kept" || err != nil {
		t.Errorf("payload %q, %v", text, err)
	}
	for i, attempt := range job.Attempts {
		if attempt.Number != i+1 || attempt.Outcome != belfry.OutcomeFailed || attempt.EndTime.Before(attempt.StartTime) {
			t.Errorf("attempt %d: %+v", i+1, attempt)
		}
	}
	pull{wait: 300 * time.Millisecond}.none(t, x.Client)
}

// notBefore fails the test if the lease is from before due, by the database's clock or by that of this machine.
func notBefore(t *testing.T, due time.Time, lease *v1.LeasedJob) *v1.LeasedJob {
	t.Helper()
	if received, started := time.Now(), lease.GetJob().GetStartTime().AsTime(); received.Before(due) || started.Before(due) {
		t.Errorf("due %v, started %v, received %v", due, started, received)
	}
	return lease
}

func TestFail_Permanent_IsDeadAtOnce(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	token := pull{}.one(t, x.Client).GetLeaseToken()
	wantState(t, fail(t, x.Client, &v1.FailItem{LeaseToken: token, Error: "no such mailbox", Permanent: true}), v1.JobState_JOB_STATE_DEAD)
	if job := get(t, x.Client, made.ID); job.StateReason != "PERMANENT" || job.LastError != "no such mailbox" {
		t.Errorf("reason %q, error %q", job.StateReason, job.LastError)
	}
}

func TestFail_RetryAfter_IsHonouredUpToTheCap(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	tests := []struct {
		name      string
		ask, want time.Duration
	}{
		{"longer than the backoff", 2 * time.Minute, 2 * time.Minute},
		{"shorter than the backoff", time.Second, 10 * time.Second},
		{"beyond the cap", 1000 * time.Hour, 5 * time.Minute},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			queue := "q-" + harness.Random()
			create(t, x.Client, belfry.NewJob{Queue: queue,
				Retry: &belfry.RetryPolicy{InitialBackoff: 10 * time.Second, MaxBackoff: 5 * time.Minute, Jitter: new(0.0)}})
			token := pull{queue: queue}.one(t, x.Client).GetLeaseToken()
			before := time.Now()
			result := fail(t, x.Client, &v1.FailItem{LeaseToken: token, RetryAfter: durationpb.New(test.ask)})
			if wait := result.GetDueTime().AsTime().Sub(before); wait < test.want-time.Millisecond || wait > test.want+5*time.Second {
				t.Errorf("waits %v, want %v", wait, test.want)
			}
		})
	}
}

func TestFail_KeepsTheStartOfALongError(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	token := pull{}.one(t, x.Client).GetLeaseToken()
	fail(t, x.Client, &v1.FailItem{LeaseToken: token, Error: "a\x00b" + strings.Repeat("ü", 1<<19), Permanent: true})
	job := get(t, x.Client, made.ID)
	if len(job.LastError) > 8<<10 || len(job.LastError) < 8000 || strings.ContainsRune(job.LastError, 0) || !strings.HasPrefix(job.LastError, "a") {
		t.Errorf("error of %d bytes: %.20q", len(job.LastError), job.LastError)
	}
	if strings.ContainsRune(job.LastError, '\uFFFD') && !strings.HasPrefix(job.LastError, "a\uFFFDb") {
		t.Errorf("cut within a character: %q", job.LastError[len(job.LastError)-4:])
	}
}

// Case P-SHU-01: a job that is given back is there at once, uncounted.
func TestRelease_IsNotCounted_AndBounded(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: quick(1), MaxReleases: 2})
	first := pull{}.one(t, x.Client)
	wantState(t, release(t, x.Client, &v1.ReleaseItem{LeaseToken: first.GetLeaseToken(), Reason: "drain"}), v1.JobState_JOB_STATE_PENDING)
	second := pull{}.one(t, x.Client)
	if second.GetAttempt() != 1 || second.GetFencingToken() <= first.GetFencingToken() {
		t.Errorf("attempt %d, token %d after %d", second.GetAttempt(), second.GetFencingToken(), first.GetFencingToken())
	}
	before := time.Now()
	snoozed := release(t, x.Client, &v1.ReleaseItem{LeaseToken: second.GetLeaseToken(), Delay: durationpb.New(time.Second)})
	wantState(t, snoozed, v1.JobState_JOB_STATE_PENDING)
	if wait := snoozed.GetDueTime().AsTime().Sub(before); wait < 999*time.Millisecond || wait > 3*time.Second {
		t.Errorf("snoozed for %v, want 1s", wait)
	}
	third := notBefore(t, snoozed.GetDueTime().AsTime(), pull{}.one(t, x.Client))
	wantState(t, release(t, x.Client, &v1.ReleaseItem{LeaseToken: third.GetLeaseToken()}), v1.JobState_JOB_STATE_DEAD)
	job := get(t, x.Client, made.ID)
	if job.StateReason != "MAX_RELEASES" || job.Releases < 2 {
		t.Errorf("reason %q after %d releases", job.StateReason, job.Releases)
	}
	for _, attempt := range job.Attempts {
		if attempt.Outcome != belfry.OutcomeReleased {
			t.Errorf("attempt %+v", attempt)
		}
	}
}

func TestJob_NotStartedInTime_IsDead(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	for _, name := range []string{"start_within", "start_by_time"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			late := belfry.NewJob{Queue: "q-" + harness.Random(), StartWithin: time.Second}
			if name == "start_by_time" {
				late.StartWithin, late.StartBy = 0, time.Now().Add(time.Second)
			}
			made := create(t, x.Client, late)
			var job belfry.JobInfo
			harness.Within(t, 15*time.Second, "the job is dead", func() bool {
				job = get(t, x.Client, made.ID)
				return job.State == belfry.StateDead
			})
			if job.StateReason != "EXPIRED" || job.Attempt != 0 {
				t.Errorf("reason %q after %d attempts", job.StateReason, job.Attempt)
			}
			pull{queue: late.Queue, wait: 200 * time.Millisecond}.none(t, x.Client)
		})
	}
}

func TestJob_StartedInTime_IsNotExpired(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", StartWithin: time.Second})
	lease := pull{}.one(t, x.Client)
	pull{wait: 2 * time.Second}.none(t, x.Client)
	wantState(t, complete(t, x.Client, lease.GetLeaseToken()), v1.JobState_JOB_STATE_SUCCEEDED)
	if job := get(t, x.Client, made.ID); job.State != belfry.StateSucceeded {
		t.Errorf("job is %s (%s)", job.State, job.StateReason)
	}
}

func TestJob_BeyondItsAge_IsDead(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	t.Run("when the next attempt would be too late", func(t *testing.T) {
		t.Parallel()
		made := create(t, x.Client, belfry.NewJob{Queue: "failing", MaxAge: 5 * time.Second, Retry: &belfry.RetryPolicy{InitialBackoff: time.Minute}})
		token := pull{queue: "failing"}.one(t, x.Client).GetLeaseToken()
		wantState(t, fail(t, x.Client, &v1.FailItem{LeaseToken: token}), v1.JobState_JOB_STATE_DEAD)
		if job := get(t, x.Client, made.ID); job.StateReason != "MAX_AGE" || job.Attempt != 1 {
			t.Errorf("reason %q after %d attempts", job.StateReason, job.Attempt)
		}
	})
	t.Run("while it waits for a worker", func(t *testing.T) {
		t.Parallel()
		made := create(t, x.Client, belfry.NewJob{Queue: "waiting", MaxAge: time.Second})
		if !harness.Nightly() {
			return // swept once a minute; the nightly run waits for it
		}
		var job belfry.JobInfo
		harness.Within(t, 90*time.Second, "the job is dead", func() bool {
			job = get(t, x.Client, made.ID)
			return job.State == belfry.StateDead
		})
		if job.StateReason != "MAX_AGE" || job.Attempt != 0 {
			t.Errorf("reason %q after %d attempts", job.StateReason, job.Attempt)
		}
	})
}
