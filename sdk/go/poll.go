package belfry

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/internal/clock"
)

const (
	// maxPollBackoff bounds the wait between polls that fail: new work flows
	// within seconds of a server's return.
	maxPollBackoff = 5 * time.Second
	// soonEmpty is how quickly an empty answer must come to be taken as "go
	// away" (a server that drains, or ignores the wait) and not as "no work".
	soonEmpty = 100 * time.Millisecond
)

// poll asks for jobs whenever slots are free, until ctx ends; then it waits for
// the calls that are out. A failure that no retry can mend, on first contact,
// ends it through stop.
func (s *shift) poll(ctx, base context.Context, stop context.CancelCauseFunc) {
	var calls sync.WaitGroup
	defer calls.Wait()
	for ctx.Err() == nil {
		// Handlers that were started together often end together: let those that
		// can run do so first, and ask once for all their slots.
		runtime.Gosched()
		credit := s.slots.take()
		if credit > 0 {
			calls.Go(func() { s.lease(ctx, base, credit, stop) })
			continue
		}
		select {
		case <-ctx.Done():
		case <-s.slots.changed:
		}
	}
}

// lease makes one LeaseJobs call and starts what it brings.
func (s *shift) lease(ctx, base context.Context, credit int, stop context.CancelCauseFunc) {
	sent := s.clock.Now()
	response, err := s.calls.LeaseJobs(ctx, &v1.LeaseJobsRequest{
		TenantId:      s.tenantID,
		Queues:        s.config.Queues,
		JobTypes:      s.jobTypes,
		MaxJobs:       int32(credit),
		MaxBytes:      s.config.MaxBytes,
		Wait:          durationpb.New(s.config.PollWait),
		LeaseDuration: durationpb.New(s.config.LeaseDuration),
		WorkerId:      s.config.WorkerID,
	})
	received := s.clock.Now()
	if err != nil {
		s.pollFailed(ctx, errorOf(err), stop)
		s.slots.settle(credit, 0)
		return
	}
	s.contacted.Store(true)
	jobs := response.GetJobs()
	if len(jobs) > 0 || s.config.PollWait < soonEmpty || received.Sub(sent) >= soonEmpty {
		if s.pollFailures.Swap(0) > 0 {
			s.log.Info("leasing again")
		}
		s.pollsInVain.Store(0)
	} else {
		_ = clock.Sleep(ctx, s.clock, backoff(int(s.pollsInVain.Add(1)), maxPollBackoff))
	}
	s.slots.settle(credit, len(jobs))
	for _, job := range jobs {
		l := s.open(base, job, received)
		if ctx.Err() != nil {
			// The answer crossed the shutdown: give the job to someone else.
			l.end(ErrShutdown)
			s.close(l, ErrShutdown)
			continue
		}
		s.handling.Go(func() { s.handle(l) })
	}
}

// pollFailed waits before the slots are offered again.
func (s *shift) pollFailed(ctx context.Context, err *Error, stop context.CancelCauseFunc) {
	if ctx.Err() != nil {
		return
	}
	failures := int(s.pollFailures.Add(1))
	switch err.Code {
	case CodeUnauthenticated, CodePermissionDenied, CodeInvalidArgument, CodeUnimplemented:
		if !s.contacted.Load() {
			stop(fmt.Errorf("lease jobs: %w", err))
			return
		}
		s.log.Error("leasing refused; will retry", "error", err)
	default:
		if failures == 1 {
			s.log.Warn("leasing failed; will retry", "error", err)
		} else {
			s.log.Debug("leasing failed; will retry", "error", err, "failures", failures)
		}
	}
	wait := max(backoff(failures, maxPollBackoff), min(err.RetryAfter, time.Minute))
	_ = clock.Sleep(ctx, s.clock, wait)
}
