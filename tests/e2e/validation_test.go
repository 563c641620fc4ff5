package e2e_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// bad is one request that breaks a rule, and the field that must be named.
type bad struct {
	name   string
	method string
	body   any
	field  string
}

// job is the body of a CreateJob of queue "q" with further fields of the job, as JSON members.
func job(members string) string {
	if members != "" {
		members = ", " + members
	}
	return `{"job": {"queue": "q"` + members + `}}`
}

func queueNamed(name string) map[string]any {
	return map[string]any{"job": map[string]any{"queue": name}}
}

func schedule(members string) string {
	return `{"schedule": {"schedule": "s", "job": {"queue": "q"}, ` + members + `}}`
}

// text is a payload of n bytes.
func text(n int) string { return `"payload": {"text": "` + strings.Repeat("x", n) + `"}` }

// kibibytes256 is the largest payload.
const kibibytes256 = 256 << 10

// The list, the limits at their edges, and the cases P-API-02, P-API-04 and P-API-05.
func badRequests() []bad {
	const create = "JobService/CreateJob"
	headers := func(n int) string {
		var pairs []string
		for i := range n {
			pairs = append(pairs, fmt.Sprintf(`"h%d": "v"`, i))
		}
		return `"headers": {` + strings.Join(pairs, ", ") + `}`
	}
	return []bad{
		{"unknown field", create, job(`"prioritty": 3`), "job.prioritty"},
		{"unknown field at the top", create, `{"job": {"queue": "q"}, "when": "now"}`, "when"},
		{"no job", create, `{}`, "job"},
		{"empty queue name", create, queueNamed(""), "job.queue"},
		{"queue name of 64", create, queueNamed(strings.Repeat("a", 64)), "job.queue"},
		{"queue name with a space", create, queueNamed(" a"), "job.queue"},
		{"queue name with a path", create, queueNamed("a/../b"), "job.queue"},
		{"queue name in capitals", create, queueNamed("A"), "job.queue"},
		{"queue name beyond ASCII", create, queueNamed("e\u0301"), "job.queue"},
		{"queue name with NUL", create, queueNamed("a\x00"), "job.queue"},
		{"queue name with a final line end", create, queueNamed("a\n"), "job.queue"},
		{"job type of 129", create, job(`"jobType": "` + strings.Repeat("t", 129) + `"`), "job.job_type"},
		{"job type with a space", create, job(`"jobType": "a b"`), "job.job_type"},
		{"text a byte too large", create, job(text(kibibytes256 + 1)), "job.payload"},
		{"JSON a byte too large", create, job(`"payload": {"json": "` + strings.Repeat("x", kibibytes256-1) + `"}`), "job.payload"},
		{"NUL in text", create, job(`"payload": {"text": "a\u0000b"}`), "job.payload"},
		{"NUL in JSON", create, job(`"payload": {"json": {"a": ["\u0000"]}}`), "job.payload"},
		{"NUL in a name of JSON", create, job(`"payload": {"json": {"\u0000": 1}}`), "job.payload"},
		{"lone surrogate", create, job(`"payload": {"json": "\ud800"}`), "job.payload"},
		{"integer beyond 2^53", create, job(`"payload": {"json": {"n": 9007199254740993}}`), "job.payload"},
		{"the largest int64", create, job(`"payload": {"json": 9223372036854775807}`), "job.payload"},
		{"the least int64", create, job(`"payload": {"json": -9223372036854775808}`), "job.payload"},
		{"content type of 256", create, job(`"payload": {"text": "x", "contentType": "` + strings.Repeat("a", 256) + `"}`), "job.payload.content_type"},
		{"due time too far ahead", create, job(`"dueTime": "` + time.Now().AddDate(10, 0, 2).Format(time.RFC3339) + `"`), "job.due_time"},
		{"negative delay", create, job(`"delay": "-1s"`), "job.delay"},
		{"delay above 10 years", create, job(`"delay": "315576001s"`), "job.delay"},
		{"start_within of zero", create, job(`"startWithin": "0s"`), "job.start_within"},
		{"start_by before the due time", create, job(`"dueTime": "2035-01-02T00:00:00Z", "startByTime": "2035-01-01T00:00:00Z"`), "job.start_by_time"},
		{"attempt_timeout of zero", create, job(`"attemptTimeout": "0s"`), "job.attempt_timeout"},
		{"negative attempt_timeout", create, job(`"attemptTimeout": "-5s"`), "job.attempt_timeout"},
		{"attempt_timeout above 7 days", create, job(`"attemptTimeout": "604801s"`), "job.attempt_timeout"},
		{"max_age of zero", create, job(`"maxAge": "0s"`), "job.max_age"},
		{"max_releases of zero", create, job(`"maxReleases": 0`), "job.max_releases"},
		{"priority 10", create, job(`"priority": 10`), "job.priority"},
		{"priority -1", create, job(`"priority": -1`), "job.priority"},
		{"priority beyond int32", create, job(`"priority": 2147483648`), "job.priority"},
		{"priority at the int64 edge", create, job(`"priority": 9223372036854775807`), "job.priority"},
		{"no attempts", create, job(`"retryPolicy": {"maxAttempts": 0}`), "job.retry_policy.max_attempts"},
		{"1,001 attempts", create, job(`"retryPolicy": {"maxAttempts": 1001}`), "job.retry_policy.max_attempts"},
		{"backoff of zero", create, job(`"retryPolicy": {"initialBackoff": "0s"}`), "job.retry_policy.initial_backoff"},
		{"multiplier below 1", create, job(`"retryPolicy": {"multiplier": 0.5}`), "job.retry_policy.multiplier"},
		{"multiplier that is no number", create, job(`"retryPolicy": {"multiplier": "NaN"}`), "job.retry_policy.multiplier"},
		{"jitter above 1", create, job(`"retryPolicy": {"jitter": 1.1}`), "job.retry_policy.jitter"},
		{"negative delay of a list", create, job(`"retryPolicy": {"delays": ["1s", "-1s"]}`), "job.retry_policy.delays[1]"},
		{"33 headers", create, job(headers(33)), "job.headers"},
		{"reserved header", create, job(`"headers": {"Belfry-Id": "x"}`), `job.headers["Belfry-Id"]`},
		{"header with a space in its name", create, job(`"headers": {"a b": "x"}`), `job.headers["a b"]`},
		{"header value of 1,025 bytes", create, job(`"headers": {"a": "` + strings.Repeat("v", 1025) + `"}`), `job.headers["a"]`},
		{"header value with NUL", create, job(`"headers": {"a": "\u0000"}`), `job.headers["a"]`},
		{"request id of 129", create, `{"job": {"queue": "q"}, "requestId": "` + strings.Repeat("r", 129) + `"}`, "request_id"},
		{"request id with a space", create, `{"job": {"queue": "q"}, "requestId": "a b"}`, "request_id"},
		{"two items with one request id", "JobService/BatchCreateJobs",
			`{"jobs": [{"job": {"queue": "q"}, "requestId": "r"}, {"job": {"queue": "q"}, "requestId": "r"}]}`, "jobs[1].request_id"},
		{"an empty batch", "JobService/BatchCreateJobs", `{"jobs": []}`, "jobs"},
		{"1,001 items", "JobService/BatchCreateJobs", `{"jobs": [` + strings.TrimSuffix(strings.Repeat(`{"job": {"queue": "q"}},`, 1001), ",") + `]}`, "jobs"},
		{"unknown state", "JobService/ListJobs", `{"states": ["JOB_STATE_UNSPECIFIED"]}`, "states[0]"},
		{"negative page size", "JobService/ListJobs", `{"pageSize": -1}`, "page_size"},
		{"page token of nobody", "JobService/ListJobs", `{"pageToken": "bm9uc2Vuc2U"}`, "page_token"},
		{"no job id", "JobService/GetJob", `{}`, "job_id"},
		{"reason of 1,025 bytes", "JobService/CancelJob", `{"jobId": "job_00000000000000000000000000", "reason": "` + strings.Repeat("r", 1025) + `"}`, "reason"},
		{"no worker id", "WorkerService/LeaseJobs", `{}`, "worker_id"},
		{"lease of 4 seconds", "WorkerService/LeaseJobs", `{"workerId": "w", "leaseDuration": "4s"}`, "lease_duration"},
		{"lease of zero", "WorkerService/LeaseJobs", `{"workerId": "w", "leaseDuration": "0s"}`, "lease_duration"},
		{"lease above 12 hours", "WorkerService/LeaseJobs", `{"workerId": "w", "leaseDuration": "43201s"}`, "lease_duration"},
		{"negative wait", "WorkerService/LeaseJobs", `{"workerId": "w", "wait": "-1s"}`, "wait"},
		{"wait above a minute", "WorkerService/LeaseJobs", `{"workerId": "w", "wait": "61s"}`, "wait"},
		{"1,001 jobs", "WorkerService/LeaseJobs", `{"workerId": "w", "maxJobs": 1001}`, "max_jobs"},
		{"bytes at the int64 edge", "WorkerService/LeaseJobs", `{"workerId": "w", "maxBytes": "9223372036854775807"}`, "max_bytes"},
		{"bytes beyond int64", "WorkerService/LeaseJobs", `{"workerId": "w", "maxBytes": "9223372036854775808"}`, "max_bytes"},
		{"a queue twice", "WorkerService/LeaseJobs", `{"workerId": "w", "queues": ["q", "q"]}`, "queues"},
		{"nothing to complete", "WorkerService/CompleteJobs", `{"items": []}`, "items"},
		{"an empty token", "WorkerService/CompleteJobs", `{"items": [{"leaseToken": ""}]}`, "items[0].lease_token"},
		{"negative retry_after", "WorkerService/FailJobs", `{"items": [{"leaseToken": "x", "retryAfter": "-1s"}]}`, "items[0].retry_after"},
		{"retry_after at the edge of durations", "WorkerService/FailJobs", `{"items": [{"leaseToken": "x", "retryAfter": "315576000001s"}]}`, "items[0].retry_after"},
		{"negative delay of a release", "WorkerService/ReleaseJobs", `{"items": [{"leaseToken": "x", "delay": "-1s"}]}`, "items[0].delay"},
		{"retention of 8 days", "QueueService/CreateQueue", `{"queue": {"queue": "n", "retentionDays": 8}}`, "queue.retention_days"},
		{"unknown path of a mask", "QueueService/UpdateQueue", `{"queue": {"queue": "q"}, "updateMask": "colour"}`, "update_mask"},
		{"output-only path of a mask", "QueueService/UpdateQueue", `{"queue": {"queue": "q"}, "updateMask": "createTime"}`, "update_mask"},
		{"unknown zone", "ScheduleService/CreateSchedule", schedule(`"spec": {"cron": "0 0 * * *", "timeZone": "Mars/Olympus"}`), "schedule.spec.time_zone"},
		{"impossible cron", "ScheduleService/CreateSchedule", schedule(`"spec": {"cron": "0 0 30 2 *"}`), "schedule.spec.cron"},
		{"impossible cron with seconds", "ScheduleService/CreateSchedule", schedule(`"spec": {"cron": "0 0 0 31 2 *"}`), "schedule.spec.cron"},
		{"no rule", "ScheduleService/CreateSchedule", schedule(`"spec": {"timeZone": "UTC"}`), "schedule.spec"},
		{"a schedule's job with a delay", "ScheduleService/CreateSchedule",
			`{"schedule": {"schedule": "s", "spec": {"cron": "* * * * *"}, "job": {"queue": "q", "delay": "1s"}}}`, "schedule.job.delay"},
		{"unknown zone in a preview", "ScheduleService/PreviewSchedule", `{"spec": {"cron": "0 0 * * *", "timeZone": "Nowhere"}}`, "spec.time_zone"},
		{"101 times in a preview", "ScheduleService/PreviewSchedule", `{"spec": {"cron": "0 0 * * *"}, "count": 101}`, "count"},
	}
}

