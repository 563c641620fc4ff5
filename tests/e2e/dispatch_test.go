package e2e_test

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// Promise 2, by the database's clock and by that of this machine, which it shares.
func TestDelayedJobs_AreNeverEarly_AndSeldomLate(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 4, Batch: 20}
	crew.Start(t)
	start := time.Now().Add(500 * time.Millisecond)
	const jobs = 300
	harness.Producer{Client: x.Client, Account: account, Job: func(i int) belfry.NewJob {
		return belfry.NewJob{Queue: "q", DueTime: start.Add(time.Duration(i*3000/jobs) * time.Millisecond)}
	}}.Preload(t, jobs)
	verdict := account.Settle(t, x.Client, 15*time.Second)
	// A figure for the bench; here only that nothing waits for a load or a poll.
	if p50 := verdict.Quantile(.5); p50 > time.Second {
		t.Errorf("half of the jobs were later than %v", p50)
	}
}

func TestLease_TakesStrictlyByPriority_ThenByDueTime(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	past := time.Now().Add(-time.Hour)
	var batch []belfry.NewJob
	for i := range 60 {
		batch = append(batch, belfry.NewJob{Queue: "q", Priority: new(i * 7 % 10), DueTime: past.Add(time.Duration(i*37%60) * time.Second)})
	}
	if _, err := x.CreateBatch(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	harness.Within(t, soon, "all jobs are ready", func() bool {
		stats, err := x.Queues().GetQueueStats(t.Context(), &v1.GetQueueStatsRequest{Queue: "q"})
		return err == nil && stats.GetReady() == 60
	})
	var order []*v1.Job
	for len(order) < 60 {
		for _, lease := range (pull{queue: "q", max: 7}).from(t, x.Client) {
			order = append(order, lease.GetJob())
		}
	}
	sorted := slices.IsSortedFunc(order, func(a, b *v1.Job) int { return cmp.Compare(a.GetPriority(), b.GetPriority()) })
	if !sorted {
		var got []int32
		for _, job := range order {
			got = append(got, job.GetPriority())
		}
		t.Errorf("priorities in the order of leases: %v", got)
	}
}

// Case P-DLQ-02: a job whose type nobody handles waits and uses up nothing.
func TestLease_LeavesTypesAloneThatTheWorkerDoesNotHandle(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", Type: "b"})
	pull{queue: "q", types: []string{"a"}, wait: time.Second}.none(t, x.Client)
	if job := get(t, x.Client, made.ID); job.State != belfry.StateReady || job.Attempt != 0 {
		t.Errorf("job is %s after %d attempts", job.State, job.Attempt)
	}
	if lease := (pull{queue: "q", types: []string{"a", "b"}}).one(t, x.Client); lease.GetJob().GetJobId() != made.ID {
		t.Errorf("leased %s, want %s", lease.GetJob().GetJobId(), made.ID)
	}
}

func TestLease_WaitsForWork(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	got := make(chan time.Duration, 1)
	go func() {
		began := time.Now()
		response, err := x.Workers().LeaseJobs(t.Context(), pull{wait: 20 * time.Second}.request())
		if err == nil && len(response.GetJobs()) == 1 {
			got <- time.Since(began)
		}
	}()
	harness.Within(t, soon, "the poll waits", func() bool { return waiting(t, x) })
	create(t, x.Client, belfry.NewJob{Queue: "q"})
	select {
	case <-got:
	case <-time.After(3 * time.Second):
		t.Fatal("the waiting poll did not get the job within 3s")
	}
}

func TestLease_StopsAtMaxBytes_ButTakesTheFirst(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	payload := make([]byte, 100_000)
	for range 5 {
		create(t, x.Client, belfry.NewJob{Queue: "q", Payload: payload})
	}
	lease := func(maxBytes int64) int {
		response, err := x.Workers().LeaseJobs(t.Context(), &v1.LeaseJobsRequest{MaxJobs: 10, MaxBytes: maxBytes,
			Wait: durationpb.New(soon), WorkerId: "e2e"})
		if err != nil {
			t.Fatal(err)
		}
		return len(response.GetJobs())
	}
	if got := lease(1); got != 1 {
		t.Errorf("%d jobs for 1 byte, want the first", got)
	}
	if got := lease(250_000); got < 1 || got > 2 {
		t.Errorf("%d jobs of 100,000 bytes for 250,000 bytes", got)
	}
}

func TestPauseQueue_WhenItHasAnswered_NothingIsLeased(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	account := harness.NewAccount()
	producer := harness.Producer{Client: x.Client, Account: account, Job: func(int) belfry.NewJob { return belfry.NewJob{Queue: "q"} }}
	producer.Preload(t, 2000)
	var mu sync.Mutex
	var latest time.Time
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 4, Batch: 5, Handle: func(job *v1.LeasedJob) {
		mu.Lock()
		defer mu.Unlock()
		if started := job.GetJob().GetStartTime().AsTime(); started.After(latest) {
			latest = started
		}
	}}
	crew.Start(t)
	harness.Within(t, soon, "jobs flow", func() bool { return crew.Completed() > 50 })
	if _, err := x.Queues().PauseQueue(t.Context(), &v1.PauseQueueRequest{Queue: "q", Reason: "maintenance"}); err != nil {
		t.Fatal(err)
	}
	answered := time.Now()
	create(t, x.Client, belfry.NewJob{Queue: "q"}) // creates are accepted
	_ = harness.Pass(t.Context(), 1500*time.Millisecond)
	mu.Lock()
	if latest.After(answered) {
		t.Errorf("a job started %v after PauseQueue had answered", latest.Sub(answered))
	}
	mu.Unlock()
	queue, err := x.Queues().GetQueue(t.Context(), &v1.GetQueueRequest{Queue: "q"})
	if err != nil || !queue.GetQueue().GetPaused() || queue.GetQueue().GetPauseReason() != "maintenance" {
		t.Errorf("queue %v, %v", queue, err)
	}
	before := crew.Completed()
	if before >= 2000 {
		t.Fatal("the crew was done before the pause: the test shows nothing")
	}
	if _, err := x.Queues().ResumeQueue(t.Context(), &v1.ResumeQueueRequest{Queue: "q"}); err != nil {
		t.Fatal(err)
	}
	harness.Within(t, 15*time.Second, "the rest is completed after the resume", func() bool { return crew.Completed() >= 2001 })
}

