package belfry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"connectrpc.com/connect"
)

// Code is the status of a failed call, spelled as the Connect protocol spells
// it. Servers of later versions may send others.
type Code string

// The codes Belfry uses.
const (
	CodeCanceled           Code = "canceled"
	CodeUnknown            Code = "unknown"
	CodeInvalidArgument    Code = "invalid_argument"
	CodeDeadlineExceeded   Code = "deadline_exceeded"
	CodeNotFound           Code = "not_found"
	CodeAlreadyExists      Code = "already_exists"
	CodePermissionDenied   Code = "permission_denied"
	CodeResourceExhausted  Code = "resource_exhausted"
	CodeFailedPrecondition Code = "failed_precondition"
	CodeAborted            Code = "aborted"
	CodeUnimplemented      Code = "unimplemented"
	CodeInternal           Code = "internal"
	CodeUnavailable        Code = "unavailable"
	CodeUnauthenticated    Code = "unauthenticated"
)

// Reason is the machine-readable cause of an Error: a name of the API's
// ErrorReason without its prefix. Tolerate names you do not know and fall back
// on the Code.
type Reason string

// The reasons that programs most often branch on; ErrorReason in the API lists
// all of them.
const (
	ReasonInvalidField        Reason = "INVALID_FIELD"
	ReasonJobNotFound         Reason = "JOB_NOT_FOUND"
	ReasonQueueNotFound       Reason = "QUEUE_NOT_FOUND"
	ReasonTenantNotFound      Reason = "TENANT_NOT_FOUND"
	ReasonAPIKeyNotFound      Reason = "API_KEY_NOT_FOUND"
	ReasonScheduleNotFound    Reason = "SCHEDULE_NOT_FOUND"
	ReasonScheduleRunning     Reason = "SCHEDULE_RUNNING"
	ReasonCalendarNotFound    Reason = "CALENDAR_NOT_FOUND"
	ReasonCalendarInUse       Reason = "CALENDAR_IN_USE"
	ReasonAlreadyExists       Reason = "ALREADY_EXISTS"
	ReasonRequestIDReused     Reason = "REQUEST_ID_REUSED"
	ReasonLeaseLost           Reason = "LEASE_LOST"
	ReasonJobFinished         Reason = "JOB_FINISHED"
	ReasonETagMismatch        Reason = "ETAG_MISMATCH"
	ReasonInUse               Reason = "IN_USE"
	ReasonDeletionProtected   Reason = "DELETION_PROTECTED"
	ReasonKeyInvalid          Reason = "KEY_INVALID"
	ReasonKeyScope            Reason = "KEY_SCOPE"
	ReasonLimitReached        Reason = "LIMIT_REACHED"
	ReasonDatabaseUnavailable Reason = "DATABASE_UNAVAILABLE"
	ReasonNotReady            Reason = "NOT_READY"
)

// FieldViolation names one field that breaks its documented rule.
type FieldViolation struct {
	// Field is its path in the request, e.g. "jobs[3].job.queue".
	Field string
	// Description says what the rule is and what to do.
	Description string
}

// Error is a call that the server refused, or that could not be made at all
// (then Reason is empty). It wraps the transport's error, so errors.Is finds
// context.Canceled and context.DeadlineExceeded.
type Error struct {
	Code            Code
	Reason          Reason
	Message         string
	FieldViolations []FieldViolation
	// RetryAfter is how long the server asks to wait; 0 if it did not say.
	RetryAfter time.Duration
	cause      error
}

// Error says what happened and what to do next, for people.
func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString(string(e.Code))
	if e.Reason != "" {
		fmt.Fprintf(&text, " (%s)", e.Reason)
	}
	text.WriteString(": ")
	text.WriteString(e.Message)
	for _, violation := range e.FieldViolations {
		fmt.Fprintf(&text, "; %s: %s", violation.Field, violation.Description)
	}
	return text.String()
}

// Unwrap returns the transport's error; nil for the error of one item of a
// batch.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of an *Error in err's chain; "" for nil, and
// CodeUnknown for other errors.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeUnknown
}

// ReasonOf returns the reason of an *Error in err's chain, else "".
func ReasonOf(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// IsNotFound reports whether the thing named in the call does not exist, for
// this tenant.
func IsNotFound(err error) bool { return CodeOf(err) == CodeNotFound }

// IsAlreadyExists reports whether the name, or the request id with another
// body, is taken.
func IsAlreadyExists(err error) bool { return CodeOf(err) == CodeAlreadyExists }

// IsInvalid reports whether the request breaks a documented rule; see
// Error.FieldViolations.
func IsInvalid(err error) bool { return CodeOf(err) == CodeInvalidArgument }

// IsUnavailable reports whether the server or its database could not be
// reached, after all retries.
func IsUnavailable(err error) bool { return CodeOf(err) == CodeUnavailable }

// IsResourceExhausted reports whether a limit is reached; see
// Error.RetryAfter.
func IsResourceExhausted(err error) bool { return CodeOf(err) == CodeResourceExhausted }

// IsLeaseLost reports whether the lease a call was made under has ended, as an
// answer of the server or as the cause of a handler's context.
func IsLeaseLost(err error) bool {
	return errors.Is(err, ErrLeaseLost) || ReasonOf(err) == ReasonLeaseLost
}

// errorOf turns what a Connect client returned into an *Error.
func errorOf(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var wire *connect.Error
	if !errors.As(err, &wire) {
		code := CodeUnknown
		switch {
		case errors.Is(err, context.Canceled):
			code = CodeCanceled
		case errors.Is(err, context.DeadlineExceeded):
			code = CodeDeadlineExceeded
		}
		return &Error{Code: code, Message: err.Error(), cause: err}
	}
	e = &Error{Code: Code(wire.Code().String()), Message: wire.Message(), cause: err}
	for _, detail := range wire.Details() {
		e.addDetail(detail.Type(), detail.Bytes())
	}
	return e
}
