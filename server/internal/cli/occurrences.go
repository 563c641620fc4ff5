package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

const resultPrefix = "OCCURRENCE_OUTCOME_"

var occurrenceColumns = []column[*v1.Occurrence]{
	{"NOMINAL", func(o *v1.Occurrence) string { return timeText(o.GetNominalTime()) }},
	{"OUTCOME", func(o *v1.Occurrence) string { return strings.TrimPrefix(o.GetOutcome().String(), resultPrefix) }},
	{"REASON", (*v1.Occurrence).GetReason},
	{"DUE", func(o *v1.Occurrence) string { return timeText(o.GetEffectiveTime()) }},
	{"LATE", func(o *v1.Occurrence) string { return spanText(o.GetLateness()) }},
	{"JOB", (*v1.Occurrence).GetJobId},
	{"REVISION", func(o *v1.Occurrence) string { return fmt.Sprint(o.GetRevision()) }},
}

func scheduleOccurrences() *cobra.Command {
	var from, before *instant
	return call{
		use: "occurrences SCHEDULE", short: "List what became of each nominal time, latest first", args: []string{"SCHEDULE"},
		example: `  belfry schedule occurrences payroll
  belfry schedule occurrences payroll --outcome skipped,merged --after 2026-11-01T00:00:00Z`,
		flags: func(cmd *cobra.Command) {
			from = addInstant(cmd.Flags(), "after", "only nominal times from this one on, RFC 3339")
			before = addInstant(cmd.Flags(), "before", "only nominal times before this one, RFC 3339")
			cmd.Flags().StringSlice("outcome", nil, "only these: scheduled, fired, caught_up, merged, skipped, blocked")
			cmd.Flags().String("origin", "rule", "only those of one `origin`: rule, manual or backfill")
			addLimit(cmd)
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			return listOccurrences(ctx, cmd, s, &v1.ListOccurrencesRequest{TenantId: s.tenant, Schedule: args[0],
				StartTime: from.Timestamp, EndTime: before.Timestamp})
		},
	}.command()
}

func listOccurrences(ctx context.Context, cmd *cobra.Command, s *session, request *v1.ListOccurrencesRequest) error {
	names, err := cmd.Flags().GetStringSlice("outcome")
	if err != nil {
		return err
	}
	for _, name := range names {
		value := v1.OccurrenceOutcome_value[resultPrefix+strings.ToUpper(name)]
		if value == 0 {
			return usage("--outcome: %q is none of scheduled, fired, caught_up, merged, skipped and blocked", name)
		}
		request.Outcomes = append(request.Outcomes, v1.OccurrenceOutcome(value))
	}
	origin := stringFlag(cmd, "origin")
	if request.Origin = v1.OccurrenceOrigin(v1.OccurrenceOrigin_value["OCCURRENCE_ORIGIN_"+strings.ToUpper(origin)]); request.Origin == 0 {
		return usage("--origin: %q is none of rule, manual and backfill", origin)
	}
	all, err := collect(cmd, func(size int32, token string) (page[*v1.Occurrence], error) {
		request.PageSize, request.PageToken = size, token
		one, err := s.Schedules().ListOccurrences(ctx, request)
		return page[*v1.Occurrence]{one.GetOccurrences(), one.GetNextPageToken()}, err
	})
	if err != nil {
		return err
	}
	return answerList(cmd, &v1.ListOccurrencesResponse{Occurrences: all.items, NextPageToken: all.next}, occurrenceColumns, all.items)
}
