package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// errorCases has at least one error for every reason.
func errorCases() []struct {
	err    error
	code   connect.Code
	reason string
	status int
} {
	return []struct {
		err    error
		code   connect.Code
		reason string
		status int
	}{
		{job.NotFound(job.SubjectJob, "job_x", ""), connect.CodeNotFound, "JOB_NOT_FOUND", 404},
		{job.NotFound(job.SubjectQueue, "mail", ""), connect.CodeNotFound, "QUEUE_NOT_FOUND", 404},
		{job.NotFound(job.SubjectSchedule, "nightly", ""), connect.CodeNotFound, "SCHEDULE_NOT_FOUND", 404},
		{job.NotFound(job.SubjectCalendar, "holidays", ""), connect.CodeNotFound, "CALENDAR_NOT_FOUND", 404},
		{job.InUse(job.SubjectCalendar, "schedules name it"), connect.CodeFailedPrecondition, "CALENDAR_IN_USE", 400},
		{job.NotFound(job.SubjectTenant, "acme", ""), connect.CodeNotFound, "TENANT_NOT_FOUND", 404},
		{job.NotFound(job.SubjectKey, "key_x", ""), connect.CodeNotFound, "API_KEY_NOT_FOUND", 404},
		{job.AlreadyExists(job.SubjectQueue, "mail"), connect.CodeAlreadyExists, "ALREADY_EXISTS", 409},
		{job.RequestIDReused("r-1"), connect.CodeAlreadyExists, "REQUEST_ID_REUSED", 409},
		{job.Invalid("job.queue", "must be a name"), connect.CodeInvalidArgument, "INVALID_FIELD", 400},
		{job.LeaseLost(), connect.CodeFailedPrecondition, "LEASE_LOST", 400},
		{job.Finished(job.NewID(testTime, 1), job.Dead), connect.CodeFailedPrecondition, "JOB_FINISHED", 400},
		{job.EtagMismatch(job.SubjectQueue, "mail"), connect.CodeAborted, "ETAG_MISMATCH", 409},
		{job.InUse(job.SubjectQueue, "queue mail holds 3 jobs; set force"), connect.CodeFailedPrecondition, "IN_USE", 400},
		{job.Protected(job.SubjectQueue, "mail"), connect.CodeFailedPrecondition, "DELETION_PROTECTED", 400},
		{job.LimitReached(job.LimitUse{Name: "schedules", Max: 100, Use: 100}, 1500*time.Millisecond),
			connect.CodeResourceExhausted, "LIMIT_REACHED", 429},
		{job.Unavailable(errors.New("dial db.internal")), connect.CodeUnavailable, "DATABASE_UNAVAILABLE", 503},
		{job.NotReady("is draining"), connect.CodeUnavailable, "NOT_READY", 503},
		{job.ScheduleRunning("wait"), connect.CodeFailedPrecondition, "SCHEDULE_RUNNING", 400},
		{fmt.Errorf("%w: it expired", tenancy.ErrKeyInvalid), connect.CodeUnauthenticated, "KEY_INVALID", 401},
		{fmt.Errorf("%w: needs ADMIN", tenancy.ErrKeyScope), connect.CodePermissionDenied, "KEY_SCOPE", 403},
		{fmt.Errorf("%w: %w", tenancy.ErrUnavailable, context.DeadlineExceeded),
			connect.CodeUnavailable, "DATABASE_UNAVAILABLE", 503},
		{fmt.Errorf("claim: %w: dial db.internal", store.ErrUnavailable), connect.CodeUnavailable, "DATABASE_UNAVAILABLE", 503},
		{fmt.Errorf("claim: %w: %w", store.ErrUnknown, context.DeadlineExceeded), connect.CodeUnavailable, "DATABASE_UNAVAILABLE", 503},
		{tenancy.ErrTenantNotFound, connect.CodeNotFound, "TENANT_NOT_FOUND", 404},
		{fmt.Errorf("%w: required", tenancy.ErrTenantID), connect.CodeInvalidArgument, "INVALID_FIELD", 400},
		{errors.New("pq: relation db.internal"), connect.CodeInternal, "INTERNAL", 500},
		{&job.Error{Kind: 99, Msg: "db.internal"}, connect.CodeInternal, "INTERNAL", 500},
		// An inner bound of the server, while the caller still waits.
		{context.DeadlineExceeded, connect.CodeUnavailable, "DATABASE_UNAVAILABLE", 503},
		{context.Canceled, connect.CodeUnavailable, "DATABASE_UNAVAILABLE", 503},
	}
}

