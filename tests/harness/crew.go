package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// Crew is workers that write every lease into a ledger. Unlike the SDK's Worker they know the tokens and times of their
// leases, and they go on through every outage: a final call is repeated until it is answered.
type Crew struct {
	// Client has the key to lease with. Its retries do not matter.
	Client  *belfry.Client
	Account *Account
	// Queues to take from; empty: all.
	Queues []string
	// Members work side by side, each on up to Batch jobs. Default 4 and 10.
	Members, Batch int
	// Lease is how long a lease holds without a heartbeat. Default 5 s, the shortest there is.
	Lease time.Duration
	// Hold is how long a batch of jobs is worked on. Default 0.
	Hold time.Duration
	// Beat makes members extend their leases while they hold them.
	Beat bool
	// Handle, if set, is told of every lease.
	Handle func(*belfryv1.LeasedJob)

	completed atomic.Int64
	lost      atomic.Int64

	mu    sync.Mutex
	beats []time.Duration
}

// Beats returns how long each answered heartbeat took.
func (c *Crew) Beats() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.beats)
}

// Completed returns how many jobs the crew has completed; Lost how many final calls came too late.
func (c *Crew) Completed() int { return int(c.completed.Load()) }

// Lost returns how many leases the server called lost.
func (c *Crew) Lost() int { return int(c.lost.Load()) }

// Start lets the crew work until the end of the test or the call of stop, which waits until every lease it holds has been
// ended.
func (c *Crew) Start(t testing.TB) (stop func()) {
	c.Members = max(c.Members, 1)
	c.Batch = max(c.Batch, 1)
	if c.Lease == 0 {
		c.Lease = 5 * time.Second
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var members sync.WaitGroup
	for i := range c.Members {
		members.Go(func() { c.work(ctx, fmt.Sprintf("crew-%d", i)) })
	}
	stop = sync.OnceFunc(func() {
		cancel()
		members.Wait()
	})
	t.Cleanup(stop)
	return stop
}

// work is the life of one member.
func (c *Crew) work(ctx context.Context, worker string) {
	for ctx.Err() == nil {
		// The call outlasts ctx by its wait: an answer must not get lost while the server is well.
		call, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		response, err := c.Client.Workers().LeaseJobs(call, &belfryv1.LeaseJobsRequest{
			Queues: c.Queues, MaxJobs: int32(c.Batch), Wait: durationpb.New(500 * time.Millisecond),
			LeaseDuration: durationpb.New(c.Lease), WorkerId: worker,
		})
		cancel()
		if err != nil {
			_ = Pass(ctx, 20*time.Millisecond+rand.N(80*time.Millisecond))
			continue
		}
		if jobs := response.GetJobs(); len(jobs) > 0 {
			c.take(ctx, worker, jobs)
		}
	}
}

// take works on what was leased together.
func (c *Crew) take(ctx context.Context, worker string, jobs []*belfryv1.LeasedJob) {
	received := time.Now()
	for _, job := range jobs {
		c.Account.Leased(job, received)
		if c.Handle != nil {
			c.Handle(job)
		}
	}
	beating := context.WithoutCancel(ctx)
	for end := received.Add(c.Hold); time.Now().Before(end); {
		_ = Pass(beating, min(time.Until(end), c.Lease/3))
		if c.Beat {
			c.beat(beating, worker, jobs)
		}
	}
	c.complete(beating, jobs)
}

// beat extends the leases once; a failure is made good by the next beat.
func (c *Crew) beat(ctx context.Context, worker string, jobs []*belfryv1.LeasedJob) {
	ctx, cancel := context.WithTimeout(ctx, c.Lease/3)
	defer cancel()
	items := make([]*belfryv1.HeartbeatItem, len(jobs))
	for i, job := range jobs {
		items[i] = &belfryv1.HeartbeatItem{LeaseToken: job.GetLeaseToken()}
	}
	sent := time.Now()
	response, err := c.Client.Workers().Heartbeat(ctx, &belfryv1.HeartbeatRequest{WorkerId: worker, Items: items})
	if err != nil {
		return
	}
	c.mu.Lock()
	c.beats = append(c.beats, time.Since(sent))
	c.mu.Unlock()
	for i, result := range response.GetResults() {
		if result.GetError() == nil {
			c.Account.Extended(jobs[i].GetJob().GetJobId(), jobs[i].GetFencingToken(), sent, result.GetLeaseRemaining().AsDuration())
		}
	}
}

// complete ends the leases; it repeats the call until the server has answered for every one of them.
func (c *Crew) complete(ctx context.Context, jobs []*belfryv1.LeasedJob) {
	sent := time.Now()
	for deadline := sent.Add(3 * time.Minute); len(jobs) > 0 && time.Now().Before(deadline); {
		items := make([]*belfryv1.CompleteItem, len(jobs))
		for i, job := range jobs {
			items[i] = &belfryv1.CompleteItem{LeaseToken: job.GetLeaseToken()}
		}
		call, cancel := context.WithTimeout(ctx, 10*time.Second)
		response, err := c.Client.Workers().CompleteJobs(call, &belfryv1.CompleteJobsRequest{Items: items})
		cancel()
		if err != nil {
			_ = Pass(ctx, 20*time.Millisecond+rand.N(80*time.Millisecond))
			continue
		}
		jobs = c.settle(jobs, response.GetResults(), sent)
	}
}

// settle writes down what the server said and returns the jobs it could not answer for.
func (c *Crew) settle(jobs []*belfryv1.LeasedJob, results []*belfryv1.FinishResult, sent time.Time) []*belfryv1.LeasedJob {
	var again []*belfryv1.LeasedJob
	for i, job := range jobs {
		id, fencing := job.GetJob().GetJobId(), job.GetFencingToken()
		switch results[i].GetError().GetCode() {
		case "":
			c.Account.Ended(id, fencing, "completed", sent)
			c.completed.Add(1)
		case "unavailable", "deadline_exceeded":
			again = append(again, job)
		default:
			c.Account.Ended(id, fencing, "lost", sent)
			c.lost.Add(1)
		}
	}
	return again
}

// Producer creates jobs and writes down which were acknowledged.
type Producer struct {
	Client  *belfry.Client
	Account *Account
	// Job returns the i-th job.
	Job func(i int) belfry.NewJob
	// Callers create side by side. Default 1.
	Callers int
}

// Create makes n jobs, each in a call of its own, and returns how many calls were not acknowledged.
func (p Producer) Create(ctx context.Context, n int) (failed int) {
	var next, refused atomic.Int64
	var callers sync.WaitGroup
	for range max(p.Callers, 1) {
		callers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				job := p.Job(i)
				created, err := p.Client.Create(ctx, job)
				if err != nil {
					refused.Add(1)
					continue
				}
				p.Account.Acknowledged(created.ID, due(job))
			}
		})
	}
	callers.Wait()
	return int(refused.Load())
}

