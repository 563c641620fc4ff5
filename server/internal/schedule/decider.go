package schedule

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Overlaps is what the decider reads and writes; store.Store is the real one.
type Overlaps interface {
	DueDecisions(ctx context.Context, parts []int16, limit int) ([]int32, error)
	NextDecision(ctx context.Context, parts []int16) (time.Time, error)
	BlockedAmong(ctx context.Context, schedules []int32) ([]int32, error)
	WaitingSchedules(ctx context.Context, parts []int16, after int32, limit int) ([]int32, error)
	DecideOverlaps(ctx context.Context, schedules []int32, decide func(store.OverlapCase) store.OverlapDecision) (store.OverlapOutcome, error)
	DeadRuns(ctx context.Context, parts []int16, limit int) ([]store.DeadRun, error)
	DropDeadRuns(ctx context.Context, runs []store.DeadRun) error
}

// DeciderConfig wires a Decider; all fields are required.
type DeciderConfig struct {
	Store   Overlaps
	Owner   Owner
	DB      Clock
	Clock   clock.Clock
	Hints   Hints
	Log     *slog.Logger
	Metrics Metrics
	// Cancel ends a job, or asks for the end of one that runs; dispatch.Dispatcher.Cancel.
	Cancel func(ctx context.Context, tenant int32, id job.ID, reason string) error
	// Fail pauses a schedule because of a run that ended as DEAD; Service.PauseAfterFailure.
	Fail func(ctx context.Context, tenant, name, reason string) error
}

// Bounds of a pass of the decider.
const (
	decideChunk  = 200              // schedules in one transaction
	decideLimit  = 1000             // blocked jobs that are looked at together
	deciderSleep = 5 * time.Second  // longest time between two passes
	sweepEvery   = 15 * time.Second // a look at everything that waits: an end that nobody told of is found then
	sweepShare   = 50               // a sweep takes at most 2 % of the time
)

// cancelReason is what a run is told that a later one replaces.
const cancelReason = "a later occurrence of its schedule replaces it"

// Decider decides on blocked jobs at their time, and again when a run has ended. What it is told only saves time: everything
// it decides by is in the database.
type Decider struct {
	cfg  DeciderConfig
	poke chan struct{}

	mu    sync.Mutex
	ended map[int32]struct{} // schedules a run of which has ended, or may have
	dead  bool               // one of them as DEAD

	swept time.Time     // used by Run's goroutine alone
	took  time.Duration // by the latest sweep
}

// NewDecider returns a Decider; Run makes it work.
func NewDecider(cfg DeciderConfig) *Decider {
	return &Decider{cfg: cfg, poke: make(chan struct{}, 1), ended: map[int32]struct{}{}, dead: true}
}

// Ended takes notice that a run of a schedule has ended.
func (d *Decider) Ended(schedule int32, state job.State) {
	d.mu.Lock()
	d.dead = d.dead || state == job.Dead
	d.mu.Unlock()
	d.Look(schedule)
}

// Look asks for a pass now that looks at the blocked jobs of a schedule, also those that wait for the end of a run: it may
// have ended before they could be seen.
func (d *Decider) Look(schedule int32) {
	d.mu.Lock()
	d.ended[schedule] = struct{}{}
	d.mu.Unlock()
	d.Poke()
}

// Poke asks for a pass now: there are blocked jobs that the decider does not know of.
func (d *Decider) Poke() {
	select {
	case d.poke <- struct{}{}:
	default:
	}
}

// Run makes passes until ctx ends.
func (d *Decider) Run(ctx context.Context) error {
	timer := d.cfg.Clock.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C():
		case <-d.poke:
		}
		wait, err := d.Decide(ctx)
		if err != nil && ctx.Err() == nil {
			d.cfg.Log.Warn("overlapping runs not decided on; tried again shortly", "error", err)
			wait = errorWait
		}
		timer.Reset(wait)
	}
}

// Decide makes one pass, and answers how long nothing more is to be decided. Not for concurrent use.
func (d *Decider) Decide(ctx context.Context) (time.Duration, error) {
	parts := partsOf(d.cfg.Owner)
	if len(parts) == 0 {
		return deciderSleep, nil
	}
	if err := d.decideEnded(ctx); err != nil {
		return 0, err
	}
	for {
		due, err := d.cfg.Store.DueDecisions(ctx, parts, decideLimit)
		if err != nil {
			return 0, err
		}
		if len(due) == 0 {
			break
		}
		if err := d.decide(ctx, due); err != nil {
			return 0, err
		}
	}
	if err := d.sweep(ctx, parts); err != nil {
		return 0, err
	}
	if err := d.pauseFailed(ctx, parts); err != nil {
		return 0, err
	}
	next, err := d.cfg.Store.NextDecision(ctx, parts)
	if err != nil || next.IsZero() {
		return deciderSleep, err
	}
	return min(deciderSleep, max(next.Sub(d.cfg.DB.Now()), time.Millisecond)), nil
}

