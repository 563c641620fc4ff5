package catalog_test

import (
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// await waits until a check that was started by use has had its effect.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("after 10 s: %s", what)
		}
	}
}

func TestCheck_BringsAChangeOfAnotherNodeWithinFiveSeconds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.queue("acme", "mail")
	paused := b.pause(b.mail)
	b.clock.Advance(2 * time.Second)
	if b.queue("acme", "mail").Paused {
		t.Error("the store was asked after two seconds: this test does not show what it means to")
	}
	b.clock.Advance(3 * time.Second)
	if got := b.queue("acme", "mail"); got.Revision != paused.Revision {
		t.Errorf("after five seconds the queue is still %+v", got)
	}
}

func TestCheck_IsStartedByUseAndHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	lane := b.lane(b.queue("acme", "mail"), "default")
	b.queue("acme", "mail")
	b.pause(b.mail)
	b.clock.Advance(3 * time.Second)
	await(t, "the lane's queue is not known as paused", func() bool {
		l, err := b.Lane(t.Context(), lane.Number)
		return err == nil && l.Queue.Paused
	})
}

func TestCheck_CostsTheSameForManyQueues(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for _, name := range names {
		b.queue("auto", name)
	}
	b.clock.Advance(time.Minute)
	b.queue("auto", "a") // the first check reads them all once
	asked := b.store.asked.Load()
	b.clock.Advance(time.Minute)
	for range 10 {
		for _, name := range names {
			b.queue("auto", name)
		}
	}
	// The counting store sees PartitionStates; TenantsByID is not counted.
	if n := b.store.asked.Load() - asked; n != 1 {
		t.Errorf("checking %d unchanged queues asked the store %d times, want once", len(names), n)
	}
}

func TestCheck_ForgetsTenantsThatNobodyAsksFor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	for _, name := range []string{"acme", "auto"} {
		if _, err := b.Tenant(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
	b.db.Exec("UPDATE tenants SET display_name = 'new', revision = revision + 1")
	for range 3 { // acme is used all the time
		b.clock.Advance(5 * time.Second)
		got, err := b.Tenant(ctx, "acme")
		if err != nil || got.DisplayName != "new" {
			t.Errorf("after five seconds the tenant is still %+v (%v)", got, err)
		}
	}
	asked := b.store.asked.Load()
	if _, err := b.Tenant(ctx, "auto"); err != nil {
		t.Fatal(err)
	}
	if n := b.store.asked.Load() - asked; n != 1 {
		t.Errorf("the store was asked %d times for a tenant that was forgotten", n)
	}
}

func TestCheck_WhileTheDatabaseIsAwayTheLastStateHolds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	lane := b.lane(b.queue("acme", "mail"), "default")
	b.queue("acme", "mail")
	b.store.away.Store(true)
	for range 20 {
		b.clock.Advance(20 * time.Second)
		if q := b.queue("acme", "mail"); q.Name != "mail" {
			t.Errorf("queue is %+v", q)
		}
		if _, err := b.Lane(t.Context(), lane.Number); err != nil {
			t.Errorf("lane: %v", err)
		}
	}
	_, err := b.Queue(t.Context(), "acme", "other")
	if e, ok := job.AsError(err); !ok || e.Kind != job.ErrUnavailable {
		t.Errorf("an unknown queue is told %v, want that the database is away", err)
	}
	b.pause(b.mail)
	b.store.away.Store(false)
	b.clock.Advance(10 * time.Second)
	if !b.queue("acme", "mail").Paused {
		t.Error("after the outage the change is not known")
	}
}

func TestRefresh_TellsTheHooksOfWhatHasChanged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var mu sync.Mutex
	var told []int64
	b.OnChange(func(q *store.Queue) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, q.Revision)
	})
	lane := b.lane(b.queue("acme", "mail"), "default")
	paused := b.pause(b.mail)
	if err := b.Refresh(t.Context(), (b.mail.Part+1)%4); err != nil {
		t.Fatal(err)
	}
	if len(told) != 0 {
		t.Errorf("another partition's refresh told of %v", told)
	}
	for range 2 {
		if err := b.Refresh(t.Context(), b.mail.Part); err != nil {
			t.Fatal(err)
		}
	}
	b.Observe(b.mail) // old news
	if len(told) != 1 || told[0] != paused.Revision {
		t.Errorf("hooks were told of revisions %v, want %d once", told, paused.Revision)
	}
	if l, err := b.Lane(t.Context(), lane.Number); err != nil || !l.Queue.Paused {
		t.Errorf("after the refresh the lane is %+v (%v)", l, err)
	}
}

func TestObserve_TellsRevisionsInOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.queue("acme", "mail")
	last := int64(1)
	b.OnChange(func(q *store.Queue) { // hooks run one at a time
		if q.Revision <= last {
			t.Errorf("revision %d was told after %d", q.Revision, last)
		}
		last = q.Revision
	})
	var wg sync.WaitGroup
	const changes = 200
	for worker := range 4 {
		wg.Go(func() {
			for n := range changes {
				q := *b.mail
				q.Revision = int64(2 + n*4 + worker)
				b.Observe(&q)
			}
		})
	}
	wg.Wait()
	if last != 1+4*changes {
		t.Errorf("the last revision told is %d, want %d", last, 1+4*changes)
	}
	if n := storetest.Value[int](b.db, "SELECT count(*) FROM queues"); n != 1 {
		t.Errorf("%d queues", n)
	}
}
