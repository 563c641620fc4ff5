// Package clock is the only place of the product that asks the machine what
// time it is. Everything else takes a Clock (long-running loops) or a plain
// "now" (pure code), so that a test can move time by hand instead of waiting.
//
// The time of a node is advisory: what is due and which lease has expired is
// decided by the database's clock. See Skewed for testing exactly that.
//
// Every Clock in this package is safe for concurrent use.
package clock

import (
	"context"
	"time"
)

// Clock tells the time and makes timers that run on that time.
type Clock interface {
	// Now returns the current time. From Real it carries Go's monotonic
	// reading, so that differences between two calls survive a step of the
	// wall clock; do not strip it (UTC, Round, In, encoding) before subtracting.
	Now() time.Time

	// Since returns the time that has passed since t, which should come from
	// the same clock.
	Since(t time.Time) time.Duration

	// NewTimer returns a timer that fires once, d from now; at once if d <= 0.
	NewTimer(d time.Duration) Timer
}

// Timer fires once per arming. As with time.Timer, no value armed before a
// call to Stop or Reset is received after that call has returned.
type Timer interface {
	// C returns the channel on which the timer fires. The value sent is the
	// time by the underlying clock; ask Clock.Now for the time that counts.
	C() <-chan time.Time

	// Reset arms the timer again, d from now, whatever its state.
	Reset(d time.Duration)

	// Stop disarms the timer and reports whether it was armed.
	Stop() bool
}

// Sleep waits for d or until ctx ends, and in the latter case returns the
// context's error.
func Sleep(ctx context.Context, c Clock, d time.Duration) error {
	timer := c.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Repeat calls f at once, and then whenever wake gets a token or the time has
// passed that f answered, one call after the other, until ctx ends.
func Repeat(ctx context.Context, c Clock, wake <-chan struct{}, f func() time.Duration) {
	timer := c.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C():
		case <-wake:
		}
		timer.Reset(f())
	}
}

// Real returns the clock of this machine.
func Real() Clock { return realClock{} }

type realClock struct{}

func (realClock) Now() time.Time                  { return time.Now() }
func (realClock) Since(t time.Time) time.Duration { return time.Since(t) }
func (realClock) NewTimer(d time.Duration) Timer  { return realTimer{time.NewTimer(d)} }

type realTimer struct{ timer *time.Timer }

func (t realTimer) C() <-chan time.Time   { return t.timer.C }
func (t realTimer) Reset(d time.Duration) { t.timer.Reset(d) }
func (t realTimer) Stop() bool            { return t.timer.Stop() }

// Skewed returns a clock that is ahead of base by offset (behind it if offset
// is negative), as a node with a wrong clock would be. Its timers run at the
// pace of base: a skewed node waits just as long as any other.
func Skewed(base Clock, offset time.Duration) Clock {
	return skewed{base: base, offset: offset}
}

type skewed struct {
	base   Clock
	offset time.Duration
}

// Add shifts the wall and the monotonic reading alike, so two times of this
// clock still compare correctly.
func (s skewed) Now() time.Time                  { return s.base.Now().Add(s.offset) }
func (s skewed) Since(t time.Time) time.Duration { return s.Now().Sub(t) }
func (s skewed) NewTimer(d time.Duration) Timer  { return s.base.NewTimer(d) }
