package api

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/tenancy"
)

// LeaseJobs implements belfryv1connect.WorkerServiceHandler.
func (s *WorkerService) LeaseJobs(ctx context.Context, req *belfryv1.LeaseJobsRequest) (*belfryv1.LeaseJobsResponse, error) {
	w, err := s.whose(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	call, err := s.leaseCall(ctx, w, req)
	if err != nil {
		return nil, err
	}
	leased, err := s.await(ctx, call, func() { s.Workers.Asked(w.name, call.Worker, req.GetQueues(), call.Types) })
	if err != nil {
		return nil, err
	}
	jobs := s.hand(ctx, leased)
	if err := ctx.Err(); err != nil {
		s.giveBack(ctx, leased, "the worker was gone before the lease reached it")
		return nil, err
	}
	if len(jobs) > 0 {
		s.Workers.Leased(w.name, call.Worker, len(jobs))
	}
	return &belfryv1.LeaseJobsResponse{Jobs: jobs}, nil
}

func (s *WorkerService) leaseCall(ctx context.Context, w whose, req *belfryv1.LeaseJobsRequest) (dispatch.LeaseCall, error) {
	call := dispatch.LeaseCall{
		Types: req.GetJobTypes(), Max: max(1, int(req.GetMaxJobs())), MaxBytes: req.GetMaxBytes(),
		Wait: spanFrom(req.GetWait()), Lease: spanFrom(req.GetLeaseDuration()), Worker: req.GetWorkerId(),
	}
	if !w.all() {
		call.Tenants = []int32{w.id}
	}
	if call.MaxBytes == 0 {
		call.MaxBytes = defaultLeaseBytes
	}
	if call.Lease == 0 {
		call.Lease = defaultLease
	}
	var err error
	call.Queues, err = s.queueIDs(ctx, w, req.GetQueues())
	return call, err
}

// await waits for work in slices, and looks at the caller's key between them: nobody is handed a job by a key that was
// revoked while the call was waiting. asked is called at the begin of each slice.
func (s *WorkerService) await(ctx context.Context, call dispatch.LeaseCall, asked func()) ([]dispatch.Leased, error) {
	p, _ := tenancy.FromContext(ctx)
	for left := call.Wait; ; {
		asked()
		call.Wait = min(left, leaseSlice)
		leased, err := s.Engine.Lease(ctx, call)
		if err != nil || len(leased) > 0 {
			return leased, err
		}
		if left -= call.Wait; left <= 0 {
			return nil, nil
		}
		if err := s.StillValid(ctx, p); err != nil {
			return nil, err
		}
	}
}

// hand shows leased jobs to their worker. A job that cannot be shown must not keep the others from it: it fails for good,
// since no attempt can do better.
func (s *WorkerService) hand(ctx context.Context, leased []dispatch.Leased) []*belfryv1.LeasedJob {
	out := make([]*belfryv1.LeasedJob, 0, len(leased))
	var retried []job.ID
	shown := map[job.ID]*belfryv1.Job{}
	for i := range leased {
		l := &leased[i]
		one, err := s.handOne(ctx, l)
		if err != nil {
			s.refuse(ctx, l, err)
			continue
		}
		out = append(out, one)
		if l.Row.Leases > 1 {
			retried = append(retried, l.Row.ID)
			shown[l.Row.ID] = one.Job
		}
	}
	// Without its past a job can be worked on as well, and it is leased already.
	_ = s.reader.addPast(ctx, retried, shown, belfryv1.JobView_JOB_VIEW_FULL)
	return out
}

func (s *WorkerService) handOne(ctx context.Context, l *dispatch.Leased) (*belfryv1.LeasedJob, error) {
	lane := l.Lane
	if lane.Queue == nil {
		var err error
		if lane, err = s.Names.Lane(ctx, l.Row.Lane); err != nil {
			return nil, fmt.Errorf("name lane %d: %w", l.Row.Lane, err)
		}
	}
	body, err := job.UnmarshalBody(l.Row.Body)
	if err != nil {
		return nil, err
	}
	shown := liveProto(&l.Row, lane, body)
	if err := addContent(shown, body); err != nil {
		return nil, err
	}
	return &belfryv1.LeasedJob{
		Job:              shown,
		LeaseToken:       l.Row.Token().String(),
		FencingToken:     l.Row.Version,
		Attempt:          int32(l.Row.Attempt),
		LeaseExpireTime:  instantProto(l.Row.LeaseUntil),
		LeaseRemaining:   durationpb.New(l.LeaseLeft),
		AttemptRemaining: durationpb.New(l.AttemptLeft),
	}, nil
}

// refuse ends a lease whose job cannot be handed out: for good if its stored form is damaged, else for another try.
func (s *WorkerService) refuse(ctx context.Context, l *dispatch.Leased, cause error) {
	told := s.Errors.Item(ctx, fmt.Errorf("hand out %s: %w", l.Row.ID, cause))
	failure := dispatch.Failure{Token: l.Row.Token(), Outcome: job.OutcomeReleased, Error: told.GetMessage()}
	if isDamage(cause) {
		failure.Outcome, failure.Final = job.OutcomeFailed, true
	}
	s.Engine.Fail(context.WithoutCancel(ctx), []dispatch.Failure{failure})
}

// giveBack releases what was leased for a caller that is gone, so that others need not wait for the leases to expire.
func (s *WorkerService) giveBack(ctx context.Context, leased []dispatch.Leased, reason string) {
	if len(leased) == 0 {
		return
	}
	back := make([]dispatch.Failure, len(leased))
	for i := range leased {
		back[i] = dispatch.Failure{Token: leased[i].Row.Token(), Outcome: job.OutcomeReleased, Error: reason}
	}
	s.Engine.Fail(context.WithoutCancel(ctx), back)
}
