package belfry

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// Limits of LeaseJobs.
const (
	maxJobTypes = 100
	maxQueues   = 100
)

// WorkerConfig is how a worker works. Zero values mean the default.
type WorkerConfig struct {
	// Queues to take jobs from, up to 100. Empty: all native queues.
	Queues []string
	// Concurrency is how many handlers run at the same time. Default 10.
	Concurrency int
	// LeaseDuration is how long a job stays with a worker that has gone silent,
	// 5 s – 12 h. Default 60 s. Heartbeats go out at a third of it.
	LeaseDuration time.Duration
	// PollWait is how long one call waits for work, up to 60 s. Default 20 s.
	PollWait time.Duration
	// MaxBytes bounds the payload bytes of one answer, up to 16 MiB. Default
	// 4 MiB. The first job comes whatever its size.
	MaxBytes int64
	// GracePeriod is how long Run goes on after its context has ended, so that
	// handlers can finish. Default 30 s; negative: none.
	GracePeriod time.Duration
	// StopLead is how long before the end of GracePeriod the contexts of the
	// handlers that still run are ended, with cause ErrShutdown. Default: a
	// quarter of GracePeriod, at most 5 s.
	StopLead time.Duration
	// WorkerID names this process, stable while it lives: 1–128 printable ASCII
	// characters. Default: host name, process id and random letters.
	WorkerID string
	// Logger gets the worker's own events: lost leases and failed attempts at
	// debug, outages at warn, panics at error. Never payloads. Default
	// slog.Default().
	Logger *slog.Logger
}

func (c WorkerConfig) withDefaults() WorkerConfig {
	if c.Concurrency == 0 {
		c.Concurrency = 10
	}
	if c.LeaseDuration == 0 {
		c.LeaseDuration = time.Minute
	}
	if c.PollWait == 0 {
		c.PollWait = 20 * time.Second
	}
	if c.GracePeriod == 0 {
		c.GracePeriod = 30 * time.Second
	}
	c.GracePeriod = max(c.GracePeriod, 0)
	if c.StopLead == 0 {
		c.StopLead = min(c.GracePeriod/4, 5*time.Second)
	}
	c.StopLead = min(max(c.StopLead, 0), c.GracePeriod)
	if c.WorkerID == "" {
		c.WorkerID = defaultWorkerID()
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

func (c WorkerConfig) validate() error {
	var faults []error
	if c.Concurrency < 0 {
		faults = append(faults, fmt.Errorf("a Concurrency of %d cannot work; give 1 or more", c.Concurrency))
	}
	if len(c.Queues) > maxQueues {
		faults = append(faults, fmt.Errorf("%d queues; one worker takes up to %d, or all if none is named", len(c.Queues), maxQueues))
	}
	if c.LeaseDuration < 5*time.Second || c.LeaseDuration > 12*time.Hour {
		faults = append(faults, fmt.Errorf("LeaseDuration is %v; give 5s to 12h", c.LeaseDuration))
	}
	if c.PollWait < 0 || c.PollWait > time.Minute {
		faults = append(faults, fmt.Errorf("PollWait is %v; give up to 1m", c.PollWait))
	}
	return errors.Join(faults...)
}

// defaultWorkerID is unique also among containers that all call their process 1
// and share a host name.
func defaultWorkerID() string {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	host = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '-'
		}
		return r
	}, host)
	return fmt.Sprintf("%.64s-%d-%s", host, os.Getpid(), strings.ToLower(rand.Text()[:8]))
}

// Worker runs jobs. Register handlers, then Run.
type Worker struct {
	client     *Client
	config     WorkerConfig
	handlers   map[string]Handler
	fallback   Handler
	middleware []func(Handler) Handler
	faults     []error
}

// NewWorker returns a worker that leases through client.
func NewWorker(client *Client, config WorkerConfig) *Worker {
	return &Worker{client: client, config: config.withDefaults(), handlers: map[string]Handler{}}
}

// ID returns the name under which the worker leases.
func (w *Worker) ID() string { return w.config.WorkerID }

// Handle registers the handler for jobs of one type. Jobs of types without a
// handler are not leased.
func (w *Worker) Handle(jobType string, handler Handler) {
	if _, taken := w.handlers[jobType]; taken {
		w.faults = append(w.faults, fmt.Errorf("two handlers for job type %q", jobType))
	}
	w.handlers[jobType] = handler
}

// HandleAny registers a handler for all types that have none of their own; the
// worker then leases jobs of every type.
func (w *Worker) HandleAny(handler Handler) { w.fallback = handler }

// Use wraps every handler, for logs, metrics or tracing; the first middleware
// is the outermost. A panic of the handler reaches middleware as its error.
func (w *Worker) Use(middleware ...func(Handler) Handler) {
	w.middleware = append(w.middleware, middleware...)
}

// Run leases and runs jobs until ctx ends, and then drains: it leases nothing
// more, lets running handlers finish while their leases are extended, ends
// their contexts shortly before the grace period is over, and gives back what
// they leave unfinished. It returns nil if everything was finished or given
// back in time, and a *DrainError that names the rest if not. An error on the
// first contact with the server that no retry can mend (a wrong key or
// address) ends it too; later ones do not.
//
// Handlers get the values of ctx, not its end.
func (w *Worker) Run(ctx context.Context) error {
	faults := append(slices.Clone(w.faults), w.config.validate())
	if len(w.handlers) == 0 && w.fallback == nil {
		faults = append(faults, errors.New("no handlers; register some with HandleFunc, Handle or HandleAny"))
	}
	if len(w.handlers) > maxJobTypes && w.fallback == nil {
		faults = append(faults, fmt.Errorf("%d job types; one worker takes up to %d: use HandleAny or several workers", len(w.handlers), maxJobTypes))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("worker configuration: %w", err)
	}
	return newShift(w).run(ctx)
}

// jobTypes is what to lease; empty means all.
func (w *Worker) jobTypes() []string {
	if w.fallback != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(w.handlers))
}

// wrapped returns the handler of a job type with middleware around it.
func (w *Worker) wrapped(jobType string) Handler {
	handler, ok := w.handlers[jobType]
	if !ok {
		handler = w.fallback
	}
	if handler == nil {
		// The server sends only types that were asked for; should it send another,
		// the job is someone else's.
		return func(context.Context, *LeasedJob) error { return Snooze(0) }
	}
	if len(w.middleware) == 0 {
		return recovering(handler)
	}
	handler = recovering(handler)
	for _, middleware := range slices.Backward(w.middleware) {
		handler = middleware(handler)
	}
	return recovering(handler)
}
