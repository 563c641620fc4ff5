package schedule

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Bounds of what one statement makes.
const (
	maxPerSchedule = 100      // jobs of one schedule in one pass: the tolerance and the look-ahead in seconds, and some
	maxPerBatch    = 1000     // jobs
	maxBatchBytes  = 16 << 20 // of their bodies
)

// Reasons of skips, as the ledger shows them.
const (
	reasonNoQueue    = "QUEUE_NOT_FOUND"
	reasonNoLane     = "JOB_TYPE_LIMIT"
	reasonMissed     = "MISSED"
	reasonWindow     = "CATCHUP_WINDOW"
	reasonMaxCatchup = "MAX_CATCHUP"
	reasonChanged    = job.ReasonWithdrawn
)

// decide plans and stores what is due. Schedules that cannot be decided on now are left for the next pass.
func (m *Materialiser) decide(ctx context.Context, due []store.DueSchedule, ahead time.Duration) (more bool, err error) {
	var batch []*store.Materialisation
	jobs, bytes := 0, 0
	for i := range due {
		item, err := m.plan(ctx, &due[i], ahead)
		if err != nil {
			if ctx.Err() != nil {
				return more, ctx.Err()
			}
			m.cfg.Log.Warn("schedule left for the next pass", "schedule_id", due[i].ID, "error", err)
			continue
		}
		if item == nil {
			continue
		}
		more = more || !item.Next.IsZero() && !item.Next.After(m.cfg.DB.Now().Add(ahead))
		batch = append(batch, item)
		jobs += len(item.Occurrences)
		bytes += len(item.Occurrences) * due[i].Size
		if jobs >= maxPerBatch || bytes >= maxBatchBytes {
			if err := m.commit(ctx, batch); err != nil {
				return more, err
			}
			batch, jobs, bytes = nil, 0, 0
		}
	}
	return more, m.commit(ctx, batch)
}

// plan says what becomes of a schedule's next nominal times; nil if its rule cannot be read.
func (m *Materialiser) plan(ctx context.Context, d *store.DueSchedule, ahead time.Duration) (*store.Materialisation, error) {
	rule, policy, err := readRule(d.Spec)
	if err != nil {
		return nil, m.fail(ctx, d, err)
	}
	seed := seed(d.TenantName, d.Name)
	table, err := rule.parse(recurrence.Options{Seed: seed})
	if err != nil {
		return nil, m.fail(ctx, d, err)
	}
	offset := table.Offset(seed)
	w := window{cursor: d.Cursor, ahead: ahead, tolerance: LateTolerance, policy: policy.withDefaults(), left: -1,
		now:   m.cfg.DB.Now().Add(-offset), // a nominal time is due when the clock has passed it by the jitter
		limit: max(1, min(maxPerSchedule, maxBatchBytes/max(d.Size, 1)))}
	if rule.MaxRuns > 0 {
		w.left = max(0, int64(rule.MaxRuns)-d.Runs)
	}
	p := planOf(table, w)
	item := &store.Materialisation{ID: d.ID, Revision: d.Revision, Cursor: d.Cursor, Calls: d.Calls, To: p.cursor, Offset: offset}
	out := leftOut(table, rule, p, w)
	item.To, item.Next = out.cursor, out.next
	if !item.Next.IsZero() {
		item.Next = item.Next.Add(offset)
	}
	item.Occurrences = out.runs
	if len(p.skipped) == 0 && p.merged.from.IsZero() && len(p.caughtUp) == 0 && len(p.due) == 0 {
		return item, nil // excluded days alone, or the bound was stale
	}
	lane, reason, err := m.lane(ctx, d)
	if err != nil {
		return nil, err
	}
	if reason != "" {
		item.Occurrences = append(item.Occurrences, run(store.Skipped, p.whole(), reason))
		return item, nil
	}
	for _, s := range p.skipped {
		item.Occurrences = append(item.Occurrences, run(store.Skipped, s.span, s.reason))
	}
	if !p.merged.from.IsZero() {
		item.Occurrences = append(item.Occurrences, run(store.Merged, p.merged, ""))
	}
	// The first occurrence needs no decision at its time if nothing is alive: it is the next run. Those behind it may meet it.
	alive := d.Alive
	add := func(outcome store.OccurrenceOutcome, at time.Time) {
		item.Occurrences = append(item.Occurrences, store.Occurrence{Outcome: outcome, Nominal: at, Until: at, Count: 1, Lane: lane,
			Blocked: alive && Overlap(d.Overlap) != AllowOverlap,
			Job:     job.OccurrenceID(d.UID, d.Revision, at, d.Part), Suffix: job.OccurrenceSuffix(d.Name, at)})
		alive = true
	}
	for _, at := range p.caughtUp {
		add(store.CaughtUp, at)
	}
	for _, at := range p.due {
		add(store.Materialised, at)
	}
	return item, nil
}

