package api

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/server/internal/store"
)

// ListOccurrences implements belfryv1connect.ScheduleServiceHandler.
func (s *ScheduleService) ListOccurrences(ctx context.Context, req *belfryv1.ListOccurrencesRequest) (*belfryv1.ListOccurrencesResponse, error) {
	q := schedule.OccurrenceQuery{Tenant: req.GetTenantId(), Name: req.GetSchedule(), From: instantFrom(req.GetStartTime()),
		Before: instantFrom(req.GetEndTime()), Limit: pageSize(req.GetPageSize()),
		Origin: store.OccurrenceOrigin(cmp.Or(req.GetOrigin(), belfryv1.OccurrenceOrigin_OCCURRENCE_ORIGIN_RULE))} // numbered alike
	if !q.Before.IsZero() && !q.From.Before(q.Before) {
		return nil, job.Invalid("end_time", "must be after start_time")
	}
	for _, outcome := range req.GetOutcomes() {
		if outcome == belfryv1.OccurrenceOutcome_OCCURRENCE_OUTCOME_UNSPECIFIED {
			return nil, job.Invalid("outcomes", "must not hold UNSPECIFIED; leave the list empty for all outcomes")
		}
		q.Results = append(q.Results, schedule.Result(outcome))
	}
	filter := newListFilter("ListOccurrences", q.Tenant, q.Name, fmt.Sprint(req.GetStartTime().AsTime().UnixNano(),
		req.GetEndTime().AsTime().UnixNano(), req.GetOutcomes(), q.Origin))
	position, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	if len(position) > 0 {
		if len(position) != 8 {
			return nil, errPageToken()
		}
		q.Before = time.UnixMicro(int64(binary.BigEndian.Uint64(position))).UTC()
	}
	page, more, err := s.Schedules.Occurrences(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &belfryv1.ListOccurrencesResponse{}
	for _, o := range page {
		out.Occurrences = append(out.Occurrences, occurrenceProto(o))
	}
	if !more.IsZero() {
		out.NextPageToken = encodePageToken(filter, binary.BigEndian.AppendUint64(nil, uint64(more.UnixMicro())))
	}
	return out, nil
}

// occurrenceProto shows an occurrence. The results are numbered like the outcomes of the API.
func occurrenceProto(o schedule.Occurrence) *belfryv1.Occurrence {
	out := &belfryv1.Occurrence{NominalTime: timestamppb.New(o.Nominal), Outcome: belfryv1.OccurrenceOutcome(o.Result), Reason: o.Reason,
		EffectiveTime: instantProto(o.Effective), Revision: o.Revision, Origin: belfryv1.OccurrenceOrigin(o.Origin)}
	if !o.Job.IsZero() {
		out.JobId = o.Job.String()
	}
	if !o.Effective.IsZero() {
		out.Lateness = durationpb.New(o.Late)
	}
	return out
}
