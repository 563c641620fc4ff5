package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func (p *Program) scheduleCommand() *cobra.Command {
	return group("schedule", "Manage recurring work", scheduleCreate(), scheduleGet(), scheduleList(), scheduleUpdate(),
		scheduleDelete(), schedulePause(), scheduleResume(), scheduleRun(), scheduleBackfill(), scheduleOccurrences(),
		scheduleForecast(), p.previewCommand())
}

var scheduleColumns = []column[*v1.Schedule]{
	{"SCHEDULE", (*v1.Schedule).GetSchedule},
	{"RULE", func(s *v1.Schedule) string { return ruleText(s.GetSpec()) }},
	{"ZONE", func(s *v1.Schedule) string { return s.GetSpec().GetTimeZone() }},
	{"QUEUE", func(s *v1.Schedule) string { return s.GetJob().GetQueue() }},
	{"PAUSED", func(s *v1.Schedule) string { return yes(s.GetPaused()) }},
	{"NEXT", func(s *v1.Schedule) string { return timeText(s.GetNextTime()) }},
	{"LAST", func(s *v1.Schedule) string { return timeText(s.GetLastTime()) }},
	{"ERROR", (*v1.Schedule).GetError},
}

var scheduleDetails = slices.Concat(scheduleColumns, []column[*v1.Schedule]{
	{"MEANING", (*v1.Schedule).GetSpecDescription},
}, ruleDetails, []column[*v1.Schedule]{
	{"DESCRIPTION", (*v1.Schedule).GetDescription},
	{"TYPE", func(s *v1.Schedule) string { return s.GetJob().GetJobType() }},
	{"PAYLOAD", func(s *v1.Schedule) string { return payloadText(s.GetJob().GetPayload()) }},
	{"LAST-JOB", (*v1.Schedule).GetLastJobId},
	{"PAUSE-ON-FAILURE", func(s *v1.Schedule) string { return yes(s.GetPauseOnFailure()) }},
	{"PAUSE-REASON", (*v1.Schedule).GetPauseReason},
	{"CREATED", func(s *v1.Schedule) string { return timeText(s.GetCreateTime()) }},
	{"UPDATED", func(s *v1.Schedule) string { return timeText(s.GetUpdateTime()) }},
	{"ETAG", (*v1.Schedule).GetEtag},
})

// scheduleFlags are a rule and the job it makes.
type scheduleFlags struct {
	rule ruleFlags
	spec specFlags
}

func (f *scheduleFlags) add(cmd *cobra.Command) {
	f.rule.add(cmd)
	cmd.Flags().String("description", "", "`text` for people")
	f.spec.add(cmd)
}

// apply writes what the flags say over schedule, and returns the fields that is.
func (f *scheduleFlags) apply(cmd *cobra.Command, schedule *v1.Schedule) ([]string, error) {
	if schedule.Job == nil {
		schedule.Job = new(v1.JobSpec)
	}
	if schedule.Spec == nil {
		schedule.Spec = new(v1.ScheduleSpec)
	}
	paths, err := f.rule.apply(cmd, schedule)
	if err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("description") {
		schedule.Description = stringFlag(cmd, "description")
		paths = append(paths, "description")
	}
	changed, err := f.spec.apply(cmd, schedule.Job)
	if changed {
		paths = append(paths, "job")
	}
	return paths, err
}

func scheduleCreate() *cobra.Command {
	var f scheduleFlags
	return call{
		use: "create SCHEDULE", short: "Create a schedule", args: []string{"SCHEDULE"}, flags: f.add,
		long: `Create a schedule: at each time of its rule it makes a job.

A time at which another run of the schedule is alive is skipped, unless --overlap
says otherwise. belfry schedule occurrences shows what was skipped, and why.

belfry schedule preview shows beforehand when a rule fires.`,
		example: `  belfry schedule create payroll --cron '0 9 1 * *' --timezone Europe/Berlin --queue payroll
  belfry schedule create report --rrule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0' --exclude 12-25 -q reports
  belfry schedule create sync --every 90m --missed skip --overlap buffer-one -q sync
  belfry schedule create pulse --cron '*/10 * * * * *' -q hello --json '{"beat": true}'`,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			if err := need(cmd, "queue"); err != nil {
				return err
			}
			schedule := &v1.Schedule{Schedule: args[0]}
			if _, err := f.apply(cmd, schedule); err != nil {
				return err
			}
			if schedule.GetSpec().GetSpec() == nil {
				return usage("one of --cron, --rate, --every and --rrule is required")
			}
			answered, err := s.Schedules().CreateSchedule(ctx, &v1.CreateScheduleRequest{TenantId: s.tenant, Schedule: schedule})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetSchedule(), scheduleDetails, answered.GetSchedule())
		},
	}.command()
}

