package belfry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
)

// shift is one Run of a worker: poll hands jobs to handler goroutines, which
// end by submitting a report; leases are extended meanwhile by one loop.
type shift struct {
	config   WorkerConfig
	tenantID string
	jobTypes []string
	handlers map[string]Handler
	other    Handler
	calls    belfryv1connect.WorkerServiceClient
	clock    clock.Clock
	log      *slog.Logger

	slots   *slots
	leases  *leases
	reports *reports
	// handling counts handler goroutines.
	handling sync.WaitGroup
	// contacted is set once a poll has succeeded.
	contacted atomic.Bool
	// pollFailures and pollsInVain count, in a row, polls that failed and polls
	// that were answered empty at once.
	pollFailures atomic.Int32
	pollsInVain  atomic.Int32
}

func newShift(w *Worker) *shift {
	s := &shift{
		config:   w.config,
		tenantID: w.client.tenantID,
		jobTypes: w.jobTypes(),
		handlers: map[string]Handler{},
		other:    w.wrapped(""),
		calls:    w.client.leasing,
		clock:    w.client.clock,
		log:      w.config.Logger.With("worker_id", w.config.WorkerID),
		slots:    newSlots(w.config.Concurrency),
	}
	for jobType := range w.handlers {
		s.handlers[jobType] = w.wrapped(jobType)
	}
	s.leases = newLeases(s)
	s.reports = newReports(s)
	return s
}

func (s *shift) run(ctx context.Context) error {
	// Jobs end with their leases, not with ctx; what extends and ends leases
	// outlives ctx by the grace period.
	base := context.WithoutCancel(ctx)
	serving, stopServing := context.WithCancel(base)
	defer stopServing()
	polling, stopPolling := context.WithCancelCause(ctx)
	defer stopPolling(nil)
	s.reports.begin(serving)

	var background sync.WaitGroup
	background.Go(func() { s.leases.run(serving) })
	s.poll(polling, base, stopPolling)

	fatal := context.Cause(polling)
	if ctx.Err() != nil {
		fatal = nil
	}
	err := s.drain()
	stopServing()
	background.Wait()
	return errors.Join(fatal, err)
}

// drain waits until every lease has ended, up to the grace period.
func (s *shift) drain() error {
	lead := s.clock.NewTimer(s.config.GracePeriod - s.config.StopLead)
	defer lead.Stop()
	limit := s.clock.NewTimer(s.config.GracePeriod)
	defer limit.Stop()
	idle := s.leases.idle()
	for {
		select {
		case <-idle:
			s.handling.Wait()
			return nil
		case <-lead.C():
			s.leases.endContexts(ErrShutdown)
		case <-limit.C():
			return s.leases.abandon()
		}
	}
}

// DrainError says which jobs a worker left behind when its grace period was
// over. Their leases expire, and the jobs are run again.
type DrainError struct {
	// Abandoned are ids of jobs whose handlers had not returned. They may still
	// be running; nothing they do is reported.
	Abandoned []string
	// Unreported are ids of jobs whose handlers had returned, but whose end the
	// server has not acknowledged.
	Unreported []string
}

func (e *DrainError) Error() string {
	var parts []string
	if len(e.Abandoned) > 0 {
		parts = append(parts, fmt.Sprintf("abandoned %d running jobs (%s)", len(e.Abandoned), strings.Join(e.Abandoned, ", ")))
	}
	if len(e.Unreported) > 0 {
		parts = append(parts, fmt.Sprintf("could not report the end of %d jobs (%s)", len(e.Unreported), strings.Join(e.Unreported, ", ")))
	}
	return "worker grace period is over: " + strings.Join(parts, "; ")
}

// lease is one job in hand. The fields below mu are guarded by leases.mu.
type lease struct {
	job   *LeasedJob
	token string
	ctx   context.Context
	// end ends ctx with a cause.
	end context.CancelCauseFunc
	// stop releases the timer of the attempt's time-out.
	stop context.CancelFunc

	// beatDue is when the next heartbeat is due.
	beatDue time.Time
	// beating means that a heartbeat is on its way.
	beating bool
	// lost leases are no longer extended.
	lost bool
	// returned means that the handler has.
	returned bool
	// closed leases are no longer among the open ones.
	closed bool
}
