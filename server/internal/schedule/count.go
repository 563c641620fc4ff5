package schedule

import (
	"context"
	"slices"
	"strings"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Metrics counts nominal times by outcome and, where that is a skip, reason: one of few words, see countedReason. Schedules
// that cannot be read are counted by the outcome "error". obs.Metrics implements it.
type Metrics interface {
	Occurrence(outcome, reason string, n int)
}

// otherReason stands for reasons that are not counted by name, so that labels stay few whatever a reason says.
const otherReason = "OTHER"

// countedReasons are counted by name.
var countedReasons = []string{"", reasonMissed, reasonWindow, reasonMaxCatchup, reasonOverlap, reasonBufferFull, reasonReplaced,
	reasonNoQueue, reasonNoLane, reasonChanged, recurrence.ReasonExcludedDate, job.ReasonCancelled, job.ReasonQueueDeleted}

// countedReason is what a reason is counted as: calendars are one, whatever their names.
func countedReason(reason string) string {
	switch {
	case slices.Contains(countedReasons, reason):
		return reason
	case strings.HasPrefix(reason, recurrence.ReasonCalendar):
		return strings.TrimSuffix(recurrence.ReasonCalendar, ":")
	}
	return otherReason
}

// countRun counts a run of nominal times. One that was too long to be counted is at least so long.
func countRun(m Metrics, outcome store.OccurrenceOutcome, reason string, n int32) {
	if n == 0 {
		n = maxCounted
	}
	m.Occurrence(outcome.String(), countedReason(reason), int(n))
}

// countedRows counts what edits, pauses and deletions skip and take back.
type countedRows struct {
	Rows
	metrics Metrics
}

// ChangeSchedule implements Rows.
func (r countedRows) ChangeSchedule(ctx context.Context, c store.ScheduleChange) (*store.Schedule, error) {
	var noted store.ChangeNotes
	c.Notes = &noted
	changed, err := r.Rows.ChangeSchedule(ctx, c)
	if err != nil {
		return nil, err
	}
	r.withdrawn(noted.Withdrawn)
	if !noted.Skipped.From.IsZero() {
		countRun(r.metrics, store.Skipped, noted.Skipped.Reason, noted.Skipped.Count)
	}
	return changed, nil
}

// DeleteSchedule implements Rows.
func (r countedRows) DeleteSchedule(ctx context.Context, known *store.Schedule) (withdrawn int64, err error) {
	withdrawn, err = r.Rows.DeleteSchedule(ctx, known)
	if err == nil {
		r.withdrawn(withdrawn)
	}
	return withdrawn, err
}

func (r countedRows) withdrawn(n int64) {
	if n > 0 {
		r.metrics.Occurrence(store.Withdrawn.String(), reasonChanged, int(n))
	}
}
