package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/server/internal/wheel"
	"github.com/belfryhq/belfry/tenancy"
)

// node is JobService and WorkerService behind an edge, on a real dispatcher and database. Due jobs reach the hub by hints
// alone. Tenant acme makes queues by itself; key "admin" is its own, "operator" the platform's.
type node struct {
	t       *testing.T
	store   *store.Store
	catalog *catalog.Catalog
	hub     *ready.Hub
	grants  map[int16]cluster.Grant
	jobs    *JobService
	web     *world
}

func newNode(t *testing.T) *node {
	t.Helper()
	n := &node{t: t, store: storetest.New(t).Store, hub: ready.NewHub(ready.Options{}), grants: map[int16]cluster.Grant{}}
	for name, auto := range map[string]bool{"acme": true, "globex": false} {
		if _, _, err := n.store.CreateTenant(t.Context(), store.NewTenant{Name: name, AutoCreateQueues: auto}); err != nil {
			t.Fatal(err)
		}
	}
	n.catalog = catalog.New(catalog.Config{Store: n.store, Clock: clock.Real()})
	grants, err := n.store.TakePartitions(t.Context(), "node", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range grants {
		n.grants[g.Part] = cluster.Grant{Part: g.Part, Epoch: g.Epoch, Config: g.Config}
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	d := dispatch.New(dispatch.Config{Store: n.store, Catalog: n.catalog, Hub: n.hub, Owner: n, Hints: n, Clock: clock.Real(),
		Log: log, Metrics: ignored{}})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = d.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	config := ServiceConfig{Engine: d, Jobs: n.store, Names: n.catalog, Workers: NewWorkers(time.Now), Errors: NewTranslator(log),
		Now: time.Now, StillValid: func(context.Context, tenancy.Principal) error { return nil }}
	n.jobs = NewJobService(config)
	edge := NewEdge(EdgeConfig{Auth: fakeAuth{}, Validator: realValidator(t), Errors: config.Errors, Clock: clock.Real(), Log: log,
		Observe: func(Call) {}})
	mux := http.NewServeMux()
	mux.Handle(belfryv1connect.NewJobServiceHandler(n.jobs, edge.HandlerOptions()...))
	mux.Handle(belfryv1connect.NewWorkerServiceHandler(NewWorkerService(config), edge.HandlerOptions()...))
	n.web = &world{server: httptest.NewServer(mux)}
	t.Cleanup(n.web.server.Close)
	return n
}

func realValidator(t testing.TB) *Validator {
	t.Helper()
	v, err := NewValidator(clock.Real())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (n *node) Owned(part int16) (cluster.Grant, bool) { g, ok := n.grants[part]; return g, ok }
func (n *node) Poke()                                  {}

// Offer files hinted rows into the hub when they are due.
func (n *node) Offer(entries []wheel.Entry) {
	for _, e := range entries {
		lane, err := n.catalog.Lane(context.Background(), e.Lane)
		if err != nil {
			n.t.Error(err)
			return
		}
		n.hub.SetLane(ready.Lane{ID: lane.Number, Tenant: lane.Queue.Tenant, Queue: lane.Queue.ID, Type: lane.Type})
		time.AfterFunc(time.Until(time.UnixMicro(e.DueAt)), func() { n.hub.Put(e.ID.Part(), []wheel.Entry{e}) })
	}
}

type ignored struct{}

func (ignored) Claimed(int, int, []time.Duration) {}
func (ignored) Finished(string)                   {}
func (ignored) Rescued(int)                       {}
func (ignored) Batch(int, time.Duration)          {}

// post calls a method in JSON over HTTP, as curl would, and reads the answer strictly.
func post[T proto.Message](n *node, answer T, method, body string, headers ...string) T {
	n.t.Helper()
	e, text := n.web.curl(n.t, method, body, headers...)
	if e.Status != http.StatusOK {
		n.t.Fatalf("%s: %s %s", method, e.Code, e.Message)
	}
	if err := protojson.Unmarshal([]byte(text), answer); err != nil {
		n.t.Fatalf("%s: %v in %s", method, err, text)
	}
	return answer
}

func (n *node) leaseOne(queue string) *belfryv1.LeasedJob {
	n.t.Helper()
	res := post(n, &belfryv1.LeaseJobsResponse{}, "WorkerService/LeaseJobs",
		fmt.Sprintf(`{"queues": [%q], "wait": "10s", "worker_id": "w1", "job_types": ["mail"], "max_jobs": 1}`, queue))
	if len(res.GetJobs()) != 1 {
		n.t.Fatalf("leased %v", res)
	}
	return res.GetJobs()[0]
}

func TestHTTP_AJobsWholeLifeInJSON(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	const spec = `{"job": {"queue": "emails", "job_type": "mail", "payload": {"json": {"to": "ä@example.com", "n": 1.5}},
		"headers": {"traceparent": "x"}, "retry_policy": {"initial_backoff": "0.001s", "jitter": 0}}}`
	made := post(n, &belfryv1.CreateJobResponse{}, "JobService/CreateJob", spec, "Idempotency-Key", "k1")
	again := post(n, &belfryv1.CreateJobResponse{}, "JobService/CreateJob", spec, "Idempotency-Key", "k1")
	id := made.GetJob().GetJobId()
	if made.GetExisting() || !again.GetExisting() || again.GetJob().GetJobId() != id {
		t.Fatalf("made %v, again %v", made, again)
	}
	again.Job.State = made.Job.State
	wantProto(t, made.GetJob(), again.GetJob())

	l := n.leaseOne("emails")
	if l.GetJob().GetJobId() != id || l.GetAttempt() != 1 || l.GetJob().GetPayload().GetJson().GetStructValue().GetFields()["to"].GetStringValue() != "ä@example.com" {
		t.Fatalf("leased %v", l)
	}
	beat := post(n, &belfryv1.HeartbeatResponse{}, "WorkerService/Heartbeat",
		fmt.Sprintf(`{"worker_id": "w1", "items": [{"lease_token": %q, "lease_duration": "90s"}]}`, l.GetLeaseToken()))
	if r := beat.GetResults()[0]; r.GetError() != nil || r.GetLeaseRemaining().AsDuration() < 89*time.Second {
		t.Errorf("heartbeat %v", r)
	}
	failed := post(n, &belfryv1.FailJobsResponse{}, "WorkerService/FailJobs",
		fmt.Sprintf(`{"items": [{"lease_token": %q, "error": "boom\u0000"}]}`, l.GetLeaseToken()))
	if r := failed.GetResults()[0]; r.GetError() != nil || r.GetJobId() != id || r.GetState() != belfryv1.JobState_JOB_STATE_PENDING || r.GetDueTime() == nil {
		t.Errorf("failed %v", r)
	}

	l = n.leaseOne("emails")
	if a := l.GetJob().GetAttempts(); len(a) != 1 || a[0].GetError() != "boom\uFFFD" || l.GetJob().GetLastError() != "boom\uFFFD" {
		t.Errorf("second lease %v", l)
	}
	back := post(n, &belfryv1.ReleaseJobsResponse{}, "WorkerService/ReleaseJobs",
		fmt.Sprintf(`{"items": [{"lease_token": %q, "reason": "drain"}]}`, l.GetLeaseToken()))
	if r := back.GetResults()[0]; r.GetError() != nil || r.GetState() != belfryv1.JobState_JOB_STATE_PENDING {
		t.Errorf("released %v", r)
	}
	waiting := post(n, &belfryv1.GetJobResponse{}, "JobService/GetJob", fmt.Sprintf(`{"job_id": %q, "view": "JOB_VIEW_FULL"}`, id)).GetJob()
	if waiting.GetReleases() != 1 || waiting.GetAttempt() != 1 || waiting.GetLastError() != "boom\uFFFD" || len(waiting.GetAttempts()) != 2 {
		t.Errorf("released job %v", waiting)
	}

	l = n.leaseOne("emails")
	done := post(n, &belfryv1.CompleteJobsResponse{}, "WorkerService/CompleteJobs",
		fmt.Sprintf(`{"items": [{"lease_token": %q, "result": {"text": "ok"}}]}`, l.GetLeaseToken()))
	if r := done.GetResults()[0]; r.GetError() != nil || r.GetState() != belfryv1.JobState_JOB_STATE_SUCCEEDED {
		t.Errorf("completed %v", r)
	}
	late := post(n, &belfryv1.HeartbeatResponse{}, "WorkerService/Heartbeat",
		fmt.Sprintf(`{"worker_id": "w1", "items": [{"lease_token": %q}]}`, l.GetLeaseToken()))
	if e := late.GetResults()[0].GetError(); e.GetReason() != belfryv1.ErrorReason_ERROR_REASON_LEASE_LOST {
		t.Errorf("heartbeat after the end: %v", e)
	}
	ended := post(n, &belfryv1.GetJobResponse{}, "JobService/GetJob", fmt.Sprintf(`{"job_id": %q, "view": "JOB_VIEW_FULL"}`, id)).GetJob()
	var outcomes []string
	for _, a := range ended.GetAttempts() {
		outcomes = append(outcomes, fmt.Sprint(a.GetNumber(), " ", strings.TrimPrefix(a.GetOutcome().String(), "ATTEMPT_OUTCOME_")))
	}
	if ended.GetState() != belfryv1.JobState_JOB_STATE_SUCCEEDED || ended.GetResult().GetText() != "ok" || ended.GetLastError() != "boom\uFFFD" ||
		!slices.Equal(outcomes, []string{"1 FAILED", "2 RELEASED", "3 SUCCEEDED"}) || ended.GetAttempt() != 2 {
		t.Errorf("ended job %v", ended)
	}
	workers := post(n, &belfryv1.ListWorkersResponse{}, "WorkerService/ListWorkers", `{}`)
	if w := workers.GetWorkers(); len(w) != 1 || w[0].GetWorkerId() != "w1" || !slices.Equal(w[0].GetQueues(), []string{"emails"}) {
		t.Errorf("workers %v", w)
	}
}

func TestHTTP_CancelInJSON(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	batch := post(n, &belfryv1.BatchCreateJobsResponse{}, "JobService/BatchCreateJobs",
		`{"jobs": [{"job": {"queue": "q", "job_type": "mail"}}, {"job": {"queue": "q", "delay": "3600s"}, "request_id": "b"}]}`)
	running, waiting := batch.GetResults()[0].GetJobId(), batch.GetResults()[1].GetJobId()
	l := n.leaseOne("q")
	cancel := func(id string) *belfryv1.Job {
		return post(n, &belfryv1.CancelJobResponse{}, "JobService/CancelJob", fmt.Sprintf(`{"job_id": %q, "reason": "no need"}`, id)).GetJob()
	}
	for range 2 { // repeating changes nothing
		if j := cancel(waiting); j.GetState() != belfryv1.JobState_JOB_STATE_CANCELLED || j.GetStateReason() != "CANCEL_REQUESTED" {
			t.Errorf("waiting job %v", j)
		}
		if j := cancel(running); j.GetState() != belfryv1.JobState_JOB_STATE_RUNNING || !j.GetCancelRequested() {
			t.Errorf("running job %v", j)
		}
	}
	beat := post(n, &belfryv1.HeartbeatResponse{}, "WorkerService/Heartbeat",
		fmt.Sprintf(`{"worker_id": "w1", "items": [{"lease_token": %q}]}`, l.GetLeaseToken()))
	if r := beat.GetResults()[0]; !r.GetCancelRequested() || r.GetCancelReason() != "no need" {
		t.Errorf("heartbeat %v", r)
	}
	post(n, &belfryv1.CompleteJobsResponse{}, "WorkerService/CompleteJobs", fmt.Sprintf(`{"items": [{"lease_token": %q}]}`, l.GetLeaseToken()))
	e, _ := n.web.curl(t, "JobService/CancelJob", fmt.Sprintf(`{"job_id": %q}`, running))
	if e.Code != "failed_precondition" {
		t.Errorf("cancel of a job that succeeded: %+v", e)
	}
}

func TestHTTP_AnotherTenantsJobIsLikeNone(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	id := post(n, &belfryv1.CreateJobResponse{}, "JobService/CreateJob", `{"job": {"queue": "q", "job_type": "mail"}}`).GetJob().GetJobId()
	token := n.leaseOne("q").GetLeaseToken()
	tok, err := job.ParseToken(token)
	if err != nil {
		t.Fatal(err)
	}
	random := tok
	random.ID = job.NewID(time.Now(), 0)
	random.Lane = 4711
	as := []string{"Authorization", "Bearer operator"}
	for _, method := range []string{"GetJob", "CancelJob"} {
		foreign, _ := n.web.curl(t, "JobService/"+method, fmt.Sprintf(`{"tenant_id": "globex", "job_id": %q}`, id), as...)
		none, _ := n.web.curl(t, "JobService/"+method, fmt.Sprintf(`{"tenant_id": "globex", "job_id": %q}`, random.ID), as...)
		if foreign.Code != "not_found" || none.Code != "not_found" ||
			strings.ReplaceAll(foreign.Message, id, "ID") != strings.ReplaceAll(none.Message, random.ID.String(), "ID") {
			t.Errorf("%s: %+v, %+v", method, foreign, none)
		}
	}
	for _, method := range []string{"Heartbeat", "CompleteJobs", "FailJobs", "ReleaseJobs"} {
		worker := ""
		if method == "Heartbeat" {
			worker = `"worker_id": "w",`
		}
		answer := func(token string) string {
			_, text := n.web.curl(t, "WorkerService/"+method, fmt.Sprintf(`{%s "tenant_id": "globex", "items": [{"lease_token": %q}]}`, worker, token), as...)
			return strings.NewReplacer(id, "ID", random.ID.String(), "ID", " ", "").Replace(text)
		}
		if f, r := answer(token), answer(random.String()); f != r || !strings.Contains(f, "not_found") {
			t.Errorf("%s: %s, %s", method, f, r)
		}
	}
	if j := post(n, &belfryv1.ListJobsResponse{}, "JobService/ListJobs", `{"tenant_id": "globex"}`, as...).GetJobs(); len(j) != 0 {
		t.Errorf("listed %v", j)
	}
	if j := post(n, &belfryv1.GetJobResponse{}, "JobService/GetJob", fmt.Sprintf(`{"job_id": %q}`, id)).GetJob(); j.GetState() != belfryv1.JobState_JOB_STATE_RUNNING || j.GetCancelRequested() {
		t.Errorf("the job was touched: %v", j)
	}
}

func TestCreateJob_ManyAtOnceWithOneRequestIDMakeOneJob(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	ids, fresh := sync.Map{}, make(chan struct{}, 16)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			res, err := n.jobs.CreateJob(t.Context(), &belfryv1.CreateJobRequest{TenantId: "acme", RequestId: "r", Job: &belfryv1.JobSpec{Queue: "q"}})
			if err != nil {
				t.Error(err)
				return
			}
			ids.Store(res.GetJob().GetJobId(), true)
			if !res.GetExisting() {
				fresh <- struct{}{}
			}
		})
	}
	wg.Wait()
	n1 := 0
	ids.Range(func(any, any) bool { n1++; return true })
	if n1 != 1 || len(fresh) != 1 {
		t.Errorf("%d ids, %d fresh answers", n1, len(fresh))
	}
}

