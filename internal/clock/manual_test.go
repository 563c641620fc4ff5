package clock_test

import (
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

func TestManual_StandsStillUntilMoved(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	if got := m.Now(); !got.Equal(epoch) {
		t.Errorf("Now() = %v, want %v", got, epoch)
	}
	m.Advance(3 * time.Second)
	if got := m.Since(epoch); got != 3*time.Second {
		t.Errorf("Since(epoch) = %v, want 3s", got)
	}
	m.Set(epoch.Add(time.Minute))
	if got := m.Since(epoch); got != time.Minute {
		t.Errorf("Since(epoch) = %v, want 1m", got)
	}
}

func TestManual_DropsMonotonicReadingOfStart(t *testing.T) {
	t.Parallel()
	start := time.Now()
	if got := clock.NewManual(start).Now(); got != start.Round(0) {
		t.Errorf("Now() = %v, want %v", got, start.Round(0))
	}
}

func TestManual_TimerFiresAtItsInstantNotBefore(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	timer := m.NewTimer(time.Second)
	m.Advance(time.Second - 1)
	if fired(timer) {
		t.Fatal("fired a nanosecond early")
	}
	m.Advance(1)
	if !fired(timer) {
		t.Fatal("not fired at its instant")
	}
	m.Advance(time.Hour)
	if fired(timer) {
		t.Fatal("fired twice")
	}
}

func TestManual_TimerOfZeroOrLessFiresAtOnce(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	for _, d := range []time.Duration{0, -time.Second} {
		if !fired(m.NewTimer(d)) {
			t.Errorf("NewTimer(%v) did not fire at once", d)
		}
	}
}

func TestManual_TimersSendTheInstantTheyWereDue(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	late, early := m.NewTimer(2*time.Second), m.NewTimer(time.Second)
	m.Advance(time.Minute)
	if got := <-late.C(); !got.Equal(epoch.Add(2 * time.Second)) {
		t.Errorf("late timer sent %v", got)
	}
	if got := <-early.C(); !got.Equal(epoch.Add(time.Second)) {
		t.Errorf("early timer sent %v", got)
	}
}

func TestManual_StopAndResetWithdrawAnUnreceivedValue(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	timer := m.NewTimer(time.Second)
	m.Advance(time.Second)
	if !timer.Stop() {
		t.Error("Stop() before the value was received = false")
	}
	if fired(timer) {
		t.Error("value received after Stop")
	}
	if timer.Stop() {
		t.Error("Stop() of a stopped timer = true")
	}
	timer.Reset(time.Second)
	m.Advance(time.Second)
	timer.Reset(time.Second)
	if fired(timer) {
		t.Error("value of the earlier arming received after Reset")
	}
	m.Advance(time.Second)
	if !fired(timer) {
		t.Error("not fired after Reset")
	}
	if timer.Stop() {
		t.Error("Stop() after the value was received = true")
	}
}

func TestManual_SteppingBackKeepsTheTimeLeft(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	timer := m.NewTimer(10 * time.Second)
	m.Advance(4 * time.Second)
	m.Set(epoch.Add(-time.Hour))
	m.Advance(6*time.Second - 1)
	if fired(timer) {
		t.Fatal("fired early after the clock was stepped back")
	}
	m.Advance(1)
	if !fired(timer) {
		t.Fatal("not fired after the time that was left")
	}
}

func TestManual_AdvanceByNegativePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("Advance(-1) did not panic")
		}
	}()
	clock.NewManual(epoch).Advance(-1)
}

func TestManual_BlockUntilCountsOnlyPendingTimers(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	m.NewTimer(0)
	m.NewTimer(time.Hour).Stop()
	reached := make(chan struct{})
	go func() {
		m.BlockUntil(2)
		close(reached)
	}()
	m.NewTimer(time.Second)
	select {
	case <-reached:
		t.Fatal("BlockUntil(2) returned with one timer pending")
	default:
	}
	m.NewTimer(time.Second)
	<-reached
}

// Loops that wait and re-arm, concurrent stops and a moving clock: run under
// the race detector, and every loop must see each of its ticks.
func TestManual_ConcurrentUse(t *testing.T) {
	t.Parallel()
	const loops, ticks = 8, 200
	m := clock.NewManual(epoch)
	var wg sync.WaitGroup
	for range loops {
		wg.Go(func() {
			timer := m.NewTimer(time.Second)
			for n := 1; ; n++ {
				<-timer.C()
				m.NewTimer(0).Stop() // never pending, so BlockUntil counts the loops alone
				if n == ticks {
					return
				}
				timer.Reset(time.Second)
			}
		})
	}
	for range ticks {
		m.BlockUntil(loops)
		m.Advance(time.Second)
	}
	wg.Wait()
	if got := m.Since(epoch); got != ticks*time.Second {
		t.Errorf("Since(epoch) = %v", got)
	}
}
