package api

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
)

// edge is one limit: the message in which it is just kept, and the one in which it is just broken.
type edge struct {
	name  string
	ok    proto.Message
	bad   proto.Message
	field string // of the violation in bad
	says  string // in its description
}

func checkEdges(t *testing.T, edges []edge) {
	t.Helper()
	v := newTestValidator(t)
	for _, e := range edges {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			checkQuick(t, v, e.ok)
			checkQuick(t, v, e.bad)
			if e.ok != nil {
				if err := v.Validate(e.ok); err != nil {
					t.Errorf("at the limit: %v", err)
				}
			}
			if e.bad == nil {
				return
			}
			var got *job.Error
			if err := v.Validate(e.bad); !errors.As(err, &got) || got.Kind != job.ErrInvalidField {
				t.Fatalf("over the limit: %v", err)
			}
			if len(got.Fields) != 1 || got.Fields[0].Field != e.field || !strings.Contains(got.Fields[0].Description, e.says) {
				t.Errorf("got %+v, want %s saying %q", got.Fields, e.field, e.says)
			}
		})
	}
}

// checkQuick holds the quick check of creates against the rules of the proto files.
func checkQuick(t *testing.T, v *Validator, m proto.Message) {
	t.Helper()
	switch m.(type) {
	case *belfryv1.CreateJobRequest, *belfryv1.BatchCreateJobsRequest:
		if err := v.rules.Validate(m); quick(m) != (err == nil) {
			t.Errorf("quick says %v, the rules say %v", quick(m), err)
		}
	}
}

// If this fails, a rule that the quick check repeats has changed: change quick.go, add the edge to the tests, and then
// the sum here.
func TestQuick_KnowsTheRulesAsTheyAre(t *testing.T) {
	t.Parallel()
	h := sha256.New()
	for _, m := range []proto.Message{&belfryv1.CreateJobRequest{}, &belfryv1.BatchCreateJobsRequest{}, &belfryv1.NewJob{},
		&belfryv1.JobSpec{}, &belfryv1.Payload{}, &belfryv1.RetryPolicy{}} {
		md := m.ProtoReflect().Descriptor()
		for i := range md.Fields().Len() {
			fd := md.Fields().Get(i)
			rules, err := protovalidate.ResolveFieldRules(fd)
			if err != nil {
				t.Fatal(err)
			}
			text, err := proto.MarshalOptions{Deterministic: true}.Marshal(rules)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s %d %x\n", fd.FullName(), fd.Number(), text)
		}
	}
	if got, want := fmt.Sprintf("%x", h.Sum(nil)[:8]), "6e1d45c00d4d1fa9"; got != want {
		t.Errorf("the rules have the sum %s", got)
	}
}

// create returns a valid CreateJobRequest, changed.
func create(change func(*belfryv1.JobSpec)) *belfryv1.CreateJobRequest {
	spec := &belfryv1.JobSpec{Queue: "mail"}
	change(spec)
	return &belfryv1.CreateJobRequest{Job: spec}
}

func withPayload(p *belfryv1.Payload) *belfryv1.CreateJobRequest {
	return create(func(s *belfryv1.JobSpec) { s.Payload = p })
}

func withJSON(v *structpb.Value) *belfryv1.CreateJobRequest {
	return withPayload(&belfryv1.Payload{Data: &belfryv1.Payload_Json{Json: v}})
}

func withText(s string) *belfryv1.CreateJobRequest {
	return withPayload(&belfryv1.Payload{Data: &belfryv1.Payload_Text{Text: s}})
}

func withBytes(b []byte) *belfryv1.CreateJobRequest {
	return withPayload(&belfryv1.Payload{Data: &belfryv1.Payload_Bytes{Bytes: b}})
}

func withHeaders(h map[string]string) *belfryv1.CreateJobRequest {
	return create(func(s *belfryv1.JobSpec) { s.Headers = h })
}

func withDue(at time.Time) *belfryv1.CreateJobRequest {
	return create(func(s *belfryv1.JobSpec) { s.When = &belfryv1.JobSpec_DueTime{DueTime: timestamppb.New(at)} })
}

func withDelay(d *durationpb.Duration) *belfryv1.CreateJobRequest {
	return create(func(s *belfryv1.JobSpec) { s.When = &belfryv1.JobSpec_Delay{Delay: d} })
}

