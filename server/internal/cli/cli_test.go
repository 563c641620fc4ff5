package cli_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/belfryhq/belfry/server/internal/cli"
)

// TestMain lets scripts and tests run this binary as belfry.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"belfry": func() { os.Exit(cli.Main("v0.0.0-test")) },
	})
}

// Commands that need no server.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		// Exit codes are part of what is promised; testscript's own exec only knows success and failure.
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"code": wantCode},
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
			env.Setenv("DEV", devDir(env.T().(testing.TB))) // one that PostgreSQL's account can reach
			return nil
		},
	})
}

// wantCode runs a command: code N COMMAND ARGUMENT...
func wantCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND ARGUMENT...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = err.Error()
	}
	if want := args[0]; got != want && got != "exit status "+want {
		ts.Fatalf("%v: got %s, want exit code %s", args[1:], got, want)
	}
}
