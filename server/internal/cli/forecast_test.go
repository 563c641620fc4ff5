package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestForecast_DrawsABarToTheScaleOfTheFullestMinute(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	got := server.run(t, "", "schedule", "forecast")
	want := `MINUTE             SCHEDULED  WAITING  LOAD
2026-03-01T12:00Z  70000      30000    ########################################
2026-03-01T12:01Z  -          1        #
`
	if got.code != exitOK || got.out != want || got.errors != "" {
		t.Errorf("exit code %d, stderr %q, stdout\n%s\nwant\n%s", got.code, got.errors, got.out, want)
	}
	if got := server.run(t, "", "schedule", "forecast", "--all"); got.out != want || !strings.Contains(got.errors, "lower bounds") {
		t.Errorf("of an incomplete forecast: stderr %q, stdout\n%s", got.errors, got.out)
	}
	got = server.run(t, "", "schedule", "forecast", "-o", "json")
	var value struct {
		Minutes  []struct{ Time, ScheduledJobs, WaitingJobs string }
		Complete bool
	}
	if err := json.Unmarshal([]byte(got.out), &value); err != nil || len(value.Minutes) != 2 || value.Minutes[0].ScheduledJobs != "70000" || !value.Complete {
		t.Errorf("%v: %s", err, got.out)
	}
}
