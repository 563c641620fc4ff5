package belfry

import (
	"context"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/internal/clock"
)

const (
	// maxReportBytes bounds the results and errors of one call; the first item
	// goes whatever its size.
	maxReportBytes = 2 << 20
	// maxReportBackoff bounds the wait between final calls that fail.
	maxReportBackoff = 5 * time.Second
)

// reports ends leases at the server. Each kind of final call has a lane of its
// own, so that a slow or refused call of one kind holds up no other.
type reports struct {
	complete lane[*v1.CompleteItem]
	fail     lane[*v1.FailItem]
	release  lane[*v1.ReleaseItem]
}

func newReports(s *shift) *reports {
	r := &reports{}
	r.complete = lane[*v1.CompleteItem]{shift: s, name: "complete",
		call: func(ctx context.Context, items []*v1.CompleteItem) ([]*v1.FinishResult, error) {
			response, err := s.calls.CompleteJobs(ctx, &v1.CompleteJobsRequest{TenantId: s.tenantID, Items: items})
			return response.GetResults(), err
		},
		// A success that the server will not take (say, an unfit result) must end
		// somehow; run out, it would be repeated without a word.
		refused: func(l *lease, err *Error) {
			r.fail.submit(l, &v1.FailItem{LeaseToken: l.token, Error: "the server refused the completion: " + errorText(err)})
		},
	}
	r.fail = lane[*v1.FailItem]{shift: s, name: "fail",
		call: func(ctx context.Context, items []*v1.FailItem) ([]*v1.FinishResult, error) {
			response, err := s.calls.FailJobs(ctx, &v1.FailJobsRequest{TenantId: s.tenantID, Items: items})
			return response.GetResults(), err
		},
	}
	r.release = lane[*v1.ReleaseItem]{shift: s, name: "release",
		call: func(ctx context.Context, items []*v1.ReleaseItem) ([]*v1.FinishResult, error) {
			response, err := s.calls.ReleaseJobs(ctx, &v1.ReleaseJobsRequest{TenantId: s.tenantID, Items: items})
			return response.GetResults(), err
		},
	}
	return r
}

// begin sets the context of all calls; when it ends, what is queued is dropped.
func (r *reports) begin(ctx context.Context) {
	r.complete.ctx, r.fail.ctx, r.release.ctx = ctx, ctx, ctx
}

// lane sends final calls of one kind, one call at a time: at once if none is on
// its way, else gathered until it is back. A call without an answer is repeated
// with the same tokens until it is answered: a repeated final call is OK and
// changes nothing. Safe for concurrent use.
type lane[I proto.Message] struct {
	*shift
	name string
	// ctx is that of the shift: calls outlive the handlers that submit them.
	ctx  context.Context
	call func(ctx context.Context, items []I) ([]*v1.FinishResult, error)
	// refused is told of items the server will never take; nil: they are logged.
	refused func(l *lease, err *Error)

	mu      sync.Mutex
	queue   []report[I]
	sending bool
}

type report[I proto.Message] struct {
	lease *lease
	item  I
}

// submit reports the end of a lease. It returns at once while another goroutine
// is sending; else it sends until the queue is empty.
func (n *lane[I]) submit(l *lease, item I) {
	n.mu.Lock()
	n.queue = append(n.queue, report[I]{l, item})
	leads := !n.sending
	n.sending = true
	n.mu.Unlock()
	if !leads {
		return
	}
	for {
		batch := n.next()
		if batch == nil {
			return
		}
		n.send(batch)
	}
}

// next takes the next batch; with none left, or after the end of the shift, it
// ends the caller's lead.
func (n *lane[I]) next() []report[I] {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.queue) == 0 || n.ctx.Err() != nil {
		n.sending = false
		return nil
	}
	count, size := 0, 0
	for count < min(len(n.queue), maxItems) {
		size += proto.Size(n.queue[count].item)
		if count > 0 && size > maxReportBytes {
			break
		}
		count++
	}
	batch := n.queue[:count:count]
	if n.queue = n.queue[count:]; len(n.queue) == 0 {
		n.queue = nil
	}
	return batch
}

// send repeats a batch until every item is answered, or the shift ends.
func (n *lane[I]) send(batch []report[I]) {
	for failures := 0; len(batch) > 0; {
		items := make([]I, len(batch))
		for i, report := range batch {
			items[i] = report.item
		}
		results, err := n.call(n.ctx, items)
		if err == nil && len(results) != len(batch) {
			err = &Error{Code: CodeInternal, Message: "the answer has another number of results than the call had items"}
		}
		if err == nil {
			if batch = n.answered(batch, results); len(batch) == 0 {
				return
			}
			err = &Error{Code: CodeUnavailable, Message: "some items were not done"}
		}
		if n.ctx.Err() != nil {
			return
		}
		e := errorOf(err)
		if neverTaken(e) {
			n.splitOrRefuse(batch, e)
			return
		}
		failures++
		n.logFailure(e, failures, len(batch))
		if clock.Sleep(n.ctx, n.clock, max(backoff(failures, maxReportBackoff), min(e.RetryAfter, time.Minute))) != nil {
			return
		}
	}
}

// answered closes the leases whose end is known, and returns the reports that
// must be repeated.
func (n *lane[I]) answered(batch []report[I], results []*v1.FinishResult) (again []report[I]) {
	for i, report := range batch {
		e := itemError(results[i].GetError())
		switch {
		case e == nil:
			n.leases.close(report.lease)
		case e.Code == CodeFailedPrecondition || e.Code == CodeNotFound:
			n.log.Debug("lease had ended before", "call", n.name, "job_id", report.lease.job.JobID, "attempt", report.lease.job.Attempt, "error", e)
			n.leases.close(report.lease)
		case neverTaken(e):
			n.refuse(report, e)
		default:
			again = append(again, report)
		}
	}
	return again
}

// splitOrRefuse finds the items for which a whole call was refused.
func (n *lane[I]) splitOrRefuse(batch []report[I], e *Error) {
	if len(batch) == 1 {
		n.refuse(batch[0], e)
		return
	}
	half := len(batch) / 2
	n.send(batch[:half])
	n.send(batch[half:])
}

func (n *lane[I]) refuse(report report[I], e *Error) {
	n.log.Error("the server refuses to end an attempt", "call", n.name, "job_id", report.lease.job.JobID, "attempt", report.lease.job.Attempt, "error", e)
	if n.refused != nil {
		n.refused(report.lease, e)
		return
	}
	n.leases.close(report.lease)
}

func (n *lane[I]) logFailure(e *Error, failures, items int) {
	if failures == 1 {
		n.log.Warn("final call failed; will retry", "call", n.name, "items", items, "error", e)
		return
	}
	n.log.Debug("final call failed; will retry", "call", n.name, "items", items, "failures", failures, "error", e)
}

// neverTaken reports whether repeating the same item cannot help. A
// RESOURCE_EXHAUSTED without a time to wait is a message that is too large.
func neverTaken(e *Error) bool {
	switch e.Code {
	case CodeInvalidArgument, CodeUnimplemented:
		return true
	case CodeResourceExhausted:
		return e.RetryAfter == 0
	default:
		return false
	}
}
