package api

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// idleEngine stores nothing, in no time.
type idleEngine struct{ *fakeEngine }

func (e idleEngine) Create(_ context.Context, items []*store.Create) error {
	for _, it := range items {
		it.Stored, it.Due, it.Scheduled = true, e.now, e.now
	}
	return nil
}

func (e idleEngine) Existing(context.Context, []*store.RequestKey) (map[[16]byte]store.KnownRequest, error) {
	return nil, nil
}

const benchSpec = `{"queue": "emails", "job_type": "mail", "payload": {"json": {"to": "someone@example.com", "template": "welcome", "n": 17}}}`

func BenchmarkCreateJob(b *testing.B) {
	f := newFakeEngine()
	config := f.config()
	config.Engine = idleEngine{f}
	s := NewJobService(config)
	f.lane(b, "acme", "emails", "mail")
	req := &belfryv1.CreateJobRequest{TenantId: "acme", Job: specOf(b, benchSpec), RequestId: "0123456789abcdef"}
	b.Run("handler", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.CreateJob(b.Context(), req); err != nil {
				b.Fatal(err)
			}
		}
	})
	// With what surrounds it on the wire: decode, validate, handle, encode.
	b.Run("decode to encode", func(b *testing.B) {
		v := newTestValidator(b)
		raw, err := proto.Marshal(req)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			in := &belfryv1.CreateJobRequest{}
			if err := proto.Unmarshal(raw, in); err != nil {
				b.Fatal(err)
			}
			if err := v.Validate(in); err != nil {
				b.Fatal(err)
			}
			res, err := s.CreateJob(b.Context(), in)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := proto.Marshal(res); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkBatchCreateJobs1000(b *testing.B) {
	f := newFakeEngine()
	config := f.config()
	config.Engine = idleEngine{f}
	s := NewJobService(config)
	f.lane(b, "acme", "emails", "mail")
	req := &belfryv1.BatchCreateJobsRequest{TenantId: "acme"}
	for i := range 1000 {
		req.Jobs = append(req.Jobs, &belfryv1.NewJob{Job: specOf(b, benchSpec), RequestId: fmt.Sprint(i)})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.BatchCreateJobs(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLeaseJobs100(b *testing.B) {
	f := newFakeEngine()
	s := NewWorkerService(f.config())
	lane := f.lane(b, "acme", "emails", "mail")
	body := job.Body{Payload: payloadFrom(specOf(b, benchSpec).GetPayload())}
	var leased []dispatch.Leased
	for range 100 {
		leased = append(leased, f.leased(lane, body))
	}
	f.lease = func(context.Context, dispatch.LeaseCall) ([]dispatch.Leased, error) {
		f.leaseCalls = f.leaseCalls[:0]
		return leased, nil
	}
	req := &belfryv1.LeaseJobsRequest{TenantId: "acme", WorkerId: "w", MaxJobs: 100}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.LeaseJobs(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompleteJobs100(b *testing.B) {
	f := newFakeEngine()
	s := NewWorkerService(f.config())
	lane := f.lane(b, "acme", "emails", "mail")
	req := &belfryv1.CompleteJobsRequest{TenantId: "acme"}
	for range 100 {
		tok := f.token(lane)
		req.Items = append(req.Items, &belfryv1.CompleteItem{LeaseToken: tok.String()})
	}
	b.ReportAllocs()
	for b.Loop() {
		f.completed = f.completed[:0]
		if _, err := s.CompleteJobs(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPayloadProto(b *testing.B) {
	small := payloadFrom(specOf(b, benchSpec).GetPayload())
	large := job.Payload{Kind: job.JSON, Data: []byte(`["` + strings.Repeat(`some text","`, 20000) + `"]`)}
	for name, p := range map[string]job.Payload{"small": small, "large": large} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(p.Data)))
			for b.Loop() {
				if _, err := payloadProto(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
