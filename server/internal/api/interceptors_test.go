package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/tenancy"
)

func TestGate_TellsHowToAuthenticate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ header, says string }{
		{"", "Authorization: Bearer"},
		{"Basic YTpi", "not of scheme Bearer"},
		{"admin", "not of scheme Bearer"},
		{"Bearer", "API key refused"},
		{"Bearer wrong", "API key refused"},
	} {
		got, _ := w.curl(t, "JobService/GetJob", `{`, "Authorization", c.header)
		if got.Status != http.StatusUnauthorized || !strings.Contains(got.Message, c.says) ||
			got.Header.Get("WWW-Authenticate") == "" || !strings.Contains(mustJSON(got.Details), "KEY_INVALID") {
			t.Errorf("%q: %d %s", c.header, got.Status, got.Message)
		}
	}
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		return &belfryv1.GetJobResponse{}, nil
	}
	if got, _ := w.curl(t, "JobService/GetJob", `{"jobId":"x"}`, "Authorization", "bearer  admin "); got.Status != http.StatusOK {
		t.Errorf("the scheme is compared without case (RFC 9110 section 11.1): %d %s", got.Status, got.Message)
	}
}

func TestGate_RefusesWithoutReadingTheBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// Not JSON, and far over every limit: neither may matter.
	got, _ := w.curl(t, "JobService/CreateJob", strings.Repeat("x", maxReadBytes+1), "Authorization", "Bearer wrong")
	if got.Code != "unauthenticated" {
		t.Errorf("got %s", got.Code)
	}
}

func TestGate_RefusesByScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got, _ := w.curl(t, "JobService/CreateJob", `{`, "Authorization", "Bearer reader")
	if got.Status != http.StatusForbidden || !strings.Contains(got.Message, "needs scope ADMIN or PRODUCER, and key_r has READER") {
		t.Errorf("%d %s", got.Status, got.Message)
	}
	got, _ = w.curl(t, "TenantService/ListTenants", `{}`)
	if got.Status != http.StatusForbidden || !strings.Contains(got.Message, "needs a platform key") {
		t.Errorf("%d %s", got.Status, got.Message)
	}
}

