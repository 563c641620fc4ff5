package chaos_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// Promise 1: kill -9 of PostgreSQL under load, and its recovery.
func TestKillOfPostgreSQL_UnderLoad_LosesNothing(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{})
	x := world.NewTenant(t)
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 8, Batch: 20, Hold: 50 * time.Millisecond}
	crew.Start(t)
	const jobs = 6000
	done := make(chan int, 1)
	go func() {
		done <- harness.Producer{Client: x.Client, Account: account, Callers: 32, Job: spread(4*time.Second, jobs)}.Create(t.Context(), jobs)
	}()
	harness.Within(t, 30*time.Second, "creates are acknowledged", func() bool { return account.Jobs() >= jobs/4 })
	if err := world.DB.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := world.DB.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	if failed := <-done; failed > 0 {
		t.Errorf("%d of %d creates failed in spite of their retries", failed, jobs)
	}
	t.Logf("all creates were acknowledged %v after the database was back", time.Since(back).Round(time.Millisecond))
	account.Settle(t, x.Client, 30*time.Second)
	if n := count(t, x); n != jobs {
		t.Errorf("%d jobs exist, %d were created", n, jobs)
	}
}

// outage is how long the database of case P-DB-01 is away.
func outage() time.Duration {
	if harness.Nightly() {
		return time.Minute
	}
	return 5 * time.Second
}

// Case P-DB-01.
func TestDatabaseOutOfReach_WorkFlowsSoonAfterItsReturn(t *testing.T) {
	t.Parallel()
	var gate *harness.Gate
	world := harness.NewWorld(t, harness.WorldOptions{Through: func(url string) string {
		var through string
		gate, through = harness.GateTo(t, url)
		return through
	}})
	x := world.NewTenant(t)
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 4, Batch: 20}
	crew.Start(t)
	fresh(t, x, account, 5*time.Second)
	impatient := x.Through(t, world.Node.Addr, belfry.WithRetries(belfry.Retries{MaxAttempts: 1}))

	gate.Shut()
	away := time.Now()
	for time.Since(away) < outage() {
		asked := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		_, err := impatient.Create(ctx, belfry.NewJob{Queue: "q"})
		cancel()
		if err == nil {
			t.Fatal("a create was acknowledged without a database")
		}
		if took := time.Since(asked); !belfry.IsUnavailable(err) || took > 10*time.Second {
			t.Errorf("without a database a create is answered after %v with %v, want UNAVAILABLE within a bounded time", took, err)
		}
		if code, _ := harness.Get(t, world.Node.OpsAddr, "/healthz"); code != 200 {
			t.Errorf("/healthz answers %d without a database", code)
		}
		_ = harness.Pass(t.Context(), 300*time.Millisecond)
	}
	gate.Open(t)
	back := time.Now()
	fresh(t, x, account, 5*time.Second)
	if took := time.Since(back); took > 5*time.Second {
		t.Errorf("work flows again %v after the return, want 5s", took)
	}
	began := time.Now()
	for range 20 {
		fresh(t, x, account, time.Second)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("20 jobs one after the other took %v after the return", took)
	}
	account.Settle(t, x.Client, 10*time.Second)
}

// Promise 5: leases of workers that are alive survive an outage that is longer than they are.
func TestDatabaseOutage_LongerThanTheLeases_LosesNoLeaseOfALiveWorker(t *testing.T) {
	t.Parallel()
	away, lease := 7*time.Second, 5*time.Second
	if harness.Nightly() {
		away, lease = 2*time.Minute, 30*time.Second
	}
	world := harness.NewWorld(t, harness.WorldOptions{})
	x := world.NewTenant(t)
	var runs, lost atomic.Int32
	var finish atomic.Bool
	worker := belfry.NewWorker(x.Client, belfry.WorkerConfig{LeaseDuration: lease, Concurrency: 20, PollWait: time.Second})
	worker.HandleAny(func(ctx context.Context, _ *belfry.LeasedJob) error {
		runs.Add(1)
		for !finish.Load() {
			if harness.Pass(ctx, 50*time.Millisecond) != nil {
				if errors.Is(context.Cause(ctx), belfry.ErrLeaseLost) {
					lost.Add(1)
				}
				return ctx.Err()
			}
		}
		return nil
	})
	ctx, stop := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- worker.Run(ctx) }()
	var ids []string
	for range 20 {
		made, err := x.Create(t.Context(), belfry.NewJob{Queue: "q", Retry: eager})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, made.ID)
	}
	harness.Within(t, 10*time.Second, "all handlers run", func() bool { return runs.Load() == 20 })
	if err := world.DB.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = harness.Pass(t.Context(), away)
	if err := world.DB.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Long enough for a rescue that does not wait for the workers' heartbeats.
	_ = harness.Pass(t.Context(), lease/2)
	finish.Store(true)
	for _, id := range ids {
		var job belfry.JobInfo
		harness.Within(t, 20*time.Second, "the job is final", func() bool {
			var err error
			job, err = x.Get(t.Context(), id)
			return err == nil && job.State.Final()
		})
		if job.State != belfry.StateSucceeded || job.Attempt != 1 || job.LostLeases != 0 {
			t.Errorf("job is %s after %d attempts, %d leases lost", job.State, job.Attempt, job.LostLeases)
		}
	}
	if runs.Load() != 20 || lost.Load() != 0 {
		t.Errorf("%d runs of 20 jobs, %d leases lost", runs.Load(), lost.Load())
	}
	stop()
	if err := <-result; err != nil {
		t.Errorf("worker: %v", err)
	}
}

