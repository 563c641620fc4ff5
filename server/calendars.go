package server

import (
	"context"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

// calendarInterval is how often changes of calendars are looked for that broke off. It costs one look at an index of those
// alone.
const calendarInterval = 10 * time.Second

// calendarLoop completes changes of calendars that broke off half-way.
func (s *Server) calendarLoop(ctx context.Context) error {
	for {
		if clock.Sleep(ctx, s.cfg.Clock, calendarInterval) != nil {
			return nil
		}
		finished, err := s.schedules.FinishCalendars(ctx)
		if finished > 0 {
			s.cfg.Log.Info("changes of calendars completed that had broken off", "calendars", finished)
		}
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("changes of calendars not completed; tried again shortly", "error", err)
		}
	}
}