// around is what excluded days add to a plan.
type around struct {
	runs   []store.Occurrence
	cursor time.Time
	next   time.Time
}

// leftOut notes the nominal times that excluded days leave out: those before a backlog, between its jobs, and from it up to
// the end of the look-ahead. Inside a run of the backlog they stand in that run.
func leftOut(table recurrence.Timetable, r Rule, p plan, w window) around {
	out := around{cursor: p.cursor, next: p.next}
	if !r.leavesDaysOut() {
		return out
	}
	until := p.cursor
	// An exhausted schedule has no nominal times any more, and a plan that stopped at its limit goes on with the next one.
	ahead := w.now.Add(w.ahead)
	if idle := p.next.IsZero() || p.next.After(ahead); idle && w.left != 0 && ahead.After(until) {
		until = ahead
	}
	note := func(from, until time.Time) {
		for _, e := range table.Excluded(from, until, maxPerSchedule) {
			out.runs = append(out.runs, run(store.Skipped, span{from: e.From, until: e.Until, count: int32(e.Count)}, e.Reason))
			if e.Until.After(out.cursor) {
				out.cursor = e.Until
			}
		}
	}
	if missed := p.backlog(); missed.from.IsZero() {
		note(w.cursor, until)
	} else {
		note(w.cursor, missed.from.Add(-time.Second))
		if n := len(p.caughtUp); n > 1 {
			note(p.caughtUp[0], p.caughtUp[n-1])
		}
		note(missed.until, until)
	}
	if w.left != 0 {
		horizon := out.cursor.Add(excludedLook)
		if then := table.Excluded(out.cursor, horizon, 1); len(then) > 0 && (out.next.IsZero() || then[0].From.Before(out.next)) {
			out.next = then[0].From
		}
	}
	return out
}

// excludedLook is how far ahead a schedule with nothing else to do looks for nominal times that are left out.
const excludedLook = 400 * 24 * time.Hour

func run(outcome store.OccurrenceOutcome, s span, reason string) store.Occurrence {
	return store.Occurrence{Outcome: outcome, Nominal: s.from, Until: s.until, Count: s.count, Reason: reason}
}

// lane finds where a schedule's jobs go; reason says why there is no such place.
func (m *Materialiser) lane(ctx context.Context, d *store.DueSchedule) (lane int32, reason string, err error) {
	q, err := m.cfg.Queues.Queue(ctx, d.TenantName, d.Queue)
	if err == nil {
		l, ensured := m.cfg.Queues.EnsureLane(ctx, q, d.JobType)
		lane, err = l.Number, ensured
	}
	switch {
	case errors.Is(err, job.ErrNotFound):
		return 0, reasonNoQueue, nil
	case errors.Is(err, job.ErrLimit):
		return 0, reasonNoLane, nil
	}
	return lane, "", err
}

// fail notes that a schedule's rule cannot be read, so that it is not looked at again before it is changed.
func (m *Materialiser) fail(ctx context.Context, d *store.DueSchedule, why error) error {
	noted, err := m.cfg.Store.FailSchedule(ctx, d.ID, d.Revision, why.Error())
	if noted {
		m.cfg.Log.Error("schedule stopped: its rule cannot be read; change it", "schedule_id", d.ID, "error", why)
		m.cfg.Metrics.Occurrence("error", "", 1)
	}
	return err
}

// commit stores a batch and tells the engine. What the database refuses is tried again in halves, so that one schedule
// does not hold up the others.
func (m *Materialiser) commit(ctx context.Context, batch []*store.Materialisation) error {
	if len(batch) == 0 {
		return nil
	}
	made, err := m.cfg.Store.Materialise(ctx, batch)
	if errors.Is(err, store.ErrRefused) || errors.Is(err, store.ErrExists) {
		if len(batch) == 1 {
			m.cfg.Log.Error("schedule left for the next pass: the database refuses its jobs", "schedule_id", batch[0].ID, "error", err)
			return nil
		}
		half := len(batch) / 2
		return errors.Join(m.commit(ctx, batch[:half]), m.commit(ctx, batch[half:]))
	}
	if err != nil {
		return err
	}
	m.cfg.Hints.Offer(made)
	blocked := false
	for _, item := range batch {
		if item.Done {
			m.count(item.Occurrences)
			blocked = blocked || slices.ContainsFunc(item.Occurrences, func(o store.Occurrence) bool { return o.Blocked })
		}
	}
	if blocked {
		m.cfg.Decide()
	}
	return nil
}

// count observes outcomes.
func (m *Materialiser) count(list []store.Occurrence) {
	for _, o := range list {
		countRun(m.cfg.Metrics, o.Outcome, o.Reason, o.Count)
	}
}
