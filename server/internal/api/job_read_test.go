package api

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

func getJob(t testing.TB, s *JobService, id string, view belfryv1.JobView) *belfryv1.Job {
	t.Helper()
	res, err := s.GetJob(t.Context(), &belfryv1.GetJobRequest{TenantId: "acme", JobId: id, View: view})
	if err != nil {
		t.Fatal(err)
	}
	return res.GetJob()
}

func TestJobIDs_OfOthersAnswerLikeIDsThatNeverWere(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	foreign := f.put(f.lane(t, "globex", "q", "default"), testTime, nil)
	done := f.put(f.lane(t, "globex", "q", "default"), testTime, nil)
	f.end(done.ID, job.Succeeded)
	ids := []string{foreign.ID.String(), done.ID.String(), job.NewID(testTime, 1).String(), job.NewID(testTime, 4000).String(),
		"nonsense", "job_", "job_zzzzzzzzzzzzzzzzzzzzzzzzzz", strings.ToUpper(foreign.ID.String())}
	for _, id := range ids {
		_, err := s.GetJob(t.Context(), &belfryv1.GetJobRequest{TenantId: "acme", JobId: id})
		get := wantKind(t, err, job.ErrNotFound)
		_, err = s.CancelJob(t.Context(), &belfryv1.CancelJobRequest{TenantId: "acme", JobId: id})
		cancel := wantKind(t, err, job.ErrNotFound)
		want := job.NotFound(job.SubjectJob, id, "")
		if get.Msg != want.Msg || cancel.Msg != want.Msg || get.Subject != job.SubjectJob {
			t.Errorf("%s: %q, %q", id, get.Msg, cancel.Msg)
		}
	}
	if len(f.cancelled) != 0 {
		t.Error("another tenant's job was cancelled")
	}
}

func TestGetJob_ReadyIsPendingAndDueByTheRowsClock(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	lane := f.lane(t, "acme", "q", "default")
	for wait, want := range map[time.Duration]belfryv1.JobState{
		-time.Second: belfryv1.JobState_JOB_STATE_READY, 0: belfryv1.JobState_JOB_STATE_READY,
		time.Microsecond: belfryv1.JobState_JOB_STATE_PENDING,
	} {
		row := f.put(lane, testTime, func(r *store.Live) { r.Due = r.Now.Add(wait) })
		if got := getJob(t, s, row.ID.String(), 0).GetState(); got != want {
			t.Errorf("due in %s: %v", wait, got)
		}
	}
}

func TestGetJob_FullShowsPayloadHeadersAttemptsAndLastError(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	lane := f.lane(t, "acme", "q", "default")
	body := job.Body{Payload: job.Payload{Kind: job.JSON, Data: []byte(`{"a":[1,"ä"]}`)}, Headers: map[string]string{"k": "v"}}
	row := f.put(lane, testTime, func(r *store.Live) { r.Body, r.Leases, r.Attempt = body.Marshal(), 2, 2 })
	f.attempts[row.ID] = []job.Attempt{
		{Number: 1, Outcome: job.OutcomeFailed, Started: testTime, Ended: testTime.Add(time.Second), Worker: "w1", Error: "first"},
		{Number: 2, Outcome: job.OutcomeTimedOut, Started: testTime, Ended: testTime.Add(time.Minute), Worker: "w2", Error: "second"},
	}
	basic := getJob(t, s, row.ID.String(), belfryv1.JobView_JOB_VIEW_BASIC)
	if basic.GetPayload() != nil || basic.GetHeaders() != nil || basic.GetAttempts() != nil || basic.GetLastError() != "second" {
		t.Errorf("basic: %v", basic)
	}
	full := getJob(t, s, row.ID.String(), belfryv1.JobView_JOB_VIEW_FULL)
	if got := full.GetPayload().GetJson().GetStructValue().GetFields()["a"].GetListValue().GetValues()[1].GetStringValue(); got != "ä" {
		t.Errorf("payload %v", full.GetPayload())
	}
	if full.GetPayload().GetContentType() != "application/json" || full.GetHeaders()["k"] != "v" {
		t.Errorf("full: %v", full)
	}
	if a := full.GetAttempts(); len(a) != 2 || a[0].GetError() != "first" || a[1].GetNumber() != 2 ||
		a[1].GetOutcome() != belfryv1.AttemptOutcome_ATTEMPT_OUTCOME_TIMED_OUT || a[1].GetWorkerId() != "w2" {
		t.Errorf("attempts %v", a)
	}
}

