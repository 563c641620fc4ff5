package belfry

import (
	"context"
	"iter"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// JobState says where a job is in its life. Tolerate values you do not know.
type JobState string

// The states of a job. The last three are final.
const (
	StatePending   JobState = "PENDING"
	StateReady     JobState = "READY"
	StateRunning   JobState = "RUNNING"
	StateBlocked   JobState = "BLOCKED"
	StateSucceeded JobState = "SUCCEEDED"
	StateDead      JobState = "DEAD"
	StateCancelled JobState = "CANCELLED"
)

// Final reports whether a job in this state is over.
func (s JobState) Final() bool {
	return s == StateSucceeded || s == StateDead || s == StateCancelled
}

// JobInfo is what the server knows about a job. Times and spans that do not
// apply are zero.
type JobInfo struct {
	TenantID string
	ID       string
	Queue    string
	Type     string
	State    JobState
	// StateReason is why it is in this state, where there is something to say,
	// e.g. MAX_ATTEMPTS, PERMANENT, EXPIRED.
	StateReason string
	Priority    int

	CreateTime time.Time
	// DueTime is when it is, or was, due to run next; ScheduledTime is what was
	// asked for at creation.
	DueTime       time.Time
	ScheduledTime time.Time
	StartBy       time.Time
	// StartTime is the start of the latest attempt.
	StartTime  time.Time
	FinishTime time.Time

	// Attempt counts attempts so far, the running one included; Releases were
	// not counted, LostLeases were.
	Attempt         int
	Releases        int
	LostLeases      int
	CancelRequested bool
	LastError       string
	WorkerID        string

	// Retry, AttemptTimeout, MaxReleases and MaxAge are in force, with all
	// defaults filled in.
	Retry          RetryPolicy
	AttemptTimeout time.Duration
	MaxReleases    int
	MaxAge         time.Duration

	// Schedule and NominalTime are set for occurrences of a schedule.
	Schedule    string
	NominalTime time.Time

	// Payload, Headers, Result and Attempts are set by Get only.
	Payload  Payload
	Headers  map[string]string
	Result   Payload
	Attempts []Attempt

	// Existing is set by Create if an earlier call with the same request id
	// made the job.
	Existing bool
}

// AttemptOutcome says how one lease of a job ended. Tolerate values you do not
// know.
type AttemptOutcome string

// The outcomes of an attempt.
const (
	OutcomeSucceeded AttemptOutcome = "SUCCEEDED"
	OutcomeFailed    AttemptOutcome = "FAILED"
	OutcomeTimedOut  AttemptOutcome = "TIMED_OUT"
	OutcomeReleased  AttemptOutcome = "RELEASED"
	OutcomeCancelled AttemptOutcome = "CANCELLED"
)

// Attempt is one lease of a job that has ended.
type Attempt struct {
	// Number counts leases from 1, released ones included.
	Number    int
	Outcome   AttemptOutcome
	StartTime time.Time
	EndTime   time.Time
	WorkerID  string
	Error     string
}

// Get answers a job in any state, as long as its history is retained, with
// payload, result and attempts.
func (c *Client) Get(ctx context.Context, jobID string) (JobInfo, error) {
	response, err := c.jobs.GetJob(ctx, &v1.GetJobRequest{TenantId: c.tenantID, JobId: jobID, View: v1.JobView_JOB_VIEW_FULL})
	if err != nil {
		return JobInfo{}, err
	}
	return jobInfoFromProto(response.GetJob()), nil
}

// Cancel ends a waiting job at once. Of a running one the worker is asked, and
// its lease is revoked 30 seconds later if need be; the reason is handed to it.
// Repeating the call changes nothing.
func (c *Client) Cancel(ctx context.Context, jobID, reason string) (JobInfo, error) {
	response, err := c.jobs.CancelJob(ctx, &v1.CancelJobRequest{TenantId: c.tenantID, JobId: jobID, Reason: reason})
	if err != nil {
		return JobInfo{}, err
	}
	return jobInfoFromProto(response.GetJob()), nil
}

// JobFilter chooses jobs. Empty fields choose all.
type JobFilter struct {
	Queue  string
	Type   string
	States []JobState
	// PageSize is how many are fetched at a time, up to 1,000. Default 50.
	PageSize int
}

// List goes through the tenant's jobs, newest first, fetching pages as it goes.
// It ends after the first error.
func (c *Client) List(ctx context.Context, filter JobFilter) iter.Seq2[JobInfo, error] {
	return func(yield func(JobInfo, error) bool) {
		request := &v1.ListJobsRequest{TenantId: c.tenantID, Queue: filter.Queue, JobType: filter.Type, PageSize: int32(filter.PageSize)}
		for _, state := range filter.States {
			request.States = append(request.States, v1.JobState(v1.JobState_value[statePrefix+string(state)]))
		}
		for {
			response, err := c.jobs.ListJobs(ctx, request)
			if err != nil {
				yield(JobInfo{}, err)
				return
			}
			for _, job := range response.GetJobs() {
				if !yield(jobInfoFromProto(job), nil) {
					return
				}
			}
			if request.PageToken = response.GetNextPageToken(); request.PageToken == "" {
				return
			}
		}
	}
}

const statePrefix = "JOB_STATE_"

func jobInfoFromProto(job *v1.Job) JobInfo {
	info := JobInfo{
		TenantID: job.GetTenantId(), ID: job.GetJobId(), Queue: job.GetQueue(), Type: job.GetJobType(),
		State:       JobState(strings.TrimPrefix(job.GetState().String(), statePrefix)),
		StateReason: job.GetStateReason(), Priority: int(job.GetPriority()),
		CreateTime: timeOf(job.GetCreateTime()), DueTime: timeOf(job.GetDueTime()), ScheduledTime: timeOf(job.GetScheduledTime()),
		StartBy: timeOf(job.GetStartByTime()), StartTime: timeOf(job.GetStartTime()), FinishTime: timeOf(job.GetFinishTime()),
		Attempt: int(job.GetAttempt()), Releases: int(job.GetReleases()), LostLeases: int(job.GetLostLeases()),
		CancelRequested: job.GetCancelRequested(), LastError: job.GetLastError(), WorkerID: job.GetWorkerId(),
		Retry: retryPolicyFromProto(job.GetRetryPolicy()), AttemptTimeout: job.GetAttemptTimeout().AsDuration(),
		MaxReleases: int(job.GetMaxReleases()), MaxAge: job.GetMaxAge().AsDuration(),
		Schedule: job.GetSchedule(), NominalTime: timeOf(job.GetNominalTime()),
		Payload: payloadFromProto(job.GetPayload()), Headers: job.GetHeaders(), Result: payloadFromProto(job.GetResult()),
	}
	for _, attempt := range job.GetAttempts() {
		info.Attempts = append(info.Attempts, Attempt{
			Number:    int(attempt.GetNumber()),
			Outcome:   AttemptOutcome(strings.TrimPrefix(attempt.GetOutcome().String(), "ATTEMPT_OUTCOME_")),
			StartTime: timeOf(attempt.GetStartTime()),
			EndTime:   timeOf(attempt.GetEndTime()),
			WorkerID:  attempt.GetWorkerId(),
			Error:     attempt.GetError(),
		})
	}
	return info
}

func retryPolicyFromProto(message *v1.RetryPolicy) RetryPolicy {
	policy := RetryPolicy{
		MaxAttempts:    int(message.GetMaxAttempts()),
		InitialBackoff: message.GetInitialBackoff().AsDuration(),
		MaxBackoff:     message.GetMaxBackoff().AsDuration(),
		Multiplier:     message.GetMultiplier(),
	}
	if message != nil {
		policy.Jitter = message.Jitter
	}
	for _, delay := range message.GetDelays() {
		policy.Delays = append(policy.Delays, delay.AsDuration())
	}
	return policy
}

// timeOf returns the zero time for an absent timestamp.
func timeOf(timestamp *timestamppb.Timestamp) time.Time {
	if timestamp == nil {
		return time.Time{}
	}
	return timestamp.AsTime()
}
