package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Hints takes notice of rows that have become, or will become, runnable. Losing a hint costs one load interval, never a
// job. trigger.Engine implements it.
type Hints interface {
	Offer(entries []wheel.Entry)
}

// Lanes names lanes; catalog.Catalog implements it.
type Lanes interface {
	Lane(ctx context.Context, number int32) (catalog.Lane, error)
}

// Owner says what this node owns; cluster.Ownership implements it.
type Owner interface {
	Owned(part int16) (cluster.Grant, bool)
	Poke()
}

// Metrics counts what happened; obs implements it.
type Metrics interface {
	Claimed(n, missed int, lateness []time.Duration)
	Finished(outcome string)
	Rescued(n int)
	Batch(items int, took time.Duration)
}

// Config wires a Dispatcher. All fields are required except where noted.
type Config struct {
	Store   *store.Store
	Catalog Lanes
	Hub     *ready.Hub
	Owner   Owner
	Hints   Hints
	Clock   clock.Clock
	Log     *slog.Logger
	Metrics Metrics
	// Ended is told of runs of schedules that have ended, soon after; optional.
	Ended func(schedule int32, state job.State)
}

// CancelGrace is how long a running attempt may go on after a cancel request.
const CancelGrace = 30 * time.Second

// Dispatcher hands out due jobs and takes them back. Safe for concurrent use.
type Dispatcher struct {
	store   *store.Store
	catalog Lanes
	hub     *ready.Hub
	owner   Owner
	hints   Hints
	clock   clock.Clock
	log     *slog.Logger
	metrics Metrics
	leases  *leaseTable
	hot     *Committer // creates, claims, heartbeats and ends of many callers
	bulk    *Committer // batch creates, which would delay the others
	claimer *claimer

	background sync.WaitGroup // releases and re-reads that no caller waits for
}

// New builds a Dispatcher; Run makes it work.
func New(cfg Config) *Dispatcher {
	d := &Dispatcher{
		store: cfg.Store, catalog: cfg.Catalog, hub: cfg.Hub, owner: cfg.Owner, hints: cfg.Hints, clock: cfg.Clock,
		log: cfg.Log, metrics: cfg.Metrics, leases: newLeaseTable(),
	}
	d.claimer = newClaimer(d)
	d.hot = newCommitter(cfg.Store, cfg.Clock, d.claimer, committerConfig{})
	d.bulk = newCommitter(cfg.Store, cfg.Clock, nil, committerConfig{flushers: 2})
	d.hot.metrics, d.bulk.metrics = cfg.Metrics, cfg.Metrics
	d.hot.ended = cfg.Ended
	return d
}

// Run works until ctx ends. Calls in flight are answered before it returns.
func (d *Dispatcher) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.hot.Run(ctx) })
	g.Go(func() error { return d.bulk.Run(ctx) })
	g.Go(func() error { return d.runRescuer(ctx) })
	g.Go(func() error { return d.runJanitor(ctx) })
	err := g.Wait()
	d.background.Wait()
	return err
}

// Create stores jobs, all or nothing: an error is that of the whole call. Items whose request id was known come back with
// Stored false; Existing names their jobs. Several jobs at once go through a committer of their own, so that they do not
// delay single ones.
func (d *Dispatcher) Create(ctx context.Context, items []*store.Create) error {
	committer := d.hot
	if len(items) > 1 {
		committer = d.bulk
	}
	for _, err := range committer.do(ctx, []op{&createOp{items}}) {
		if err != nil {
			return fault(err)
		}
	}
	d.hintCreated(items)
	return nil
}

func (d *Dispatcher) hintCreated(items []*store.Create) {
	entries := make([]wheel.Entry, 0, len(items))
	for _, it := range items {
		if it.Stored {
			entries = append(entries, wheel.Entry{ID: it.ID, Version: 1, DueAt: it.Due.UnixMicro(), Lane: it.Lane,
				Priority: uint8(it.Priority), Size: uint32(len(it.Body))})
		}
	}
	d.hints.Offer(entries)
}

// Existing reads what earlier calls with the given request keys stored.
func (d *Dispatcher) Existing(ctx context.Context, keys []*store.RequestKey) (map[[16]byte]store.KnownRequest, error) {
	known, err := d.store.Requests(ctx, keys)
	if err != nil {
		return nil, fault(err)
	}
	return known, nil
}

