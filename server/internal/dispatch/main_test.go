package dispatch

import (
	"flag"
	"os"
	"testing"
)

// TestMain shortens the model tests, whose every step is a transaction; BELFRY_NIGHTLY=1 runs them in full.
func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv("BELFRY_NIGHTLY") == "" && flag.Lookup("rapid.checks").Value.String() == "100" {
		if err := flag.Set("rapid.checks", "10"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