func TestEdge_SettlesTheTenant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.get = func(ctx context.Context, req *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		p, ok := tenancy.FromContext(ctx)
		if !ok {
			return nil, errors.New("no principal")
		}
		return &belfryv1.GetJobResponse{Job: &belfryv1.Job{TenantId: req.GetTenantId(), WorkerId: p.KeyID}}, nil
	}
	for _, c := range []struct {
		credential, tenant, settled string
		code                        connect.Code
	}{
		{"admin", "", "acme", 0},
		{"admin", "acme", "acme", 0},
		{"admin", "globex", "", connect.CodeNotFound},
		{"admin", "-", "", connect.CodeInvalidArgument},
		{"operator", "globex", "globex", 0},
		{"operator", "", "", connect.CodeInvalidArgument},
		{"operator", "-", "", connect.CodeInvalidArgument},
	} {
		res, err := w.client(c.credential).GetJob(t.Context(), &belfryv1.GetJobRequest{TenantId: c.tenant, JobId: "job_x"})
		if c.code != 0 {
			if connect.CodeOf(err) != c.code {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || res.GetJob().GetTenantId() != c.settled || res.GetJob().GetWorkerId() == "" {
			t.Errorf("%+v: %v, %v", c, res, err)
		}
	}
	foreign, _ := w.curl(t, "JobService/GetJob", `{"tenantId":"globex","jobId":"x"}`)
	nowhere, _ := w.curl(t, "JobService/GetJob", `{"tenantId":"nowhere","jobId":"x"}`)
	if strings.ReplaceAll(foreign.Message, "globex", "nowhere") != nowhere.Message {
		t.Errorf("the answers differ: %q, %q", foreign.Message, nowhere.Message)
	}
}

func TestEdge_SettlesAllAndPlatformWhereAllowed(t *testing.T) {
	t.Parallel()
	operator := tenancy.Principal{Platform: true, Scopes: tenancy.Platform}
	acme := tenancy.Principal{Tenant: "acme", Scopes: tenancy.Admin}
	for _, c := range []struct {
		p       tenancy.Principal
		rule    tenancy.TenantRule
		ask     string
		settled string
		fails   bool
	}{
		{operator, tenancy.TenantOrAll, "-", "-", false},
		{acme, tenancy.TenantOrAll, "-", "", true},
		{operator, tenancy.TenantOrPlatform, "", "", false},
		{operator, tenancy.TenantOrPlatform, "globex", "globex", false},
		{acme, tenancy.TenantOrPlatform, "", "acme", false},
		{acme, tenancy.TenantOrPlatform, "globex", "", true},
	} {
		m := &belfryv1.ListApiKeysRequest{TenantId: c.ask}
		err := settleTenant(c.p, c.rule, m.ProtoReflect())
		if (err != nil) != c.fails || err == nil && m.GetTenantId() != c.settled {
			t.Errorf("%+v: %q, %v", c, m.GetTenantId(), err)
		}
	}
}

func TestEdge_TakesTheIdempotencyKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.create = func(_ context.Context, req *belfryv1.CreateJobRequest) (*belfryv1.CreateJobResponse, error) {
		return &belfryv1.CreateJobResponse{Job: &belfryv1.Job{JobId: "=" + req.GetRequestId()}}, nil
	}
	const plain, with = `{"job":{"queue":"mail"}}`, `{"job":{"queue":"mail"},"requestId":"r-1"}`
	for _, c := range []struct{ body, header, want string }{
		{plain, "r-1", "=r-1"}, {plain, `"r-1"`, "=r-1"}, {with, "r-1", "=r-1"}, {with, "", "=r-1"}, {plain, "", "="},
	} {
		if _, text := w.curl(t, "JobService/CreateJob", c.body, "Idempotency-Key", c.header); !strings.Contains(text, `"`+c.want+`"`) {
			t.Errorf("%+v: %s", c, text)
		}
	}
	got, _ := w.curl(t, "JobService/CreateJob", with, "Idempotency-Key", "r-2")
	wantInvalid(t, got, "request_id", "differs from the header Idempotency-Key")
	got, _ = w.curl(t, "JobService/CreateJob", plain, "Idempotency-Key", `""`)
	wantInvalid(t, got, "Idempotency-Key", "must be one header")
	got, _ = w.curl(t, "JobService/CreateJob", plain, "Idempotency-Key", strings.Repeat("r", 129))
	wantInvalid(t, got, "request_id", "at most 128 characters")
	got, _ = w.curl(t, "JobService/BatchCreateJobs", `{"jobs":[`+plain+`]}`, "Idempotency-Key", "r-1")
	wantInvalid(t, got, "Idempotency-Key", "set request_id of each item")
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		return &belfryv1.GetJobResponse{}, nil
	}
	if got, _ := w.curl(t, "JobService/GetJob", `{"jobId":"x"}`, "Idempotency-Key", "r-1"); got.Status != http.StatusOK {
		t.Errorf("a method without request_id: %d %s", got.Status, got.Message)
	}
}

func TestEdge_RecoversFromPanics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		panic("nil map in db.internal")
	}
	for _, protocol := range [][]connect.ClientOption{nil, {connect.WithGRPC()}} {
		_, err := w.client("admin", protocol...).GetJob(t.Context(), &belfryv1.GetJobRequest{JobId: "x"})
		if connect.CodeOf(err) != connect.CodeInternal || strings.Contains(err.Error(), "db.internal") {
			t.Errorf("got %v", err)
		}
	}
	if log := w.log.String(); strings.Count(log, "panic: nil map in db.internal") != 2 || !strings.Contains(log, "interceptors_test.go") {
		t.Errorf("the log has no stack: %s", log)
	}
	if got, _ := w.curl(t, "JobService/GetJob", `{}`, "Authorization", "Bearer panic"); got.Code != "internal" {
		t.Errorf("a panic in the gate: %+v", got)
	}
}

