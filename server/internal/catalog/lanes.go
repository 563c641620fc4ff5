package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// EnsureLane answers the lane of a job type in a queue, and makes it if need be. A deleted queue is job.ErrNotFound; one
// with too many job types is job.ErrLimit.
func (c *Catalog) EnsureLane(ctx context.Context, q *Queue, jobType string) (Lane, error) {
	if lane, ok := c.laneOf(q.ID, jobType); ok {
		if lane.Queue.Deleted {
			return Lane{}, noSuchQueue(q)
		}
		return lane, nil
	}
	_, err := c.ask(ctx, "lane "+itoa(q.ID)+" "+jobType, func(ctx context.Context) (any, error) {
		lane, err := c.store.EnsureLane(ctx, q.ID, jobType)
		switch {
		case errors.Is(err, store.ErrNotFound):
			if gone, err := c.store.QueuesByID(ctx, []int32{q.ID}); err == nil {
				c.observe(gone)
			}
			return nil, noSuchQueue(q)
		case err != nil:
			return nil, fmt.Errorf("make lane: %w", store.Fault(err))
		}
		c.observe([]*Queue{q})
		c.addLanes([]store.Lane{lane})
		return nil, nil
	})
	if err != nil {
		return Lane{}, err
	}
	lane, _ := c.laneOf(q.ID, jobType)
	return lane, nil
}

func noSuchQueue(q *Queue) error {
	return job.NotFound(job.SubjectQueue, q.Name, "it has been deleted; make it again with `belfry queue create "+q.Name+"`")
}

func (c *Catalog) laneOf(queue int32, jobType string) (Lane, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	number, ok := c.byType[typeKey{queue, jobType}]
	if !ok {
		return Lane{}, false
	}
	return c.laneLocked(number)
}

func (c *Catalog) laneLocked(number int32) (Lane, bool) {
	e, ok := c.lanes[number]
	if !ok {
		return Lane{}, false
	}
	return Lane{Number: number, Type: e.jobType, Queue: c.byID[e.queue]}, true
}

// Lane answers a lane by number, also one of a deleted queue.
func (c *Catalog) Lane(ctx context.Context, number int32) (Lane, error) {
	c.mu.RLock()
	lane, ok := c.laneLocked(number)
	c.mu.RUnlock()
	if ok {
		c.touch()
		return lane, nil
	}
	key := "lane " + itoa(number)
	if err := c.absent.get(key, c.clock.Now()); err != nil {
		return Lane{}, err
	}
	_, err := c.ask(ctx, key, func(ctx context.Context) (any, error) {
		if err := c.readLanes(ctx, []int32{number}); err != nil {
			return nil, err
		}
		c.mu.RLock()
		defer c.mu.RUnlock()
		if _, ok := c.lanes[number]; !ok {
			missing := noSuchLane(number)
			c.absent.put(key, missing, c.clock.Now())
			return nil, missing
		}
		return nil, nil
	})
	if err != nil {
		return Lane{}, err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	lane, _ = c.laneLocked(number)
	return lane, nil
}

func noSuchLane(number int32) error {
	return &job.Error{Kind: job.ErrNotFound, Subject: job.SubjectJob, Msg: fmt.Sprintf("there is no lane %d", number)}
}

// Lanes answers many lanes; those that do not exist are missing.
func (c *Catalog) Lanes(ctx context.Context, numbers []int32) (map[int32]Lane, error) {
	out := make(map[int32]Lane, len(numbers))
	missing := c.collect(numbers, out)
	if len(missing) == 0 {
		return out, nil
	}
	if err := c.readLanes(ctx, missing); err != nil {
		return nil, err
	}
	c.collect(missing, out)
	return out, nil
}

func (c *Catalog) collect(numbers []int32, into map[int32]Lane) (missing []int32) {
	c.touch()
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, number := range numbers {
		if lane, ok := c.laneLocked(number); ok {
			into[number] = lane
		} else {
			missing = append(missing, number)
		}
	}
	return missing
}

// LanesOf answers the lanes of a queue that this node has met, with q as their queue.
func (c *Catalog) LanesOf(q *Queue) []Lane {
	c.mu.RLock()
	defer c.mu.RUnlock()
	lanes := make([]Lane, 0, len(c.ofQueue[q.ID]))
	for _, number := range c.ofQueue[q.ID] {
		lanes = append(lanes, Lane{Number: number, Type: c.lanes[number].jobType, Queue: q})
	}
	return lanes
}

// readLanes makes lanes and their queues known, as far as they exist.
func (c *Catalog) readLanes(ctx context.Context, numbers []int32) error {
	lanes, err := c.store.LanesByNumber(ctx, numbers)
	if err != nil {
		return fmt.Errorf("read lanes: %w", store.Fault(err))
	}
	if unknown := c.unknownQueues(lanes); len(unknown) > 0 {
		queues, err := c.store.QueuesByID(ctx, unknown)
		if err != nil {
			return fmt.Errorf("read queues of lanes: %w", store.Fault(err))
		}
		c.observe(queues)
	}
	c.addLanes(lanes)
	return nil
}

func (c *Catalog) unknownQueues(lanes []store.Lane) []int32 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	seen := map[int32]bool{}
	var unknown []int32
	for _, l := range lanes {
		if c.byID[l.Queue] == nil && !seen[l.Queue] {
			seen[l.Queue] = true
			unknown = append(unknown, l.Queue)
		}
	}
	return unknown
}

// addLanes makes lanes known whose queues are.
func (c *Catalog) addLanes(lanes []store.Lane) {
	c.mu.Lock()
	for _, l := range lanes {
		if _, known := c.lanes[l.Number]; known {
			continue
		}
		c.lanes[l.Number] = laneEntry{jobType: l.Type, queue: l.Queue}
		c.byType[typeKey{l.Queue, l.Type}] = l.Number
		c.ofQueue[l.Queue] = append(c.ofQueue[l.Queue], l.Number)
	}
	c.mu.Unlock()
	for _, l := range lanes {
		c.absent.drop("lane " + itoa(l.Number))
	}
}
