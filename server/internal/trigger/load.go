package trigger

import (
	"context"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

const (
	loadChunk     = 5000 // rows of one window in one load
	loadRounds    = 20   // chunks of the horizon's new end in one load, for each partition
	expireChunk   = 500
	ageInterval   = time.Minute
	ageShare      = 100 // a round of the age loop takes at most 1 % of the time
	refillBackoff = 250 * time.Millisecond
)

// loadLoop reads the near future every LoadInterval, and at once when a partition is new.
func (e *Engine) loadLoop(ctx context.Context) error {
	clock.Repeat(ctx, e.cfg.Clock, e.load, func() time.Duration {
		if err := e.Load(ctx); err != nil && ctx.Err() == nil {
			e.cfg.Log.Warn("due jobs not loaded; the next load reads them", "error", err)
		}
		return e.cfg.LoadInterval
	})
	return nil
}

// Load is one round for all partitions: take over new ones, re-read the near window, read the new end of the horizon when half
// of it has passed, and look at stretches that did not fit before.
func (e *Engine) Load(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(5*e.cfg.LoadInterval, 10*time.Second))
	defer cancel()
	parts := e.list()
	if err := e.takeOver(ctx, parts); err != nil {
		return err
	}
	now := e.cfg.DB.Now()
	var near, far []*store.Window
	for _, p := range parts {
		p.mu.Lock()
		loaded := p.loaded
		p.mu.Unlock()
		near = append(near, &store.Window{Part: p.part, From: now.Add(-e.cfg.Behind), To: now.Add(2 * e.cfg.LoadInterval), Limit: loadChunk})
		if loaded.Before(now.Add(e.cfg.Horizon / 2)) {
			far = append(far, &store.Window{Part: p.part, From: maxTime(loaded, now), To: now.Add(e.cfg.Horizon), Limit: loadChunk})
		}
	}
	if len(parts) == 0 {
		return nil
	}
	late, err := e.cfg.Store.Load(ctx, append(near, far...), expireChunk)
	if err != nil {
		return err
	}
	if err := e.dispatcher.Expire(ctx, late, job.ReasonExpired); err != nil {
		e.cfg.Log.Warn("jobs past their start-by time not ended yet", "error", err)
	}
	for i, p := range parts {
		e.file(ctx, near[i].Entries)
		if len(near[i].Entries) == loadChunk {
			p.mu.Lock()
			p.overflowAt(now)
			p.mu.Unlock()
		}
		if err := e.catchUp(ctx, p, now); err != nil {
			return err
		}
	}
	for _, w := range far {
		if p := e.part(w.Part); p != nil {
			if err := e.extend(ctx, p, w); err != nil {
				return err
			}
		}
	}
	return nil
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// extend files a window at the horizon's end, and reads on while its chunks come back full.
func (e *Engine) extend(ctx context.Context, p *partition, w *store.Window) error {
	for range loadRounds {
		e.file(ctx, w.Entries)
		if len(w.Entries) < w.Limit {
			p.loadedTo(w.To)
			return nil
		}
		last := time.UnixMicro(w.Entries[len(w.Entries)-1].DueAt)
		// Rows of the last instant may be missing, so it is read again; if it alone fills a chunk, it is paged when due.
		from := last.Add(-time.Microsecond)
		if !from.After(w.From) {
			p.mu.Lock()
			p.overflowAt(last)
			p.mu.Unlock()
			from = last
		}
		w.From = from
		if _, err := e.cfg.Store.Load(ctx, []*store.Window{w}, 0); err != nil {
			return err
		}
	}
	p.loadedTo(w.From)
	return nil
}

func (p *partition) loadedTo(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loaded = at
}

// takeOver prepares partitions that are new: outstanding leases, queue states, and everything that is overdue.
func (e *Engine) takeOver(ctx context.Context, parts []*partition) error {
	for _, p := range parts {
		p.mu.Lock()
		done := p.ready
		p.mu.Unlock()
		if done {
			continue
		}
		if err := e.cfg.Catalog.Refresh(ctx, p.part); err != nil {
			return err
		}
		if err := e.dispatcher.TakeOver(ctx, p.part); err != nil {
			return err
		}
		if err := e.pageAll(ctx, p.part); err != nil {
			return err
		}
		p.mu.Lock()
		p.ready = true
		p.mu.Unlock()
	}
	return nil
}

// pageAll tells the hub that every lane of the partition may have due rows that are not in memory; it asks for them lane
// by lane, as far as each lane has room.
func (e *Engine) pageAll(ctx context.Context, part int16) error {
	lanes, err := e.cfg.Store.Lanes(ctx, part)
	if err != nil {
		return err
	}
	probes := make([]wheel.Entry, len(lanes))
	for i, lane := range lanes {
		probes[i].Lane = lane
	}
	for _, probe := range e.knowLanes(ctx, probes) {
		e.cfg.Hub.Backlog(part, probe.Lane, ready.Position{})
	}
	return nil
}

// catchUp pages stretches that did not fit, once they are due.
func (e *Engine) catchUp(ctx context.Context, p *partition, now time.Time) error {
	p.mu.Lock()
	var waiting []time.Time
	due := false
	for _, at := range p.overflow {
		if at.After(now) {
			waiting = append(waiting, at)
		} else {
			due = true
		}
	}
	p.overflow = waiting
	p.mu.Unlock()
	if !due {
		return nil
	}
	if err := e.pageAll(ctx, p.part); err != nil {
		p.mu.Lock()
		p.overflowAt(now)
		p.mu.Unlock()
		return err
	}
	return nil
}

// refillLoop reads the pages that the hub asks for.
func (e *Engine) refillLoop(ctx context.Context) error {
	var wanted []ready.Refill
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-e.cfg.Hub.WaitRefill():
		}
		wanted = e.cfg.Hub.TakeRefills(wanted[:0])
		for _, r := range wanted {
			e.refill(ctx, r)
		}
	}
}

