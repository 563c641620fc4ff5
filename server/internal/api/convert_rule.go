package api

import (
	"errors"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/schedule"
)

// ruleFrom returns what a valid ScheduleSpec states.
func ruleFrom(spec *belfryv1.ScheduleSpec) schedule.Rule {
	return schedule.Rule{
		Cron:     spec.GetCron(),
		RRule:    spec.GetRrule(),
		Every:    spanFrom(spec.GetInterval().GetEvery()),
		Phase:    spanFrom(spec.GetInterval().GetPhase()),
		TimeZone: spec.GetTimeZone(),
		Gap:      gapFrom(spec.GetGapPolicy()),
		Repeat:   repeatFrom(spec.GetRepeatPolicy()),
		Exclude:  spec.GetExcludeDates(),
		Start:    instantFrom(spec.GetStartTime()),
		End:      instantFrom(spec.GetEndTime()),
		MaxRuns:  spec.GetMaxRuns(),
		Jitter:   spanFrom(spec.GetJitter()),

		Calendars: schedule.Named(spec.GetCalendars()),
	}
}

// ruleProto shows a rule; policies that were left to their defaults are spelled out.
func ruleProto(r schedule.Rule) *belfryv1.ScheduleSpec {
	out := &belfryv1.ScheduleSpec{TimeZone: r.TimeZone, GapPolicy: gapProto(r.Gap), RepeatPolicy: repeatProto(r.Repeat),
		ExcludeDates: r.Exclude, StartTime: instantProto(r.Start), EndTime: instantProto(r.End), MaxRuns: r.MaxRuns,
		Jitter: spanProto(r.Jitter), Calendars: r.CalendarNames()}
	switch {
	case r.RRule != "":
		out.Spec = &belfryv1.ScheduleSpec_Rrule{Rrule: r.RRule}
	case r.Every != 0:
		out.Spec = &belfryv1.ScheduleSpec_Interval{Interval: &belfryv1.Interval{Every: spanProto(r.Every), Phase: spanProto(r.Phase)}}
	default:
		out.Spec = &belfryv1.ScheduleSpec_Cron{Cron: r.Cron}
	}
	return out
}

func gapFrom(p belfryv1.GapPolicy) recurrence.GapPolicy {
	if p == belfryv1.GapPolicy_GAP_POLICY_SKIP {
		return recurrence.GapSkip
	}
	return recurrence.GapRunAfter
}

func gapProto(p recurrence.GapPolicy) belfryv1.GapPolicy {
	if p == recurrence.GapSkip {
		return belfryv1.GapPolicy_GAP_POLICY_SKIP
	}
	return belfryv1.GapPolicy_GAP_POLICY_RUN_AFTER
}

func repeatFrom(p belfryv1.RepeatPolicy) recurrence.OverlapPolicy {
	switch p {
	case belfryv1.RepeatPolicy_REPEAT_POLICY_LAST:
		return recurrence.OverlapLast
	case belfryv1.RepeatPolicy_REPEAT_POLICY_BOTH:
		return recurrence.OverlapBoth
	}
	return recurrence.OverlapFirst
}

func repeatProto(p recurrence.OverlapPolicy) belfryv1.RepeatPolicy {
	switch p {
	case recurrence.OverlapLast:
		return belfryv1.RepeatPolicy_REPEAT_POLICY_LAST
	case recurrence.OverlapBoth:
		return belfryv1.RepeatPolicy_REPEAT_POLICY_BOTH
	}
	return belfryv1.RepeatPolicy_REPEAT_POLICY_FIRST
}

// policyFrom returns what a valid Schedule states of missed times; zero values stand for the defaults.
func policyFrom(s *belfryv1.Schedule) schedule.Policy {
	p := schedule.Policy{CatchupWindow: spanFrom(s.GetCatchupWindow()), MaxCatchup: int(s.GetMaxCatchup()),
		Overlap: schedule.Overlap(s.GetOverlapPolicy()), PauseOnFailure: s.GetPauseOnFailure()} // numbered alike
	switch s.GetMissedPolicy() {
	case belfryv1.MissedPolicy_MISSED_POLICY_SKIP:
		p.Missed = schedule.SkipMissed
	case belfryv1.MissedPolicy_MISSED_POLICY_FIRE_ALL:
		p.Missed = schedule.FireAll
	}
	return p
}

func missedProto(p schedule.MissedPolicy) belfryv1.MissedPolicy {
	switch p {
	case schedule.SkipMissed:
		return belfryv1.MissedPolicy_MISSED_POLICY_SKIP
	case schedule.FireAll:
		return belfryv1.MissedPolicy_MISSED_POLICY_FIRE_ALL
	}
	return belfryv1.MissedPolicy_MISSED_POLICY_FIRE_ONCE
}

// ruleFault tells a caller that a rule cannot be used, by the field that it came in.
func ruleFault(spec string, err error) error {
	var refused *schedule.RuleError
	if !errors.As(err, &refused) {
		return err
	}
	fault := ruleViolation(spec, refused)
	return job.Invalid(fault.Field, fault.Description)
}

func ruleViolation(spec string, refused *schedule.RuleError) job.FieldViolation {
	return job.FieldViolation{Field: spec + "." + fieldOf(refused), Description: "cannot be used: " + refused.Error()}
}

// fieldOf names the field of a ScheduleSpec that a fault is about. The parts of a text are not fields.
func fieldOf(e *schedule.RuleError) string {
	switch e.Err.Field {
	case recurrence.FieldStart:
		return "start_time"
	case recurrence.FieldEnd:
		return "end_time"
	case recurrence.FieldExclude:
		return "exclude_dates"
	case recurrence.FieldJitter:
		return "jitter"
	}
	switch {
	case e.Zone:
		return "time_zone"
	case e.Rule.RRule != "":
		return "rrule"
	case e.Rule.Every != 0:
		return "interval"
	}
	return "cron"
}

func previewProto(p schedule.Preview) *belfryv1.PreviewScheduleResponse {
	out := &belfryv1.PreviewScheduleResponse{Description: p.Words, Notes: p.Notes, LeftOut: p.LeftOut,
		ZoneDataVersion: recurrence.ZoneDataVersion}
	for _, t := range p.Times {
		out.Times = append(out.Times, &belfryv1.PreviewedTime{Time: timestamppb.New(t.Time), LocalTime: t.Local.Format(time.RFC3339),
			Note: t.Note, EffectiveTime: instantProto(t.Effective)})
	}
	return out
}
