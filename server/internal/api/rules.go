package api

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// maxBatchBytes bounds the payloads and headers of one batch of jobs or schedules together, as each of them is measured.
const maxBatchBytes = 4 << 20

// reservedHeader starts the names of headers that are ours, in any case.
const reservedHeader = "belfry-"

// request checks the rules of whole requests, after their parts were visited.
func (w *walker) request(m proto.Message) {
	switch req := m.(type) {
	case *belfryv1.BatchCreateJobsRequest:
		w.batch(req)
	case *belfryv1.CreateScheduleRequest:
		w.newSchedule("schedule", req.GetSchedule())
	case *belfryv1.BatchCreateSchedulesRequest:
		w.scheduleBatch(req)
	case *belfryv1.UpdateScheduleRequest:
		w.scheduleParts("schedule", req.GetSchedule()) // whether it has a form is asked of the whole
	case *belfryv1.CreateCalendarRequest:
		w.calendarDays("calendar.days", req.GetCalendar().GetDays())
	case *belfryv1.UpdateCalendarRequest:
		w.calendarDays("calendar.days", req.GetCalendar().GetDays())
	case *belfryv1.PreviewScheduleRequest:
		w.form("spec", req.GetSpec())
		w.scheduleSpec("spec", req.GetSpec())
	}
}

// jobSpec checks what the proto rules cannot say of a job; its parts are visited apart.
func (w *walker) jobSpec(spec *belfryv1.JobSpec) {
	for name, value := range spec.GetHeaders() {
		w.bytes += len(name) + len(value)
		if len(name) >= len(reservedHeader) && strings.EqualFold(name[:len(reservedHeader)], reservedHeader) {
			w.wrong(fmt.Sprintf("headers[%q]", clip(name)),
				"must not begin with %q: those names are reserved; choose another", reservedHeader)
		}
	}
	if due := spec.GetDueTime(); due.IsValid() && due.AsTime().After(latestDue(w.now)) {
		w.wrong("due_time", "must be at most 10 years ahead; it is %s", due.AsTime().Format(time.RFC3339))
	}
	// A start_by_time is compared with the due time that was asked for, never with the clock: a repeated call must be
	// answered by the job of the first one, however late it comes.
	if due, by := spec.GetDueTime(), spec.GetStartByTime(); due.IsValid() && by.IsValid() && by.AsTime().Before(due.AsTime()) {
		w.wrong("start_by_time", "must not be before due_time, or the job could never start")
	}
}

func (w *walker) batch(req *belfryv1.BatchCreateJobsRequest) {
	first := make(map[string]int, len(req.GetJobs()))
	for i, item := range req.GetJobs() {
		id := item.GetRequestId()
		if id == "" {
			continue
		}
		if earlier, twice := first[id]; twice {
			w.wrong(fmt.Sprintf("jobs[%d].request_id", i),
				"is the same as jobs[%d].request_id; every item needs an id of its own", earlier)
			continue
		}
		first[id] = i
	}
	if w.bytes > maxBatchBytes {
		w.wrong("jobs", "hold %s bytes of payload and headers, and at most 4 MiB (%s) are taken in one call; send fewer jobs a call",
			grouped(int64(w.bytes)), grouped(maxBatchBytes))
	}
}
