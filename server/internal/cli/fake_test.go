package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
)

// fakeServer answers every call with something, and remembers what it was asked.
type fakeServer struct {
	belfryv1connect.UnimplementedJobServiceHandler
	belfryv1connect.UnimplementedQueueServiceHandler
	belfryv1connect.UnimplementedScheduleServiceHandler
	belfryv1connect.UnimplementedCalendarServiceHandler
	belfryv1connect.UnimplementedTenantServiceHandler
	belfryv1connect.UnimplementedWorkerServiceHandler
	address string
	leaser  *leaser

	mu       sync.Mutex
	requests []proto.Message
	keys     []string
	// fail, if set, is what every call answers.
	fail error
}

func newFakeServer(t *testing.T) *fakeServer {
	t.Helper()
	s := &fakeServer{leaser: newLeaser()}
	mux := http.NewServeMux()
	options := connect.WithInterceptors(connect.UnaryInterceptorFunc(s.record))
	mux.Handle(belfryv1connect.NewJobServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewQueueServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewScheduleServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewCalendarServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewTenantServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewWorkerServiceHandler(s, options))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.address = strings.TrimPrefix(server.URL, "http://")
	return s
}

func (s *fakeServer) record(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		message := proto.Clone(request.Any().(proto.Message))
		if field := message.ProtoReflect().Descriptor().Fields().ByName("request_id"); field != nil {
			// Made up by the client unless the user gave one.
			if id := message.ProtoReflect().Get(field).String(); len(id) == 26 {
				message.ProtoReflect().Clear(field)
			}
		}
		s.mu.Lock()
		s.requests = append(s.requests, message)
		s.keys = append(s.keys, strings.TrimPrefix(request.Header().Get("Authorization"), "Bearer "))
		fail := s.fail
		s.mu.Unlock()
		if fail != nil {
			return nil, fail
		}
		return next(ctx, request)
	}
}

// outcome is what a command did.
type outcome struct {
	code        int
	out, errors string
}

// run runs a command against the server.
func (s *fakeServer) run(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	return runProgram(t.Context(), stdin, append(args, "--address", s.address, "--api-key", "tenant-key", "--admin-key", "platform-key")...)
}

func runProgram(ctx context.Context, stdin string, args ...string) outcome {
	var out, errors bytes.Buffer
	p := &Program{In: strings.NewReader(stdin), Out: &out, Err: &errors, Clock: clock.Real()}
	code := p.Run(ctx, args)
	return outcome{code, out.String(), errors.String()}
}

// last returns the latest request and the key it came with.
func (s *fakeServer) last() (proto.Message, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) == 0 {
		return nil, ""
	}
	return s.requests[len(s.requests)-1], s.keys[len(s.keys)-1]
}

var noon = timestamppb.New(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))

func fakeJob(id string) *v1.Job {
	return &v1.Job{TenantId: "acme", JobId: id, Queue: "mail", JobType: "welcome", State: v1.JobState_JOB_STATE_DEAD,
		StateReason: "MAX_ATTEMPTS", Priority: 5, DueTime: noon, Attempt: 2, LastError: "line one\nline \x1b[31mtwo",
		Payload:  &v1.Payload{Data: &v1.Payload_Text{Text: "hi"}},
		Attempts: []*v1.Attempt{{Number: 1, Outcome: v1.AttemptOutcome_ATTEMPT_OUTCOME_FAILED, WorkerId: "w-1", Error: "no"}}}
}

func (s *fakeServer) CreateJob(_ context.Context, r *v1.CreateJobRequest) (*v1.CreateJobResponse, error) {
	return &v1.CreateJobResponse{Job: fakeJob("job_1"), Existing: r.GetRequestId() == "again"}, nil
}

func (s *fakeServer) GetJob(_ context.Context, r *v1.GetJobRequest) (*v1.GetJobResponse, error) {
	return &v1.GetJobResponse{Job: fakeJob(r.GetJobId())}, nil
}

func (s *fakeServer) CancelJob(_ context.Context, r *v1.CancelJobRequest) (*v1.CancelJobResponse, error) {
	return &v1.CancelJobResponse{Job: fakeJob(r.GetJobId())}, nil
}

// ListJobs has 2,500 jobs.
func (s *fakeServer) ListJobs(_ context.Context, r *v1.ListJobsRequest) (*v1.ListJobsResponse, error) {
	const all = 2500
	start := len(r.GetPageToken())
	answer := new(v1.ListJobsResponse)
	for i := start; i < min(all, start+int(r.GetPageSize())); i++ {
		answer.Jobs = append(answer.Jobs, &v1.Job{JobId: "job_x", State: v1.JobState_JOB_STATE_READY})
	}
	if end := start + len(answer.GetJobs()); end < all {
		answer.NextPageToken = strings.Repeat("x", end)
	}
	return answer, nil
}