// Case P-TEN-01, with a worker pool of the operator that takes from all tenants.
func TestFairness_ALateTenantIsInTheNextBatch(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{})
	a, b := world.NewTenant(t), world.NewTenant(t)
	harness.Producer{Client: a.Client, Account: harness.NewAccount(), Job: func(int) belfry.NewJob {
		return belfry.NewJob{Queue: "q"}
	}}.Preload(t, 1000)
	pool := world.Admin(t).ForTenant("-")
	batch := func() map[string]int {
		got := make(map[string]int)
		request := pull{max: 10}.request()
		request.TenantId = "-"
		response, err := pool.Workers().LeaseJobs(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		for _, lease := range response.GetJobs() {
			got[lease.GetJob().GetTenantId()]++
		}
		return got
	}
	for range 3 {
		if got := batch(); got[a.ID] != 10 {
			t.Fatalf("batch %v, want 10 of %s", got, a.ID)
		}
	}
	create(t, b.Client, belfry.NewJob{Queue: "q"})
	if got := batch(); got[b.ID] != 1 {
		t.Errorf("the next batch after the create is %v; %s is not in it", got, b.ID)
	}
	// With plenty on both sides, shares are equal.
	harness.Producer{Client: b.Client, Account: harness.NewAccount(), Job: func(int) belfry.NewJob {
		return belfry.NewJob{Queue: "other", Priority: new(9)}
	}}.Preload(t, 500)
	shares := make(map[string]int)
	for range 10 {
		for tenant, n := range batch() {
			shares[tenant] += n
		}
	}
	if shares[a.ID] < 40 || shares[b.ID] < 40 {
		t.Errorf("of 100 leases %s got %d and %s %d", a.ID, shares[a.ID], b.ID, shares[b.ID])
	}
}

// A worker's jobs of one tenant are not in the way of a worker of another.
func TestLease_OfATenant_IsBlindToOthers(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	a, b := world.NewTenant(t), world.NewTenant(t)
	create(t, a.Client, belfry.NewJob{Queue: "q"})
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	response, err := b.Workers().LeaseJobs(ctx, pull{wait: 300 * time.Millisecond}.request())
	if err != nil || len(response.GetJobs()) > 0 {
		t.Errorf("%v, %v", response, err)
	}
	pull{queue: "q"}.one(t, a.Client)
}
