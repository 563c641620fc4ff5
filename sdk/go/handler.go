package belfry

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// Handler runs one attempt of a job. What it returns decides what becomes of
// the job; see the package documentation. It must return soon after its
// context has ended: until it does, it occupies a slot of the worker.
type Handler func(ctx context.Context, job *LeasedJob) error

// LeasedJob is a job in the hands of a handler: the facts, the payload and a
// place for the result.
type LeasedJob struct {
	// JobID is the same for all attempts: the key for deduplication.
	JobID    string
	TenantID string
	Queue    string
	Type     string
	Priority int
	// Attempt counts from 1.
	Attempt int
	// FencingToken is larger than that of every earlier lease of this job: hand
	// it to systems that can refuse writes of stale workers.
	FencingToken int64

	CreateTime time.Time
	// DueTime is when this attempt was due; ScheduledTime what was asked for at
	// creation.
	DueTime       time.Time
	ScheduledTime time.Time
	// Schedule and NominalTime are set for occurrences of a schedule: its name,
	// and the time by its rule.
	Schedule    string
	NominalTime time.Time

	Headers map[string]string
	Payload Payload
	// Retry and AttemptTimeout are in force for this job.
	Retry          RetryPolicy
	AttemptTimeout time.Duration

	result *v1.Payload
}

// Job is a leased job with its payload decoded.
type Job[T any] struct {
	*LeasedJob
	// Payload is the decoded payload; it hides the raw LeasedJob.Payload.
	Payload T
}

// Decode reads a job's payload as a T; see Payload.Decode.
func Decode[T any](job *LeasedJob) (T, error) {
	var value T
	err := job.Payload.Decode(&value)
	return value, err
}

// HandleFunc registers a handler for jobs of one type whose payload is a T. A
// payload that is no T is a failed attempt.
func HandleFunc[T any](w *Worker, jobType string, handle func(ctx context.Context, job *Job[T]) error) {
	w.Handle(jobType, func(ctx context.Context, job *LeasedJob) error {
		payload, err := Decode[T](job)
		if err != nil {
			return err
		}
		return handle(ctx, &Job[T]{LeasedJob: job, Payload: payload})
	})
}

// SetResult sets what the job hands back when its handler returns nil; kept in
// its history. v is taken like NewJob.Payload. An error means that it cannot be
// sent or exceeds 256 KiB, and leaves an earlier result in place.
func (j *LeasedJob) SetResult(v any) error {
	payload := payloadOf(v)
	data, err := payload.Data()
	if err != nil {
		return fmt.Errorf("set result: %w", err)
	}
	if len(data) > maxPayload {
		return fmt.Errorf("set result: %d bytes exceed the limit of %d; store it elsewhere and hand back where", len(data), maxPayload)
	}
	result, err := payload.proto()
	if err != nil {
		return fmt.Errorf("set result: %w", err)
	}
	j.result = result
	return nil
}

func leasedJobFromProto(message *v1.LeasedJob) *LeasedJob {
	job := message.GetJob()
	return &LeasedJob{
		JobID: job.GetJobId(), TenantID: job.GetTenantId(), Queue: job.GetQueue(), Type: job.GetJobType(),
		Priority: int(job.GetPriority()), Attempt: int(message.GetAttempt()), FencingToken: message.GetFencingToken(),
		CreateTime: timeOf(job.GetCreateTime()), DueTime: timeOf(job.GetDueTime()), ScheduledTime: timeOf(job.GetScheduledTime()),
		Schedule: job.GetSchedule(), NominalTime: timeOf(job.GetNominalTime()),
		Headers: job.GetHeaders(), Payload: payloadFromProto(job.GetPayload()),
		Retry: retryPolicyFromProto(job.GetRetryPolicy()), AttemptTimeout: job.GetAttemptTimeout().AsDuration(),
	}
}

// panicError is a panic of a handler as the error of its attempt.
type panicError struct {
	value any
	stack []byte
}

// maxPanicValue leaves room for the stack in an error of maxErrorText.
const maxPanicValue = maxErrorText / 2

func (e *panicError) Error() string {
	return fmt.Sprintf("panic: %s\n\n%s", truncate(fmt.Sprint(e.value), maxPanicValue), e.stack)
}

// recovering turns a panic of handler into its error.
func recovering(handler Handler) Handler {
	return func(ctx context.Context, job *LeasedJob) (err error) {
		defer func() {
			if value := recover(); value != nil {
				err = &panicError{value, debug.Stack()}
			}
		}()
		return handler(ctx, job)
	}
}
