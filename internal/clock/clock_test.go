package clock_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

var epoch = time.Date(2030, 3, 1, 0, 0, 0, 0, time.UTC)

func TestReal_KeepsMonotonicReading(t *testing.T) {
	t.Parallel()
	c := clock.Real()
	now := c.Now()
	if !strings.Contains(now.String(), "m=") {
		t.Errorf("Now() = %v, has no monotonic reading", now)
	}
	if d := c.Since(now); d < 0 {
		t.Errorf("Since(earlier) = %v, want >= 0", d)
	}
}

func TestReal_TimerFiresStopsAndRearms(t *testing.T) {
	t.Parallel()
	c := clock.Real()
	timer := c.NewTimer(time.Hour)
	if !timer.Stop() {
		t.Error("Stop() of an armed timer = false")
	}
	if timer.Stop() {
		t.Error("Stop() of a stopped timer = true")
	}
	timer.Reset(time.Nanosecond)
	<-timer.C()
}

func TestSkewed_ShiftsNowButNotTimers(t *testing.T) {
	t.Parallel()
	base := clock.NewManual(epoch)
	ahead := clock.Skewed(base, 90*time.Second)
	if got, want := ahead.Now(), epoch.Add(90*time.Second); !got.Equal(want) {
		t.Errorf("Now() = %v, want %v", got, want)
	}
	start := ahead.Now()
	timer := ahead.NewTimer(time.Minute)
	base.Advance(59 * time.Second)
	if fired(timer) {
		t.Fatal("timer fired before its duration had passed")
	}
	base.Advance(time.Second)
	if !fired(timer) {
		t.Fatal("timer did not fire after its duration")
	}
	if got := ahead.Since(start); got != time.Minute {
		t.Errorf("Since(start) = %v, want 1m", got)
	}
}

func TestSkewed_OfRealKeepsMonotonicReading(t *testing.T) {
	t.Parallel()
	behind := clock.Skewed(clock.Real(), -time.Hour)
	now := behind.Now()
	if !strings.Contains(now.String(), "m=") {
		t.Errorf("Now() = %v, has no monotonic reading", now)
	}
	if d := behind.Since(now); d < 0 || d > time.Minute {
		t.Errorf("Since(now) = %v, want about 0", d)
	}
}

func TestSleep_EndsWithTheTimer(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	done := make(chan error, 1)
	go func() { done <- clock.Sleep(context.Background(), m, time.Hour) }()
	m.BlockUntil(1)
	m.Advance(time.Hour)
	if err := <-done; err != nil {
		t.Errorf("Sleep() = %v, want nil", err)
	}
}

func TestSleep_EndsWithTheContextAndLeavesNoTimer(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(epoch)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- clock.Sleep(ctx, m, time.Hour) }()
	m.BlockUntil(1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Sleep() = %v, want context.Canceled", err)
	}
	m.NewTimer(time.Second)
	if n := clock.Pending(m); n != 1 {
		t.Errorf("pending timers = %d, want only the new one", n)
	}
}

func fired(timer clock.Timer) bool {
	select {
	case <-timer.C():
		return true
	default:
		return false
	}
}
