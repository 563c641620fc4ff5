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
	// pollLinger is how long a worker that stops waits for the answers to its
	// polls before it hangs up. Under load they come by then, and their jobs are
	// given back uncounted; an answer that crosses the hang-up would leave its
	// jobs to expire, at the cost of an attempt.
	pollLinger = 200 * time.Millisecond
)

// poll asks for jobs whenever slots are free, until ctx ends; then it waits for
// the calls that are out. A failure that no retry can mend, on first contact,
// ends it through stop. Jobs get the values of base.
func (s *shift) poll(ctx, base context.Context, stop context.CancelCauseFunc) {
	answering, hangUp := context.WithCancel(base)
	defer hangUp()
	var calls sync.WaitGroup
	for ctx.Err() == nil {
		// Handlers that were started together often end together: let those that
		// can run do so first, and ask once for all their slots.
		runtime.Gosched()
		credit := s.slots.take()
		if credit == 0 {
			select {
			case <-ctx.Done():
			case <-s.slots.changed:
			}
			continue
		}
		calls.Go(func() {
			response, err := s.lease(answering, credit)
			if err != nil {
				s.pollFailed(ctx, errorOf(err), stop)
			} else {
				s.pollAnswered(ctx, response)
			}
			s.slots.settle(credit, len(response.jobs))
			for _, job := range response.jobs {
				s.begin(ctx, s.open(base, job, response.received))
			}
		})
	}
	linger, cancel := context.WithTimeout(base, pollLinger)
	defer cancel()
	defer context.AfterFunc(linger, hangUp)()
	calls.Wait()
}

// answer is what a poll brought, and when it was sent and received.
type answer struct {
	jobs           []*v1.LeasedJob
	sent, received time.Time
}

// lease makes one LeaseJobs call.
func (s *shift) lease(ctx context.Context, credit int) (answer, error) {
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
	return answer{response.GetJobs(), sent, s.clock.Now()}, err
}

// begin starts the handler of a lease, or gives the job back if the answer
// crossed the shutdown.
func (s *shift) begin(ctx context.Context, l *lease) {
	if ctx.Err() != nil {
		l.end(ErrShutdown)
		s.close(l, ErrShutdown)
		return
	}
	s.handling.Go(func() { s.handle(l) })
}

// pollAnswered notes a success, and waits if the answer was empty at once.
func (s *shift) pollAnswered(ctx context.Context, a answer) {
	s.contacted.Store(true)
	if s.pollFailures.Swap(0) > 0 {
		s.log.Info("leasing again")
	}
	if len(a.jobs) > 0 || s.config.PollWait < soonEmpty || a.received.Sub(a.sent) >= soonEmpty {
		s.pollsInVain.Store(0)
		return
	}
	_ = clock.Sleep(ctx, s.clock, backoff(int(s.pollsInVain.Add(1)), maxPollBackoff))
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