func fakeQueue(name string) *v1.Queue {
	attempts := int32(5)
	return &v1.Queue{Queue: name, History: v1.HistoryMode_HISTORY_MODE_FULL, RetentionDays: 7, Etag: "e-1",
		RetryPolicy: &v1.RetryPolicy{MaxAttempts: &attempts, InitialBackoff: durationpb.New(10e9), MaxBackoff: durationpb.New(3600e9)}}
}

func (s *fakeServer) CreateQueue(_ context.Context, r *v1.CreateQueueRequest) (*v1.CreateQueueResponse, error) {
	return &v1.CreateQueueResponse{Queue: fakeQueue(r.GetQueue().GetQueue())}, nil
}

func (s *fakeServer) GetQueue(_ context.Context, r *v1.GetQueueRequest) (*v1.GetQueueResponse, error) {
	return &v1.GetQueueResponse{Queue: fakeQueue(r.GetQueue())}, nil
}

func (s *fakeServer) ListQueues(context.Context, *v1.ListQueuesRequest) (*v1.ListQueuesResponse, error) {
	return &v1.ListQueuesResponse{Queues: []*v1.Queue{fakeQueue("mail")}}, nil
}

func (s *fakeServer) UpdateQueue(_ context.Context, r *v1.UpdateQueueRequest) (*v1.UpdateQueueResponse, error) {
	return &v1.UpdateQueueResponse{Queue: fakeQueue(r.GetQueue().GetQueue())}, nil
}

func (s *fakeServer) DeleteQueue(context.Context, *v1.DeleteQueueRequest) (*v1.DeleteQueueResponse, error) {
	return &v1.DeleteQueueResponse{}, nil
}

func (s *fakeServer) PauseQueue(_ context.Context, r *v1.PauseQueueRequest) (*v1.PauseQueueResponse, error) {
	return &v1.PauseQueueResponse{Queue: fakeQueue(r.GetQueue())}, nil
}

func (s *fakeServer) ResumeQueue(_ context.Context, r *v1.ResumeQueueRequest) (*v1.ResumeQueueResponse, error) {
	return &v1.ResumeQueueResponse{Queue: fakeQueue(r.GetQueue())}, nil
}

func (s *fakeServer) GetQueueStats(context.Context, *v1.GetQueueStatsRequest) (*v1.GetQueueStatsResponse, error) {
	return &v1.GetQueueStatsResponse{Pending: 3, Ready: 100_000, Truncated: true}, nil
}

func fakeSchedule(name string) *v1.Schedule {
	attempts := int32(3)
	return &v1.Schedule{Schedule: name, Etag: "e-7", Spec: &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: "0 9 * * *"}, TimeZone: "Europe/Berlin"},
		Job: &v1.JobSpec{Queue: "mail", JobType: "report", RetryPolicy: &v1.RetryPolicy{MaxAttempts: &attempts, Delays: []*durationpb.Duration{durationpb.New(1e9)}}}}
}

func (s *fakeServer) CreateSchedule(_ context.Context, r *v1.CreateScheduleRequest) (*v1.CreateScheduleResponse, error) {
	return &v1.CreateScheduleResponse{Schedule: fakeSchedule(r.GetSchedule().GetSchedule())}, nil
}

func (s *fakeServer) GetSchedule(_ context.Context, r *v1.GetScheduleRequest) (*v1.GetScheduleResponse, error) {
	return &v1.GetScheduleResponse{Schedule: fakeSchedule(r.GetSchedule())}, nil
}

func (s *fakeServer) ListSchedules(context.Context, *v1.ListSchedulesRequest) (*v1.ListSchedulesResponse, error) {
	return &v1.ListSchedulesResponse{Schedules: []*v1.Schedule{fakeSchedule("daily")}}, nil
}

// ListOccurrences has one skip and one that was caught up.
func (s *fakeServer) ListOccurrences(context.Context, *v1.ListOccurrencesRequest) (*v1.ListOccurrencesResponse, error) {
	return &v1.ListOccurrencesResponse{Occurrences: []*v1.Occurrence{
		{NominalTime: noon, Outcome: v1.OccurrenceOutcome_OCCURRENCE_OUTCOME_CAUGHT_UP, EffectiveTime: noon, JobId: "job_1",
			Lateness: durationpb.New(3 * time.Minute), Revision: 2},
		{NominalTime: noon, Outcome: v1.OccurrenceOutcome_OCCURRENCE_OUTCOME_SKIPPED, Reason: "MISSED", Revision: 2},
	}}, nil
}

