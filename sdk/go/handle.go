package belfry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

const (
	// maxErrorText is how much of an error the server keeps, in bytes.
	maxErrorText = 8 << 10
	// maxSnooze and maxRetryAfter are the server's limits; more is cut to them.
	maxSnooze     = 30 * 24 * time.Hour
	maxRetryAfter = 3650 * 24 * time.Hour
)

// open registers a lease that was just received. Its context ends by the
// monotonic clock of this machine when the attempt times out, so that a wrong
// wall clock does no harm.
func (s *shift) open(base context.Context, message *v1.LeasedJob, received time.Time) *lease {
	l := &lease{job: leasedJobFromProto(message), token: message.GetLeaseToken()}
	l.ctx, l.end = context.WithCancelCause(base)
	l.stop = func() {}
	if message.GetAttemptRemaining() != nil {
		l.ctx, l.stop = context.WithTimeoutCause(l.ctx, message.GetAttemptRemaining().AsDuration(), ErrAttemptTimeout)
	}
	s.leases.add(l, received, message.GetLeaseRemaining().AsDuration())
	return l
}

// handle runs one attempt and reports its end.
func (s *shift) handle(l *lease) {
	handler, ok := s.handlers[l.job.Type]
	if !ok {
		handler = s.other
	}
	err := errGoexit
	// Deferred, so that a handler that ends its goroutine is reported too.
	defer func() { s.close(l, err) }()
	err = handler(l.ctx, l.job)
}

// close ends a lease by what its handler returned.
func (s *shift) close(l *lease, err error) {
	cause := context.Cause(l.ctx)
	l.end(nil)
	l.stop()
	lost := s.leases.returned(l)
	s.slots.ended()
	switch {
	case lost:
		s.log.Debug("lease lost; result dropped", "job_id", l.job.JobID, "attempt", l.job.Attempt)
		s.leases.close(l)
	case err == nil:
		s.reports.complete.submit(l, &v1.CompleteItem{LeaseToken: l.token, Result: l.job.result})
	default:
		s.closeUnfinished(l, err, cause)
	}
}

func (s *shift) closeUnfinished(l *lease, err, cause error) {
	var snooze *snoozeError
	if errors.As(err, &snooze) {
		s.release(l, snooze.delay, "")
		return
	}
	var permanent *permanentError
	isPermanent := errors.As(err, &permanent)
	if errors.Is(cause, ErrShutdown) && !isPermanent {
		s.release(l, 0, "worker is shutting down")
		return
	}
	var panicked *panicError
	if errors.As(err, &panicked) {
		s.log.Error("handler panicked", "job_id", l.job.JobID, "job_type", l.job.Type, "attempt", l.job.Attempt, "error", errorText(err))
	} else {
		s.log.Debug("attempt failed", "job_id", l.job.JobID, "job_type", l.job.Type, "attempt", l.job.Attempt, "error", errorText(err))
	}
	item := &v1.FailItem{LeaseToken: l.token, Error: errorText(err), Permanent: isPermanent}
	var retryAfter *retryAfterError
	if errors.As(err, &retryAfter) {
		item.RetryAfter = durationpb.New(min(max(retryAfter.after, 0), maxRetryAfter))
	}
	s.reports.fail.submit(l, item)
}

func (s *shift) release(l *lease, delay time.Duration, reason string) {
	item := &v1.ReleaseItem{LeaseToken: l.token, Reason: reason}
	if delay > 0 {
		item.Delay = durationpb.New(min(delay, maxSnooze))
	}
	s.reports.release.submit(l, item)
}

// errorText is err as the server keeps it. What is no UTF-8 could not be sent
// at all.
func errorText(err error) (text string) {
	defer func() {
		// A nil pointer in an error interface is a common slip, and its Error
		// method runs outside of what recovers panics of the handler.
		if value := recover(); value != nil {
			text = fmt.Sprintf("%T, whose Error method panics", err)
		}
	}()
	text = truncate(err.Error(), maxErrorText)
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	return truncate(text, maxErrorText)
}

// truncate cuts text to at most limit bytes, at a character.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
