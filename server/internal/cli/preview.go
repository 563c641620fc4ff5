package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// Numbers of times that a preview shows.
const (
	defaultPreview = 5
	maxPreview     = 10_000
)

func (p *Program) previewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preview --cron RULE",
		Short: "Show when a rule fires, without a server",
		Long: `Show when a rule fires, without a server.

RULE is cron text of 5 fields, of 6 (leading seconds) or of 7 (trailing year), or
a macro, @every, rate(...), at(...) or cron(...).

With --cron - it reads one JSON object a line,
  {"id": "a", "expr": "0 9 * * *", "tz": "Europe/Berlin", "after": "2026-03-01T00:00:00Z", "count": 5}
of which only expr is needed, and answers one a line:
  {"id": "a", "valid": true, "next": ["2026-03-01T08:00:00Z", …], "description": "…"}
  {"id": "b", "valid": false, "next": [], "error": "…"}`,
		Example: `  belfry schedule preview --cron '30 2 * * *' --timezone Europe/Berlin --after 2026-03-28T00:00:00Z
  belfry schedule preview --cron '@every 90m' --count 3 -o json
  belfry schedule preview --cron - < rules.jsonl`,
		Args: named(),
		RunE: p.preview,
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().String("cron", "", "`rule`, or - for JSON lines on stdin")
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
	if err := need(cmd, "cron"); err != nil {
		return err
	}
	rule := stringFlag(cmd, "cron")
	if rule == "-" {
		return p.previewLines(cmd.InOrStdin(), cmd.OutOrStdout())
	}
	count, err := cmd.Flags().GetInt("count")
	if err != nil {
		return usageError{err}
	}
	question := previewLine{Expr: rule, TZ: stringFlag(cmd, "timezone"), Count: &count, After: stringFlag(cmd, "after"), seed: stringFlag(cmd, "seed")}
	found, err := question.answer(p.Clock.Now())
	if err != nil {
		return usageError{err}
	}
	if asJSON {
		return found.writeJSON(cmd.OutOrStdout())
	}
	return found.writeTable(cmd.OutOrStdout())
}

// previewLine is one question.
type previewLine struct {
	ID    any    `json:"id"`
	Expr  string `json:"expr"`
	TZ    string `json:"tz"`
	After string `json:"after"`
	Count *int   `json:"count"`
	seed  string
}

// previewed is the answer to a question.
type previewed struct {
	spec  recurrence.Spec
	times []recurrence.Occurrence
	notes []string
}

func (q previewLine) answer(now time.Time) (previewed, error) {
	after, n := now, defaultPreview
	if q.After != "" {
		var err error
		if after, err = time.Parse(time.RFC3339Nano, q.After); err != nil {
			return previewed{}, fmt.Errorf("after: %q is no instant; write it as 2026-03-01T09:00:00Z", q.After)
		}
	}
	if q.Count != nil {
		n = *q.Count
	}
	if n < 1 || n > maxPreview {
		return previewed{}, fmt.Errorf("count: %d is not within 1–%d", n, maxPreview)
	}
	spec, err := recurrence.Parse(q.Expr, q.TZ, recurrence.Options{Seed: q.seed})
	if err != nil {
		return previewed{}, err
	}
	found := previewed{spec: spec, times: spec.Occurrences(after, n)}
	found.notes = append(spec.Notes(), found.suppressions(after)...)
	return found, nil
}

// suppressions says which times of the rule daylight saving leaves out, up to the last time shown.
func (f previewed) suppressions(after time.Time) []string {
	if len(f.times) == 0 {
		return nil
	}
	why := map[recurrence.SuppressReason]string{
		recurrence.SuppressedGap:    "is left out: the clock skips it",
		recurrence.SuppressedMerged: "is left out: the clock skips it, and one run after the gap stands for all",
		recurrence.SuppressedRepeat: "does not fire again when the clock repeats it",
	}
	const limit = 20
	var notes []string
	for _, s := range f.spec.Suppressed(after, f.times[len(f.times)-1].Time, limit) {
		notes = append(notes, s.Wall.Format("2006-01-02 15:04:05")+" "+f.spec.Zone()+" "+why[s.Reason])
	}
	return notes
}

// note says what daylight saving did to a time.
func (f previewed) note(o recurrence.Occurrence) string {
	switch {
	case o.Moved:
		return "the clock skips " + o.Wall.Format("15:04:05") + "; runs right after the gap"
	case o.Pass == 1:
		return "first time the clock shows it"
	case o.Pass == 2:
		return "second time the clock shows it"
	}
	return ""
}

// next lists the times in UTC.
func (f previewed) next() []string {
	next := make([]string, len(f.times))
	for i, o := range f.times {
		next[i] = o.Time.Format(time.RFC3339)
	}
	return next
}

func (f previewed) writeJSON(w io.Writer) error {
	notes := append([]string{}, f.notes...)
	for _, o := range f.times {
		if note := f.note(o); note != "" {
			notes = append(notes, o.Time.Format(time.RFC3339)+": "+note)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Description string   `json:"description"`
		Next        []string `json:"next"`
		Notes       []string `json:"notes"`
	}{f.spec.Describe(), f.next(), notes})
}

func (f previewed) writeTable(w io.Writer) error {
	var b strings.Builder
	b.WriteString(f.spec.Describe() + "\n\n")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "UTC\t%s\n", strings.ToUpper(f.spec.Zone()))
	for _, o := range f.times {
		line := o.Time.Format(time.RFC3339) + "\t" + o.Time.In(f.spec.Location()).Format("Mon 2006-01-02T15:04:05Z07:00")
		if note := f.note(o); note != "" {
			line += "\t" + note
		}
		_, _ = fmt.Fprintln(t, line)
	}
	_ = t.Flush() // writes to memory
	if len(f.times) == 0 {
		b.WriteString("(no time is left)\n")
	}
	for i, note := range f.notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("Note: " + note + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lineAnswer is the answer to one line.
type lineAnswer struct {
	ID          any      `json:"id"`
	Valid       bool     `json:"valid"`
	Next        []string `json:"next"`
	Description string   `json:"description,omitempty"`
	Error       string   `json:"error,omitempty"`
}

// previewLines answers each line of in with one of out. Only reading and writing can fail.
func (p *Program) previewLines(in io.Reader, out io.Writer) error {
	reader, writer := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	now := p.Clock.Now()
	for {
		line, err := reader.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			if err := encoder.Encode(answerLine(line, now)); err != nil {
				return fmt.Errorf("write answers: %w", err)
			}
		}
		// Whoever asks line by line waits for each answer.
		if reader.Buffered() == 0 || err != nil {
			if err := writer.Flush(); err != nil {
				return fmt.Errorf("write answers: %w", err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read rules: %w", err)
		}
	}
}

func answerLine(line []byte, now time.Time) lineAnswer {
	var question previewLine
	if err := json.Unmarshal(line, &question); err != nil {
		return lineAnswer{ID: question.ID, Next: []string{}, Error: "the line is no JSON object as `--help` shows it: " + err.Error()}
	}
	found, err := question.answer(now)
	if err != nil {
		return lineAnswer{ID: question.ID, Next: []string{}, Error: err.Error()}
	}
	return lineAnswer{ID: question.ID, Valid: true, Next: found.next(), Description: found.spec.Describe()}
}
