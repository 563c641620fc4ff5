package belfry_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

func TestNewClient_RefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "ftp://host", "http://", "http://user:pw@host", "https://host/?a=b", "://"} {
		if _, err := belfry.NewClient(address, apiKey); err == nil {
			t.Errorf("NewClient(%q) = nil error", address)
		}
	}
	for _, key := range []string{"", "two words", "line\n"} {
		if _, err := belfry.NewClient("127.0.0.1:7070", key); err == nil {
			t.Errorf("NewClient with key %q = nil error", key)
		}
	}
}

func TestCreate_SendsEveryField(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]belfry.Option{"http/1.1": nil, "h2c": {belfry.WithHTTP2()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newFakeServer(t)
			job, err := server.client(t, opts...).ForTenant("acme").Create(t.Context(), belfry.NewJob{
				Queue: "mail", Type: "send", Payload: "hello", DueTime: epoch, StartWithin: time.Hour,
				Priority: new(0), Headers: map[string]string{"a": "b"},
				Retry: &belfry.RetryPolicy{MaxAttempts: 3, InitialBackoff: time.Second, MaxBackoff: time.Minute,
					Multiplier: 3, Jitter: new(0.0), Delays: []time.Duration{time.Second}},
				AttemptTimeout: time.Minute, MaxReleases: 9, MaxAge: time.Hour, RequestID: "mine",
			})
			if err != nil {
				t.Fatal(err)
			}
			if job.ID != "job_0" || job.Queue != "mail" || job.State != belfry.StatePending || job.Existing {
				t.Errorf("Create() = %+v", job)
			}
			want := &v1.CreateJobRequest{TenantId: "acme", RequestId: "mine", Job: &v1.JobSpec{
				Queue: "mail", JobType: "send", Payload: &v1.Payload{Data: &v1.Payload_Text{Text: "hello"}},
				When:     &v1.JobSpec_DueTime{DueTime: timestamp(epoch)},
				StartBy:  &v1.JobSpec_StartWithin{StartWithin: durationpb.New(time.Hour)},
				Priority: new(int32(0)), Headers: map[string]string{"a": "b"},
				RetryPolicy: &v1.RetryPolicy{MaxAttempts: new(int32(3)), InitialBackoff: durationpb.New(time.Second),
					MaxBackoff: durationpb.New(time.Minute), Multiplier: new(3.0), Jitter: new(0.0),
					Delays: []*durationpb.Duration{durationpb.New(time.Second)}},
				AttemptTimeout: durationpb.New(time.Minute), MaxReleases: new(int32(9)), MaxAge: durationpb.New(time.Hour),
			}}
			if got := server.requests[0]; !proto.Equal(got, want) {
				t.Errorf("request = %v, want %v", got, want)
			}
		})
	}
}

func TestCreate_RefusesContradictionsWithoutACall(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client := server.client(t)
	for _, job := range []belfry.NewJob{
		{Queue: "mail", DueTime: epoch, Delay: time.Second},
		{Queue: "mail", StartBy: epoch, StartWithin: time.Second},
		{Queue: "mail", Payload: map[string]int64{"id": 1<<53 + 1}},
	} {
		if _, err := client.Create(t.Context(), job); err == nil {
			t.Errorf("Create(%+v) = nil error", job)
		}
	}
	if n := server.count("JobService/CreateJob"); n != 0 {
		t.Errorf("%d calls were made", n)
	}
}

// P-RET-06: the configured schedule is used, with one request id on all
// attempts.
func TestCreate_AfterHTTP500_RetriesByTheConfiguredSchedule(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	var calls atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) <= 2 {
			http.Error(w, "oops", http.StatusInternalServerError)
			return
		}
		server.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	eager := newEagerClock()
	client, err := belfry.NewClient(proxy.URL, apiKey, belfry.WithClock(eager), belfry.WithRetries(belfry.Retries{
		Delays: []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond},
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
		t.Fatal(err)
	}
	waits := eager.waited()
	if calls.Load() != 3 || len(waits) != 2 {
		t.Fatalf("%d requests with waits %v, want 3 with 2", calls.Load(), waits)
	}
	for i, want := range []time.Duration{50 * time.Millisecond, 100 * time.Millisecond} {
		if d := (waits[i] - want).Abs(); d > want/10 {
			t.Errorf("wait %d = %v, want %v ±10%%", i, waits[i], want)
		}
	}
}

