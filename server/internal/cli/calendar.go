package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func calendarCommand() *cobra.Command {
	return group("calendar", "Manage days on which schedules do not fire", calendarCreate(), calendarGet(), calendarList(),
		calendarUpdate(), calendarDelete())
}

var calendarColumns = []column[*v1.Calendar]{
	{"CALENDAR", (*v1.Calendar).GetCalendar},
	{"DESCRIPTION", (*v1.Calendar).GetDescription},
	{"UPDATED", func(c *v1.Calendar) string { return timeText(c.GetUpdateTime()) }},
}

var calendarDetails = slices.Concat(calendarColumns, []column[*v1.Calendar]{
	{"DAYS", func(c *v1.Calendar) string { return daysText(c.GetDays()) }},
	{"CREATED", func(c *v1.Calendar) string { return timeText(c.GetCreateTime()) }},
	{"ETAG", (*v1.Calendar).GetEtag},
})

// shownDays is how many days of a calendar are shown in a table; -o json shows all.
const shownDays = 20

func daysText(days []string) string {
	text := strings.Join(days[:min(len(days), shownDays)], ", ")
	if more := len(days) - shownDays; more > 0 {
		text += ", and " + strconv.Itoa(more) + " more"
	}
	return text
}

// calendarFlags are the days of a calendar.
type calendarFlags struct{ days []string }

func (f *calendarFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.days, "day", nil, "day without runs: 2026-12-24, 2026-12-24/2027-01-01, 12-25 or SAT; repeatable")
	cmd.Flags().String("days-file", "", "`file` with such days, one a line behind which # may begin a comment; - reads standard input")
	cmd.Flags().String("description", "", "`text` for people")
}

// calendar returns what the flags say, and which fields that is.
func (f *calendarFlags) calendar(cmd *cobra.Command, name string) (*v1.Calendar, []string, error) {
	c := &v1.Calendar{Calendar: name, Days: f.days, Description: stringFlag(cmd, "description")}
	var paths []string
	if path := stringFlag(cmd, "days-file"); path != "" {
		more, err := readDays(path, cmd.InOrStdin())
		if err != nil {
			return nil, nil, err
		}
		c.Days = append(c.Days, more...)
	}
	if cmd.Flags().Changed("day") || cmd.Flags().Changed("days-file") {
		paths = append(paths, "days")
	}
	if cmd.Flags().Changed("description") {
		paths = append(paths, "description")
	}
	return c, paths, nil
}

func calendarCreate() *cobra.Command {
	var f calendarFlags
	return call{
		use: "create CALENDAR", short: "Create a calendar", args: []string{"CALENDAR"}, flags: f.add,
		long: `Create a calendar: days on which the schedules that name it do not fire. The days
are those of each schedule's own time zone.

  belfry schedule create report --cron '0 9 * * *' --calendar holidays -q reports`,
		example: `  belfry calendar create holidays --day 12-25 --day 2026-12-24/2027-01-01 --day SAT,SUN
  belfry calendar create bank-holidays --days-file days.txt`,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			calendar, _, err := f.calendar(cmd, args[0])
			if err != nil {
				return err
			}
			answered, err := s.Calendars().CreateCalendar(ctx, &v1.CreateCalendarRequest{TenantId: s.tenant, Calendar: calendar})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetCalendar(), calendarDetails, answered.GetCalendar())
		},
	}.command()
}

func calendarUpdate() *cobra.Command {
	var f calendarFlags
	return call{
		use: "update CALENDAR", short: "Change a calendar, for all schedules that name it; what is not given stays", args: []string{"CALENDAR"},
		example: "  belfry calendar update bank-holidays --days-file days.txt",
		long: `Change a calendar, for all schedules that name it. The days that are given stand
for all that it had. Once the command has ended, no job of a day that is left out
now is handed to a worker any more.`,
		flags: func(cmd *cobra.Command) {
			f.add(cmd)
			cmd.Flags().String("etag", "", "change it only if its `etag` is still this one")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			calendar, paths, err := f.calendar(cmd, args[0])
			if err != nil {
				return err
			}
			if len(paths) == 0 {
				return usage("nothing to change; give --day, --days-file or --description")
			}
			calendar.Etag = stringFlag(cmd, "etag")
			answered, err := s.Calendars().UpdateCalendar(ctx, &v1.UpdateCalendarRequest{TenantId: s.tenant, Calendar: calendar,
				UpdateMask: &fieldmaskpb.FieldMask{Paths: paths}})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetCalendar(), calendarDetails, answered.GetCalendar())
		},
	}.command()
}

func calendarGet() *cobra.Command {
	return call{
		use: "get CALENDAR", short: "Show a calendar", args: []string{"CALENDAR"},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Calendars().GetCalendar(ctx, &v1.GetCalendarRequest{TenantId: s.tenant, Calendar: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetCalendar(), calendarDetails, answered.GetCalendar())
		},
	}.command()
}

func calendarList() *cobra.Command {
	return call{
		use: "list", short: "List calendars by name", flags: addLimit,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			all, err := collect(cmd, func(size int32, token string) (page[*v1.Calendar], error) {
				one, err := s.Calendars().ListCalendars(ctx, &v1.ListCalendarsRequest{TenantId: s.tenant, PageSize: size, PageToken: token})
				return page[*v1.Calendar]{one.GetCalendars(), one.GetNextPageToken()}, err
			})
			if err != nil {
				return err
			}
			return answerList(cmd, &v1.ListCalendarsResponse{Calendars: all.items, NextPageToken: all.next}, calendarColumns, all.items)
		},
	}.command()
}

func calendarDelete() *cobra.Command {
	return call{
		use: "delete CALENDAR", short: "Remove a calendar that no schedule names", args: []string{"CALENDAR"},
		flags: func(cmd *cobra.Command) {
			cmd.Flags().String("etag", "", "remove it only if its `etag` is still this one")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Calendars().DeleteCalendar(ctx, &v1.DeleteCalendarRequest{TenantId: s.tenant, Calendar: args[0],
				Etag: stringFlag(cmd, "etag")})
			if err != nil {
				return err
			}
			return answerDone(cmd, answered, "calendar %s is deleted", args[0])
		},
	}.command()
}