func withRetry(p *belfryv1.RetryPolicy) *belfryv1.CreateJobRequest {
	return create(func(s *belfryv1.JobSpec) { s.RetryPolicy = p })
}

func seconds(n int64) *durationpb.Duration { return &durationpb.Duration{Seconds: n} }

func nanos(n int64) *durationpb.Duration { return durationpb.New(time.Duration(n)) }

func headers(n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprintf("h%d", i)] = "v"
	}
	return out
}

const tenYears = 315576000

func TestValidate_JobSpecAtItsEdges(t *testing.T) {
	t.Parallel()
	set := func(f func(*belfryv1.JobSpec)) proto.Message { return create(f) }
	queue := func(q string) proto.Message { return set(func(s *belfryv1.JobSpec) { s.Queue = q }) }
	jobType := func(v string) proto.Message { return set(func(s *belfryv1.JobSpec) { s.JobType = v }) }
	priority := func(v int32) proto.Message { return set(func(s *belfryv1.JobSpec) { s.Priority = &v }) }
	timeout := func(d *durationpb.Duration) proto.Message {
		return set(func(s *belfryv1.JobSpec) { s.AttemptTimeout = d })
	}
	releases := func(v int32) proto.Message { return set(func(s *belfryv1.JobSpec) { s.MaxReleases = &v }) }
	maxAge := func(d *durationpb.Duration) proto.Message { return set(func(s *belfryv1.JobSpec) { s.MaxAge = d }) }
	within := func(d *durationpb.Duration) proto.Message {
		return set(func(s *belfryv1.JobSpec) { s.StartBy = &belfryv1.JobSpec_StartWithin{StartWithin: d} })
	}
	startBy := func(due, by time.Time) proto.Message {
		m := withDue(due)
		m.Job.StartBy = &belfryv1.JobSpec_StartByTime{StartByTime: timestamppb.New(by)}
		return m
	}
	id := func(s string) proto.Message {
		return &belfryv1.CreateJobRequest{Job: &belfryv1.JobSpec{Queue: "m"}, RequestId: s}
	}
	calendar := testTime.AddDate(10, 0, 0)
	checkEdges(t, []edge{
		{"job", nil, &belfryv1.CreateJobRequest{}, "job", "is required"},
		{"queue empty", queue("a"), queue(""), "job.queue", "is required and must be 1–63 characters"},
		{"queue long", queue(strings.Repeat("a", 63)), queue(strings.Repeat("a", 64)), "job.queue", "1–63 characters of a-z 0-9 . _ -"},
		{"queue first", queue("0-"), queue("-0"), "job.queue", "the first a letter or digit"},
		{"queue case", nil, queue("Mail"), "job.queue", "a-z"},
		{"queue space", nil, queue(" a"), "job.queue", "a-z"},
		{"queue slash", nil, queue("a/../b"), "job.queue", "a-z"},
		{"queue accent", nil, queue("e\u0301"), "job.queue", "a-z"},
		{"queue line feed", nil, queue("a\n"), "job.queue", "a-z"},
		{"job type long", jobType(strings.Repeat("t", 128)), jobType(strings.Repeat("t", 129)), "job.job_type", "at most 128 characters"},
		{"job type space", jobType("a~!"), jobType("a b"), "job.job_type", "printable ASCII without spaces"},
		{"job type empty", jobType(""), nil, "", ""},
		{"delay low", withDelay(seconds(0)), withDelay(nanos(-1)), "job.delay", "between 0 s and 10 years; it is -1ns"},
		{"delay high", withDelay(seconds(tenYears)), withDelay(&durationpb.Duration{Seconds: tenYears, Nanos: 1}), "job.delay", "10 years"},
		{"due far past", withDue(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)), nil, "", ""},
		{"due at the epoch", withDue(time.Unix(0, 0)), nil, "", ""},
		{"due ahead", withDue(calendar), withDue(calendar.Add(1)), "job.due_time", "at most 10 years ahead; it is 2036-03-01T12:00:00Z"},
		{"start within low", within(seconds(1)), within(nanos(999_999_999)), "job.start_within", "between 1 s and 10 years"},
		{"start within high", within(seconds(tenYears)), within(seconds(tenYears + 1)), "job.start_within", "10 years"},
		{"start by", startBy(testTime, testTime), startBy(testTime, testTime.Add(-1)), "job.start_by_time", "must not be before due_time"},
		{"start by in the past", startBy(testTime.Add(-time.Hour), testTime.Add(-time.Minute)), nil, "", ""},
		{"priority low", priority(0), priority(-1), "job.priority", "between 0 and 9; it is -1"},
		{"priority high", priority(9), priority(10), "job.priority", "between 0 and 9; it is 10"},
		{"attempt timeout low", timeout(seconds(1)), timeout(nanos(999_999_999)), "job.attempt_timeout", "between 1 s and 7 days"},
		{"attempt timeout high", timeout(seconds(604800)), timeout(seconds(604801)), "job.attempt_timeout", "7 days"},
		{"attempt timeout zero", nil, timeout(seconds(0)), "job.attempt_timeout", "it is 0 s"},
		{"attempt timeout negative", nil, timeout(seconds(-1)), "job.attempt_timeout", "it is -1 s"},
		{"max releases low", releases(1), releases(0), "job.max_releases", "between 1 and 10,000"},
		{"max releases high", releases(10000), releases(10001), "job.max_releases", "it is 10,001"},
		{"max age low", maxAge(seconds(1)), maxAge(seconds(0)), "job.max_age", "between 1 s and 400 days"},
		{"max age high", maxAge(seconds(34560000)), maxAge(seconds(34560001)), "job.max_age", "400 days"},
		{"request id long", id(strings.Repeat("r", 128)), id(strings.Repeat("r", 129)), "request_id", "at most 128 characters"},
		{"request id space", nil, id("a b"), "request_id", "printable ASCII without spaces"},
	})
}

