package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
)

// event is a line that a worker process writes when it starts or ends an attempt.
type event struct {
	Start   bool      `json:"start"`
	Worker  string    `json:"worker"`
	Job     string    `json:"job"`
	Tenant  string    `json:"tenant"`
	Attempt int       `json:"attempt"`
	Token   int64     `json:"token"`
	At      time.Time `json:"at"`
	Due     time.Time `json:"due"`
}

// work is a worker process: it takes jobs of all tenants, fairly, with the operator's key.
func work(ctx context.Context) error {
	client, err := belfry.NewClient(os.Getenv("BELFRY_ADDRESS"), os.Getenv("BELFRY_ADMIN_KEY"))
	if err != nil {
		return err
	}
	defer client.Close()
	name := os.Getenv("DEMO_WORKER")
	var mu sync.Mutex
	out := json.NewEncoder(os.Stdout)
	tell := func(start bool, j *belfry.LeasedJob) {
		mu.Lock()
		defer mu.Unlock()
		_ = out.Encode(event{Start: start, Worker: name, Job: j.JobID, Tenant: j.TenantID, Attempt: j.Attempt,
			Token: j.FencingToken, At: time.Now(), Due: j.DueTime})
	}
	worker := belfry.NewWorker(client.ForTenant("-"), belfry.WorkerConfig{Concurrency: 6, LeaseDuration: 5 * time.Second,
		GracePeriod: 5 * time.Second, WorkerID: name})
	run := func(d time.Duration) belfry.Handler {
		return func(ctx context.Context, j *belfry.LeasedJob) error {
			tell(true, j)
			defer tell(false, j)
			select {
			case <-time.After(d):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	worker.Handle("slow", run(1500*time.Millisecond))
	worker.Handle("quick", run(20*time.Millisecond))
	return worker.Run(ctx)
}

// process is a worker process as its parent sees it.
type process struct {
	name   string
	cmd    *exec.Cmd
	exited chan struct{}
}

func startWorker(ctx context.Context, s *server, name string, log *journal) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{name: name, cmd: exec.CommandContext(ctx, self), exited: make(chan struct{})} //nolint:gosec // this binary
	p.cmd.Env = append(os.Environ(), "DEMO_WORKER="+name, "BELFRY_ADDRESS="+s.address, "BELFRY_ADMIN_KEY="+s.adminKey)
	p.cmd.Stderr = os.Stderr
	lines, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		defer close(p.exited)
		for in := bufio.NewScanner(lines); in.Scan(); {
			var e event
			if json.Unmarshal(in.Bytes(), &e) == nil {
				log.add(e)
			}
		}
		_ = p.cmd.Wait()
	}()
	say("   %s is process %d", name, p.cmd.Process.Pid)
	return p, nil
}

// stop lets the worker drain, and waits for its end.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	<-p.exited
}

// killBusy kills a worker once it works on at least two jobs.
func killBusy(ctx context.Context, p *process, log *journal) error {
	for {
		if busy := log.running(p.name); len(busy) >= 2 {
			if err := p.cmd.Process.Kill(); err != nil {
				return fmt.Errorf("kill %s: %w", p.name, err)
			}
			<-p.exited
			log.died(p.name, time.Now())
			say("   killed while it worked on %d jobs: %v", len(busy), busy)
			return nil
		}
		select {
		case <-log.changed:
		case <-ctx.Done():
			return fmt.Errorf("%s never held two leases: %w", p.name, ctx.Err())
		}
	}
}
