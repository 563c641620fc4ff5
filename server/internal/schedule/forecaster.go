package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// Loads is where the coming load is read; store.Store is the real one.
type Loads interface {
	Partitions() int
	Forecast(ctx context.Context, read func(*store.Forecast) error) error
}

// Tenants knows tenants; catalog.Catalog is the real one.
type Tenants interface {
	Tenant(ctx context.Context, name string) (tenancy.Tenant, error)
}

// ForecastConfig is what a Forecaster is made of. A zero Longest takes the default, the other fields are required.
type ForecastConfig struct {
	Loads   Loads
	Tenants Tenants
	Clock   clock.Clock
	Longest time.Duration // that a forecast may take; default 2 s
}

// Bounds of one forecast.
const (
	longestForecast = 2 * time.Second
	// Beyond the farthest look-ahead (horizons) and the pass that makes it, no job of a schedule has been made ahead.
	farthestAhead = 15 * time.Minute

	forecastPage = 2000      // schedules read at a time
	forecastRows = 2_000_000 // jobs looked at
	lanesApart   = 500       // lanes of a tenant that are read one by one; with more, all jobs of its partitions are looked at
	maxLanes     = 50_000    // lanes of a tenant that are known
)

// Forecaster says how much becomes due in the coming minutes. One forecast is made at a time, as it may keep a processor of
// the database busy. Safe for concurrent use.
type Forecaster struct {
	ForecastConfig
	turn chan struct{} // holds one token
}

// NewForecaster returns a Forecaster.
func NewForecaster(cfg ForecastConfig) *Forecaster {
	if cfg.Longest == 0 {
		cfg.Longest = longestForecast
	}
	f := &Forecaster{ForecastConfig: cfg, turn: make(chan struct{}, 1)}
	f.turn <- struct{}{}
	return f
}

// Forecast counts what becomes due in so many minutes, the present one first, of a tenant or of all (tenancy.AllTenants). Where
// its time ends before everything is counted, the nearest jobs are counted first. Errors: job.ErrUnavailable, also if others
// ask for forecasts all the time.
func (f *Forecaster) Forecast(ctx context.Context, tenant string, minutes int) (Forecast, error) {
	var of tenancy.Tenant
	if tenant != tenancy.AllTenants {
		var err error
		if of, err = f.Tenants.Tenant(ctx, tenant); err != nil {
			return Forecast{}, err
		}
	}
	if err := f.await(ctx); err != nil {
		return Forecast{}, err
	}
	defer func() { f.turn <- struct{}{} }()
	var out Forecast
	began := f.Clock.Now()
	err := f.Loads.Forecast(ctx, func(look *store.Forecast) error {
		survey := &survey{look: look, clock: f.Clock, began: began, longest: f.Longest, tenant: of, rows: forecastRows}
		// A part of the time is left for the jobs that are read behind the schedules.
		survey.tally = newTally(look.Now, minutes, func() bool { return survey.left() < f.Longest/4 })
		complete, err := survey.count(ctx, f.Loads.Partitions())
		out = survey.tally.forecast(complete)
		return err
	})
	if err != nil {
		return Forecast{}, fmt.Errorf("make forecast: %w", store.Fault(err))
	}
	return out, nil
}

// await takes the turn, if it comes within the time of a forecast.
func (f *Forecaster) await(ctx context.Context) error {
	select {
	case <-f.turn: // however short the time is
		return nil
	default:
	}
	timer := f.Clock.NewTimer(f.Longest)
	defer timer.Stop()
	select {
	case <-f.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C():
		return &job.Error{Kind: job.ErrUnavailable, RetryAfter: f.Longest,
			Msg: "other forecasts are being made, one at a time; repeat the call"}
	}
}

// survey is the work on one forecast.
type survey struct {
	look    *store.Forecast
	clock   clock.Clock
	began   time.Time
	longest time.Duration
	tenant  tenancy.Tenant // the zero one: all
	tally   *tally
	parts   []int16
	lanes   []int32
	rows    int // jobs that may still be looked at
}