func TestGetJob_OfHistoryEndsWithTheFinalAttempt(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	row := f.put(f.lane(t, "acme", "q", "default"), testTime, func(r *store.Live) { r.Leases, r.Attempt, r.Claimed, r.Worker = 3, 2, testTime, "w" })
	f.end(row.ID, job.Succeeded)
	e := f.ended[row.ID]
	e.Outcome, e.Result = job.OutcomeSucceeded, job.MarshalPayload(job.Payload{Kind: job.Text, Data: []byte("done")})
	e.Attempts = []job.Attempt{{Number: 1, Outcome: job.OutcomeFailed, Error: "boom"}, {Number: 2, Outcome: job.OutcomeReleased, Error: "drained"}}
	f.ended[row.ID] = e
	got := getJob(t, s, row.ID.String(), belfryv1.JobView_JOB_VIEW_FULL)
	if a := got.GetAttempts(); len(a) != 3 || a[2].GetNumber() != 3 || a[2].GetOutcome() != belfryv1.AttemptOutcome_ATTEMPT_OUTCOME_SUCCEEDED {
		t.Errorf("attempts %v", a)
	}
	if got.GetLastError() != "boom" || got.GetResult().GetText() != "done" || got.GetFinishTime() == nil ||
		got.GetState() != belfryv1.JobState_JOB_STATE_SUCCEEDED {
		t.Errorf("got %v", got)
	}
	// A job that ended while it waited has no attempt that ended it.
	e.Outcome, e.Attempts = job.NoOutcome, nil
	f.ended[row.ID] = e
	if a := getJob(t, s, row.ID.String(), belfryv1.JobView_JOB_VIEW_FULL).GetAttempts(); len(a) != 0 {
		t.Errorf("attempts %v", a)
	}
}

func TestGetJob_SlimHistoryHasNoPolicies(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	row := f.put(f.lane(t, "acme", "q", "default"), testTime, func(r *store.Live) { r.Body = nil })
	f.end(row.ID, job.Succeeded)
	got := getJob(t, s, row.ID.String(), belfryv1.JobView_JOB_VIEW_FULL)
	if got.GetRetryPolicy() != nil || got.GetMaxAge() != nil || got.GetMaxReleases() != 0 || got.GetPayload() != nil {
		t.Errorf("got %v", got)
	}
}

func TestCancelJob_AnswersTheJobAfterwards(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	row := f.put(f.lane(t, "acme", "q", "default"), testTime, nil)
	res, err := s.CancelJob(t.Context(), &belfryv1.CancelJobRequest{TenantId: "acme", JobId: row.ID.String(), Reason: "no need"})
	if err != nil || !res.GetJob().GetCancelRequested() || !slices.Equal(f.cancelled, []string{"no need"}) {
		t.Errorf("%v, %v, %v", res, err, f.cancelled)
	}
}

// listAll pages through a list, calling between after each page.
func listAll(t testing.TB, s *JobService, req *belfryv1.ListJobsRequest, between func()) (ids []string, pages int) {
	t.Helper()
	for {
		res, err := s.ListJobs(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		for _, j := range res.GetJobs() {
			ids = append(ids, j.GetJobId())
		}
		if req.PageToken = res.GetNextPageToken(); req.PageToken == "" {
			return ids, pages
		}
		if len(res.GetJobs()) > int(req.GetPageSize()) && req.GetPageSize() > 0 {
			t.Fatalf("a page of %d", len(res.GetJobs()))
		}
		between()
	}
}

func TestListJobs_WhatExistedComesOnceWhateverEndsMeanwhile(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		f, s := newTestJobService(t)
		if seed%2 == 1 { // so small that no page is found in one round
			s.listWindows = func(int) []int { return []int{2 + r.IntN(5), 3 + r.IntN(9)} }
		}
		mine := []catalog.Lane{f.lane(t, "acme", "a", "x"), f.lane(t, "acme", "b", "y"), f.lane(t, "acme", "c", "x")}
		other := f.lane(t, "globex", "a", "x")
		var want []string
		var alive []job.ID
		for range r.IntN(300) {
			lane := mine[r.IntN(len(mine))]
			if r.IntN(2) == 0 {
				lane = other
			}
			row := f.put(lane, testTime.Add(time.Duration(r.IntN(100))*time.Millisecond), nil)
			if lane != other {
				want = append(want, row.ID.String())
			}
			alive = append(alive, row.ID)
		}
		slices.SortFunc(want, func(a, b string) int { return strings.Compare(b, a) })
		endSome := func() {
			for range 20 {
				if len(alive) > 0 {
					i := r.IntN(len(alive))
					f.end(alive[i], job.Succeeded)
					alive = slices.Delete(alive, i, i+1)
				}
			}
			f.put(mine[0], testTime.Add(time.Hour), nil) // newer than the first page: not part of the list
		}
		f.afterListed = endSome
		got, _ := listAll(t, s, &belfryv1.ListJobsRequest{TenantId: "acme", PageSize: int32(1 + r.IntN(40))}, endSome)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %d jobs, want %d", seed, len(got), len(want))
		}
	}
}

