package belfry_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

var epoch = time.Date(2030, 3, 1, 0, 0, 0, 0, time.UTC)

// eagerClock makes every wait take no time and notes how long it was to be.
type eagerClock struct {
	clock.Clock
	mu    sync.Mutex
	waits []time.Duration
}

func newEagerClock() *eagerClock { return &eagerClock{Clock: clock.NewManual(epoch)} }

func (c *eagerClock) NewTimer(d time.Duration) clock.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits = append(c.waits, d)
	return c.Clock.NewTimer(0)
}

func (c *eagerClock) waited() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.waits...)
}

// fastClock passes a hundred times as fast as real time.
type fastClock struct{ start time.Time }

const fastFactor = 100

func newFastClock() fastClock { return fastClock{start: time.Now()} }

func (c fastClock) Now() time.Time                  { return c.start.Add(time.Since(c.start) * fastFactor) }
func (c fastClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }
func (c fastClock) NewTimer(d time.Duration) clock.Timer {
	return fastTimer{clock.Real().NewTimer(d / fastFactor)}
}

type fastTimer struct{ clock.Timer }

func (t fastTimer) Reset(d time.Duration) { t.Timer.Reset(d / fastFactor) }

// hourAhead is the clock of a machine whose wall clock is wrong.
func hourAhead() clock.Clock { return clock.Skewed(clock.Real(), time.Hour) }

// advanceUntil moves the clock on, a second at a time, until condition is true;
// for waits whose number and moments do not matter.
func advanceUntil(t *testing.T, manual *clock.Manual, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v while the clock went on", patience)
		}
		manual.Advance(time.Second)
	}
}
