package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// Numbers of times that a preview shows.
const (
	defaultPreview = 5
	maxPreview     = 10_000
	maxLeftOut     = 20 // sentences on times that are left out
)

// The flags of which a preview takes exactly one.
const (
	formCron  = "cron"
	formRate  = "rate"
	formRRule = "rrule"
	formFile  = "spec-file"
)

func (p *Program) previewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preview --cron RULE | --rate RATE | --rrule TEXT | --spec-file FILE",
		Short: "Show when a rule fires, without a server",
		Long: `Show when a rule fires, without a server.

RULE is cron text of 5 fields, of 6 (leading seconds) or of 7 (trailing year), or
a macro, @every, rate(...), at(...) or cron(...). RATE is rate(5 minutes), or just
5 minutes. TEXT is an RFC 5545 recurrence: DTSTART, RRULE, EXDATE and RDATE, each
on a line or separated by \n, or a bare FREQ=WEEKLY;BYDAY=MO. FILE holds the spec
of a schedule as the API has it in JSON, with its zone, limits and excluded days.

With --cron - it reads one JSON object a line,
  {"id": "a", "expr": "0 9 * * *", "tz": "Europe/Berlin", "after": "2026-03-01T00:00:00Z", "count": 5}
of which only expr is needed, and answers one a line:
  {"id": "a", "valid": true, "next": ["2026-03-01T08:00:00Z", …], "description": "…"}
  {"id": "b", "valid": false, "next": [], "error": "…"}`,
		Example: `  belfry schedule preview --cron '30 2 * * *' --timezone Europe/Berlin --after 2026-03-28T00:00:00Z
  belfry schedule preview --rate '90 minutes' --count 3 -o json
  belfry schedule preview --rrule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0' --timezone Asia/Tokyo
  belfry schedule preview --cron - < rules.jsonl`,
		Args: named(),
		RunE: p.preview,
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().String(formCron, "", "`rule`, or - for JSON lines on stdin")
	cmd.Flags().String(formRate, "", "`interval` such as 5 minutes or 1 day")
	cmd.Flags().String(formRRule, "", "RFC 5545 `recurrence`")
	cmd.Flags().String(formFile, "", "`file` with a spec in JSON, or - for stdin")
	cmd.Flags().String("timezone", "", "IANA `zone` in which the rule is read (default UTC)")
	cmd.Flags().String("after", "", "only `times` after this one, RFC 3339 (default now)")
	cmd.Flags().String("seed", "", "`tenant/schedule` that the rule is for: the values of H depend on it (default the rule itself)")
	cmd.Flags().Int("count", defaultPreview, "how `many` times")
	addOutput(cmd)
	return cmd
}

func (p *Program) preview(cmd *cobra.Command, _ []string) error {
	asJSON, err := wantsJSON(cmd)
	if err != nil {
		return err
	}
	form, err := oneForm(cmd)
	if err != nil {
		return usageError{err}
	}
	text := stringFlag(cmd, form)
	if form == formCron && text == "-" {
		return p.previewLines(cmd.InOrStdin(), cmd.OutOrStdout())
	}
	count, err := cmd.Flags().GetInt("count")
	if err != nil {
		return usageError{err}
	}
	question := previewQuestion{
		form: form, text: text, zone: stringFlag(cmd, "timezone"), seed: stringFlag(cmd, "seed"),
		after: stringFlag(cmd, "after"), count: &count,
	}
	if form == formFile {
		if cmd.Flags().Changed("timezone") {
			return usage("--timezone and --%s given together; the zone stands in the file", formFile)
		}
		if question.file, err = readSpec(text, cmd.InOrStdin()); err != nil {
			return err
		}
	}
	found, err := question.answer(p.Clock.Now())
	if err != nil {
		return usageError{err}
	}
	if asJSON {
		return found.writeJSON(cmd.OutOrStdout())
	}
	return found.writeTable(cmd.OutOrStdout())
}

// oneForm finds the flag that gives the rule.
func oneForm(cmd *cobra.Command) (string, error) {
	forms := []string{formCron, formRate, formRRule, formFile}
	var given []string
	for _, form := range forms {
		if cmd.Flags().Changed(form) {
			given = append(given, form)
		}
	}
	list := "--" + strings.Join(forms[:len(forms)-1], ", --") + " and --" + forms[len(forms)-1]
	switch len(given) {
	case 0:
		return "", fmt.Errorf("one of %s is required", list)
	case 1:
		return given[0], nil
	}
	return "", fmt.Errorf("--%s given together; exactly one of %s is needed", strings.Join(given, " and --"), list)
}

// previewQuestion is a rule, and which of its times are wanted.
type previewQuestion struct {
	form, text, zone, seed, after string
	count                         *int             // nil: defaultPreview
	file                          *v1.ScheduleSpec // of formFile
}

// previewed is the answer.
type previewed struct {
	table recurrence.Timetable
	times []recurrence.Occurrence
	notes []string
}

func (q previewQuestion) answer(now time.Time) (previewed, error) {
	after, n := now, defaultPreview
	if q.after != "" {
		var err error
		if after, err = time.Parse(time.RFC3339Nano, q.after); err != nil {
			return previewed{}, fmt.Errorf("after: %q is no instant; write it as 2026-03-01T09:00:00Z", q.after)
		}
	}
	if q.count != nil {
		n = *q.count
	}
	if n < 1 || n > maxPreview {
		return previewed{}, fmt.Errorf("count: %d is not within 1–%d", n, maxPreview)
	}
	table, err := q.table()
	if err != nil {
		return previewed{}, err
	}
	if most := int(q.file.GetMaxRuns()); most > 0 {
		n = min(n, most)
	}
	// A rule that counts from an anchor counts from where the preview begins.
	table = table.WithAnchor(after)
	found := previewed{table: table, times: table.Occurrences(after, n)}
	found.notes = table.Notes()
	if shown := len(found.times); shown > 0 {
		found.notes = append(found.notes, table.LeftOut(after, found.times[shown-1].Time, maxLeftOut)...)
	}
	return found, nil
}

// table reads the rule.
func (q previewQuestion) table() (recurrence.Timetable, error) {
	opts := recurrence.Options{Seed: q.seed}
	rule := recurrence.Definition{Text: q.text, Zone: q.zone}
	switch q.form {
	case formFile:
		return specTable(q.file, opts)
	case formRate:
		rule.Text = rateText(q.text)
	case formRRule:
		rule.Form, rule.Text = recurrence.FormRRule, rruleText(q.text)
	}
	return rule.Timetable(opts)
}
