package clock

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Manual is a clock that stands still until a test moves it. The pattern is:
// start the code under test, BlockUntil it waits on its timers, Advance, and
// then wait for what the code does.
type Manual struct {
	mu sync.Mutex
	// changed is broadcast whenever a timer becomes pending.
	changed *sync.Cond
	now     time.Time
	// pending holds the armed timers in no order; tests have few of them.
	pending map[*manualTimer]struct{}
	armed   uint64
}

// NewManual returns a clock that stands at start. A monotonic reading of start
// is dropped: manual times compare by their wall reading alone.
func NewManual(start time.Time) *Manual {
	m := &Manual{now: start.Round(0), pending: map[*manualTimer]struct{}{}}
	m.changed = sync.NewCond(&m.mu)
	return m
}

// Now returns the time the clock was last moved to.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Since returns Now minus t.
func (m *Manual) Since(t time.Time) time.Duration { return m.Now().Sub(t) }

// NewTimer returns a timer that fires when the clock is moved by d or more.
func (m *Manual) NewTimer(d time.Duration) Timer {
	t := &manualTimer{clock: m, c: make(chan time.Time, 1)}
	t.Reset(d)
	return t
}

// Advance moves the clock forward by d and fires the timers that are then due,
// earliest first and, when due together, in the order they were armed. It does
// not wait for whoever receives from them. A negative d is a bug of the test
// and panics; see Set.
func (m *Manual) Advance(d time.Duration) {
	if d < 0 {
		panic("clock: Advance by a negative duration; use Set to step the clock back")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.advance(d)
}

// Set moves the clock to t. Forward it is Advance. Backward it is a step of
// the wall clock: no timer fires, and pending ones keep the time they have
// left, as real timers do, which run on the monotonic clock.
func (m *Manual) Set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	step := t.Sub(m.now)
	if step >= 0 {
		m.advance(step)
		return
	}
	m.now = m.now.Add(step)
	for timer := range m.pending {
		timer.due = timer.due.Add(step)
	}
}

// BlockUntil waits until at least n timers are pending: armed, not fired, not
// stopped. It is how a test knows that the code under test has gone to sleep.
func (m *Manual) BlockUntil(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.pending) < n {
		m.changed.Wait()
	}
}

// advance requires mu.
func (m *Manual) advance(d time.Duration) {
	m.now = m.now.Add(d)
	var due []*manualTimer
	for timer := range m.pending {
		if !timer.due.After(m.now) {
			due = append(due, timer)
		}
	}
	slices.SortFunc(due, func(a, b *manualTimer) int {
		return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.seq, b.seq))
	})
	for _, timer := range due {
		timer.fire()
	}
}

// manualTimer's fields other than c are guarded by clock.mu. c has room for
// one value, and a timer is only armed with c empty, so sending never blocks.
type manualTimer struct {
	clock *Manual
	c     chan time.Time
	due   time.Time
	seq   uint64
}

func (t *manualTimer) C() <-chan time.Time { return t.c }

func (t *manualTimer) Reset(d time.Duration) {
	m := t.clock
	m.mu.Lock()
	defer m.mu.Unlock()
	t.disarm()
	m.armed++
	t.seq = m.armed
	t.due = m.now.Add(d)
	if d <= 0 {
		t.fire()
		return
	}
	m.pending[t] = struct{}{}
	m.changed.Broadcast()
}

func (t *manualTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	return t.disarm()
}

// fire requires clock.mu and an empty c.
func (t *manualTimer) fire() {
	delete(t.clock.pending, t)
	t.c <- t.due
}

// disarm requires clock.mu. Like time.Timer, a timer that has fired but whose
// value nobody has received yet counts as armed, and the value is withdrawn.
func (t *manualTimer) disarm() bool {
	_, wasPending := t.clock.pending[t]
	delete(t.clock.pending, t)
	select {
	case <-t.c:
		return true
	default:
		return wasPending
	}
}