func TestEdge_ObservesEveryCallOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		return nil, job.LeaseLost()
	}
	w.service.create = func(context.Context, *belfryv1.CreateJobRequest) (*belfryv1.CreateJobResponse, error) {
		return &belfryv1.CreateJobResponse{}, nil
	}
	w.curl(t, "JobService/CreateJob", `{"job":{"queue":"mail"}}`)
	w.curl(t, "JobService/GetJob", `{"jobId":"x"}`)
	w.curl(t, "JobService/GetJob", `{"jobId":"x"}`, "Authorization", "")
	w.curl(t, "JobService/GetJob", `{`)
	w.curl(t, "JobService/ListJobs", `{}`)
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) { panic("x") }
	w.curl(t, "JobService/GetJob", `{"jobId":"x"}`)
	var got []string
	for _, c := range w.observed() {
		got = append(got, c.Method+" "+c.Code)
	}
	want := []string{"JobService/CreateJob ok", "JobService/GetJob failed_precondition", "JobService/GetJob unauthenticated",
		"JobService/GetJob invalid_argument", "JobService/ListJobs unimplemented", "JobService/GetJob internal"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v", got)
	}
	if strings.Contains(w.log.String(), "Bearer") {
		t.Error("a credential is logged")
	}
}

// Case P-API-03.
func TestEdge_DeadlineIsHTTP504(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.get = func(ctx context.Context, _ *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		<-ctx.Done()
		return nil, fmt.Errorf("read job: %w", ctx.Err())
	}
	got, _ := w.curl(t, "JobService/GetJob", `{"jobId":"x"}`, "Connect-Timeout-Ms", "20")
	if got.Status != http.StatusGatewayTimeout || got.Code != "deadline_exceeded" || !strings.Contains(mustJSON(got.Details), `"DEADLINE"`) {
		t.Errorf("%d %s %s", got.Status, got.Code, mustJSON(got.Details))
	}
}

func TestEdge_WithoutItsGateLetsNobodyIn(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	edge := NewEdge(EdgeConfig{Auth: fakeAuth{}, Validator: newTestValidator(t), Errors: NewTranslator(log),
		Clock: clock.NewManual(testTime), Log: log, Observe: func(Call) {}})
	unary := edge.WrapUnary(func(context.Context, connect.AnyRequest) (connect.AnyResponse, error) {
		t.Error("the handler was reached")
		return nil, errors.New("reached")
	})
	if _, err := unary(t.Context(), connect.NewRequest(&belfryv1.GetJobRequest{JobId: "x"})); connect.CodeOf(err) != connect.CodeUnauthenticated {
		t.Errorf("got %v", err)
	}
}

