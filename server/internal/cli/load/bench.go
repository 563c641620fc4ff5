package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	belfry "github.com/belfryhq/belfry/sdk/go"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// Options of a run. Zero values take the defaults of the mode.
type Options struct {
	Jobs        int           // how many jobs
	Concurrency int           // concurrent callers, or handlers
	Queues      int           // over how many queues the jobs are spread; default 1
	Duration    time.Duration // of steady and lateness runs
	Payload     int           // bytes of payload; default 200
	Timeout     time.Duration // for a run to end; default 5 min
}

// Report is one measured run.
type Report struct {
	Mode     string  `json:"mode"`
	Jobs     int     `json:"jobs"`
	Queues   int     `json:"queues"`
	Callers  int     `json:"concurrency"`
	Seconds  float64 `json:"seconds"`
	Rate     float64 `json:"jobs_per_second"`
	Created  float64 `json:"created_per_second,omitempty"` // of schedules
	Latency  Millis  `json:"call_latency,omitzero"`
	Lateness Millis  `json:"lateness,omitzero"`
	Minutes  []int   `json:"jobs_per_minute,omitempty"` // of steady runs: jobs worked off in each whole minute
	Verdict
}

// Modes lists what Run measures.
func Modes() []string {
	return []string{"create", "batch", "drain", "steady", "lateness", "herd", "schedules"}
}

// Bench runs measurements through one client, whose tenant must allow queues to be created.
type Bench struct {
	client  *belfry.Client
	callers *belfry.Client // makes single creates
	clock   clock.Clock
	queues  []string
}

// New returns a Bench. callers makes the single creates: one whose HTTP client is Caller leaves the most of shared cores to
// the server.
func New(client, callers *belfry.Client) *Bench {
	return &Bench{client: client, callers: callers, clock: clock.Real()}
}

// Run measures one mode. The queues it makes are removed afterwards.
func (b *Bench) Run(ctx context.Context, mode string, o Options) (Report, error) {
	o = o.withDefaults(mode)
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	if err := b.makeQueues(ctx, o.Queues); err != nil {
		return Report{}, err
	}
	defer b.dropQueues()
	r := Report{Mode: mode, Jobs: o.Jobs, Queues: o.Queues, Callers: o.Concurrency}
	var err error
	switch mode {
	case "create":
		err = b.create(ctx, o, &r)
	case "batch":
		err = b.batch(ctx, o, &r)
	case "drain":
		err = b.drain(ctx, o, &r)
	case "steady":
		err = b.steady(ctx, o, &r)
	case "lateness":
		err = b.scattered(ctx, o, &r)
	case "herd":
		err = b.herd(ctx, o, &r)
	case "schedules":
		err = b.schedules(ctx, o, &r)
	default:
		return r, fmt.Errorf("mode %q is unknown; choose one of %v", mode, Modes())
	}
	return r, err
}

func (o Options) withDefaults(mode string) Options {
	def := map[string]Options{
		"create":    {Jobs: 50_000, Concurrency: 64},
		"batch":     {Jobs: 200_000, Concurrency: 4},
		"drain":     {Jobs: 100_000, Concurrency: 1000},
		"steady":    {Concurrency: 64, Duration: 20 * time.Second},
		"lateness":  {Jobs: 5_000, Concurrency: 200, Duration: time.Minute},
		"herd":      {Jobs: 20_000, Concurrency: 1000, Duration: 10 * time.Second},
		"schedules": {Jobs: 20_000, Concurrency: 1000, Duration: time.Minute},
	}[mode]
	o.Jobs = orElse(o.Jobs, def.Jobs)
	o.Concurrency = orElse(o.Concurrency, def.Concurrency)
	o.Duration = orElse(o.Duration, def.Duration)
	o.Queues = orElse(o.Queues, 1)
	o.Payload = orElse(o.Payload, 200)
	o.Timeout = orElse(o.Timeout, 5*time.Minute)
	return o
}

