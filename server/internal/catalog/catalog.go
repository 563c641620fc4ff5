package catalog

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// Queue is one state of a queue; see store.Queue.
type Queue = store.Queue

// Lane is one job type of one queue.
type Lane struct {
	Number int32
	Type   string
	Queue  *Queue // the state when the lane was asked for
}

// Store reads, and makes what has to appear by itself; store.Store is the real one.
type Store interface {
	TenantByName(ctx context.Context, name string) (tenancy.Tenant, error)
	TenantsByID(ctx context.Context, ids []int32) ([]tenancy.Tenant, error)
	QueueByName(ctx context.Context, tenant int32, name string) (*Queue, error)
	QueuesByID(ctx context.Context, ids []int32) ([]*Queue, error)
	QueueNames(ctx context.Context, tenant int32, limit int) ([]string, error)
	CreateQueue(ctx context.Context, n store.NewQueue) (q *Queue, existing bool, err error)
	EnsureLane(ctx context.Context, queue int32, jobType string) (store.Lane, error)
	LanesByNumber(ctx context.Context, numbers []int32) ([]store.Lane, error)
	PartitionStates(ctx context.Context) ([]store.PartitionState, error)
}

// Config wires a Catalog; all fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
}

// askWithin bounds one question to the store, which callers share and none of them can cancel.
const askWithin = 5 * time.Second

// Catalog is what this node knows; see the package documentation.
type Catalog struct {
	store  Store
	clock  clock.Clock
	flight singleflight.Group // one question to the store for all who ask the same
	absent negatives
	check  checker

	announce sync.Mutex
	hooks    []func(*Queue)  // guarded by announce
	told     map[int32]int64 // guarded by announce: the revision that the hooks have seen

	mu      sync.RWMutex // guards what follows
	tenants map[string]*tenantEntry
	byName  map[nameKey]*Queue // live ones
	byID    map[int32]*Queue
	lanes   map[int32]laneEntry
	byType  map[typeKey]int32
	ofQueue map[int32][]int32 // lanes of a queue
}

type tenantEntry struct {
	tenant tenancy.Tenant
	used   atomic.Bool // since the latest check
}

type nameKey struct{ tenant, queue string }

type typeKey struct {
	queue   int32
	jobType string
}

type laneEntry struct {
	jobType string
	queue   int32
}

// New returns a Catalog that knows nothing yet.
func New(cfg Config) *Catalog {
	c := &Catalog{
		store: cfg.Store, clock: cfg.Clock,
		absent:  negatives{until: map[string]negative{}},
		check:   checker{configs: map[int16]int64{}},
		told:    map[int32]int64{},
		tenants: map[string]*tenantEntry{},
		byName:  map[nameKey]*Queue{}, byID: map[int32]*Queue{},
		lanes: map[int32]laneEntry{}, byType: map[typeKey]int32{}, ofQueue: map[int32][]int32{},
	}
	c.check.at.Store(c.clock.Now().UnixNano()) // nothing is remembered from before
	return c
}

// OnChange adds a hook that is called with the newest state of a queue after what is known of it has changed. Hooks run
// one at a time, on whatever goroutine noticed the change: they must be quick and must not call Observe or Refresh. Not
// to be called once the Catalog is in use.
func (c *Catalog) OnChange(hook func(*Queue)) {
	c.announce.Lock()
	defer c.announce.Unlock()
	c.hooks = append(c.hooks, hook)
}

// Tenant answers a tenant by name.
func (c *Catalog) Tenant(ctx context.Context, name string) (tenancy.Tenant, error) {
	if t, ok := c.knownTenant(name); ok {
		if c.fresh(ctx) {
			return t, nil
		}
		if t, ok = c.knownTenant(name); ok {
			return t, nil
		}
	}
	key := "tenant " + name
	if err := c.absent.get(key, c.clock.Now()); err != nil {
		return tenancy.Tenant{}, err
	}
	got, err := c.ask(ctx, key, func(ctx context.Context) (any, error) {
		t, err := c.store.TenantByName(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			missing := job.NotFound(job.SubjectTenant, name, "check its name, or make it with `belfry tenant create "+shown(name)+"`")
			c.absent.put(key, missing, c.clock.Now())
			return nil, missing
		}
		if err != nil {
			return nil, fmt.Errorf("read tenant: %w", store.Fault(err))
		}
		c.addTenant(t)
		return t, nil
	})
	if err != nil {
		return tenancy.Tenant{}, err
	}
	t, _ := got.(tenancy.Tenant)
	return t, nil
}

func (c *Catalog) knownTenant(name string) (tenancy.Tenant, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.tenants[name]
	if !ok {
		return tenancy.Tenant{}, false
	}
	if !e.used.Load() { // reading first: a line of memory that many processors write is slow
		e.used.Store(true)
	}
	return e.tenant, true
}

// AddTenant makes a tenant known that has just been made or changed.
func (c *Catalog) AddTenant(t tenancy.Tenant) {
	c.addTenant(t)
	c.absent.drop("tenant " + t.Name)
}

func (c *Catalog) addTenant(t tenancy.Tenant) {
	e := &tenantEntry{tenant: t}
	e.used.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tenants[t.Name] = e
}

// ask puts a question to the store for all who ask the same meanwhile. It goes on if this caller leaves.
func (c *Catalog) ask(ctx context.Context, key string, f func(ctx context.Context) (any, error)) (any, error) {
	done := c.flight.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askWithin)
		defer cancel()
		return f(ctx)
	})
	select {
	case r := <-done:
		return r.Val, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Observe takes in a state of a queue that was read from or written to the store, and tells the hooks if it is news.
func (c *Catalog) Observe(q *Queue) { c.observe([]*Queue{q}) }

func (c *Catalog) observe(queues []*Queue) {
	var news []int32
	c.mu.Lock()
	for _, q := range queues {
		old := c.byID[q.ID]
		if old != nil && old.Revision >= q.Revision {
			continue
		}
		c.place(q)
		if old != nil {
			news = append(news, q.ID)
		}
	}
	c.mu.Unlock()
	if len(news) > 0 {
		c.tell(news)
	}
}

// place replaces what is known of a queue; mu is held.
func (c *Catalog) place(q *Queue) {
	c.byID[q.ID] = q
	name := nameKey{q.TenantName, q.Name}
	current := c.byName[name]
	switch {
	case !q.Deleted && (current == nil || current.ID <= q.ID): // a queue made later has the higher number
		c.byName[name] = q
	case q.Deleted && current != nil && current.ID == q.ID:
		delete(c.byName, name)
	}
}

// tell calls the hooks with the newest state of each queue, unless they have seen it.
func (c *Catalog) tell(ids []int32) {
	c.announce.Lock()
	defer c.announce.Unlock()
	for _, id := range ids {
		c.mu.RLock()
		q := c.byID[id]
		c.mu.RUnlock()
		if c.told[id] >= q.Revision {
			continue
		}
		c.told[id] = q.Revision
		for _, hook := range c.hooks {
			hook(q)
		}
	}
}

// shown makes a name that a caller sent fit for a command line in a message.
func shown(name string) string {
	if tenancy.ValidName(name) {
		return name
	}
	return "NAME"
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }
