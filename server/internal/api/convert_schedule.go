package api

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/server/internal/store"
)

// changeableOfSchedule lists the fields of a schedule that its callers can change.
func changeableOfSchedule() []string {
	return []string{"spec", "job", "description", "missed_policy", "catchup_window", "max_catchup", "overlap_policy",
		"pause_on_failure"}
}

// scheduleDraft returns what a valid Schedule states.
func scheduleDraft(s *belfryv1.Schedule) schedule.Draft {
	return schedule.Draft{Rule: ruleFrom(s.GetSpec()), Policy: policyFrom(s), Template: templateFrom(s.GetJob()),
		Description: s.GetDescription()}
}

// templateFrom reads the JobSpec of a schedule as that of a job, which gets its due time later.
func templateFrom(spec *belfryv1.JobSpec) store.ScheduleTemplate {
	d := draftOf("schedule.job", spec, "")
	t := store.ScheduleTemplate{Queue: d.queue, JobType: d.jobType, Priority: d.create.Priority, StartWithin: d.create.StartWithin,
		Timeout: d.create.Timeout, Age: d.create.Age}
	t.Payload, t.Body = d.body.Parts()
	return t
}

// templateProto shows what a template states. Errors mean that what is stored is damaged.
func templateProto(t store.ScheduleTemplate) (*belfryv1.JobSpec, error) {
	body, err := job.UnmarshalParts(t.Payload, t.Body)
	if err != nil {
		return nil, err
	}
	payload, err := payloadProto(body.Payload)
	if err != nil {
		return nil, err
	}
	out := &belfryv1.JobSpec{
		Queue: t.Queue, JobType: t.JobType, Priority: proto.Int32(int32(t.Priority)), Payload: payload, Headers: body.Headers,
		RetryPolicy: retryProto(body.Retry), AttemptTimeout: spanProto(t.Timeout), MaxAge: spanProto(body.MaxAge),
	}
	if t.StartWithin != 0 {
		out.StartBy = &belfryv1.JobSpec_StartWithin{StartWithin: spanProto(t.StartWithin)}
	}
	if body.MaxReleases != 0 {
		out.MaxReleases = proto.Int32(body.MaxReleases)
	}
	return out, nil
}

// statedProto shows what a schedule states, and nothing else: what an update is applied to.
func statedProto(v schedule.View) (*belfryv1.Schedule, error) {
	template, err := templateProto(v.Template)
	if err != nil {
		return nil, fmt.Errorf("read template of schedule %d: %w", v.ID, err)
	}
	return &belfryv1.Schedule{
		Schedule:      v.Name,
		Spec:          ruleProto(v.Rule),
		Job:           template,
		Description:   v.Description,
		MissedPolicy:  missedProto(v.Policy.Missed),
		CatchupWindow: spanProto(v.Policy.CatchupWindow),
		MaxCatchup:    int32(v.Policy.MaxCatchup),

		OverlapPolicy:  belfryv1.OverlapPolicy(v.Policy.Overlap),
		PauseOnFailure: v.Policy.PauseOnFailure,
	}, nil
}

// scheduleProto shows a schedule.
func scheduleProto(v schedule.View) (*belfryv1.Schedule, error) {
	out, err := statedProto(v)
	if err != nil {
		return nil, err
	}
	out.TenantId, out.Uid = v.TenantName, v.UID
	out.Paused, out.PauseReason = v.Paused, v.PauseReason
	out.SpecDescription, out.SpecNotes, out.Error, out.Runs = v.Words, v.Notes, v.Fault, v.Runs
	out.NextTime, out.LastTime = instantProto(v.Next), instantProto(v.Last)
	if !v.LastJob.IsZero() {
		out.LastJobId = v.LastJob.String()
	}
	if v.UID != "" { // a schedule that was only checked has none of these
		out.CreateTime, out.UpdateTime = timestamppb.New(v.CreateTime), timestamppb.New(v.UpdateTime)
		out.Etag = v.Etag()
	}
	return out, nil
}
