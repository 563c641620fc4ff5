package crontab

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"
)

// Script is the entry as a shell script, for `belfry worker exec -- sh`, which reads it on its standard input: the variables
// in force, then the command in the shell that SHELL names, with the entry's input or none.
func (e *Entry) Script() string {
	var b strings.Builder
	shell := "/bin/sh"
	for _, v := range e.Env {
		b.WriteString("export " + v.Name + "=" + quote(v.Value) + "\n")
		if v.Name == "SHELL" && v.Value != "" {
			shell = v.Value
		}
	}
	run := quote(shell) + " -c " + quote(e.Command)
	if e.Input != "" {
		b.WriteString("printf %s " + quote(e.Input) + " | " + run + "\n")
	} else {
		b.WriteString("exec " + run + " </dev/null\n")
	}
	return b.String()
}

// quote writes a word of the shell that stands for s exactly.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Names gives every entry the name of a schedule that stays the same when the file is read again, also after the time of a
// line was changed: it depends on user and command, and on the place among equal ones.
func Names(entries []Entry) []string {
	names := make([]string, len(entries))
	seen := map[string]int{}
	for i := range entries {
		e := &entries[i]
		sum := sha256.Sum256([]byte(e.User + "\x00" + e.Command + "\x00" + e.Input))
		name := "cron-" + slug(e.Command) + "-" + hex.EncodeToString(sum[:4])
		seen[name]++
		if n := seen[name]; n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		names[i] = name
	}
	return names
}

const maxSlug = 30

// slug is the command's program as part of a name.
func slug(command string) string {
	first, _ := word(strings.TrimLeft(command, "([{ \t"))
	var b strings.Builder
	for _, r := range strings.ToLower(path.Base(first)) {
		switch {
		case b.Len() == maxSlug:
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "line"
}
