package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

const (
	maxForecast = 1440 // minutes
	barWidth    = 40   // characters of the fullest minute's bar
)

func scheduleForecast() *cobra.Command {
	return call{
		use: "forecast", short: "Show how many jobs become due in each of the coming minutes",
		long: `Show how many jobs become due in each of the coming minutes, from schedules and from jobs that wait.

Minutes in which nothing becomes due are left out, and so is what is due already:
belfry queue stats shows that.`,
		example: `  belfry schedule forecast --minutes 1440
  belfry schedule forecast --all`,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().Int32("minutes", 60, fmt.Sprintf("look so `many` minutes ahead, 1 to %d", maxForecast))
			cmd.Flags().Bool("all", false, "of all tenants together; with a platform key")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			minutes, err := cmd.Flags().GetInt32("minutes")
			if err != nil || minutes < 1 || minutes > maxForecast {
				return usage("--minutes: %d is not within 1–%d", minutes, maxForecast)
			}
			request := &v1.GetForecastRequest{TenantId: s.tenant, Minutes: minutes}
			if boolFlag(cmd, "all") {
				if cmd.Flags().Changed("tenant") {
					return usage("--all and --tenant given together; give one of them")
				}
				request.TenantId = "-"
			}
			answered, err := s.Schedules().GetForecast(ctx, request)
			if err != nil {
				return err
			}
			if err := answerList(cmd, answered, forecastColumns(answered.GetMinutes()), answered.GetMinutes()); err != nil {
				return err
			}
			if answered.GetComplete() {
				return nil
			}
			_, err = fmt.Fprintln(cmd.ErrOrStderr(), "belfry: there was too much to count in time; these numbers are lower bounds")
			return err
		},
	}.command()
}

// forecastColumns are those of some minutes; the bar is drawn to the scale of the fullest.
func forecastColumns(minutes []*v1.ForecastMinute) []column[*v1.ForecastMinute] {
	most := int64(1)
	for _, m := range minutes {
		most = max(most, m.GetScheduledJobs()+m.GetWaitingJobs())
	}
	return []column[*v1.ForecastMinute]{
		{"MINUTE", func(m *v1.ForecastMinute) string { return minuteText(m.GetTime()) }},
		{"SCHEDULED", func(m *v1.ForecastMinute) string { return count(m.GetScheduledJobs()) }},
		{"WAITING", func(m *v1.ForecastMinute) string { return count(m.GetWaitingJobs()) }},
		{"LOAD", func(m *v1.ForecastMinute) string {
			// Whatever is not nothing is seen.
			return strings.Repeat("#", int(1+(m.GetScheduledJobs()+m.GetWaitingJobs()-1)*(barWidth-1)/max(1, most-1)))
		}},
	}
}

func minuteText(t *timestamppb.Timestamp) string { return t.AsTime().Format("2006-01-02T15:04Z07:00") }
