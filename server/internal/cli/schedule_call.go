package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func overlapFlag(cmd *cobra.Command, usage string) *choice {
	c := &choice{prefix: "OVERLAP_POLICY_", values: v1.OverlapPolicy_value, names: "skip, allow, buffer-one and cancel-running"}
	cmd.Flags().Var(c, "overlap", usage)
	return c
}

func scheduleRun() *cobra.Command {
	var overlap *choice
	return call{
		use: "run SCHEDULE", short: "Make a job of a schedule now, beside its rule", args: []string{"SCHEDULE"},
		long: `Make a job of a schedule now, beside its rule; also of a paused schedule.

It counts as a run: while another one is alive, --overlap says whether the call is
refused (skip), the job waits for the end of the other (buffer-one), runs beside it
(allow), or replaces it (cancel-running). Its state is BLOCKED while it waits.`,
		example: "  belfry schedule run payroll\n  belfry schedule run payroll --overlap buffer-one",
		flags: func(cmd *cobra.Command) {
			overlap = overlapFlag(cmd, "while another run is alive: skip, allow, buffer-one or cancel-running (default that of the schedule)")
			cmd.Flags().String("request-id", "", "repeating the call with the same `id` within 24 hours makes no other job")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Schedules().RunSchedule(ctx, &v1.RunScheduleRequest{TenantId: s.tenant, Schedule: args[0],
				OverlapPolicy: v1.OverlapPolicy(overlap.chosen()), RequestId: stringFlag(cmd, "request-id")})
			if err != nil {
				return err
			}
			return answer(cmd, answered, []column[*v1.RunScheduleResponse]{
				{"JOB", (*v1.RunScheduleResponse).GetJobId},
				{"STATE", func(r *v1.RunScheduleResponse) string { return strings.TrimPrefix(r.GetState().String(), "JOB_STATE_") }},
			}, answered)
		},
	}.command()
}

var backfillColumns = []column[*v1.BackfillScheduleResponse]{
	{"JOBS", func(r *v1.BackfillScheduleResponse) string { return fmt.Sprint(r.GetJobs()) }},
	{"FIRST", func(r *v1.BackfillScheduleResponse) string { return timeText(r.GetFirstTime()) }},
	{"LAST", func(r *v1.BackfillScheduleResponse) string { return timeText(r.GetLastTime()) }},
	{"LAST-DUE", func(r *v1.BackfillScheduleResponse) string { return timeText(r.GetLastDueTime()) }},
}

func scheduleBackfill() *cobra.Command {
	var overlap *choice
	var from, until *instant
	var rate int32
	return call{
		use: "backfill SCHEDULE", short: "Make the jobs of the nominal times in a past range", args: []string{"SCHEDULE"},
		long: `Make the jobs of the nominal times in a past range, by the present rule and
template, whether or not they have run before; also of a paused schedule.

Up to 10,000 times. They run in order, --per-minute of them each minute. Only with
--overlap allow may all become due at once.`,
		example: `  belfry schedule backfill report --after 2026-11-01T00:00:00Z --before 2026-12-01T00:00:00Z --per-minute 2
  belfry schedule backfill report --after 2026-11-01T00:00:00Z --before 2026-12-01T00:00:00Z --overlap allow --dry-run`,
		flags: func(cmd *cobra.Command) {
			from = addInstant(cmd.Flags(), "after", "first instant of the range, RFC 3339")
			until = addInstant(cmd.Flags(), "before", "end of the range, not part of it, RFC 3339")
			overlap = overlapFlag(cmd, "while another run is alive: skip, allow, buffer-one or cancel-running (default that of the schedule)")
			cmd.Flags().Int32Var(&rate, "per-minute", 0, "how many become due each minute (default all at once)")
			cmd.Flags().String("request-id", "", "repeating the call with the same `id` within 24 hours makes no other jobs")
			cmd.Flags().Bool("dry-run", false, "say how many there would be")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			if err := need(cmd, "after", "before"); err != nil {
				return err
			}
			dry, err := cmd.Flags().GetBool("dry-run")
			if err != nil {
				return err
			}
			answered, err := s.Schedules().BackfillSchedule(ctx, &v1.BackfillScheduleRequest{TenantId: s.tenant, Schedule: args[0],
				StartTime: from.Timestamp, EndTime: until.Timestamp, OverlapPolicy: v1.OverlapPolicy(overlap.chosen()),
				MaxPerMinute: rate, RequestId: stringFlag(cmd, "request-id"), ValidateOnly: dry})
			if err != nil {
				return err
			}
			return answer(cmd, answered, backfillColumns, answered)
		},
	}.command()
}
