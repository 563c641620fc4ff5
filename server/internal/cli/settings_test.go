package cli

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/belfryhq/belfry/server"
)

var update = flag.Bool("update", false, "write docs/settings.md instead of comparing it")

func TestSettingsDoc_IsWhatTheTableSays(t *testing.T) {
	t.Parallel()
	const name = "../../../docs/settings.md"
	want := settingsDoc()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/settings.md is not what settings.go says; write it with: go test ./server/internal/cli -run SettingsDoc -update")
	}
}

func TestSettings_CoverTheServersConfiguration(t *testing.T) {
	t.Parallel()
	defaults := reflect.ValueOf(server.Defaults())
	for i := range defaults.NumField() {
		name := defaults.Type().Field(i).Tag.Get("mapstructure")
		if name == "-" {
			continue
		}
		at := slices.IndexFunc(settings(), func(s setting) bool { return s.name == name })
		if at < 0 {
			t.Errorf("server.Config has %q, of which the table of settings knows nothing", name)
			continue
		}
		s := settings()[at]
		if !slices.Contains(s.takes, onServe) {
			t.Errorf("serve does not take --%s", name)
		}
		if got := defaults.Field(i).Interface(); !reflect.DeepEqual(got, s.value) {
			t.Errorf("default of --%s is %v, that of server.Config %v", name, s.value, got)
		}
	}
}