func orElse[T int | time.Duration](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

func (b *Bench) makeQueues(ctx context.Context, n int) error {
	run := rand.Uint32()
	b.queues = b.queues[:0]
	for i := range n {
		name := fmt.Sprintf("bench-%08x-%d", run, i)
		if _, err := b.client.Queues().CreateQueue(ctx, &v1.CreateQueueRequest{Queue: &v1.Queue{Queue: name}}); err != nil {
			return fmt.Errorf("create queue %s: %w", name, err)
		}
		b.queues = append(b.queues, name)
	}
	return nil
}

// dropQueues cancels what a run has left waiting. Failing leaves queues behind, under names nobody else uses.
func (b *Bench) dropQueues() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, name := range b.queues {
		_, _ = b.client.Queues().DeleteQueue(ctx, &v1.DeleteQueueRequest{Queue: name, Force: true})
	}
}

func (b *Bench) job(i int, o Options) belfry.NewJob {
	return belfry.NewJob{Queue: b.queues[i%len(b.queues)], Payload: make([]byte, o.Payload)}
}

// create measures single creates from many callers; the jobs are due in an hour, so that nothing else happens.
func (b *Bench) create(ctx context.Context, o Options, r *Report) error {
	var next atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	began := b.clock.Now()
	err := parallel(ctx, o.Concurrency, func(ctx context.Context) error {
		var own []time.Duration
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= o.Jobs {
				break
			}
			j := b.job(i, o)
			j.Delay = time.Hour
			at := b.clock.Now()
			if _, err := b.callers.Create(ctx, j); err != nil {
				return err
			}
			own = append(own, b.clock.Since(at))
		}
		mu.Lock()
		defer mu.Unlock()
		took = append(took, own...)
		return ctx.Err()
	})
	r.measure(o.Jobs, b.clock.Since(began))
	r.Latency = percentiles(took)
	return err
}

// batch measures creates of 1,000 jobs a call.
func (b *Bench) batch(ctx context.Context, o Options, r *Report) error {
	began := b.clock.Now()
	err := b.enqueue(ctx, o, func(j *belfry.NewJob) { j.Delay = time.Hour }, nil)
	r.measure(o.Jobs, b.clock.Since(began))
	return err
}

const batchSize = 1000

// enqueue creates the run's jobs in batches.
func (b *Bench) enqueue(ctx context.Context, o Options, shape func(*belfry.NewJob), l *ledger) error {
	return inBatches(ctx, o, func(ctx context.Context, from, until int) error {
		jobs := make([]belfry.NewJob, until-from)
		for i := range jobs {
			jobs[i] = b.job(from+i, o)
			shape(&jobs[i])
		}
		created, err := b.client.CreateBatch(ctx, jobs)
		if err != nil {
			return err
		}
		for _, c := range created {
			if l != nil {
				l.acked(c.JobID)
			}
		}
		return nil
	})
}

