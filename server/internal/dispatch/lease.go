package dispatch

import (
	"context"
	"sync"
	"time"

	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
)

// LeaseCall is one worker's request for work.
type LeaseCall struct {
	Tenants  []int32 // nil: all
	Queues   []int32 // nil: all of the tenants
	Types    []string
	Max      int
	MaxBytes int64
	Wait     time.Duration
	Lease    time.Duration
	Worker   string
}

// Leased is one job with its lease.
type Leased struct {
	Row         store.Live
	Lane        catalog.Lane
	LeaseLeft   time.Duration
	AttemptLeft time.Duration
}

// leaseCall is a LeaseCall in progress: the gateway's side of a waiter in the hub.
type leaseCall struct {
	LeaseCall

	mu       sync.Mutex
	inflight int // claims that may still bring rows
	rows     []Leased
	closed   bool          // no further claim may begin
	gone     bool          // the caller is gone: rows are given back
	done     chan struct{} // gets a token when rows have arrived and no claim is in flight, or none is left after closing
}

// leastWait gives a call without a wait of its own the time that a claim of ready jobs takes to begin.
const leastWait = 25 * time.Millisecond

// Lease waits until jobs are leased for the caller, or until Wait has passed. If ctx ends first, what was leased for it
// is given back at once, uncounted.
func (d *Dispatcher) Lease(ctx context.Context, c LeaseCall) ([]Leased, error) {
	call := &leaseCall{LeaseCall: c, done: make(chan struct{}, 1)}
	waiter := d.hub.Register(ready.Demand{Tenants: c.Tenants, AllTenants: c.Tenants == nil, Queues: c.Queues, Types: c.Types,
		Credit: c.Max, MaxBytes: int(c.MaxBytes)}, call)
	timer := d.clock.NewTimer(max(c.Wait, leastWait))
	defer timer.Stop()
	select {
	case <-call.done:
	case <-timer.C():
	case <-ctx.Done():
	}
	waiter.Close()
	if call.close() {
		// Claims are in flight: they are answered within the deadline of their transaction.
		select {
		case <-call.done:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		d.giveBack(call.abandon())
		return nil, ctx.Err()
	}
	return call.take(), nil
}

// close lets no further claim begin; it answers whether some are in flight. If so, done gets its token when the last of
// them has been answered, and not before: a token of an earlier claim is taken away.
func (c *leaseCall) close() (inflight bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.inflight == 0 {
		return false
	}
	select {
	case <-c.done:
	default:
	}
	return true
}

// begin counts a claim in flight; it answers false if the call is closed.
func (c *leaseCall) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.inflight++
	return true
}

// deliver ends a claim in flight; rows that nobody takes any more are handed back to be released.
func (c *leaseCall) deliver(rows []Leased) (unwanted []Leased) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inflight--
	if c.gone {
		return rows
	}
	c.rows = append(c.rows, rows...)
	if c.inflight == 0 && (len(c.rows) > 0 || c.closed) {
		select {
		case c.done <- struct{}{}:
		default:
		}
	}
	return nil
}

func (c *leaseCall) abandon() []Leased {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	rows := c.rows
	c.rows = nil
	return rows
}

func (c *leaseCall) take() []Leased {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows
}

// giveBack releases leases whose worker never heard of them. Failing leaves them to expire.
func (d *Dispatcher) giveBack(rows []Leased) {
	if len(rows) == 0 {
		return
	}
	ops := make([]op, len(rows))
	for i, r := range rows {
		ops[i] = &returnOp{item: &store.Return{Token: r.Row.Token(), Outcome: job.OutcomeReleased,
			Error: "the worker was gone before the lease reached it", Uncounted: true}, priority: r.Row.Priority, size: len(r.Row.Body)}
	}
	d.background.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTime)
		defer cancel()
		for i, err := range d.hot.do(ctx, ops) {
			var r Result
			if err != nil || !d.tookEffect(ops[i], &r) {
				d.log.Info("lease of a lost caller is left to expire", "job_id", ops[i].id(), "error", err)
			}
		}
	})
}
