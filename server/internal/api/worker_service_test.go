package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

func newTestWorkerService(t testing.TB) (*fakeEngine, *WorkerService) {
	t.Helper()
	f := newFakeEngine()
	return f, NewWorkerService(f.config())
}

func TestLeaseJobs_TakesDefaultsAndHandsOutAllOfAJob(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	lane := f.lane(t, "acme", "q", "mail")
	l := f.leased(lane, job.Body{Payload: job.Payload{Kind: job.Bytes, Data: []byte{0, 1}}, Headers: map[string]string{"a": "b"}})
	f.lease = func(context.Context, dispatch.LeaseCall) ([]dispatch.Leased, error) { return []dispatch.Leased{l}, nil }
	res, err := s.LeaseJobs(t.Context(), &belfryv1.LeaseJobsRequest{TenantId: "acme", WorkerId: "w1"})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.leaseCalls[0]; c.Max != 1 || c.MaxBytes != 4<<20 || c.Lease != time.Minute || c.Wait != 0 || c.Worker != "w1" ||
		!slices.Equal(c.Tenants, []int32{3}) || c.Queues != nil || len(c.Types) != 0 {
		t.Errorf("call %+v", c)
	}
	got := res.GetJobs()[0]
	if got.GetLeaseToken() != l.Row.Token().String() || got.GetFencingToken() != 2 || got.GetAttempt() != 1 ||
		got.GetLeaseRemaining().AsDuration() != time.Minute || got.GetAttemptRemaining().AsDuration() != time.Hour ||
		!got.GetLeaseExpireTime().AsTime().Equal(l.Row.LeaseUntil) {
		t.Errorf("lease %v", got)
	}
	if j := got.GetJob(); j.GetState() != belfryv1.JobState_JOB_STATE_RUNNING || string(j.GetPayload().GetBytes()) != "\x00\x01" ||
		j.GetHeaders()["a"] != "b" || j.GetJobType() != "mail" || j.GetWorkerId() != "w1" {
		t.Errorf("job %v", j)
	}
}

func TestLeaseJobs_ARetriedJobComesWithItsAttempts(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	l := f.leased(f.lane(t, "acme", "q", "mail"), job.Body{})
	l.Row.Leases, l.Row.Attempt = 2, 2
	f.attempts[l.Row.ID] = []job.Attempt{{Number: 1, Outcome: job.OutcomeFailed, Error: "boom"}}
	f.lease = func(context.Context, dispatch.LeaseCall) ([]dispatch.Leased, error) { return []dispatch.Leased{l}, nil }
	res, err := s.LeaseJobs(t.Context(), &belfryv1.LeaseJobsRequest{TenantId: "acme", WorkerId: "w1"})
	if err != nil {
		t.Fatal(err)
	}
	if j := res.GetJobs()[0].GetJob(); len(j.GetAttempts()) != 1 || j.GetLastError() != "boom" {
		t.Errorf("job %v", j)
	}
}

func TestLeaseJobs_UnknownQueuesAreRefusedAndNotMade(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	f.lane(t, "acme", "q", "mail")
	_, err := s.LeaseJobs(t.Context(), &belfryv1.LeaseJobsRequest{TenantId: "acme", WorkerId: "w", Queues: []string{"q", "typo"}})
	if e := wantKind(t, err, job.ErrNotFound); e.Subject != job.SubjectQueue || !strings.Contains(e.Msg, "typo") {
		t.Errorf("got %v", e)
	}
	if len(f.queues) != 1 || len(f.leaseCalls) != 0 {
		t.Error("the queue was made, or asked for")
	}
}

func TestLeaseJobs_OfAllTenantsTakesNoQueueNames(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	_, err := s.LeaseJobs(t.Context(), &belfryv1.LeaseJobsRequest{TenantId: "-", WorkerId: "w", Queues: []string{"q"}})
	wantKind(t, err, job.ErrInvalidField)
	if _, err := s.LeaseJobs(t.Context(), &belfryv1.LeaseJobsRequest{TenantId: "-", WorkerId: "w"}); err != nil {
		t.Fatal(err)
	}
	if c := f.leaseCalls[0]; c.Tenants != nil {
		t.Errorf("tenants %v", c.Tenants)
	}
}

