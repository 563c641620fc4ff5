package job

import (
	"math"
	"time"
)

// RetryPolicy bounds what happens after a failed or timed-out attempt. Zero fields mean "not stated": Or fills them in
// from another policy. The zero value of Jitter cannot say "none", so presence is kept in JitterSet.
type RetryPolicy struct {
	MaxAttempts    int32           `json:"max_attempts,omitempty"`
	InitialBackoff time.Duration   `json:"initial_backoff,omitempty"`
	MaxBackoff     time.Duration   `json:"max_backoff,omitempty"`
	Multiplier     float64         `json:"multiplier,omitempty"`
	Jitter         float64         `json:"jitter,omitempty"`
	JitterSet      bool            `json:"jitter_set,omitempty"`
	Delays         []time.Duration `json:"delays,omitempty"`
}

// DefaultRetry is the policy of a job when neither it nor its queue says anything: 5 attempts, 10 s × 2ⁿ capped at 1 h,
// ±20 %.
func DefaultRetry() RetryPolicy {
	return RetryPolicy{
		MaxAttempts:    5,
		InitialBackoff: 10 * time.Second,
		MaxBackoff:     time.Hour,
		Multiplier:     2,
		Jitter:         0.2,
		JitterSet:      true,
	}
}

// Or returns p with what it does not state taken from q.
func (p RetryPolicy) Or(q RetryPolicy) RetryPolicy {
	if p.MaxAttempts == 0 {
		p.MaxAttempts = q.MaxAttempts
	}
	if len(p.Delays) == 0 && p.InitialBackoff == 0 && p.Multiplier == 0 {
		// A policy that states its own exponential rule is not overruled by a list of its queue.
		p.Delays = q.Delays
	}
	if p.InitialBackoff == 0 {
		p.InitialBackoff = q.InitialBackoff
	}
	if p.MaxBackoff == 0 {
		p.MaxBackoff = q.MaxBackoff
	}
	if p.Multiplier == 0 {
		p.Multiplier = q.Multiplier
	}
	if !p.JitterSet {
		p.Jitter, p.JitterSet = q.Jitter, q.JitterSet
	}
	return p
}

// IsZero reports whether p states nothing.
func (p RetryPolicy) IsZero() bool {
	return p.MaxAttempts == 0 && p.InitialBackoff == 0 && p.MaxBackoff == 0 && p.Multiplier == 0 && !p.JitterSet &&
		len(p.Delays) == 0
}

// Backoff returns the wait after the n-th failure, n from 1, with r a random number in [0, 1) that places the jitter. It
// is never negative and never overflows; the cap is applied before the jitter, so a wait may exceed MaxBackoff by it.
func (p RetryPolicy) Backoff(n int32, r float64) time.Duration {
	n = max(n, 1)
	var wait float64
	if len(p.Delays) > 0 {
		wait = float64(p.Delays[min(int(n), len(p.Delays))-1])
	} else {
		// In floating point, so that a large n saturates at the cap instead of wrapping.
		wait = min(float64(p.InitialBackoff)*math.Pow(max(p.Multiplier, 1), float64(n-1)), float64(p.MaxBackoff))
	}
	wait *= 1 + p.Jitter*(2*r-1)
	return time.Duration(max(wait, 0))
}

// RetryAfter returns how long to wait when the worker asked for at least asked: its wish up to the cap, or the policy's
// own wait if that is longer.
func (p RetryPolicy) RetryAfter(own, asked time.Duration) time.Duration {
	return max(own, min(asked, p.MaxBackoff))
}