func TestValidate_HeadersAtTheirEdges(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 128)
	checkEdges(t, []edge{
		{"count", withHeaders(headers(32)), withHeaders(headers(33)), "job.headers", "at most 32 entries"},
		{"name long", withHeaders(map[string]string{long: "v"}), withHeaders(map[string]string{long + "n": "v"}),
			`job.headers["` + strings.Repeat("n", 107) + "…", "a name of 1–128 characters"},
		{"name empty", nil, withHeaders(map[string]string{"": "v"}), `job.headers[""]`, "a name of 1–128 characters"},
		{"name set", withHeaders(map[string]string{"A-Z_a.0": "v"}), withHeaders(map[string]string{"a b": "v"}), `job.headers["a b"]`, "A-Z a-z 0-9 - _ ."},
		{"value long", withHeaders(map[string]string{"k": strings.Repeat("é", 512)}), withHeaders(map[string]string{"k": strings.Repeat("v", 1025)}),
			`job.headers["k"]`, "at most 1,024 bytes of UTF-8; it has 1,025"},
		{"value empty", withHeaders(map[string]string{"k": ""}), nil, "", ""},
		{"value NUL", withHeaders(map[string]string{"k": "\x01"}), withHeaders(map[string]string{"k": "a\x00"}), `job.headers["k"]`, "NUL"},
		{"reserved", withHeaders(map[string]string{"belfry": "v", "x-belfry-y": "v"}), withHeaders(map[string]string{"belfry-x": "v"}),
			`job.headers["belfry-x"]`, "reserved"},
		{"reserved in any case", nil, withHeaders(map[string]string{"BELFRY-X": "v"}), `job.headers["BELFRY-X"]`, "reserved"},
		{"trace context", withHeaders(map[string]string{"traceparent": "00-a-b-01", "tracestate": "x=y"}), nil, "", ""},
	})
}

