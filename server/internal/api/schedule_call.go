package api

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/schedule"
)

// RunSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) RunSchedule(ctx context.Context, req *belfryv1.RunScheduleRequest) (*belfryv1.RunScheduleResponse, error) {
	id, blocked, err := s.Schedules.Run(ctx, schedule.RunCall{Tenant: req.GetTenantId(), Name: req.GetSchedule(),
		Overlap: schedule.Overlap(req.GetOverlapPolicy()), RequestID: req.GetRequestId()})
	if err != nil {
		return nil, err
	}
	out := &belfryv1.RunScheduleResponse{JobId: id.String(), State: belfryv1.JobState_JOB_STATE_PENDING}
	if blocked {
		out.State = belfryv1.JobState_JOB_STATE_BLOCKED
	}
	return out, nil
}

// BackfillSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) BackfillSchedule(ctx context.Context, req *belfryv1.BackfillScheduleRequest) (*belfryv1.BackfillScheduleResponse, error) {
	from, until := instantFrom(req.GetStartTime()), instantFrom(req.GetEndTime())
	for _, field := range []struct {
		name string
		at   time.Time
	}{{"start_time", from}, {"end_time", until}} {
		if field.at.Year() < 1970 {
			return nil, job.Invalid(field.name, "must not be before 1970")
		}
	}
	made, err := s.Schedules.Backfill(ctx, schedule.Backfill{Tenant: req.GetTenantId(), Name: req.GetSchedule(), From: from, Until: until,
		Overlap: schedule.Overlap(req.GetOverlapPolicy()), PerMinute: int(req.GetMaxPerMinute()), RequestID: req.GetRequestId(),
		ValidateOnly: req.GetValidateOnly()})
	if err != nil {
		return nil, err
	}
	return &belfryv1.BackfillScheduleResponse{Jobs: int32(made.Jobs), FirstTime: timestamppb.New(made.First),
		LastTime: timestamppb.New(made.Last), LastDueTime: timestamppb.New(made.LastDue)}, nil
}
