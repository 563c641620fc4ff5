package job

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func plain(initial, max time.Duration) RetryPolicy {
	return RetryPolicy{MaxAttempts: 5, InitialBackoff: initial, MaxBackoff: max, Multiplier: 2, JitterSet: true}
}

// Case P-RET-01: failure n waits min(2^(n-1), 3600) s, for ever positive.
func TestBackoff_NeverOverflows(t *testing.T) {
	t.Parallel()
	p := plain(time.Second, time.Hour)
	for n := int32(1); n <= 200; n++ {
		want := time.Hour
		if n <= 12 {
			want = time.Second << (n - 1)
		}
		if got := p.Backoff(n, 0.5); got != want {
			t.Fatalf("failure %d waits %s, want %s", n, got, want)
		}
	}
}

// Case P-RET-02.
func TestBackoff_FirstFailureWaitsTheInitialBackoff(t *testing.T) {
	t.Parallel()
	p := plain(100*time.Millisecond, time.Hour)
	for i, want := range []time.Duration{100, 200, 400, 800, 1600} {
		if got := p.Backoff(int32(i+1), 0); got != want*time.Millisecond {
			t.Errorf("failure %d waits %s, want %s", i+1, got, want*time.Millisecond)
		}
	}
}

// Case P-RET-03: the jitter is placed around the capped wait.
func TestBackoff_JitterMovesTheCappedWait(t *testing.T) {
	t.Parallel()
	p := plain(time.Second, time.Minute)
	p.Jitter = 0.5
	if got := p.Backoff(80, 0); got != 30*time.Second {
		t.Errorf("lowest: %s", got)
	}
	if got := p.Backoff(80, 0.5); got != time.Minute {
		t.Errorf("middle: %s", got)
	}
	if got := p.Backoff(80, 0.999); got < 89*time.Second || got >= 90*time.Second {
		t.Errorf("highest: %s", got)
	}
}

func TestBackoff_Delays_TheLastOneRepeats(t *testing.T) {
	t.Parallel()
	p := RetryPolicy{Delays: []time.Duration{time.Second, time.Minute}, JitterSet: true}
	for n, want := range map[int32]time.Duration{1: time.Second, 2: time.Minute, 9: time.Minute} {
		if got := p.Backoff(n, 0.3); got != want {
			t.Errorf("failure %d waits %s, want %s", n, got, want)
		}
	}
}

// Case P-RET-05: a worker's wish is honoured up to the cap, and never shortens the policy's own wait.
func TestRetryAfter_IsHonouredUpToTheCap(t *testing.T) {
	t.Parallel()
	p := DefaultRetry()
	for asked, want := range map[time.Duration]time.Duration{
		2 * time.Minute: 2 * time.Minute, 999999999 * time.Second: time.Hour, time.Second: 10 * time.Second, 0: 10 * time.Second,
	} {
		if got := p.RetryAfter(10*time.Second, asked); got != want {
			t.Errorf("asked for %s: %s, want %s", asked, got, want)
		}
	}
}

func TestOr_FillsInWhatIsNotStated(t *testing.T) {
	t.Parallel()
	got := RetryPolicy{MaxAttempts: 2, JitterSet: true}.Or(RetryPolicy{InitialBackoff: time.Second}).Or(DefaultRetry())
	if got.MaxAttempts != 2 || got.Jitter != 0 || got.InitialBackoff != time.Second || got.MaxBackoff != time.Hour || got.Multiplier != 2 {
		t.Fatalf("%+v", got)
	}
	own := RetryPolicy{InitialBackoff: time.Second}.Or(RetryPolicy{Delays: []time.Duration{time.Hour}})
	if own.Delays != nil {
		t.Fatal("a stated exponential rule was overruled by the queue's list")
	}
}

func live(attempt int32) Live {
	now := time.Unix(1_700_000_000, 0)
	return Live{Attempt: attempt, Now: now, AgeUntil: now.Add(24 * time.Hour), Retry: DefaultRetry(), MaxReleases: 100}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	cancelled, old := live(1), live(1)
	cancelled.CancelAsked = true
	old.AgeUntil = old.Now.Add(5 * time.Second)
	spent := live(1)
	spent.Releases = 100
	cases := map[string]struct {
		live Live
		end  Ending
		want Verdict
	}{
		"a failure is retried later":              {live(1), Ending{Outcome: OutcomeFailed, Jitter: 0.5}, Verdict{Next: Pending, Wait: 10 * time.Second, Counted: true}},
		"the last attempt kills":                  {live(5), Ending{Outcome: OutcomeFailed}, Verdict{Next: Dead, Reason: ReasonMaxAttempts, Counted: true}},
		"an expired lease is an attempt":          {live(5), Ending{Outcome: OutcomeTimedOut}, Verdict{Next: Dead, Reason: ReasonMaxAttempts, Counted: true}},
		"a permanent failure kills":               {live(1), Ending{Outcome: OutcomeFailed, Permanent: true}, Verdict{Next: Dead, Reason: ReasonPermanent, Counted: true}},
		"a release is not counted":                {live(5), Ending{Outcome: OutcomeReleased}, Verdict{Next: Pending}},
		"a release takes its delay":               {live(5), Ending{Outcome: OutcomeReleased, RetryAfter: time.Minute}, Verdict{Next: Pending, Wait: time.Minute}},
		"releases are bounded":                    {spent, Ending{Outcome: OutcomeReleased}, Verdict{Next: Dead, Reason: ReasonMaxReleases}},
		"age is bounded":                          {old, Ending{Outcome: OutcomeFailed, Jitter: 0.5}, Verdict{Next: Dead, Reason: ReasonMaxAge, Counted: true}},
		"a cancel request wins over a retry":      {cancelled, Ending{Outcome: OutcomeFailed}, Verdict{Next: Cancelled, Reason: ReasonCancelled, Counted: true}},
		"a cancel request wins over permanence":   {cancelled, Ending{Outcome: OutcomeFailed, Permanent: true}, Verdict{Next: Cancelled, Reason: ReasonCancelled, Counted: true}},
		"a cancelled job that is released is not": {cancelled, Ending{Outcome: OutcomeReleased}, Verdict{Next: Cancelled, Reason: ReasonCancelled}},
	}
	for name, c := range cases {
		if got := Decide(c.live, c.end); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestDecide_Releases_AreOfferedEverMoreSlowly(t *testing.T) {
	t.Parallel()
	l, last := live(1), time.Duration(-1)
	for n := range int32(9) {
		l.Releases = n
		v := Decide(l, Ending{Outcome: OutcomeReleased, Jitter: 0.5})
		if v.Wait <= last || n == 0 && v.Wait != 0 {
			t.Fatalf("release %d waits %s after %s", n+1, v.Wait, last)
		}
		last = v.Wait
	}
}

func TestTrimError_IsStorable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.Byte(), 0, 3*MaxError).Draw(t, "error"))
		got := TrimError(s)
		if len(got) > MaxError || !validText(got) {
			t.Fatalf("%d bytes, valid %v", len(got), validText(got))
		}
	})
	if got := TrimError("a\x00b"); got != "a\uFFFDb" {
		t.Fatalf("%q", got)
	}
}