func (s *fakeServer) RunSchedule(context.Context, *v1.RunScheduleRequest) (*v1.RunScheduleResponse, error) {
	return &v1.RunScheduleResponse{JobId: "job_2", State: v1.JobState_JOB_STATE_BLOCKED}, nil
}

func (s *fakeServer) BackfillSchedule(context.Context, *v1.BackfillScheduleRequest) (*v1.BackfillScheduleResponse, error) {
	return &v1.BackfillScheduleResponse{Jobs: 3, FirstTime: noon, LastTime: noon, LastDueTime: noon}, nil
}

// GetForecast has a full minute and a nearly empty one, and more of all tenants.
func (s *fakeServer) GetForecast(_ context.Context, r *v1.GetForecastRequest) (*v1.GetForecastResponse, error) {
	return &v1.GetForecastResponse{Complete: r.GetTenantId() != "-", Minutes: []*v1.ForecastMinute{
		{Time: noon, ScheduledJobs: 70_000, WaitingJobs: 30_000}, {Time: timestamppb.New(noon.AsTime().Add(time.Minute)), WaitingJobs: 1},
	}}, nil
}

func (s *fakeServer) UpdateSchedule(_ context.Context, r *v1.UpdateScheduleRequest) (*v1.UpdateScheduleResponse, error) {
	return &v1.UpdateScheduleResponse{Schedule: r.GetSchedule()}, nil
}

func (s *fakeServer) DeleteSchedule(context.Context, *v1.DeleteScheduleRequest) (*v1.DeleteScheduleResponse, error) {
	return &v1.DeleteScheduleResponse{}, nil
}

func (s *fakeServer) PauseSchedule(_ context.Context, r *v1.PauseScheduleRequest) (*v1.PauseScheduleResponse, error) {
	return &v1.PauseScheduleResponse{Schedule: fakeSchedule(r.GetSchedule())}, nil
}

func (s *fakeServer) ResumeSchedule(_ context.Context, r *v1.ResumeScheduleRequest) (*v1.ResumeScheduleResponse, error) {
	return &v1.ResumeScheduleResponse{Schedule: fakeSchedule(r.GetSchedule())}, nil
}

func (s *fakeServer) CreateTenant(_ context.Context, r *v1.CreateTenantRequest) (*v1.CreateTenantResponse, error) {
	return &v1.CreateTenantResponse{Tenant: r.GetTenant()}, nil
}

func (s *fakeServer) GetTenant(_ context.Context, r *v1.GetTenantRequest) (*v1.GetTenantResponse, error) {
	return &v1.GetTenantResponse{Tenant: &v1.Tenant{TenantId: r.GetTenantId()}}, nil
}

func (s *fakeServer) ListTenants(context.Context, *v1.ListTenantsRequest) (*v1.ListTenantsResponse, error) {
	return &v1.ListTenantsResponse{Tenants: []*v1.Tenant{{TenantId: "acme"}}}, nil
}

func (s *fakeServer) CreateApiKey(_ context.Context, r *v1.CreateApiKeyRequest) (*v1.CreateApiKeyResponse, error) {
	return &v1.CreateApiKeyResponse{ApiKey: &v1.ApiKey{TenantId: r.GetTenantId(), KeyId: "key_1", Scopes: r.GetScopes()}, Secret: "bfy_secret"}, nil
}

func (s *fakeServer) ListApiKeys(context.Context, *v1.ListApiKeysRequest) (*v1.ListApiKeysResponse, error) {
	return &v1.ListApiKeysResponse{ApiKeys: []*v1.ApiKey{{KeyId: "key_1"}}}, nil
}

func (s *fakeServer) RevokeApiKey(_ context.Context, r *v1.RevokeApiKeyRequest) (*v1.RevokeApiKeyResponse, error) {
	return &v1.RevokeApiKeyResponse{ApiKey: &v1.ApiKey{KeyId: r.GetKeyId(), RevokeTime: noon}}, nil
}

func (s *fakeServer) ListWorkers(context.Context, *v1.ListWorkersRequest) (*v1.ListWorkersResponse, error) {
	return &v1.ListWorkersResponse{Workers: []*v1.Worker{{WorkerId: "w-1", Leases: 2}}}, nil
}
