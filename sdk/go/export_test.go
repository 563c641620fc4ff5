package belfry

import "github.com/belfryhq/belfry/internal/clock"

// WithClock sets the clock of a client's waits and of its workers.
func WithClock(c clock.Clock) Option { return func(o *options) { o.clock = c } }
