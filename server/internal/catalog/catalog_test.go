package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/tenancy"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// counted is a store that counts what it is asked and can be cut off.
type counted struct {
	*store.Store
	asked atomic.Int64
	away  atomic.Bool
}

func (s *counted) ask() error {
	s.asked.Add(1)
	if s.away.Load() {
		return fmt.Errorf("test: %w", store.ErrUnavailable)
	}
	return nil
}

func (s *counted) TenantByName(ctx context.Context, name string) (tenancy.Tenant, error) {
	if err := s.ask(); err != nil {
		return tenancy.Tenant{}, err
	}
	return s.Store.TenantByName(ctx, name)
}

func (s *counted) QueueByName(ctx context.Context, tenant int32, name string) (*store.Queue, error) {
	if err := s.ask(); err != nil {
		return nil, err
	}
	return s.Store.QueueByName(ctx, tenant, name)
}

func (s *counted) QueuesByID(ctx context.Context, ids []int32) ([]*store.Queue, error) {
	if err := s.ask(); err != nil {
		return nil, err
	}
	return s.Store.QueuesByID(ctx, ids)
}

func (s *counted) LanesByNumber(ctx context.Context, numbers []int32) ([]store.Lane, error) {
	if err := s.ask(); err != nil {
		return nil, err
	}
	return s.Store.LanesByNumber(ctx, numbers)
}

func (s *counted) PartitionStates(ctx context.Context) ([]store.PartitionState, error) {
	if err := s.ask(); err != nil {
		return nil, err
	}
	return s.Store.PartitionStates(ctx)
}

// bench is one node's catalog, on a database with tenant acme and its queue mail.
type bench struct {
	*catalog.Catalog
	t     *testing.T
	db    *storetest.DB
	store *counted
	clock *clock.Manual
	mail  *store.Queue
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db := storetest.New(t)
	b := &bench{t: t, db: db, store: &counted{Store: db.Store}, clock: clock.NewManual(time.Now())}
	b.Catalog = catalog.New(catalog.Config{Store: b.store, Clock: b.clock})
	for _, n := range []store.NewTenant{{Name: "acme"}, {Name: "auto", AutoCreateQueues: true}} {
		if _, _, err := db.Store.CreateTenant(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	b.mail = b.make("acme", "mail")
	return b
}

// make makes a queue as another node does.
func (b *bench) make(tenant, name string) *store.Queue {
	b.t.Helper()
	t, err := b.db.Store.TenantByName(b.t.Context(), tenant)
	if err != nil {
		b.t.Fatal(err)
	}
	q, _, err := b.db.Store.CreateQueue(b.t.Context(), store.NewQueue{Tenant: t.ID, TenantName: tenant, Name: name})
	if err != nil {
		b.t.Fatal(err)
	}
	return q
}

// pause pauses a queue as another node does.
func (b *bench) pause(q *store.Queue) *store.Queue {
	b.t.Helper()
	next := *q
	next.Paused = true
	c, err := b.db.Store.ChangeQueue(b.t.Context(), next)
	if err != nil {
		b.t.Fatal(err)
	}
	return c.Queue
}

func (b *bench) queue(tenant, name string) *store.Queue {
	b.t.Helper()
	q, err := b.Queue(b.t.Context(), tenant, name)
	if err != nil {
		b.t.Fatal(err)
	}
	return q
}

func (b *bench) lane(q *store.Queue, jobType string) catalog.Lane {
	b.t.Helper()
	lane, err := b.EnsureLane(b.t.Context(), q, jobType)
	if err != nil {
		b.t.Fatal(err)
	}
	return lane
}

func wantKind(t *testing.T, err error, kind job.Kind, subject job.Subject) {
	t.Helper()
	if e, ok := job.AsError(err); !ok || e.Kind != kind || e.Subject != subject {
		t.Errorf("error is %v, want %v of %s", err, kind, subject)
	}
}

func TestQueue_IsAnsweredFromMemory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.queue("acme", "mail")
	lane := b.lane(first, "default")
	if first.UID != b.mail.UID || lane.Queue.UID != first.UID {
		t.Fatalf("queue is %+v, lane %+v", first, lane)
	}
	asked := b.store.asked.Load()
	for range 1000 {
		b.queue("acme", "mail")
		b.lane(first, "default")
		if l, err := b.Lane(t.Context(), lane.Number); err != nil || l != lane {
			t.Fatalf("lane %d is %+v (%v), want %+v", lane.Number, l, err, lane)
		}
	}
	if n := b.store.asked.Load() - asked; n != 0 {
		t.Errorf("the store was asked %d times about what is known", n)
	}
}

func TestQueue_NamesTheNearestAndTheCommand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.make("acme", "reports")
	b.make("auto", "mails") // another tenant's: must not be told
	for _, c := range []struct {
		name, hint string
		silent     string
	}{
		{"mial", `did you mean "mail"?`, "reports"},
		{"report", `did you mean "reports"?`, "mail"},
		{"mails", `did you mean "mail"?`, "reports"},
		{"zzz", "make it with `belfry queue create zzz`", "did you mean"},
		{"NAME; rm -rf", "`belfry queue create NAME`", "create NAME;"},
	} {
		_, err := b.Queue(t.Context(), "acme", c.name)
		wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
		if err == nil || !strings.Contains(err.Error(), c.hint) || strings.Contains(err.Error(), c.silent) {
			t.Errorf("%q is told %v, want %q in it and not %q", c.name, err, c.hint, c.silent)
		}
	}
	_, err := b.Queue(t.Context(), "acm", "mail")
	wantKind(t, err, job.ErrNotFound, job.SubjectTenant)
}

