package api

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// maxCatchupWindow bounds how far back missed times are looked at.
const maxCatchupWindow = 3660 * 24 * time.Hour

func (w *walker) newSchedule(at string, s *belfryv1.Schedule) {
	if s == nil {
		return // reported as required
	}
	if s.GetSpec() == nil {
		w.wrong(at+".spec", "is required")
	}
	if s.GetJob() == nil {
		w.wrong(at+".job", "is required")
	}
	w.form(at+".spec", s.GetSpec())
	w.scheduleParts(at, s)
}

// scheduleParts checks what is given of a schedule.
func (w *walker) scheduleParts(at string, s *belfryv1.Schedule) {
	w.scheduleSpec(at+".spec", s.GetSpec())
	w.span(at+".catchup_window", s.GetCatchupWindow(), spanRule{most: maxCatchupWindow, unit: time.Nanosecond,
		says: "must be from 0 to 3,660 days; 0 means 365 days"})
	w.template(at, s)
}

// form requires that the rule has one.
func (w *walker) form(at string, spec *belfryv1.ScheduleSpec) {
	if spec != nil && spec.GetSpec() == nil {
		w.wrong(at, "must say when the schedule fires: one of cron, interval and rrule is required")
	}
}

func (w *walker) scheduleSpec(at string, spec *belfryv1.ScheduleSpec) {
	if every := spec.GetInterval().GetEvery(); every != nil {
		w.span(at+".interval.every", every, spanRule{least: time.Second, most: recurrence.MaxInterval, unit: time.Second,
			says: "must be whole seconds, from 1 second to 3,660 days"})
	}
	if phase := spec.GetInterval().GetPhase(); phase != nil {
		most := spec.GetInterval().GetEvery().AsDuration() - time.Second
		w.span(at+".interval.phase", phase, spanRule{most: most, unit: time.Second, says: "must be whole seconds, from 0 to less than every"})
	}
	w.span(at+".jitter", spec.GetJitter(), spanRule{most: recurrence.MaxJitter, unit: time.Millisecond,
		says: "must be whole milliseconds, from 0 to 24 hours"})
	w.limit(at+".start_time", spec.GetStartTime())
	w.limit(at+".end_time", spec.GetEndTime())
}

// spanRule is which durations are taken: from least to most in whole units.
type spanRule struct {
	least, most, unit time.Duration
	says              string
}

func (w *walker) span(field string, d *durationpb.Duration, rule spanRule) {
	if !d.IsValid() {
		return // absent, or reported
	}
	if span := d.AsDuration(); span < rule.least || span > rule.most || span%rule.unit != 0 {
		w.wrong(field, "%s; it is %s", rule.says, spanWords(d))
	}
}

// spanWords writes a duration as JSON has it.
func spanWords(d *durationpb.Duration) string {
	if d.GetNanos() == 0 {
		return fmt.Sprintf("%ds", d.GetSeconds())
	}
	return d.AsDuration().String()
}

// limit checks the beginning or end of a schedule.
func (w *walker) limit(field string, at *timestamppb.Timestamp) {
	if !at.IsValid() {
		return // absent, or reported
	}
	if year := at.AsTime().Year(); year < recurrence.MinYear || year > recurrence.MaxYear {
		w.wrong(field, "must be within the years %d to %d; it is %s", recurrence.MinYear, recurrence.MaxYear, at.AsTime().Format(time.RFC3339))
	}
}

// template refuses what an occurrence takes from its nominal time instead.
func (w *walker) template(at string, s *belfryv1.Schedule) {
	const why = "must be absent in a schedule: each occurrence is due at its nominal time"
	switch s.GetJob().GetWhen().(type) {
	case *belfryv1.JobSpec_DueTime:
		w.wrong(at+".job.due_time", why)
	case *belfryv1.JobSpec_Delay:
		w.wrong(at+".job.delay", why)
	}
	if _, fixed := s.GetJob().GetStartBy().(*belfryv1.JobSpec_StartByTime); fixed {
		w.wrong(at+".job.start_by_time", why+"; use start_within")
	}
}

// scheduleBatch checks a batch as a whole, and each of its schedules.
func (w *walker) scheduleBatch(req *belfryv1.BatchCreateSchedulesRequest) {
	first := make(map[string]int, len(req.GetSchedules()))
	for i, s := range req.GetSchedules() {
		at := fmt.Sprintf("schedules[%d]", i)
		w.newSchedule(at, s)
		if earlier, twice := first[s.GetSchedule()]; twice {
			w.wrong(at+".schedule", "is the same as schedules[%d].schedule; every schedule needs a name of its own", earlier)
			continue
		}
		first[s.GetSchedule()] = i
	}
	if w.bytes > maxBatchBytes {
		w.wrong("schedules", "hold %s bytes of payload and headers, and at most 4 MiB (%s) are taken in one call; send fewer schedules a call",
			grouped(int64(w.bytes)), grouped(maxBatchBytes))
	}
}
