package chaos_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// An orderly end answers the calls in flight, gives nothing up that it has promised, and takes no longer than it must.
func TestSIGTERM_UnderLoad_DrainsAndLosesNothing(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{})
	x := world.NewTenant(t)
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 8, Batch: 20, Hold: 50 * time.Millisecond}
	crew.Start(t)
	const jobs = 3000
	done := make(chan int, 1)
	go func() {
		done <- harness.Producer{Client: x.Client, Account: account, Callers: 16, Job: spread(3*time.Second, jobs)}.Create(t.Context(), jobs)
	}()
	harness.Within(t, 30*time.Second, "jobs flow", func() bool { return crew.Completed() > jobs/10 })
	began := time.Now()
	code, err := world.Node.Terminate()
	if err != nil || code != 0 {
		t.Fatalf("exit code %d, %v", code, err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the drain took %v although every call is short", took)
	}
	// The partitions were given up: the next server need not wait for the ownership TTL of 6 s.
	began = time.Now()
	if err := world.Node.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the next server was ready after %v", took)
	}
	if failed := <-done; failed > 0 {
		t.Errorf("%d creates failed in spite of their retries", failed)
	}
	account.Settle(t, x.Client, 20*time.Second)
}

// A long poll does not hold up the end.
func TestSIGTERM_EndsLongPolls(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{})
	x := world.NewTenant(t)
	polled := make(chan harness.Reply, 1)
	go func() {
		reply, _ := x.Post("WorkerService/LeaseJobs", `{"wait": "60s", "workerId": "w"}`).Do(context.Background())
		polled <- reply
	}()
	harness.Within(t, 5*time.Second, "the poll waits", func() bool {
		reply, err := x.Post("WorkerService/ListWorkers", nil).Do(t.Context())
		workers, _ := reply.JSON["workers"].([]any)
		return err == nil && len(workers) == 1
	})
	began := time.Now()
	if code, err := world.Node.Terminate(); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v", code, err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("the end took %v", took)
	}
	if reply := <-polled; reply.Status != http.StatusOK && reply.Status != http.StatusServiceUnavailable {
		t.Errorf("the poll was answered %d %s", reply.Status, reply.Raw)
	}
}

// Case P-SDK-04: the server restarts again and again under many workers; all of them lease again, and nothing leaks.
func TestRestarts_UnderManyWorkers_AllLeaseAgain(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{Flags: quickOwnership})
	x := world.NewTenant(t)
	const workers = 50
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	var served [workers]atomic.Int32
	clients := make([]*belfry.Client, workers)
	// Goroutines carry the label of the one that started them, so that those of other tests do not count.
	pprof.SetGoroutineLabels(pprof.WithLabels(ctx, pprof.Labels(workersLabel, t.Name())))
	for i := range workers {
		clients[i] = x.Through(t, world.Node.Addr)
		worker := belfry.NewWorker(clients[i], belfry.WorkerConfig{Concurrency: 1, LeaseDuration: 5 * time.Second})
		worker.HandleAny(func(ctx context.Context, _ *belfry.LeasedJob) error {
			served[i].Add(1)
			return harness.Pass(ctx, 100*time.Millisecond)
		})
		running.Go(func() {
			if err := worker.Run(ctx); err != nil {
				t.Errorf("worker %d: %v", i, err)
			}
		})
	}
	pprof.SetGoroutineLabels(ctx)
	for range 2 {
		world.Node.Kill()
		if err := world.Node.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	back := time.Now()
	var seen [workers]int32
	for i := range seen {
		seen[i] = served[i].Load()
	}
	// Work for all: one slot each.
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if _, err := x.CreateBatch(ctx, make20(belfry.NewJob{Queue: "q", Retry: eager})); err == nil {
				_ = harness.Pass(ctx, 100*time.Millisecond)
			}
		}
	}()
	harness.Within(t, 30*time.Second, "every worker has work again", func() bool {
		for i := range seen {
			if served[i].Load() == seen[i] {
				return false
			}
		}
		return true
	})
	t.Logf("all %d workers had work again after %v", workers, time.Since(back).Round(time.Millisecond))
	if n := labelled(t, t.Name()); n < workers {
		t.Errorf("only %d goroutines of %d workers are seen: the check below could not fail", n, workers)
	}
	stop()
	<-done
	running.Wait()
	for _, client := range clients {
		client.Close()
	}
	harness.Within(t, 10*time.Second, "the workers' goroutines end", func() bool { return labelled(t, t.Name()) < workers/5 })
}

// workersLabel marks the goroutines of a test's workers.
const workersLabel = "workers"

// labelled counts the goroutines that carry a label of workersLabel, by the text form of the profile: a line "N @ stack" for
// goroutines that are alike, and one with their labels behind it.
func labelled(t *testing.T, value string) int {
	t.Helper()
	var text bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	n, alike := 0, 0
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Sscanf(line, "%d @", &alike); err == nil {
			continue
		}
		if strings.HasPrefix(line, "# labels:") && strings.Contains(line, strconv.Quote(value)) {
			n += alike
		}
	}
	return n
}

func make20(job belfry.NewJob) []belfry.NewJob {
	jobs := make([]belfry.NewJob, 20)
	for i := range jobs {
		jobs[i] = job
	}
	return jobs
}
