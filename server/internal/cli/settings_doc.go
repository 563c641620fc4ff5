package cli

import (
	"fmt"
	"strings"
)

// settingsDoc is the text of docs/settings.md.
func settingsDoc() string {
	var b strings.Builder
	b.WriteString(`# Settings

This page is made from the table in ` + "`server/internal/cli/settings.go`" + `; a test compares the two.

A setting is given by its flag, or by its variable in the environment, or (servers only) by its name as a key in the file
of ` + "`--config`" + `; the first of these that is there counts. Empty variables count as absent. A key that a file has and this table
has not is refused.

` + "```yaml" + `
# belfry serve --config belfry.yaml
database-url: postgres://belfry:secret@db.internal:5432/belfry
listen: :7070
log-format: json
` + "```" + `

Client commands find their server by ` + "`--address` and `--api-key`" + ` or their variables; else by a profile; else they use the
` + "`belfry dev`" + ` of this machine. A key of a profile is sent only to that profile's address. The file of profiles:

` + "```yaml" + `
# ~/.config/belfry/config.yaml, readable by you only
profile: prod                 # the default
profiles:
  prod:
    address: https://belfry.example.com
    api-key: bfy_…
    admin-key: bfy_…          # for operators
    tenant: acme              # with platform keys
` + "```" + `

| flag | environment | default | commands | what it is |
|---|---|---|---|---|
`)
	for _, s := range settings() {
		fmt.Fprintf(&b, "| `--%s` | `%s` | %s | %s | %s |\n", s.name, envName(s.name), s.defaultsText(), strings.Join(s.takes, ", "),
			strings.ReplaceAll(s.usage, "`", ""))
	}
	return b.String()
}

func (s setting) defaultsText() string {
	text := codeOrEmpty(s.value)
	for _, command := range s.takes {
		if value, ok := s.other[command]; ok {
			text += fmt.Sprintf("; %s: %s", command, codeOrEmpty(value))
		}
	}
	return text
}

func codeOrEmpty(value any) string {
	text := fmt.Sprint(value)
	if text == "" {
		return "empty"
	}
	return "`" + text + "`"
}