func TestValidate_RetryPolicyAtItsEdges(t *testing.T) {
	t.Parallel()
	attempts := func(n int32) proto.Message { return withRetry(&belfryv1.RetryPolicy{MaxAttempts: &n}) }
	initial := func(d *durationpb.Duration) proto.Message {
		return withRetry(&belfryv1.RetryPolicy{InitialBackoff: d})
	}
	most := func(d *durationpb.Duration) proto.Message { return withRetry(&belfryv1.RetryPolicy{MaxBackoff: d}) }
	multiplier := func(x float64) proto.Message { return withRetry(&belfryv1.RetryPolicy{Multiplier: &x}) }
	jitter := func(x float64) proto.Message { return withRetry(&belfryv1.RetryPolicy{Jitter: &x}) }
	delays := func(n int, d *durationpb.Duration) proto.Message {
		p := &belfryv1.RetryPolicy{}
		for range n {
			p.Delays = append(p.Delays, d)
		}
		return withRetry(p)
	}
	checkEdges(t, []edge{
		{"attempts low", attempts(1), attempts(0), "job.retry_policy.max_attempts", "between 1 and 1,000; it is 0"},
		{"attempts high", attempts(1000), attempts(1001), "job.retry_policy.max_attempts", "1,001"},
		{"initial low", initial(nanos(1_000_000)), initial(nanos(999_999)), "job.retry_policy.initial_backoff", "between 1 ms and 24 h"},
		{"initial high", initial(seconds(86400)), initial(nanos(86400*1e9 + 1)), "job.retry_policy.initial_backoff", "24 h"},
		{"max low", most(nanos(1_000_000)), most(seconds(0)), "job.retry_policy.max_backoff", "between 1 ms and 24 h"},
		{"max high", most(seconds(86400)), most(seconds(86401)), "job.retry_policy.max_backoff", "24 h"},
		{"multiplier low", multiplier(1), multiplier(math.Nextafter(1, 0)), "job.retry_policy.multiplier", "between 1 and 10"},
		{"multiplier high", multiplier(10), multiplier(math.Nextafter(10, 11)), "job.retry_policy.multiplier", "between 1 and 10"},
		{"multiplier NaN", nil, multiplier(math.NaN()), "job.retry_policy.multiplier", "it is NaN"},
		{"jitter low", jitter(0), jitter(-0.01), "job.retry_policy.jitter", "between 0 and 1; it is -0.01"},
		{"jitter high", jitter(1), jitter(1.01), "job.retry_policy.jitter", "between 0 and 1"},
		{"delays count", delays(50, seconds(0)), delays(51, seconds(0)), "job.retry_policy.delays", "at most 50 items"},
		{"delay high", delays(1, seconds(86400)), delays(1, seconds(86401)), "job.retry_policy.delays[0]", "between 0 s and 24 h"},
		{"delay low", nil, delays(1, nanos(-1)), "job.retry_policy.delays[0]", "between 0 s and 24 h"},
	})
}