func TestBadRequests_NameTheFieldAndSayWhatToDo(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	create(t, x.Client, belfry.NewJob{Queue: "q"})
	for _, test := range badRequests() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			refused := x.Post(test.method, test.body).Refused(t)
			if refused.Status != http.StatusBadRequest || refused.Code != "invalid_argument" || refused.Reason != "INVALID_FIELD" || refused.Domain != "belfry" {
				t.Fatalf("%+v, want INVALID_ARGUMENT with reason INVALID_FIELD", refused)
			}
			said := ""
			for field, description := range refused.Fields {
				field = snake(field)
				if field == test.field || strings.HasPrefix(field, test.field+".") || strings.HasPrefix(field, test.field+"[") {
					said = description
				}
			}
			if said == "" {
				t.Errorf("no violation of %s in %q", test.field, refused.Fields)
			}
			if !strings.Contains(said, " ") || len(said) > 1000 {
				t.Errorf("%s: %q is no sentence", test.field, said)
			}
			if !strings.Contains(refused.Message, " ") || len(refused.Message) > 2000 {
				t.Errorf("message %q", refused.Message)
			}
		})
	}
	if n := count(t, x); n != 1 {
		t.Errorf("%d jobs after refused calls, want the one that was made before", n)
	}
}

// snake returns a path with the names of the proto files: where JSON cannot be read, fields are named as the caller did.
func snake(path string) string {
	return regexp.MustCompile("[a-z][A-Z]").ReplaceAllStringFunc(path, func(hump string) string { return hump[:1] + "_" + strings.ToLower(hump[1:]) })
}