// Heartbeat extends leases and fills in the results of items; errs[i] is a job.Error or a fault.
func (d *Dispatcher) Heartbeat(ctx context.Context, items []*store.Beat) []error {
	errs := make([]error, len(items))
	var ops []op
	var at []int
	for i, it := range items {
		if _, err := d.lane(ctx, it.Token); err != nil {
			errs[i] = err
			continue
		}
		ops, at = append(ops, &beatOp{it}), append(at, i)
	}
	asked := d.clock.Now()
	answers := d.hot.do(ctx, ops)
	for k, i := range at {
		switch {
		case answers[k] != nil:
			errs[i] = fault(answers[k])
		case items[i].Held:
			d.leases.move(items[i].Token, asked.Add(items[i].Remaining))
		default:
			errs[i] = job.LeaseLost()
		}
	}
	return errs
}

// lane names the lane in a token. A lane that does not exist means a forged token: NOT_FOUND, as for any unknown job.
func (d *Dispatcher) lane(ctx context.Context, tok job.Token) (catalog.Lane, error) {
	if !d.store.KnownPart(tok.ID) {
		return catalog.Lane{}, job.NotFound(job.SubjectJob, tok.ID.String(), "")
	}
	lane, err := d.catalog.Lane(ctx, tok.Lane)
	if err != nil {
		if e, ok := job.AsError(err); ok && e.Kind == job.ErrNotFound {
			return lane, job.NotFound(job.SubjectJob, tok.ID.String(), "")
		}
		return lane, fmt.Errorf("name the lane of a lease: %w", fault(err))
	}
	return lane, nil
}

// owns reports whether this node may act as the owner of a partition now.
func (d *Dispatcher) owns(part int16) bool {
	_, ok := d.owner.Owned(part)
	return ok
}

// ended records that a lease is over, and how.
func (d *Dispatcher) ended(tok job.Token, outcome job.Outcome) {
	d.leases.end(tok)
	d.metrics.Finished(outcome.String())
}

// Outstanding returns how many leases this node watches.
func (d *Dispatcher) Outstanding() int { return d.leases.count() }

// HoldRescues lets no lease be rescued before its worker had time for a heartbeat, counted from now: contact with the
// database is back after a gap, or a partition was taken over.
func (d *Dispatcher) HoldRescues() { d.leases.hold(d.clock.Now()) }

// TakeOver finds the outstanding leases of a partition that has become this node's.
func (d *Dispatcher) TakeOver(ctx context.Context, part int16) error {
	asked := d.clock.Now()
	leases, err := d.store.OutstandingLeases(ctx, part)
	if err != nil {
		return fmt.Errorf("find outstanding leases: %w", err)
	}
	d.leases.hold(asked)
	for _, l := range leases {
		d.leases.set(l.Token, asked.Add(l.Left), l.Lease)
	}
	return nil
}

// Drop forgets the leases of a partition that is no longer this node's.
func (d *Dispatcher) Drop(part int16) { d.leases.drop(part) }

// janitorInterval spaces the removal of claim-batch rows of which nothing is outstanding; every reconcileEvery-th time the
// outstanding leases are compared with those on record.
const (
	janitorInterval = 2 * time.Second
	reconcileEvery  = 30
)

// runJanitor drops the rows of finished claim batches, and finds leases that no reminder watches: those whose claim
// became visible only after its outcome had been settled.
func (d *Dispatcher) runJanitor(ctx context.Context) error {
	for n := 1; clock.Sleep(ctx, d.clock, janitorInterval) == nil; n++ {
		for part, claims := range d.leases.takeDone() {
			// A failure leaves rows behind that the next comparison drops.
			if err := d.store.DropClaims(ctx, part, claims); err != nil {
				d.log.Debug("claim batches not dropped", "partition", part, "error", err)
			}
		}
		if n%reconcileEvery == 0 {
			d.reconcile(ctx)
		}
	}
	return nil
}

// reconcile watches every lease on record.
func (d *Dispatcher) reconcile(ctx context.Context) {
	for part := range int16(d.store.Partitions()) {
		if !d.owns(part) {
			continue
		}
		asked := d.clock.Now()
		leases, err := d.store.OutstandingLeases(ctx, part)
		if err != nil {
			d.log.Warn("outstanding leases not compared", "partition", part, "error", err)
			return
		}
		for _, l := range leases {
			d.leases.watch(l.Token, asked.Add(l.Left), l.Lease)
		}
	}
}
