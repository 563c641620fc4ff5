package belfry

import (
	"context"
	"math/rand/v2"
	"time"

	"connectrpc.com/connect"
)

// Retries says how calls that are safe to repeat are repeated: reads, calls
// whose repetition changes nothing, and creates (which carry a request id).
// Repeated are calls that got no answer, that the server could not serve
// (UNAVAILABLE, or an HTTP error that is not Belfry's), and those it asks to
// repeat later (RESOURCE_EXHAUSTED with a time). All attempts of a call are the
// same request, with the same request id.
//
// The call's context bounds everything: a wait that would outlast its deadline
// is not begun, and the latest error is returned instead.
type Retries struct {
	// Delays are the waits between attempts, in order; the last one repeats if
	// MaxAttempts allows more. Default: 50 ms, doubled up to 3.2 s (seven waits).
	Delays []time.Duration
	// MaxAttempts bounds the attempts of one call, the first included; 1 means
	// no retries. Default: one more than there are Delays.
	MaxAttempts int
	// MaxElapsed is how long after the start of a call its last attempt may
	// begin. Default 2 min.
	MaxElapsed time.Duration
	// Jitter is the share by which each delay is moved at random to either
	// side, 0–1. Default 0.1; negative means none.
	Jitter float64
}

func (r Retries) withDefaults() Retries {
	if len(r.Delays) == 0 {
		for delay := 50 * time.Millisecond; delay <= 3200*time.Millisecond; delay *= 2 {
			r.Delays = append(r.Delays, delay)
		}
	}
	if r.MaxAttempts <= 0 {
		r.MaxAttempts = len(r.Delays) + 1
	}
	if r.MaxElapsed <= 0 {
		r.MaxElapsed = 2 * time.Minute
	}
	if r.Jitter == 0 {
		r.Jitter = 0.1
	}
	r.Jitter = min(max(r.Jitter, 0), 1)
	return r
}

// wait returns how long to wait after so many attempts, and whether another
// one is allowed at all. What the server asks for is a lower bound.
func (r Retries) wait(attempts int, elapsed, asked time.Duration) (time.Duration, bool) {
	if attempts >= r.MaxAttempts {
		return 0, false
	}
	delay := r.Delays[min(attempts, len(r.Delays))-1]
	delay = max(jittered(delay, r.Jitter), asked)
	return delay, elapsed+delay <= r.MaxElapsed
}

// jittered moves d by up to the given share to either side.
func jittered(d time.Duration, share float64) time.Duration {
	return time.Duration(float64(d) * (1 + share*(2*rand.Float64()-1)))
}

// backoff returns the wait after so many failures in a row (from 1) of a loop
// that never gives up: 200 ms doubled up to limit, spread over half to one and
// a half of that, so that workers that lost the same server do not come back
// together. The result never exceeds limit.
func backoff(failures int, limit time.Duration) time.Duration {
	d := limit
	if failures < 16 {
		d = min(d, 200*time.Millisecond<<(failures-1))
	}
	return min(jittered(d, 0.5), limit)
}

// transient reports whether repeating a call that failed with e may help. ctx
// is the caller's.
func transient(ctx context.Context, e *Error) bool {
	if ctx.Err() != nil {
		return false
	}
	switch e.Code {
	case CodeUnavailable, CodeDeadlineExceeded:
		return true
	case CodeResourceExhausted:
		return e.RetryAfter > 0
	case CodeUnknown:
		// A plain HTTP 500 of a proxy, or an answer that broke off.
		return e.Reason == ""
	case CodeInternal:
		// Belfry's own INTERNAL has a reason; one without comes from something
		// in between. Not from the wire means that the request cannot be encoded.
		return e.Reason == "" && connect.IsWireError(e.cause)
	case CodeCanceled:
		// Not by the caller: the stream was reset under the call.
		return true
	default:
		return false
	}
}
