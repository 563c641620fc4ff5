package job

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Live is what a decision about an attempt's end needs to know of the row.
type Live struct {
	Attempt     int32 // counted attempts, the running one included
	Releases    int32 // before this one
	CancelAsked bool
	Now         time.Time // the database's clock
	AgeUntil    time.Time
	Retry       RetryPolicy // in force
	MaxReleases int32       // in force
}

// Ending is how a lease ended, other than by success.
type Ending struct {
	Outcome    Outcome // OutcomeFailed, OutcomeTimedOut or OutcomeReleased
	Permanent  bool
	RetryAfter time.Duration // asked for by the worker; for releases the delay
	Jitter     float64       // random, in [0, 1)
}

// Verdict says what becomes of a job whose lease ended without success.
type Verdict struct {
	Next    State         // Pending, Dead or Cancelled
	Reason  string        // of a final state
	Wait    time.Duration // until it is due again
	Counted bool          // whether the attempt counts against max_attempts
}

// releaseBackoff spaces releases that name no delay of their own: the first is due at once, so that a drained worker's job
// is taken over immediately; a job that nobody keeps is offered ever more slowly.
var releaseBackoff = RetryPolicy{InitialBackoff: time.Second, MaxBackoff: 5 * time.Minute, Multiplier: 2, Jitter: 0.2}

// Decide is the one place that says what follows the end of an attempt that did not succeed.
func Decide(l Live, e Ending) Verdict {
	released := e.Outcome == OutcomeReleased
	if l.CancelAsked {
		return Verdict{Next: Cancelled, Reason: ReasonCancelled, Counted: !released}
	}
	if e.Permanent {
		return Verdict{Next: Dead, Reason: ReasonPermanent, Counted: true}
	}
	var wait time.Duration
	if released {
		if l.Releases+1 > l.MaxReleases {
			return Verdict{Next: Dead, Reason: ReasonMaxReleases}
		}
		wait = e.RetryAfter
		if wait <= 0 && l.Releases > 0 {
			wait = releaseBackoff.Backoff(l.Releases, e.Jitter)
		}
	} else {
		if l.Attempt >= l.Retry.MaxAttempts {
			return Verdict{Next: Dead, Reason: ReasonMaxAttempts, Counted: true}
		}
		wait = l.Retry.RetryAfter(l.Retry.Backoff(l.Attempt, e.Jitter), e.RetryAfter)
	}
	if !l.Now.Add(wait).Before(l.AgeUntil) {
		return Verdict{Next: Dead, Reason: ReasonMaxAge, Counted: !released}
	}
	return Verdict{Next: Pending, Wait: wait, Counted: !released}
}

// TrimError makes an error text storable: valid UTF-8 without NUL, at most MaxError bytes.
func TrimError(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	if len(s) <= MaxError {
		return s
	}
	cut := MaxError
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}