// execute is the message of PostgreSQL's protocol that runs a prepared statement (unnamed portal, all rows).
const execute = "E\x00\x00\x00\x09\x00\x00\x00\x00\x00"

// commits matches what ends a transaction, as part of a pipeline or as a simple query; not what only prepares it.
func commits(request []byte) bool {
	return bytes.Contains(bytes.ToLower(request), []byte("commit\x00")) && (request[0] == 'Q' || bytes.Contains(request, []byte(execute)))
}

// Case P-DB-03, for every write there is: the database commits and its answer is lost, so that the server has to find out
// what became of it.
func TestCommits_WhoseAnswersAreLost_TakeEffectOnce(t *testing.T) {
	t.Parallel()
	var gate *harness.Gate
	// Without prepared statements each COMMIT is on the wire as text, so that the gate can tell it from other statements.
	world := harness.NewWorld(t, harness.WorldOptions{Flags: []string{"--database-pooler", "transaction"}, Through: func(url string) string {
		var through string
		gate, through = harness.GateTo(t, url)
		return through
	}})
	x := world.NewTenant(t)
	impatient := x.Through(t, world.Node.Addr, belfry.WithRetries(belfry.Retries{MaxAttempts: 1}))
	// blind makes a call while the answers to commits are dropped, until one was.
	blind := func(call func()) {
		dropped := gate.Dropped()
		gate.Mute(commits)
		done := make(chan struct{})
		go func() { defer close(done); call() }()
		harness.Within(t, 10*time.Second, "an answer is dropped", func() bool { return gate.Dropped() > dropped })
		gate.Unmute()
		<-done
	}
	const rounds = 8
	acknowledged, unknown := 0, 0
	for range rounds {
		blind(func() { // without a request id: no repetition hides a second job
			reply, err := x.Post("JobService/CreateJob", `{"job": {"queue": "q", "retryPolicy": {"initialBackoff": "0.001s", "maxAttempts": 20}}}`).Do(t.Context())
			switch {
			case err == nil && reply.Status == 200:
				acknowledged++
			case err == nil && harness.RefusalOf(t, reply).Code == "unavailable":
				unknown++
			default:
				t.Errorf("create: %d %s, %v", reply.Status, reply.Raw, err)
			}
		})
	}
	jobs := count(t, x)
	t.Logf("%d creates were acknowledged, %d were not known; %d jobs exist", acknowledged, unknown, jobs)
	if jobs < acknowledged || jobs > acknowledged+unknown {
		t.Errorf("%d jobs exist after %d acknowledged and %d unknown creates", jobs, acknowledged, unknown)
	}
	for range rounds {
		lease := take(t, x, "q", 1)[0]
		items := []*v1.FailItem{{LeaseToken: lease.GetLeaseToken(), Error: "again"}}
		for answered := false; !answered; {
			blind(func() {
				response, err := impatient.Workers().FailJobs(t.Context(), &v1.FailJobsRequest{Items: items})
				answered = err == nil && response.GetResults()[0].GetError().GetCode() != "unavailable"
				if answered && response.GetResults()[0].GetError() != nil {
					t.Errorf("fail: %v", response)
				}
			})
		}
		if job, err := x.Get(t.Context(), lease.GetJob().GetJobId()); err != nil || job.Attempt != int(lease.GetAttempt()) || len(job.Attempts) != job.Attempt {
			t.Errorf("after attempt %d: attempt %d, %d ended, %v", lease.GetAttempt(), job.Attempt, len(job.Attempts), err)
		}
	}
	for range jobs {
		lease := take(t, x, "q", 1)[0]
		items := []*v1.CompleteItem{{LeaseToken: lease.GetLeaseToken()}}
		for answered := false; !answered; {
			blind(func() {
				response, err := impatient.Workers().CompleteJobs(t.Context(), &v1.CompleteJobsRequest{Items: items})
				answered = err == nil && response.GetResults()[0].GetError().GetCode() != "unavailable"
				if answered && response.GetResults()[0].GetError() != nil {
					t.Errorf("complete: %v", response)
				}
			})
		}
		if job, err := x.Get(t.Context(), lease.GetJob().GetJobId()); err != nil || job.State != belfry.StateSucceeded || job.LostLeases != 0 {
			t.Errorf("job is %s with %d lost leases, %v", job.State, job.LostLeases, err)
		}
	}
}

