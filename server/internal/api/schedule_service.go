package api

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/schedule"
)

// Schedules looks after schedules; schedule.Service is the real one.
type Schedules interface {
	Create(ctx context.Context, call schedule.NewCall) (schedule.View, error)
	CreateAll(ctx context.Context, call schedule.BatchCall) ([]schedule.View, error)
	Get(ctx context.Context, tenant, name string) (schedule.View, error)
	List(ctx context.Context, tenant, after string, limit int) ([]schedule.View, error)
	Update(ctx context.Context, e schedule.Edit) (schedule.View, error)
	Delete(ctx context.Context, tenant, name, etag string) error
	Pause(ctx context.Context, tenant, name, reason string) (schedule.View, error)
	Resume(ctx context.Context, tenant, name string) (schedule.View, error)
	Preview(ctx context.Context, r schedule.PreviewRequest) (schedule.Preview, error)
	Run(ctx context.Context, c schedule.RunCall) (id job.ID, blocked bool, err error)
	Backfill(ctx context.Context, b schedule.Backfill) (schedule.Backfilled, error)
	Occurrences(ctx context.Context, q schedule.OccurrenceQuery) (page []schedule.Occurrence, more time.Time, err error)
}

// ScheduleConfig is what a ScheduleService is made of; all fields are required.
type ScheduleConfig struct {
	Schedules Schedules
	Forecasts Forecasts
	// Validate checks a message by its rules; Validator has it. An update is checked again as the whole that it makes.
	Validate func(m proto.Message) error
	// Now tells the database's time as well as this node knows it.
	Now func() time.Time
}

// ScheduleService implements belfry.v1.ScheduleService. Its requests have passed the Edge. Safe for concurrent use.
type ScheduleService struct{ ScheduleConfig }

// NewScheduleService returns a ScheduleService of config.
func NewScheduleService(config ScheduleConfig) *ScheduleService {
	return &ScheduleService{config}
}

// CreateSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) CreateSchedule(ctx context.Context, req *belfryv1.CreateScheduleRequest) (*belfryv1.CreateScheduleResponse, error) {
	out, err := shown(s.Schedules.Create(ctx, schedule.NewCall{
		Tenant: req.GetTenantId(), Name: req.GetSchedule().GetSchedule(), Draft: scheduleDraft(req.GetSchedule()),
		RequestID: req.GetRequestId(), ValidateOnly: req.GetValidateOnly(),
	}))
	if err != nil {
		return nil, err
	}
	return &belfryv1.CreateScheduleResponse{Schedule: out}, nil
}

// shown converts the answer of a call inward.
func shown(v schedule.View, err error) (*belfryv1.Schedule, error) {
	if err != nil {
		return nil, ruleFault("schedule.spec", err)
	}
	return scheduleProto(v)
}

// GetSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) GetSchedule(ctx context.Context, req *belfryv1.GetScheduleRequest) (*belfryv1.GetScheduleResponse, error) {
	out, err := shown(s.Schedules.Get(ctx, req.GetTenantId(), req.GetSchedule()))
	if err != nil {
		return nil, err
	}
	return &belfryv1.GetScheduleResponse{Schedule: out}, nil
}

// ListSchedules implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) ListSchedules(ctx context.Context, req *belfryv1.ListSchedulesRequest) (*belfryv1.ListSchedulesResponse, error) {
	filter := newListFilter("ListSchedules", req.GetTenantId())
	after, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	views, err := s.Schedules.List(ctx, req.GetTenantId(), string(after), size+1)
	if err != nil {
		return nil, err
	}
	out := &belfryv1.ListSchedulesResponse{}
	if len(views) > size {
		views = views[:size]
		out.NextPageToken = encodePageToken(filter, []byte(views[size-1].Name))
	}
	for _, v := range views {
		one, err := scheduleProto(v)
		if err != nil {
			return nil, err
		}
		out.Schedules = append(out.Schedules, one)
	}
	return out, nil
}

// UpdateSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) UpdateSchedule(ctx context.Context, req *belfryv1.UpdateScheduleRequest) (*belfryv1.UpdateScheduleResponse, error) {
	paths, err := maskPaths(req.GetSchedule(), req.GetUpdateMask(), changeableOfSchedule())
	if err != nil {
		return nil, err
	}
	edit := schedule.Edit{
		Tenant: req.GetTenantId(), Name: req.GetSchedule().GetSchedule(), Etag: req.GetSchedule().GetEtag(),
		ValidateOnly: req.GetValidateOnly(),
		Change: func(current schedule.View) (schedule.Draft, error) {
			return s.applied(current, req.GetSchedule(), paths)
		},
	}
	for range changeTries {
		out, err := shown(s.Schedules.Update(ctx, edit))
		if req.GetAllowMissing() && isMissing(err) {
			if edit.Etag != "" { // it belongs to a schedule that is not there any more
				return nil, job.EtagMismatch(job.SubjectSchedule, edit.Name)
			}
			if out, err = s.createMissing(ctx, req); errors.Is(err, job.ErrAlreadyExists) {
				continue // somebody was quicker
			}
		}
		if err != nil {
			return nil, err
		}
		return &belfryv1.UpdateScheduleResponse{Schedule: out}, nil
	}
	return nil, errOvertaken(job.ErrAlreadyExists)
}

// isMissing reports whether err says that the schedule itself is not there, rather than its queue or tenant.
func isMissing(err error) bool {
	e, ok := job.AsError(err)
	return ok && e.Kind == job.ErrNotFound && e.Subject == job.SubjectSchedule
}

// applied is a stored schedule with some fields of another.
func (s *ScheduleService) applied(current schedule.View, from *belfryv1.Schedule, paths []string) (schedule.Draft, error) {
	whole, err := statedProto(current)
	if err != nil {
		return schedule.Draft{}, err
	}
	applyMask(whole, from, paths)
	// What is stored may have been valid under other rules; only what is changed is checked by today's.
	if len(paths) > 0 {
		if err := s.Validate(&belfryv1.CreateScheduleRequest{Schedule: whole}); err != nil {
			return schedule.Draft{}, err
		}
	}
	return scheduleDraft(whole), nil
}

// createMissing makes the schedule that an update found missing.
func (s *ScheduleService) createMissing(ctx context.Context, req *belfryv1.UpdateScheduleRequest) (*belfryv1.Schedule, error) {
	if err := s.Validate(&belfryv1.CreateScheduleRequest{Schedule: req.GetSchedule()}); err != nil {
		return nil, err
	}
	return shown(s.Schedules.Create(ctx, schedule.NewCall{Tenant: req.GetTenantId(), Name: req.GetSchedule().GetSchedule(),
		Draft: scheduleDraft(req.GetSchedule()), ValidateOnly: req.GetValidateOnly()}))
}

// DeleteSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) DeleteSchedule(ctx context.Context, req *belfryv1.DeleteScheduleRequest) (*belfryv1.DeleteScheduleResponse, error) {
	if err := s.Schedules.Delete(ctx, req.GetTenantId(), req.GetSchedule(), req.GetEtag()); err != nil {
		return nil, err
	}
	return &belfryv1.DeleteScheduleResponse{}, nil
}

// PauseSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) PauseSchedule(ctx context.Context, req *belfryv1.PauseScheduleRequest) (*belfryv1.PauseScheduleResponse, error) {
	out, err := shown(s.Schedules.Pause(ctx, req.GetTenantId(), req.GetSchedule(), req.GetReason()))
	if err != nil {
		return nil, err
	}
	return &belfryv1.PauseScheduleResponse{Schedule: out}, nil
}

// ResumeSchedule implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) ResumeSchedule(ctx context.Context, req *belfryv1.ResumeScheduleRequest) (*belfryv1.ResumeScheduleResponse, error) {
	out, err := shown(s.Schedules.Resume(ctx, req.GetTenantId(), req.GetSchedule()))
	if err != nil {
		return nil, err
	}
	return &belfryv1.ResumeScheduleResponse{Schedule: out}, nil
}

// defaultPreview is how many times are shown if the caller does not say.
const defaultPreview = 5

// PreviewSchedule implements belfryv1connect.ScheduleServiceHandler. It asks no database unless the rule
// names calendars.
func (s *ScheduleService) PreviewSchedule(ctx context.Context, req *belfryv1.PreviewScheduleRequest) (*belfryv1.PreviewScheduleResponse, error) {
	ask := schedule.PreviewRequest{Rule: ruleFrom(req.GetSpec()), Tenant: req.GetTenantId(), Name: req.GetSchedule(),
		After: instantFrom(req.GetAfterTime()), Count: int(req.GetCount())}
	if ask.After.IsZero() {
		ask.After = s.Now()
	}
	if ask.Count == 0 {
		ask.Count = defaultPreview
	}
	p, err := s.Schedules.Preview(ctx, ask)
	if err != nil {
		return nil, ruleFault("spec", err)
	}
	return previewProto(p), nil
}
