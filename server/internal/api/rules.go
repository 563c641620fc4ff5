package api

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// maxBatchBytes bounds the payloads and headers of one BatchCreateJobs together, as each of them is measured.
const maxBatchBytes = 4 << 20

// reservedHeader starts the names of headers that are ours, in any case.
const reservedHeader = "belfry-"

// request checks the rules of whole requests, after their parts were visited.
func (w *walker) request(m proto.Message) {
	switch req := m.(type) {
	case *belfryv1.BatchCreateJobsRequest:
		w.batch(req)
	case *belfryv1.CreateScheduleRequest:
		w.newSchedule(req.GetSchedule())
	case *belfryv1.UpdateScheduleRequest:
		w.template(req.GetSchedule())
		w.scheduleSpec("schedule.spec", req.GetSchedule().GetSpec())
	case *belfryv1.PreviewScheduleRequest:
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

func (w *walker) newSchedule(s *belfryv1.Schedule) {
	if s == nil {
		return // reported as required
	}
	if s.GetSpec() == nil {
		w.wrong("schedule.spec", "is required")
	}
	if s.GetJob() == nil {
		w.wrong("schedule.job", "is required")
	}
	w.scheduleSpec("schedule.spec", s.GetSpec())
	w.template(s)
}

func (w *walker) scheduleSpec(field string, spec *belfryv1.ScheduleSpec) {
	if spec != nil && spec.GetSpec() == nil {
		w.wrong(field+".cron", "is required: it says when the schedule fires")
	}
}

// template refuses what an occurrence takes from its nominal time instead.
func (w *walker) template(s *belfryv1.Schedule) {
	const why = "must be absent in a schedule: each occurrence is due at its nominal time"
	switch s.GetJob().GetWhen().(type) {
	case *belfryv1.JobSpec_DueTime:
		w.wrong("schedule.job.due_time", why)
	case *belfryv1.JobSpec_Delay:
		w.wrong("schedule.job.delay", why)
	}
	if _, fixed := s.GetJob().GetStartBy().(*belfryv1.JobSpec_StartByTime); fixed {
		w.wrong("schedule.job.start_by_time", why+"; use start_within")
	}
}
