package dispatch

import (
	"context"
	"errors"
	"fmt"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// cancelTries bounds how often a cancel follows a row that keeps changing under it.
const cancelTries = 10

// Cancel ends a waiting job, or asks for the end of a running one: the answer to its next heartbeat says so, and the
// lease ends after CancelGrace at the latest. Repeating it changes nothing. Jobs of other tenants are NOT_FOUND.
func (d *Dispatcher) Cancel(ctx context.Context, tenant int32, id job.ID, reason string) error {
	if !d.store.KnownPart(id) {
		return job.NotFound(job.SubjectJob, id.String(), "")
	}
	for range cancelTries {
		rows, err := d.store.LiveJobs(ctx, []job.ID{id})
		if err != nil {
			return fault(err)
		}
		row, alive := rows[id]
		if !alive {
			return d.cancelEnded(ctx, tenant, id)
		}
		done, err := d.cancelLive(ctx, tenant, row, reason)
		if done || err != nil {
			return err
		}
	}
	return job.Unavailable(fmt.Errorf("cancel %s: the row kept changing", id))
}

// cancelLive cancels a row as it was read; done is false if it had changed by then.
func (d *Dispatcher) cancelLive(ctx context.Context, tenant int32, row store.Live, reason string) (done bool, err error) {
	lane, err := d.catalog.Lane(ctx, row.Lane)
	if err != nil {
		return false, fmt.Errorf("name the lane of %s: %w", row.ID, fault(err))
	}
	if lane.Queue.Tenant != tenant {
		return false, job.NotFound(job.SubjectJob, row.ID.String(), "")
	}
	if row.State == job.Running {
		if row.CancelAsked {
			return true, nil
		}
		asked := d.clock.Now()
		left, err := d.store.AskCancel(ctx, row.ID, row.Version, reason, CancelGrace)
		if errors.Is(err, store.ErrConflict) {
			return false, nil
		}
		if err != nil {
			return false, fault(err)
		}
		d.leases.move(row.Token(), asked.Add(left))
		return true, nil
	}
	f := finishOf(row.Token(), lane, ending{state: job.Cancelled, reason: job.ReasonCancelled, text: job.TrimError(reason)})
	f.From = row.State
	for _, err := range d.hot.do(ctx, []op{&finishOp{f}}) {
		if err != nil {
			return false, fault(err)
		}
	}
	if f.Done {
		d.hub.Remove(row.ID)
	}
	return f.Done, nil
}

// cancelEnded answers for a job that is not alive: fine if it is cancelled already.
func (d *Dispatcher) cancelEnded(ctx context.Context, tenant int32, id job.ID) error {
	rows, err := d.store.EndedJobs(ctx, []job.ID{id})
	if err != nil {
		return fault(err)
	}
	row, ok := rows[id]
	if ok {
		lane, err := d.catalog.Lane(ctx, row.Lane)
		if err != nil {
			return fmt.Errorf("name the lane of %s: %w", id, fault(err))
		}
		ok = lane.Queue.Tenant == tenant
	}
	switch {
	case !ok:
		return job.NotFound(job.SubjectJob, id.String(), "")
	case row.State == job.Cancelled:
		return nil
	}
	return job.Finished(id, row.State)
}

// Expire ends waiting jobs that may not start any more. Rows that have changed meanwhile are left alone.
func (d *Dispatcher) Expire(ctx context.Context, late []store.Expiring, reason string) error {
	if len(late) == 0 {
		return nil
	}
	ops := make([]op, 0, len(late))
	for _, l := range late {
		lane, err := d.catalog.Lane(ctx, l.Lane)
		if err != nil {
			return fmt.Errorf("name the lane of %s: %w", l.ID, err)
		}
		f := finishOf(job.Token{ID: l.ID, Version: l.Version, Lane: l.Lane, Lease: 2}, lane,
			ending{state: job.Dead, reason: reason})
		f.From = job.Pending
		ops = append(ops, &finishOp{f})
	}
	for i, err := range d.hot.do(ctx, ops) {
		if err != nil {
			return fmt.Errorf("end expired jobs: %w", err)
		}
		if ops[i].(*finishOp).item.Done {
			d.hub.Remove(ops[i].id())
		}
	}
	return nil
}
