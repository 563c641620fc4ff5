package job

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is the family of an Error. A Kind is itself an error, so that callers ask errors.Is(err, job.ErrLeaseLost).
type Kind uint8

// Kinds of errors that a caller of the API can get. Everything else is a fault of the server.
const (
	ErrNotFound        Kind = iota + 1 // no such thing for this tenant
	ErrAlreadyExists                   // the name is taken
	ErrRequestIDReused                 // the request_id was used with another body
	ErrInvalidField                    // a field breaks its rule; see Fields
	ErrLeaseLost                       // the lease has ended
	ErrFinished                        // the job is in a final state
	ErrEtagMismatch                    // the resource has changed since it was read
	ErrInUse                           // the resource is needed; the message says by what
	ErrProtected                       // deletion_protection is on
	ErrLimit                           // a limit is reached; see Limit
	ErrUnavailable                     // the database is slow or away
	ErrNotReady                        // this server is starting, draining, or waits for its partitions
	ErrScheduleRunning                 // a run of the schedule is alive, and its overlap policy lets no other begin
)

var kindTexts = [...]string{
	ErrNotFound: "not found", ErrAlreadyExists: "already exists", ErrRequestIDReused: "request_id reused",
	ErrInvalidField: "invalid field", ErrLeaseLost: "lease lost", ErrFinished: "job finished",
	ErrEtagMismatch: "etag mismatch", ErrInUse: "in use", ErrProtected: "deletion protected",
	ErrLimit: "limit reached", ErrUnavailable: "database unavailable", ErrNotReady: "not ready",
	ErrScheduleRunning: "schedule running",
}

// Error returns the name of the kind.
func (k Kind) Error() string {
	if int(k) < len(kindTexts) && kindTexts[k] != "" {
		return kindTexts[k]
	}
	return "unknown kind " + strconv.Itoa(int(k))
}

// Subject is what an Error is about.
type Subject string

// Subjects.
const (
	SubjectJob      Subject = "job"
	SubjectQueue    Subject = "queue"
	SubjectSchedule Subject = "schedule"
	SubjectCalendar Subject = "calendar"
	SubjectTenant   Subject = "tenant"
	SubjectKey      Subject = "API key"
)

// FieldViolation is one field of a request that breaks its rule.
type FieldViolation struct {
	Field       string // path in proto names, e.g. jobs[3].job.queue
	Description string // what the rule is, as the end of a sentence that begins with the field
}

// LimitUse is a limit that was reached.
type LimitUse struct {
	Name string // as documented, e.g. "schedules"
	Max  int64
	Use  int64
}

// Error is a refusal that the caller can understand and act on. It is immutable once built.
type Error struct {
	Kind       Kind
	Subject    Subject          // of ErrNotFound and ErrAlreadyExists; otherwise optional
	Fields     []FieldViolation // of ErrInvalidField
	Limit      LimitUse         // of ErrLimit
	RetryAfter time.Duration    // 0: nothing to say
	Msg        string           // shown to the caller: what happened and what to do next; nothing internal
	Cause      error            // for the log only; nil is usual
}

// Error returns the message for the caller.
func (e *Error) Error() string { return e.Msg }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && k == e.Kind
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// NotFound says that the tenant has no such thing. The text depends on nothing but the name that the caller gave, so
// that another tenant's thing and none at all answer alike. hint, optional, is a sentence on what to do next.
func NotFound(s Subject, name, hint string) *Error {
	if hint == "" {
		hint = "check its name"
		if s == SubjectJob {
			hint = "check the id; finished jobs are kept only as long as their history"
		}
	}
	return &Error{Kind: ErrNotFound, Subject: s, Msg: fmt.Sprintf("there is no %s %q; %s", s, name, hint)}
}

// AlreadyExists says that the name is taken.
func AlreadyExists(s Subject, name string) *Error {
	return &Error{Kind: ErrAlreadyExists, Subject: s,
		Msg: fmt.Sprintf("%s %q exists already; use another name, or update it", s, name)}
}

