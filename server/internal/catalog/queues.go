package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// Queue answers a tenant's queue by name, for a call that puts jobs into it: if there is none and the tenant allows it,
// the queue is made, once however many ask.
func (c *Catalog) Queue(ctx context.Context, tenant, name string) (*Queue, error) {
	return c.queue(ctx, tenant, name, true)
}

// FindQueue answers a tenant's queue by name and makes none.
func (c *Catalog) FindQueue(ctx context.Context, tenant, name string) (*Queue, error) {
	return c.queue(ctx, tenant, name, false)
}

func (c *Catalog) queue(ctx context.Context, tenant, name string, mayCreate bool) (*Queue, error) {
	if q := c.knownQueue(tenant, name); q != nil {
		if c.fresh(ctx) {
			return q, nil
		}
		if q = c.knownQueue(tenant, name); q != nil {
			return q, nil
		}
	}
	t, err := c.Tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	mayCreate = mayCreate && t.AutoCreateQueues && tenancy.ValidName(name)
	key := "queue " + itoa(t.ID) + " " + name
	if !mayCreate {
		if err := c.absent.get(key, c.clock.Now()); err != nil {
			return nil, err
		}
	}
	flight := key
	if mayCreate {
		flight = "make " + key
	}
	got, err := c.ask(ctx, flight, func(ctx context.Context) (any, error) {
		q, err := c.readQueue(ctx, t, name, mayCreate)
		if errors.Is(err, job.ErrNotFound) {
			c.absent.put(key, err, c.clock.Now())
		}
		return q, err
	})
	if err != nil {
		return nil, err
	}
	q, _ := got.(*Queue)
	return q, nil
}

func (c *Catalog) knownQueue(tenant, name string) *Queue {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.byName[nameKey{tenant, name}]
}

func (c *Catalog) readQueue(ctx context.Context, t tenancy.Tenant, name string, mayCreate bool) (*Queue, error) {
	q, err := c.store.QueueByName(ctx, t.ID, name)
	if errors.Is(err, store.ErrNotFound) && mayCreate {
		q, _, err = c.store.CreateQueue(ctx, store.NewQueue{Tenant: t.ID, TenantName: t.Name, Name: name})
		if errors.Is(err, store.ErrExists) { // another node was quicker
			q, err = c.store.QueueByName(ctx, t.ID, name)
		}
	}
	switch {
	case err == nil:
		c.Observe(q)
		return q, nil
	case errors.Is(err, store.ErrNotFound):
		return nil, c.NoQueue(ctx, t, name)
	}
	return nil, fmt.Errorf("read queue: %w", store.Fault(err))
}

// namesCompared bounds how many names of a tenant are looked at for one that is near.
const namesCompared = 1000

// NoQueue says that a tenant has no queue of that name: with the nearest name it has, and the command that makes it.
func (c *Catalog) NoQueue(ctx context.Context, t tenancy.Tenant, name string) error {
	hint := "make it with `belfry queue create " + shown(name) + "`"
	// Without the names the answer is as true.
	if names, err := c.store.QueueNames(ctx, t.ID, namesCompared); err == nil {
		if near := nearest(name, names); near != "" {
			hint = fmt.Sprintf("did you mean %q? Otherwise %s", near, hint)
		}
	}
	return job.NotFound(job.SubjectQueue, name, hint)
}

// nearest returns the name with the smallest edit distance, if it is small enough to be a slip of the pen; of equal ones
// the first.
func nearest(name string, names []string) string {
	best, at := "", max(2, len(name)/3)+1
	for _, candidate := range names {
		if d := distance(name, candidate, at); d < at {
			best, at = candidate, d
		}
	}
	return best
}

// distance is the optimal string alignment distance of a and b in bytes (insert, delete, replace, swap neighbours), or
// something not below bound if it is not below bound.
func distance(a, b string, bound int) int {
	if len(a)-len(b) >= bound || len(b)-len(a) >= bound {
		return bound
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