func TestLeaseJobs_LooksAtTheKeyAgainWhileItWaits(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	req := &belfryv1.LeaseJobsRequest{TenantId: "acme", WorkerId: "w", Wait: durationpb.New(9 * time.Second)}
	if _, err := s.LeaseJobs(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	for _, c := range f.leaseCalls {
		waits = append(waits, c.Wait)
	}
	if !slices.Equal(waits, []time.Duration{4 * time.Second, 4 * time.Second, time.Second}) || f.validAsked != 2 {
		t.Errorf("waits %v, key looked at %d times", waits, f.validAsked)
	}
	f.leaseCalls = nil
	f.valid = func() error { return tenancy.ErrKeyInvalid }
	_, err := s.LeaseJobs(t.Context(), req)
	if !errors.Is(err, tenancy.ErrKeyInvalid) || len(f.leaseCalls) != 1 {
		t.Errorf("got %v after %d slices", err, len(f.leaseCalls))
	}
}

func TestLeaseJobs_WhatWasLeasedForACallerThatIsGoneIsReleased(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	l := f.leased(f.lane(t, "acme", "q", "mail"), job.Body{})
	ctx, cancel := context.WithCancel(t.Context())
	f.lease = func(context.Context, dispatch.LeaseCall) ([]dispatch.Leased, error) {
		cancel()
		return []dispatch.Leased{l}, nil
	}
	if _, err := s.LeaseJobs(ctx, &belfryv1.LeaseJobsRequest{TenantId: "acme", WorkerId: "w"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(f.failed) != 1 || f.failed[0].Outcome != job.OutcomeReleased || f.failed[0].Token != l.Row.Token() {
		t.Errorf("given back: %+v", f.failed)
	}
}

func TestLeaseJobs_ADamagedJobFailsForGoodAndKeepsNothingBack(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	lane := f.lane(t, "acme", "q", "mail")
	good, bad, worse := f.leased(lane, job.Body{}), f.leased(lane, job.Body{}), f.leased(lane, job.Body{})
	bad.Row.Body = []byte{9}
	worse.Row.Body = job.Body{Payload: job.Payload{Kind: job.JSON, Data: []byte(`{`)}}.Marshal()
	f.lease = func(context.Context, dispatch.LeaseCall) ([]dispatch.Leased, error) {
		return []dispatch.Leased{bad, worse, good}, nil
	}
	res, err := s.LeaseJobs(t.Context(), &belfryv1.LeaseJobsRequest{TenantId: "acme", WorkerId: "w"})
	if err != nil || len(res.GetJobs()) != 1 || res.GetJobs()[0].GetJob().GetJobId() != good.Row.ID.String() {
		t.Fatalf("%v, %v", res, err)
	}
	if len(f.failed) != 2 || !f.failed[0].Final || f.failed[1].Token != worse.Row.Token() {
		t.Errorf("failed: %+v", f.failed)
	}
}

func TestLeaseTokens_OfOthersAnswerLikeTokensThatNeverWere(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	mine, foreign := f.lane(t, "acme", "q", "x"), f.lane(t, "globex", "q", "x")
	f.leased(mine, job.Body{})
	theirs := f.token(foreign)
	random := job.Token{ID: job.NewID(testTime, 2), Version: 2, ClaimID: 5, Lane: 999, Lease: 1}
	nowhere := job.Token{ID: job.NewID(testTime, 4000), Version: 2, ClaimID: 5, Lane: mine.Number, Lease: 1}
	for _, tok := range []job.Token{theirs, random, nowhere} {
		for method, e := range endWith(t, s, "acme", tok.String()) {
			if want := job.NotFound(job.SubjectJob, tok.ID.String(), "").Msg; e.GetCode() != "not_found" ||
				e.GetReason() != belfryv1.ErrorReason_ERROR_REASON_JOB_NOT_FOUND || e.GetMessage() != want {
				t.Errorf("%s: %v", method, e)
			}
		}
	}
	for method, e := range endWith(t, s, "acme", "nonsense") {
		if e.GetCode() != "invalid_argument" {
			t.Errorf("%s: %v", method, e)
		}
	}
	if len(f.beats)+len(f.completed)+len(f.failed) != 0 {
		t.Error("something was sent to the engine")
	}
	for method, e := range endWith(t, s, "-", theirs.String()) {
		if e != nil {
			t.Errorf("%s for all tenants: %v", method, e)
		}
	}
}

// endWith sends one token to each method that takes one.
func endWith(t *testing.T, s *WorkerService, tenant, token string) map[string]*belfryv1.ItemError {
	t.Helper()
	out := map[string]*belfryv1.ItemError{}
	beat, err := s.Heartbeat(t.Context(), &belfryv1.HeartbeatRequest{TenantId: tenant, WorkerId: "w",
		Items: []*belfryv1.HeartbeatItem{{LeaseToken: token}}})
	if err != nil {
		t.Fatal(err)
	}
	out["Heartbeat"] = beat.GetResults()[0].GetError()
	done, err := s.CompleteJobs(t.Context(), &belfryv1.CompleteJobsRequest{TenantId: tenant, Items: []*belfryv1.CompleteItem{{LeaseToken: token}}})
	if err != nil {
		t.Fatal(err)
	}
	out["CompleteJobs"] = done.GetResults()[0].GetError()
	failed, err := s.FailJobs(t.Context(), &belfryv1.FailJobsRequest{TenantId: tenant, Items: []*belfryv1.FailItem{{LeaseToken: token}}})
	if err != nil {
		t.Fatal(err)
	}
	out["FailJobs"] = failed.GetResults()[0].GetError()
	back, err := s.ReleaseJobs(t.Context(), &belfryv1.ReleaseJobsRequest{TenantId: tenant, Items: []*belfryv1.ReleaseItem{{LeaseToken: token}}})
	if err != nil {
		t.Fatal(err)
	}
	out["ReleaseJobs"] = back.GetResults()[0].GetError()
	return out
}

func TestHeartbeat_AnswersEachItemAtItsPlace(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	tok := f.token(f.lane(t, "acme", "q", "x"))
	res, err := s.Heartbeat(t.Context(), &belfryv1.HeartbeatRequest{TenantId: "acme", WorkerId: "w", Items: []*belfryv1.HeartbeatItem{
		{LeaseToken: "nonsense"}, {LeaseToken: tok.String(), LeaseDuration: durationpb.New(7 * time.Second)}, {LeaseToken: tok.String()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	r := res.GetResults()
	if r[0].GetError() == nil || r[1].GetError() != nil || r[1].GetLeaseRemaining().AsDuration() != 42*time.Second ||
		!r[1].GetCancelRequested() || r[1].GetCancelReason() != "enough" {
		t.Errorf("results %v", r)
	}
	if f.beats[0].Lease != 7*time.Second || f.beats[1].Lease != 0 {
		t.Errorf("leases %s, %s", f.beats[0].Lease, f.beats[1].Lease)
	}
}

func TestHeartbeat_WithoutItemsIsASignOfLife(t *testing.T) {
	t.Parallel()
	_, s := newTestWorkerService(t)
	if _, err := s.Heartbeat(t.Context(), &belfryv1.HeartbeatRequest{TenantId: "acme", WorkerId: "w"}); err != nil {
		t.Fatal(err)
	}
	if got := s.Workers.listed("acme"); len(got) != 1 || got[0].id != "w" {
		t.Errorf("workers %v", got)
	}
}

func TestCompleteJobs_AResultThatIsTooLargeIsTheErrorOfItsItem(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	lane := f.lane(t, "acme", "q", "x")
	a, b := f.token(lane), f.token(lane)
	text := func(n int) *belfryv1.Payload {
		return &belfryv1.Payload{Data: &belfryv1.Payload_Text{Text: strings.Repeat("x", n)}}
	}
	res, err := s.CompleteJobs(t.Context(), &belfryv1.CompleteJobsRequest{TenantId: "acme", Items: []*belfryv1.CompleteItem{
		{LeaseToken: a.String(), Result: text(256<<10 + 1)}, {LeaseToken: b.String(), Result: text(256 << 10)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	r := res.GetResults()
	if r[0].GetError().GetCode() != "invalid_argument" || !strings.Contains(r[0].GetError().GetMessage(), "result.text must have at most 262,144") {
		t.Errorf("too large: %v", r[0])
	}
	if r[1].GetError() != nil || r[1].GetState() != belfryv1.JobState_JOB_STATE_SUCCEEDED || r[1].GetJobId() != b.ID.String() {
		t.Errorf("fits: %v", r[1])
	}
	if len(f.completed) != 1 || f.completed[0].Token != b || len(f.completed[0].Result.Data) != 256<<10 {
		t.Error("the engine got something else")
	}
}

func TestFailAndRelease_SayWhatTheWorkerSaid(t *testing.T) {
	t.Parallel()
	f, s := newTestWorkerService(t)
	tok := f.token(f.lane(t, "acme", "q", "x"))
	failed, err := s.FailJobs(t.Context(), &belfryv1.FailJobsRequest{TenantId: "acme", Items: []*belfryv1.FailItem{
		{LeaseToken: tok.String(), Error: "boom", Permanent: true, RetryAfter: durationpb.New(9 * time.Second)}}})
	if err != nil {
		t.Fatal(err)
	}
	if r := failed.GetResults()[0]; r.GetState() != belfryv1.JobState_JOB_STATE_PENDING || !r.GetDueTime().AsTime().Equal(testTime.Add(9*time.Second)) {
		t.Errorf("result %v", r)
	}
	if _, err = s.ReleaseJobs(t.Context(), &belfryv1.ReleaseJobsRequest{TenantId: "acme", Items: []*belfryv1.ReleaseItem{
		{LeaseToken: tok.String(), Reason: "drain", Delay: durationpb.New(3 * time.Second)}}}); err != nil {
		t.Fatal(err)
	}
	want := []dispatch.Failure{
		{Token: tok, Outcome: job.OutcomeFailed, Error: "boom", Final: true, After: 9 * time.Second},
		{Token: tok, Outcome: job.OutcomeReleased, Error: "drain", After: 3 * time.Second},
	}
	if !slices.Equal(f.failed, want) {
		t.Errorf("got %+v", f.failed)
	}
}

// lostEngine has lost all leases, and the database for some.
type lostEngine struct{ *fakeEngine }

func (e lostEngine) Complete(_ context.Context, items []dispatch.Completion) []dispatch.Result {
	return []dispatch.Result{
		{ID: items[0].Token.ID, State: job.Running, Err: job.LeaseLost()},
		{ID: items[1].Token.ID, State: job.Succeeded, Err: job.Unavailable(nil)},
		{ID: items[2].Token.ID, Err: job.NotFound(job.SubjectJob, items[2].Token.ID.String(), "")},
		{ID: items[3].Token.ID, Err: fmt.Errorf("secret table name")},
	}
}

func (e lostEngine) Heartbeat(context.Context, []*store.Beat) []error {
	return []error{job.LeaseLost()}
}

func TestCompleteJobs_ErrorsOfTheEngineAreThoseOfTheItems(t *testing.T) {
	t.Parallel()
	f := newFakeEngine()
	config := f.config()
	config.Engine = lostEngine{f}
	s := NewWorkerService(config)
	lane := f.lane(t, "acme", "q", "x")
	req := &belfryv1.CompleteJobsRequest{TenantId: "acme"}
	for range 4 {
		req.Items = append(req.Items, &belfryv1.CompleteItem{LeaseToken: f.token(lane).String()})
	}
	res, err := s.CompleteJobs(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	r := res.GetResults()
	if e := r[0]; e.GetError().GetReason() != belfryv1.ErrorReason_ERROR_REASON_LEASE_LOST || e.GetState() != belfryv1.JobState_JOB_STATE_RUNNING {
		t.Errorf("lost: %v", e)
	}
	if e := r[1]; e.GetError().GetCode() != "unavailable" || e.GetState() != 0 || e.GetJobId() == "" {
		t.Errorf("unavailable: %v", e)
	}
	if e := r[2]; e.GetError().GetCode() != "not_found" || e.GetJobId() != "" {
		t.Errorf("not found: %v", e)
	}
	if e := r[3]; e.GetError().GetCode() != "internal" || strings.Contains(e.GetError().GetMessage(), "secret") {
		t.Errorf("internal: %v", e)
	}
	beat, err := s.Heartbeat(t.Context(), &belfryv1.HeartbeatRequest{TenantId: "acme", WorkerId: "w",
		Items: []*belfryv1.HeartbeatItem{{LeaseToken: req.Items[0].GetLeaseToken()}}})
	if err != nil || beat.GetResults()[0].GetError().GetReason() != belfryv1.ErrorReason_ERROR_REASON_LEASE_LOST {
		t.Errorf("%v, %v", beat, err)
	}
	if w := s.Workers.listed("acme")[0]; w.leases != 0 {
		t.Errorf("%d leases", w.leases)
	}
}
