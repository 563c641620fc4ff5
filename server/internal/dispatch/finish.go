package dispatch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Completion is one attempt that succeeded.
type Completion struct {
	Token  job.Token
	Result job.Payload
}

// Failure is one attempt that did not: FAILED, or RELEASED to be tried again uncounted.
type Failure struct {
	Token   job.Token
	Outcome job.Outcome   // OutcomeFailed or OutcomeReleased
	Error   string        // stored after job.TrimError
	Final   bool          // do not retry
	After   time.Duration // asked for: retry-after, or the delay of a release
}

// Result is what became of one attempt. Err is nil, a job.Error, or a fault.
type Result struct {
	ID    job.ID
	State job.State
	Due   time.Time
	Err   error
}

// Complete ends attempts with success. Results are in the order of the items.
func (d *Dispatcher) Complete(ctx context.Context, items []Completion) []Result {
	results := make([]Result, len(items))
	var ops []op
	var at []int
	for i, it := range items {
		results[i] = Result{ID: it.Token.ID, State: job.Succeeded}
		lane, err := d.lane(ctx, it.Token)
		if err != nil {
			results[i].Err = err
			continue
		}
		ops = append(ops, &finishOp{finishOf(it.Token, lane, ending{state: job.Succeeded, outcome: job.OutcomeSucceeded,
			reported: job.OutcomeSucceeded, result: job.MarshalPayload(it.Result)})})
		at = append(at, i)
	}
	errs := d.hot.do(ctx, ops)
	var missed []int
	for k, i := range at {
		f := ops[k].(*finishOp).item
		switch {
		case errs[k] != nil:
			results[i].Err = fault(errs[k])
		case f.Done:
			d.ended(f.Token, f.Outcome)
		default:
			missed = append(missed, i)
		}
	}
	d.receipts(ctx, results, missed, func(i int) (job.Token, job.Outcome) { return items[i].Token, job.OutcomeSucceeded })
	return results
}

// ending is how a job ends.
type ending struct {
	state    job.State
	outcome  job.Outcome
	reported job.Outcome // by the call that ends it
	reason   string
	text     string
	result   []byte
	expired  bool
	counted  bool
}

func finishOf(tok job.Token, lane catalog.Lane, e ending) *store.Finish {
	days, slim := lane.Queue.Settings.Keep(e.state)
	return &store.Finish{
		Token: tok, Tenant: lane.Queue.Tenant, From: job.Running, OnlyExpired: e.expired, State: e.state,
		Outcome: e.outcome, Reason: e.reason, Error: e.text, Result: e.result, Retention: days, Slim: slim,
		Reported: e.reported, Uncounted: e.reported == job.OutcomeReleased && !e.counted,
	}
}

// Fail ends attempts without success: each job is retried, or ended, as job.Decide says.
func (d *Dispatcher) Fail(ctx context.Context, items []Failure) []Result {
	results := make([]Result, len(items))
	todo := make([]int, 0, len(items))
	for i, it := range items {
		results[i] = Result{ID: it.Token.ID}
		if _, err := d.lane(ctx, it.Token); err != nil {
			results[i].Err = err
			continue
		}
		todo = append(todo, i)
	}
	// A cancel request may come between reading and writing: then the write finds its guard false and the decision is taken
	// again. Once asked, a cancel is never taken back, so the second round is the last.
	for range 2 {
		if todo = d.failRound(ctx, items, results, todo); len(todo) == 0 {
			break
		}
	}
	d.receipts(ctx, results, todo, func(i int) (job.Token, job.Outcome) { return items[i].Token, items[i].Outcome })
	return results
}

// failRound reads, decides and writes once; it answers the items whose row was not in the expected state.
func (d *Dispatcher) failRound(ctx context.Context, items []Failure, results []Result, todo []int) (missed []int) {
	ids := make([]job.ID, len(todo))
	for k, i := range todo {
		ids[k] = items[i].Token.ID
	}
	rows, err := d.store.LiveJobs(ctx, ids)
	if err != nil {
		for _, i := range todo {
			results[i].Err = fault(err)
		}
		return nil
	}
	var ops []op
	var at []int
	for _, i := range todo {
		it := items[i]
		row, ok := rows[it.Token.ID]
		if !ok || row.State != job.Running || row.Version != it.Token.Version || row.ClaimID != it.Token.ClaimID {
			missed = append(missed, i)
			continue
		}
		o, err := d.endingOp(ctx, row, it, false)
		if err != nil {
			results[i].Err = err
			continue
		}
		ops, at = append(ops, o), append(at, i)
	}
	errs := d.hot.do(ctx, ops)
	for k, i := range at {
		if errs[k] != nil {
			results[i].Err = fault(errs[k])
			continue
		}
		if !d.tookEffect(ops[k], &results[i]) {
			missed = append(missed, i)
		}
	}
	return missed
}

