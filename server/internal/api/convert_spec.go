package api

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

const (
	defaultJobType  = "default"
	defaultPriority = 5
)

// draft is a job as its caller describes it, with all defaults of the API filled in, before it has an id and a place.
type draft struct {
	field     string // path of the JobSpec in the request
	queue     string
	jobType   string
	requestID string // empty: none
	body      job.Body
	create    store.Create // without ID, Lane and Request
}

// draftOf reads a valid JobSpec.
func draftOf(field string, spec *belfryv1.JobSpec, requestID string) *draft {
	d := &draft{field: field, queue: spec.GetQueue(), jobType: spec.GetJobType(), requestID: requestID}
	if d.jobType == "" {
		d.jobType = defaultJobType
	}
	d.body = job.Body{
		Payload:     payloadFrom(spec.GetPayload()),
		Headers:     spec.GetHeaders(),
		Retry:       retryFrom(spec.GetRetryPolicy()),
		MaxReleases: spec.GetMaxReleases(),
		MaxAge:      spanFrom(spec.GetMaxAge()),
	}
	c := &d.create
	c.Priority = defaultPriority
	if spec.Priority != nil {
		c.Priority = int16(spec.GetPriority())
	}
	c.At, c.Delay = instantFrom(spec.GetDueTime()), spanFrom(spec.GetDelay())
	c.StartBy, c.StartWithin = instantFrom(spec.GetStartByTime()), spanFrom(spec.GetStartWithin())
	c.Timeout, c.Age = spanFrom(spec.GetAttemptTimeout()), d.body.Age()
	c.Body = d.body.Marshal()
	return d
}

// due returns when the job is due if it is created at now.
func (d *draft) due(now time.Time) time.Time {
	if d.create.At.IsZero() {
		return now.Add(d.create.Delay)
	}
	if d.create.At.Before(now) {
		return now
	}
	return d.create.At
}

// startsTooEarly reports whether the job could never start if it is created at now: its start_by_time is over before its
// delay is. Against a due_time it was compared when the request was validated.
func (d *draft) startsTooEarly(now time.Time) bool {
	return d.create.At.IsZero() && !d.create.StartBy.IsZero() && d.create.StartBy.Before(now.Add(d.create.Delay))
}

func (d *draft) refuseStart() job.FieldViolation {
	return job.FieldViolation{Field: d.field + ".start_by_time",
		Description: "must not be before the job is due, or it could never start"}
}

// fingerprint tells two requests apart that have the same request_id. It is made of what is stored, so that requests with
// the same meaning have the same one: JSON or binary, members of a payload in any order, defaults stated or left out.
func (d *draft) fingerprint() int64 {
	c := &d.create
	b := make([]byte, 0, 128+len(c.Body))
	for _, s := range []string{d.queue, d.jobType} {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, t := range []time.Time{c.At, c.StartBy} {
		if t.IsZero() {
			b = append(b, 0)
			continue
		}
		b = binary.AppendVarint(append(b, 1), t.UnixMicro())
	}
	for _, n := range []int64{int64(c.Priority), int64(c.Delay), int64(c.StartWithin), int64(c.Timeout)} {
		b = binary.AppendVarint(b, n)
	}
	sum := sha256.Sum256(append(b, c.Body...))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// place gives the job its id and its lane, and the key of its request id.
func (d *draft) place(now time.Time, lane catalog.Lane, parts int) {
	d.create.ID = job.NewID(now, lane.Queue.Part)
	d.create.Lane = lane.Number
	d.request(lane.Queue.Tenant, parts)
}

// request returns the key under which the draft's request id is remembered; nil if it has none.
func (d *draft) request(tenant int32, parts int) *store.RequestKey {
	if d.requestID != "" && d.create.Request == nil {
		key, part := job.HashRequest("CreateJob", tenant, d.requestID, parts)
		d.create.Request = &store.RequestKey{Part: part, Key: key, Fingerprint: d.fingerprint()}
	}
	return d.create.Request
}
