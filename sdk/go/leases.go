package belfry

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/internal/clock"
)

const (
	// maxItems is the server's limit on the items of one worker call.
	maxItems = 1000
	// maxBeatBackoff bounds the wait between heartbeats that fail. It is well
	// under a third of the shortest usual lease, so that after an outage the
	// leases are extended before the server rescues any.
	maxBeatBackoff = 5 * time.Second
	// maxBeatTimeout bounds one heartbeat call.
	maxBeatTimeout = 10 * time.Second
)

// leases holds the leases of a shift and extends them until their end is
// acknowledged. One loop sends all heartbeats that are due in one call. A
// heartbeat that gets no answer changes nothing: it is repeated, for as long as
// it takes. Safe for concurrent use.
type leases struct {
	*shift
	// third is the interval of heartbeats.
	third time.Duration
	// wake interrupts the loop's sleep.
	wake chan struct{}

	mu   sync.Mutex
	open map[*lease]struct{}
	// wakeAt is when the loop wakes by itself; zero if it does not.
	wakeAt time.Time
	// failures counts heartbeat calls that failed in a row.
	failures int
	// drained is closed when open is empty; nil before the drain.
	drained chan struct{}
}

func newLeases(s *shift) *leases {
	return &leases{shift: s, third: s.config.LeaseDuration / 3, wake: make(chan struct{}, 1), open: map[*lease]struct{}{}}
}

// add registers a lease that was received at the given time, with so much of it
// left by the server's clock.
func (ls *leases) add(l *lease, received time.Time, remaining time.Duration) {
	ls.mu.Lock()
	l.beatDue = received.Add(ls.interval(remaining))
	ls.open[l] = struct{}{}
	early := ls.wakeAt.IsZero() || l.beatDue.Before(ls.wakeAt)
	ls.mu.Unlock()
	if early {
		ls.rouse()
	}
}

// interval is the time to the next heartbeat: a third of what is left, or up to
// a tenth less, so that workers that started together drift apart.
func (ls *leases) interval(remaining time.Duration) time.Duration {
	third := ls.third
	if remaining > 0 {
		third = min(third, remaining/3)
	}
	return jittered(third*95/100, 0.05)
}

func (ls *leases) rouse() {
	select {
	case ls.wake <- struct{}{}:
	default:
	}
}

// run sends heartbeats until ctx ends, and then waits for the calls that are
// out.
func (ls *leases) run(ctx context.Context) {
	var calls sync.WaitGroup
	defer calls.Wait()
	var timer clock.Timer
	var fires <-chan time.Time
	for ctx.Err() == nil {
		for _, group := range ls.due(ls.clock.Now()) {
			calls.Go(func() { ls.beat(ctx, group) })
		}
		wait, ok := ls.untilNext()
		switch {
		case ok && timer == nil:
			timer = ls.clock.NewTimer(wait)
			defer timer.Stop()
			fires = timer.C()
		case ok:
			timer.Reset(wait)
		case timer != nil:
			timer.Stop()
		}
		select {
		case <-ctx.Done():
		case <-ls.wake:
		case <-fires:
		}
	}
}

// due takes the leases whose heartbeat is due, or will be within an eighth of
// the interval, in groups of one call each.
func (ls *leases) due(now time.Time) [][]*lease {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	var soon []*lease
	anyDue := false
	for l := range ls.open {
		if l.beating || l.lost || l.beatDue.After(now.Add(ls.third/8)) {
			continue
		}
		anyDue = anyDue || !l.beatDue.After(now)
		soon = append(soon, l)
	}
	if !anyDue {
		return nil
	}
	var groups [][]*lease
	for group := range slices.Chunk(soon, maxItems) {
		groups = append(groups, group)
	}
	for _, group := range groups {
		for _, l := range group {
			l.beating = true
		}
	}
	return groups
}

// untilNext returns the time to the earliest heartbeat, if there is one, and
// notes when the loop will wake.
func (ls *leases) untilNext() (time.Duration, bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.wakeAt = time.Time{}
	for l := range ls.open {
		if !l.beating && !l.lost && (ls.wakeAt.IsZero() || l.beatDue.Before(ls.wakeAt)) {
			ls.wakeAt = l.beatDue
		}
	}
	if ls.wakeAt.IsZero() {
		return 0, false
	}
	return ls.wakeAt.Sub(ls.clock.Now()), true
}

