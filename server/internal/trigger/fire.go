package trigger

import (
	"context"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// fireChunk bounds how many entries of one partition go into the hub under one lock.
const fireChunk = 1024

// idleSleep is the longest the firing loop sleeps; it is woken for anything earlier.
const idleSleep = time.Second

// Offer takes notice of rows that have become, or will become, runnable: those due go into the hub, those within the
// horizon into the wheel, and the others wait for a load. Entries of partitions of other nodes are ignored.
func (e *Engine) Offer(entries []wheel.Entry) {
	if e.cfg.DropHints || len(entries) == 0 {
		return
	}
	e.file(context.Background(), entries)
}

// file puts entries where they belong.
func (e *Engine) file(ctx context.Context, entries []wheel.Entry) {
	entries = e.knowLanes(ctx, entries)
	now := e.cfg.DB.Now().UnixMicro()
	due := map[int16][]wheel.Entry{}
	early := false
	for _, en := range entries {
		p := e.part(en.ID.Part())
		switch {
		case p == nil:
		case en.DueAt <= now:
			due[p.part] = append(due[p.part], en)
		default:
			early = e.wait(p, en) || early
		}
	}
	for part, list := range due {
		e.cfg.Hub.Put(part, list)
	}
	if early {
		poke(e.wake)
	}
}

// wait puts an entry into the wheel; it answers whether that made the wheel's next instant earlier.
func (e *Engine) wait(p *partition, en wheel.Entry) (earlier bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wheel.Len() >= e.cfg.WheelLimit {
		p.overflowAt(time.UnixMicro(en.DueAt))
		return false
	}
	next, any := p.wheel.Next()
	p.wheel.Add(en)
	return !any || en.DueAt < next
}

// overflowAt notes that rows due from at on are only in the database. One note per second is enough.
func (p *partition) overflowAt(at time.Time) {
	at = at.Truncate(time.Second)
	for _, o := range p.overflow {
		if o.Equal(at) {
			return
		}
	}
	p.overflow = append(p.overflow, at)
}

func (e *Engine) part(n int16) *partition {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.parts[n]
}

// fireLoop moves what is due into the hub, and sleeps exactly until the next instant.
func (e *Engine) fireLoop(ctx context.Context) error {
	buf := make([]wheel.Entry, 0, fireChunk)
	clock.Repeat(ctx, e.cfg.Clock, e.wake, func() time.Duration { return e.fire(&buf) })
	return nil
}

// fire is one round; it answers how long nothing more is due.
func (e *Engine) fire(buf *[]wheel.Entry) time.Duration {
	sleep := idleSleep
	for _, p := range e.list() {
		for {
			now := e.cfg.DB.Now().UnixMicro()
			p.mu.Lock()
			var more bool
			*buf, more = p.wheel.Advance(now, fireChunk, (*buf)[:0])
			next, any := p.wheel.Next()
			p.mu.Unlock()
			if len(*buf) > 0 {
				e.cfg.Hub.Put(p.part, *buf)
			}
			if !more {
				if any {
					sleep = min(sleep, time.Duration(next-now)*time.Microsecond)
				}
				break
			}
		}
	}
	return max(sleep, 0)
}