// Preload makes n jobs in batches of 1,000 and fails the test unless all are acknowledged.
func (p Producer) Preload(t testing.TB, n int) {
	t.Helper()
	for from := 0; from < n; from += 1000 {
		batch := make([]belfry.NewJob, min(1000, n-from))
		for i := range batch {
			batch[i] = p.Job(from + i)
		}
		created, err := p.Client.CreateBatch(t.Context(), batch)
		if err != nil {
			t.Fatalf("create batch: %v", err)
		}
		for i, job := range created {
			p.Account.Acknowledged(job.JobID, due(batch[i]))
		}
	}
}

// due is the earliest time a job asks for; for a delay, which counts from a moment only the server knows, a lower bound is
// the due time that the server reports.
func due(job belfry.NewJob) time.Time { return job.DueTime }

// Report fails the test for everything that the verdict finds, and logs the sums.
func (v Verdict) Report(t testing.TB) {
	t.Helper()
	t.Logf("%d jobs, %d leases, %d leased again; lateness p50 %v p99 %v max %v", v.Acknowledged, v.Leases, v.Retried,
		v.Quantile(.5).Round(time.Microsecond), v.Quantile(.99).Round(time.Microsecond), v.Quantile(1).Round(time.Microsecond))
	for _, failure := range v.Failures() {
		t.Error(failure)
	}
}

// Settle waits until every acknowledged job is completed, and then reports the verdict to the test. client has the tenant's
// key.
func (a *Account) Settle(t testing.TB, client *belfry.Client, limit time.Duration) Verdict {
	t.Helper()
	if !holds(t.Context(), limit, func() bool { return a.Open() == 0 }) {
		t.Errorf("%d jobs are not completed after %v", a.Open(), limit)
	}
	verdict := a.Verdict(t.Context(), client)
	verdict.Report(t)
	return verdict
}