// RequestIDReused says that the request_id belongs to a call with another body.
func RequestIDReused(requestID string) *Error {
	return &Error{Kind: ErrRequestIDReused, Msg: fmt.Sprintf(
		"request_id %q was used within 24 hours by a call with another body; use a new id for a new call", requestID)}
}

// ScheduleRunning says that a run of the schedule is alive; msg is what to do about it.
func ScheduleRunning(msg string) *Error {
	return &Error{Kind: ErrScheduleRunning, Subject: SubjectSchedule, Msg: msg}
}

// Invalid refuses one field. description ends a sentence that begins with the field's path: "must be 1–63 characters".
func Invalid(field, description string) *Error {
	return InvalidFields([]FieldViolation{{Field: field, Description: description}})
}

// maxSpelledOut is how many violations the message of InvalidFields repeats.
const maxSpelledOut = 5

// InvalidFields refuses several fields at once; fields must not be empty.
func InvalidFields(fields []FieldViolation) *Error {
	var parts []string
	for _, f := range fields[:min(len(fields), maxSpelledOut)] {
		parts = append(parts, f.Field+" "+f.Description)
	}
	if more := len(fields) - maxSpelledOut; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return &Error{Kind: ErrInvalidField, Fields: fields, Msg: strings.Join(parts, "; ")}
}

// LeaseLost says that the lease has ended before the call.
func LeaseLost() *Error {
	return &Error{Kind: ErrLeaseLost, Subject: SubjectJob,
		Msg: "the lease has ended: it expired, was revoked, or another call ended the attempt; stop the work and do not repeat the call"}
}

// Finished says that the job is in the final state s already.
func Finished(id ID, s State) *Error {
	return &Error{Kind: ErrFinished, Subject: SubjectJob,
		Msg: fmt.Sprintf("job %s is %s already; nothing was changed", id, s)}
}

// EtagMismatch says that the thing has changed since the caller read it.
func EtagMismatch(s Subject, name string) *Error {
	return &Error{Kind: ErrEtagMismatch, Subject: s,
		Msg: fmt.Sprintf("%s %q has changed since its etag was read; get it again and repeat the change", s, name)}
}

// InUse refuses to remove a thing that is needed; msg says by what, and how to force.
func InUse(s Subject, msg string) *Error {
	return &Error{Kind: ErrInUse, Subject: s, Msg: msg}
}

// Protected refuses to remove a thing whose deletion_protection is on.
func Protected(s Subject, name string) *Error {
	return &Error{Kind: ErrProtected, Subject: s,
		Msg: fmt.Sprintf("%s %q has deletion_protection; set it to false first", s, name)}
}

// LimitReached says that a limit is reached; retryAfter is when there may be room again, 0 if only the caller can make it.
func LimitReached(limit LimitUse, retryAfter time.Duration) *Error {
	next := "remove some first, or ask an operator to raise the limit"
	if retryAfter > 0 {
		next = fmt.Sprintf("try again in %s", retryAfter)
	}
	return &Error{Kind: ErrLimit, Limit: limit, RetryAfter: retryAfter,
		Msg: fmt.Sprintf("the limit of %d %s is reached (%d in use); %s", limit.Max, limit.Name, limit.Use, next)}
}

// Unavailable says that the database did not answer in time; cause is for the log.
func Unavailable(cause error) *Error {
	return &Error{Kind: ErrUnavailable, RetryAfter: time.Second, Cause: cause,
		Msg: "the database is slow or away; repeat the call, with the same request_id or lease token"}
}

// NotReady says that this server cannot take the call yet, or any more; why ends "this server …".
func NotReady(why string) *Error {
	return &Error{Kind: ErrNotReady, RetryAfter: time.Second, Msg: "this server " + why + "; repeat the call"}
}

// AsError returns the Error in err's chain, if there is one.
func AsError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}
