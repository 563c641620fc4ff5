package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

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
	decideAtOnce = 200              // schedules in one transaction
	cancelAtOnce = 50               // runs
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
	ended map[int32]struct{} // schedules a run of which has ended, or to be looked at for another reason
	dead  bool               // one of them as DEAD

	// Used by Run's goroutine alone.
	swept time.Time
	took  time.Duration      // by the latest sweep
	left  map[int32]struct{} // schedules that this pass could not decide on
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

// Look asks for a look at a schedule now: a job of it may wait for a run that has ended meanwhile.
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
	clock.Repeat(ctx, d.cfg.Clock, d.poke, func() time.Duration {
		wait, err := d.Decide(ctx)
		if err != nil && ctx.Err() == nil {
			d.cfg.Log.Warn("overlapping runs not decided on; tried again shortly", "error", err)
			wait = errorWait
		}
		return wait
	})
	return nil
}

// Decide makes one pass, and answers how long nothing more is to be decided. Not for concurrent use.
func (d *Decider) Decide(ctx context.Context) (time.Duration, error) {
	parts := partsOf(d.cfg.Owner)
	if len(parts) == 0 {
		return deciderSleep, nil
	}
	d.left = map[int32]struct{}{}
	if err := d.decideEnded(ctx); err != nil {
		return 0, err
	}
	if err := d.decideDue(ctx, parts); err != nil {
		return 0, err
	}
	if err := d.sweep(ctx, parts); err != nil {
		return 0, err
	}
	if err := d.pauseFailed(ctx, parts); err != nil {
		return 0, err
	}
	if len(d.left) > 0 {
		return errorWait, nil
	}
	next, err := d.cfg.Store.NextDecision(ctx, parts)
	if err != nil || next.IsZero() {
		return deciderSleep, err
	}
	return min(deciderSleep, max(next.Sub(d.cfg.DB.Now()), time.Millisecond)), nil
}

// decideDue decides until nothing is due any more but what this pass has left.
func (d *Decider) decideDue(ctx context.Context, parts []int16) error {
	for {
		due, err := d.cfg.Store.DueDecisions(ctx, parts, decideLimit)
		if err != nil {
			return err
		}
		due = slices.DeleteFunc(due, func(id int32) bool { _, left := d.left[id]; return left })
		if len(due) == 0 {
			return nil
		}
		if err := d.decide(ctx, due); err != nil {
			return err
		}
	}
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
	for chunk := range slices.Chunk(schedules, decideAtOnce) {
		if err := d.decideChunk(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// decideChunk decides in one transaction. What the database refuses is tried again in halves, so that one schedule does not
// hold up the others; one that it refuses alone is left for the next pass.
func (d *Decider) decideChunk(ctx context.Context, schedules []int32) error {
	out, err := d.cfg.Store.DecideOverlaps(ctx, schedules, decideOverlap)
	if errors.Is(err, store.ErrRefused) || errors.Is(err, store.ErrExists) {
		if len(schedules) == 1 {
			d.leave(schedules[0], err)
			return nil
		}
		half := len(schedules) / 2
		return errors.Join(d.decideChunk(ctx, schedules[:half]), d.decideChunk(ctx, schedules[half:]))
	}
	if err != nil {
		return err
	}
	d.cfg.Hints.Offer(out.Released)
	for reason, n := range out.Skipped {
		d.cfg.Metrics.Occurrence(store.Skipped.String(), countedReason(reason), n)
	}
	d.cancel(ctx, out.Cancel)
	return nil
}

// leave leaves a schedule for the next pass, which looks at it even if nothing of it becomes due by then.
func (d *Decider) leave(schedule int32, why error) {
	d.cfg.Log.Error("overlapping runs of a schedule left for the next pass: the database refuses what becomes of them",
		"schedule_id", schedule, "error", why)
	d.left[schedule] = struct{}{}
	d.mu.Lock()
	d.ended[schedule] = struct{}{}
	d.mu.Unlock()
}

// cancel ends runs that are to be replaced, side by side: a schedule may have thousands, and others wait meanwhile. One that
// could not be told is told by a later sweep.
func (d *Decider) cancel(ctx context.Context, runs map[int32][]job.ID) {
	var g errgroup.Group
	g.SetLimit(cancelAtOnce)
	for tenant, ids := range runs {
		for _, id := range ids {
			g.Go(func() error {
				if err := d.cfg.Cancel(ctx, tenant, id, cancelReason); err != nil && ctx.Err() == nil {
					d.cfg.Log.Warn("run not cancelled yet for the one that replaces it", "job_id", id, "error", err)
				}
				return nil
			})
		}
	}
	_ = g.Wait() // each has said what failed
}

// sweep decides anew on everything that waits: whoever ended a run may have had no time to tell of it.
func (d *Decider) sweep(ctx context.Context, parts []int16) error {
	began := d.cfg.Clock.Now()
	if !d.swept.IsZero() && began.Sub(d.swept) < max(sweepEvery, sweepShare*d.took) {
		return nil
	}
	for after := int32(0); ; {
		waiting, err := d.cfg.Store.WaitingSchedules(ctx, parts, after, decideAtOnce)
		if err != nil {
			return err
		}
		if len(waiting) > 0 {
			if err := d.decide(ctx, waiting); err != nil {
				return err
			}
			after = waiting[len(waiting)-1]
		}
		if len(waiting) < decideAtOnce {
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
		runs, err := d.cfg.Store.DeadRuns(ctx, parts, decideAtOnce)
		if err == nil {
			err = d.pauseEach(ctx, runs)
		}
		if err != nil {
			d.mu.Lock()
			d.dead = true
			d.mu.Unlock()
			return err
		}
		dead = len(runs) == decideAtOnce
	}
	return nil
}

// pauseEach pauses what asks for it, and forgets the notes. Those of schedules that cannot be paused now are kept.
func (d *Decider) pauseEach(ctx context.Context, runs []store.DeadRun) error {
	var done []store.DeadRun
	var faults []error
	for _, r := range runs {
		if r.Pauses && r.Reason != "" {
			if err := d.cfg.Fail(ctx, r.Tenant, r.Schedule, fmt.Sprintf("job %s ended as DEAD: %s", r.Job, r.Reason)); err != nil {
				faults = append(faults, fmt.Errorf("pause schedule %s after a failure: %w", r.Schedule, err))
				continue
			}
		}
		done = append(done, r)
	}
	if len(done) > 0 {
		faults = append(faults, d.cfg.Store.DropDeadRuns(ctx, done))
	}
	return errors.Join(faults...)
}
