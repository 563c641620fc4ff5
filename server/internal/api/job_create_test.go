package api

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

func newTestJobService(t testing.TB) (*fakeEngine, *JobService) {
	t.Helper()
	f := newFakeEngine()
	return f, NewJobService(f.config())
}

// specOf reads a JobSpec from JSON.
func specOf(t testing.TB, text string) *belfryv1.JobSpec {
	t.Helper()
	spec := &belfryv1.JobSpec{}
	if err := protojson.Unmarshal([]byte(text), spec); err != nil {
		t.Fatal(err)
	}
	return spec
}

func tryCreate(t testing.TB, s *JobService, requestID, spec string) (*belfryv1.CreateJobResponse, error) {
	t.Helper()
	return s.CreateJob(t.Context(), &belfryv1.CreateJobRequest{TenantId: "acme", Job: specOf(t, spec), RequestId: requestID})
}

func mustCreate(t testing.TB, s *JobService, requestID, spec string) *belfryv1.CreateJobResponse {
	t.Helper()
	res, err := tryCreate(t, s, requestID, spec)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// wantKind checks that err is a refusal of that kind.
func wantKind(t testing.TB, err error, kind job.Kind) job.Error {
	t.Helper()
	e, ok := job.AsError(err)
	if !ok || e.Kind != kind {
		t.Fatalf("got %v, want %v", err, kind)
	}
	return *e
}

func wantProto(t testing.TB, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", protojson.Format(got), protojson.Format(want))
	}
}

func TestCreateJob_AnswersTheJobWithAllDefaults(t *testing.T) {
	t.Parallel()
	_, s := newTestJobService(t)
	got := mustCreate(t, s, "", `{"queue": "emails"}`).GetJob()
	id, err := job.ParseID(got.GetJobId())
	if err != nil || id.Part() != job.PartOf("acme", "emails", fakeParts) {
		t.Errorf("id %q in partition %d: %v", got.GetJobId(), id.Part(), err)
	}
	wantProto(t, got, &belfryv1.Job{
		TenantId: "acme", JobId: got.GetJobId(), Queue: "emails", JobType: "default", State: belfryv1.JobState_JOB_STATE_READY,
		Priority: 5, CreateTime: timestamppb.New(testTime), DueTime: timestamppb.New(testTime), ScheduledTime: timestamppb.New(testTime),
		RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(5), InitialBackoff: durationpb.New(10 * time.Second),
			MaxBackoff: durationpb.New(time.Hour), Multiplier: proto.Float64(2), Jitter: proto.Float64(0.2)},
		AttemptTimeout: durationpb.New(time.Hour), MaxReleases: 100, MaxAge: durationpb.New(30 * 24 * time.Hour), Version: 1,
	})
}

func TestCreateJob_AnswersWhatGetJobAnswers(t *testing.T) {
	t.Parallel()
	_, s := newTestJobService(t)
	for _, spec := range []string{
		`{"queue": "q"}`,
		`{"queue": "q", "delay": "90s", "start_within": "5s", "priority": 0, "job_type": "a"}`,
		`{"queue": "q", "due_time": "2026-03-01T12:00:00.5Z", "start_by_time": "2026-03-01T12:00:01Z", "max_age": "60s"}`,
		`{"queue": "q", "due_time": "1969-07-20T20:17:40Z", "attempt_timeout": "1s", "max_releases": 1}`,
		`{"queue": "q", "due_time": "0001-01-01T00:00:00Z"}`,
		`{"queue": "q", "retry_policy": {"max_attempts": 1, "jitter": 0, "delays": ["0s", "3s"]}, "headers": {"a": "b"}}`,
	} {
		made := mustCreate(t, s, "", spec).GetJob()
		got, err := s.GetJob(t.Context(), &belfryv1.GetJobRequest{TenantId: "acme", JobId: made.GetJobId()})
		if err != nil {
			t.Fatal(err)
		}
		wantProto(t, made, got.GetJob())
	}
}

func TestCreateJob_TimesAreRoundedUpToMicroseconds(t *testing.T) {
	t.Parallel()
	_, s := newTestJobService(t)
	got := mustCreate(t, s, "", `{"queue": "q", "due_time": "2026-04-01T00:00:00.123456789Z", "start_by_time": "9999-12-31T23:59:59.999999999Z",
		"attempt_timeout": "1.000000001s"}`).GetJob()
	if at := got.GetDueTime().AsTime().Format(time.RFC3339Nano); at != "2026-04-01T00:00:00.123457Z" {
		t.Errorf("due %s", at)
	}
	if !got.GetStartByTime().IsValid() || got.GetStartByTime().AsTime().Nanosecond() != 999999000 {
		t.Errorf("start by %v", got.GetStartByTime())
	}
	if d := got.GetAttemptTimeout().AsDuration(); d != time.Second+time.Microsecond {
		t.Errorf("attempt timeout %s", d)
	}
}