// scheduleUpdate reads the schedule and writes it back changed, under its etag: a flag may set a part of the rule or of
// the template only.
func scheduleUpdate() *cobra.Command {
	var f scheduleFlags
	return call{
		use: "update SCHEDULE", short: "Change a schedule; what is not given stays", args: []string{"SCHEDULE"},
		example: "  belfry schedule update payroll --cron '0 8 1 * *'",
		flags: func(cmd *cobra.Command) {
			f.add(cmd)
			cmd.Flags().String("etag", "", "change it only if its `etag` is still this one")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			found, err := s.Schedules().GetSchedule(ctx, &v1.GetScheduleRequest{TenantId: s.tenant, Schedule: args[0]})
			if err != nil {
				return err
			}
			schedule := found.GetSchedule()
			paths, err := f.apply(cmd, schedule)
			if err != nil {
				return err
			}
			if len(paths) == 0 {
				return usage("nothing to change; give what is to change")
			}
			if etag := stringFlag(cmd, "etag"); etag != "" {
				schedule.Etag = etag
			}
			answered, err := s.Schedules().UpdateSchedule(ctx, &v1.UpdateScheduleRequest{TenantId: s.tenant, Schedule: schedule,
				UpdateMask: &fieldmaskpb.FieldMask{Paths: paths}})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetSchedule(), scheduleDetails, answered.GetSchedule())
		},
	}.command()
}

func scheduleGet() *cobra.Command {
	return call{
		use: "get SCHEDULE", short: "Show a schedule", args: []string{"SCHEDULE"},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Schedules().GetSchedule(ctx, &v1.GetScheduleRequest{TenantId: s.tenant, Schedule: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetSchedule(), scheduleDetails, answered.GetSchedule())
		},
	}.command()
}

func scheduleList() *cobra.Command {
	return call{
		use: "list", short: "List schedules by name", flags: addLimit,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			all, err := collect(cmd, func(size int32, token string) (page[*v1.Schedule], error) {
				one, err := s.Schedules().ListSchedules(ctx, &v1.ListSchedulesRequest{TenantId: s.tenant, PageSize: size, PageToken: token})
				return page[*v1.Schedule]{one.GetSchedules(), one.GetNextPageToken()}, err
			})
			if err != nil {
				return err
			}
			return answerList(cmd, &v1.ListSchedulesResponse{Schedules: all.items, NextPageToken: all.next}, scheduleColumns, all.items)
		},
	}.command()
}

func scheduleDelete() *cobra.Command {
	return call{
		use: "delete SCHEDULE", short: "Remove a schedule, and its jobs that no worker has had", args: []string{"SCHEDULE"},
		flags: func(cmd *cobra.Command) {
			cmd.Flags().String("etag", "", "remove it only if its `etag` is still this one")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Schedules().DeleteSchedule(ctx, &v1.DeleteScheduleRequest{TenantId: s.tenant, Schedule: args[0],
				Etag: stringFlag(cmd, "etag")})
			if err != nil {
				return err
			}
			return answerDone(cmd, answered, "schedule %s is deleted", args[0])
		},
	}.command()
}

func schedulePause() *cobra.Command {
	return call{
		use: "pause SCHEDULE", short: "Stop a schedule, and take back its jobs that no worker has had", args: []string{"SCHEDULE"},
		flags: func(cmd *cobra.Command) { cmd.Flags().String("reason", "", "`why`, for people") },
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Schedules().PauseSchedule(ctx, &v1.PauseScheduleRequest{TenantId: s.tenant, Schedule: args[0],
				Reason: stringFlag(cmd, "reason")})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetSchedule(), scheduleDetails, answered.GetSchedule())
		},
	}.command()
}

func scheduleResume() *cobra.Command {
	return call{
		use: "resume SCHEDULE", short: "Let a paused schedule go on; missed times are treated as --missed says", args: []string{"SCHEDULE"},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Schedules().ResumeSchedule(ctx, &v1.ResumeScheduleRequest{TenantId: s.tenant, Schedule: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetSchedule(), scheduleDetails, answered.GetSchedule())
		},
	}.command()
}
