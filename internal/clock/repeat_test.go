package clock_test

import (
	"context"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

func TestRepeat_CallsAtOnce_OnTime_AndWhenWoken(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(0, 0))
	wake, called, ended := make(chan struct{}, 1), make(chan time.Time), make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		clock.Repeat(ctx, c, wake, func() time.Duration {
			called <- c.Now()
			return time.Minute
		})
	}()
	want := func(what string, at time.Duration) {
		t.Helper()
		if got := (<-called).Sub(time.Unix(0, 0)); got != at {
			t.Errorf("%s: called after %v, want %v", what, got, at)
		}
		c.BlockUntil(1)
	}
	c.Advance(0)
	want("at once", 0)
	c.Advance(time.Minute)
	want("when the time is over", time.Minute)
	wake <- struct{}{}
	want("woken", time.Minute)
	c.Advance(time.Minute)
	want("a whole time after that", 2*time.Minute)
	stop()
	<-ended
}
