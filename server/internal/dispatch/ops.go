package dispatch

import (
	"context"
	"fmt"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// createOp stores the jobs of one call, all or nothing.
type createOp struct{ items []*store.Create }

func (o *createOp) id() job.ID { return o.items[0].ID }

func (o *createOp) add(tx *store.HotTx) {
	for _, it := range o.items {
		it.Stored = false
	}
	tx.Creates = append(tx.Creates, o.items...)
}

// settle looks for the jobs by their ids, which nobody else can have made. A job can even have ended meanwhile.
func (o *createOp) settle(ctx context.Context, s *store.Store) error {
	ids := make([]job.ID, len(o.items))
	for i, it := range o.items {
		ids[i] = it.ID
	}
	live, err := s.LiveJobs(ctx, ids)
	if err != nil {
		return fmt.Errorf("settle create: %w", err)
	}
	ended, err := s.EndedJobs(ctx, ids)
	if err != nil {
		return fmt.Errorf("settle create: %w", err)
	}
	for _, it := range o.items {
		if row, ok := live[it.ID]; ok {
			it.Stored, it.Due, it.Scheduled = true, row.Due, row.Scheduled
		} else if row, ok := ended[it.ID]; ok {
			it.Stored, it.Due, it.Scheduled = true, row.Due, row.Scheduled
		} else if err := settleRequest(ctx, s, it); err != nil {
			return err
		}
	}
	return nil
}

// settleRequest tells "the request id was known before" (an answer) from "nothing was stored".
func settleRequest(ctx context.Context, s *store.Store, it *store.Create) error {
	it.Stored = false
	if it.Request != nil {
		known, err := s.Requests(ctx, []*store.RequestKey{it.Request})
		if err != nil {
			return fmt.Errorf("settle create: %w", err)
		}
		if r, ok := known[it.Request.Key]; ok && r.Job != it.ID {
			return nil
		}
	}
	return fmt.Errorf("settle create: the job was not stored: %w", store.ErrUnavailable)
}

// beatOp extends one lease.
type beatOp struct{ item *store.Beat }

func (o *beatOp) id() job.ID { return o.item.Token.ID }

func (o *beatOp) add(tx *store.HotTx) {
	o.item.Held = false
	tx.Beats = append(tx.Beats, o.item)
}

// settle leaves it to the worker to repeat the heartbeat: extending twice is harmless.
func (o *beatOp) settle(context.Context, *store.Store) error {
	return fmt.Errorf("settle heartbeat: %w", store.ErrUnavailable)
}

// finishOp ends one job.
type finishOp struct{ item *store.Finish }

func (o *finishOp) id() job.ID { return o.item.Token.ID }

func (o *finishOp) add(tx *store.HotTx) {
	o.item.Done = false
	tx.Finishes = append(tx.Finishes, o.item)
}

// settle reads the receipt: the history row written under this very version and claim.
func (o *finishOp) settle(ctx context.Context, s *store.Store) error {
	ended, err := s.EndedJobs(ctx, []job.ID{o.item.Token.ID})
	if err != nil {
		return fmt.Errorf("settle finish: %w", err)
	}
	row, ok := ended[o.item.Token.ID]
	if !ok {
		return fmt.Errorf("settle finish: the job has not ended: %w", store.ErrUnavailable)
	}
	o.item.Done = row.Version == o.item.Token.Version+1 && row.State == o.item.State &&
		(o.item.From != job.Running || row.ClaimID == o.item.Token.ClaimID)
	return nil
}

// returnOp gives one job back. Priority and size are what its next entry in the wheel needs.
type returnOp struct {
	item     *store.Return
	priority int16
	size     int
}

// entry is the row after the return, for a hint.
func (o *returnOp) entry() wheel.Entry {
	return wheel.Entry{ID: o.item.Token.ID, Version: o.item.Version, DueAt: o.item.Due.UnixMicro(), Lane: o.item.Token.Lane,
		Priority: uint8(o.priority), Size: uint32(o.size)}
}

func (o *returnOp) id() job.ID { return o.item.Token.ID }

func (o *returnOp) add(tx *store.HotTx) {
	o.item.Done = false
	tx.Returns = append(tx.Returns, o.item)
}

func (o *returnOp) settle(ctx context.Context, s *store.Store) error {
	receipts, err := s.Receipts(ctx, []job.Token{o.item.Token})
	if err != nil {
		return fmt.Errorf("settle return: %w", err)
	}
	r, ok := receipts[o.item.Token.ID]
	if !ok {
		return fmt.Errorf("settle return: the attempt has not ended: %w", store.ErrUnavailable)
	}
	o.item.Done, o.item.Due, o.item.Version = true, r.Due, o.item.Token.Version+1
	return nil
}