func TestListJobs_OnPostgreSQLEachJobComesOnceThoughItEndsMeanwhile(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	r := rand.New(rand.NewPCG(7, 7))
	make100 := func() (ids []string) {
		req := &belfryv1.BatchCreateJobsRequest{TenantId: "acme"}
		for i := range 100 {
			req.Jobs = append(req.Jobs, &belfryv1.NewJob{Job: specOf(t, fmt.Sprintf(`{"queue": "q%d", "delay": "3600s", "payload": {"text": "x"}}`, i%5))})
		}
		res, err := n.jobs.BatchCreateJobs(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range res.GetResults() {
			ids = append(ids, one.GetJobId())
		}
		return ids
	}
	want := append(make100(), make100()...)
	alive := slices.Clone(want)
	cancelSome := func() {
		for range 15 {
			i := r.IntN(len(alive))
			if _, err := n.jobs.CancelJob(t.Context(), &belfryv1.CancelJobRequest{TenantId: "acme", JobId: alive[i]}); err != nil {
				t.Fatal(err)
			}
			if alive = slices.Delete(alive, i, i+1); len(alive) == 0 {
				return
			}
		}
	}
	got, _ := listAll(t, n.jobs, &belfryv1.ListJobsRequest{TenantId: "acme", PageSize: 30}, cancelSome)
	slices.SortFunc(want, func(a, b string) int { return strings.Compare(b, a) })
	if !slices.Equal(got, want) {
		t.Errorf("got %d jobs, want %d", len(got), len(want))
	}
	ended := post(n, &belfryv1.ListJobsResponse{}, "JobService/ListJobs",
		`{"queue": "q1", "states": ["JOB_STATE_CANCELLED"], "page_size": 1000}`).GetJobs()
	for _, j := range ended {
		if j.GetQueue() != "q1" || j.GetState() != belfryv1.JobState_JOB_STATE_CANCELLED || j.GetPayload() != nil || j.GetRetryPolicy() == nil {
			t.Errorf("listed %v", j)
		}
	}
	if len(ended) == 0 || slices.ContainsFunc(ended, func(j *belfryv1.Job) bool { return slices.Contains(alive, j.GetJobId()) }) {
		t.Errorf("%d cancelled jobs listed", len(ended))
	}
}

func TestHTTP_ErrorsOfHandlersHaveReasonAndField(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	e, _ := n.web.curl(t, "JobService/CreateJob", `{"job": {"queue": "q", "delay": "60s", "start_by_time": "2020-01-01T00:00:00Z"}}`)
	wantInvalid(t, e, "job.start_by_time", "must not be before the job is due")
	e, _ = n.web.curl(t, "WorkerService/LeaseJobs", `{"queues": ["nosuch"], "worker_id": "w"}`)
	if details := mustJSON(e.Details); e.Code != "not_found" || !strings.Contains(details, "QUEUE_NOT_FOUND") {
		t.Errorf("%+v", e)
	}
	e, _ = n.web.curl(t, "JobService/GetJob", `{"job_id": "nonsense"}`)
	if details := mustJSON(e.Details); e.Code != "not_found" || !strings.Contains(details, "JOB_NOT_FOUND") {
		t.Errorf("%+v", e)
	}
	post(n, &belfryv1.CreateJobResponse{}, "JobService/CreateJob", `{"job": {"queue": "q"}, "request_id": "x"}`)
	e, _ = n.web.curl(t, "JobService/CreateJob", `{"job": {"queue": "q", "priority": 1}, "request_id": "x"}`)
	if details := mustJSON(e.Details); e.Code != "already_exists" || !strings.Contains(details, "REQUEST_ID_REUSED") {
		t.Errorf("%+v", e)
	}
	var body map[string]any
	_, text := n.web.curl(t, "JobService/CreateJob", `{"job": {"queue": "q"}, "validate_only": true}`)
	if err := json.Unmarshal([]byte(text), &body); err != nil || body["job"].(map[string]any)["jobId"] != nil {
		t.Errorf("validate_only answers %s", text)
	}
}

func TestGetJob_AJobThatEndsWhileItWaitsKeepsItsAttempts(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	id := post(n, &belfryv1.CreateJobResponse{}, "JobService/CreateJob",
		`{"job": {"queue": "q", "job_type": "mail", "retry_policy": {"initial_backoff": "3600s"}}}`).GetJob().GetJobId()
	post(n, &belfryv1.FailJobsResponse{}, "WorkerService/FailJobs",
		fmt.Sprintf(`{"items": [{"lease_token": %q, "error": "boom"}]}`, n.leaseOne("q").GetLeaseToken()))
	post(n, &belfryv1.CancelJobResponse{}, "JobService/CancelJob", fmt.Sprintf(`{"job_id": %q}`, id))
	j := post(n, &belfryv1.GetJobResponse{}, "JobService/GetJob", fmt.Sprintf(`{"job_id": %q, "view": "JOB_VIEW_FULL"}`, id)).GetJob()
	if len(j.GetAttempts()) != 1 || j.GetAttempts()[0].GetError() != "boom" || j.GetLastError() != "boom" {
		t.Errorf("got %v", j)
	}
}