func TestCreate_LostAnswer_MakesOneJob(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	server.dropFirst("JobService/CreateJob")
	client := server.client(t, belfry.WithClock(newEagerClock()))
	job, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"})
	if err != nil {
		t.Fatal(err)
	}
	if !job.Existing || len(server.jobs) != 1 || len(server.requests) < 2 {
		t.Errorf("existing = %v with %d jobs after %d calls, want one job after two", job.Existing, len(server.jobs), len(server.requests))
	}
	if a, b := server.requests[0].GetRequestId(), server.requests[1].GetRequestId(); a != b || a == "" {
		t.Errorf("request ids %q and %q, want the same", a, b)
	}
	next, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"})
	if err != nil || next.Existing {
		t.Errorf("next Create() = %+v, %v; want another job", next, err)
	}
}

func TestCreate_HungServer_IsAskedAgain(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	var calls atomic.Int32
	server.fault(func(ctx context.Context, _ string, _ any) error {
		if calls.Add(1) == 1 {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	client := server.client(t, belfry.WithClock(newEagerClock()), belfry.WithCallTimeout(100*time.Millisecond))
	if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
		t.Fatal(err)
	}
}

func TestCalls_RetryOnlyWhatMayHelp(t *testing.T) {
	t.Parallel()
	limit := connect.NewError(connect.CodeResourceExhausted, errors.New("5 of 5 jobs"))
	limitWithTime := connect.NewError(connect.CodeResourceExhausted, errors.New("5 of 5 jobs"))
	detail(t, limitWithTime, &errdetails.RetryInfo{RetryDelay: durationpb.New(7 * time.Second)})
	ours := connect.NewError(connect.CodeInternal, errors.New("report id 17"))
	detail(t, ours, &errdetails.ErrorInfo{Domain: "belfry", Reason: "INTERNAL"})
	for name, test := range map[string]struct {
		err   error
		waits int
		least time.Duration
	}{
		"unavailable":             {unavailable(), 2, 0},
		"limit with a time":       {limitWithTime, 2, 7 * time.Second},
		"limit without a time":    {limit, 0, 0},
		"invalid argument":        {connect.NewError(connect.CodeInvalidArgument, errors.New("bad")), 0, 0},
		"not found":               {connect.NewError(connect.CodeNotFound, errors.New("no")), 0, 0},
		"a fault of the server":   {ours, 0, 0},
		"internal without reason": {connect.NewError(connect.CodeInternal, errors.New("proxy")), 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newFakeServer(t)
			server.fault(func(context.Context, string, any) error { return test.err })
			eager := newEagerClock()
			client := server.client(t, belfry.WithClock(eager), belfry.WithRetries(belfry.Retries{MaxAttempts: 3}))
			_, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"})
			if belfry.CodeOf(err) != belfry.Code(connect.CodeOf(test.err).String()) {
				t.Errorf("Create() = %v, want code of %v", err, test.err)
			}
			waits := eager.waited()
			if len(waits) != test.waits {
				t.Fatalf("waits = %v, want %d", waits, test.waits)
			}
			for _, wait := range waits {
				if wait < test.least {
					t.Errorf("wait = %v, want at least %v", wait, test.least)
				}
			}
		})
	}
}

func TestCreateApiKey_IsNotRepeated(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	server.fault(func(context.Context, string, any) error { return unavailable() })
	eager := newEagerClock()
	_, err := server.client(t, belfry.WithClock(eager)).Tenants().CreateApiKey(t.Context(), &v1.CreateApiKeyRequest{})
	if !belfry.IsUnavailable(err) || len(eager.waited()) != 0 {
		t.Errorf("CreateApiKey() = %v after waits %v, want one attempt", err, eager.waited())
	}
}

func TestCreates_OfSubClients_CarryARequestIDAndLeaveTheRequestAlone(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	var sent []string
	server.fault(func(_ context.Context, _ string, request any) error {
		switch request := request.(type) {
		case interface{ GetRequestId() string }:
			sent = append(sent, request.GetRequestId())
		case *v1.BatchCreateJobsRequest:
			for _, job := range request.GetJobs() {
				sent = append(sent, job.GetRequestId())
			}
		}
		return connect.NewError(connect.CodeNotFound, errors.New("enough"))
	})
	client := server.client(t)
	queue := &v1.CreateQueueRequest{Queue: &v1.Queue{Queue: "mail"}}
	batch := &v1.BatchCreateJobsRequest{Jobs: []*v1.NewJob{{}, {RequestId: "mine"}}}
	for range 2 {
		_, _ = client.Queues().CreateQueue(t.Context(), queue)
		_, _ = client.Jobs().BatchCreateJobs(t.Context(), batch)
		_, _ = client.Jobs().CreateJob(t.Context(), &v1.CreateJobRequest{})
		_, _ = client.Schedules().CreateSchedule(t.Context(), &v1.CreateScheduleRequest{})
		_, _ = client.Tenants().CreateTenant(t.Context(), &v1.CreateTenantRequest{})
	}
	seen := map[string]int{}
	for _, id := range sent {
		seen[id]++
	}
	// Schedules are not served by the fake, so four calls with five ids arrive.
	if len(sent) != 10 || seen["mine"] != 2 || seen[""] != 0 || len(seen) != 9 {
		t.Errorf("request ids = %q, want a new one each time and the given one kept", sent)
	}
	if queue.GetRequestId() != "" || batch.GetJobs()[0].GetRequestId() != "" {
		t.Error("the caller's request was changed")
	}
}

func TestErrors_CarryReasonViolationsAndRetryTime(t *testing.T) {
	t.Parallel()
	wire := connect.NewError(connect.CodeInvalidArgument, errors.New("two fields are wrong"))
	detail(t, wire, &errdetails.ErrorInfo{Domain: "belfry", Reason: "INVALID_FIELD", Metadata: map[string]string{"k": "v"}})
	detail(t, wire, &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
		{Field: "job.queue", Description: "give a name"}, {Field: "job.payload", Description: "too large"},
	}})
	detail(t, wire, &errdetails.RetryInfo{RetryDelay: durationpb.New(1500 * time.Millisecond)})
	detail(t, wire, &errdetails.ErrorInfo{Domain: "elsewhere", Reason: "OTHER"})
	server := newFakeServer(t)
	server.fault(func(context.Context, string, any) error { return wire })
	_, err := server.client(t).Get(t.Context(), "job_1")
	var e *belfry.Error
	if !errors.As(err, &e) {
		t.Fatalf("Get() = %T %v, want *belfry.Error", err, err)
	}
	if e.Code != belfry.CodeInvalidArgument || e.Reason != belfry.ReasonInvalidField || e.RetryAfter != 1500*time.Millisecond {
		t.Errorf("error = %+v", e)
	}
	want := []belfry.FieldViolation{{"job.queue", "give a name"}, {"job.payload", "too large"}}
	if len(e.FieldViolations) != 2 || e.FieldViolations[0] != want[0] || e.FieldViolations[1] != want[1] {
		t.Errorf("violations = %v, want %v", e.FieldViolations, want)
	}
	const text = "invalid_argument (INVALID_FIELD): two fields are wrong; job.queue: give a name; job.payload: too large"
	if e.Error() != text {
		t.Errorf("Error() = %q, want %q", e.Error(), text)
	}
}

