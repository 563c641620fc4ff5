package api

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
)

// retryFrom returns what a valid policy states; the zero value for an absent one.
func retryFrom(p *belfryv1.RetryPolicy) job.RetryPolicy {
	if p == nil {
		return job.RetryPolicy{}
	}
	out := job.RetryPolicy{
		MaxAttempts:    p.GetMaxAttempts(),
		InitialBackoff: spanFrom(p.GetInitialBackoff()),
		MaxBackoff:     spanFrom(p.GetMaxBackoff()),
		Multiplier:     p.GetMultiplier(),
		Jitter:         p.GetJitter(),
		JitterSet:      p.Jitter != nil,
	}
	for _, d := range p.GetDelays() {
		out.Delays = append(out.Delays, spanFrom(d))
	}
	return out
}

// retryProto shows what a policy states; nil if that is nothing.
func retryProto(p job.RetryPolicy) *belfryv1.RetryPolicy {
	if p.IsZero() {
		return nil
	}
	out := &belfryv1.RetryPolicy{InitialBackoff: spanProto(p.InitialBackoff), MaxBackoff: spanProto(p.MaxBackoff)}
	if p.MaxAttempts != 0 {
		out.MaxAttempts = proto.Int32(p.MaxAttempts)
	}
	if p.Multiplier != 0 {
		out.Multiplier = proto.Float64(p.Multiplier)
	}
	if p.JitterSet {
		out.Jitter = proto.Float64(p.Jitter)
	}
	for _, d := range p.Delays {
		out.Delays = append(out.Delays, durationpb.New(d))
	}
	return out
}

// Times are kept to the microsecond, as the database keeps them. What is finer is rounded up, so that nothing is early.

// spanFrom returns a duration; 0 for an absent one.
func spanFrom(d *durationpb.Duration) time.Duration {
	if d == nil {
		return 0
	}
	return roundUp(d.AsDuration())
}

func roundUp(d time.Duration) time.Duration {
	if rest := d % time.Microsecond; rest > 0 {
		return d + time.Microsecond - rest
	}
	return d
}

// spanProto shows a duration; nil for 0, which stands for "not stated".
func spanProto(d time.Duration) *durationpb.Duration {
	if d == 0 {
		return nil
	}
	return durationpb.New(d)
}

// maxYear is the last one that a Timestamp can hold.
const maxYear = 9999

// instantFrom returns an instant; the zero time for an absent one.
func instantFrom(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	at := t.AsTime()
	if rest := at.Nanosecond() % 1000; rest > 0 {
		up := at.Add(time.Duration(1000 - rest))
		if up.Year() > maxYear {
			up = up.Add(-time.Microsecond)
		}
		at = up
	}
	if at.IsZero() {
		at = at.Add(time.Microsecond) // the first instant of the year 1 must not pass for "not stated"
	}
	return at
}

// instantProto shows an instant; nil for the zero time.
func instantProto(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}
