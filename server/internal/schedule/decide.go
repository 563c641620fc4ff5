package schedule

import (
	"context"
	"errors"

	"github.com/belfryhq/belfry/server/internal/job"
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
	reasonNoQueue  = "QUEUE_NOT_FOUND"
	reasonNoLane   = "JOB_TYPE_LIMIT"
	reasonReplaced = job.ReasonWithdrawn
)

// decide plans and stores what is due. Schedules that cannot be decided on now are left for the next pass.
func (m *Materialiser) decide(ctx context.Context, due []store.DueSchedule) (more bool, err error) {
	var batch []*store.Materialisation
	jobs, bytes := 0, 0
	for i := range due {
		item, err := m.plan(ctx, &due[i])
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
		more = more || !item.Next.IsZero() && !item.Next.After(m.cfg.DB.Now().Add(m.cfg.LookAhead))
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
func (m *Materialiser) plan(ctx context.Context, d *store.DueSchedule) (*store.Materialisation, error) {
	table, err := readTable(d.Spec, d.TenantName, d.Name)
	if err != nil {
		return nil, m.fail(ctx, d, err)
	}
	limit := max(1, min(maxPerSchedule, maxBatchBytes/max(d.Size, 1)))
	p := planOf(table, window{cursor: d.Cursor, now: m.cfg.DB.Now(), ahead: m.cfg.LookAhead, tolerance: LateTolerance, limit: limit})
	item := &store.Materialisation{ID: d.ID, Revision: d.Revision, Cursor: d.Cursor, To: p.cursor, Next: p.next}
	if p.caughtUp.IsZero() && len(p.due) == 0 {
		return item, nil // only the bound was stale
	}
	lane, reason, err := m.lane(ctx, d)
	if err != nil {
		return nil, err
	}
	if reason != "" {
		item.Occurrences = []store.Occurrence{run(store.Skipped, p.whole(), reason)}
		return item, nil
	}
	if !p.merged.from.IsZero() {
		item.Occurrences = append(item.Occurrences, run(store.Merged, p.merged, ""))
	}
	add := func(o store.Occurrence) {
		o.Until, o.Count, o.Lane = o.Nominal, 1, lane
		o.Job = job.OccurrenceID(d.UID, d.Revision, o.Nominal, d.Part)
		o.Suffix = job.OccurrenceSuffix(d.Name, o.Nominal)
		item.Occurrences = append(item.Occurrences, o)
	}
	if !p.caughtUp.IsZero() {
		add(store.Occurrence{Outcome: store.CaughtUp, Nominal: p.caughtUp})
	}
	for _, at := range p.due {
		add(store.Occurrence{Outcome: store.Materialised, Nominal: at})
	}
	return item, nil
}

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
		m.cfg.Metrics.Occurrence("error", 1)
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
	for _, item := range batch {
		if item.Done {
			m.count(item.Occurrences)
		}
	}
	return nil
}

// count observes outcomes. A run that was not counted counts as one.
func (m *Materialiser) count(list []store.Occurrence) {
	for _, o := range list {
		m.cfg.Metrics.Occurrence(o.Outcome.String(), int(max(o.Count, 1)))
	}
}
