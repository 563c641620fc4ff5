package api

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
)

// changeableOfQueue lists the fields of a queue that its callers can change.
func changeableOfQueue() []string {
	return []string{"description", "retry_policy", "attempt_timeout", "history", "retention_days", "deletion_protection"}
}

// settingsFrom returns what a valid Queue states of its jobs.
func settingsFrom(q *belfryv1.Queue) job.QueueSettings {
	return job.QueueSettings{
		Description:        q.GetDescription(),
		Retry:              retryFrom(q.GetRetryPolicy()),
		AttemptTimeout:     spanFrom(q.GetAttemptTimeout()),
		Slim:               q.GetHistory() == belfryv1.HistoryMode_HISTORY_MODE_SLIM,
		RetentionDays:      int16(q.GetRetentionDays()),
		DeletionProtection: q.GetDeletionProtection(),
	}
}

// settingsProto shows what settings state, and nothing else: what an update is applied to.
func settingsProto(s job.QueueSettings) *belfryv1.Queue {
	out := &belfryv1.Queue{
		Description:        s.Description,
		RetryPolicy:        retryProto(s.Retry),
		AttemptTimeout:     spanProto(s.AttemptTimeout),
		RetentionDays:      int32(s.RetentionDays),
		DeletionProtection: s.DeletionProtection,
	}
	if s.Slim {
		out.History = belfryv1.HistoryMode_HISTORY_MODE_SLIM
	}
	return out
}

// queueProto shows a queue, with the values in force where it states none.
func queueProto(q *catalog.Queue) *belfryv1.Queue {
	out := settingsProto(q.Settings)
	out.RetryPolicy = retryProto(q.Settings.RetryInForce(job.RetryPolicy{}))
	out.AttemptTimeout = spanProto(q.Settings.Timeout())
	if out.RetentionDays == 0 {
		out.RetentionDays = job.DefaultRetention
	}
	if !q.Settings.Slim {
		out.History = belfryv1.HistoryMode_HISTORY_MODE_FULL
	}
	out.TenantId, out.Queue, out.Uid = q.TenantName, q.Name, q.UID
	out.Paused, out.PauseReason = q.Paused, q.PauseReason
	if q.UID != "" { // a queue that was only checked has none of these
		out.CreateTime, out.UpdateTime = timestamppb.New(q.CreateTime), timestamppb.New(q.UpdateTime)
		out.Etag = q.Etag()
	}
	return out
}
