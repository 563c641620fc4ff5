package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Intervals and sizes of maintenance.
const (
	maintainInterval = 15 * time.Minute
	requestAge       = 24 * time.Hour // how long a request id is remembered, at least
	sweepChunk       = 10_000
)

// maintain makes history partitions for the coming week. The server does not serve before it has worked once: without a
// partition no job could end.
func (s *Server) maintain(ctx context.Context) error {
	now, err := s.store.Now(ctx)
	if err != nil {
		return err
	}
	classes, err := s.store.RetentionInUse(ctx)
	if err != nil {
		return fmt.Errorf("read retention classes: %w", err)
	}
	if err := s.store.EnsureHistory(ctx, now, classes); err != nil {
		return fmt.Errorf("make history partitions: %w", err)
	}
	return nil
}

// maintainLoop makes history partitions ahead, drops those whose retention is over, corrects the next times of schedules, and
// forgets old request ids.
func (s *Server) maintainLoop(ctx context.Context) error {
	for {
		if err := s.maintainOnce(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("maintenance incomplete; tried again later", "error", err)
		}
		if clock.Sleep(ctx, s.cfg.Clock, maintainInterval) != nil {
			return nil
		}
	}
}

func (s *Server) maintainOnce(ctx context.Context) error {
	faults := []error{s.maintain(ctx), s.retime(ctx)}
	now, err := s.store.Now(ctx)
	if err != nil {
		return errors.Join(append(faults, err)...)
	}
	dropped, err := s.store.DropHistory(ctx, now)
	if len(dropped) > 0 {
		s.cfg.Log.Info("history dropped", "tables", dropped)
	}
	faults = append(faults, err)
	faults = append(faults, sweep(ctx, "forget request ids", requestAge, s.store.SweepRequests),
		sweep(ctx, "forget occurrences", store.LedgerAge, s.store.SweepOccurrences))
	return errors.Join(faults...)
}

// retime corrects the next times of schedules after a change of the time zone database.
func (s *Server) retime(ctx context.Context) error {
	changed, err := schedule.Retime(ctx, s.store)
	if changed > 0 {
		s.cfg.Log.Info("next times of schedules corrected by a new time zone database", "schedules", changed, "release", recurrence.ZoneDataVersion)
		s.schedule.Poke()
	}
	return err
}

// sweep removes what is older than age, chunk by chunk.
func sweep(ctx context.Context, what string, age time.Duration, chunk func(ctx context.Context, age time.Duration, limit int) (int64, error)) error {
	for {
		n, err := chunk(ctx, age, sweepChunk)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if n < sweepChunk {
			return nil
		}
	}
}
