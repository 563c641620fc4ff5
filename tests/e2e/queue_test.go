package e2e_test

import (
	"net/http"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

func TestQueue_Settings_HoldForJobsThatStateNone(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	queue := &v1.Queue{Queue: "q", AttemptTimeout: durationpb.New(time.Minute),
		RetryPolicy: &v1.RetryPolicy{MaxAttempts: new(int32(2)), InitialBackoff: durationpb.New(time.Millisecond)}}
	if _, err := x.Queues().CreateQueue(t.Context(), &v1.CreateQueueRequest{Queue: queue}); err != nil {
		t.Fatal(err)
	}
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	if made.Retry.MaxAttempts != 2 || made.AttemptTimeout != time.Minute || made.Retry.MaxBackoff != time.Hour {
		t.Errorf("policy %+v, attempt timeout %v", made.Retry, made.AttemptTimeout)
	}
	own := create(t, x.Client, belfry.NewJob{Queue: "q", Retry: &belfry.RetryPolicy{MaxAttempts: 7}})
	if own.Retry.MaxAttempts != 7 || own.Retry.InitialBackoff != time.Millisecond {
		t.Errorf("policy of a job with its own attempts: %+v", own.Retry)
	}
}

func TestQueue_Edits_CheckTheEtag(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made, err := x.Queues().CreateQueue(t.Context(), &v1.CreateQueueRequest{Queue: &v1.Queue{Queue: "q", Description: "first", RetentionDays: 30}})
	if err != nil {
		t.Fatal(err)
	}
	etag := made.GetQueue().GetEtag()
	update := func(queue *v1.Queue, mask ...string) (*v1.Queue, error) {
		request := &v1.UpdateQueueRequest{Queue: queue}
		if len(mask) > 0 {
			request.UpdateMask = &fieldmaskpb.FieldMask{Paths: mask}
		}
		response, err := x.Queues().UpdateQueue(t.Context(), request)
		return response.GetQueue(), err
	}
	second, err := update(&v1.Queue{Queue: "q", Description: "second", Etag: etag})
	if err != nil || second.GetDescription() != "second" || second.GetRetentionDays() != 30 || second.GetEtag() == etag {
		t.Fatalf("update: %v, %v", second, err)
	}
	if _, err := update(&v1.Queue{Queue: "q", Description: "third", Etag: etag}); belfry.ReasonOf(err) != belfry.ReasonETagMismatch {
		t.Errorf("update with an old etag: %v", err)
	}
	same, err := update(&v1.Queue{Queue: "q", Description: "second"})
	if err != nil || same.GetEtag() != second.GetEtag() {
		t.Errorf("an update that changes nothing: etag %q after %q, %v", same.GetEtag(), second.GetEtag(), err)
	}
	cleared, err := update(&v1.Queue{Queue: "q"}, "description")
	if err != nil || cleared.GetDescription() != "" || cleared.GetRetentionDays() != 30 {
		t.Errorf("a mask clears what it names only: %v, %v", cleared, err)
	}
	if _, err := update(&v1.Queue{Queue: "none", Description: "x"}); belfry.ReasonOf(err) != belfry.ReasonQueueNotFound {
		t.Errorf("update of an unknown queue: %v", err)
	}
	_, err = x.Queues().CreateQueue(t.Context(), &v1.CreateQueueRequest{Queue: &v1.Queue{Queue: "q"}})
	if !belfry.IsAlreadyExists(err) {
		t.Errorf("create of a name that is taken: %v", err)
	}
}

func TestDeleteQueue_RefusesWhileInUse(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	remove := func(force bool) error {
		_, err := x.Queues().DeleteQueue(t.Context(), &v1.DeleteQueueRequest{Queue: "q", Force: force})
		return err
	}
	running := create(t, x.Client, belfry.NewJob{Queue: "q"})
	token := pull{queue: "q"}.one(t, x.Client).GetLeaseToken()
	waits := create(t, x.Client, belfry.NewJob{Queue: "q", Delay: time.Hour})
	if err := remove(false); belfry.ReasonOf(err) != belfry.ReasonInUse || belfry.CodeOf(err) != belfry.CodeFailedPrecondition {
		t.Errorf("delete with live jobs: %v", err)
	}
	if err := remove(true); belfry.ReasonOf(err) != belfry.ReasonInUse {
		t.Errorf("forced delete with a running job: %v", err)
	}
	wantState(t, complete(t, x.Client, token), v1.JobState_JOB_STATE_SUCCEEDED)
	if _, err := x.Queues().UpdateQueue(t.Context(), &v1.UpdateQueueRequest{Queue: &v1.Queue{Queue: "q", DeletionProtection: true}}); err != nil {
		t.Fatal(err)
	}
	if err := remove(true); belfry.ReasonOf(err) != belfry.ReasonDeletionProtected {
		t.Errorf("delete of a protected queue: %v", err)
	}
	mask := &fieldmaskpb.FieldMask{Paths: []string{"deletion_protection"}}
	if _, err := x.Queues().UpdateQueue(t.Context(), &v1.UpdateQueueRequest{Queue: &v1.Queue{Queue: "q"}, UpdateMask: mask}); err != nil {
		t.Fatal(err)
	}
	if err := remove(true); err != nil {
		t.Fatalf("forced delete: %v", err)
	}
	if job := get(t, x.Client, waits.ID); job.State != belfry.StateCancelled {
		t.Errorf("the waiting job is %s", job.State)
	}
	if job := get(t, x.Client, running.ID); job.State != belfry.StateSucceeded {
		t.Errorf("the finished job is %s", job.State)
	}
	if refused := x.Post("QueueService/GetQueue", `{"queue": "q"}`).Refused(t); refused.Status != http.StatusNotFound {
		t.Errorf("%+v", refused)
	}
}

func TestGetQueueStats_CountsByState(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	soonest := time.Now().Add(time.Hour)
	for i := range 3 {
		create(t, x.Client, belfry.NewJob{Queue: "q", DueTime: soonest.Add(time.Duration(i) * time.Minute)})
	}
	for range 2 {
		create(t, x.Client, belfry.NewJob{Queue: "q"})
	}
	pull{queue: "q"}.one(t, x.Client)
	stats, err := x.Queues().GetQueueStats(t.Context(), &v1.GetQueueStatsRequest{Queue: "q"})
	if err != nil {
		t.Fatal(err)
	}
	if stats.GetPending() != 3 || stats.GetReady() != 1 || stats.GetRunning() != 1 || stats.GetTruncated() {
		t.Errorf("pending %d, ready %d, running %d", stats.GetPending(), stats.GetReady(), stats.GetRunning())
	}
	if next := stats.GetNextDueTime().AsTime(); next.Sub(soonest).Abs() > time.Microsecond {
		t.Errorf("next due %v, want %v", next, soonest)
	}
	if stats.GetOldestReadyAge().AsDuration() <= 0 || stats.GetLastPollTime() == nil {
		t.Errorf("oldest ready age %v, last poll %v", stats.GetOldestReadyAge(), stats.GetLastPollTime())
	}
}
