package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// localLayout shows a time on the clock of the rule's zone.
const localLayout = "2006-01-02T15:04:05Z07:00"

// leftOut says which times of the rule have no run of their own and why, up to the last time shown.
func (f previewed) leftOut(after time.Time) []string {
	if len(f.times) == 0 {
		return nil
	}
	why := map[recurrence.SuppressReason]string{
		recurrence.SuppressedGap:    "is left out: the clock skips it",
		recurrence.SuppressedMerged: "is left out: the clock skips it, and one run after the gap stands for all",
		recurrence.SuppressedRepeat: "does not fire again when the clock repeats it",
	}
	if f.table.Spec().Overlap() == recurrence.OverlapLast {
		why[recurrence.SuppressedRepeat] = "does not fire the first time: the clock shows it again"
	}
	const limit = 20
	last := f.times[len(f.times)-1].Time
	var notes []string
	for _, s := range f.table.Suppressed(after, last, limit) {
		notes = append(notes, s.Wall.Format(time.DateTime)+" "+f.table.Zone()+" "+why[s.Reason])
	}
	for _, run := range f.table.Excluded(after, last, limit) {
		from, until := run.From.In(f.table.Location()).Format(time.DateTime), run.Until.In(f.table.Location()).Format(time.DateTime)
		switch {
		case from == until:
			notes = append(notes, from+" "+f.table.Zone()+" is left out: an excluded date")
		case run.Count == 0:
			notes = append(notes, fmt.Sprintf("%s to %s %s are left out: excluded dates", from, until, f.table.Zone()))
		default:
			notes = append(notes, fmt.Sprintf("%s to %s %s, %d times, are left out: excluded dates", from, until, f.table.Zone(), run.Count))
		}
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

// local lists the times as the rule's zone shows them.
func (f previewed) local() []string {
	local := make([]string, len(f.times))
	for i, o := range f.times {
		local[i] = o.Time.In(f.table.Location()).Format(localLayout)
	}
	return local
}

// previewMark says of a time what daylight saving did to it.
type previewMark struct {
	Time string `json:"time"`
	Mark string `json:"mark"` // MOVED, FIRST_PASS or SECOND_PASS
	Wall string `json:"wall"` // the local time that the rule asked for
}

func (f previewed) marks() []previewMark {
	var marks []previewMark
	for _, o := range f.times {
		var mark string
		switch {
		case o.Moved:
			mark = "MOVED"
		case o.Pass == 1:
			mark = "FIRST_PASS"
		case o.Pass == 2:
			mark = "SECOND_PASS"
		default:
			continue
		}
		marks = append(marks, previewMark{Time: o.Time.Format(time.RFC3339), Mark: mark, Wall: o.Wall.Format("2006-01-02T15:04:05")})
	}
	return marks
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
		Description string        `json:"description"`
		Next        []string      `json:"next"`
		Local       []string      `json:"local"`
		Marks       []previewMark `json:"marks,omitempty"`
		Notes       []string      `json:"notes"`
	}{f.table.Describe(), f.next(), f.local(), f.marks(), notes})
}

func (f previewed) writeTable(w io.Writer) error {
	var b strings.Builder
	b.WriteString(f.table.Describe() + "\n\n")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "UTC\t%s\n", strings.ToUpper(f.table.Zone()))
	for _, o := range f.times {
		line := o.Time.Format(time.RFC3339) + "\t" + o.Time.In(f.table.Location()).Format("Mon "+localLayout)
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