// Case P-DB-05: reads do not keep heartbeats from the database.
func TestHeavyReads_DoNotHoldUpHeartbeats(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{})
	x := world.NewTenant(t)
	harness.Producer{Client: x.Client, Account: harness.NewAccount(), Job: func(int) belfry.NewJob {
		return belfry.NewJob{Queue: "stored", Delay: time.Hour}
	}}.Preload(t, 10_000)
	account := harness.NewAccount()
	harness.Producer{Client: x.Client, Account: account, Job: func(int) belfry.NewJob { return belfry.NewJob{Queue: "q", Retry: eager} }}.Preload(t, 100)
	reading, stop := context.WithCancel(t.Context())
	defer stop()
	var pages atomic.Int64
	for range 20 {
		go func() {
			for reading.Err() == nil {
				for _, err := range x.List(reading, belfry.JobFilter{PageSize: 1000}) {
					if err != nil {
						break
					}
					pages.Add(1)
				}
			}
		}()
	}
	crew := &harness.Crew{Client: x.Client, Account: account, Queues: []string{"q"}, Members: 50, Batch: 2, Hold: 7 * time.Second, Beat: true}
	crew.Start(t)
	harness.Within(t, 30*time.Second, "all jobs are completed", func() bool { return crew.Completed()+crew.Lost() >= 100 })
	stop()
	beats := crew.Beats()
	slices.Sort(beats)
	t.Logf("%d heartbeats beside reads of %d jobs: p50 %v, p99 %v", len(beats), pages.Load(), beats[len(beats)/2], beats[len(beats)*99/100])
	if p99 := beats[len(beats)*99/100]; p99 > 2*time.Second {
		t.Errorf("p99 of the heartbeats is %v, want less than 2s", p99)
	}
	if crew.Lost() > 0 {
		t.Errorf("%d leases were lost", crew.Lost())
	}
	account.Verdict(t.Context(), x.Client).Report(t)
}

// Case P-DB-02: the server's connections lead to a database that only reads (SQLSTATE 25006), as after a fail-over; when
// one can write again, the old connections must not be used any longer, and no job has failed for it.
func TestReadOnlyConnections_AreDropped(t *testing.T) {
	t.Parallel()
	var gate *harness.Gate
	world := harness.NewWorld(t, harness.WorldOptions{Through: func(url string) string {
		var through string
		gate, through = harness.GateTo(t, url)
		return through
	}})
	x := world.NewTenant(t)
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 4, Batch: 20}
	crew.Start(t)
	fresh(t, x, account, 5*time.Second)
	set := func(sql string) {
		if err := world.DB.Exec(t.Context(), "belfry", sql); err != nil {
			t.Fatal(err)
		}
	}
	set("ALTER ROLE belfry SET default_transaction_read_only = on")
	gate.Shut()
	gate.Open(t) // the server connects again, to sessions that only read
	impatient := x.Through(t, world.Node.Addr, belfry.WithRetries(belfry.Retries{MaxAttempts: 1}))
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
		if _, err := impatient.Create(t.Context(), belfry.NewJob{Queue: "fresh"}); !belfry.IsUnavailable(err) {
			t.Fatalf("a create on a database that only reads: %v, want UNAVAILABLE", err)
		}
		_ = harness.Pass(t.Context(), 100*time.Millisecond)
	}
	set("ALTER ROLE belfry RESET default_transaction_read_only")
	began := time.Now()
	fresh(t, x, account, 30*time.Second)
	t.Logf("writes succeed %v after the promotion", time.Since(began).Round(time.Millisecond))
	verdict := account.Settle(t, x.Client, 10*time.Second)
	if verdict.Retried > 0 {
		t.Errorf("%d jobs were leased again", verdict.Retried)
	}
}
