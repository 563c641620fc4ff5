package dispatch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// claimer turns the hub's offers into claims. It is the source of the hot committer: each transaction that is about to be
// sent takes along what is fair at that moment.
type claimer struct{ d *Dispatcher }

func newClaimer(d *Dispatcher) *claimer { return &claimer{d} }

// claimOp is the claims of one partition in one transaction.
type claimOp struct {
	batch  *store.ClaimBatch
	offers []ready.Offer
	sent   time.Time
	open   bool // the outcome was unknown: what looks unclaimed may still become claimed
}

func (o *claimOp) id() job.ID { return o.batch.Items[0].ID }

func (o *claimOp) add(tx *store.HotTx) {
	o.batch.Rows = nil
	tx.Claims = append(tx.Claims, o.batch)
}

// settle reads which rows carry this claim.
func (o *claimOp) settle(ctx context.Context, s *store.Store) error {
	o.open = true
	ids := make([]job.ID, len(o.batch.Items))
	for i, it := range o.batch.Items {
		ids[i] = it.ID
	}
	rows, err := s.LiveJobs(ctx, ids)
	if err != nil {
		return fmt.Errorf("settle claim: %w: %w", store.ErrUnknown, err)
	}
	o.batch.Rows = nil
	for _, row := range rows {
		if row.State == job.Running && row.ClaimID == o.batch.ClaimID {
			o.batch.Rows = append(o.batch.Rows, row)
		}
	}
	return nil
}

func (c *claimer) ready() <-chan struct{} { return c.d.hub.WaitWork() }

// take reserves up to max jobs for waiting workers and builds their claims, one for each partition.
func (c *claimer) take(max int) []op {
	offers := c.d.hub.NextBatch(max, nil)
	if len(offers) == 0 {
		return nil
	}
	byPart := map[int16]*claimOp{}
	began := map[*leaseCall]map[int16]bool{}
	var back, lost []ready.Offer
	for _, o := range offers {
		call := o.Waiter.Tag.(*leaseCall)
		grant, owned := c.d.owner.Owned(o.Part)
		if !owned {
			lost = append(lost, o)
			continue
		}
		if !began[call][o.Part] {
			if !call.begin() {
				back = append(back, o)
				continue
			}
			if began[call] == nil {
				began[call] = map[int16]bool{}
			}
			began[call][o.Part] = true
		}
		cl := byPart[o.Part]
		if cl == nil {
			cl = &claimOp{sent: c.d.clock.Now(), batch: &store.ClaimBatch{Part: o.Part, Epoch: grant.Epoch, Config: grant.Config,
				ClaimID: rand.Int64()}}
			byPart[o.Part] = cl
		}
		cl.offers = append(cl.offers, o)
		cl.batch.Items = append(cl.batch.Items, c.item(o, call))
	}
	c.d.hub.Return(back)
	c.d.hub.Forget(lost)
	ops := make([]op, 0, len(byPart))
	for _, cl := range byPart {
		ops = append(ops, cl)
	}
	return ops
}

func (c *claimer) item(o ready.Offer, call *leaseCall) store.ClaimItem {
	timeout := job.DefaultAttemptTimeout
	if lane, err := c.d.catalog.Lane(context.Background(), o.Entry.Lane); err == nil {
		timeout = lane.Queue.Settings.Timeout()
	}
	return store.ClaimItem{ID: o.Entry.ID, Version: o.Entry.Version, Lease: call.Lease, Timeout: timeout, Worker: call.Worker}
}

