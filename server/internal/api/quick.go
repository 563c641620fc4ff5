package api

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/tenancy"
)

// quick reports whether m is a create that surely keeps the rules of the proto files, so that they need not be run: a
// create with all its fields costs 8 µs there, most of it in regular expressions. False means that it
// is not known. A test holds both against each other, and fails if a rule changes.
func quick(m proto.Message) bool {
	switch req := m.(type) {
	case *belfryv1.CreateJobRequest:
		return len(req.GetTenantId()) <= tenancy.MaxName && quickItem(req.GetJob(), req.GetRequestId())
	case *belfryv1.BatchCreateJobsRequest:
		if len(req.GetTenantId()) > tenancy.MaxName || len(req.GetJobs()) == 0 || len(req.GetJobs()) > 1000 {
			return false
		}
		for _, item := range req.GetJobs() {
			if !quickItem(item.GetJob(), item.GetRequestId()) {
				return false
			}
		}
		return true
	}
	return false
}

func quickItem(s *belfryv1.JobSpec, requestID string) bool {
	const tenYears, week, maxAge = 315576000 * time.Second, 7 * 24 * time.Hour, 400 * 24 * time.Hour
	return s != nil && printable(requestID, '!', 128) &&
		tenancy.ValidName(s.GetQueue()) && printable(s.GetJobType(), '!', 128) &&
		spans(s.GetDelay(), 0, tenYears) && spans(s.GetStartWithin(), time.Second, tenYears) &&
		within(s.Priority, 0, 9) && within(s.MaxReleases, 1, 10000) &&
		spans(s.GetAttemptTimeout(), time.Second, week) && spans(s.GetMaxAge(), time.Second, maxAge) &&
		printable(s.GetPayload().GetContentType(), ' ', 255) &&
		quickHeaders(s.GetHeaders()) && quickRetry(s.GetRetryPolicy())
}

func quickHeaders(headers map[string]string) bool {
	if len(headers) > 32 {
		return false
	}
	for name, value := range headers {
		if name == "" || len(name) > 128 || len(value) > 1024 {
			return false
		}
		for i := range len(name) {
			c := name[i]
			letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
			if !letter && c != '_' && c != '.' && c != '-' {
				return false
			}
		}
	}
	return true
}

func quickRetry(p *belfryv1.RetryPolicy) bool {
	if p == nil {
		return true
	}
	const day = 24 * time.Hour
	for _, d := range p.GetDelays() {
		if d == nil || !spans(d, 0, day) {
			return false
		}
	}
	return len(p.GetDelays()) <= 50 && within(p.MaxAttempts, 1, 1000) &&
		spans(p.GetInitialBackoff(), time.Millisecond, day) && spans(p.GetMaxBackoff(), time.Millisecond, day) &&
		(p.Multiplier == nil || *p.Multiplier >= 1 && *p.Multiplier <= 10) &&
		(p.Jitter == nil || *p.Jitter >= 0 && *p.Jitter <= 1)
}

// printable reports whether s has at most limit bytes, all of them ASCII from first to ~.
func printable(s string, first byte, limit int) bool {
	if len(s) > limit {
		return false
	}
	for i := range len(s) {
		if s[i] < first || s[i] > '~' {
			return false
		}
	}
	return true
}

func within(x *int32, low, high int32) bool { return x == nil || low <= *x && *x <= high }

// spans reports whether d is absent, or valid and between low and high.
func spans(d *durationpb.Duration, low, high time.Duration) bool {
	return d == nil || d.IsValid() && low <= d.AsDuration() && d.AsDuration() <= high
}
