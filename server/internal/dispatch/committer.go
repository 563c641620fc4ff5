package dispatch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// op is one item of a group commit. Its methods are called by one flusher at a time.
type op interface {
	// id is the row the op writes; two ops on one row never share a transaction.
	id() job.ID
	// add puts the op into a transaction, with no results set from an earlier try.
	add(tx *store.HotTx)
	// settle finds out by reading what became of the op after an unknown outcome. ErrUnavailable: it did not happen, as far
	// as anyone can tell; the caller may try again with the same token or request id.
	settle(ctx context.Context, s *store.Store) error
}

// call is what one caller waits for: some ops, and the error of each.
type call struct {
	ops  []op
	errs []error
	left int           // ops without an answer; guarded by Committer.mu
	done chan struct{} // closed when left is 0
}

// queued is one op in line.
type queued struct {
	op   op
	call *call
	slot int
}

// source adds work of its own to a transaction that is about to be sent, and hears how it went. The claimer is one:
// claims are composed as late as possible, so that they are fair between all who wait at that moment.
type source interface {
	ready() <-chan struct{}
	take(max int) []op
	answer(op op, err error)
}

// committerConfig bounds a Committer. Zero fields take the defaults.
type committerConfig struct {
	flushers int           // transactions in flight at once; default 1
	maxItems int           // ops in one transaction; default 1,000
	maxBytes int           // of job bodies in one transaction; default 8 MiB
	deadline time.Duration // of one transaction; default 5 s
}

// Committer gathers the operations of many callers into few transactions. There is no added delay when idle: an op is
// sent at once if a flusher is free, else it gathers with others meanwhile. Safe for concurrent use.
type Committer struct {
	store  *store.Store
	clock  clock.Clock
	source source // may be nil
	cfg    committerConfig

	metrics Metrics                               // set before Run
	ended   func(schedule int32, state job.State) // told of runs that ended; set before Run; may be nil

	mu    sync.Mutex
	queue []queued
	wake  chan struct{}
}

func newCommitter(s *store.Store, c clock.Clock, src source, cfg committerConfig) *Committer {
	if cfg.flushers == 0 {
		cfg.flushers = 1
	}
	if cfg.maxItems == 0 {
		cfg.maxItems = 1000
	}
	if cfg.maxBytes == 0 {
		cfg.maxBytes = 8 << 20
	}
	if cfg.deadline == 0 {
		cfg.deadline = 5 * time.Second
	}
	return &Committer{store: s, clock: c, source: src, cfg: cfg, wake: make(chan struct{}, 1)}
}

// do sends ops and waits until each has an answer: errs[i] belongs to ops[i]. If ctx ends first, ops that were not sent
// yet are withdrawn; those already sent go on, and their results must not be read.
func (c *Committer) do(ctx context.Context, ops []op) []error {
	if len(ops) == 0 {
		return nil
	}
	cl := &call{ops: ops, errs: make([]error, len(ops)), left: len(ops), done: make(chan struct{})}
	c.mu.Lock()
	for i, o := range ops {
		c.queue = append(c.queue, queued{op: o, call: cl, slot: i})
	}
	c.mu.Unlock()
	c.signal()
	timer := c.clock.NewTimer(callTime)
	defer timer.Stop()
	select {
	case <-cl.done:
		return cl.errs
	case <-ctx.Done():
		return c.withdraw(cl, ctx.Err())
	case <-timer.C():
		return c.withdraw(cl, store.ErrUnknown)
	}
}

// callTime bounds how long a caller waits when the database neither answers nor refuses: its own transaction, the one
// before it, and the search for the truth.
const callTime = 15 * time.Second

func (c *Committer) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// withdraw takes the call's unsent ops out of the queue and answers all of it with err.
func (c *Committer) withdraw(cl *call, err error) []error {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.queue[:0]
	for _, q := range c.queue {
		if q.call != cl {
			kept = append(kept, q)
		}
	}
	clear(c.queue[len(kept):])
	c.queue = kept
	errs := make([]error, len(cl.ops))
	for i := range errs {
		errs[i] = fmt.Errorf("wait for group commit: %w", err)
	}
	return errs
}