// beat sends one heartbeat and applies its answer.
func (ls *leases) beat(ctx context.Context, group []*lease) {
	request := &v1.HeartbeatRequest{TenantId: ls.tenantID, WorkerId: ls.config.WorkerID, Items: make([]*v1.HeartbeatItem, len(group))}
	for i, l := range group {
		request.Items[i] = &v1.HeartbeatItem{LeaseToken: l.token, LeaseDuration: durationpb.New(ls.config.LeaseDuration)}
	}
	sent := ls.clock.Now()
	call, cancel := context.WithTimeout(ctx, min(max(ls.third, 2*time.Second), maxBeatTimeout))
	defer cancel()
	response, err := ls.calls.Heartbeat(call, request)
	if err == nil && len(response.GetResults()) != len(group) {
		err = &Error{Code: CodeInternal, Message: "the answer to a heartbeat has another number of results than it had leases"}
	}
	switch {
	case err == nil:
		ls.beaten(group, response.GetResults(), sent)
	case ctx.Err() == nil:
		ls.beatFailed(group, err)
	}
	ls.rouse()
}

// beaten applies the results of a heartbeat that was sent at the given time.
func (ls *leases) beaten(group []*lease, results []*v1.HeartbeatResult, sent time.Time) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.failures > 0 {
		ls.log.Info("heartbeats are answered again")
	}
	ls.failures = 0
	next := sent.Add(ls.interval(0))
	for i, l := range group {
		l.beating = false
		result := results[i]
		switch e := itemError(result.GetError()); {
		case l.closed:
			// Its end was acknowledged while the heartbeat was out.
		case e == nil:
			l.beatDue = next
			if remaining := result.GetLeaseRemaining().AsDuration(); remaining > 0 && remaining < 2*ls.third {
				l.beatDue = sent.Add(ls.interval(remaining))
			}
			if result.GetCancelRequested() {
				l.end(&CancelRequestedError{Reason: result.GetCancelReason()})
			}
		case e.Code == CodeFailedPrecondition || e.Code == CodeNotFound:
			ls.lose(l)
		default:
			l.beatDue = ls.clock.Now().Add(backoff(1, maxBeatBackoff))
		}
	}
}

// lose requires mu. Of a lease whose handler has returned, the answer to its
// final call tells the end: it may be what made this heartbeat too late.
func (ls *leases) lose(l *lease) {
	l.lost = true
	ls.log.Debug("heartbeat: lease lost", "job_id", l.job.JobID, "attempt", l.job.Attempt, "returned", l.returned)
	if !l.returned {
		l.end(ErrLeaseLost)
	}
}

func (ls *leases) beatFailed(group []*lease, err error) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.failures++
	if ls.failures == 1 {
		ls.log.Warn("heartbeat failed; jobs run on, will retry", "leases", len(group), "error", err)
	} else {
		ls.log.Debug("heartbeat failed; will retry", "leases", len(group), "failures", ls.failures, "error", err)
	}
	retry := ls.clock.Now().Add(backoff(ls.failures, min(maxBeatBackoff, ls.third)))
	for _, l := range group {
		l.beating = false
		l.beatDue = retry
	}
}

// returned notes that the handler of a lease has, and reports whether the lease
// was lost before. The lease is extended until it is closed.
func (ls *leases) returned(l *lease) (lost bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	l.returned = true
	return l.lost
}

// close forgets a lease whose end is acknowledged, or that was lost.
func (ls *leases) close(l *lease) {
	ls.mu.Lock()
	if l.closed {
		ls.mu.Unlock()
		return
	}
	l.closed = true
	delete(ls.open, l)
	if ls.drained != nil && len(ls.open) == 0 {
		close(ls.drained)
	}
	ls.mu.Unlock()
	ls.slots.closed()
}

// idle returns a channel that is closed as soon as no lease is open. To be
// called once, when no more are added.
func (ls *leases) idle() <-chan struct{} {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.drained = make(chan struct{})
	if len(ls.open) == 0 {
		close(ls.drained)
	}
	return ls.drained
}

// endContexts ends the contexts of all handlers that still run.
func (ls *leases) endContexts(cause error) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for l := range ls.open {
		if !l.returned {
			l.end(cause)
		}
	}
}

// abandon gives up on all open leases and says which they were.
func (ls *leases) abandon() error {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	drain := &DrainError{}
	for l := range ls.open {
		l.end(ErrShutdown)
		if l.returned {
			drain.Unreported = append(drain.Unreported, l.job.JobID)
		} else {
			drain.Abandoned = append(drain.Abandoned, l.job.JobID)
		}
	}
	if len(ls.open) == 0 {
		return nil
	}
	return drain
}

// itemError is the error of one item of a worker call; nil if there is none.
func itemError(item *v1.ItemError) *Error {
	if item == nil {
		return nil
	}
	reason := strings.TrimPrefix(item.GetReason().String(), "ERROR_REASON_")
	return &Error{Code: Code(item.GetCode()), Reason: Reason(reason), Message: item.GetMessage()}
}
