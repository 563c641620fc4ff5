package belfry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// archive answers reads of five jobs, two to a page, and notes what it was
// asked.
type archive struct {
	belfryv1connect.UnimplementedJobServiceHandler
	batch  *v1.BatchCreateJobsRequest
	get    *v1.GetJobRequest
	cancel *v1.CancelJobRequest
	lists  []*v1.ListJobsRequest
}

func (a *archive) BatchCreateJobs(_ context.Context, request *v1.BatchCreateJobsRequest) (*v1.BatchCreateJobsResponse, error) {
	a.batch = request
	return &v1.BatchCreateJobsResponse{Results: []*v1.BatchCreateJobsResult{{JobId: "job_1"}, {JobId: "job_2", Existing: true}}}, nil
}

func (a *archive) GetJob(_ context.Context, request *v1.GetJobRequest) (*v1.GetJobResponse, error) {
	a.get = request
	return &v1.GetJobResponse{Job: &v1.Job{
		JobId: request.GetJobId(), State: v1.JobState_JOB_STATE_DEAD, StateReason: "MAX_ATTEMPTS", FinishTime: timestamp(epoch),
		Payload: textPayload("hello"), MaxAge: durationpb.New(time.Hour), RetryPolicy: &v1.RetryPolicy{MaxAttempts: new(int32(3))},
		Attempts: []*v1.Attempt{{Number: 1, Outcome: v1.AttemptOutcome_ATTEMPT_OUTCOME_TIMED_OUT, EndTime: timestamp(epoch), Error: "late"}},
	}}, nil
}

func (a *archive) CancelJob(_ context.Context, request *v1.CancelJobRequest) (*v1.CancelJobResponse, error) {
	a.cancel = request
	return &v1.CancelJobResponse{Job: &v1.Job{JobId: request.GetJobId(), State: v1.JobState_JOB_STATE_RUNNING, CancelRequested: true}}, nil
}

func (a *archive) ListJobs(_ context.Context, request *v1.ListJobsRequest) (*v1.ListJobsResponse, error) {
	a.lists = append(a.lists, request)
	if request.GetQueue() == "broken" && request.GetPageToken() != "" {
		return nil, connect.NewError(connect.CodeInvalidArgument, errors.New("page token"))
	}
	page := len(request.GetPageToken())
	response := &v1.ListJobsResponse{}
	for i := 2 * page; i < min(2*page+2, 5); i++ {
		response.Jobs = append(response.Jobs, &v1.Job{JobId: fmt.Sprint("job_", i)})
	}
	if page < 2 {
		response.NextPageToken = request.GetPageToken() + "x"
	}
	return response, nil
}

func newArchive(t *testing.T) (*archive, *belfry.Client) {
	t.Helper()
	a := &archive{}
	mux := http.NewServeMux()
	mux.Handle(belfryv1connect.NewJobServiceHandler(a))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client, err := belfry.NewClient(server.URL, apiKey)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return a, client.ForTenant("acme")
}

func TestList_GoesThroughAllPagesWithOneFilter(t *testing.T) {
	t.Parallel()
	a, client := newArchive(t)
	var ids []string
	for job, err := range client.List(t.Context(), belfry.JobFilter{Queue: "mail", Type: "send", States: []belfry.JobState{belfry.StateDead}, PageSize: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, job.ID)
	}
	if want := []string{"job_0", "job_1", "job_2", "job_3", "job_4"}; !slices.Equal(ids, want) {
		t.Errorf("List() = %q, want %q", ids, want)
	}
	for _, request := range a.lists {
		if request.GetTenantId() != "acme" || request.GetQueue() != "mail" || request.GetJobType() != "send" || request.GetPageSize() != 2 ||
			!slices.Equal(request.GetStates(), []v1.JobState{v1.JobState_JOB_STATE_DEAD}) {
			t.Errorf("ListJobs = %v", request)
		}
	}
	for _, err := range client.List(t.Context(), belfry.JobFilter{}) {
		if err != nil {
			t.Error(err)
		}
		break // Ends the iteration, and fetches no other page.
	}
	if len(a.lists) != 4 {
		t.Errorf("%d pages fetched, want 3 and 1", len(a.lists))
	}
}

func TestList_EndsAfterAnError(t *testing.T) {
	t.Parallel()
	_, client := newArchive(t)
	var got []error
	for _, err := range client.List(t.Context(), belfry.JobFilter{Queue: "broken"}) {
		got = append(got, err)
	}
	if len(got) != 3 || got[1] != nil || !belfry.IsInvalid(got[2]) {
		t.Errorf("List() = %v, want two jobs and an error", got)
	}
}

func TestGetAndCancel_AnswerTheJob(t *testing.T) {
	t.Parallel()
	a, client := newArchive(t)
	job, err := client.Get(t.Context(), "job_1")
	if err != nil {
		t.Fatal(err)
	}
	var text string
	if err := job.Payload.Decode(&text); err != nil || text != "hello" {
		t.Errorf("payload = %q, %v", text, err)
	}
	if job.ID != "job_1" || job.State != belfry.StateDead || !job.State.Final() || job.StateReason != "MAX_ATTEMPTS" || !job.FinishTime.Equal(epoch) ||
		!job.StartTime.IsZero() || job.MaxAge != time.Hour || job.Retry.MaxAttempts != 3 {
		t.Errorf("Get() = %+v", job)
	}
	if len(job.Attempts) != 1 || job.Attempts[0].Outcome != belfry.OutcomeTimedOut || job.Attempts[0].Error != "late" {
		t.Errorf("attempts = %+v", job.Attempts)
	}
	if a.get.GetTenantId() != "acme" || a.get.GetView() != v1.JobView_JOB_VIEW_FULL {
		t.Errorf("GetJob = %v", a.get)
	}
	job, err = client.Cancel(t.Context(), "job_2", "no longer needed")
	if err != nil || !job.CancelRequested || job.State.Final() || a.cancel.GetReason() != "no longer needed" || a.cancel.GetTenantId() != "acme" {
		t.Errorf("Cancel() = %+v, %v after %v", job, err, a.cancel)
	}
}

func TestCreateBatch_KeepsOrderAndIdentifiesEachJob(t *testing.T) {
	t.Parallel()
	a, client := newArchive(t)
	created, err := client.CreateBatch(t.Context(), []belfry.NewJob{{Queue: "a"}, {Queue: "b", RequestID: "mine"}})
	if want := []belfry.Created{{JobID: "job_1"}, {JobID: "job_2", Existing: true}}; err != nil || !slices.Equal(created, want) {
		t.Errorf("CreateBatch() = %+v, %v", created, err)
	}
	jobs := a.batch.GetJobs()
	if len(jobs) != 2 || jobs[0].GetRequestId() == "" || jobs[1].GetRequestId() != "mine" || jobs[0].GetJob().GetQueue() != "a" {
		t.Errorf("BatchCreateJobs = %v", a.batch)
	}
	if _, err := client.CreateBatch(t.Context(), []belfry.NewJob{{Queue: "a"}, {Queue: "b", DueTime: epoch, Delay: 1}}); !belfry.IsInvalid(err) {
		t.Errorf("CreateBatch() with a contradiction = %v", err)
	}
}
