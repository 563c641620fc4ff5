package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestError_IsItsKindAlsoWhenWrapped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  *Error
		kind Kind
	}{
		{NotFound(SubjectQueue, "mail", ""), ErrNotFound},
		{AlreadyExists(SubjectTenant, "acme"), ErrAlreadyExists},
		{RequestIDReused("r1"), ErrRequestIDReused},
		{Invalid("job.queue", "must be set"), ErrInvalidField},
		{LeaseLost(), ErrLeaseLost},
		{Finished(NewID(time.UnixMilli(1), 0), Dead), ErrFinished},
		{EtagMismatch(SubjectQueue, "mail"), ErrEtagMismatch},
		{InUse(SubjectQueue, "queue \"mail\" holds 3 jobs"), ErrInUse},
		{Protected(SubjectQueue, "mail"), ErrProtected},
		{LimitReached(LimitUse{Name: "schedules", Max: 100, Use: 100}, 0), ErrLimit},
		{Unavailable(context.DeadlineExceeded), ErrUnavailable},
		{NotReady("is draining"), ErrNotReady},
	} {
		wrapped := fmt.Errorf("create job: %w", c.err)
		for kind := ErrNotFound; kind <= ErrNotReady; kind++ {
			if got := errors.Is(wrapped, kind); got != (kind == c.kind) {
				t.Errorf("%v: is %v = %v", c.err, kind, got)
			}
		}
		if back, ok := AsError(wrapped); !ok || back != c.err {
			t.Errorf("%v is not found in its wrapping", c.err)
		}
		if c.err.Error() == "" {
			t.Errorf("%v has no message", c.kind)
		}
	}
}

func TestUnavailable_KeepsItsCauseOutOfTheMessage(t *testing.T) {
	t.Parallel()
	err := Unavailable(errors.New("dial db.internal"))
	if strings.Contains(err.Error(), "db.internal") || errors.Unwrap(err) == nil {
		t.Errorf("message %q", err)
	}
}

func TestInvalidFields_SpellsOutTheFirstFew(t *testing.T) {
	t.Parallel()
	var fields []FieldViolation
	for i := range 7 {
		fields = append(fields, FieldViolation{Field: fmt.Sprintf("jobs[%d]", i), Description: "is bad"})
	}
	if got := InvalidFields(fields).Msg; !strings.HasSuffix(got, "jobs[4] is bad; and 2 more") {
		t.Errorf("got %q", got)
	}
}