// endingOp decides what follows the end of an attempt and builds the operation that writes it.
func (d *Dispatcher) endingOp(ctx context.Context, row store.Live, f Failure, expired bool) (op, error) {
	lane, err := d.catalog.Lane(ctx, row.Lane)
	if err != nil {
		return nil, fmt.Errorf("name the lane of %s: %w", row.ID, err)
	}
	body, err := job.UnmarshalBody(row.Body)
	if err != nil {
		// The job cannot be run again, so it ends; the body stays in its dead letter for inspection.
		f.Final, f.Error = true, err.Error()
	}
	verdict := job.Decide(job.Live{
		Attempt: int32(row.Attempt), Releases: row.Releases, CancelAsked: row.CancelAsked, Now: row.Now, AgeUntil: row.AgeUntil,
		Retry: lane.Queue.Settings.RetryInForce(body.Retry), MaxReleases: body.Releases(),
	}, job.Ending{Outcome: f.Outcome, Permanent: f.Final, RetryAfter: f.After, Jitter: rand.Float64()})
	tok := row.Token()
	text := job.TrimError(f.Error)
	if verdict.Next != job.Pending {
		outcome := f.Outcome
		if verdict.Next == job.Cancelled {
			outcome = job.OutcomeCancelled
		}
		return &finishOp{finishOf(tok, lane, ending{state: verdict.Next, outcome: outcome, reported: f.Outcome, reason: verdict.Reason,
			text: text, expired: expired, counted: verdict.Counted})}, nil
	}
	return &returnOp{item: &store.Return{Token: tok, OnlyExpired: expired, Outcome: f.Outcome, Error: text, Wait: verdict.Wait,
		Uncounted: !verdict.Counted, Lost: expired}, priority: row.Priority, size: len(row.Body)}, nil
}

// tookEffect records a written end in memory and in the result.
func (d *Dispatcher) tookEffect(o op, result *Result) bool {
	switch o := o.(type) {
	case *finishOp:
		result.State = o.item.State
		if o.item.Done {
			d.ended(o.item.Token, o.item.Outcome)
		}
		return o.item.Done
	case *returnOp:
		result.State, result.Due = job.Pending, o.item.Due
		if o.item.Done {
			d.ended(o.item.Token, o.item.Outcome)
			d.hints.Offer([]wheel.Entry{o.entry()})
		}
		return o.item.Done
	}
	return false
}

// receipts answers items whose lease was not running any more: OK if this very token ended the attempt in this very way
// before, LEASE_LOST if something else did, NOT_FOUND if there is no trace of the job.
func (d *Dispatcher) receipts(ctx context.Context, results []Result, missed []int, of func(int) (job.Token, job.Outcome)) {
	if len(missed) == 0 {
		return
	}
	tokens := make([]job.Token, len(missed))
	ids := make([]job.ID, len(missed))
	for k, i := range missed {
		tokens[k], _ = of(i)
		ids[k] = tokens[k].ID
	}
	live, err := d.store.LiveJobs(ctx, ids)
	var receipts map[job.ID]store.Receipt
	var ended map[job.ID]store.Ended
	if err == nil {
		receipts, err = d.store.Receipts(ctx, tokens)
	}
	if err == nil {
		ended, err = d.store.EndedJobs(ctx, ids)
	}
	for k, i := range missed {
		if err != nil {
			results[i].Err = fault(err)
			continue
		}
		_, outcome := of(i)
		results[i] = settled(tokens[k], outcome, live, receipts, ended)
	}
}

func settled(tok job.Token, outcome job.Outcome, live map[job.ID]store.Live, receipts map[job.ID]store.Receipt, ended map[job.ID]store.Ended) Result {
	r := Result{ID: tok.ID}
	if e, ok := ended[tok.ID]; ok && e.Lane == tok.Lane {
		r.State = e.State
		if e.Version == tok.Version+1 && e.ClaimID == tok.ClaimID && e.Reported == outcome {
			return r
		}
		for _, c := range e.Claims {
			if c.ClaimID == tok.ClaimID && c.Outcome == outcome {
				r.State, r.Due = job.Pending, c.Due
				return r
			}
		}
		r.Err = job.LeaseLost()
		return r
	}
	if rec, ok := receipts[tok.ID]; ok && rec.Outcome == outcome {
		r.State, r.Due = job.Pending, rec.Due
		return r
	}
	if l, ok := live[tok.ID]; ok && l.Lane == tok.Lane {
		r.State, r.Err = l.State, job.LeaseLost()
		return r
	}
	r.Err = job.NotFound(job.SubjectJob, tok.ID.String(), "")
	return r
}

// fault turns what the store says into what a caller is told.
func fault(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, store.ErrUnavailable) &&
		!errors.Is(err, store.ErrUnknown):
		return err
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrUnknown), store.IsContention(err):
		return job.Unavailable(err)
	}
	return err
}
