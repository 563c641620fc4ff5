package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// A whole life by JSON over HTTP/1.1, as curl sends it.
func TestJSON_TakesAJobThroughItsLife(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := x.Post("JobService/CreateJob", `{"job": {"queue": "q", "delay": "0.02s", "payload": {"json": {"to": "ada"}}}, "requestId": "r1"}`).OK(t)
	id := jobID(made)
	if !strings.HasPrefix(id, "job_") || len(id) != 30 {
		t.Fatalf("job id %q", id)
	}
	leased := x.Post("WorkerService/LeaseJobs", `{"queues": ["q"], "wait": "5s", "workerId": "curl"}`).OK(t)
	jobs, _ := leased["jobs"].([]any)
	if len(jobs) != 1 {
		t.Fatalf("leased %v", leased)
	}
	lease, _ := jobs[0].(map[string]any)
	job, _ := lease["job"].(map[string]any)
	payload, _ := job["payload"].(map[string]any)
	if fmt.Sprint(payload["json"]) != "map[to:ada]" || payload["contentType"] != "application/json" {
		t.Errorf("payload %v", payload)
	}
	if _, text := lease["fencingToken"].(string); !text {
		t.Errorf("fencingToken %T: 64-bit numbers are strings in JSON", lease["fencingToken"])
	}
	token := lease["leaseToken"]
	x.Post("WorkerService/Heartbeat", map[string]any{"workerId": "curl", "items": []any{map[string]any{"leaseToken": token}}}).OK(t)
	x.Post("WorkerService/CompleteJobs", map[string]any{"items": []any{map[string]any{"leaseToken": token, "result": map[string]any{"text": "ok"}}}}).OK(t)
	full := x.Post("JobService/GetJob", map[string]any{"jobId": id, "view": "JOB_VIEW_FULL"}).OK(t)
	if job, _ := full["job"].(map[string]any); job["state"] != "JOB_STATE_SUCCEEDED" || fmt.Sprint(job["result"]) == "<nil>" {
		t.Errorf("job %v", job)
	}
}

func TestJSON_TakesSnakeCaseToo(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	x.Post("JobService/CreateJob", `{"job": {"queue": "q", "job_type": "a"}, "request_id": "r"}`).OK(t)
}

// dial returns a gRPC connection and a context with the tenant's key.
func dial(t *testing.T, addr, key string) (*grpc.ClientConn, context.Context) {
	t.Helper()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+key)
}

func TestGRPC_TakesAJobThroughItsLife(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	conn, ctx := dial(t, world.Node.Addr, x.Key)
	var made v1.CreateJobResponse
	if err := conn.Invoke(ctx, "/belfry.v1.JobService/CreateJob", &v1.CreateJobRequest{Job: &v1.JobSpec{Queue: "q"}}, &made); err != nil {
		t.Fatal(err)
	}
	var leased v1.LeaseJobsResponse
	if err := conn.Invoke(ctx, "/belfry.v1.WorkerService/LeaseJobs", pull{}.request(), &leased); err != nil || len(leased.GetJobs()) != 1 {
		t.Fatalf("leased %v, %v", &leased, err)
	}
	var ended v1.CompleteJobsResponse
	items := []*v1.CompleteItem{{LeaseToken: leased.GetJobs()[0].GetLeaseToken()}}
	if err := conn.Invoke(ctx, "/belfry.v1.WorkerService/CompleteJobs", &v1.CompleteJobsRequest{Items: items}, &ended); err != nil {
		t.Fatal(err)
	}
	wantState(t, ended.GetResults()[0], v1.JobState_JOB_STATE_SUCCEEDED)
}

func TestGRPC_ErrorsCarryDetails(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	conn, ctx := dial(t, world.Node.Addr, x.Key)
	err := conn.Invoke(ctx, "/belfry.v1.JobService/CreateJob", &v1.CreateJobRequest{Job: &v1.JobSpec{Queue: "Q!"}}, &v1.CreateJobResponse{})
	got := status.Convert(err)
	if got.Code() != codes.InvalidArgument || got.Message() == "" {
		t.Fatalf("error %v", err)
	}
	var reason, field string
	for _, detail := range got.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			reason = detail.GetDomain() + "/" + detail.GetReason()
		case *errdetails.BadRequest:
			field = detail.GetFieldViolations()[0].GetField()
		}
	}
	if reason != "belfry/INVALID_FIELD" || field != "job.queue" {
		t.Errorf("reason %q, field %q", reason, field)
	}
	// Case P-API-03, as gRPC tells it.
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	err = conn.Invoke(short, "/belfry.v1.WorkerService/LeaseJobs", pull{wait: 20 * time.Second}.request(), &v1.LeaseJobsResponse{})
	if status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("a deadline that passes: %v", err)
	}
}

// Case P-API-03: 408 would make proxies send the call again.
func TestConnect_DeadlineThatPasses_Is504(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	call := x.Post("WorkerService/LeaseJobs", `{"wait": "20s", "workerId": "curl"}`)
	call.Header = http.Header{"Connect-Timeout-Ms": {"300"}, "Connect-Protocol-Version": {"1"}}
	refused := call.Refused(t)
	if refused.Status != http.StatusGatewayTimeout || refused.Code != "deadline_exceeded" {
		t.Errorf("status %d, code %s", refused.Status, refused.Code)
	}
}

