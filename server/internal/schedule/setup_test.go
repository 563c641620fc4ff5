package schedule

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/server/internal/wheel"
	"github.com/belfryhq/belfry/tenancy"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// world is a node with a database of its own, whose clock the test sets.
type world struct {
	t       testing.TB
	db      *storetest.DB
	store   *store.Store
	catalog *catalog.Catalog
	tenant  tenancy.Tenant
	queue   *store.Queue
	service *Service
	m       *Materialiser
	hints   *recorder
}

// newWorld starts at the given instant of the database's clock; empty: the present.
func newWorld(t testing.TB, at string) *world {
	t.Helper()
	w := &world{t: t, db: storetest.New(t), hints: &recorder{outcomes: map[string]int{}}}
	w.store = w.db.Store
	if at != "" {
		w.set(at)
	}
	var err error
	w.tenant, _, err = w.store.CreateTenant(t.Context(), store.NewTenant{Name: "acme"})
	if err != nil {
		t.Fatal(err)
	}
	w.catalog = catalog.New(catalog.Config{Store: w.store, Clock: clock.Real()})
	w.makeQueue()
	w.m = w.node(w.store)
	w.service = NewService(ServiceConfig{Rows: w.store, Names: w.catalog, Poke: w.m.Poke, Decide: func(int32) {}, Hints: w.hints, Now: w.Now, Metrics: w.hints})
	return w
}

func (w *world) makeQueue() {
	w.t.Helper()
	var err error
	w.queue, _, err = w.store.CreateQueue(w.t.Context(), store.NewQueue{Tenant: w.tenant.ID, TenantName: "acme", Name: "work"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.catalog.Observe(w.queue)
}

func (w *world) deleteQueue() {
	w.t.Helper()
	gone, err := w.store.DeleteQueue(w.t.Context(), store.QueueDeletion{ID: w.queue.ID, Tenant: w.tenant.ID, Part: w.queue.Part,
		Revision: w.queue.Revision, Force: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.catalog.Observe(gone.Queue)
}

// node is a materialiser of another process.
func (w *world) node(ledger Ledger) *Materialiser {
	return New(Config{Store: ledger, Queues: w.catalog, Owner: everything(w.store.Partitions()), DB: w, Clock: clock.Real(),
		Hints: w.hints, Decide: func() {}, Log: slog.New(slog.DiscardHandler), Metrics: w.hints})
}

// Now tells the database's clock exactly.
func (w *world) Now() time.Time {
	now, err := w.store.Now(context.Background())
	if err != nil {
		w.t.Error(err)
	}
	return now
}

// set moves the database's clock to an instant, from where it runs on.
func (w *world) set(at string) { w.db.SetClock(time.Until(utc(w.t, at))) }

// everything is an owner of all partitions.
type everything int

func (n everything) Grants() []cluster.Grant {
	grants := make([]cluster.Grant, n)
	for i := range grants {
		grants[i] = cluster.Grant{Part: int16(i), Epoch: 1}
	}
	return grants
}

// recorder keeps what it is told.
type recorder struct {
	mu       sync.Mutex
	offered  []wheel.Entry
	outcomes map[string]int
}

func (r *recorder) Offer(entries []wheel.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offered = append(r.offered, entries...)
}

// drop forgets the first n hints.
func (r *recorder) drop(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offered = r.offered[n:]
}

func (r *recorder) Occurrence(outcome, reason string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes[outcome] += n
	if reason != "" {
		r.outcomes[outcome+" "+reason] += n
	}
}

func (r *recorder) entries() []wheel.Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.offered)
}

func (r *recorder) outcome(name string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outcomes[name]
}

// template makes jobs in the queue "work".
func template() store.ScheduleTemplate {
	payload, rest := job.Body{Payload: job.Payload{Kind: job.Text, Data: []byte("ring")}, Headers: map[string]string{"a": "b"}}.Parts()
	return store.ScheduleTemplate{Queue: "work", JobType: "default", Priority: 5, Age: job.DefaultMaxAge, Payload: payload, Body: rest}
}

func draft(cron, zone string) Draft {
	return Draft{Rule: Rule{Cron: cron, TimeZone: zone}, Template: template(), Policy: Policy{Overlap: AllowOverlap}}
}

func (w *world) create(name, cron, zone string) View {
	w.t.Helper()
	v, err := w.service.Create(w.t.Context(), NewCall{Tenant: "acme", Name: name, Draft: draft(cron, zone)})
	if err != nil {
		w.t.Fatalf("create %s: %v", name, err)
	}
	return v
}

func (w *world) get(name string) View {
	w.t.Helper()
	v, err := w.service.Get(w.t.Context(), "acme", name)
	if err != nil {
		w.t.Fatalf("get %s: %v", name, err)
	}
	return v
}

// edit changes a schedule's draft.
func (w *world) edit(name string, change func(*Draft)) View {
	w.t.Helper()
	v, err := w.service.Update(w.t.Context(), Edit{Tenant: "acme", Name: name, Change: func(current View) (Draft, error) {
		d := Draft{Rule: current.Rule, Policy: current.Policy, Template: current.Template, Description: current.Description}
		change(&d)
		return d, nil
	}})
	if err != nil {
		w.t.Fatalf("update %s: %v", name, err)
	}
	return v
}

func (w *world) pause(name string) View {
	w.t.Helper()
	v, err := w.service.Pause(w.t.Context(), "acme", name, "")
	if err != nil {
		w.t.Fatalf("pause %s: %v", name, err)
	}
	return v
}

func (w *world) resume(name string) View {
	w.t.Helper()
	v, err := w.service.Resume(w.t.Context(), "acme", name)
	if err != nil {
		w.t.Fatalf("resume %s: %v", name, err)
	}
	return v
}

// step makes passes until nothing is left to decide.
func (w *world) step() {
	w.t.Helper()
	for {
		again, err := w.m.Materialise(w.t.Context())
		if err != nil {
			w.t.Fatalf("materialise: %v", err)
		}
		if !again {
			return
		}
	}
}

// ledger lists what became of a schedule's nominal times, e.g. "materialised 09:00:00" or "merged 08:00:00–08:50:00 (6)".
func (w *world) ledger(v View) []string {
	w.t.Helper()
	return storetest.Column[string](w.db, `
		SELECT CASE outcome WHEN 1 THEN 'materialised' WHEN 2 THEN 'caught up' WHEN 3 THEN 'merged' WHEN 4 THEN 'skipped'
		       ELSE 'withdrawn' END
		    || to_char(nominal_at AT TIME ZONE 'UTC', ' DD HH24:MI:SS')
		    || CASE WHEN until_at > nominal_at THEN to_char(until_at AT TIME ZONE 'UTC', '–DD HH24:MI:SS') || ' (' || coalesce(count::text, '?') || ')' ELSE '' END
		    || CASE WHEN reason <> '' THEN ' ' || reason ELSE '' END
		FROM occurrences WHERE part = $1 AND schedule_uid = $2 ORDER BY nominal_at`, v.Home, v.UID)
}

// waiting lists the nominal times of a schedule's live jobs that no worker has had.
func (w *world) waiting(v View) []string {
	w.t.Helper()
	return storetest.Column[string](w.db, `SELECT to_char(scheduled_at AT TIME ZONE 'UTC', 'DD HH24:MI:SS') FROM triggers
		WHERE schedule = $1 AND leases = 0 ORDER BY scheduled_at`, v.ID)
}

func (w *world) want(what string, got []string, want ...string) {
	w.t.Helper()
	if !slices.Equal(got, want) {
		w.t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}