func TestCreateJob_APastDueTimeFiresNowAndIsKept(t *testing.T) {
	t.Parallel()
	_, s := newTestJobService(t)
	got := mustCreate(t, s, "", `{"queue": "q", "due_time": "1970-01-01T00:00:00Z"}`).GetJob()
	if !got.GetDueTime().AsTime().Equal(testTime) || got.GetScheduledTime().AsTime().Unix() != 0 ||
		got.GetState() != belfryv1.JobState_JOB_STATE_READY {
		t.Errorf("due %v, scheduled %v, state %v", got.GetDueTime(), got.GetScheduledTime(), got.GetState())
	}
}

func TestCreateJob_TheSameRequestAnswersTheFirstJob(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	// Members in another order, defaults stated or left out, JSON or binary: one meaning, one request.
	first := mustCreate(t, s, "r1", `{"queue": "q", "payload": {"json": {"a": 1, "b": [true, null]}}, "delay": "10s"}`)
	binary := &belfryv1.JobSpec{}
	raw, err := proto.Marshal(specOf(t, `{"queue": "q", "delay": "10s", "payload": {"json": {"b": [true, null], "a": 1.0}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(raw, binary); err != nil {
		t.Fatal(err)
	}
	for _, again := range []*belfryv1.JobSpec{
		binary,
		specOf(t, `{"queue": "q", "delay": "10.000s", "priority": 5, "job_type": "default",
			"payload": {"json": {"b": [true, null], "a": 1e0}, "content_type": "application/json"}}`),
	} {
		res, err := s.CreateJob(t.Context(), &belfryv1.CreateJobRequest{TenantId: "acme", Job: again, RequestId: "r1"})
		if err != nil {
			t.Fatal(err)
		}
		if !res.GetExisting() {
			t.Error("the repetition is not told as existing")
		}
		wantProto(t, res.GetJob(), first.GetJob())
	}
	if len(f.live) != 1 {
		t.Errorf("%d jobs were stored", len(f.live))
	}
}

func TestCreateJob_AnotherBodyWithTheSameRequestIDIsRefused(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	first := `{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}}}`
	mustCreate(t, s, "r1", first)
	for _, other := range []string{
		`{"queue": "q2", "delay": "10s", "payload": {"json": {"n": 1}}}`,
		`{"queue": "q", "job_type": "x", "delay": "10s", "payload": {"json": {"n": 1}}}`,
		`{"queue": "q", "delay": "11s", "payload": {"json": {"n": 1}}}`,
		`{"queue": "q", "due_time": "2026-03-01T12:00:10Z", "payload": {"json": {"n": 1}}}`,
		`{"queue": "q", "delay": "10s", "start_within": "9s", "payload": {"json": {"n": 1}}}`,
		`{"queue": "q", "delay": "10s", "start_by_time": "2027-01-01T00:00:00Z", "payload": {"json": {"n": 1}}}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 2}}}`,
		`{"queue": "q", "delay": "10s", "payload": {"text": "{\"n\":1}"}}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}, "content_type": "a/b"}}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}}, "headers": {"a": ""}}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}}, "priority": 4}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}}, "attempt_timeout": "7s"}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}}, "max_age": "7s"}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}}, "max_releases": 7}`,
		`{"queue": "q", "delay": "10s", "payload": {"json": {"n": 1}}, "retry_policy": {"jitter": 0}}`,
	} {
		_, err := tryCreate(t, s, "r1", other)
		wantKind(t, err, job.ErrRequestIDReused)
	}
	if len(f.live) != 1 {
		t.Errorf("%d jobs were stored", len(f.live))
	}
}

func TestCreateJob_RequestIDsOfTenantsAreApart(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	f.makeQueue(f.tenants["globex"], "q")
	first := mustCreate(t, s, "r1", `{"queue": "q"}`)
	other, err := s.CreateJob(t.Context(), &belfryv1.CreateJobRequest{TenantId: "globex", Job: specOf(t, `{"queue": "q"}`), RequestId: "r1"})
	if err != nil || other.GetExisting() || other.GetJob().GetJobId() == first.GetJob().GetJobId() {
		t.Errorf("%v, %v", other, err)
	}
}

func TestCreateJob_ExistingWithExpiredHistoryAnswersItsID(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	first := mustCreate(t, s, "r1", `{"queue": "q"}`)
	clear(f.live)
	again := mustCreate(t, s, "r1", `{"queue": "q"}`)
	if !again.GetExisting() || again.GetJob().GetJobId() != first.GetJob().GetJobId() {
		t.Errorf("got %v", again)
	}
}

func TestCreateJob_CannotStartBeforeItIsDue(t *testing.T) {
	t.Parallel()
	_, s := newTestJobService(t)
	for spec, ok := range map[string]bool{
		`{"queue": "q", "delay": "10s", "start_by_time": "2026-03-01T12:00:10Z"}`:        true,
		`{"queue": "q", "delay": "10s", "start_by_time": "2026-03-01T12:00:09.999999Z"}`: false,
		`{"queue": "q", "start_by_time": "2026-03-01T12:00:00Z"}`:                        true,
		`{"queue": "q", "start_by_time": "2026-03-01T11:59:59.999999Z"}`:                 false,
	} {
		_, err := tryCreate(t, s, "", spec)
		if ok && err != nil {
			t.Errorf("%s: %v", spec, err)
		}
		if !ok {
			if e := wantKind(t, err, job.ErrInvalidField); e.Fields[0].Field != "job.start_by_time" {
				t.Errorf("%s: field %s", spec, e.Fields[0].Field)
			}
		}
	}
}

func TestCreateJob_ARepetitionThatComesTooLateToStartAnswersTheFirstJob(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	spec := `{"queue": "q", "delay": "10s", "start_by_time": "2026-03-01T12:00:11Z"}`
	first := mustCreate(t, s, "r1", spec)
	f.now = f.now.Add(time.Minute)
	again := mustCreate(t, s, "r1", spec)
	if !again.GetExisting() || again.GetJob().GetJobId() != first.GetJob().GetJobId() {
		t.Errorf("got %v", again)
	}
	_, err := tryCreate(t, s, "r2", spec)
	wantKind(t, err, job.ErrInvalidField)
	_, err = tryCreate(t, s, "r1", strings.Replace(spec, "10s", "9s", 1))
	wantKind(t, err, job.ErrRequestIDReused)
}

func TestCreateJob_ValidateOnlyChecksAndCreatesNothing(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	check := func(tenant, spec string) (*belfryv1.CreateJobResponse, error) {
		return s.CreateJob(t.Context(), &belfryv1.CreateJobRequest{TenantId: tenant, Job: specOf(t, spec), ValidateOnly: true, RequestId: "r"})
	}
	res, err := check("acme", `{"queue": "new", "delay": "5s"}`)
	if err != nil {
		t.Fatal(err)
	}
	got := res.GetJob()
	if got.GetJobId() != "" || got.GetCreateTime() != nil || got.GetState() != belfryv1.JobState_JOB_STATE_PENDING ||
		!got.GetDueTime().AsTime().Equal(testTime.Add(5*time.Second)) || got.GetQueue() != "new" {
		t.Errorf("got %v", got)
	}
	_, err = check("globex", `{"queue": "new"}`)
	wantKind(t, err, job.ErrNotFound)
	_, err = check("nobody", `{"queue": "new"}`)
	wantKind(t, err, job.ErrNotFound)
	_, err = check("acme", `{"queue": "new", "delay": "5s", "start_by_time": "2026-03-01T12:00:00Z"}`)
	wantKind(t, err, job.ErrInvalidField)
	if f.creates != 0 || len(f.queues) != 0 || len(f.lanes) != 0 || len(f.requests) != 0 {
		t.Error("something was created")
	}
}

func TestCreateJob_AnUnknownQueueIsRefusedWhereTheTenantMakesNone(t *testing.T) {
	t.Parallel()
	_, s := newTestJobService(t)
	_, err := s.CreateJob(t.Context(), &belfryv1.CreateJobRequest{TenantId: "globex", Job: specOf(t, `{"queue": "q"}`)})
	if e := wantKind(t, err, job.ErrNotFound); e.Subject != job.SubjectQueue {
		t.Errorf("subject %s", e.Subject)
	}
}

func batch(t testing.TB, s *JobService, items ...string) (*belfryv1.BatchCreateJobsResponse, error) {
	t.Helper()
	req := &belfryv1.BatchCreateJobsRequest{TenantId: "acme"}
	for i := 0; i < len(items); i += 2 {
		req.Jobs = append(req.Jobs, &belfryv1.NewJob{RequestId: items[i], Job: specOf(t, items[i+1])})
	}
	return s.BatchCreateJobs(t.Context(), req)
}

func TestBatchCreateJobs_MixesKnownAndNewItems(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	known := mustCreate(t, s, "r1", `{"queue": "a"}`)
	res, err := batch(t, s, "", `{"queue": "b"}`, "r1", `{"queue": "a"}`, "r2", `{"queue": "a", "job_type": "x"}`)
	if err != nil {
		t.Fatal(err)
	}
	if r := res.GetResults()[1]; !r.GetExisting() || r.GetJobId() != known.GetJob().GetJobId() {
		t.Errorf("known item: %v", r)
	}
	for _, i := range []int{0, 2} {
		if r := res.GetResults()[i]; r.GetExisting() || r.GetJobId() == "" {
			t.Errorf("new item %d: %v", i, r)
		}
	}
	if len(f.live) != 3 || f.creates != 2 {
		t.Errorf("%d jobs in %d transactions", len(f.live), f.creates)
	}
	again, err := batch(t, s, "r1", `{"queue": "a"}`, "r2", `{"queue": "a", "job_type": "x"}`)
	if err != nil || again.GetResults()[1].GetJobId() != res.GetResults()[2].GetJobId() {
		t.Errorf("repetition: %v, %v", again, err)
	}
	if f.creates != 2 {
		t.Error("a batch of known items was sent to be stored")
	}
}

func TestBatchCreateJobs_AKnownRequestIDWithAnotherBodyRefusesAll(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	mustCreate(t, s, "r1", `{"queue": "a"}`)
	_, err := batch(t, s, "", `{"queue": "b"}`, "r1", `{"queue": "a", "priority": 1}`)
	if e := wantKind(t, err, job.ErrRequestIDReused); !strings.Contains(e.Msg, `"r1"`) {
		t.Errorf("message %q", e.Msg)
	}
	if len(f.live) != 1 {
		t.Errorf("%d jobs were stored", len(f.live))
	}
}

func TestBatchCreateJobs_ARequestIDThatIsUsedMeanwhileAnswersThatJob(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	var other *belfryv1.CreateJobResponse
	f.beforeCreate = func() {
		f.beforeCreate = nil
		other = mustCreate(t, s, "r1", `{"queue": "a"}`)
	}
	res, err := batch(t, s, "", `{"queue": "b"}`, "r1", `{"queue": "a"}`)
	if err != nil {
		t.Fatal(err)
	}
	if r := res.GetResults()[1]; !r.GetExisting() || r.GetJobId() != other.GetJob().GetJobId() {
		t.Errorf("got %v, want %s", r, other.GetJob().GetJobId())
	}
	if r := res.GetResults()[0]; r.GetExisting() {
		t.Errorf("got %v", r)
	}
}

func TestBatchCreateJobs_NamesEachItemThatCannotStart(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	late := `{"queue": "q", "start_by_time": "2020-01-01T00:00:00Z"}`
	_, err := batch(t, s, "", late, "", `{"queue": "q"}`, "", late)
	e := wantKind(t, err, job.ErrInvalidField)
	if len(e.Fields) != 2 || e.Fields[0].Field != "jobs[0].job.start_by_time" || e.Fields[1].Field != "jobs[2].job.start_by_time" {
		t.Errorf("fields %v", e.Fields)
	}
	if len(f.queues) != 0 || f.creates != 0 {
		t.Error("something was created")
	}
}

func TestBatchCreateJobs_ValidateOnlyAnswersNoIDs(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	res, err := s.BatchCreateJobs(t.Context(), &belfryv1.BatchCreateJobsRequest{TenantId: "acme", ValidateOnly: true,
		Jobs: []*belfryv1.NewJob{{Job: specOf(t, `{"queue": "q"}`)}, {Job: specOf(t, `{"queue": "q"}`), RequestId: "r"}}})
	if err != nil || len(res.GetResults()) != 2 || res.GetResults()[1].GetJobId() != "" {
		t.Errorf("%v, %v", res, err)
	}
	if f.creates != 0 || len(f.queues) != 0 {
		t.Error("something was created")
	}
}

func TestCreateJob_AnEngineFaultIsHandedOn(t *testing.T) {
	t.Parallel()
	f := newFakeEngine()
	config := f.config()
	config.Engine = brokenEngine{f}
	s := NewJobService(config)
	_, err := tryCreate(t, s, "", `{"queue": "q"}`)
	wantKind(t, err, job.ErrUnavailable)
}

type brokenEngine struct{ *fakeEngine }

func (brokenEngine) Create(context.Context, []*store.Create) error {
	return job.Unavailable(errors.New("database away"))
}
