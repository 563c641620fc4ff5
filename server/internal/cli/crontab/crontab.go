// Package crontab reads crontab files as cron(8) does, and turns their lines into what a worker of Belfry can run.
//
// It is pure: no clock, no files, no network. Lines that Belfry does not take over are reported with the nearest rule that
// it would. Functions are safe for concurrent use.
//
// Source: crontab(5) of cronie 1.7 and of Vixie cron 3.0.
package crontab

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// maxLine bounds a line in bytes.
const maxLine = 64 << 10

// Entry is one line that becomes a schedule.
type Entry struct {
	Line    int    // from 1
	Rule    string // of 5 fields, or a macro
	Zone    string // CRON_TZ in force; empty: that of the machine
	User    string // of the user column; empty without
	Command string
	Input   string     // what follows the first plain %, line by line
	Env     []Variable // in force, in the order in which they were set
}

// Variable is an environment variable.
type Variable struct{ Name, Value string }

// Problem is a line that is not taken over.
type Problem struct {
	Line    int
	Text    string
	Reason  string
	Nearest string // a rule that comes next to what was meant; may be empty
}

// File is what a crontab says.
type File struct {
	Entries  []Entry
	Problems []Problem
}

// Read reads a crontab. userColumn says that a user stands between rule and command, as in /etc/crontab. The error is that
// of the reader, or a line above 64 KiB.
func Read(r io.Reader, userColumn bool) (File, error) {
	var f File
	var env []Variable
	zone := ""
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if v, ok := assignment(text); ok {
			if v.Name == "CRON_TZ" {
				zone = v.Value
			} else {
				env = set(env, v)
			}
			continue
		}
		e, fault := readEntry(text, userColumn)
		if fault == nil {
			_, err := recurrence.Parse(e.Rule, zone, recurrence.Options{})
			if err != nil {
				fault = &Problem{Reason: err.Error(), Nearest: nearest(e.Rule, zone)}
			}
		}
		if fault != nil {
			fault.Line, fault.Text = n, text
			f.Problems = append(f.Problems, *fault)
			continue
		}
		e.Line, e.Zone, e.Env = n, zone, append([]Variable(nil), env...)
		f.Entries = append(f.Entries, e)
	}
	if err := lines.Err(); err != nil {
		return f, fmt.Errorf("read crontab: %w", err)
	}
	return f, nil
}

// set adds or replaces a variable.
func set(env []Variable, v Variable) []Variable {
	for i := range env {
		if env[i].Name == v.Name {
			env[i].Value = v.Value
			return env
		}
	}
	return append(env, v)
}

// assignment reads a line NAME = VALUE. Blanks around = are allowed, and quotes keep blanks in the value.
func assignment(text string) (Variable, bool) {
	name, value, ok := strings.Cut(text, "=")
	name, value = unquote(strings.TrimSpace(name)), strings.TrimSpace(value)
	if !ok || !isName(name) {
		return Variable{}, false
	}
	return Variable{name, unquote(value)}, true
}

func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// readEntry splits a line into rule, user and command.
func readEntry(text string, userColumn bool) (Entry, *Problem) {
	fields := 5
	text = strings.TrimLeft(strings.TrimPrefix(text, "-"), " \t") // a leading minus only keeps cron from logging
	if strings.HasPrefix(text, "@") {
		fields = 1
	}
	var e Entry
	parts := make([]string, 0, fields)
	for range fields {
		var part string
		part, text = word(text)
		parts = append(parts, part)
	}
	e.Rule = strings.Join(parts, " ")
	if userColumn {
		e.User, text = word(text)
	}
	if strings.EqualFold(e.Rule, "@reboot") {
		return e, &Problem{Reason: "@reboot is an event of one machine, not a time; start the command from the machine's init system"}
	}
	if text == "" {
		return e, &Problem{Reason: fmt.Sprintf("no command: a line has %s and then a command", columns(fields, userColumn))}
	}
	e.Command, e.Input = percent(text)
	return e, nil
}

func columns(fields int, userColumn bool) string {
	what := "5 fields of time"
	if fields == 1 {
		what = "a macro"
	}
	if userColumn {
		what += ", a user"
	}
	return what
}

// word cuts the first word off.
func word(text string) (first, rest string) {
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimLeft(text[i:], " \t")
}

// percent splits a command at its first plain %: what follows is the input, in which every plain % is a line's end. \% is a
// percent sign.
func percent(text string) (command, input string) {
	var b strings.Builder
	split := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '%':
			b.WriteByte('%')
			i++
		case text[i] == '%' && !split:
			command, split = b.String(), true
			b.Reset()
		case text[i] == '%':
			b.WriteByte('\n')
		default:
			b.WriteByte(text[i])
		}
	}
	if !split {
		return b.String(), ""
	}
	return command, b.String() + "\n"
}

// highest values of the 5 fields, for steps, and their lowest.
var (
	highest = [5]int{59, 23, 31, 12, 7}
	lowest  = [5]string{"0", "0", "1", "1", "0"}
)

// nearest finds a rule next to one that is refused: a step above the field's highest value is the field's lowest alone, a
// random choice a~b is H(a-b). Empty if nothing of that makes it a rule.
func nearest(rule, zone string) string {
	fields := strings.Fields(rule)
	if len(fields) != 5 {
		return ""
	}
	for i, text := range fields {
		items := strings.Split(text, ",")
		for k, item := range items {
			items[k] = nearestItem(item, i)
		}
		fields[i] = strings.Join(items, ",")
	}
	found := strings.Join(fields, " ")
	if _, err := recurrence.Parse(found, zone, recurrence.Options{}); err != nil || found == rule {
		return ""
	}
	return found
}

func nearestItem(item string, field int) string {
	if low, high, ok := strings.Cut(item, "~"); ok {
		high, step, _ := strings.Cut(high, "/")
		if low == "" {
			low = lowest[field]
		}
		if high == "" {
			high = fmt.Sprint(highest[field])
		}
		if step != "" {
			return "H(" + low + "-" + high + ")/" + step
		}
		return "H(" + low + "-" + high + ")"
	}
	values, step, ok := strings.Cut(item, "/")
	var n int
	if _, err := fmt.Sscanf(step, "%d", &n); !ok || err != nil || n <= highest[field] {
		return item
	}
	if values == "*" {
		return lowest[field]
	}
	low, _, _ := strings.Cut(values, "-")
	return low
}
