package api

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
)

var queueFields = []string{"description", "retry_policy", "attempt_timeout", "history", "retention_days", "deletion_protection"}

func TestMaskPaths_EmptyMeansTheFieldsPresent(t *testing.T) {
	t.Parallel()
	read := &belfryv1.Queue{ // as Get returned it, with one field changed
		TenantId: "acme", Queue: "mail", Uid: "u", Description: "new", Etag: "7", Paused: true,
		CreateTime: timestamppb.New(testTime), RetryPolicy: &belfryv1.RetryPolicy{},
	}
	for _, mask := range []*fieldmaskpb.FieldMask{nil, {}} {
		got, err := maskPaths(read, mask, queueFields)
		if err != nil || !slices.Equal(got, []string{"description", "retry_policy"}) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	if got, err := maskPaths(&belfryv1.Queue{Queue: "mail"}, nil, queueFields); err != nil || len(got) != 0 {
		t.Errorf("nothing present: %v, %v", got, err)
	}
}

func TestMaskPaths_RefusesUnknownAndOutputOnlyByName(t *testing.T) {
	t.Parallel()
	for path, says := range map[string]string{
		"colour":                       `"colour", which does not exist`,
		"":                             `"", which does not exist`,
		"*":                            `"*", which does not exist`,
		"retry_policy.":                "does not exist",
		"retry_policy.max":             "does not exist",
		"description.x":                "does not exist",
		"retry_policy.delays.seconds":  "does not exist",
		"create_time":                  `"create_time", which callers cannot change`,
		"queue":                        `"queue", which callers cannot change`,
		"paused":                       `"paused", which callers cannot change`,
		"update_time.seconds":          "which callers cannot change",
		strings.Repeat("long", 10_000): "does not exist",
	} {
		_, err := maskPaths(&belfryv1.Queue{}, &fieldmaskpb.FieldMask{Paths: []string{"history", path}}, queueFields)
		var e *job.Error
		if !errors.As(err, &e) || e.Kind != job.ErrInvalidField || len(e.Fields) != 1 {
			t.Errorf("%.20q: %v", path, err)
			continue
		}
		if v := e.Fields[0]; v.Field != "update_mask" || !strings.Contains(v.Description, says) || len(v.Description) > 400 {
			t.Errorf("%.20q: %+v", path, v)
		}
	}
}

func TestMaskPaths_AreSortedAndCoverEachOther(t *testing.T) {
	t.Parallel()
	mask := &fieldmaskpb.FieldMask{Paths: []string{"retry_policy.max_attempts", "history", "retry_policy", "history"}}
	got, err := maskPaths(&belfryv1.Queue{}, mask, queueFields)
	if err != nil || !slices.Equal(got, []string{"history", "retry_policy"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestApplyMask_SetsAndClearsWhatIsNamedOnly(t *testing.T) {
	t.Parallel()
	stored := func() *belfryv1.Queue {
		return &belfryv1.Queue{
			Queue: "mail", Description: "old", RetentionDays: 30, AttemptTimeout: durationpb.New(time.Minute),
			RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(3), Jitter: proto.Float64(0.5)},
		}
	}
	got := stored()
	applyMask(got, &belfryv1.Queue{Description: "new", RetentionDays: 7}, []string{"attempt_timeout", "description"})
	want := stored()
	want.Description, want.AttemptTimeout = "new", nil
	if !proto.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	got = stored()
	applyMask(got, &belfryv1.Queue{RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(9)}}, []string{"retry_policy.max_attempts"})
	if got.GetRetryPolicy().GetMaxAttempts() != 9 || got.GetRetryPolicy().GetJitter() != 0.5 {
		t.Errorf("inside a message: %v", got)
	}
	got = stored()
	applyMask(got, &belfryv1.Queue{}, []string{"retry_policy.max_attempts"})
	if got.GetRetryPolicy().MaxAttempts != nil || got.GetRetryPolicy().GetJitter() != 0.5 {
		t.Errorf("clearing inside a message: %v", got)
	}
	got = &belfryv1.Queue{}
	applyMask(got, &belfryv1.Queue{}, []string{"retry_policy.max_attempts"})
	if got.GetRetryPolicy() != nil {
		t.Errorf("clearing in an absent message made it: %v", got)
	}
}
