package e2e_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/tests/harness"
)

// A crontab comes over line by line; reading it again changes what has changed, and nothing else; and its jobs are scripts that
// a worker's shell runs.
func TestImportCrontab_IsIdempotent_AndItsJobsRun(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	binary, err := harness.Binary()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "crontab")
	importing := func(text string) (out, problems string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), binary, "import", "crontab", file)
		cmd.Env = append(os.Environ(), "BELFRY_ADDRESS="+world.Node.Addr, "BELFRY_API_KEY="+x.Key)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); errors.As(err, &exit) && exit.ExitCode() != 1 {
			t.Fatalf("%v: %s", err, stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	const head = "GREETING=hello\nCRON_TZ=Europe/Berlin\n"
	out, problems := importing(head + "0 4 * * * /opt/nightly\n*/60 * * * * poll\n* * * * * test \"$GREETING\" = hello && test \"$(cat)\" = 50\\%%50\\%\n")
	if strings.Count(out, " made ") != 2 || !strings.Contains(problems, "nearest: 0 * * * *") || !strings.Contains(problems, "--overlap skip") {
		t.Fatalf("first reading:\n%s%s", out, problems)
	}
	keepApart(t, x)
	out, _ = importing(head + "0 5 * * * /opt/nightly\n* * * * * test \"$GREETING\" = hello && test \"$(cat)\" = 50\\%%50\\%\n")
	if strings.Count(out, " changed ") != 1 || strings.Count(out, " unchanged ") != 1 {
		t.Fatalf("second reading:\n%s", out)
	}
	all, err := x.Schedules().ListSchedules(t.Context(), &v1.ListSchedulesRequest{})
	if err != nil || len(all.GetSchedules()) != 2 {
		t.Fatalf("%d schedules, want 2 (%v)", len(all.GetSchedules()), err)
	}
	for _, s := range all.GetSchedules() {
		if policy := s.GetOverlapPolicy(); policy != v1.OverlapPolicy_OVERLAP_POLICY_BUFFER_ONE {
			t.Errorf("reading the file again has set %s to %v", s.GetSchedule(), policy)
		}
		if zone := s.GetSpec().GetTimeZone(); zone != "Europe/Berlin" {
			t.Errorf("%s is in zone %q", s.GetSchedule(), zone)
		}
		if strings.HasPrefix(s.GetSchedule(), "cron-nightly-") && s.GetSpec().GetCron() != "0 5 * * *" {
			t.Errorf("%s fires at %q", s.GetSchedule(), s.GetSpec().GetCron())
		}
		if strings.HasPrefix(s.GetSchedule(), "cron-test-") {
			runScript(t, x, s.GetSchedule())
		}
	}
}

// keepApart gives all schedules of a tenant, whose runs may overlap as in cron, another policy.
func keepApart(t *testing.T, x harness.Tenant) {
	t.Helper()
	all, err := x.Schedules().ListSchedules(t.Context(), &v1.ListSchedulesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all.GetSchedules() {
		if policy := s.GetOverlapPolicy(); policy != v1.OverlapPolicy_OVERLAP_POLICY_ALLOW {
			t.Errorf("%s is made with %v", s.GetSchedule(), policy)
		}
		if _, err := x.Schedules().UpdateSchedule(t.Context(), &v1.UpdateScheduleRequest{Schedule: &v1.Schedule{Schedule: s.GetSchedule(),
			OverlapPolicy: v1.OverlapPolicy_OVERLAP_POLICY_BUFFER_ONE}}); err != nil {
			t.Fatal(err)
		}
	}
}

// runScript runs what a schedule's jobs hold as a worker's shell would.
func runScript(t *testing.T, x harness.Tenant, schedule string) {
	t.Helper()
	got, err := x.Schedules().GetSchedule(t.Context(), &v1.GetScheduleRequest{Schedule: schedule})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh")
	cmd.Stdin = strings.NewReader(got.GetSchedule().GetJob().GetPayload().GetText())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
