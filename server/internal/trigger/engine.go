package trigger

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Store is what the engine reads; store.Store implements it.
type Store interface {
	Load(ctx context.Context, windows []*store.Window, expired int) ([]store.Expiring, error)
	LoadLane(ctx context.Context, p store.LanePage) ([]wheel.Entry, error)
	Lanes(ctx context.Context, part int16) ([]int32, error)
	Overaged(ctx context.Context, part int16, limit int) ([]store.Expiring, error)
}

// Catalog names lanes; catalog.Catalog implements it.
type Catalog interface {
	Lane(ctx context.Context, number int32) (catalog.Lane, error)
	LanesOf(q *catalog.Queue) []catalog.Lane
	Refresh(ctx context.Context, part int16) error
}

// Dispatcher is told of partitions and of jobs that may not start any more; dispatch.Dispatcher implements it.
type Dispatcher interface {
	TakeOver(ctx context.Context, part int16) error
	Drop(part int16)
	Expire(ctx context.Context, late []store.Expiring, reason string) error
}

// Clock estimates the database's clock; cluster.DBClock implements it.
type Clock interface{ Now() time.Time }

// Config wires an Engine. Zero durations and numbers take the defaults.
type Config struct {
	Store   Store
	Catalog Catalog
	Hub     *ready.Hub
	DB      Clock
	Clock   clock.Clock
	Log     *slog.Logger
	Deleted func(q *catalog.Queue) // a queue with lanes here is deleted: what still waits in it has to be ended

	Horizon      time.Duration // how far ahead rows are held in memory; default 60 s
	LoadInterval time.Duration // default 2 s
	Behind       time.Duration // the longest life of a transaction that makes rows runnable; default 12 s
	WheelLimit   int           // entries in one partition's wheel; default 200,000
	DropHints    bool          // tests: prove that hints only save time
}

func (c Config) withDefaults() Config {
	if c.Horizon == 0 {
		c.Horizon = time.Minute
	}
	if c.LoadInterval == 0 {
		c.LoadInterval = 2 * time.Second
	}
	if c.Behind == 0 {
		c.Behind = 12 * time.Second
	}
	if c.WheelLimit == 0 {
		c.WheelLimit = 200_000
	}
	return c
}

// Engine runs the partitions this node owns.
type Engine struct {
	cfg        Config
	dispatcher Dispatcher
	wake       chan struct{} // something is due earlier than the firing loop thinks
	load       chan struct{} // look at the database now

	mu    sync.RWMutex
	parts map[int16]*partition

	laneMu sync.RWMutex
	lanes  map[int32]struct{} // lanes the hub knows
}

// partition is one owned partition.
type partition struct {
	part int16

	mu       sync.Mutex
	wheel    *wheel.Wheel
	loaded   time.Time   // rows due until then have been read once
	overflow []time.Time // instants from which on the wheel could not take everything
	ready    bool        // taken over: outstanding leases are known
}

// NewEngine returns an engine without partitions.
func NewEngine(cfg Config) *Engine {
	return &Engine{cfg: cfg.withDefaults(), wake: make(chan struct{}, 1), load: make(chan struct{}, 1),
		parts: map[int16]*partition{}, lanes: map[int32]struct{}{}}
}

// SetDispatcher completes the wiring; before Run.
func (e *Engine) SetDispatcher(d Dispatcher) { e.dispatcher = d }

// Run loads and fires until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return e.fireLoop(ctx) })
	g.Go(func() error { return e.loadLoop(ctx) })
	g.Go(func() error { return e.refillLoop(ctx) })
	g.Go(func() error { return e.ageLoop(ctx) })
	return g.Wait()
}

// Acquired adds a partition; the next load, which starts at once, takes it over.
func (e *Engine) Acquired(g cluster.Grant) {
	p := &partition{part: g.Part, wheel: wheel.New(e.cfg.DB.Now().UnixMicro(), wheel.Options{Horizon: e.cfg.Horizon * 2})}
	e.mu.Lock()
	e.parts[g.Part] = p
	e.mu.Unlock()
	poke(e.load)
}

// Lost forgets a partition.
func (e *Engine) Lost(part int16) {
	e.mu.Lock()
	delete(e.parts, part)
	e.mu.Unlock()
	e.cfg.Hub.DropPartition(part)
	e.dispatcher.Drop(part)
}

// QueueChanged passes a queue's state on to the hub; the catalog calls it.
func (e *Engine) QueueChanged(q *catalog.Queue) {
	e.tellDeleted(q)
	for _, lane := range e.cfg.Catalog.LanesOf(q) {
		e.laneMu.RLock()
		_, known := e.lanes[lane.Number]
		e.laneMu.RUnlock()
		if known {
			e.cfg.Hub.SetLane(hubLane(lane, q))
		}
	}
}

func (e *Engine) tellDeleted(q *catalog.Queue) {
	if q.Deleted && e.cfg.Deleted != nil {
		e.cfg.Deleted(q)
	}
}

func hubLane(l catalog.Lane, q *catalog.Queue) ready.Lane {
	return ready.Lane{ID: l.Number, Tenant: q.Tenant, Queue: q.ID, Type: l.Type, Paused: q.Paused || q.Deleted}
}

// Ready reports how many of the owned partitions have been taken over, and how many there are.
func (e *Engine) Ready() (taken, owned int) {
	for _, p := range e.list() {
		p.mu.Lock()
		if p.ready {
			taken++
		}
		p.mu.Unlock()
		owned++
	}
	return taken, owned
}

// Waiting returns how many entries the wheels hold.
func (e *Engine) Waiting() int {
	n := 0
	for _, p := range e.list() {
		p.mu.Lock()
		n += p.wheel.Len()
		p.mu.Unlock()
	}
	return n
}

func (e *Engine) list() []*partition {
	e.mu.RLock()
	defer e.mu.RUnlock()
	list := make([]*partition, 0, len(e.parts))
	for _, p := range e.parts {
		list = append(list, p)
	}
	return list
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// knowLanes makes the hub know the lanes of entries; entries of lanes that cannot be named are left out: a later load
// brings them again.
func (e *Engine) knowLanes(ctx context.Context, entries []wheel.Entry) []wheel.Entry {
	bad := map[int32]bool{}
	for _, en := range entries {
		e.laneMu.RLock()
		_, known := e.lanes[en.Lane]
		e.laneMu.RUnlock()
		if known || bad[en.Lane] {
			continue
		}
		if err := e.knowLane(ctx, en.Lane); err != nil {
			e.cfg.Log.Warn("lane not named; its jobs wait for the next load", "lane", en.Lane, "error", err)
			bad[en.Lane] = true
		}
	}
	if len(bad) == 0 {
		return entries
	}
	kept := entries[:0]
	for _, en := range entries {
		if !bad[en.Lane] {
			kept = append(kept, en)
		}
	}
	return kept
}

func (e *Engine) knowLane(ctx context.Context, number int32) error {
	lane, err := e.cfg.Catalog.Lane(ctx, number)
	if err != nil {
		return err
	}
	// Under the lock, so that a change of the queue that comes meanwhile is not overwritten by an older state: either
	// QueueChanged finds the lane known, or the lane is read after the change.
	e.laneMu.Lock()
	defer e.laneMu.Unlock()
	e.cfg.Hub.SetLane(hubLane(lane, lane.Queue))
	e.lanes[number] = struct{}{}
	e.tellDeleted(lane.Queue)
	return nil
}