func TestQueue_AppearsOnceByItself(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := catalog.New(catalog.Config{Store: b.db.Open(), Clock: b.clock})
	const callers = 16
	uids := make([]string, callers)
	var wg sync.WaitGroup
	for i := range callers {
		node := b.Catalog
		if i%2 == 1 {
			node = other
		}
		wg.Go(func() {
			q, err := node.Queue(t.Context(), "auto", "fresh")
			if err != nil {
				t.Error(err)
				return
			}
			uids[i] = q.UID
		})
	}
	wg.Wait()
	slices.Sort(uids)
	if n := len(slices.Compact(uids)); n != 1 {
		t.Errorf("callers were answered %d queues", n)
	}
	if n := storetest.Value[int](b.db, "SELECT count(*) FROM queues WHERE name = 'fresh'"); n != 1 {
		t.Errorf("%d queues were made", n)
	}
}

func TestQueue_AppearsOnlyWhereAllowed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.FindQueue(t.Context(), "auto", "unknown")
	wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	_, err = b.Queue(t.Context(), "auto", "Bad Name")
	wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	_, err = b.Queue(t.Context(), "acme", "unknown")
	wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	if n := storetest.Value[int](b.db, "SELECT count(*) FROM queues"); n != 1 {
		t.Errorf("%d queues exist, want the first alone", n)
	}
	// What FindQueue did not find just now is no reason not to make it.
	if q := b.queue("auto", "unknown"); q.Name != "unknown" {
		t.Errorf("made %+v", q)
	}
}

func TestAbsence_IsRememberedForASecond(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.FindQueue(t.Context(), "acme", "late")
	wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	asked := b.store.asked.Load()
	late := b.make("acme", "late")
	_, err = b.FindQueue(t.Context(), "acme", "late")
	wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	if n := b.store.asked.Load() - asked; n != 0 {
		t.Errorf("the store was asked %d times about an absent name", n)
	}
	b.clock.Advance(time.Second)
	if q, err := b.FindQueue(t.Context(), "acme", "late"); err != nil || q.UID != late.UID {
		t.Errorf("a second later: %+v (%v)", q, err)
	}
	// On the node that makes it, it is there at once.
	_, err = b.FindQueue(t.Context(), "acme", "own")
	wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	b.Observe(b.make("acme", "own"))
	if _, err := b.FindQueue(t.Context(), "acme", "own"); err != nil {
		t.Errorf("a queue made here is not known here: %v", err)
	}
}