func (s *survey) all() bool { return s.tenant.ID == 0 }

func (s *survey) left() time.Duration { return s.longest - s.clock.Since(s.began) }

// count counts everything; false if it had to stop before.
func (s *survey) count(ctx context.Context, partitions int) (complete bool, err error) {
	known, err := s.find(ctx, partitions)
	if err != nil {
		return false, err
	}
	farthest := s.look.Now.Add(farthestAhead)
	complete = true
	for _, step := range []func() (bool, error){
		func() (bool, error) {
			return s.jobs(ctx, store.ForecastJobs{From: s.look.Now, To: farthest, Near: true})
		},
		func() (bool, error) { return s.schedules(ctx) },
		func() (bool, error) {
			return s.jobs(ctx, store.ForecastJobs{From: farthest.Add(-time.Microsecond), To: s.tally.until()})
		},
	} {
		whole, err := step()
		if store.IsContention(err) { // its time was over, and with it the look at the database
			return false, nil
		}
		if err != nil {
			return false, err
		}
		complete = complete && whole
	}
	return complete && known, nil
}

// find says where to look for jobs; false if the tenant has more lanes than can be known.
func (s *survey) find(ctx context.Context, partitions int) (bool, error) {
	if s.all() {
		for part := range partitions {
			s.parts = append(s.parts, int16(part))
		}
		return true, nil
	}
	var err error
	if s.parts, err = s.look.Parts(ctx, s.tenant.ID); err != nil {
		return false, err
	}
	s.lanes, err = s.look.Lanes(ctx, s.tenant.ID, maxLanes)
	return len(s.lanes) < maxLanes, err
}

// jobs counts those that exist already.
func (s *survey) jobs(ctx context.Context, q store.ForecastJobs) (whole bool, err error) {
	if until := s.tally.until(); q.To.After(until) {
		q.To = until
	}
	if !s.all() {
		q.Lanes, q.ByLane = s.lanes, len(s.lanes) <= lanesApart
	}
	if !q.From.Before(q.To) || !s.all() && len(s.lanes) == 0 {
		return true, nil
	}
	for _, q.Part = range s.parts {
		q.Within, q.Limit = s.left(), s.rows
		if q.Within <= 0 || q.Limit <= 0 {
			return false, nil
		}
		loads, seen, err := s.look.Jobs(ctx, q)
		if err != nil {
			return false, err
		}
		s.tally.addJobs(loads)
		if s.rows -= seen; seen >= q.Limit {
			return false, nil
		}
	}
	return true, nil
}

// schedules counts what their rules say.
func (s *survey) schedules(ctx context.Context) (whole bool, err error) {
	if !s.all() {
		return s.pages(func(p store.ForecastPage) ([]store.ForecastSchedule, error) {
			return s.look.SchedulesOf(ctx, s.tenant.ID, p)
		})
	}
	for _, part := range s.parts {
		whole, err = s.pages(func(p store.ForecastPage) ([]store.ForecastSchedule, error) { return s.look.Schedules(ctx, part, p) })
		if err != nil || !whole {
			return false, err
		}
	}
	return true, nil
}

func (s *survey) pages(read func(store.ForecastPage) ([]store.ForecastSchedule, error)) (whole bool, err error) {
	page := store.ForecastPage{Until: s.tally.until(), Limit: forecastPage}
	for {
		if s.tally.stop() {
			return false, nil
		}
		page.Within = s.left()
		list, err := read(page)
		if err != nil {
			return false, err
		}
		for i := range list {
			if !s.all() {
				list[i].Tenant = s.tenant.Name
			}
			s.tally.addSchedule(list[i])
		}
		if len(list) < page.Limit {
			return true, nil
		}
		page.After = &list[len(list)-1]
	}
}
