package server

import (
	"context"
	"sync"
	"time"

	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/store"
)

// strays ends jobs that have arrived in a queue after its deletion, through a node that had not heard of it yet. Every
// node hears within the catalog's age, so one look after strayWait is enough; a take-over looks again.
type strays struct {
	mu    sync.Mutex
	queue map[int32]stray
	wake  chan struct{}
}

type stray struct {
	queue *catalog.Queue
	due   time.Time
}

const (
	strayWait  = 10 * time.Second
	strayChunk = 10_000
)

func newStrays() *strays { return &strays{queue: map[int32]stray{}, wake: make(chan struct{}, 1)} }

// add notes a deleted queue.
func (s *strays) add(q *catalog.Queue, now time.Time) {
	s.mu.Lock()
	s.queue[q.ID] = stray{queue: q, due: now.Add(strayWait)}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// take hands over the queues whose wait is over, and says how long to sleep otherwise.
func (s *strays) take(now time.Time) (due []*catalog.Queue, sleep time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sleep = time.Hour
	for id, st := range s.queue {
		if wait := st.due.Sub(now); wait > 0 {
			sleep = min(sleep, wait)
			continue
		}
		due = append(due, st.queue)
		delete(s.queue, id)
	}
	return due, sleep
}

// runStrays cancels strays until ctx ends.
func (s *Server) runStrays(ctx context.Context) error {
	for {
		due, sleep := s.strays.take(s.cfg.Clock.Now())
		for _, q := range due {
			s.cancelStrays(ctx, q)
		}
		timer := s.cfg.Clock.NewTimer(sleep)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C():
		case <-s.strays.wake:
		}
		timer.Stop()
	}
}

func (s *Server) cancelStrays(ctx context.Context, q *catalog.Queue) {
	if _, owned := s.owner.Owned(q.Part); !owned {
		return
	}
	n, err := s.store.CancelWaiting(ctx, store.QueueDeletion{ID: q.ID, Tenant: q.Tenant, Part: q.Part}, strayChunk)
	switch {
	case err != nil && ctx.Err() == nil:
		s.cfg.Log.Warn("jobs of a deleted queue not ended yet", "queue", q.Name, "error", err)
		s.strays.add(q, s.cfg.Clock.Now())
	case n > 0:
		s.cfg.Log.Info("jobs of a deleted queue ended", "queue", q.Name, "jobs", n)
	}
	if n == strayChunk {
		s.strays.add(q, s.cfg.Clock.Now().Add(-strayWait))
	}
}
