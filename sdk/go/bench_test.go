package belfry_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// idleServer answers at once and keeps nothing, so that what is measured is the
// price of the calls, on both sides.
type idleServer struct {
	belfryv1connect.UnimplementedJobServiceHandler
	belfryv1connect.UnimplementedWorkerServiceHandler
	// left is how many jobs are still to be leased; drained is closed when all
	// have been completed.
	left, open atomic.Int64
	drained    chan struct{}
}

func (*idleServer) CreateJob(_ context.Context, request *v1.CreateJobRequest) (*v1.CreateJobResponse, error) {
	spec := request.GetJob()
	return &v1.CreateJobResponse{Job: &v1.Job{
		TenantId: "acme", JobId: "job_01jabcdefghjkmnpqrstvwxyz0", Queue: spec.GetQueue(), JobType: "default",
		State: v1.JobState_JOB_STATE_PENDING, CreateTime: timestamp(epoch), DueTime: timestamp(epoch), ScheduledTime: timestamp(epoch),
	}}, nil
}

func (s *idleServer) LeaseJobs(ctx context.Context, request *v1.LeaseJobsRequest) (*v1.LeaseJobsResponse, error) {
	asked := int64(request.GetMaxJobs())
	n := min(asked, max(0, s.left.Add(-asked)+asked))
	if n == 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	response := &v1.LeaseJobsResponse{}
	for i := range n {
		response.Jobs = append(response.Jobs, &v1.LeasedJob{
			Job:        &v1.Job{JobId: "job_01jabcdefghjkmnpqrstvwxyz0", TenantId: "acme", Queue: "mail", JobType: "send", Payload: textPayload("hello")},
			LeaseToken: fmt.Sprint("0123456789abcdef0123456789abcdef", i), Attempt: 1, FencingToken: 1,
			LeaseRemaining: durationpb.New(time.Minute), AttemptRemaining: durationpb.New(time.Hour),
		})
	}
	return response, nil
}

func (s *idleServer) CompleteJobs(_ context.Context, request *v1.CompleteJobsRequest) (*v1.CompleteJobsResponse, error) {
	response := &v1.CompleteJobsResponse{Results: make([]*v1.FinishResult, len(request.GetItems()))}
	for i := range response.GetResults() {
		response.Results[i] = &v1.FinishResult{JobId: "job_01jabcdefghjkmnpqrstvwxyz0", State: v1.JobState_JOB_STATE_SUCCEEDED}
	}
	if s.open.Add(-int64(len(request.GetItems()))) == 0 {
		close(s.drained)
	}
	return response, nil
}

func benchServer(b *testing.B) (*idleServer, string) {
	b.Helper()
	s := &idleServer{drained: make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle(belfryv1connect.NewJobServiceHandler(s))
	mux.Handle(belfryv1connect.NewWorkerServiceHandler(s))
	server := httptest.NewUnstartedServer(mux)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	b.Cleanup(server.Close)
	return s, server.URL
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkCreate is the price of one CreateJob from 64 goroutines, client and
// server in one process; cpu-ns/op is what both spend together.
func BenchmarkCreate(b *testing.B) {
	_, url := benchServer(b)
	run := func(create func(context.Context) error) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(32)
			before := processorTime()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := create(b.Context()); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
		}
	}
	job := belfry.NewJob{Queue: "mail", Type: "send", Payload: "a letter of some two hundred bytes is what most of them are"}
	for _, variant := range []struct {
		name string
		opts []belfry.Option
	}{{"http1", nil}, {"h2c", []belfry.Option{belfry.WithHTTP2()}}} {
		client, err := belfry.NewClient(url, apiKey, variant.opts...)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(variant.name, run(func(ctx context.Context) error {
			_, err := client.Create(ctx, job)
			return err
		}))
		client.Close()
	}
	// What the generated client and the standard transport cost by themselves.
	transport := &http.Transport{MaxIdleConnsPerHost: 1024}
	bare := belfryv1connect.NewJobServiceClient(&http.Client{Transport: transport}, url, connect.WithAcceptCompression("gzip", nil, nil))
	b.Run("bare", run(func(ctx context.Context) error {
		_, err := bare.CreateJob(ctx, &v1.CreateJobRequest{RequestId: "id", Job: &v1.JobSpec{Queue: "mail", JobType: "send", Payload: textPayload(job.Payload.(string))}})
		return err
	}))
	transport.CloseIdleConnections()
}

// BenchmarkWorker is the price of leasing, running and completing one job.
func BenchmarkWorker(b *testing.B) {
	for _, concurrency := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint("slots=", concurrency), func(b *testing.B) {
			server, url := benchServer(b)
			client, err := belfry.NewClient(url, apiKey)
			if err != nil {
				b.Fatal(err)
			}
			worker := belfry.NewWorker(client, belfry.WorkerConfig{Concurrency: concurrency, Logger: quiet})
			worker.Handle("send", func(context.Context, *belfry.LeasedJob) error { return nil })
			server.left.Store(int64(b.N))
			server.open.Store(int64(b.N))
			ctx, cancel := context.WithCancel(b.Context())
			before := processorTime()
			b.ResetTimer()
			done := make(chan error, 1)
			go func() { done <- worker.Run(ctx) }()
			<-server.drained
			b.StopTimer()
			b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
			cancel()
			if err := <-done; err != nil {
				b.Error(err)
			}
			client.Close()
		})
	}
}
