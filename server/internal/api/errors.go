package api

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// errorDomain is the domain of every ErrorInfo.
const errorDomain = "belfry"

// outcome is how one kind of domain error is told to a caller.
type outcome struct {
	code   connect.Code
	reason belfryv1.ErrorReason
}

// The one table of codes and reasons. NotFound is completed by notFoundReason.
var (
	notFound      = outcome{connect.CodeNotFound, belfryv1.ErrorReason_ERROR_REASON_JOB_NOT_FOUND}
	alreadyExists = outcome{connect.CodeAlreadyExists, belfryv1.ErrorReason_ERROR_REASON_ALREADY_EXISTS}
	idReused      = outcome{connect.CodeAlreadyExists, belfryv1.ErrorReason_ERROR_REASON_REQUEST_ID_REUSED}
	invalidField  = outcome{connect.CodeInvalidArgument, belfryv1.ErrorReason_ERROR_REASON_INVALID_FIELD}
	leaseLost     = outcome{connect.CodeFailedPrecondition, belfryv1.ErrorReason_ERROR_REASON_LEASE_LOST}
	jobFinished   = outcome{connect.CodeFailedPrecondition, belfryv1.ErrorReason_ERROR_REASON_JOB_FINISHED}
	etagMismatch  = outcome{connect.CodeAborted, belfryv1.ErrorReason_ERROR_REASON_ETAG_MISMATCH}
	inUse         = outcome{connect.CodeFailedPrecondition, belfryv1.ErrorReason_ERROR_REASON_IN_USE}
	calendarInUse = outcome{connect.CodeFailedPrecondition, belfryv1.ErrorReason_ERROR_REASON_CALENDAR_IN_USE}
	protected     = outcome{connect.CodeFailedPrecondition, belfryv1.ErrorReason_ERROR_REASON_DELETION_PROTECTED}
	limitReached  = outcome{connect.CodeResourceExhausted, belfryv1.ErrorReason_ERROR_REASON_LIMIT_REACHED}
	databaseAway  = outcome{connect.CodeUnavailable, belfryv1.ErrorReason_ERROR_REASON_DATABASE_UNAVAILABLE}
	notReady      = outcome{connect.CodeUnavailable, belfryv1.ErrorReason_ERROR_REASON_NOT_READY}
	keyInvalid    = outcome{connect.CodeUnauthenticated, belfryv1.ErrorReason_ERROR_REASON_KEY_INVALID}
	keyScope      = outcome{connect.CodePermissionDenied, belfryv1.ErrorReason_ERROR_REASON_KEY_SCOPE}
	scheduleRuns  = outcome{connect.CodeFailedPrecondition, belfryv1.ErrorReason_ERROR_REASON_SCHEDULE_RUNNING}
	deadline      = outcome{connect.CodeDeadlineExceeded, belfryv1.ErrorReason_ERROR_REASON_DEADLINE}
	// A cancelled call has nobody left who reads a reason, so there is none for it.
	cancelled = outcome{connect.CodeCanceled, belfryv1.ErrorReason_ERROR_REASON_UNSPECIFIED}
	internal  = outcome{connect.CodeInternal, belfryv1.ErrorReason_ERROR_REASON_INTERNAL}
)

func outcomeOf(e *job.Error) outcome {
	switch e.Kind {
	case job.ErrNotFound:
		return outcome{notFound.code, notFoundReason(e.Subject)}
	case job.ErrAlreadyExists:
		return alreadyExists
	case job.ErrRequestIDReused:
		return idReused
	case job.ErrInvalidField:
		return invalidField
	case job.ErrLeaseLost:
		return leaseLost
	case job.ErrFinished:
		return jobFinished
	case job.ErrEtagMismatch:
		return etagMismatch
	case job.ErrInUse:
		if e.Subject == job.SubjectCalendar {
			return calendarInUse
		}
		return inUse
	case job.ErrProtected:
		return protected
	case job.ErrLimit:
		return limitReached
	case job.ErrUnavailable:
		return databaseAway
	case job.ErrNotReady:
		return notReady
	case job.ErrScheduleRunning:
		return scheduleRuns
	}
	return internal
}

func notFoundReason(s job.Subject) belfryv1.ErrorReason {
	switch s {
	case job.SubjectQueue:
		return belfryv1.ErrorReason_ERROR_REASON_QUEUE_NOT_FOUND
	case job.SubjectSchedule:
		return belfryv1.ErrorReason_ERROR_REASON_SCHEDULE_NOT_FOUND
	case job.SubjectCalendar:
		return belfryv1.ErrorReason_ERROR_REASON_CALENDAR_NOT_FOUND
	case job.SubjectTenant:
		return belfryv1.ErrorReason_ERROR_REASON_TENANT_NOT_FOUND
	case job.SubjectKey:
		return belfryv1.ErrorReason_ERROR_REASON_API_KEY_NOT_FOUND
	}
	return belfryv1.ErrorReason_ERROR_REASON_JOB_NOT_FOUND
}

// refusal is an outcome with all that is said about it.
type refusal struct {
	outcome
	msg        string
	fields     []job.FieldViolation
	limit      job.LimitUse
	retryAfter time.Duration
}

// Translator turns errors of the engine into those of the API.
type Translator struct {
	log      *slog.Logger
	incident func() string // makes the id of an incident
}