// The limits from within, so that the refusals above are known to be about the edge.
func TestGoodRequests_AtTheEdge(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	create(t, x.Client, belfry.NewJob{Queue: "q"})
	const createJob = "JobService/CreateJob"
	tests := []struct {
		name   string
		method string
		body   any
	}{
		{"queue name of 63", createJob, queueNamed(strings.Repeat("a", 63))},
		{"queue name of 1", createJob, queueNamed("0")},
		{"job type of 128", createJob, job(`"jobType": "` + strings.Repeat("t", 128) + `"`)},
		{"text of 256 KiB", createJob, job(text(kibibytes256))},
		{"JSON of 256 KiB", createJob, job(`"payload": {"json": "` + strings.Repeat("x", kibibytes256-2) + `"}`)},
		{"bytes with NUL", createJob, job(`"payload": {"bytes": "YQBi"}`)},
		{"2^53-1", createJob, job(`"payload": {"json": [9007199254740991, -9007199254740991]}`)},
		{"null", createJob, job(`"payload": {"json": null}`)},
		{"due in the far past", createJob, job(`"dueTime": "0001-01-01T00:00:00Z"`)},
		{"due at the epoch", createJob, job(`"dueTime": "1970-01-01T00:00:00Z"`)},
		{"due in nearly 10 years", createJob, job(`"dueTime": "` + time.Now().AddDate(10, 0, -3).Format(time.RFC3339) + `"`)},
		{"delay of zero", createJob, job(`"delay": "0s"`)},
		{"nanoseconds", createJob, job(`"dueTime": "2034-01-01T00:00:00.123456789Z"`)},
		{"1 and 1,000 attempts", createJob, job(`"retryPolicy": {"maxAttempts": 1000, "multiplier": 10, "jitter": 1}`)},
		{"header value of 1,024 bytes", createJob, job(`"headers": {"a": "` + strings.Repeat("v", 1024) + `"}`)},
		{"request id of 128", createJob, `{"job": {"queue": "q"}, "requestId": "` + strings.Repeat("r", 128) + `"}`},
		{"page size above the most", "JobService/ListJobs", `{"pageSize": 2147483647}`},
		{"lease of 12 hours", "WorkerService/LeaseJobs", `{"workerId": "w", "leaseDuration": "43200s", "jobTypes": ["none"]}`},
		{"no mask", "QueueService/UpdateQueue", `{"queue": {"queue": "q", "description": "d"}}`},
		{"100 times", "ScheduleService/PreviewSchedule", `{"spec": {"cron": "0 0 * * *"}, "count": 100}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			x.Post(test.method, test.body).OK(t)
		})
	}
}

func TestBatch_WithBadItems_NamesEachAndWritesNothing(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	var items []string
	for i := range 10 {
		priority := 5
		if i == 3 || i == 7 {
			priority = 12
		}
		items = append(items, fmt.Sprintf(`{"job": {"queue": "q", "priority": %d}}`, priority))
	}
	refused := x.Post("JobService/BatchCreateJobs", `{"jobs": [`+strings.Join(items, ",")+`]}`).Refused(t)
	if refused.Code != "invalid_argument" || len(refused.Fields) != 2 {
		t.Errorf("%+v", refused)
	}
	for _, i := range []int{3, 7} {
		if field := "jobs[" + strconv.Itoa(i) + "].job.priority"; refused.Fields[field] == "" {
			t.Errorf("%s is not named in %q", field, refused.Fields)
		}
	}
	if n := count(t, x); n != 0 {
		t.Errorf("%d jobs were written", n)
	}
}

func TestBatch_NamesEveryUnknownQueue(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := tenantWithoutAutoCreate(t, world)
	x.Post("QueueService/CreateQueue", `{"queue": {"queue": "mails"}}`).OK(t)
	refused := x.Post("JobService/CreateJob", queueNamed("mail")).Refused(t)
	if refused.Status != http.StatusNotFound || refused.Reason != "QUEUE_NOT_FOUND" || !strings.Contains(refused.Message, `mails`) {
		t.Errorf("%+v, want QUEUE_NOT_FOUND with the nearest name", refused)
	}
	if !strings.Contains(refused.Message, "belfry queue create") {
		t.Errorf("message %q does not say how to create the queue", refused.Message)
	}
	refused = x.Post("JobService/BatchCreateJobs", `{"jobs": [{"job": {"queue": "mails"}}, {"job": {"queue": "mail"}}]}`).Refused(t)
	if refused.Status != http.StatusNotFound || refused.Reason != "QUEUE_NOT_FOUND" {
		t.Errorf("batch: %+v", refused)
	}
	if n := count(t, x); n != 0 {
		t.Errorf("%d jobs were written", n)
	}
}

func TestValidateOnly_ChecksAndCreatesNothing(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	x.Post("JobService/CreateJob", `{"job": {"queue": "q"}, "validateOnly": true, "requestId": "r"}`).OK(t)
	x.Post("JobService/BatchCreateJobs", `{"jobs": [{"job": {"queue": "q"}}], "validateOnly": true}`).OK(t)
	x.Post("JobService/CreateJob", `{"job": {"queue": "q", "priority": 10}, "validateOnly": true}`).Refused(t)
	x.Post("QueueService/CreateQueue", `{"queue": {"queue": "n"}, "validateOnly": true}`).OK(t)
	if refused := x.Post("QueueService/GetQueue", `{"queue": "n"}`).Refused(t); refused.Reason != "QUEUE_NOT_FOUND" {
		t.Errorf("%+v", refused)
	}
	if n := count(t, x); n != 0 {
		t.Errorf("%d jobs were written", n)
	}
	if made := x.Post("JobService/CreateJob", `{"job": {"queue": "q"}, "requestId": "r"}`).OK(t); made["existing"] == true {
		t.Error("a validated call used up its request id")
	}
}

func TestBody_ThatIsNoJSON_IsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	for _, body := range []string{`{"job": `, `[]`, `"text"`, `{"job": {"queue": 7}}`, "\xff\xfe", ``} {
		refused := x.Post("JobService/CreateJob", body).Refused(t)
		if refused.Status != http.StatusBadRequest || refused.Code != "invalid_argument" || refused.Reason != "INVALID_FIELD" {
			t.Errorf("%q: %+v", body, refused)
		}
	}
}

// A payload arrives in the form in which it was sent.
func TestPayload_ArrivesAsItWasSent(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	for name, payload := range map[string]string{
		"text":     `{"text": "  spaced\r\n😀 \\u0041 "}`,
		"JSON":     `{"json": {"a": [1, 2.5, "ü", null, true, {}], "b": "1"}}`,
		"null":     `{"json": null}`,
		"nothing":  `{"json": ""}`,
		"no text":  `{"text": ""}`,
		"no bytes": `{"bytes": ""}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			queue := "q-" + harness.Random()
			made := x.Post("JobService/CreateJob", `{"job": {"queue": "`+queue+`", "payload": `+payload+`}}`).OK(t)
			full := x.Post("JobService/GetJob", map[string]any{"jobId": jobID(made), "view": "JOB_VIEW_FULL"}).OK(t)
			leased := x.Post("WorkerService/LeaseJobs", `{"queues": ["`+queue+`"], "wait": "5s", "workerId": "w"}`).OK(t)
			jobs, _ := leased["jobs"].([]any)
			if len(jobs) != 1 {
				t.Fatalf("leased %v", leased)
			}
			lease, _ := jobs[0].(map[string]any)
			for what, holder := range map[string]any{"GetJob": full["job"], "LeaseJobs": lease["job"]} {
				job, _ := holder.(map[string]any)
				if got, want := withoutType(job["payload"]), decode(t, payload); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
					t.Errorf("%s: payload %#v, want %#v", what, got, want)
				}
			}
		})
	}
}
