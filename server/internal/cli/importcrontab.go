package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/cli/crontab"
	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func (p *Program) importCommand() *cobra.Command {
	return group("import", "Take over work from other schedulers", p.importCrontab())
}

func (p *Program) importCrontab() *cobra.Command {
	dryRun := false
	cmd := call{
		use: "crontab FILE", short: "Make a schedule of each line of a crontab", args: []string{"FILE"},
		long: `Make a schedule of each line of a crontab; - reads standard input.

Comments, variables, CRON_TZ and % are read as cron does. Each line becomes a
schedule whose jobs are shell scripts for

  belfry worker exec --queue cron -- sh

With --user-column the queue is cron-USER: run a worker as each user. Runs of a
schedule may overlap, as they may in cron; belfry schedule update SCHEDULE
--overlap skip keeps them apart, and stays. Reading a file again changes only what
has changed in it; lines that have gone from it keep their schedules.

Lines that cannot be taken over are listed with the nearest rule that can; then
the command exits 1, after it has taken over the others.`,
		example: `  crontab -l | belfry import crontab - --dry-run
  belfry import crontab /etc/crontab --user-column --timezone Europe/Berlin`,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().Bool("user-column", false, "a user stands before each command, as in /etc/crontab")
			cmd.Flags().String("timezone", "", "IANA `zone` of lines without CRON_TZ (default that of this machine)")
			cmd.Flags().String("queue", "cron", "`queue` of the jobs")
			cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be made, without a server")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			return p.importFile(ctx, cmd, s, args[0])
		},
	}.command()
	viaServer := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if dryRun {
			return p.importFile(cmd.Context(), cmd, nil, args[0])
		}
		return viaServer(cmd, args)
	}
	return cmd
}

// errNotTaken ends an import that left lines out.
type errNotTaken struct{ lines, of int }

func (e errNotTaken) Error() string {
	return fmt.Sprintf("%d of %d lines were not taken over; see above", e.lines, e.of)
}

// importFile reads a crontab and makes its schedules; without a session it only shows them.
func (p *Program) importFile(ctx context.Context, cmd *cobra.Command, s *session, name string) error {
	file, err := readCrontab(cmd.InOrStdin(), name, boolFlag(cmd, "user-column"))
	if err != nil {
		return usageError{err}
	}
	zone := stringFlag(cmd, "timezone")
	if zone == "" {
		zone = machineZone()
	}
	if _, err := recurrence.Parse("@daily", zone, recurrence.Options{}); err != nil {
		return usage("--timezone: %v", err)
	}
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "LINE\tSCHEDULE\tRULE\tZONE\tNEXT\tWHAT\tCOMMAND")
	names := crontab.Names(file.Entries)
	for i := range file.Entries {
		e := &file.Entries[i]
		schedule := scheduleOf(e, names[i], zone, stringFlag(cmd, "queue"))
		did := "would be made"
		if s != nil {
			if did, err = upsert(ctx, s, schedule); err != nil {
				return errors.Join(out.Flush(), fmt.Errorf("line %d: %w", e.Line, err))
			}
		}
		_, _ = fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Line, names[i], e.Rule, schedule.GetSpec().GetTimeZone(),
			p.nextOf(e, schedule), did, shortened(e.Command))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(file.Entries) > 0 {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "belfry: runs of a schedule made from a crontab may overlap, as in cron; to keep them apart: "+
			"belfry schedule update SCHEDULE --overlap skip")
	}
	return refused(cmd.ErrOrStderr(), file)
}

func readCrontab(stdin io.Reader, name string, userColumn bool) (crontab.File, error) {
	if name == "-" {
		return crontab.Read(stdin, userColumn)
	}
	f, err := os.Open(name)
	if err != nil {
		return crontab.File{}, err
	}
	defer f.Close()
	return crontab.Read(f, userColumn)
}

// refused lists the lines that were not taken over.
func refused(w io.Writer, file crontab.File) error {
	for _, problem := range file.Problems {
		_, _ = fmt.Fprintf(w, "line %d not taken over: %s\n  %s\n", problem.Line, problem.Reason, shortened(problem.Text))
		if problem.Nearest != "" {
			_, _ = fmt.Fprintf(w, "  nearest: %s\n", problem.Nearest)
		}
	}
	if n := len(file.Problems); n > 0 {
		return errNotTaken{n, n + len(file.Entries)}
	}
	return nil
}

// scheduleOf is the schedule of a line.
func scheduleOf(e *crontab.Entry, name, zone, queue string) *v1.Schedule {
	if e.Zone != "" {
		zone = e.Zone
	}
	if e.User != "" {
		queue += "-" + e.User
	}
	return &v1.Schedule{
		Schedule:      name,
		Description:   shortened("crontab: " + e.Command),
		Spec:          &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: e.Rule}, TimeZone: zone},
		OverlapPolicy: v1.OverlapPolicy_OVERLAP_POLICY_ALLOW,
		Job:           &v1.JobSpec{Queue: queue, Payload: &v1.Payload{Data: &v1.Payload_Text{Text: e.Script()}, ContentType: "text/x-shellscript"}},
	}
}

// upsert makes a schedule, or changes the one of that name where it differs. Its overlap policy, of which a crontab says nothing,
// is set only when it is made.
func upsert(ctx context.Context, s *session, schedule *v1.Schedule) (did string, err error) {
	request := &v1.UpdateScheduleRequest{TenantId: s.tenant, Schedule: schedule, AllowMissing: true,
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"spec", "job", "description"}}}
	before, err := s.Schedules().GetSchedule(ctx, &v1.GetScheduleRequest{TenantId: s.tenant, Schedule: schedule.GetSchedule()})
	if err != nil && connect.CodeOf(err) != connect.CodeNotFound {
		return "", err
	}
	answered, err := s.Schedules().UpdateSchedule(ctx, request)
	switch {
	case err != nil:
		return "", err
	case before == nil:
		return "made", nil
	case before.GetSchedule().GetEtag() == answered.GetSchedule().GetEtag():
		return "unchanged", nil
	}
	return "changed", nil
}

// nextOf is when a line fires next, in its zone.
func (p *Program) nextOf(e *crontab.Entry, schedule *v1.Schedule) string {
	spec, err := recurrence.Parse(e.Rule, schedule.GetSpec().GetTimeZone(), recurrence.Options{})
	if err != nil {
		return ""
	}
	next, ok := spec.Next(p.Clock.Now())
	if !ok {
		return "never"
	}
	return next.In(spec.Location()).Format(time.RFC3339)
}

const commandWidth = 60

// shortened is one line of at most commandWidth characters.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > commandWidth {
		return string(runes[:commandWidth-1]) + "…"
	}
	return text
}

// machineZone is the time zone in which cron works on this machine: TZ, or where /etc/localtime points to; UTC if neither
// names one.
func machineZone() string {
	if name := strings.TrimPrefix(os.Getenv("TZ"), ":"); name != "" && !strings.HasPrefix(name, "/") {
		return name
	}
	target, err := filepath.EvalSymlinks("/etc/localtime")
	if _, name, ok := strings.Cut(target, "zoneinfo/"); err == nil && ok {
		return strings.TrimPrefix(name, "posix/")
	}
	return "UTC"
}