func TestErrors_OnTheWireHaveCodeReasonAndStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen := map[string]bool{"DEADLINE": true} // has a test of its own
	for _, c := range errorCases() {
		wrapped := fmt.Errorf("get job: %w", c.err)
		w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) { return nil, wrapped }
		for _, protocol := range [][]connect.ClientOption{nil, {connect.WithGRPC()}, {connect.WithGRPCWeb()}} {
			_, err := w.client("admin", protocol...).GetJob(t.Context(), &belfryv1.GetJobRequest{JobId: "job_x"})
			var got *connect.Error
			if !errors.As(err, &got) {
				t.Fatalf("%v: got %v", c.err, err)
			}
			if got.Code() != c.code || reasonOf(t, got) != c.reason {
				t.Errorf("%v: got %s %s, want %s %s", c.err, got.Code(), reasonOf(t, got), c.code, c.reason)
			}
			if strings.Contains(got.Message(), "db.internal") {
				t.Errorf("%q tells of the inside", got.Message())
			}
		}
		plain, _ := w.curl(t, "JobService/GetJob", `{"jobId":"job_x"}`)
		if plain.Status != c.status {
			t.Errorf("%v: status %d, want %d", c.err, plain.Status, c.status)
		}
		seen[c.reason] = true
	}
	for number, name := range belfryv1.ErrorReason_name {
		if name = strings.TrimPrefix(name, "ERROR_REASON_"); number != 0 && !seen[name] {
			t.Errorf("no error has the reason %s", name)
		}
	}
}

func TestErrors_CarryTheirDetails(t *testing.T) {
	t.Parallel()
	tr := NewTranslator(slog.New(slog.DiscardHandler))
	bad, ok := detail[*errdetails.BadRequest](tr.Error(t.Context(), job.InvalidFields([]job.FieldViolation{
		{Field: "jobs[3].job.queue", Description: "is required"}, {Field: "jobs[4]", Description: "is too large"}})))
	if !ok || len(bad.GetFieldViolations()) != 2 || bad.GetFieldViolations()[0].GetField() != "jobs[3].job.queue" {
		t.Errorf("field violations: %v", bad)
	}
	limit := tr.Error(t.Context(), job.LimitReached(job.LimitUse{Name: "schedules", Max: 100, Use: 100}, 1500*time.Millisecond))
	quota, ok := detail[*errdetails.QuotaFailure](limit)
	if !ok || quota.GetViolations()[0].GetSubject() != "schedules" || quota.GetViolations()[0].GetQuotaValue() != 100 {
		t.Errorf("quota: %v", quota)
	}
	retry, ok := detail[*errdetails.RetryInfo](limit)
	if !ok || retry.GetRetryDelay().AsDuration() != 1500*time.Millisecond || limit.Meta().Get("Retry-After") != "2" {
		t.Errorf("retry: %v, header %q", retry, limit.Meta().Get("Retry-After"))
	}
}

func TestErrors_UnknownIsLoggedOnceWithItsIncident(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		return nil, errors.New("boom in db.internal")
	}
	got, _ := w.curl(t, "JobService/GetJob", `{"jobId":"job_x"}`)
	_, rest, ok := strings.Cut(got.Message, "incident ")
	if !ok {
		t.Fatalf("message %q", got.Message)
	}
	incident, _, _ := strings.Cut(rest, " ")
	log := w.log.String()
	if strings.Count(log, "boom in db.internal") != 1 || strings.Count(log, incident) != 1 {
		t.Errorf("incident %s in log %s", incident, log)
	}
}

func TestItem_SaysTheSameAsTheCall(t *testing.T) {
	t.Parallel()
	tr := NewTranslator(slog.New(slog.DiscardHandler))
	for _, c := range errorCases() {
		item := tr.Item(t.Context(), c.err)
		if item.GetCode() != c.code.String() || reasonName(item.GetReason()) != c.reason || item.GetMessage() == "" {
			t.Errorf("%v: got %v", c.err, item)
		}
	}
}

func TestErrors_OfTheCallersOwnDeadlineAndCancellation(t *testing.T) {
	t.Parallel()
	tr := NewTranslator(slog.New(slog.DiscardHandler))
	late, cancel := context.WithDeadline(t.Context(), testTime)
	defer cancel()
	if got := tr.Error(late, fmt.Errorf("claim: %w", late.Err())); got.Code() != connect.CodeDeadlineExceeded ||
		reasonOf(t, got) != "DEADLINE" {
		t.Errorf("deadline: %v", got)
	}
	gone, cancelGone := context.WithCancel(t.Context())
	cancelGone()
	if got := tr.Error(gone, gone.Err()); got.Code() != connect.CodeCanceled {
		t.Errorf("cancelled: %v", got)
	}
	if got := tr.Error(gone, job.LeaseLost()); got.Code() != connect.CodeFailedPrecondition {
		t.Errorf("a definite answer is kept though the caller left: %v", got)
	}
}
