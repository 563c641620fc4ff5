package cluster

import (
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

// DBClock estimates the database's clock from the node's own: a measured offset, ticking on the monotonic clock. The
// estimate is never ahead of the truth by more than the drift since the latest measurement, because it uses the lower
// bound that a measurement allows: the database read its clock before the answer arrived.
type DBClock struct {
	local clock.Clock

	mu       sync.RWMutex
	measured bool
	base     time.Time     // local time (with monotonic reading) of the latest measurement
	at       time.Time     // the database's clock then, at the latest
	width    time.Duration // round trip of that measurement
}

// maxJump is how far the database's clock may differ from its estimate before that counts as a jump (DESIGN: 1 s).
const maxJump = time.Second

// keepBest is how long a measurement with a short round trip is preferred to newer, wider ones.
const keepBest = 10 * time.Second

// NewDBClock returns a clock that has not been measured yet; until then it tells the local time.
func NewDBClock(local clock.Clock) *DBClock { return &DBClock{local: local} }

// Observe records that the database's clock read at in a call that began at sent and ended at received (local). It
// answers whether the clock has jumped, forwards or back, by more than a second against the estimate.
func (c *DBClock) Observe(sent, received, at time.Time) (jumped bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	width := received.Sub(sent)
	if c.measured {
		low, high := c.estimate(sent), c.estimate(received)
		jumped = at.Before(low.Add(-maxJump)) || at.After(high.Add(maxJump))
		if !jumped && width > c.width && received.Sub(c.base) < keepBest {
			return false
		}
	}
	c.measured, c.base, c.at, c.width = true, received, at, width
	return jumped
}

// Now estimates the database's clock.
func (c *DBClock) Now() time.Time { return c.At(c.local.Now()) }

// At estimates what the database's clock says at a local instant (with monotonic reading).
func (c *DBClock) At(local time.Time) time.Time {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.estimate(local)
}

func (c *DBClock) estimate(local time.Time) time.Time {
	if !c.measured {
		return local
	}
	return c.at.Add(local.Sub(c.base))
}

// Skew returns how far the database's clock is ahead of this node's wall clock.
func (c *DBClock) Skew() time.Duration {
	now := c.local.Now()
	return c.At(now).Sub(now.Round(0))
}