func TestListJobs_FiltersByQueueTypeAndState(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	ax, ay, bx := f.lane(t, "acme", "a", "x"), f.lane(t, "acme", "a", "y"), f.lane(t, "acme", "b", "x")
	later := func(r *store.Live) { r.Due = r.Now.Add(time.Hour) }
	rows := map[string]job.ID{
		"ready": f.put(ax, testTime, nil).ID, "pending": f.put(ax, testTime, later).ID,
		"running": f.put(ay, testTime, func(r *store.Live) { r.State = job.Running }).ID, "b": f.put(bx, testTime, later).ID,
		"dead": f.put(ax, testTime, nil).ID,
	}
	f.end(rows["dead"], job.Dead)
	for _, c := range []struct {
		req  *belfryv1.ListJobsRequest
		want []string
	}{
		{&belfryv1.ListJobsRequest{}, []string{"ready", "pending", "running", "b", "dead"}},
		{&belfryv1.ListJobsRequest{Queue: "a"}, []string{"ready", "pending", "running", "dead"}},
		{&belfryv1.ListJobsRequest{JobType: "x"}, []string{"ready", "pending", "b", "dead"}},
		{&belfryv1.ListJobsRequest{Queue: "b", JobType: "y"}, nil},
		{&belfryv1.ListJobsRequest{Queue: "none"}, nil},
		{&belfryv1.ListJobsRequest{States: []belfryv1.JobState{belfryv1.JobState_JOB_STATE_PENDING}}, []string{"pending", "b"}},
		{&belfryv1.ListJobsRequest{States: []belfryv1.JobState{belfryv1.JobState_JOB_STATE_READY, belfryv1.JobState_JOB_STATE_DEAD}}, []string{"ready", "dead"}},
		{&belfryv1.ListJobsRequest{States: []belfryv1.JobState{belfryv1.JobState_JOB_STATE_RUNNING}, Queue: "a"}, []string{"running"}},
		{&belfryv1.ListJobsRequest{States: []belfryv1.JobState{belfryv1.JobState_JOB_STATE_SUCCEEDED}}, nil},
	} {
		c.req.TenantId = "acme"
		got, _ := listAll(t, s, c.req, func() {})
		var want []string
		for _, name := range c.want {
			want = append(want, rows[name].String())
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %v, want %v", c.req, got, c.want)
		}
	}
}

func TestListJobs_RareMatchesAreFoundThroughShortPages(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	mine, other := f.lane(t, "acme", "a", "x"), f.lane(t, "globex", "a", "x")
	other.Queue.Part = mine.Queue.Part
	first := f.put(mine, testTime, nil)
	for i := range 9000 {
		f.put(other, testTime.Add(time.Duration(1+i)*time.Millisecond), nil)
	}
	got, pages := listAll(t, s, &belfryv1.ListJobsRequest{TenantId: "acme"}, func() {})
	if !slices.Equal(got, []string{first.ID.String()}) || pages < 2 {
		t.Errorf("got %v in %d pages", got, pages)
	}
}

func TestListJobs_TokensBelongToTheirFilter(t *testing.T) {
	t.Parallel()
	f, s := newTestJobService(t)
	for range 3 {
		f.put(f.lane(t, "acme", "a", "x"), testTime, nil)
	}
	res, err := s.ListJobs(t.Context(), &belfryv1.ListJobsRequest{TenantId: "acme", PageSize: 1})
	if err != nil || res.GetNextPageToken() == "" {
		t.Fatalf("%v, %v", res, err)
	}
	for _, req := range []*belfryv1.ListJobsRequest{
		{TenantId: "globex", PageToken: res.GetNextPageToken()},
		{TenantId: "acme", Queue: "a", PageToken: res.GetNextPageToken()},
		{TenantId: "acme", PageToken: "x"},
		{TenantId: "acme", PageToken: encodePageToken(listJobsFilter("uid-acme", &belfryv1.ListJobsRequest{}), []byte("short"))},
	} {
		_, err := s.ListJobs(t.Context(), req)
		if e := wantKind(t, err, job.ErrInvalidField); e.Fields[0].Field != "page_token" {
			t.Errorf("%v: %v", req, e)
		}
	}
}