// decideEnded looks at schedules a run of which has ended. What could not be decided on is looked at again.
func (d *Decider) decideEnded(ctx context.Context) error {
	d.mu.Lock()
	ended := d.ended
	d.ended = map[int32]struct{}{}
	d.mu.Unlock()
	if len(ended) == 0 {
		return nil
	}
	blocked, err := d.cfg.Store.BlockedAmong(ctx, slices.Sorted(maps.Keys(ended)))
	if err == nil {
		err = d.decide(ctx, blocked)
	}
	if err != nil {
		d.mu.Lock()
		maps.Copy(d.ended, ended)
		d.mu.Unlock()
	}
	return err
}

// decide decides on the blocked jobs of schedules, in order of their ids.
func (d *Decider) decide(ctx context.Context, schedules []int32) error {
	for chunk := range slices.Chunk(schedules, decideChunk) {
		out, err := d.cfg.Store.DecideOverlaps(ctx, chunk, decideOverlap)
		if err != nil {
			return err
		}
		d.cfg.Hints.Offer(out.Released)
		for reason, n := range out.Skipped {
			d.cfg.Metrics.Occurrence(store.Skipped.String(), countedReason(reason), n)
		}
		d.cancel(ctx, out.Cancel)
	}
	return nil
}

// cancel ends runs that are to be replaced. One that could not be told is told by a later sweep.
func (d *Decider) cancel(ctx context.Context, runs map[int32][]job.ID) {
	for tenant, ids := range runs {
		for _, id := range ids {
			if err := d.cfg.Cancel(ctx, tenant, id, cancelReason); err != nil && ctx.Err() == nil {
				d.cfg.Log.Warn("run not cancelled yet for the one that replaces it", "job_id", id, "error", err)
			}
		}
	}
}

// sweep decides anew on everything that waits: whoever ended a run may have had no time to tell of it.
func (d *Decider) sweep(ctx context.Context, parts []int16) error {
	began := d.cfg.Clock.Now()
	if !d.swept.IsZero() && began.Sub(d.swept) < max(sweepEvery, sweepShare*d.took) {
		return nil
	}
	for after := int32(0); ; {
		waiting, err := d.cfg.Store.WaitingSchedules(ctx, parts, after, decideChunk)
		if err != nil {
			return err
		}
		if len(waiting) > 0 {
			if err := d.decide(ctx, waiting); err != nil {
				return err
			}
			after = waiting[len(waiting)-1]
		}
		if len(waiting) < decideChunk {
			break
		}
	}
	d.swept, d.took = began, d.cfg.Clock.Since(began)
	d.mu.Lock()
	d.dead = true
	d.mu.Unlock()
	return nil
}

// pauseFailed pauses the schedules of runs that ended as DEAD.
func (d *Decider) pauseFailed(ctx context.Context, parts []int16) error {
	d.mu.Lock()
	dead := d.dead
	d.dead = false
	d.mu.Unlock()
	for dead {
		runs, err := d.cfg.Store.DeadRuns(ctx, parts, decideChunk)
		if err == nil {
			err = d.pauseEach(ctx, runs)
		}
		if err != nil {
			d.mu.Lock()
			d.dead = true
			d.mu.Unlock()
			return err
		}
		dead = len(runs) == decideChunk
	}
	return nil
}

func (d *Decider) pauseEach(ctx context.Context, runs []store.DeadRun) error {
	for _, r := range runs {
		if !r.Pauses || r.Reason == "" {
			continue
		}
		if err := d.cfg.Fail(ctx, r.Tenant, r.Schedule, fmt.Sprintf("job %s ended as DEAD: %s", r.Job, r.Reason)); err != nil {
			return fmt.Errorf("pause schedule %s after a failure: %w", r.Schedule, err)
		}
	}
	if len(runs) == 0 {
		return nil
	}
	return d.cfg.Store.DropDeadRuns(ctx, runs)
}