func TestAbsence_IsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	for n := range int32(4096) {
		if _, err := b.Lane(ctx, -1-n); !errors.Is(err, job.ErrNotFound) {
			t.Fatal(err)
		}
	}
	asked := b.store.asked.Load()
	for range 3 {
		_, _ = b.Lane(ctx, -100_000)
	}
	if n := b.store.asked.Load() - asked; n != 3 {
		t.Errorf("beyond the bound the store was asked %d times for 3 questions", n)
	}
	b.clock.Advance(time.Second)
	_, _ = b.Lane(ctx, -100_000)
	asked = b.store.asked.Load()
	_, _ = b.Lane(ctx, -100_000)
	if n := b.store.asked.Load() - asked; n != 0 {
		t.Errorf("after the others ran out the store was still asked %d times", n)
	}
}

func TestLane_OfADeletedQueueStillHasItsName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	q := b.queue("acme", "mail")
	lane := b.lane(q, "default")
	gone, err := b.db.Store.DeleteQueue(t.Context(), store.QueueDeletion{ID: q.ID, Tenant: q.Tenant, Part: q.Part, Revision: q.Revision})
	if err != nil {
		t.Fatal(err)
	}
	b.Observe(gone.Queue)
	_, err = b.Queue(t.Context(), "acme", "mail")
	wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	for _, jobType := range []string{"default", "new"} {
		_, err = b.EnsureLane(t.Context(), q, jobType)
		wantKind(t, err, job.ErrNotFound, job.SubjectQueue)
	}
	fresh := catalog.New(catalog.Config{Store: b.store, Clock: b.clock})
	for _, node := range []*catalog.Catalog{b.Catalog, fresh} {
		l, err := node.Lane(t.Context(), lane.Number)
		if err != nil || l.Queue.Name != "mail" || !l.Queue.Deleted || l.Type != "default" {
			t.Errorf("lane is %+v (%v)", l, err)
		}
	}
	again := b.make("acme", "mail")
	b.clock.Advance(2 * time.Second)
	if got := b.queue("acme", "mail"); got.UID != again.UID {
		t.Errorf("the name stands for %+v, want the new queue", got)
	}
}

func TestLanes_ReadsWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	known := b.lane(b.queue("acme", "mail"), "a")
	other := b.make("auto", "x")
	unknown, err := b.db.Store.EnsureLane(t.Context(), other.ID, "b")
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Lanes(t.Context(), []int32{known.Number, unknown.Number, 1 << 30})
	if err != nil || len(got) != 2 || got[known.Number] != known || got[unknown.Number].Queue.TenantName != "auto" {
		t.Errorf("lanes are %+v (%v)", got, err)
	}
	if lanes := b.LanesOf(b.mail); len(lanes) != 1 || lanes[0].Number != known.Number {
		t.Errorf("lanes of the queue are %+v", lanes)
	}
}

func TestEnsureLane_IsOneForAllCallers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	q := b.queue("acme", "mail")
	var wg sync.WaitGroup
	numbers := make([]int32, 16)
	for i := range numbers {
		wg.Go(func() {
			lane, err := b.EnsureLane(t.Context(), q, "t")
			if err != nil {
				t.Error(err)
				return
			}
			numbers[i] = lane.Number
		})
	}
	wg.Wait()
	slices.Sort(numbers)
	if len(slices.Compact(numbers)) != 1 {
		t.Errorf("lanes are %v", numbers)
	}
}

func TestAsk_IsNotCancelledByOneOfItsCallers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Queue(gone, "acme", "mail"); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that has gone is told %v", err)
	}
	b.queue("acme", "mail")
}

func BenchmarkQueue(b *testing.B) {
	db := storetest.New(b)
	c := catalog.New(catalog.Config{Store: db.Store, Clock: clock.Real()})
	if _, _, err := db.Store.CreateTenant(b.Context(), store.NewTenant{Name: "auto", AutoCreateQueues: true}); err != nil {
		b.Fatal(err)
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			q, err := c.Queue(b.Context(), "auto", "q")
			if err != nil {
				b.Fatal(err)
			}
			if _, err := c.EnsureLane(b.Context(), q, "default"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
