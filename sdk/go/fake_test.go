package belfry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

const apiKey = "bk_test_secret"

// patience bounds every wait of a test; it is reached only by failing ones.
const patience = 20 * time.Second

// fakeServer is a Belfry of one queue in memory, with faults on demand. It
// hands out jobs, keeps leases and accepts final calls like the real one, but
// knows no time: leases end only when a test says so.
type fakeServer struct {
	belfryv1connect.UnimplementedJobServiceHandler
	belfryv1connect.UnimplementedQueueServiceHandler
	belfryv1connect.UnimplementedTenantServiceHandler
	belfryv1connect.UnimplementedWorkerServiceHandler
	*httptest.Server

	mu sync.Mutex
	// changed is broadcast with every change of what follows.
	changed *sync.Cond
	ready   []*v1.LeasedJob
	leases  map[string]*fakeLease
	// calls counts served calls by method; requests holds the creates.
	calls    map[string]int
	requests []*v1.CreateJobRequest
	jobs     map[string]string // job id by request id
	polls    []*v1.LeaseJobsRequest
	// credit is what outstanding polls ask for, active the handlers that a test
	// says are running; overdrawn is set if a poll made them exceed the limit.
	credit, active, limit int
	overdrawn             bool

	// before, if set, may fail a call, or hold it up, before it is served; drop,
	// if it says so, cuts the connection after the call was served.
	before func(ctx context.Context, method string, request any) error
	drop   func(method string) bool
}

type fakeLease struct {
	job   *v1.LeasedJob
	beats int
	// ended is the final call that was accepted: complete, fail or release.
	ended           string
	lost            bool
	cancelRequested string
	complete        *v1.CompleteItem
	fail            *v1.FailItem
	release         *v1.ReleaseItem
}

func newFakeServer(t testing.TB) *fakeServer {
	t.Helper()
	s := &fakeServer{leases: map[string]*fakeLease{}, calls: map[string]int{}, jobs: map[string]string{}}
	s.changed = sync.NewCond(&s.mu)
	mux := http.NewServeMux()
	options := connect.WithInterceptors(connect.UnaryInterceptorFunc(s.intercept))
	mux.Handle(belfryv1connect.NewJobServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewQueueServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewTenantServiceHandler(s, options))
	mux.Handle(belfryv1connect.NewWorkerServiceHandler(s, options))
	s.Server = httptest.NewUnstartedServer(mux)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *fakeServer) client(t testing.TB, opts ...belfry.Option) *belfry.Client {
	t.Helper()
	client, err := belfry.NewClient(s.URL, apiKey, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func (s *fakeServer) intercept(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		method := request.Spec().Procedure[len("/belfry.v1."):]
		if got := request.Header().Get("Authorization"); got != "Bearer "+apiKey {
			return nil, connect.NewError(connect.CodeUnauthenticated, errors.New("key invalid"))
		}
		s.mu.Lock()
		before, drop := s.before, s.drop
		s.mu.Unlock()
		if before != nil {
			if err := before(ctx, method, request.Any()); err != nil {
				s.update(func() { s.calls[method+" failed"]++ })
				return nil, err
			}
		}
		response, err := next(ctx, request)
		s.update(func() { s.calls[method]++ })
		if err == nil && drop != nil && drop(method) {
			panic(http.ErrAbortHandler)
		}
		return response, err
	}
}

func (s *fakeServer) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.changed.Broadcast()
}

// await waits until condition, which is called with the lock held, is true.
func (s *fakeServer) await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() { s.update(func() { late = true }) })
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !condition() {
		if late {
			t.Fatalf("waited %v for: %s", patience, what)
		}
		s.changed.Wait()
	}
}

func (s *fakeServer) count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// fault sets or clears what fails calls.
func (s *fakeServer) fault(before func(ctx context.Context, method string, request any) error) {
	s.update(func() { s.before = before })
}

// dropFirst cuts the connection after the first call of a method was served.
func (s *fakeServer) dropFirst(method string) {
	var once sync.Once
	s.update(func() {
		s.drop = func(called string) (drop bool) {
			if called == method {
				once.Do(func() { drop = true })
			}
			return drop
		}
	})
}

// offer makes a job ready; change may adjust it. Its token is its id.
func (s *fakeServer) offer(id string, payload *v1.Payload, change ...func(*v1.LeasedJob)) {
	job := &v1.LeasedJob{
		Job: &v1.Job{
			JobId: id, TenantId: "acme", Queue: "mail", JobType: "send", Payload: payload,
			DueTime: timestamppb.New(epoch), ScheduledTime: timestamppb.New(epoch),
		},
		LeaseToken: id, FencingToken: 7, Attempt: 1, LeaseExpireTime: timestamppb.New(epoch),
		LeaseRemaining: durationpb.New(time.Minute), AttemptRemaining: durationpb.New(time.Hour),
	}
	for _, change := range change {
		change(job)
	}
	s.update(func() { s.ready = append(s.ready, job) })
}

// poll returns the i-th LeaseJobs request.
func (s *fakeServer) poll(i int) *v1.LeaseJobsRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.polls[i]
}

// pollCount returns how many polls have arrived.
func (s *fakeServer) pollCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.polls)
}

// lease returns a lease as it is now.
func (s *fakeServer) lease(id string) fakeLease {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.leases[id]; l != nil {
		return *l
	}
	return fakeLease{}
}

