package belfry

import (
	"errors"
	"fmt"
	"time"
)

// Why the context of a handler has ended; context.Cause gives an error that
// matches one of them by errors.Is.
var (
	// ErrLeaseLost: the server has given the job up or to another worker. Stop;
	// whatever the handler returns is not reported.
	ErrLeaseLost = errors.New("lease lost")
	// ErrAttemptTimeout: the job's attempt_timeout has passed, by this machine's
	// monotonic clock.
	ErrAttemptTimeout = errors.New("attempt timed out")
	// ErrCancelRequested: a caller cancels the job. End soon; the lease is
	// revoked 30 seconds after the request. See CancelRequestedError.
	ErrCancelRequested = errors.New("cancel requested")
	// ErrShutdown: the worker shuts down and its grace period is nearly over. If
	// the handler now returns an error, the job is given back uncounted.
	ErrShutdown = errors.New("worker is shutting down")
)

// CancelRequestedError is the cause of a handler's context after a caller asked
// to cancel the job. It matches ErrCancelRequested.
type CancelRequestedError struct {
	// Reason is what the caller said; may be empty.
	Reason string
}

func (e *CancelRequestedError) Error() string {
	if e.Reason == "" {
		return ErrCancelRequested.Error()
	}
	return ErrCancelRequested.Error() + ": " + e.Reason
}

// Is reports whether target is ErrCancelRequested.
func (e *CancelRequestedError) Is(target error) bool { return target == ErrCancelRequested }

// Permanent marks a failure that no retry can mend: the job is dead at once,
// with reason PERMANENT. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

// RetryAfter marks a failure that must not be retried before d has passed; the
// server honours it up to the policy's MaxBackoff. RetryAfter(nil, d) is nil.
func RetryAfter(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &retryAfterError{err, d}
}

type retryAfterError struct {
	err   error
	after time.Duration
}

func (e *retryAfterError) Error() string { return e.err.Error() }
func (e *retryAfterError) Unwrap() error { return e.err }

// Snooze gives the job back, uncounted, to be due again after d (up to 30 days;
// 0 lets the server choose a wait that grows with each release). How often that
// may happen is bounded by the job's MaxReleases and MaxAge. Return it from a
// handler.
func Snooze(d time.Duration) error { return &snoozeError{d} }

type snoozeError struct{ delay time.Duration }

func (e *snoozeError) Error() string { return fmt.Sprintf("snoozed for %v", e.delay) }

// errGoexit is what a handler "returned" that ended its goroutine.
var errGoexit = errors.New("handler ended its goroutine (runtime.Goexit) instead of returning")
