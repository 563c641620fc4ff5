package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// localLayout shows a time on the clock of the rule's zone.
const localLayout = "2006-01-02T15:04:05Z07:00"

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
		if note := f.table.Note(o); note != "" {
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
		if note := f.table.Note(o); note != "" {
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