func TestCalls_OfCancelledCaller_EndAtOnce(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	server.fault(func(context.Context, string, any) error { cancel(); return unavailable() })
	_, err := server.client(t).Get(ctx, "job_1")
	if n := server.count("JobService/GetJob failed"); err == nil || n > 1 {
		t.Errorf("Get() = %v after %d calls", err, n)
	}
	if _, err := server.client(t).Get(ctx, "job_1"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get() with an ended context = %v, want context.Canceled", err)
	}
}

func TestCalls_WithADeadline_DoNotWaitBeyondIt(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	server.fault(func(context.Context, string, any) error { return unavailable() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	client := server.client(t, belfry.WithRetries(belfry.Retries{Delays: []time.Duration{2 * time.Hour}, MaxElapsed: 10 * time.Hour}))
	if _, err := client.Get(ctx, "job_1"); !belfry.IsUnavailable(err) {
		t.Errorf("Get() = %v, want UNAVAILABLE at once", err)
	}
}

func TestCalls_WithoutServer_AreUnavailableAfterAllRetries(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	eager := newEagerClock()
	client, err := belfry.NewClient(address, apiKey, belfry.WithClock(eager))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Get(t.Context(), "job_1"); !belfry.IsUnavailable(err) || len(eager.waited()) != 7 {
		t.Errorf("Get() = %v after %d waits, want UNAVAILABLE after 7", err, len(eager.waited()))
	}
}

func detail(t *testing.T, err *connect.Error, message proto.Message) {
	t.Helper()
	detail, detailErr := connect.NewErrorDetail(message)
	if detailErr != nil {
		t.Fatal(detailErr)
	}
	err.AddDetail(detail)
}