func TestValidate_OtherRequestsAtTheirEdges(t *testing.T) {
	t.Parallel()
	get := func(id string) proto.Message { return &belfryv1.GetJobRequest{JobId: id} }
	list := func(f func(*belfryv1.ListJobsRequest)) proto.Message {
		m := &belfryv1.ListJobsRequest{}
		f(m)
		return m
	}
	cancel := func(reason string) proto.Message { return &belfryv1.CancelJobRequest{JobId: "x", Reason: reason} }
	lease := func(f func(*belfryv1.LeaseJobsRequest)) proto.Message {
		m := &belfryv1.LeaseJobsRequest{WorkerId: "w"}
		f(m)
		return m
	}
	waits := func(d *durationpb.Duration) proto.Message {
		return lease(func(m *belfryv1.LeaseJobsRequest) { m.Wait = d })
	}
	leaseFor := func(d *durationpb.Duration) proto.Message {
		return lease(func(m *belfryv1.LeaseJobsRequest) { m.LeaseDuration = d })
	}
	names := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("q%d", i))
		}
		return out
	}
	fails := func(item *belfryv1.FailItem) proto.Message {
		item.LeaseToken = "t"
		return &belfryv1.FailJobsRequest{Items: []*belfryv1.FailItem{item}}
	}
	release := func(d *durationpb.Duration) proto.Message {
		return &belfryv1.ReleaseJobsRequest{Items: []*belfryv1.ReleaseItem{{LeaseToken: "t", Delay: d}}}
	}
	token := func(s string) proto.Message {
		return &belfryv1.CompleteJobsRequest{Items: []*belfryv1.CompleteItem{{LeaseToken: s}}}
	}
	beats := func(n int) proto.Message {
		m := &belfryv1.HeartbeatRequest{WorkerId: "w"}
		for range n {
			m.Items = append(m.Items, &belfryv1.HeartbeatItem{LeaseToken: "t"})
		}
		return m
	}
	queue := func(q *belfryv1.Queue) proto.Message { q.Queue = "q"; return &belfryv1.CreateQueueRequest{Queue: q} }
	key := func(m *belfryv1.CreateApiKeyRequest) proto.Message { return m }
	state := func(s ...belfryv1.JobState) proto.Message {
		return list(func(m *belfryv1.ListJobsRequest) { m.States = s })
	}
	checkEdges(t, []edge{
		{"job id", get(strings.Repeat("j", 64)), get(strings.Repeat("j", 65)), "job_id", "at most 64 characters"},
		{"job id empty", nil, get(""), "job_id", "must not be empty"},
		{"job id NUL", nil, get("a\x00"), "job_id", "NUL"},
		{"view", nil, &belfryv1.GetJobRequest{JobId: "x", View: 9}, "view", "values that the API defines"},
		{"tenant id", nil, &belfryv1.GetJobRequest{TenantId: strings.Repeat("t", 64), JobId: "x"}, "tenant_id", "at most 63 characters"},
		{"page size", list(func(m *belfryv1.ListJobsRequest) { m.PageSize = math.MaxInt32 }),
			list(func(m *belfryv1.ListJobsRequest) { m.PageSize = -1 }), "page_size", "at least 0; it is -1"},
		{"page token", nil, list(func(m *belfryv1.ListJobsRequest) { m.PageToken = strings.Repeat("A", 1025) }), "page_token", "at most 1,024 characters"},
		{"state", state(belfryv1.JobState_JOB_STATE_DEAD), state(0), "states[0]", "must not be UNSPECIFIED"},
		{"state unknown", nil, state(99), "states[0]", "values that the API defines"},
		{"cancel reason", cancel(strings.Repeat("é", 512)), cancel(strings.Repeat("é", 512) + "x"), "reason", "at most 1,024 bytes of UTF-8; it has 1,025"},
		{"cancel reason NUL", nil, cancel("\x00"), "reason", "NUL"},
		{"worker id", nil, &belfryv1.LeaseJobsRequest{}, "worker_id", "is required and must be 1–128 printable"},
		{"max jobs", lease(func(m *belfryv1.LeaseJobsRequest) { m.MaxJobs = 1000 }),
			lease(func(m *belfryv1.LeaseJobsRequest) { m.MaxJobs = 1001 }), "max_jobs", "between 0 and 1,000"},
		{"max bytes", lease(func(m *belfryv1.LeaseJobsRequest) { m.MaxBytes = 16 << 20 }),
			lease(func(m *belfryv1.LeaseJobsRequest) { m.MaxBytes = 16<<20 + 1 }), "max_bytes", "it is 16,777,217"},
		{"wait", waits(seconds(60)), waits(nanos(60e9 + 1)), "wait", "between 0 s and 1 min"},
		{"wait negative", waits(seconds(0)), waits(nanos(-1)), "wait", "between 0 s and 1 min"},
		{"lease low", leaseFor(seconds(5)), leaseFor(nanos(5e9 - 1)), "lease_duration", "between 5 s and 12 h"},
		{"lease high", leaseFor(seconds(43200)), leaseFor(seconds(43201)), "lease_duration", "12 h"},
		{"queues", lease(func(m *belfryv1.LeaseJobsRequest) { m.Queues = names(100) }),
			lease(func(m *belfryv1.LeaseJobsRequest) { m.Queues = names(101) }), "queues", "at most 100 items"},
		{"queues twice", nil, lease(func(m *belfryv1.LeaseJobsRequest) { m.Queues = []string{"a", "a"} }), "queues", "same value twice"},
		{"queue name", nil, lease(func(m *belfryv1.LeaseJobsRequest) { m.Queues = []string{"a", "B"} }), "queues[1]", "a-z"},
		{"beats", beats(1000), beats(1001), "items", "at most 1,000 items"},
		{"no items", nil, &belfryv1.CompleteJobsRequest{}, "items", "must not be empty"},
		{"token", token(strings.Repeat("t", 256)), token(strings.Repeat("t", 257)), "items[0].lease_token", "at most 256 characters"},
		{"retry after", fails(&belfryv1.FailItem{RetryAfter: seconds(tenYears)}), fails(&belfryv1.FailItem{RetryAfter: seconds(tenYears + 1)}),
			"items[0].retry_after", "10 years"},
		{"error with NUL", fails(&belfryv1.FailItem{Error: "a\x00b"}), nil, "", ""},
		{"error long", fails(&belfryv1.FailItem{Error: strings.Repeat("e", 1<<20)}), nil, "", ""},
		{"release", release(seconds(2592000)), release(seconds(2592001)), "items[0].delay", "between 0 s and 30 days"},
		{"description", queue(&belfryv1.Queue{Description: strings.Repeat("d", 256)}), queue(&belfryv1.Queue{Description: strings.Repeat("d", 257)}),
			"queue.description", "at most 256 bytes"},
		{"retention", queue(&belfryv1.Queue{RetentionDays: 400}), queue(&belfryv1.Queue{RetentionDays: 8}), "queue.retention_days",
			"must be one of 0, 1, 7, 30, 90, 400"},
		{"ttl low", key(&belfryv1.CreateApiKeyRequest{Ttl: seconds(60)}), key(&belfryv1.CreateApiKeyRequest{Ttl: nanos(60e9 - 1)}), "ttl", "between 1 min and 10 years"},
		{"scopes", nil, key(&belfryv1.CreateApiKeyRequest{Scopes: []belfryv1.ApiKeyScope{1, 1}}), "scopes", "same value twice"},
	})
}

