package api

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// stateProto spells a state as the API does. The numbers differ: those of job.State are stored.
func stateProto(s job.State) belfryv1.JobState {
	switch s {
	case job.Pending:
		return belfryv1.JobState_JOB_STATE_PENDING
	case job.Ready:
		return belfryv1.JobState_JOB_STATE_READY
	case job.Running:
		return belfryv1.JobState_JOB_STATE_RUNNING
	case job.Succeeded:
		return belfryv1.JobState_JOB_STATE_SUCCEEDED
	case job.Dead:
		return belfryv1.JobState_JOB_STATE_DEAD
	case job.Cancelled:
		return belfryv1.JobState_JOB_STATE_CANCELLED
	case job.Blocked:
		return belfryv1.JobState_JOB_STATE_BLOCKED
	}
	return belfryv1.JobState_JOB_STATE_UNSPECIFIED
}

// shownState is the state of a row as it is shown: READY is PENDING and due.
func shownState(row *store.Live) job.State {
	if row.State == job.Pending && !row.Due.After(row.Now) {
		return job.Ready
	}
	return row.State
}

// liveProto shows a live row, BASIC view.
func liveProto(row *store.Live, lane catalog.Lane, body job.Body) *belfryv1.Job {
	q := lane.Queue
	out := &belfryv1.Job{
		TenantId: q.TenantName, Queue: q.Name, JobType: lane.Type,
		State:           stateProto(shownState(row)),
		Priority:        int32(row.Priority),
		DueTime:         instantProto(row.Due),
		ScheduledTime:   instantProto(row.Scheduled),
		StartByTime:     instantProto(row.StartBy),
		StartTime:       instantProto(row.Claimed),
		Attempt:         int32(row.Attempt),
		Releases:        row.Releases,
		LostLeases:      row.LostLeases,
		CancelRequested: row.CancelAsked,
		WorkerId:        row.Worker,
		RetryPolicy:     retryProto(q.Settings.RetryInForce(body.Retry)),
		AttemptTimeout:  spanProto(timeoutInForce(row, q)),
		Version:         row.Version,
		MaxReleases:     body.Releases(),
		MaxAge:          durationpb.New(body.Age()),
		Schedule:        body.Schedule,
		NominalTime:     instantProto(body.Nominal),
	}
	if !row.ID.IsZero() { // a job that was only checked has none
		out.JobId, out.CreateTime = row.ID.String(), timestamppb.New(row.ID.Time())
	}
	return out
}

func timeoutInForce(row *store.Live, q *catalog.Queue) time.Duration {
	if row.Timeout == 0 {
		return q.Settings.Timeout()
	}
	return row.Timeout
}

// endedProto shows a history row, BASIC view. Slim history has no body: then the policies are not known any more and are
// left out.
func endedProto(row *store.Ended, lane catalog.Lane, body job.Body) *belfryv1.Job {
	out := liveProto(&row.Live, lane, body)
	out.StateReason = row.Reason
	out.FinishTime = instantProto(row.Finished)
	out.LastError = lastError(row)
	if row.Body == nil {
		out.RetryPolicy, out.MaxReleases, out.MaxAge = nil, 0, nil
	}
	return out
}

// lastError is the error of the attempt that ended the job, or of the last one before it that had one.
func lastError(row *store.Ended) string {
	if row.Error != "" {
		return row.Error
	}
	for i := len(row.Attempts) - 1; i >= 0; i-- {
		if a := row.Attempts[i]; a.Outcome != job.OutcomeReleased && a.Error != "" {
			return a.Error
		}
	}
	return ""
}

// addContent adds what only the FULL view shows of a body.
func addContent(out *belfryv1.Job, body job.Body) error {
	payload, err := payloadProto(body.Payload)
	if err != nil {
		return err
	}
	out.Payload, out.Headers = payload, body.Headers
	return nil
}

// addEnding adds what only the FULL view shows of a history row: its result, and its attempts with the one that ended it.
func addEnding(out *belfryv1.Job, row *store.Ended) error {
	if row.Result != nil {
		stored, err := job.UnmarshalBody(row.Result)
		if err != nil {
			return err
		}
		if out.Result, err = payloadProto(stored.Payload); err != nil {
			return err
		}
	}
	attempts := row.Attempts
	if row.Outcome != job.NoOutcome {
		attempts = append(attempts[:len(attempts):len(attempts)], job.Attempt{Number: row.Leases, Outcome: row.Outcome,
			Started: row.Claimed, Ended: row.Finished, Worker: row.Worker, Error: row.Error})
	}
	out.Attempts = attemptsProto(attempts)
	return nil
}

// attemptsProto shows ended attempts. The numbers of the outcomes are those of the API.
func attemptsProto(attempts []job.Attempt) []*belfryv1.Attempt {
	out := make([]*belfryv1.Attempt, 0, len(attempts))
	for _, a := range attempts {
		out = append(out, &belfryv1.Attempt{
			Number: a.Number, Outcome: belfryv1.AttemptOutcome(a.Outcome), StartTime: instantProto(a.Started),
			EndTime: instantProto(a.Ended), WorkerId: a.Worker, Error: a.Error,
		})
	}
	return out
}
