package chaos_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// Promise 1: kill -9 of the server, twice, during 10,000 creates from 32 callers and running leases.
func TestKillOfTheServer_DuringCreatesAndLeases_LosesNothing(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{Flags: quickOwnership})
	x := world.NewTenant(t)
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 8, Batch: 20, Hold: 50 * time.Millisecond}
	crew.Start(t)
	const jobs = 10_000
	done := make(chan int, 1)
	go func() {
		done <- harness.Producer{Client: x.Client, Account: account, Callers: 32, Job: spread(4*time.Second, jobs)}.Create(t.Context(), jobs)
	}()
	for _, acknowledged := range []int{jobs / 5, 3 * jobs / 5} {
		harness.Within(t, 30*time.Second, "creates are acknowledged", func() bool { return account.Jobs() >= acknowledged })
		world.Node.Kill()
		if err := world.Node.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if failed := <-done; failed > 0 {
		t.Errorf("%d of %d creates failed in spite of their retries", failed, jobs)
	}
	account.Settle(t, x.Client, 30*time.Second)
	if n := count(t, x); n != jobs {
		t.Errorf("%d jobs exist, %d were created: a repeated create made another job", n, jobs)
	}
}

// count returns how many jobs the tenant has, live and finished.
func count(t *testing.T, x harness.Tenant) int {
	t.Helper()
	n := 0
	for _, err := range x.List(t.Context(), belfry.JobFilter{PageSize: 1000}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// held leases one job of the tenant for 5 s, the shortest there is.
func held(t *testing.T, x harness.Tenant) (*v1.LeasedJob, *harness.Account) {
	t.Helper()
	account := harness.NewAccount()
	made, err := x.Create(t.Context(), belfry.NewJob{Queue: "held", Retry: eager})
	if err != nil {
		t.Fatal(err)
	}
	account.Acknowledged(made.ID, time.Time{})
	response, err := x.Workers().LeaseJobs(t.Context(), &v1.LeaseJobsRequest{Queues: []string{"held"}, WorkerId: "chaos",
		Wait: durationpb.New(5 * time.Second), LeaseDuration: durationpb.New(5 * time.Second)})
	if err != nil || len(response.GetJobs()) != 1 {
		t.Fatalf("lease: %v, %v", response, err)
	}
	account.Leased(response.GetJobs()[0], time.Now())
	return response.GetJobs()[0], account
}

// interval is how often a worker extends a lease of 5 s: so long rescue waits for it after the server was out of contact.
const interval = 5 * time.Second / 3

// completes ends the lease, which must be good still, and checks that the job counts as done once. It does so late within
// the interval in which the heartbeat of a worker that is alive must come.
func completes(t *testing.T, x harness.Tenant, lease *v1.LeasedJob) {
	t.Helper()
	_ = harness.Pass(t.Context(), interval*3/4)
	items := []*v1.CompleteItem{{LeaseToken: lease.GetLeaseToken()}}
	response, err := x.Workers().CompleteJobs(t.Context(), &v1.CompleteJobsRequest{Items: items})
	if err != nil || response.GetResults()[0].GetError() != nil {
		t.Fatalf("completion %v after the expiry: %v, %v", time.Since(lease.GetLeaseExpireTime().AsTime()).Round(time.Millisecond), response, err)
	}
	job, err := x.Get(t.Context(), lease.GetJob().GetJobId())
	if err != nil || job.State != belfry.StateSucceeded || job.Attempt != 1 || job.LostLeases != 0 || len(job.Attempts) != 1 {
		t.Errorf("job %+v, %v", job, err)
	}
}

// expire waits until the lease is over by more than a moment.
func expire(t *testing.T, lease *v1.LeasedJob) {
	t.Helper()
	_ = harness.Pass(t.Context(), time.Until(lease.GetLeaseExpireTime().AsTime())+500*time.Millisecond)
}

// An expired lease that nobody has rescued is still good: after a take-over rescue waits for the workers that are alive.
func TestCompletion_AfterExpiry_BeforeRescue_CountsOnce(t *testing.T) {
	t.Parallel()
	t.Run("server killed", func(t *testing.T) {
		t.Parallel()
		world := harness.NewWorld(t, harness.WorldOptions{Flags: quickOwnership})
		x := world.NewTenant(t)
		lease, _ := held(t, x)
		world.Node.Kill()
		expire(t, lease)
		if err := world.Node.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		completes(t, x, lease)
	})
	t.Run("server stopped", func(t *testing.T) {
		t.Parallel()
		world := harness.NewWorld(t, harness.WorldOptions{Flags: quickOwnership})
		x := world.NewTenant(t)
		lease, _ := held(t, x)
		if err := world.Node.Pause(); err != nil {
			t.Fatal(err)
		}
		expire(t, lease)
		if err := world.Node.Resume(); err != nil {
			t.Fatal(err)
		}
		completes(t, x, lease)
	})
	t.Run("database killed", func(t *testing.T) {
		t.Parallel()
		world := harness.NewWorld(t, harness.WorldOptions{})
		x := world.NewTenant(t)
		lease, _ := held(t, x)
		if err := world.DB.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		expire(t, lease)
		if err := world.DB.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		completes(t, x, lease)
	})
}

// Promise 5: a lease whose worker died with the server ends within the ownership TTL plus 2 s, also behind 100,000 overdue
// jobs; and among those priority holds.
func TestRestart_WithManyOverdueJobs_RescuesInTimeAndKeepsPriority(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{Flags: quickOwnership})
	x := world.NewTenant(t)
	lease, account := held(t, x)
	const overdue, first = 100_000, 300
	past := time.Now().Add(-time.Hour)
	// In the order of creation and of due times the urgent ones come last.
	priority := func(i int) int {
		if last := overdue - i; last <= first {
			return 1
		}
		return 5 + i%5
	}
	harness.Producer{Client: x.Client, Account: harness.NewAccount(), Job: func(i int) belfry.NewJob {
		return belfry.NewJob{Queue: "overdue", DueTime: past.Add(time.Duration(i) * time.Millisecond), Priority: new(priority(i))}
	}}.Preload(t, overdue)
	world.Node.Kill()
	if err := world.Node.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	// A lease may have ended in the time of the load: take it anew to have one that outlives a server.
	again := take(t, x, "held", 1)[0]
	account.Leased(again, time.Now())
	world.Node.Kill()
	killed := time.Now()
	if err := world.Node.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for left := first; left > 0; {
		jobs := take(t, x, "overdue", min(left, 100))
		for _, job := range jobs {
			if job.GetJob().GetPriority() != 1 {
				t.Fatalf("leased priority %d with %d jobs of priority 1 waiting", job.GetJob().GetPriority(), left)
			}
		}
		left -= len(jobs)
	}
	if next := take(t, x, "overdue", 1)[0]; next.GetJob().GetPriority() != 5 {
		t.Errorf("after the urgent jobs came priority %d, want 5", next.GetJob().GetPriority())
	}
	rescued := take(t, x, "held", 1)[0]
	account.Leased(rescued, time.Now())
	expiry := again.GetLeaseExpireTime().AsTime()
	late := rescued.GetJob().GetStartTime().AsTime().Sub(expiry)
	t.Logf("rescued and leased again %v after the expiry, which was %v after the kill; first lease of the job: %v", late.Round(time.Millisecond),
		expiry.Sub(killed).Round(time.Millisecond), lease.GetJob().GetStartTime().AsTime().Format(time.TimeOnly))
	if late > ownershipTTL+2*time.Second {
		t.Errorf("rescued %v after the expiry, want the ownership TTL plus 2s", late)
	}
	for _, doubled := range account.Verdict(t.Context(), nil).Doubled {
		t.Error(doubled)
	}
}

// take leases up to n jobs of a queue, at least one, for a minute; those of "held" for 5 s.
func take(t *testing.T, x harness.Tenant, queue string, n int) []*v1.LeasedJob {
	t.Helper()
	duration := time.Minute
	if queue == "held" {
		duration = 5 * time.Second
	}
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		response, err := x.Workers().LeaseJobs(t.Context(), &v1.LeaseJobsRequest{Queues: []string{queue}, MaxJobs: int32(n), WorkerId: "chaos",
			Wait: durationpb.New(5 * time.Second), LeaseDuration: durationpb.New(duration)})
		if err == nil && len(response.GetJobs()) > 0 {
			return response.GetJobs()
		}
		_ = harness.Pass(t.Context(), 20*time.Millisecond)
	}
	t.Fatalf("nothing to lease from %s", queue)
	return nil
}