// NewTranslator returns a Translator that logs incidents to log.
func NewTranslator(log *slog.Logger) *Translator {
	return &Translator{log: log, incident: newIncident}
}

func newIncident() string { return "inc_" + strings.ToLower(rand.Text()[:16]) }

// Error returns what the caller of the call with context ctx is told about err, which must not be nil. An error that is
// not known here is logged with a fresh incident id, once, and told as INTERNAL with that id. Errors of Connect itself
// are returned as they are.
func (t *Translator) Error(ctx context.Context, err error) *connect.Error {
	var own *connect.Error
	if errors.As(err, &own) {
		return own
	}
	return t.refusal(ctx, err).connectError()
}

// Item returns what is told about err as the result of one item of a batch.
func (t *Translator) Item(ctx context.Context, err error) *belfryv1.ItemError {
	r := t.refusal(ctx, err)
	return &belfryv1.ItemError{Code: r.code.String(), Reason: r.reason, Message: r.msg}
}

func (t *Translator) refusal(ctx context.Context, err error) refusal {
	if e, ok := job.AsError(err); ok {
		if o := outcomeOf(e); o != internal {
			return refusal{outcome: o, msg: e.Msg, fields: e.Fields, limit: e.Limit, retryAfter: e.RetryAfter}
		}
	}
	switch {
	case errors.Is(err, tenancy.ErrUnavailable), errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrUnknown),
		store.IsContention(err):
		t.log.WarnContext(ctx, "database unavailable", "error", err)
		return unavailable()
	case errors.Is(err, tenancy.ErrKeyInvalid):
		return refusal{outcome: keyInvalid, msg: err.Error()}
	case errors.Is(err, tenancy.ErrKeyScope):
		return refusal{outcome: keyScope, msg: err.Error()}
	case errors.Is(err, tenancy.ErrTenantNotFound):
		return refusal{outcome: outcome{notFound.code, notFoundReason(job.SubjectTenant)}, msg: err.Error()}
	case errors.Is(err, tenancy.ErrTenantID):
		e := job.Invalid("tenant_id", strings.TrimPrefix(err.Error(), tenancy.ErrTenantID.Error()+": "))
		return refusal{outcome: invalidField, msg: e.Msg, fields: e.Fields}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return interrupted(ctx)
	}
	return t.unknown(ctx, err)
}

// interrupted tells apart who ended the call: the caller, an inner bound of the server's own, or the server as a whole,
// which says so in the context's cause.
func interrupted(ctx context.Context) refusal {
	if e, ok := job.AsError(context.Cause(ctx)); ok {
		return refusal{outcome: outcomeOf(e), msg: e.Msg, retryAfter: e.RetryAfter}
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return refusal{outcome: deadline, msg: "the deadline of the call passed before its answer was known; " +
			"repeat it with the same request_id or lease token, and more time"}
	case ctx.Err() != nil:
		return refusal{outcome: cancelled, msg: "the caller cancelled the call"}
	}
	return unavailable()
}

func unavailable() refusal {
	e := job.Unavailable(nil)
	return refusal{outcome: databaseAway, msg: e.Msg, retryAfter: e.RetryAfter}
}

func (t *Translator) unknown(ctx context.Context, err error) refusal {
	id := t.incident()
	t.log.ErrorContext(ctx, "internal error", "incident", id, "error", err)
	return refusal{outcome: internal,
		msg: "internal error; report incident " + id + " to the operator, whose log tells more about it"}
}

func (r refusal) connectError() *connect.Error {
	err := connect.NewError(r.code, errors.New(r.msg))
	if r.reason != belfryv1.ErrorReason_ERROR_REASON_UNSPECIFIED {
		addDetail(err, &errdetails.ErrorInfo{Reason: reasonName(r.reason), Domain: errorDomain})
	}
	if len(r.fields) > 0 {
		addDetail(err, badRequest(r.fields))
	}
	if r.limit.Name != "" {
		addDetail(err, &errdetails.QuotaFailure{Violations: []*errdetails.QuotaFailure_Violation{{
			Subject: r.limit.Name, Description: r.msg, QuotaValue: r.limit.Max,
		}}})
	}
	if r.retryAfter > 0 {
		addDetail(err, &errdetails.RetryInfo{RetryDelay: durationpb.New(r.retryAfter)})
		seconds := (r.retryAfter + time.Second - 1) / time.Second
		err.Meta().Set("Retry-After", strconv.FormatInt(int64(seconds), 10))
	}
	return err
}

func badRequest(fields []job.FieldViolation) *errdetails.BadRequest {
	out := &errdetails.BadRequest{}
	for _, f := range fields {
		out.FieldViolations = append(out.FieldViolations,
			&errdetails.BadRequest_FieldViolation{Field: f.Field, Description: f.Description})
	}
	return out
}

// reasonName returns the name of r as ErrorInfo carries it.
func reasonName(r belfryv1.ErrorReason) string {
	return strings.TrimPrefix(r.String(), "ERROR_REASON_")
}

func addDetail(err *connect.Error, msg proto.Message) {
	// Marshalling these messages cannot fail: their strings were checked, or are ours.
	if detail, failed := connect.NewErrorDetail(msg); failed == nil {
		err.AddDetail(detail)
	}
}
