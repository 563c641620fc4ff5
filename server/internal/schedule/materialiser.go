package schedule

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Ledger is what the materialiser reads and writes; store.Store is the real one.
type Ledger interface {
	DueSchedules(ctx context.Context, parts []int16, until time.Time, after store.DuePosition, limit int) ([]store.DueSchedule, error)
	CountDueSchedules(ctx context.Context, parts []int16, until []time.Time, limit int) ([]int64, error)
	Materialise(ctx context.Context, items []*store.Materialisation) ([]wheel.Entry, error)
	FailSchedule(ctx context.Context, id int32, revision int64, why string) (bool, error)
	ReopenSchedules(ctx context.Context, parts []int16, ahead time.Duration, limit int) (int64, error)
}

// Queues finds where jobs go; catalog.Catalog is the real one.
type Queues interface {
	Queue(ctx context.Context, tenant, name string) (*catalog.Queue, error)
	EnsureLane(ctx context.Context, q *catalog.Queue, jobType string) (catalog.Lane, error)
}

// Owner says which partitions are this node's; cluster.Ownership is the real one.
type Owner interface{ Grants() []cluster.Grant }

// Clock estimates the database's clock; cluster.DBClock implements it.
type Clock interface{ Now() time.Time }

// Hints takes notice of new jobs; trigger.Engine implements it.
type Hints interface{ Offer(entries []wheel.Entry) }

// LateTolerance is how late a nominal time may be materialised and not count as missed.
const LateTolerance = time.Minute

// Config wires a Materialiser. Zero durations and numbers take the defaults.
type Config struct {
	Store   Ledger
	Queues  Queues
	Owner   Owner
	DB      Clock
	Clock   clock.Clock
	Hints   Hints
	Decide  func() // Decider.Poke
	Log     *slog.Logger
	Metrics Metrics

	LookAhead time.Duration // how long before its time a job is made; default 30 s; longer before a herd (herd.go)
	Poll      time.Duration // longest wait between two passes; default 5 s
	Batch     int           // schedules decided on together; default 200
}

func (c Config) withDefaults() Config {
	if c.LookAhead == 0 {
		c.LookAhead = 30 * time.Second
	}
	if c.Poll == 0 {
		c.Poll = 5 * time.Second
	}
	if c.Batch == 0 {
		c.Batch = 200
	}
	// Half of the look-ahead is left when the next pass begins.
	c.Poll = min(c.Poll, c.LookAhead/2)
	return c
}

// passTime bounds a pass through a herd: a schedule that fires more often than that has its next turn meanwhile, and stands
// at the beginning again.
const passTime = 2 * time.Second

// errorWait is the wait after a pass that failed.
const errorWait = time.Second

// Materialiser makes the jobs of the schedules in this node's partitions.
type Materialiser struct {
	cfg  Config
	poke chan struct{}

	pass chan struct{} // holds one token: whoever has it is in Materialise, and owns what follows
	seen map[int16]int64
	high time.Time // latest time of the database's clock that a pass has gone by
	herd herd
}

// New returns a Materialiser; Run makes it work.
func New(cfg Config) *Materialiser {
	m := &Materialiser{cfg: cfg.withDefaults(), poke: make(chan struct{}, 1), pass: make(chan struct{}, 1)}
	m.pass <- struct{}{}
	return m
}

// Poke asks for a pass now: a schedule has changed through this node and may be due within the next second.
func (m *Materialiser) Poke() {
	select {
	case m.poke <- struct{}{}:
	default:
	}
}

// Run makes passes until ctx ends.
func (m *Materialiser) Run(ctx context.Context) error {
	clock.Repeat(ctx, m.cfg.Clock, m.poke, func() time.Duration {
		again, err := m.Materialise(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			m.cfg.Log.Warn("schedules not materialised; tried again shortly", "error", err)
			return errorWait
		case again:
			return 0
		}
		return m.cfg.Poll
	})
	return nil
}

// Materialise makes one pass: everything that is due within the look-ahead gets its outcome. again says that some schedule
// has more to decide on than one pass does. Passes go one at a time.
func (m *Materialiser) Materialise(ctx context.Context) (again bool, err error) {
	select {
	case <-m.pass:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { m.pass <- struct{}{} }()
	parts := m.parts()
	if len(parts) == 0 {
		return false, nil
	}
	if err := m.reopen(ctx, parts); err != nil {
		return false, err
	}
	ahead, err := m.lookAhead(ctx, parts)
	if err != nil {
		return false, err
	}
	began, decided := m.cfg.Clock.Now(), 0
	defer func() { m.herd.observe(decided, m.cfg.Clock.Since(began)) }()
	var at store.DuePosition
	for {
		until := m.cfg.DB.Now().Add(ahead)
		due, err := m.cfg.Store.DueSchedules(ctx, parts, until, at, m.cfg.Batch)
		if err != nil {
			return false, err
		}
		more, err := m.decide(ctx, due, ahead)
		decided += len(due)
		again = again || more
		if err != nil || len(due) < m.cfg.Batch {
			return again, err
		}
		if m.cfg.Clock.Since(began) > passTime {
			return true, nil
		}
		last := due[len(due)-1]
		at = store.DuePosition{Next: last.Next, ID: last.ID}
	}
}

// parts lists the partitions of this node in order.
func (m *Materialiser) parts() []int16 { return partsOf(m.cfg.Owner) }

func partsOf(o Owner) []int16 {
	grants := o.Grants()
	parts := make([]int16, len(grants))
	for i, g := range grants {
		parts[i] = g.Part
	}
	slices.Sort(parts)
	return parts
}

const (
	reopenSlack = 10 * time.Second // how far beyond the look-ahead a cursor may be without the clock having gone back
	reopenChunk = 500
)

// reopen repairs schedules that were decided on by a clock that was ahead: once in each partition that is new to this node,
// and in all whenever the clock has gone back.
func (m *Materialiser) reopen(ctx context.Context, parts []int16) error {
	now := m.cfg.DB.Now()
	suspects := parts
	if back := now.Before(m.high.Add(-time.Second)); !back {
		suspects = nil
		for _, g := range m.cfg.Owner.Grants() {
			if epoch, ok := m.seen[g.Part]; !ok || epoch != g.Epoch {
				suspects = append(suspects, g.Part)
			}
		}
	}
	for len(suspects) > 0 {
		n, err := m.cfg.Store.ReopenSchedules(ctx, suspects, m.cfg.LookAhead+reopenSlack, reopenChunk)
		if err != nil {
			return err
		}
		if n > 0 {
			m.cfg.Log.Warn("the database's clock has gone back; schedules go on from the present", "schedules", n)
		}
		if n < reopenChunk {
			break
		}
	}
	m.high = now
	m.seen = map[int16]int64{}
	for _, g := range m.cfg.Owner.Grants() {
		m.seen[g.Part] = g.Epoch
	}
	return nil
}
