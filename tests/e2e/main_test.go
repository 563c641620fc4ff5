package e2e_test

import (
	"os"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m, 12)) }

// soon bounds what must happen at once, on a busy machine.
const soon = 5 * time.Second

// pull is one LeaseJobs call. Zero values: one job, waiting up to soon, for 30 s.
type pull struct {
	queue string
	types []string
	max   int32
	wait  time.Duration
	lease time.Duration
}

func (p pull) request() *v1.LeaseJobsRequest {
	if p.wait == 0 {
		p.wait = soon
	}
	if p.lease == 0 {
		p.lease = 30 * time.Second
	}
	request := &v1.LeaseJobsRequest{MaxJobs: max(p.max, 1), Wait: durationpb.New(p.wait), WorkerId: "e2e",
		LeaseDuration: durationpb.New(p.lease), JobTypes: p.types}
	if p.queue != "" {
		request.Queues = []string{p.queue}
	}
	return request
}

// from makes the call and returns what was leased.
func (p pull) from(t *testing.T, client *belfry.Client) []*v1.LeasedJob {
	t.Helper()
	response, err := client.Workers().LeaseJobs(t.Context(), p.request())
	if err != nil {
		t.Fatalf("lease: %v", err)
	}
	return response.GetJobs()
}

// one leases exactly one job.
func (p pull) one(t *testing.T, client *belfry.Client) *v1.LeasedJob {
	t.Helper()
	jobs := p.from(t, client)
	if len(jobs) != 1 {
		t.Fatalf("leased %d jobs, want 1", len(jobs))
	}
	return jobs[0]
}

// none fails the test if anything is leased within the wait of p.
func (p pull) none(t *testing.T, client *belfry.Client) {
	t.Helper()
	if jobs := p.from(t, client); len(jobs) > 0 {
		t.Fatalf("leased %s, want nothing", jobs[0].GetJob().GetJobId())
	}
}

// create makes one job.
func create(t *testing.T, client *belfry.Client, job belfry.NewJob) belfry.JobInfo {
	t.Helper()
	made, err := client.Create(t.Context(), job)
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	return made
}

// get reads a job in full.
func get(t *testing.T, client *belfry.Client, id string) belfry.JobInfo {
	t.Helper()
	job, err := client.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("get %s: %v", id, err)
	}
	return job
}

func complete(t *testing.T, client *belfry.Client, token string) *v1.FinishResult {
	t.Helper()
	response, err := client.Workers().CompleteJobs(t.Context(), &v1.CompleteJobsRequest{Items: []*v1.CompleteItem{{LeaseToken: token}}})
	if err != nil {
		t.Fatalf("complete: %v", err)
	}
	return response.GetResults()[0]
}

func fail(t *testing.T, client *belfry.Client, item *v1.FailItem) *v1.FinishResult {
	t.Helper()
	response, err := client.Workers().FailJobs(t.Context(), &v1.FailJobsRequest{Items: []*v1.FailItem{item}})
	if err != nil {
		t.Fatalf("fail: %v", err)
	}
	return response.GetResults()[0]
}

func release(t *testing.T, client *belfry.Client, item *v1.ReleaseItem) *v1.FinishResult {
	t.Helper()
	response, err := client.Workers().ReleaseJobs(t.Context(), &v1.ReleaseJobsRequest{Items: []*v1.ReleaseItem{item}})
	if err != nil {
		t.Fatalf("release: %v", err)
	}
	return response.GetResults()[0]
}

func heartbeat(t *testing.T, client *belfry.Client, token string) *v1.HeartbeatResult {
	t.Helper()
	response, err := client.Workers().Heartbeat(t.Context(), &v1.HeartbeatRequest{WorkerId: "e2e", Items: []*v1.HeartbeatItem{{LeaseToken: token}}})
	if err != nil {
		t.Fatalf("heartbeat: %v", err)
	}
	return response.GetResults()[0]
}

// wantState fails the test unless the final call left the job in the given state.
func wantState(t *testing.T, result *v1.FinishResult, want v1.JobState) {
	t.Helper()
	if result.GetError() != nil || result.GetState() != want {
		t.Fatalf("result %v, want state %v", result, want)
	}
}

// wantLost fails the test unless the error is that of a lease that has ended.
func wantLost(t *testing.T, what string, err *v1.ItemError) {
	t.Helper()
	if err.GetReason() != v1.ErrorReason_ERROR_REASON_LEASE_LOST || err.GetCode() != "failed_precondition" || err.GetMessage() == "" {
		t.Errorf("%s: %v, want LEASE_LOST", what, err)
	}
}
