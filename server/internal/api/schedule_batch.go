package api

import (
	"context"
	"errors"
	"fmt"
	"strings"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/schedule"
)

// BatchCreateSchedules implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) BatchCreateSchedules(ctx context.Context, req *belfryv1.BatchCreateSchedulesRequest) (*belfryv1.BatchCreateSchedulesResponse, error) {
	call := schedule.BatchCall{Tenant: req.GetTenantId(), RequestID: req.GetRequestId(), ValidateOnly: req.GetValidateOnly(),
		Items: make([]schedule.NamedDraft, len(req.GetSchedules()))}
	for i, one := range req.GetSchedules() {
		call.Items[i] = schedule.NamedDraft{Name: one.GetSchedule(), Draft: scheduleDraft(one)}
	}
	views, err := s.Schedules.CreateAll(ctx, call)
	if err != nil {
		return nil, batchFault(err)
	}
	out := &belfryv1.BatchCreateSchedulesResponse{Schedules: make([]*belfryv1.Schedule, len(views))}
	for i, v := range views {
		if out.Schedules[i], err = scheduleProto(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// maxNamedItems is how many items the message of a refused batch names.
const maxNamedItems = 5

// batchFault tells a caller which items of a batch are at fault.
func batchFault(err error) error {
	var batch *schedule.BatchError
	if !errors.As(err, &batch) {
		return err
	}
	var fields []job.FieldViolation
	var texts []string
	var first *job.Error
	for _, item := range batch.Items {
		at := fmt.Sprintf("schedules[%d]", item.Index)
		var rule *schedule.RuleError
		if errors.As(item.Err, &rule) {
			fields = append(fields, ruleViolation(at+".spec", rule))
			continue
		}
		e, ok := job.AsError(item.Err)
		if !ok {
			return err
		}
		if first == nil {
			first = e
		}
		texts = append(texts, at+": "+e.Msg)
	}
	if len(fields) > 0 {
		return job.InvalidFields(fields)
	}
	if more := len(texts) - maxNamedItems; more > 0 {
		texts = append(texts[:maxNamedItems], fmt.Sprintf("and %d more", more))
	}
	whole := *first
	whole.Msg = strings.Join(texts, "; ")
	return &whole
}
