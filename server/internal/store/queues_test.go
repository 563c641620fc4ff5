package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func TestQueue_ReadsAsItWasStored(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	settings := job.QueueSettings{Description: "née „x“", AttemptTimeout: time.Minute, Slim: true, RetentionDays: 90,
		DeletionProtection: true, Retry: job.RetryPolicy{MaxAttempts: 3, JitterSet: true,
			Delays: []time.Duration{0, time.Millisecond}}}
	made := a.queue(a.acme, "mail", settings)
	got, err := a.Store.QueueByName(t.Context(), a.acme.ID, "mail")
	if err != nil || !reflect.DeepEqual(got, made) || !reflect.DeepEqual(got.Settings, settings) {
		t.Errorf("read %+v (%v), made %+v", got, err, made)
	}
	if got.Part != job.PartOf("acme", "mail", 4) || got.TenantName != "acme" || got.Revision != 1 {
		t.Errorf("queue is %+v", got)
	}
	if !storetest.Value[bool](a.DB, "SELECT to_regclass($1) IS NOT NULL", "history_r90_"+got.CreateTime.Format("20060102")) {
		t.Error("the queue's retention class has no history table")
	}
}

func TestQueue_OfAnotherTenantIsNotFound(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.queue(a.acme, "mail", job.QueueSettings{})
	theirs := a.queue(a.other, "mail", job.QueueSettings{})
	a.queue(a.other, "zoo", job.QueueSettings{})
	_, err := a.Store.QueueByName(t.Context(), a.acme.ID, "zoo")
	wantIs(t, err, store.ErrNotFound)
	list, err := a.Store.ListQueues(t.Context(), a.acme.ID, "", 10)
	if err != nil || len(list) != 1 || list[0].UID == theirs.UID {
		t.Errorf("listed %+v (%v)", list, err)
	}
	names, err := a.Store.QueueNames(t.Context(), a.other.ID, 10)
	if err != nil || !reflect.DeepEqual(names, []string{"mail", "zoo"}) {
		t.Errorf("names are %q (%v)", names, err)
	}
}

func TestChangeQueue_ComparesTheRevision(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	before := a.config(q.Part).Config
	next := *q
	next.Settings.Description = "new"
	changed, err := a.Store.ChangeQueue(t.Context(), next)
	if err != nil || changed.Queue.Revision != 2 || changed.Queue.Settings.Description != "new" || changed.Queue.Etag() == q.Etag() {
		t.Fatalf("changed to %+v (%v)", changed.Queue, err)
	}
	if now := a.config(q.Part).Config; now != before+1 || changed.Config != now {
		t.Errorf("configuration version went from %d to %d", before, now)
	}
	next.Settings.Description = "newer"
	_, err = a.Store.ChangeQueue(t.Context(), next)
	wantIs(t, err, store.ErrConflict)
	if now := a.config(q.Part).Config; now != before+1 {
		t.Errorf("a refused change raised the configuration version to %d", now)
	}
}

// TestPause_WaitsForClaimsUnderWay holds a partition's row as a claim does.
func TestPause_WaitsForClaimsUnderWay(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	ids := a.create(q, a.lane(q, "default"), 2)
	state := a.config(q.Part)
	claiming := a.Begin()
	claiming.Exec("SELECT 1 FROM partitions WHERE part = $1 FOR KEY SHARE", q.Part)
	paused := make(chan error, 1)
	go func() {
		next := *q
		next.Paused, next.PauseReason = true, "deploy"
		_, err := a.Store.ChangeQueue(t.Context(), next)
		paused <- err
	}()
	a.AwaitBlocked(1)
	select {
	case err := <-paused:
		t.Fatalf("the pause answered (%v) while a claim was under way", err)
	default:
	}
	claiming.Commit()
	if err := <-paused; err != nil {
		t.Fatal(err)
	}
	if rows := a.claim(state, ids...); len(rows) != 0 {
		t.Errorf("a claim decided before the pause took %d jobs after it", len(rows))
	}
	if rows := a.claim(a.config(q.Part), ids[0]); len(rows) != 1 {
		t.Errorf("a claim that knows the new configuration took %d jobs, want 1: it is the node that keeps to the pause", len(rows))
	}
}

func TestEnsureLane_IsOneLaneForAllCallers(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	const callers, types = 8, 5
	lanes := make([][types]int32, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for n := range types {
				lane, err := a.Store.EnsureLane(t.Context(), q.ID, fmt.Sprint("type ", n))
				if err != nil {
					t.Error(err)
				}
				lanes[i][n] = lane.Number
			}
		})
	}
	wg.Wait()
	for i := range callers {
		if lanes[i] != lanes[0] {
			t.Errorf("caller %d got lanes %v, the first %v", i, lanes[i], lanes[0])
		}
	}
	all, err := a.Store.LanesOfQueues(t.Context(), []int32{q.ID})
	if err != nil || len(all) != types || all[0].Tenant != a.acme.ID || all[0].Queue != q.ID {
		t.Errorf("lanes are %+v (%v)", all, err)
	}
}

func TestEnsureLane_IsBounded(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	a.Exec("INSERT INTO lanes (tenant, queue, job_type) SELECT $1, $2, 't' || n FROM generate_series(1, $3::int) n",
		a.acme.ID, q.ID, store.MaxLanes-1)
	const callers = 10
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() { _, errs[i] = a.Store.EnsureLane(t.Context(), q.ID, fmt.Sprint("new", i)) })
	}
	wg.Wait()
	refused := 0
	for _, err := range errs {
		var e *job.Error
		if err == nil {
			continue
		}
		if !errors.As(err, &e) || e.Kind != job.ErrLimit || e.Limit.Max != store.MaxLanes || e.Limit.Use != store.MaxLanes {
			t.Errorf("refused with %v", err)
		}
		refused++
	}
	if n := storetest.Value[int](a.DB, "SELECT count(*) FROM lanes"); refused != callers-1 || n != store.MaxLanes {
		t.Errorf("%d of %d were refused and %d lanes exist", refused, callers, n)
	}
	if lane, err := a.Store.EnsureLane(t.Context(), q.ID, "t1"); err != nil || lane.Type != "t1" {
		t.Errorf("a known type of a full queue is answered %v (%v)", lane, err)
	}
}
