package dispatch

import (
	"context"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
)

// rescueBatch bounds one round of rescues; rescueIdle is the longest the rescuer sleeps without a reminder.
const (
	rescueBatch = 500
	rescueIdle  = time.Second
	rescueRetry = 250 * time.Millisecond
	stallLimit  = 3 * time.Second
)

// runRescuer ends expired leases until ctx ends. Reminders say when to look; the database says whether a lease is over.
func (d *Dispatcher) runRescuer(ctx context.Context) error {
	timer := d.clock.NewTimer(rescueIdle)
	defer timer.Stop()
	last := d.clock.Now()
	for {
		wait := rescueIdle
		if when, ok := d.leases.next(); ok {
			wait = min(wait, when.Sub(d.clock.Now()))
		}
		timer.Reset(max(wait, 0))
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C():
		case <-d.leases.wake:
		}
		// A process that was stopped (a suspended machine, a long pause) could not take heartbeats either.
		now := d.clock.Now()
		if now.Sub(last) > stallLimit {
			d.leases.hold(now)
		}
		last = now
		d.rescueRound(ctx)
	}
}

// rescueRound rescues what has expired by now.
func (d *Dispatcher) rescueRound(ctx context.Context) {
	for ctx.Err() == nil {
		tokens := d.leases.expired(d.clock.Now(), rescueBatch)
		if len(tokens) == 0 {
			return
		}
		if err := d.rescue(ctx, tokens); err != nil {
			d.log.Warn("expired leases not rescued yet", "leases", len(tokens), "error", err)
			for _, tok := range tokens {
				d.leases.snooze(tok, d.clock.Now().Add(rescueRetry))
			}
			return
		}
	}
}

// rescue looks at leases whose reminder came: those over are ended through the same decision as a failure; those that a
// heartbeat has extended meanwhile get a new reminder.
func (d *Dispatcher) rescue(ctx context.Context, tokens []job.Token) error {
	ids := make([]job.ID, len(tokens))
	for i, tok := range tokens {
		ids[i] = tok.ID
	}
	asked := d.clock.Now()
	rows, err := d.store.LiveJobs(ctx, ids)
	if err != nil {
		return fmt.Errorf("read expired leases: %w", err)
	}
	var ops []op
	for _, tok := range tokens {
		row, ok := rows[tok.ID]
		if !ok || row.State != job.Running || row.Version != tok.Version {
			d.leases.end(tok)
			continue
		}
		if left := row.LeaseUntil.Sub(row.Now); left > 0 {
			d.leases.move(tok, asked.Add(left))
			d.leases.snooze(tok, asked.Add(left))
			continue
		}
		if !d.owns(tok.ID.Part()) {
			continue // the partition's next owner finds it
		}
		tok.Lease = row.Leases
		text := "lease expired"
		switch {
		case !row.AttemptUntil.After(row.Now) && !row.CancelAsked:
			text = "attempt timed out"
		case !row.Beaten:
			text = "lease expired: never started (no heartbeat came)"
		}
		o, err := d.endingOp(ctx, row, Failure{Token: tok, Outcome: job.OutcomeTimedOut, Error: text}, true)
		if err != nil {
			d.log.Error("expired lease cannot be decided", "job_id", tok.ID, "error", err)
			d.leases.snooze(tok, asked.Add(rescueIdle))
			continue
		}
		ops = append(ops, o)
	}
	d.endExpired(ctx, ops)
	return nil
}

// endExpired writes the ends of expired leases. What does not take effect is looked at again.
func (d *Dispatcher) endExpired(ctx context.Context, ops []op) {
	for i, err := range d.hot.do(ctx, ops) {
		var r Result
		if err == nil && d.tookEffect(ops[i], &r) {
			d.metrics.Rescued(1)
			continue
		}
		if err != nil {
			d.log.Warn("expired lease not rescued yet", "job_id", ops[i].id(), "error", err)
		}
		d.leases.snooze(tokenOf(ops[i]), d.clock.Now().Add(rescueRetry))
	}
}

func tokenOf(o op) job.Token {
	switch o := o.(type) {
	case *finishOp:
		return o.item.Token
	case *returnOp:
		return o.item.Token
	}
	return job.Token{}
}
