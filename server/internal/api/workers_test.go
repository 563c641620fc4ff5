package api

import (
	"fmt"
	"testing"
	"time"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/tenancy"
)

func TestWorkers_AreListedForFiveMinutes(t *testing.T) {
	t.Parallel()
	now := testTime
	w := NewWorkers(func() time.Time { return now })
	w.Asked("acme", "old", nil, nil)
	now = now.Add(5 * time.Minute)
	w.Asked("acme", "new", nil, nil)
	if got := w.listed("acme"); len(got) != 2 {
		t.Errorf("at the limit: %v", got)
	}
	now = now.Add(time.Microsecond)
	if got := w.listed("acme"); len(got) != 1 || got[0].id != "new" {
		t.Errorf("past the limit: %v", got)
	}
}

func TestWorkers_CountLeasesSinceTheLatestHeartbeat(t *testing.T) {
	t.Parallel()
	w := NewWorkers(func() time.Time { return testTime })
	w.Asked("acme", "w", []string{"q"}, []string{"t"})
	w.Leased("acme", "w", 3)
	w.Beaten("acme", "w", 2)
	w.Leased("acme", "w", 5)
	if got := w.listed("acme")[0]; got.leases != 7 || got.queues[0] != "q" || got.jobTypes[0] != "t" {
		t.Errorf("got %+v", got)
	}
}

func TestWorkers_LastPollCountsRequestsForTheQueueForAllAndOfAllTenants(t *testing.T) {
	t.Parallel()
	now := testTime
	w := NewWorkers(func() time.Time { return now })
	if !w.LastPoll("acme", "q").IsZero() {
		t.Error("polled before anybody asked")
	}
	w.Asked("globex", "w", nil, nil)
	w.Asked("acme", "w", []string{"other"}, nil)
	if !w.LastPoll("acme", "q").IsZero() {
		t.Error("another tenant's or queue's poll counts")
	}
	for i, ask := range []func(){
		func() { w.Asked("acme", "w", []string{"q"}, nil) },
		func() { w.Asked("acme", "w", nil, nil) },
		func() { w.Asked(tenancy.AllTenants, "w", nil, nil) },
	} {
		now = now.Add(time.Second)
		ask()
		if got := w.LastPoll("acme", "q"); !got.Equal(now) {
			t.Errorf("case %d: %s", i, got)
		}
	}
}

func TestWorkers_AreBoundedPerTenantAndForgotten(t *testing.T) {
	t.Parallel()
	now := testTime
	w := NewWorkers(func() time.Time { return now })
	for i := range maxWorkers + 10 {
		w.Asked("acme", fmt.Sprint(i), nil, nil)
	}
	w.Asked("globex", "w", nil, nil)
	if len(w.listed("acme")) != maxWorkers || len(w.listed("globex")) != 1 {
		t.Errorf("%d workers", len(w.listed("acme")))
	}
	now = now.Add(6 * time.Minute)
	w.Asked("acme", "late", nil, nil)
	if n := len(w.tenants["acme"].workers); n != 1 {
		t.Errorf("%d workers are remembered", n)
	}
}

func TestListWorkers_PagesAndHidesWorkersOfAllTenantsFromTenants(t *testing.T) {
	t.Parallel()
	_, s := newTestWorkerService(t)
	for _, id := range []string{"c", "a", "b"} {
		s.Workers.Asked("acme", id, nil, nil)
	}
	s.Workers.Asked(tenancy.AllTenants, "b", nil, nil)
	s.Workers.Asked("globex", "x", nil, nil)
	list := func(p tenancy.Principal) (all string) {
		req := &belfryv1.ListWorkersRequest{TenantId: "acme", PageSize: 1}
		for {
			res, err := s.ListWorkers(tenancy.NewContext(t.Context(), p), req)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range res.GetWorkers() {
				all += w.GetTenantId() + "/" + w.GetWorkerId() + " "
			}
			if req.PageToken = res.GetNextPageToken(); req.PageToken == "" {
				return all
			}
		}
	}
	if got := list(tenancy.Principal{Tenant: "acme", TenantID: 3}); got != "acme/a acme/b acme/c " {
		t.Errorf("tenant's key: %s", got)
	}
	if got := list(tenancy.Principal{Platform: true}); got != "acme/a -/b acme/b acme/c " {
		t.Errorf("operator's key: %s", got)
	}
}
