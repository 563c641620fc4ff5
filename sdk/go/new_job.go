package belfry

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// NewJob is what a caller says about a job to be created. Only Queue is
// required; zero values mean the default.
type NewJob struct {
	// Queue is its name.
	Queue string
	// Type says which handler the job is for: 1–128 printable ASCII characters.
	// Default "default".
	Type string
	// Payload is what the worker gets: nil for nothing, a string for text, a
	// []byte for bytes, a Payload for full control, anything else for JSON.
	Payload any

	// DueTime is the instant at which the job becomes due, at most 10 years
	// ahead; one in the past means now. Give DueTime or Delay or neither (now).
	DueTime time.Time
	// Delay is the wait from the moment the server accepts the call.
	Delay time.Duration
	// StartBy: a job that has not been started by then is dead, with reason
	// EXPIRED. Give StartBy or StartWithin or neither (no such limit).
	StartBy time.Time
	// StartWithin is the same as a span after the due time, 1 s – 10 years.
	StartWithin time.Duration

	// Priority is 0 (first) to 9 (last) within the queue; nil means 5. Write
	// new(0) for the first.
	Priority *int
	// Headers are up to 32 names with values of up to 1,024 bytes; names that
	// start with "belfry-" are reserved.
	Headers map[string]string
	// Retry says what happens after failures; nil means the queue's policy.
	Retry *RetryPolicy
	// AttemptTimeout bounds one attempt whatever its heartbeats say,
	// 1 s – 7 days. Default: the queue's, else 1 h.
	AttemptTimeout time.Duration
	// MaxReleases is how often the job may be given back before it is dead,
	// 1–10000. Default 100.
	MaxReleases int
	// MaxAge is the longest life after the first due time, 1 s – 400 days.
	// Default 30 days.
	MaxAge time.Duration

	// RequestID makes creates of other processes or later calls answer the
	// same job, for 24 hours: 1–128 printable ASCII characters, unique per
	// tenant. Default: random, so that only retries of this call do.
	RequestID string
}

// RetryPolicy bounds what happens after a failed or timed-out attempt. Zero
// values mean the queue's, then the default.
type RetryPolicy struct {
	// MaxAttempts is how many attempts a job gets in all, 1–1000. Default 5. An
	// expired lease is an attempt, so 1 means at most once.
	MaxAttempts int
	// InitialBackoff is the wait after the first failure. Default 10 s.
	InitialBackoff time.Duration
	// MaxBackoff is the longest wait, and the cap on RetryAfter. Default 1 h.
	MaxBackoff time.Duration
	// Multiplier is the growth per failure, 1–10. Default 2.
	Multiplier float64
	// Jitter is the share of the wait by which it is moved at random to either
	// side, 0–1; nil means 0.2.
	Jitter *float64
	// Delays are explicit waits instead of the exponential rule, at most 50; the
	// last one repeats.
	Delays []time.Duration
}

// Create stores one job durably. A call that is repeated, by the client itself
// or by the caller with NewJob.RequestID, answers the job of the first one,
// with JobInfo.Existing.
func (c *Client) Create(ctx context.Context, job NewJob) (JobInfo, error) {
	spec, err := job.spec()
	if err != nil {
		return JobInfo{}, err
	}
	response, err := c.jobs.CreateJob(ctx, &v1.CreateJobRequest{TenantId: c.tenantID, Job: spec, RequestId: job.requestID()})
	if err != nil {
		return JobInfo{}, err
	}
	info := jobInfoFromProto(response.GetJob())
	info.Existing = response.GetExisting()
	return info, nil
}

// Created is one job of a batch.
type Created struct {
	// JobID is the job's id.
	JobID string
	// Existing is true if an earlier call with the same request id made it.
	Existing bool
}