func TestGRPCWeb_IsServed(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	client := belfryv1connect.NewJobServiceClient(http.DefaultClient, "http://"+world.Node.Addr, connect.WithGRPCWeb())
	ctx, info := connect.NewClientContext(t.Context())
	info.RequestHeader().Set("Authorization", "Bearer "+x.Key)
	if _, err := client.CreateJob(ctx, &v1.CreateJobRequest{Job: &v1.JobSpec{Queue: "q"}}); err != nil {
		t.Error(err)
	}
}

// services are all that the API has.
var services = []string{"JobService", "QueueService", "ScheduleService", "CalendarService", "TenantService", "WorkerService"}

func TestReflection_ListsEveryService(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	conn, ctx := dial(t, world.Node.Addr, world.AdminKey)
	stream, err := reflectionv1.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(request *reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
		if err := stream.Send(request); err != nil {
			t.Fatal(err)
		}
		response, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	list := ask(&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}})
	var names []string
	for _, service := range list.GetListServicesResponse().GetService() {
		names = append(names, service.GetName())
	}
	for _, service := range services {
		if !slices.Contains(names, "belfry.v1."+service) {
			t.Errorf("%s is not listed in %v", service, names)
		}
		file := ask(&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_FileContainingSymbol{
			FileContainingSymbol: "belfry.v1." + service}})
		if len(file.GetFileDescriptorResponse().GetFileDescriptorProto()) == 0 {
			t.Errorf("no description of %s: %v", service, file)
		}
	}
}

func TestGRPCHealth_SaysServing(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	conn, _ := dial(t, world.Node.Addr, "")
	for _, service := range append([]string{""}, services...) {
		if service != "" {
			service = "belfry.v1." + service
		}
		answer, err := healthv1.NewHealthClient(conn).Check(t.Context(), &healthv1.HealthCheckRequest{Service: service})
		if err != nil || answer.GetStatus() != healthv1.HealthCheckResponse_SERVING {
			t.Errorf("%q: %v, %v", service, answer, err)
		}
	}
}

func TestHealthPages_AnswerOnBothPorts_AndMetricsOnOne(t *testing.T) {
	t.Parallel()
	node := harness.Shared(t).Node
	for _, addr := range []string{node.Addr, node.OpsAddr} {
		for _, path := range []string{"/healthz", "/readyz"} {
			if status, body := harness.Get(t, addr, path); status != http.StatusOK {
				t.Errorf("%s of %s: %d %s", path, addr, status, body)
			}
		}
	}
	if status, _ := harness.Get(t, node.Addr, "/metrics"); status != http.StatusNotFound {
		t.Errorf("/metrics on the API's port: %d, want 404: tenants must not read it", status)
	}
	if status, _ := harness.Get(t, node.Addr, "/debug/pprof/"); status != http.StatusNotFound {
		t.Errorf("/debug/pprof/ on the API's port: %d, want 404", status)
	}
}

// The engine's counters, and case P-OBS-01: no series per tenant, job or path.
func TestMetrics_CountWork_WithoutASeriesPerTenant(t *testing.T) {
	t.Parallel()
	// A server of its own: others would call methods for the first time meanwhile.
	world := harness.NewWorld(t, harness.WorldOptions{})
	x := world.NewTenant(t)
	var before string
	for i := range 50 {
		if i == 1 {
			_, before = harness.Get(t, world.Node.OpsAddr, "/metrics")
		}
		kind := fmt.Sprintf("type-%d-%s", i, harness.Random())
		create(t, x.Client, belfry.NewJob{Queue: fmt.Sprintf("queue-%d", i), Type: kind})
		complete(t, x.Client, pull{types: []string{kind}}.one(t, x.Client).GetLeaseToken())
		_, _ = x.Post("JobService/"+kind, nil).Do(t.Context())
		_, _ = x.Post("JobService/GetJob", map[string]string{"jobId": "job_" + kind}).Do(t.Context())
	}
	_, after := harness.Get(t, world.Node.OpsAddr, "/metrics")
	for _, name := range []string{"belfry_claims_total", "belfry_lateness_seconds_bucket", "belfry_attempts_total", "belfry_rescues_total",
		"belfry_calls_total", "belfry_leases", "belfry_partitions_owned"} {
		if !strings.Contains(after, "\n"+name) {
			t.Errorf("no metric %s", name)
		}
	}
	if grown := series(after) - series(before); grown >= 20 {
		t.Errorf("%d new series", grown)
	}
	if strings.Contains(after, x.ID) || strings.Contains(after, "type-") {
		t.Error("a tenant or a job type is a label")
	}
}

// series counts the samples of a page of metrics.
func series(page string) int {
	n := 0
	for line := range strings.Lines(page) {
		if line != "" && !strings.HasPrefix(line, "#") {
			n++
		}
	}
	return n
}

func TestUnknownMethods_AreUnimplemented(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	for _, method := range []string{"JobService/Nonsense", "NoService/GetJob"} {
		reply, err := x.Post(method, nil).Do(t.Context())
		if err != nil || reply.Status == http.StatusOK || reply.Status >= 500 && reply.Status != http.StatusNotImplemented {
			t.Errorf("%s: %d %s, %v", method, reply.Status, reply.Raw, err)
		}
	}
}
