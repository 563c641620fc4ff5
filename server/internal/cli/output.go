package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// addOutput gives cmd the flag -o.
func addOutput(cmd *cobra.Command) {
	cmd.Flags().StringP("output", "o", "table", "`format` of the answer: table for people, json for programs")
}

// wantsJSON reads the flag -o.
func wantsJSON(cmd *cobra.Command) (bool, error) {
	switch format := cmd.Flag("output").Value.String(); format {
	case "json":
		return true, nil
	case "table":
		return false, nil
	default:
		return false, usage("--output: %q is neither table nor json", format)
	}
}

// writeJSON writes what curl would get, but indented.
func writeJSON(w io.Writer, message proto.Message) error {
	raw, err := protojson.Marshal(message)
	if err != nil {
		return fmt.Errorf("write answer as JSON: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return fmt.Errorf("write answer as JSON: %w", err)
	}
	out.WriteByte('\n')
	_, err = out.WriteTo(w)
	return err
}

// column is one fact about a thing of kind T.
type column[T any] struct {
	head string
	cell func(T) string
}

// answer prints one thing: message as JSON, or the facts below each other; those without a value are left out.
func answer[T any](cmd *cobra.Command, message proto.Message, columns []column[T], thing T) error {
	asJSON, err := wantsJSON(cmd)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(cmd.OutOrStdout(), message)
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, c := range columns {
		if value := c.cell(thing); value != "" {
			if _, err := fmt.Fprintf(w, "%s\t%s\n", c.head, oneLine(value)); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// answerList prints many things: message as JSON, or one a line.
func answerList[T any](cmd *cobra.Command, message proto.Message, columns []column[T], things []T) error {
	asJSON, err := wantsJSON(cmd)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(cmd.OutOrStdout(), message)
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.head
	}
	if _, err := fmt.Fprintln(w, strings.Join(cells, "\t")); err != nil {
		return err
	}
	for _, thing := range things {
		for i, c := range columns {
			cells[i] = oneLine(c.cell(thing))
			if cells[i] == "" {
				cells[i] = "-"
			}
		}
		if _, err := fmt.Fprintln(w, strings.Join(cells, "\t")); err != nil {
			return err
		}
	}
	return w.Flush()
}

// answerDone confirms a call whose answer holds nothing.
func answerDone(cmd *cobra.Command, message proto.Message, format string, args ...any) error {
	asJSON, err := wantsJSON(cmd)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(cmd.OutOrStdout(), message)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...)
	return err
}

// oneLine keeps what others wrote from breaking the table, or from steering the terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
}

// page is a part of a list.
type page[T any] struct {
	items []T
	next  string // token of the page behind; empty at the end
}

// addLimit gives cmd the flag --limit.
func addLimit(cmd *cobra.Command) {
	cmd.Flags().Int("limit", 100, "list at most so `many`; 0: all")
}

const maxPage = 1000

// collect fetches pages until the limit of cmd or the end. If there is more, it says so.
func collect[T any](cmd *cobra.Command, fetch func(size int32, token string) (page[T], error)) (page[T], error) {
	limit, err := cmd.Flags().GetInt("limit")
	if err != nil || limit < 0 {
		return page[T]{}, usage("--limit: %d is negative; give 0 for all", limit)
	}
	var all page[T]
	for {
		size := maxPage
		if limit > 0 {
			size = min(size, limit-len(all.items))
		}
		one, err := fetch(int32(size), all.next)
		if err != nil {
			return all, err
		}
		all.items, all.next = append(all.items, one.items...), one.next
		if all.next == "" {
			return all, nil
		}
		if limit > 0 && len(all.items) >= limit {
			_, err := fmt.Fprintf(cmd.ErrOrStderr(), "belfry: there are more; --limit 0 lists all\n")
			return all, err
		}
	}
}

// timeText shows an instant in UTC to the millisecond, and nothing for an absent one.
func timeText(t *timestamppb.Timestamp) string {
	if t == nil {
		return ""
	}
	return t.AsTime().Format("2006-01-02T15:04:05.000Z07:00")
}

// spanText shows a length of time as flags take it, and nothing for an absent one.
func spanText(d *durationpb.Duration) string {
	if d == nil {
		return ""
	}
	return shortSpan(d.AsDuration())
}

// shortSpan is Duration.String without its trailing zeros: 1h, not 1h0m0s.
func shortSpan(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// yes shows only what is true.
func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// count shows only what is not zero.
func count[N int32 | int64](n N) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// enumText is a value of an enumeration without its prefix, and nothing for the unspecified one.
func enumText(value fmt.Stringer, prefix string) string {
	text := strings.TrimPrefix(value.String(), prefix)
	if text == "UNSPECIFIED" {
		return ""
	}
	return text
}
