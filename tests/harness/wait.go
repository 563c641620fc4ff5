package harness

import (
	"context"
	"testing"
	"time"
)

// pollEvery is how often conditions are looked at.
const pollEvery = 10 * time.Millisecond

// Within waits until cond holds and fails the test if that takes longer than limit. what completes "not within 5s: ".
func Within(t testing.TB, limit time.Duration, what string, cond func() bool) {
	t.Helper()
	if !holds(t.Context(), limit, cond) {
		t.Fatalf("not within %v: %s", limit, what)
	}
}

// holds polls cond until it holds, or until limit or ctx is over.
func holds(ctx context.Context, limit time.Duration, cond func() bool) bool {
	deadline := time.Now().Add(limit)
	for {
		if cond() {
			return true
		}
		if time.Now().After(deadline) || Pass(ctx, pollEvery) != nil {
			return false
		}
	}
}

// Pass lets d pass, for tests of what real time does (a lease that expires, an outage that lasts); it returns early, with
// an error, when ctx ends.
func Pass(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
