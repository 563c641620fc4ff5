package api

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
)

// Validator checks request messages: the rules that stand in the proto files, and those that cannot be said there.
type Validator struct {
	rules   protovalidate.Validator
	clock   clock.Clock
	walkers sync.Pool // of *walker: their buffers are worth keeping
}

// NewValidator builds the rules of every message of the API, so that no call pays for it.
func NewValidator(clk clock.Clock) (*Validator, error) {
	var messages []protoreflect.MessageDescriptor
	for _, file := range apiFiles() {
		for i := range file.Messages().Len() {
			messages = append(messages, file.Messages().Get(i))
		}
	}
	rules, err := protovalidate.New(protovalidate.WithMessageDescriptors(messages...), protovalidate.WithDisableLazy())
	if err != nil {
		return nil, fmt.Errorf("build validation rules: %w", err)
	}
	return &Validator{rules: rules, clock: clk, walkers: sync.Pool{New: func() any { return &walker{} }}}, nil
}

// apiFiles returns the files of package belfry.v1.
func apiFiles() []protoreflect.FileDescriptor {
	return []protoreflect.FileDescriptor{
		belfryv1.File_belfry_v1_calendar_proto, belfryv1.File_belfry_v1_errors_proto, belfryv1.File_belfry_v1_forecast_proto,
		belfryv1.File_belfry_v1_job_proto, belfryv1.File_belfry_v1_occurrence_proto, belfryv1.File_belfry_v1_payload_proto,
		belfryv1.File_belfry_v1_queue_proto, belfryv1.File_belfry_v1_retry_proto, belfryv1.File_belfry_v1_schedule_proto,
		belfryv1.File_belfry_v1_tenant_proto, belfryv1.File_belfry_v1_worker_proto,
	}
}

// maxViolations bounds what is collected about one message: room for one fault of every item of a batch.
const maxViolations = 1000

// Validate reports everything that is wrong with m as one job.ErrInvalidField, with paths in proto names
// (jobs[3].job.queue) and descriptions that state the limit. Rules that depend on stored data are not its business.
func (v *Validator) Validate(m proto.Message) error {
	found, err := v.broken(m)
	if err != nil {
		return err
	}
	found = append(found, v.walk(m)...)
	if len(found) == 0 {
		return nil
	}
	return job.InvalidFields(found[:min(len(found), maxViolations)])
}

// broken returns which rules of the proto files m breaks.
func (v *Validator) broken(m proto.Message) ([]job.FieldViolation, error) {
	if quick(m) {
		return nil, nil
	}
	err := v.rules.Validate(m)
	if err == nil {
		return nil, nil
	}
	var broken *protovalidate.ValidationError
	if !errors.As(err, &broken) {
		return nil, fmt.Errorf("validate %s: %w", m.ProtoReflect().Descriptor().Name(), err)
	}
	var found []job.FieldViolation
	for _, violation := range broken.Violations {
		found = append(found, describe(m.ProtoReflect().Descriptor(), violation))
	}
	return found, nil
}

func (v *Validator) walk(m proto.Message) []job.FieldViolation {
	w, _ := v.walkers.Get().(*walker)
	defer v.walkers.Put(w)
	w.reset(v.clock.Now())
	w.message(m.ProtoReflect())
	w.request(m)
	return w.found
}

// latestDue bounds how far ahead a job may be due: 10 years, by the calendar or as the bound on delay, whichever is more.
func latestDue(now time.Time) time.Time {
	calendar, span := now.AddDate(10, 0, 0), now.Add(315576000*time.Second)
	if calendar.Before(span) {
		return span
	}
	return calendar
}
