package crontab_test

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/belfryhq/belfry/server/internal/cli/crontab"
)

func read(t *testing.T, text string, userColumn bool) crontab.File {
	t.Helper()
	f, err := crontab.Read(strings.NewReader(text), userColumn)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRead_TakesWhatCronTakes(t *testing.T) {
	t.Parallel()
	f := read(t, `# a comment
SHELL=/bin/bash
  MAILTO = "ops@example.com"

*/5 * * * *	/usr/bin/poll --all
CRON_TZ=Europe/Berlin
@daily backup.sh # not a comment
-0 9 * jan-mar mon,fri echo 100\% of it%first%second
MAILTO=''
5 4 * * sun env A=b c
`, false)
	if len(f.Problems) != 0 {
		t.Fatalf("problems: %+v", f.Problems)
	}
	bash := crontab.Variable{Name: "SHELL", Value: "/bin/bash"}
	mail := crontab.Variable{Name: "MAILTO", Value: "ops@example.com"}
	want := []crontab.Entry{
		{Line: 5, Rule: "*/5 * * * *", Command: "/usr/bin/poll --all", Env: []crontab.Variable{bash, mail}},
		{Line: 7, Rule: "@daily", Zone: "Europe/Berlin", Command: "backup.sh # not a comment", Env: []crontab.Variable{bash, mail}},
		{Line: 8, Rule: "0 9 * jan-mar mon,fri", Zone: "Europe/Berlin", Command: "echo 100% of it", Input: "first\nsecond\n",
			Env: []crontab.Variable{bash, mail}},
		{Line: 10, Rule: "5 4 * * sun", Zone: "Europe/Berlin", Command: "env A=b c", Env: []crontab.Variable{bash, {Name: "MAILTO"}}},
	}
	if !reflect.DeepEqual(f.Entries, want) {
		t.Errorf("got  %+v\nwant %+v", f.Entries, want)
	}
}

func TestRead_UserColumn(t *testing.T) {
	t.Parallel()
	f := read(t, "17 * * * * root cd / && run-parts /etc/cron.hourly\n@weekly www-data /bin/x\n", true)
	if len(f.Entries) != 2 || f.Entries[0].User != "root" || f.Entries[0].Command != "cd / && run-parts /etc/cron.hourly" ||
		f.Entries[1].User != "www-data" || f.Entries[1].Command != "/bin/x" {
		t.Errorf("%+v", f)
	}
}

func TestRead_ReportsWhatItRefuses_WithTheNearestRule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ reason, nearest string }{
		"*/60 * * * * x":     {"step", "0 * * * *"},
		"0 */24 * * * x":     {"step", "0 0 * * *"},
		"10-40/90 1 * * * x": {"step", "10 1 * * *"},
		"0 0 */40 * * x":     {"step", "0 0 1 * *"},
		"0~59 4 * * * x":     {"", "H(0-59) 4 * * *"},
		"~ 4 * * * x":        {"", "H(0-59) 4 * * *"},
		"0 0 30 2 * x":       {"never fires", ""},
		"61 * * * * x":       {"", ""},
		"@reboot x":          {"init system", ""},
		"* * * *":            {"command", ""},
		"* * * * *":          {"command", ""},
		"@hourly":            {"command", ""},
		"@sometimes x":       {"", ""},
		"-":                  {"command", ""},
		"٣ * * * * x":        {"", ""},
	} {
		f := read(t, text+"\n", false)
		if len(f.Entries) != 0 || len(f.Problems) != 1 {
			t.Errorf("%q: %+v", text, f)
			continue
		}
		p := f.Problems[0]
		if p.Line != 1 || p.Text != text || !strings.Contains(p.Reason, want.reason) || p.Nearest != want.nearest {
			t.Errorf("%q: %+v, want a reason with %q and nearest %q", text, p, want.reason, want.nearest)
		}
	}
}

// The script does in sh what cron does with the line.
func TestScript_RunsTheCommandWithVariablesAndInput(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`* * * * * echo "$GREETING, it's 100\%"`: "don't \"panic\", it's 100%\n",
		`* * * * * cat%one%two \% three`:         "one\ntwo % three\n",
		`* * * * * cat`:                          "",
		`* * * * * exit 3`:                       "exit status 3",
		`* * * * * cat >/dev/null; exit 4%x`:     "exit status 4",
	} {
		f := read(t, "GREETING=don't \"panic\"\n"+line+"\n", false)
		cmd := exec.CommandContext(t.Context(), "sh")
		cmd.Stdin = strings.NewReader(f.Entries[0].Script())
		out, err := cmd.Output()
		got := string(out)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestNames_StayWhenTheTimeChanges_AndDifferOtherwise(t *testing.T) {
	t.Parallel()
	names := func(text string) []string { return crontab.Names(read(t, text, true).Entries) }
	a := names("1 * * * * root /opt/Backup.sh a\n2 * * * * root /opt/Backup.sh a\n3 * * * * www /opt/Backup.sh a\n4 * * * * root /opt/Backup.sh b\n5 * * * * root ( cd / )\n")
	b := names("9 9 * * * root /opt/Backup.sh a\n* * * * * root /opt/Backup.sh a\n")
	if a[0] != b[0] || a[1] != b[1] {
		t.Errorf("names change with the time: %q, %q", a, b)
	}
	seen := map[string]bool{}
	for _, name := range a {
		if seen[name] || len(name) > 63 {
			t.Errorf("name %q is taken, or too long", name)
		}
		seen[name] = true
	}
	if !strings.HasPrefix(a[0], "cron-backup-sh-") || !strings.HasPrefix(a[4], "cron-cd-") {
		t.Errorf("%q", a)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("SHELL=/bin/sh\n*/60 * * * * x%y\n@reboot x\n0~9/2 * * * * z", true)
	f.Fuzz(func(t *testing.T, text string, userColumn bool) {
		file, err := crontab.Read(strings.NewReader(text), userColumn)
		if err != nil {
			return
		}
		names := crontab.Names(file.Entries)
		for i := range file.Entries {
			if file.Entries[i].Command == "" && file.Entries[i].Input == "" || names[i] == "" || file.Entries[i].Script() == "" {
				t.Errorf("%+v named %q", file.Entries[i], names[i])
			}
		}
	})
}
