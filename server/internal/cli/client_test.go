package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// Each command makes exactly the request that it says, with the key that fits.
func TestClientCommands_SendWhatTheySay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	binary, text := filepath.Join(dir, "data.bin"), filepath.Join(dir, "data.JSON")
	noError(t, os.WriteFile(binary, []byte{0xff, 0}, 0o600))
	noError(t, os.WriteFile(text, []byte(`[1, 2]`), 0o600))
	const own, platform = "tenant-key", "platform-key"
	tests := []struct {
		command string
		stdin   string
		want    proto.Message
		request string // text form of want
		key     string
	}{
		{command: `job create -q mail`, want: &v1.CreateJobRequest{}, request: `job {queue: "mail"}`, key: own},
		{command: `job create --queue mail --type welcome --delay 1h30m --priority 0 --json {"a":[1,null]}`, want: &v1.CreateJobRequest{},
			request: `job {queue: "mail" job_type: "welcome" delay {seconds: 5400} priority: 0 payload {json {struct_value {fields {
				key: "a" value {list_value {values {number_value: 1} values {null_value: NULL_VALUE}}}}}}}}`, key: own},
		{command: `job create -q mail --text - --at 2026-03-01T10:00:00.5+01:00 --start-within 2d`, stdin: "line\n", want: &v1.CreateJobRequest{},
			request: `job {queue: "mail" due_time {seconds: 1772355600 nanos: 500000000} start_within {seconds: 172800} payload {text: "line\n"}}`, key: own},
		{command: `job create -q mail --json - --content-type application/x+json`, stdin: ` "x" `, want: &v1.CreateJobRequest{},
			request: `job {queue: "mail" payload {json {string_value: "x"} content_type: "application/x+json"}}`, key: own},
		{command: `job create -q mail --file ` + binary, want: &v1.CreateJobRequest{}, request: `job {queue: "mail" payload {bytes: "\xff\x00"}}`, key: own},
		{command: `job create -q mail --file ` + text, want: &v1.CreateJobRequest{},
			request: `job {queue: "mail" payload {json {list_value {values {number_value: 1} values {number_value: 2}}}}}`, key: own},
		{command: `job create -q mail --file -`, stdin: "plain", want: &v1.CreateJobRequest{}, request: `job {queue: "mail" payload {text: "plain"}}`, key: own},
		{command: `job create -q mail --header a=b=c --header x= --max-attempts 1 --retry-delays 1s,1m --jitter 0 --attempt-timeout 5m --max-age 90d ` +
			`--max-releases 7 --start-by 2026-03-01T09:00:00Z --request-id again --validate-only`, want: &v1.CreateJobRequest{},
			request: `job {queue: "mail" headers {key: "a" value: "b=c"} headers {key: "x" value: ""} retry_policy {max_attempts: 1 jitter: 0
				delays {seconds: 1} delays {seconds: 60}} attempt_timeout {seconds: 300} max_age {seconds: 7776000} max_releases: 7
				start_by_time {seconds: 1772355600}} request_id: "again" validate_only: true`, key: own},
		{command: `job create -q mail --tenant acme`, want: &v1.CreateJobRequest{}, request: `tenant_id: "acme" job {queue: "mail"}`, key: platform},
		{command: `job get job_1`, want: &v1.GetJobRequest{}, request: `job_id: "job_1" view: JOB_VIEW_FULL`, key: own},
		{command: `job list -q mail -t x --state dead,ready --limit 3`, want: &v1.ListJobsRequest{},
			request: `queue: "mail" job_type: "x" states: [JOB_STATE_DEAD, JOB_STATE_READY] page_size: 3`, key: own},
		{command: `job cancel job_1 --reason stop`, want: &v1.CancelJobRequest{}, request: `job_id: "job_1" reason: "stop"`, key: own},
		{command: `queue create mail --description d --history slim --retention-days 30 --deletion-protection --max-backoff 1m`, want: &v1.CreateQueueRequest{},
			request: `queue {queue: "mail" description: "d" history: HISTORY_MODE_SLIM retention_days: 30 deletion_protection: true
				retry_policy {max_backoff {seconds: 60}}}`, key: own},
		{command: `queue update mail --max-attempts 9 --deletion-protection=false --etag e`, want: &v1.UpdateQueueRequest{},
			request: `queue {queue: "mail" retry_policy {max_attempts: 9} etag: "e"}
				update_mask {paths: ["retry_policy.max_attempts", "deletion_protection"]}`, key: own},
		{command: `queue get mail`, want: &v1.GetQueueRequest{}, request: `queue: "mail"`, key: own},
		{command: `queue list --limit 0`, want: &v1.ListQueuesRequest{}, request: `page_size: 1000`, key: own},
		{command: `queue delete mail --force --etag e`, want: &v1.DeleteQueueRequest{}, request: `queue: "mail" force: true etag: "e"`, key: own},
		{command: `queue pause mail --reason r`, want: &v1.PauseQueueRequest{}, request: `queue: "mail" reason: "r"`, key: own},
		{command: `queue resume mail`, want: &v1.ResumeQueueRequest{}, request: `queue: "mail"`, key: own},
		{command: `queue stats mail --tenant acme`, want: &v1.GetQueueStatsRequest{}, request: `tenant_id: "acme" queue: "mail"`, key: platform},
		{command: `schedule create daily --cron @ --timezone UTC -q mail --text hi --description d`, want: &v1.CreateScheduleRequest{},
			request: `schedule {schedule: "daily" spec {cron: "@" time_zone: "UTC"} job {queue: "mail" payload {text: "hi"}} description: "d"}`, key: own},
		{command: `schedule update daily --timezone Asia/Tokyo --retry-delays 2s`, want: &v1.UpdateScheduleRequest{},
			request: `schedule {schedule: "daily" etag: "e-7" spec {cron: "0 9 * * *" time_zone: "Asia/Tokyo"} job {queue: "mail" job_type: "report"
				retry_policy {max_attempts: 3 delays {seconds: 2}}}} update_mask {paths: ["spec", "job"]}`, key: own},
		{command: `schedule create s --every 90m --phase 1m --start 2027-01-01T00:00:00Z --end 2028-01-01T00:00:00Z --max-runs 3 --due-jitter 30s ` +
			`--exclude SAT,SUN --exclude 12-25 --gap skip --repeat both --missed fire-all --catchup-window 7d --max-catchup 5 -q q`,
			want: &v1.CreateScheduleRequest{}, request: `schedule {schedule: "s" spec {interval {every {seconds: 5400} phase {seconds: 60}}
				start_time {seconds: 1798761600} end_time {seconds: 1830297600} max_runs: 3 jitter {seconds: 30} exclude_dates: ["SAT", "SUN", "12-25"]
				gap_policy: GAP_POLICY_SKIP repeat_policy: REPEAT_POLICY_BOTH} missed_policy: MISSED_POLICY_FIRE_ALL
				catchup_window {seconds: 604800} max_catchup: 5 job {queue: "q"}}`, key: own},
		{command: `schedule create s --rrule DTSTART:20270101T000000\nRRULE:FREQ=DAILY -q q`, want: &v1.CreateScheduleRequest{},
			request: `schedule {schedule: "s" spec {rrule: "DTSTART:20270101T000000\nRRULE:FREQ=DAILY"} job {queue: "q"}}`, key: own},
		{command: `schedule create s --rate rate(5-minutes) -q q`, want: &v1.CreateScheduleRequest{},
			request: `schedule {schedule: "s" spec {cron: "rate(5-minutes)"} job {queue: "q"}}`, key: own},
		{command: `schedule update daily --missed skip --max-catchup 7 --start=`, want: &v1.UpdateScheduleRequest{},
			request: `schedule {schedule: "daily" etag: "e-7" spec {cron: "0 9 * * *" time_zone: "Europe/Berlin"} job {queue: "mail" job_type: "report"
				retry_policy {max_attempts: 3 delays {seconds: 1}}} missed_policy: MISSED_POLICY_SKIP max_catchup: 7}
				update_mask {paths: ["spec", "missed_policy", "max_catchup"]}`, key: own},
		{command: `schedule create s --cron @daily --calendar a,b --calendar c -q q`, want: &v1.CreateScheduleRequest{},
			request: `schedule {schedule: "s" spec {cron: "@daily" calendars: ["a", "b", "c"]} job {queue: "q"}}`, key: own},
		{command: `schedule update daily --calendar=`, want: &v1.UpdateScheduleRequest{},
			request: `schedule {schedule: "daily" etag: "e-7" spec {cron: "0 9 * * *" time_zone: "Europe/Berlin"} job {queue: "mail" job_type: "report"
				retry_policy {max_attempts: 3 delays {seconds: 1}}}} update_mask {paths: ["spec"]}`, key: own},
		{command: `schedule get daily`, want: &v1.GetScheduleRequest{}, request: `schedule: "daily"`, key: own},
		{command: `schedule list`, want: &v1.ListSchedulesRequest{}, request: `page_size: 100`, key: own},
		{command: `schedule delete daily`, want: &v1.DeleteScheduleRequest{}, request: `schedule: "daily"`, key: own},
		{command: `schedule pause daily --reason r`, want: &v1.PauseScheduleRequest{}, request: `schedule: "daily" reason: "r"`, key: own},
		{command: `schedule resume daily`, want: &v1.ResumeScheduleRequest{}, request: `schedule: "daily"`, key: own},
		{command: `schedule occurrences daily --after 2026-03-01T09:00:00Z --before 2026-03-01T10:00:00Z --outcome skipped,caught_up --limit 7`,
			want: &v1.ListOccurrencesRequest{}, request: `schedule: "daily" start_time {seconds: 1772355600} end_time {seconds: 1772359200}
				outcomes: [OCCURRENCE_OUTCOME_SKIPPED, OCCURRENCE_OUTCOME_CAUGHT_UP] page_size: 7 origin: OCCURRENCE_ORIGIN_RULE`, key: own},
		{command: `schedule occurrences daily --origin backfill --limit 7`, want: &v1.ListOccurrencesRequest{},
			request: `schedule: "daily" page_size: 7 origin: OCCURRENCE_ORIGIN_BACKFILL`, key: own},
		{command: `schedule run daily --overlap buffer-one --request-id r`, want: &v1.RunScheduleRequest{},
			request: `schedule: "daily" overlap_policy: OVERLAP_POLICY_BUFFER_ONE request_id: "r"`, key: own},
		{command: `schedule backfill daily --after 2026-03-01T09:00:00Z --before 2026-03-01T10:00:00Z --overlap allow --per-minute 3 --dry-run`,
			want: &v1.BackfillScheduleRequest{}, request: `schedule: "daily" start_time {seconds: 1772355600} end_time {seconds: 1772359200}
				overlap_policy: OVERLAP_POLICY_ALLOW max_per_minute: 3 validate_only: true`, key: own},
		{command: `schedule forecast`, want: &v1.GetForecastRequest{}, request: `minutes: 60`, key: own},
		{command: `schedule forecast --minutes 1440 --tenant acme`, want: &v1.GetForecastRequest{}, request: `tenant_id: "acme" minutes: 1440`, key: platform},
		{command: `schedule forecast --all --minutes 1`, want: &v1.GetForecastRequest{}, request: `tenant_id: "-" minutes: 1`, key: platform},
		{command: `calendar create holidays --day 12-25,SAT --days-file - --description d`, stdin: "# 2026\n 2026-12-24 # eve\n\n2026-12-31",
			want: &v1.CreateCalendarRequest{}, request: `calendar {calendar: "holidays" days: ["12-25", "SAT", "2026-12-24", "2026-12-31"]
				description: "d"}`, key: own},
		{command: `calendar update holidays --days-file - --etag e`, want: &v1.UpdateCalendarRequest{},
			request: `calendar {calendar: "holidays" etag: "e"} update_mask {paths: ["days"]}`, key: own},
		{command: `calendar update holidays --description d --day SUN`, want: &v1.UpdateCalendarRequest{},
			request: `calendar {calendar: "holidays" description: "d" days: "SUN"} update_mask {paths: ["days", "description"]}`, key: own},
		{command: `calendar get holidays --tenant acme`, want: &v1.GetCalendarRequest{}, request: `tenant_id: "acme" calendar: "holidays"`, key: platform},
		{command: `calendar list`, want: &v1.ListCalendarsRequest{}, request: `page_size: 100`, key: own},
		{command: `calendar delete holidays --etag e`, want: &v1.DeleteCalendarRequest{}, request: `calendar: "holidays" etag: "e"`, key: own},
		{command: `tenant create acme --display-name A --auto-create-queues`, want: &v1.CreateTenantRequest{},
			request: `tenant {tenant_id: "acme" display_name: "A" auto_create_queues: true}`, key: platform},
		{command: `tenant get acme`, want: &v1.GetTenantRequest{}, request: `tenant_id: "acme"`, key: platform},
		{command: `tenant list`, want: &v1.ListTenantsRequest{}, request: `page_size: 100`, key: platform},
		{command: `key create --scope producer,worker --ttl 1h --display-name k`, want: &v1.CreateApiKeyRequest{},
			request: `scopes: [API_KEY_SCOPE_PRODUCER, API_KEY_SCOPE_WORKER] ttl {seconds: 3600} display_name: "k"`, key: own},
		{command: `key create --tenant acme`, want: &v1.CreateApiKeyRequest{}, request: `tenant_id: "acme"`, key: platform},
		{command: `key create --platform`, want: &v1.CreateApiKeyRequest{}, request: ``, key: platform},
		{command: `key list --platform`, want: &v1.ListApiKeysRequest{}, request: `page_size: 100`, key: platform},
		{command: `key revoke key_1`, want: &v1.RevokeApiKeyRequest{}, request: `key_id: "key_1"`, key: own},
		{command: `worker list`, want: &v1.ListWorkersRequest{}, request: `page_size: 100`, key: own},
	}
	for _, test := range tests {
		t.Run(test.command, func(t *testing.T) {
			t.Parallel()
			server := newFakeServer(t)
			// The platform key stands in the environment or a profile, where the flag of the tenant's key would win over it.
			args := append(strings.Fields(test.command), "--address", server.address, "--admin-key", platform)
			if test.key == own {
				args = append(args, "--api-key", own)
			}
			got := runProgram(t.Context(), test.stdin, args...)
			if got.code != exitOK || got.out == "" {
				t.Fatalf("exit code %d, stdout %q, stderr %q", got.code, got.out, got.errors)
			}
			noError(t, prototext.Unmarshal([]byte(test.request), test.want))
			request, key := server.last()
			if !proto.Equal(request, test.want) {
				t.Errorf("request %T {%v}\nwant    %T {%v}", request, request, test.want, test.want)
			}
			if key != test.key {
				t.Errorf("called with %s, want %s", key, test.key)
			}
		})
	}
}