func TestValidate_ReportsEveryFaultWithItsPath(t *testing.T) {
	t.Parallel()
	v := newTestValidator(t)
	batch := &belfryv1.BatchCreateJobsRequest{Jobs: []*belfryv1.NewJob{
		{Job: &belfryv1.JobSpec{Queue: "ok"}, RequestId: "a"},
		{Job: &belfryv1.JobSpec{Queue: "NOT"}},
		{},
		{Job: &belfryv1.JobSpec{Queue: "ok", Payload: &belfryv1.Payload{Data: &belfryv1.Payload_Text{Text: "\x00"}}}},
		{Job: &belfryv1.JobSpec{Queue: "ok"}, RequestId: "a"},
	}}
	var got *job.Error
	if err := v.Validate(batch); !errors.As(err, &got) {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range got.Fields {
		paths = append(paths, f.Field)
	}
	want := []string{"jobs[1].job.queue", "jobs[2].job", "jobs[3].job.payload.text", "jobs[4].request_id"}
	if fmt.Sprint(paths) != fmt.Sprint(want) {
		t.Errorf("got %v", paths)
	}
	if last := got.Fields[len(got.Fields)-1].Description; !strings.Contains(last, "the same as jobs[0].request_id") {
		t.Errorf("got %q", last)
	}
}

func TestValidate_BatchAtItsEdges(t *testing.T) {
	t.Parallel()
	jobs := func(n int) proto.Message {
		m := &belfryv1.BatchCreateJobsRequest{}
		for range n {
			m.Jobs = append(m.Jobs, &belfryv1.NewJob{Job: &belfryv1.JobSpec{Queue: "q"}})
		}
		return m
	}
	full := func(extra string) proto.Message { // 16 payloads of 256 KiB, the last one with a header instead of extra bytes
		m := &belfryv1.BatchCreateJobsRequest{}
		for i := range 17 {
			text := strings.Repeat("x", maxPayload)
			if i == 16 {
				text = extra
			}
			m.Jobs = append(m.Jobs, &belfryv1.NewJob{Job: &belfryv1.JobSpec{Queue: "q",
				Payload: &belfryv1.Payload{Data: &belfryv1.Payload_Text{Text: text}}}})
		}
		return m
	}
	checkEdges(t, []edge{
		{"count", jobs(1000), jobs(1001), "jobs", "at most 1,000 items"},
		{"none", jobs(1), jobs(0), "jobs", "must not be empty"},
		{"bytes", full(""), full("x"), "jobs", "hold 4,194,305 bytes of payload and headers, and at most 4 MiB"},
	})
}

func TestValidate_SchedulesAtTheirEdges(t *testing.T) {
	t.Parallel()
	cron := func(s string) *belfryv1.ScheduleSpec {
		return &belfryv1.ScheduleSpec{Spec: &belfryv1.ScheduleSpec_Cron{Cron: s}}
	}
	with := func(change func(*belfryv1.Schedule)) *belfryv1.Schedule {
		s := &belfryv1.Schedule{Schedule: "nightly", Spec: cron("0 0 * * *"), Job: &belfryv1.JobSpec{Queue: "q"}}
		change(s)
		return s
	}
	make1 := func(change func(*belfryv1.Schedule)) proto.Message {
		return &belfryv1.CreateScheduleRequest{Schedule: with(change)}
	}
	update := func(change func(*belfryv1.Schedule)) proto.Message {
		return &belfryv1.UpdateScheduleRequest{Schedule: with(change)}
	}
	keep := func(*belfryv1.Schedule) {}
	checkEdges(t, []edge{
		{"spec", make1(keep), make1(func(s *belfryv1.Schedule) { s.Spec = nil }), "schedule.spec", "is required"},
		{"job", nil, make1(func(s *belfryv1.Schedule) { s.Job = nil }), "schedule.job", "is required"},
		{"no rule", nil, make1(func(s *belfryv1.Schedule) { s.Spec = &belfryv1.ScheduleSpec{} }), "schedule.spec", "is required"},
		{"empty rule", nil, make1(func(s *belfryv1.Schedule) { s.Spec = cron("") }), "schedule.spec.cron", "must not be empty"},
		{"long rule", make1(func(s *belfryv1.Schedule) { s.Spec = cron(strings.Repeat("*", 4096)) }),
			make1(func(s *belfryv1.Schedule) { s.Spec = cron(strings.Repeat("*", 4097)) }), "schedule.spec.cron", "at most 4,096 bytes"},
		{"due time", nil, make1(func(s *belfryv1.Schedule) {
			s.Job.When = &belfryv1.JobSpec_DueTime{DueTime: timestamppb.New(testTime)}
		}), "schedule.job.due_time", "must be absent"},
		{"delay in an update", nil, update(func(s *belfryv1.Schedule) { s.Job.When = &belfryv1.JobSpec_Delay{Delay: seconds(1)} }),
			"schedule.job.delay", "must be absent"},
		{"start by", make1(func(s *belfryv1.Schedule) { s.Job.StartBy = &belfryv1.JobSpec_StartWithin{StartWithin: seconds(1)} }),
			make1(func(s *belfryv1.Schedule) {
				s.Job.StartBy = &belfryv1.JobSpec_StartByTime{StartByTime: timestamppb.New(testTime)}
			}), "schedule.job.start_by_time", "use start_within"},
		{"update of one field", &belfryv1.UpdateScheduleRequest{Schedule: &belfryv1.Schedule{Schedule: "s", Description: "d"}}, nil, "", ""},
		{"preview", &belfryv1.PreviewScheduleRequest{Spec: cron("* * * * *"), Count: 100},
			&belfryv1.PreviewScheduleRequest{Spec: cron("* * * * *"), Count: 101}, "count", "between 0 and 100"},
		{"preview of nothing", nil, &belfryv1.PreviewScheduleRequest{Spec: &belfryv1.ScheduleSpec{}}, "spec", "is required"},
	})
}

func TestValidate_TimesOutOfTheirRange(t *testing.T) {
	t.Parallel()
	at := func(s int64, n int32) proto.Message {
		return create(func(j *belfryv1.JobSpec) {
			j.StartBy = &belfryv1.JobSpec_StartByTime{StartByTime: &timestamppb.Timestamp{Seconds: s, Nanos: n}}
		})
	}
	const first, last = -62135596800, 253402300799
	after := func(d *durationpb.Duration) proto.Message {
		return &belfryv1.FailJobsRequest{Items: []*belfryv1.FailItem{{LeaseToken: "t", RetryAfter: d}}}
	}
	checkEdges(t, []edge{
		{"first", at(first, 0), at(first-1, 0), "job.start_by_time", "between 0001-01-01T00:00:00Z and 9999-12-31"},
		{"last", at(last, 999_999_999), at(last+1, 0), "job.start_by_time", "9999"},
		{"negative nanoseconds", nil, at(0, -1), "job.start_by_time", "0–999,999,999 nanoseconds"},
		{"a second of nanoseconds", nil, at(0, 1_000_000_000), "job.start_by_time", "nanoseconds"},
		{"int64 edge", nil, at(math.MaxInt64, 0), "job.start_by_time", "9999"},
		{"duration in no normal form", nil, after(&durationpb.Duration{Seconds: 5, Nanos: -1}), "items[0].retry_after", "of the same sign"},
	})
}

func BenchmarkValidate_CreateJob(b *testing.B) {
	v := newTestValidator(b)
	value, err := structpb.NewValue(map[string]any{"user": 4711, "template": "welcome", "tags": []any{"a", "b"}})
	if err != nil {
		b.Fatal(err)
	}
	full := withJSON(value)
	full.RequestId = "0190f3c4-7a5e-7cc2-9d2b-1c7d9e5a4b21"
	full.Job.JobType = "send-mail"
	full.Job.When = &belfryv1.JobSpec_Delay{Delay: seconds(60)}
	full.Job.Headers = map[string]string{"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
	full.Job.RetryPolicy = &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(3)}
	for name, m := range map[string]proto.Message{"full": full, "small": withText("hello")} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := v.Validate(m); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/proto rules only", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := v.rules.Validate(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