func (e *Engine) refill(ctx context.Context, r ready.Refill) {
	page, err := e.cfg.Store.LoadLane(ctx, store.LanePage{Part: r.Part, Lane: r.Lane, Priority: r.From.Priority,
		Due: time.UnixMicro(r.From.DueAt), ID: r.From.ID, Until: e.cfg.DB.Now(), Limit: r.Limit})
	if err != nil {
		if ctx.Err() == nil {
			e.cfg.Log.Warn("backlog not read", "partition", r.Part, "lane", r.Lane, "error", err)
		}
		timer := e.cfg.Clock.NewTimer(refillBackoff)
		defer timer.Stop()
		select {
		case <-timer.C():
		case <-ctx.Done():
		}
		e.cfg.Hub.Refilled(r, nil, true)
		return
	}
	e.cfg.Hub.Refilled(r, page, len(page) == r.Limit)
}

// ageLoop ends waiting jobs whose age is spent, and looks at everything overdue: whatever a transaction of unheard-of length
// has put behind the near window is found within ageInterval. Both read the index from its head, through the entries of all
// jobs that have gone since the oldest snapshot; the longer a round takes, the longer it waits, so that an open transaction
// does not make it a load.
func (e *Engine) ageLoop(ctx context.Context) error {
	timer := e.cfg.Clock.NewTimer(ageInterval)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C():
		}
		began := e.cfg.Clock.Now()
		for _, p := range e.list() {
			late, err := e.cfg.Store.Overaged(ctx, p.part, expireChunk)
			if err == nil {
				err = e.dispatcher.Expire(ctx, late, job.ReasonMaxAge)
			}
			if err != nil && ctx.Err() == nil {
				e.cfg.Log.Warn("jobs past their age not ended yet", "partition", p.part, "error", err)
			}
			if err := e.lookBehind(ctx, p.part); err != nil && ctx.Err() == nil {
				e.cfg.Log.Warn("overdue jobs not looked through", "partition", p.part, "error", err)
			}
		}
		timer.Reset(max(ageInterval, ageShare*e.cfg.Clock.Since(began)))
	}
}

// lookBehind files what is overdue. Lanes are paged only if that is more than a load takes: a lane that is being paged takes
// in nothing else meanwhile.
func (e *Engine) lookBehind(ctx context.Context, part int16) error {
	w := &store.Window{Part: part, From: time.Unix(0, 0), To: e.cfg.DB.Now(), Limit: loadChunk}
	if _, err := e.cfg.Store.Load(ctx, []*store.Window{w}, 0); err != nil {
		return err
	}
	if len(w.Entries) == w.Limit {
		return e.pageAll(ctx, part)
	}
	e.file(ctx, w.Entries)
	return nil
}
