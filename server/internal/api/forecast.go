package api

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/schedule"
)

// Forecasts says how much becomes due; schedule.Forecaster is the real one.
type Forecasts interface {
	Forecast(ctx context.Context, tenant string, minutes int) (schedule.Forecast, error)
}

// defaultForecast is how many minutes are looked ahead if the caller does not say.
const defaultForecast = 60

// GetForecast implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) GetForecast(ctx context.Context, req *belfryv1.GetForecastRequest) (*belfryv1.GetForecastResponse, error) {
	minutes := int(req.GetMinutes())
	if minutes == 0 {
		minutes = defaultForecast
	}
	f, err := s.Forecasts.Forecast(ctx, req.GetTenantId(), minutes)
	if err != nil {
		return nil, err
	}
	out := &belfryv1.GetForecastResponse{Complete: f.Complete}
	for _, m := range f.Minutes {
		out.Minutes = append(out.Minutes, &belfryv1.ForecastMinute{Time: timestamppb.New(m.Time), ScheduledJobs: m.Scheduled,
			WaitingJobs: m.Waiting})
	}
	return out, nil
}