// awaitEnd waits for the final call of a job and returns its lease.
func (s *fakeServer) awaitEnd(t testing.TB, id string) fakeLease {
	t.Helper()
	s.await(t, "end of "+id, func() bool { return s.leases[id] != nil && s.leases[id].ended != "" })
	return s.lease(id)
}

func (s *fakeServer) CreateJob(_ context.Context, request *v1.CreateJobRequest) (*v1.CreateJobResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	id, existing := s.jobs[request.GetRequestId()]
	if !existing {
		id = fmt.Sprintf("job_%d", len(s.jobs))
		s.jobs[request.GetRequestId()] = id
	}
	spec := request.GetJob()
	return &v1.CreateJobResponse{Existing: existing, Job: &v1.Job{
		JobId: id, TenantId: "acme", Queue: spec.GetQueue(), JobType: spec.GetJobType(), State: v1.JobState_JOB_STATE_PENDING,
	}}, nil
}

func (s *fakeServer) LeaseJobs(ctx context.Context, request *v1.LeaseJobsRequest) (*v1.LeaseJobsResponse, error) {
	stop := context.AfterFunc(ctx, func() { s.update(func() {}) })
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.polls = append(s.polls, request)
	asked := int(request.GetMaxJobs())
	s.credit += asked
	defer func() { s.credit -= asked }()
	s.overdrawn = s.overdrawn || s.limit > 0 && s.credit+s.active > s.limit
	s.changed.Broadcast()
	for {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var jobs, rest []*v1.LeasedJob
		for _, job := range s.ready {
			fits := len(jobs) < asked && (len(request.GetJobTypes()) == 0 || slices.Contains(request.GetJobTypes(), job.GetJob().GetJobType()))
			if fits {
				jobs = append(jobs, job)
			} else {
				rest = append(rest, job)
			}
		}
		if len(jobs) > 0 {
			s.ready = rest
			for _, job := range jobs {
				s.leases[job.GetLeaseToken()] = &fakeLease{job: job}
			}
			s.changed.Broadcast()
			return &v1.LeaseJobsResponse{Jobs: jobs}, nil
		}
		s.changed.Wait()
	}
}

func (s *fakeServer) Heartbeat(_ context.Context, request *v1.HeartbeatRequest) (*v1.HeartbeatResponse, error) {
	response := &v1.HeartbeatResponse{}
	s.update(func() {
		for _, item := range request.GetItems() {
			l := s.leases[item.GetLeaseToken()]
			result := &v1.HeartbeatResult{LeaseRemaining: item.GetLeaseDuration()}
			if l == nil || l.lost || l.ended != "" {
				result = &v1.HeartbeatResult{Error: leaseLost()}
			} else {
				l.beats++
				result.CancelRequested, result.CancelReason = l.cancelRequested != "", l.cancelRequested
			}
			response.Results = append(response.Results, result)
		}
	})
	return response, nil
}

func (s *fakeServer) CompleteJobs(_ context.Context, request *v1.CompleteJobsRequest) (*v1.CompleteJobsResponse, error) {
	response := &v1.CompleteJobsResponse{}
	for _, item := range request.GetItems() {
		response.Results = append(response.Results, s.end(item.GetLeaseToken(), "complete", func(l *fakeLease) { l.complete = item }))
	}
	return response, nil
}

func (s *fakeServer) FailJobs(_ context.Context, request *v1.FailJobsRequest) (*v1.FailJobsResponse, error) {
	response := &v1.FailJobsResponse{}
	for _, item := range request.GetItems() {
		response.Results = append(response.Results, s.end(item.GetLeaseToken(), "fail", func(l *fakeLease) { l.fail = item }))
	}
	return response, nil
}

func (s *fakeServer) ReleaseJobs(_ context.Context, request *v1.ReleaseJobsRequest) (*v1.ReleaseJobsResponse, error) {
	response := &v1.ReleaseJobsResponse{}
	for _, item := range request.GetItems() {
		response.Results = append(response.Results, s.end(item.GetLeaseToken(), "release", func(l *fakeLease) { l.release = item }))
	}
	return response, nil
}

// end ends a lease once; a repetition of the call that ended it is OK.
func (s *fakeServer) end(token, how string, change func(*fakeLease)) *v1.FinishResult {
	result := &v1.FinishResult{Error: leaseLost()}
	s.update(func() {
		l := s.leases[token]
		switch {
		case l == nil || l.lost:
		case l.ended == "":
			l.ended = how
			change(l)
			result = &v1.FinishResult{JobId: l.job.GetJob().GetJobId()}
		case l.ended == how:
			result = &v1.FinishResult{JobId: l.job.GetJob().GetJobId()}
		}
	})
	return result
}

func leaseLost() *v1.ItemError {
	return &v1.ItemError{Code: "failed_precondition", Reason: v1.ErrorReason_ERROR_REASON_LEASE_LOST, Message: "the lease has ended; stop the work"}
}

func unavailable() error {
	return connect.NewError(connect.CodeUnavailable, errors.New("the database is away; retry"))
}

func textPayload(text string) *v1.Payload {
	return &v1.Payload{Data: &v1.Payload_Text{Text: text}, ContentType: "text/plain; charset=utf-8"}
}