// CreateBatch stores 1–1,000 jobs, of at most 4 MiB in all, in one
// transaction: all or none. The results are in the order of jobs. An *Error for
// bad items names each by its index in FieldViolations.
func (c *Client) CreateBatch(ctx context.Context, jobs []NewJob) ([]Created, error) {
	request := &v1.BatchCreateJobsRequest{TenantId: c.tenantID, Jobs: make([]*v1.NewJob, len(jobs))}
	for i, job := range jobs {
		spec, err := job.spec()
		if err != nil {
			return nil, fmt.Errorf("jobs[%d]: %w", i, err)
		}
		request.Jobs[i] = &v1.NewJob{Job: spec, RequestId: job.requestID()}
	}
	response, err := c.jobs.BatchCreateJobs(ctx, request)
	if err != nil {
		return nil, err
	}
	created := make([]Created, len(response.GetResults()))
	for i, result := range response.GetResults() {
		created[i] = Created{JobID: result.GetJobId(), Existing: result.GetExisting()}
	}
	return created, nil
}

func (j NewJob) requestID() string {
	if j.RequestID != "" {
		return j.RequestID
	}
	return newRequestID()
}

func (j NewJob) spec() (*v1.JobSpec, error) {
	payload, err := payloadOf(j.Payload).proto()
	if err != nil {
		return nil, err
	}
	spec := &v1.JobSpec{
		Queue:          j.Queue,
		JobType:        j.Type,
		Priority:       int32OrNil(j.Priority),
		Payload:        payload,
		Headers:        j.Headers,
		RetryPolicy:    j.Retry.proto(),
		AttemptTimeout: durationOrNil(j.AttemptTimeout),
		MaxAge:         durationOrNil(j.MaxAge),
	}
	if j.MaxReleases != 0 {
		spec.MaxReleases = new(int32(j.MaxReleases))
	}
	switch {
	case !j.DueTime.IsZero() && j.Delay != 0:
		return nil, invalid("due_time", "DueTime and Delay exclude each other; give one of them")
	case !j.DueTime.IsZero():
		spec.When = &v1.JobSpec_DueTime{DueTime: timestamppb.New(j.DueTime)}
	case j.Delay != 0:
		spec.When = &v1.JobSpec_Delay{Delay: durationpb.New(j.Delay)}
	}
	switch {
	case !j.StartBy.IsZero() && j.StartWithin != 0:
		return nil, invalid("start_by_time", "StartBy and StartWithin exclude each other; give one of them")
	case !j.StartBy.IsZero():
		spec.StartBy = &v1.JobSpec_StartByTime{StartByTime: timestamppb.New(j.StartBy)}
	case j.StartWithin != 0:
		spec.StartBy = &v1.JobSpec_StartWithin{StartWithin: durationpb.New(j.StartWithin)}
	}
	return spec, nil
}

func (p *RetryPolicy) proto() *v1.RetryPolicy {
	if p == nil {
		return nil
	}
	message := &v1.RetryPolicy{
		InitialBackoff: durationOrNil(p.InitialBackoff),
		MaxBackoff:     durationOrNil(p.MaxBackoff),
		Jitter:         p.Jitter,
	}
	if p.MaxAttempts != 0 {
		message.MaxAttempts = new(int32(p.MaxAttempts))
	}
	if p.Multiplier != 0 {
		message.Multiplier = &p.Multiplier
	}
	for _, delay := range p.Delays {
		message.Delays = append(message.Delays, durationpb.New(delay))
	}
	return message
}

// invalid is the error the server would give, found without asking it.
func invalid(field, description string) *Error {
	return &Error{
		Code:            CodeInvalidArgument,
		Reason:          ReasonInvalidField,
		Message:         "the job cannot be created as given",
		FieldViolations: []FieldViolation{{Field: "job." + field, Description: description}},
	}
}

func durationOrNil(d time.Duration) *durationpb.Duration {
	if d == 0 {
		return nil
	}
	return durationpb.New(d)
}

func int32OrNil(n *int) *int32 {
	if n == nil {
		return nil
	}
	return new(int32(*n))
}