func TestOutput_JSON_IsThatOfTheAPI(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	for _, command := range []string{"job get job_1", "job list --limit 2", "key create", "queue delete mail"} {
		got := server.run(t, "", append(strings.Fields(command), "-o", "json")...)
		var value map[string]any
		if err := json.Unmarshal([]byte(got.out), &value); err != nil || got.code != exitOK {
			t.Errorf("%s: exit code %d, %v: %s", command, got.code, err, got.out)
		}
		switch command {
		case "job get job_1":
			if value["jobId"] != "job_1" || value["state"] != "JOB_STATE_DEAD" {
				t.Errorf("job: %v", value)
			}
		case "job list --limit 2":
			if jobs, _ := value["jobs"].([]any); len(jobs) != 2 || value["nextPageToken"] == "" {
				t.Errorf("list: %v", value)
			}
		case "key create":
			if value["secret"] != "bfy_secret" {
				t.Errorf("key: %v", value)
			}
		}
	}
}

func TestOutput_Table_HoldsOneThingALine(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	got := server.run(t, "", "job", "get", "job_1")
	for _, want := range []string{"STATE     DEAD (MAX_ATTEMPTS)\n", "PAYLOAD   hi\n", "ERROR     line one line  [31mtwo\n", "FAILED"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if got := server.run(t, "", "queue", "stats", "mail"); !strings.Contains(got.out, "100000+") || !strings.Contains(got.out, "PENDING  3\n") {
		t.Errorf("stats:\n%s", got.out)
	}
	got = server.run(t, "", "schedule", "update", "daily", "--every", "90m", "--exclude", "SAT,12-25", "--missed", "fire-all", "--catchup-window", "7d",
		"--overlap", "buffer-one")
	for _, want := range []string{"RULE            every 1h30m\n", "EXCEPT          SAT, 12-25\n", "MISSED          fire-all\n", "CATCHUP-WINDOW  168h\n",
		"OVERLAP         buffer-one\n"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	got = server.run(t, "", "schedule", "occurrences", "daily")
	for _, want := range []string{"2026-03-01T12:00:00.000Z  CAUGHT_UP", "3m", "job_1", "SKIPPED    MISSED"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	got = server.run(t, "", "calendar", "get", "holidays")
	for _, want := range []string{"CALENDAR  holidays\n", "2026-01-20, and 11 more\n"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if got := server.run(t, "", "queue", "list"); !strings.Contains(got.out, "5 attempts, after 10s up to 1h") {
		t.Errorf("queues:\n%s", got.out)
	}
}

func TestList_GoesThroughPages_UpToItsLimit(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	for limit, want := range map[string]int{"0": 2500, "1500": 1500, "2500": 2500, "5000": 2500} {
		got := server.run(t, "", "job", "list", "--limit", limit)
		if lines := strings.Count(got.out, "\n") - 1; lines != want || got.code != exitOK {
			t.Errorf("--limit %s: %d jobs, want %d", limit, lines, want)
		}
		if more := strings.Contains(got.errors, "there are more"); more != (want < 2500) {
			t.Errorf("--limit %s: says that there are more: %v", limit, more)
		}
	}
}

func TestErrors_SayWhatToDoNext(t *testing.T) {
	t.Parallel()
	tests := []struct {
		code connect.Code
		exit int
		says string
	}{
		{connect.CodeInvalidArgument, exitUsage, "invalid_argument: no good"},
		{connect.CodeNotFound, exitFailed, "not_found: no good"},
		{connect.CodeUnauthenticated, exitFailed, "came from flags and environment; give another with --api-key"},
		{connect.CodePermissionDenied, exitFailed, "--admin-key or $BELFRY_ADMIN_KEY"},
	}
	for _, test := range tests {
		t.Run(test.code.String(), func(t *testing.T) {
			t.Parallel()
			server := newFakeServer(t)
			server.fail = connect.NewError(test.code, errors.New("no good"))
			got := server.run(t, "", "job", "get", "job_1")
			if got.code != test.exit || !strings.Contains(got.errors, test.says) || got.out != "" {
				t.Errorf("exit code %d, stderr %q, stdout %q; want %d and %q", got.code, got.errors, got.out, test.exit, test.says)
			}
		})
	}
}

func TestJobCreate_OfKnownRequestID_SaysSo(t *testing.T) {
	t.Parallel()
	got := newFakeServer(t).run(t, "", "job", "create", "-q", "mail", "--request-id", "again")
	if got.code != exitOK || !strings.Contains(got.errors, "has made the job before") {
		t.Errorf("exit code %d, stderr %q", got.code, got.errors)
	}
}

func TestJobCreate_OfTooLargePayload_IsRefusedHere(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	got := server.run(t, strings.Repeat("x", maxPayload+1), "job", "create", "-q", "mail", "--text", "-")
	if request, _ := server.last(); got.code != exitUsage || request != nil || !strings.Contains(got.errors, "larger than 262144 bytes") {
		t.Errorf("exit code %d, stderr %q, request %v", got.code, got.errors, request)
	}
	if got := server.run(t, strings.Repeat("x", maxPayload), "job", "create", "-q", "mail", "--text", "-"); got.code != exitOK {
		t.Errorf("exit code %d at the limit: %s", got.code, got.errors)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