// inBatches calls f for each batch [from, until) of the run's jobs, some side by side.
func inBatches(ctx context.Context, o Options, f func(ctx context.Context, from, until int) error) error {
	var next atomic.Int64
	return parallel(ctx, min(o.Concurrency, 4), func(ctx context.Context) error {
		for ctx.Err() == nil {
			from := int(next.Add(batchSize)) - batchSize
			if from >= o.Jobs {
				return nil
			}
			if err := f(ctx, from, min(from+batchSize, o.Jobs)); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// drain measures how fast jobs that are all due are worked off, from the first start to the last.
func (b *Bench) drain(ctx context.Context, o Options, r *Report) error {
	l := newLedger(o.Jobs, b.clock)
	if err := b.enqueue(ctx, o, func(*belfry.NewJob) {}, l); err != nil {
		return err
	}
	began := b.clock.Now()
	err := b.work(ctx, o, l)
	r.measure(o.Jobs, b.clock.Since(began))
	r.Verdict = l.verdict()
	return err
}

// steadySlots is how many jobs the worker of a steady run takes at once, so that it is not what limits the run.
const steadySlots = 1000

// steady measures creates and work at the same time, as fast as the callers get answers.
func (b *Bench) steady(ctx context.Context, o Options, r *Report) error {
	l := newLedger(1<<30, b.clock)
	working, stop := context.WithCancel(ctx)
	defer stop()
	worked := make(chan error, 1)
	slots := o
	slots.Concurrency = max(o.Concurrency, steadySlots)
	go func() { worked <- b.runWorker(working, slots, l.handle) }()
	began := b.clock.Now()
	var created atomic.Int64
	err := parallel(ctx, o.Concurrency, func(ctx context.Context) error {
		for i := 0; ctx.Err() == nil && b.clock.Since(began) < o.Duration; i++ {
			got, err := b.callers.Create(ctx, b.job(i, o))
			if err != nil {
				return err
			}
			l.acked(got.ID)
			created.Add(1)
		}
		return ctx.Err()
	})
	l.expect(int(created.Load()))
	if err == nil {
		err = l.wait(ctx)
	}
	r.measure(int(created.Load()), b.clock.Since(began))
	r.Lateness, r.Minutes = l.lateness(), l.perMinute()
	stop()
	err = errors.Join(err, <-worked)
	r.Verdict = l.verdict()
	return err
}

// scattered measures lateness of jobs due at random moments.
func (b *Bench) scattered(ctx context.Context, o Options, r *Report) error {
	return b.timed(ctx, o, r, func(start time.Time) time.Time {
		return start.Add(time.Duration(rand.Int64N(int64(o.Duration))))
	})
}

// herd measures lateness of jobs that are all due at one instant.
func (b *Bench) herd(ctx context.Context, o Options, r *Report) error {
	return b.timed(ctx, o, r, func(start time.Time) time.Time { return start.Add(o.Duration) })
}

func (b *Bench) timed(ctx context.Context, o Options, r *Report, due func(start time.Time) time.Time) error {
	l := newLedger(o.Jobs, b.clock)
	start := b.clock.Now().Add(5 * time.Second) // so that all are stored before the first is due
	if err := b.enqueue(ctx, o, func(j *belfry.NewJob) { j.DueTime = due(start) }, l); err != nil {
		return err
	}
	err := b.work(ctx, o, l)
	r.measure(o.Jobs, l.span())
	r.Lateness, r.Verdict = l.lateness(), l.verdict()
	return err
}

// work runs a worker until all expected jobs have run.
func (b *Bench) work(ctx context.Context, o Options, l *ledger) error {
	return b.workBy(ctx, o, l, l.handle)
}

// workBy is work with a handler that accounts in l.
func (b *Bench) workBy(ctx context.Context, o Options, l *ledger, handle belfry.Handler) error {
	working, stop := context.WithCancel(ctx)
	defer stop()
	worked := make(chan error, 1)
	go func() { worked <- b.runWorker(working, o, handle) }()
	err := l.wait(ctx)
	stop()
	return errors.Join(err, <-worked)
}

func (b *Bench) runWorker(ctx context.Context, o Options, handle belfry.Handler) error {
	queues := b.queues
	if len(queues) > 100 {
		queues = nil // more than one call can name
	}
	w := belfry.NewWorker(b.client, belfry.WorkerConfig{Queues: queues, Concurrency: o.Concurrency,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	w.HandleAny(handle)
	return w.Run(ctx)
}

func (r *Report) measure(jobs int, took time.Duration) {
	r.Jobs, r.Seconds = jobs, took.Seconds()
	if took > 0 {
		r.Rate = float64(jobs) / took.Seconds()
	}
}

// expect sets how many jobs must run before wait returns.
func (l *ledger) expect(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.want = n
	if l.started >= n {
		close(l.done)
	}
}

func (l *ledger) wait(ctx context.Context) error {
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		v := l.verdict()
		return fmt.Errorf("wait for all jobs to run: %w (%d have not)", ctx.Err(), v.Lost)
	}
}

// parallel runs f in n goroutines and returns the first error, which ends the others.
func parallel(ctx context.Context, n int, f func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make(chan error, n)
	for range n {
		go func() { errs <- f(ctx) }()
	}
	var first error
	for range n {
		if err := <-errs; err != nil && first == nil {
			first = err
			cancel()
		}
	}
	return first
}
