package catalog

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

const (
	checkAfter  = 3 * time.Second // a use starts a check from then on
	freshFor    = 5 * time.Second // a use waits for a check from then on
	checkWithin = 2 * time.Second // bound on a check
	retryAfter  = time.Second     // how long the store is left alone after a failed one
	readChunk   = 1000            // rows asked for at once
)

// checker is the state of the common check. at is written by the check under way alone.
type checker struct {
	at atomic.Int64 // when the latest check that succeeded began, nanoseconds since the Unix epoch

	mu      sync.Mutex // guards what follows
	running chan struct{}
	failed  time.Time // when the latest check failed; zero: it did not

	configs map[int16]int64 // version up to which the queues of a partition are known; of the check under way alone
}

func (c *Catalog) age(now time.Time) time.Duration { return now.Sub(time.Unix(0, c.check.at.Load())) }

// touch starts a check if the latest one is old.
func (c *Catalog) touch() {
	if now := c.clock.Now(); c.age(now) >= checkAfter {
		c.start(now)
	}
}

// fresh reports whether what is remembered may be answered as it stands. If not, it has waited for a check, and what is
// remembered now is the best there is.
func (c *Catalog) fresh(ctx context.Context) bool {
	now := c.clock.Now()
	age := c.age(now)
	if age < checkAfter {
		return true
	}
	done := c.start(now)
	if age < freshFor || done == nil {
		return true
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
	return false
}

// start makes sure that a check is under way and returns what is closed at its end. It returns nil where waiting is no
// use: a check has failed just now.
func (c *Catalog) start(now time.Time) <-chan struct{} {
	c.check.mu.Lock()
	defer c.check.mu.Unlock()
	down := !c.check.failed.IsZero() && now.Sub(c.check.failed) < freshFor
	if c.check.running != nil || down && now.Sub(c.check.failed) < retryAfter {
		return unless(down, c.check.running)
	}
	done := make(chan struct{})
	c.check.running = done
	// It ends by itself within checkWithin; all who use the catalog meanwhile share it.
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), checkWithin)
		defer cancel()
		err := c.checkAll(ctx, now)
		c.check.mu.Lock()
		defer c.check.mu.Unlock()
		c.check.failed = time.Time{}
		if err != nil {
			c.check.failed = c.clock.Now()
		}
		c.check.running = nil
		close(done)
	}()
	return unless(down, done)
}

func unless(down bool, done <-chan struct{}) <-chan struct{} {
	if down {
		return nil
	}
	return done
}

// checkAll compares everything that is remembered with the store.
func (c *Catalog) checkAll(ctx context.Context, began time.Time) error {
	states, err := c.store.PartitionStates(ctx)
	if err != nil {
		return fmt.Errorf("read configuration versions: %w", err)
	}
	// The versions were read first: a change behind them raises its version above what is noted here.
	for _, p := range states {
		if known, ok := c.check.configs[p.Part]; ok && known == p.Config {
			continue
		}
		if err := c.Refresh(ctx, p.Part); err != nil {
			return err
		}
		c.check.configs[p.Part] = p.Config
	}
	if err := c.refreshTenants(ctx); err != nil {
		return err
	}
	c.check.at.Store(began.UnixNano())
	return nil
}

// Refresh reads all queues of a partition again that this node has met, and tells the hooks what has changed. The owner
// of the partition calls it when the configuration version has moved, before it claims under the new one.
func (c *Catalog) Refresh(ctx context.Context, part int16) error {
	var ids []int32
	c.mu.RLock()
	for id, q := range c.byID {
		if q.Part == part && !q.Deleted {
			ids = append(ids, id)
		}
	}
	c.mu.RUnlock()
	for len(ids) > 0 {
		n := min(len(ids), readChunk)
		queues, err := c.store.QueuesByID(ctx, ids[:n])
		if err != nil {
			return fmt.Errorf("read queues of partition %d: %w", part, store.Fault(err))
		}
		c.observe(queues)
		ids = ids[n:]
	}
	return nil
}

// refreshTenants reads those tenants again that have been asked for since the check before, and forgets the others.
func (c *Catalog) refreshTenants(ctx context.Context) error {
	used, idle := c.sortTenants()
	found := map[int32]tenancy.Tenant{}
	for rest := used; len(rest) > 0; {
		n := min(len(rest), readChunk)
		ids := make([]int32, n)
		for i, e := range rest[:n] {
			ids[i] = e.tenant.ID
		}
		tenants, err := c.store.TenantsByID(ctx, ids)
		if err != nil {
			return fmt.Errorf("read tenants: %w", store.Fault(err))
		}
		for _, t := range tenants {
			found[t.ID] = t
		}
		rest = rest[n:]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range idle {
		if c.tenants[e.tenant.Name] == e && !e.used.Load() {
			delete(c.tenants, e.tenant.Name)
		}
	}
	for _, e := range used {
		if c.tenants[e.tenant.Name] != e {
			continue // replaced meanwhile, by something newer
		}
		if t, ok := found[e.tenant.ID]; ok {
			c.tenants[t.Name] = &tenantEntry{tenant: t}
		} else {
			delete(c.tenants, e.tenant.Name)
		}
	}
	return nil
}

// sortTenants parts the tenants that have been asked for since the latest call from the others.
func (c *Catalog) sortTenants() (used, idle []*tenantEntry) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, e := range c.tenants {
		if e.used.Swap(false) {
			used = append(used, e)
		} else {
			idle = append(idle, e)
		}
	}
	return used, idle
}