// Run flushes until ctx ends; then what is queued is answered with ErrUnavailable.
func (c *Committer) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for range c.cfg.flushers {
		wg.Go(func() { c.flushLoop(ctx) })
	}
	wg.Wait()
	c.mu.Lock()
	rest := c.queue
	c.queue = nil
	c.mu.Unlock()
	c.answer(rest, fmt.Errorf("server is stopping: %w", store.ErrUnavailable))
	return nil
}

func (c *Committer) flushLoop(ctx context.Context) {
	var ready <-chan struct{}
	if c.source != nil {
		ready = c.source.ready()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		case <-ready:
		}
		for {
			batch := c.gather()
			if len(batch) == 0 {
				break
			}
			c.signal() // another flusher may find more
			// The batch outlives every caller and the shutdown signal: once sent it is waited for.
			c.flush(context.WithoutCancel(ctx), batch)
		}
	}
}

// gather takes what fits in one transaction: queued ops in order, each row at most once, then the source's.
func (c *Committer) gather() []queued {
	c.mu.Lock()
	var batch, later []queued
	seen := make(map[job.ID]struct{}, len(c.queue))
	bytes := 0
	for i, q := range c.queue {
		if len(batch) >= c.cfg.maxItems || bytes >= c.cfg.maxBytes {
			later = append(later, c.queue[i:]...)
			break
		}
		if _, twice := seen[q.op.id()]; twice {
			later = append(later, q)
			continue
		}
		seen[q.op.id()] = struct{}{}
		bytes += weight(q.op)
		batch = append(batch, q)
	}
	c.queue = later
	c.mu.Unlock()
	if c.source != nil {
		for _, o := range c.source.take(c.cfg.maxItems) {
			batch = append(batch, queued{op: o})
		}
	}
	return batch
}

func weight(o op) int {
	cr, ok := o.(*createOp)
	if !ok {
		return 0
	}
	n := 0
	for _, it := range cr.items {
		n += len(it.Body)
	}
	return n
}

// flush commits a batch, in smaller and smaller pieces if the database refuses it, so that the bad item alone fails.
func (c *Committer) flush(ctx context.Context, batch []queued) {
	tx := &store.HotTx{}
	for _, q := range batch {
		q.op.add(tx)
	}
	sending, cancel := context.WithTimeout(ctx, c.cfg.deadline)
	began := c.clock.Now()
	err := c.store.Commit(sending, tx)
	cancel()
	c.metrics.Batch(len(batch), c.clock.Since(began))
	switch {
	case errors.Is(err, store.ErrUnknown):
		c.settle(ctx, batch)
	case err != nil && len(batch) > 1 && !errors.Is(err, store.ErrUnavailable):
		c.flush(ctx, batch[:len(batch)/2])
		c.flush(ctx, batch[len(batch)/2:])
	case errors.Is(err, store.ErrUnavailable):
		c.answer(batch, err)
		c.pause(ctx)
	default:
		if err == nil {
			c.tellEnded(tx)
		}
		c.answer(batch, err)
		if err != nil && batch[0].call == nil {
			c.pause(ctx) // a refused claim is ready again at once
		}
	}
}

// tellEnded tells of runs of schedules that have ended. What is settled otherwise is found without being told.
func (c *Committer) tellEnded(tx *store.HotTx) {
	for _, f := range tx.Finishes {
		if f.Done && f.Schedule != 0 && c.ended != nil {
			c.ended(f.Schedule, f.State)
		}
	}
}

// outagePause spaces attempts while the database is away, so that an outage costs no spinning.
const outagePause = 50 * time.Millisecond

func (c *Committer) pause(ctx context.Context) {
	_ = clock.Sleep(ctx, c.clock, outagePause)
}

// settleTime bounds how long a caller waits for the truth about an unknown outcome.
const settleTime = 5 * time.Second

func (c *Committer) settle(ctx context.Context, batch []queued) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for _, q := range batch {
		c.answer([]queued{q}, q.op.settle(ctx, c.store))
	}
}

func (c *Committer) answer(batch []queued, err error) {
	c.mu.Lock()
	var finished []*call
	for _, q := range batch {
		if q.call == nil {
			continue
		}
		q.call.errs[q.slot] = err
		if q.call.left--; q.call.left == 0 {
			finished = append(finished, q.call)
		}
	}
	c.mu.Unlock()
	for _, cl := range finished {
		close(cl.done)
	}
	for _, q := range batch {
		if q.call == nil {
			c.source.answer(q.op, err)
		}
	}
}
