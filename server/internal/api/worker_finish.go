package api

import (
	"context"
	"errors"

	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Heartbeat implements belfryv1connect.WorkerServiceHandler.
func (s *WorkerService) Heartbeat(ctx context.Context, req *belfryv1.HeartbeatRequest) (*belfryv1.HeartbeatResponse, error) {
	w, err := s.whose(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	results := make([]*belfryv1.HeartbeatResult, len(req.GetItems()))
	var beats []*store.Beat
	var at []int
	for i, item := range req.GetItems() {
		tok, err := s.leaseOf(ctx, w, item.GetLeaseToken())
		if err != nil {
			results[i] = &belfryv1.HeartbeatResult{Error: s.Errors.Item(ctx, err)}
			continue
		}
		beats, at = append(beats, &store.Beat{Token: tok, Lease: spanFrom(item.GetLeaseDuration())}), append(at, i)
	}
	held := 0
	if len(beats) > 0 {
		for k, err := range s.Engine.Heartbeat(ctx, beats) {
			if err != nil {
				results[at[k]] = &belfryv1.HeartbeatResult{Error: s.Errors.Item(ctx, err)}
				continue
			}
			held++
			results[at[k]] = &belfryv1.HeartbeatResult{LeaseRemaining: durationpb.New(beats[k].Remaining),
				CancelRequested: beats[k].CancelAsked, CancelReason: beats[k].CancelReason}
		}
	}
	s.Workers.Beaten(w.name, req.GetWorkerId(), held)
	return &belfryv1.HeartbeatResponse{Results: results}, nil
}

// CompleteJobs implements belfryv1connect.WorkerServiceHandler. A result that breaks a rule is the error of its item, and
// the lease stays: the worker can send another one.
func (s *WorkerService) CompleteJobs(ctx context.Context, req *belfryv1.CompleteJobsRequest) (*belfryv1.CompleteJobsResponse, error) {
	w, err := s.whose(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	f := newFinish(len(req.GetItems()))
	items := make([]dispatch.Completion, 0, len(req.GetItems()))
	for i, item := range req.GetItems() {
		tok, err := s.leaseOf(ctx, w, item.GetLeaseToken())
		if err == nil {
			err = checkResult(item.GetResult())
		}
		if err != nil {
			f.results[i] = s.refused(ctx, err)
			continue
		}
		items, f.at = append(items, dispatch.Completion{Token: tok, Result: payloadFrom(item.GetResult())}), append(f.at, i)
	}
	if len(items) > 0 {
		s.finished(ctx, f, s.Engine.Complete(ctx, items))
	}
	return &belfryv1.CompleteJobsResponse{Results: f.results}, nil
}

// FailJobs implements belfryv1connect.WorkerServiceHandler.
func (s *WorkerService) FailJobs(ctx context.Context, req *belfryv1.FailJobsRequest) (*belfryv1.FailJobsResponse, error) {
	f, err := s.fail(ctx, req.GetTenantId(), len(req.GetItems()), func(i int) (string, dispatch.Failure) {
		item := req.GetItems()[i]
		return item.GetLeaseToken(), dispatch.Failure{Outcome: job.OutcomeFailed, Error: item.GetError(),
			Final: item.GetPermanent(), After: spanFrom(item.GetRetryAfter())}
	})
	if err != nil {
		return nil, err
	}
	return &belfryv1.FailJobsResponse{Results: f.results}, nil
}

// ReleaseJobs implements belfryv1connect.WorkerServiceHandler.
func (s *WorkerService) ReleaseJobs(ctx context.Context, req *belfryv1.ReleaseJobsRequest) (*belfryv1.ReleaseJobsResponse, error) {
	f, err := s.fail(ctx, req.GetTenantId(), len(req.GetItems()), func(i int) (string, dispatch.Failure) {
		item := req.GetItems()[i]
		return item.GetLeaseToken(), dispatch.Failure{Outcome: job.OutcomeReleased, Error: item.GetReason(),
			After: spanFrom(item.GetDelay())}
	})
	if err != nil {
		return nil, err
	}
	return &belfryv1.ReleaseJobsResponse{Results: f.results}, nil
}

// fail ends attempts without success; of gives the token and the failure of the i-th of n items.
func (s *WorkerService) fail(ctx context.Context, tenant string, n int, of func(i int) (string, dispatch.Failure)) (*finish, error) {
	w, err := s.whose(ctx, tenant)
	if err != nil {
		return nil, err
	}
	f := newFinish(n)
	items := make([]dispatch.Failure, 0, n)
	for i := range n {
		text, item := of(i)
		if item.Token, err = s.leaseOf(ctx, w, text); err != nil {
			f.results[i] = s.refused(ctx, err)
			continue
		}
		items, f.at = append(items, item), append(f.at, i)
	}
	if len(items) > 0 {
		s.finished(ctx, f, s.Engine.Fail(ctx, items))
	}
	return f, nil
}

// finish is a batch of ends on its way: its results, and which of its items were handed to the engine.
type finish struct {
	results []*belfryv1.FinishResult
	at      []int
}

func newFinish(n int) *finish {
	return &finish{results: make([]*belfryv1.FinishResult, n), at: make([]int, 0, n)}
}

func (s *WorkerService) refused(ctx context.Context, err error) *belfryv1.FinishResult {
	return &belfryv1.FinishResult{Error: s.Errors.Item(ctx, err)}
}

// finished fills in what the engine answered. Of a job that was not found nothing is said.
func (s *WorkerService) finished(ctx context.Context, f *finish, answers []dispatch.Result) {
	for k, r := range answers {
		out := &belfryv1.FinishResult{}
		if r.Err != nil {
			out.Error = s.Errors.Item(ctx, r.Err)
		}
		if !errors.Is(r.Err, job.ErrNotFound) {
			out.JobId = r.ID.String()
		}
		if r.Err == nil || errors.Is(r.Err, job.ErrLeaseLost) { // else it is not known
			out.State, out.DueTime = stateProto(r.State), instantProto(r.Due)
		}
		f.results[f.at[k]] = out
	}
}

// checkResult judges the result of one completed attempt by the rules of payloads.
func checkResult(p *belfryv1.Payload) error {
	if p == nil {
		return nil
	}
	var w walker
	w.push(pathStep{field: "result"})
	w.payload(p)
	if len(w.found) > 0 {
		return job.InvalidFields(w.found)
	}
	return nil
}

// isDamage reports whether a job's stored form cannot be read.
func isDamage(err error) bool { return errors.Is(err, job.ErrBadBody) }