// answer settles the offers of a claim: leases go to their callers, lost compare-and-swaps are read again.
func (c *claimer) answer(o op, err error) {
	cl := o.(*claimOp)
	rows := map[job.ID]store.Live{}
	if err == nil {
		for _, row := range cl.batch.Rows {
			rows[row.ID] = row
		}
	}
	var claimed, missed []ready.Offer
	won := map[*leaseCall][]Leased{}
	var lateness []time.Duration
	for _, offer := range cl.offers {
		call := offer.Waiter.Tag.(*leaseCall)
		if _, counted := won[call]; !counted {
			won[call] = nil
		}
		row, ok := rows[offer.Entry.ID]
		if !ok {
			missed = append(missed, offer)
			continue
		}
		claimed = append(claimed, offer)
		lateness = append(lateness, row.Claimed.Sub(row.Due))
		won[call] = append(won[call], c.leased(row, cl.sent))
	}
	c.d.hub.Claimed(claimed)
	c.settleMissed(cl, missed, err)
	if len(claimed) == 0 {
		c.d.leases.emptyClaim(cl.batch.Part, cl.batch.ClaimID)
	}
	c.d.metrics.Claimed(len(claimed), len(missed), lateness)
	for call, leased := range won {
		c.d.giveBack(call.deliver(leased))
	}
}

// leased records a won lease. Its reminder counts from before the claim was sent, so that it never comes late by more
// than the round trip.
func (c *claimer) leased(row store.Live, sent time.Time) Leased {
	l := Leased{Row: row, LeaseLeft: row.LeaseUntil.Sub(row.Now), AttemptLeft: row.AttemptUntil.Sub(row.Now)}
	c.d.leases.set(row.Token(), sent.Add(l.LeaseLeft), row.Lease)
	if lane, err := c.d.catalog.Lane(context.Background(), row.Lane); err == nil {
		l.Lane = lane
	}
	return l
}

// settleMissed deals with offers that were not claimed: after a failed transaction they are ready as before; after a lost
// compare-and-swap the rows are read again and filed as they are.
func (c *claimer) settleMissed(cl *claimOp, missed []ready.Offer, err error) {
	if len(missed) == 0 {
		return
	}
	if cl.open {
		c.remindUnknown(cl, missed)
	}
	if err != nil {
		c.d.hub.Return(missed)
		c.d.log.Warn("claim failed; its jobs are ready again", "partition", cl.batch.Part, "jobs", len(missed), "error", err)
		return
	}
	c.d.hub.Forget(missed)
	if len(missed) == len(cl.offers) {
		c.d.owner.Poke() // none at all: the epoch or the configuration may be an old one
	}
	ids := make([]job.ID, len(missed))
	for i, o := range missed {
		ids[i] = o.Entry.ID
	}
	c.d.background.Go(func() { c.reread(ids) })
}

// remindUnknown looks at rows again when a lease that may have been written, or may yet be, would end.
func (c *claimer) remindUnknown(cl *claimOp, offers []ready.Offer) {
	for _, o := range offers {
		lease := o.Waiter.Tag.(*leaseCall).Lease
		c.d.leases.set(job.Token{ID: o.Entry.ID, Version: o.Entry.Version + 1, ClaimID: cl.batch.ClaimID, Lane: o.Entry.Lane},
			cl.sent.Add(lease), lease)
	}
}

// rereadPause keeps a row whose claim is refused although it looks claimable (a stale epoch or configuration, a clock
// that is behind) from being claimed in a tight loop.
const rereadPause = 20 * time.Millisecond

func (c *claimer) reread(ids []job.ID) {
	timer := c.d.clock.NewTimer(rereadPause)
	defer timer.Stop()
	<-timer.C()
	ctx, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	rows, err := c.d.store.LiveJobs(ctx, ids)
	if err != nil {
		c.d.log.Warn("rows not read again; the next load brings them", "jobs", len(ids), "error", err)
		return
	}
	var entries []wheel.Entry
	for _, row := range rows {
		if row.State == job.Pending {
			entries = append(entries, wheel.Entry{ID: row.ID, Version: row.Version, DueAt: row.Due.UnixMicro(), Lane: row.Lane,
				Priority: uint8(row.Priority), Size: uint32(len(row.Body))})
		}
	}
	c.d.hints.Offer(entries)
}