// The API has no streams yet; the edge must hold for the first one too.
func TestEdge_ChecksStreams(t *testing.T) {
	t.Parallel()
	observed := make(chan Call, 10)
	log := slog.New(slog.DiscardHandler)
	edge := NewEdge(EdgeConfig{Auth: fakeAuth{}, Validator: newTestValidator(t), Errors: NewTranslator(log),
		Clock: clock.NewManual(testTime), Log: log, Observe: func(c Call) { observed <- c }})
	const procedure = belfryv1connect.JobServiceListJobsProcedure
	mux := http.NewServeMux()
	mux.Handle(procedure, connect.NewServerStreamHandler(procedure,
		func(ctx context.Context, req *connect.Request[belfryv1.ListJobsRequest], out *connect.ServerStream[belfryv1.Job]) error {
			if req.Msg.GetQueue() == "panic" {
				panic("in a stream")
			}
			if err := out.Send(&belfryv1.Job{TenantId: req.Msg.GetTenantId()}); err != nil {
				return err
			}
			return job.NotReady("is draining")
		}, edge.HandlerOptions()...))
	server := newServer(t, mux)
	for _, c := range []struct {
		credential string
		req        *belfryv1.ListJobsRequest
		messages   int
		code       connect.Code
	}{
		{"admin", &belfryv1.ListJobsRequest{}, 1, connect.CodeUnavailable},
		{"wrong", &belfryv1.ListJobsRequest{}, 0, connect.CodeUnauthenticated},
		{"admin", &belfryv1.ListJobsRequest{PageSize: -1}, 0, connect.CodeInvalidArgument},
		{"admin", &belfryv1.ListJobsRequest{Queue: "panic"}, 0, connect.CodeInternal},
		{"admin", &belfryv1.ListJobsRequest{TenantId: "globex"}, 0, connect.CodeNotFound},
	} {
		client := connect.NewClient[belfryv1.ListJobsRequest, belfryv1.Job](server.Client(), server.URL+procedure)
		req := connect.NewRequest(c.req)
		req.Header().Set("Authorization", "Bearer "+c.credential)
		stream, err := client.CallServerStream(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for stream.Receive() {
			if n++; stream.Msg().GetTenantId() != "acme" {
				t.Errorf("tenant %q", stream.Msg().GetTenantId())
			}
		}
		var got *connect.Error
		if !errors.As(stream.Err(), &got) || got.Code() != c.code || n != c.messages || reasonOf(t, got) == "" {
			t.Errorf("%v: %d messages, %v", c.req, n, stream.Err())
		}
		_ = stream.Close()
		if seen := <-observed; seen.Code != c.code.String() {
			t.Errorf("observed %+v", seen)
		}
	}
}

func TestErrors_OverGRPCFitInTrailers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var fields []job.FieldViolation
	for i := range 1000 {
		fields = append(fields, job.FieldViolation{Field: fmt.Sprintf("jobs[%d].job.queue", i),
			Description: "is required and must be 1–63 characters of a-z 0-9 . _ -, the first a letter or digit"})
	}
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		return nil, job.InvalidFields(fields)
	}
	count := func(options ...connect.ClientOption) (*connect.Error, []*errdetails.BadRequest_FieldViolation) {
		_, err := w.client("admin", options...).GetJob(t.Context(), &belfryv1.GetJobRequest{JobId: "x"})
		var got *connect.Error
		if !errors.As(err, &got) {
			t.Fatal(err)
		}
		bad, ok := detail[*errdetails.BadRequest](got)
		if !ok {
			t.Fatal("no field violations")
		}
		return got, bad.GetFieldViolations()
	}
	if _, all := count(); len(all) != 1000 {
		t.Errorf("over Connect %d of 1000 violations arrive", len(all))
	}
	got, some := count(connect.WithGRPC())
	size := len(got.Message())
	for _, d := range got.Details() {
		size += len(d.Bytes())*4/3 + len(d.Type())
	}
	if size > 7500 || len(some) < 20 || reasonOf(t, got) != "INVALID_FIELD" {
		t.Errorf("over gRPC %d bytes with %d violations", size, len(some))
	}
	if last := some[len(some)-1]; !strings.Contains(last.GetDescription(), fmt.Sprintf("jobs[%d].job.queue", len(some))) {
		t.Errorf("the last one does not say what follows: %v", last)
	}
	short := &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "a", Description: "b"}}}
	before := proto.Clone(short)
	if cutViolations(short); !proto.Equal(short, before) {
		t.Errorf("what fits was changed: %v", short)
	}
}

func TestEdge_KeepsADefiniteAnswerAfterTheDeadline(t *testing.T) {
	t.Parallel()
	tr := NewTranslator(slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	if got := tr.Error(ctx, job.Unavailable(ctx.Err())); got.Code() != connect.CodeUnavailable {
		t.Errorf("got %v", got)
	}
}
