package api

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

const fakeParts = 4

// fakeEngine keeps jobs in memory: the Engine, Jobs and Names of handlers under test. Tenant acme (3) makes queues by
// itself, tenant globex (4) does not.
type fakeEngine struct {
	mu       sync.Mutex
	now      time.Time
	tenants  map[string]tenancy.Tenant
	queues   map[string]*catalog.Queue // by tenant/name
	lanes    []catalog.Lane            // by number-1
	live     map[job.ID]store.Live
	ended    map[job.ID]store.Ended
	attempts map[job.ID][]job.Attempt
	requests map[[16]byte]store.KnownRequest
	creates  int

	beforeCreate func() // called without the lock
	afterListed  func() // between the listing of live rows and that of history
	lease        func(context.Context, dispatch.LeaseCall) ([]dispatch.Leased, error)
	leaseCalls   []dispatch.LeaseCall
	beats        []*store.Beat
	completed    []dispatch.Completion
	failed       []dispatch.Failure
	cancelled    []string
	valid        func() error
	validAsked   int
}

func newFakeEngine() *fakeEngine {
	return &fakeEngine{
		now: testTime,
		tenants: map[string]tenancy.Tenant{
			"acme":   {ID: 3, Name: "acme", UID: "uid-acme", AutoCreateQueues: true},
			"globex": {ID: 4, Name: "globex", UID: "uid-globex"},
		},
		queues: map[string]*catalog.Queue{}, live: map[job.ID]store.Live{}, ended: map[job.ID]store.Ended{},
		attempts: map[job.ID][]job.Attempt{}, requests: map[[16]byte]store.KnownRequest{},
	}
}

func (f *fakeEngine) config() ServiceConfig {
	return ServiceConfig{
		Engine: f, Jobs: f, Names: f, Workers: NewWorkers(f.clock), Errors: NewTranslator(slog.New(slog.DiscardHandler)), Now: f.clock,
		StillValid: func(context.Context, tenancy.Principal) error {
			f.validAsked++
			if f.valid == nil {
				return nil
			}
			return f.valid()
		},
	}
}

func (f *fakeEngine) clock() time.Time { return f.now }

// lane makes the lane of a queue that it makes if need be.
func (f *fakeEngine) lane(t testing.TB, tenant, queue, jobType string) catalog.Lane {
	t.Helper()
	q, err := f.FindQueue(t.Context(), tenant, queue)
	if err != nil {
		q = f.makeQueue(f.tenants[tenant], queue)
	}
	lane, err := f.EnsureLane(t.Context(), q, jobType)
	if err != nil {
		t.Fatal(err)
	}
	return lane
}

func (f *fakeEngine) makeQueue(tenant tenancy.Tenant, name string) *catalog.Queue {
	q := &catalog.Queue{ID: int32(len(f.queues) + 1), Tenant: tenant.ID, TenantName: tenant.Name, Name: name,
		Part: job.PartOf(tenant.Name, name, fakeParts)}
	f.queues[tenant.Name+"/"+name] = q
	return q
}

func (f *fakeEngine) Tenant(_ context.Context, name string) (tenancy.Tenant, error) {
	t, ok := f.tenants[name]
	if !ok {
		return t, job.NotFound(job.SubjectTenant, name, "")
	}
	return t, nil
}

func (f *fakeEngine) FindQueue(_ context.Context, tenant, name string) (*catalog.Queue, error) {
	if q := f.queues[tenant+"/"+name]; q != nil {
		return q, nil
	}
	return nil, job.NotFound(job.SubjectQueue, name, "")
}

func (f *fakeEngine) Queue(ctx context.Context, tenant, name string) (*catalog.Queue, error) {
	t, err := f.Tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	q, err := f.FindQueue(ctx, tenant, name)
	if err != nil && t.AutoCreateQueues {
		return f.makeQueue(t, name), nil
	}
	return q, err
}

func (f *fakeEngine) EnsureLane(_ context.Context, q *catalog.Queue, jobType string) (catalog.Lane, error) {
	for _, l := range f.lanes {
		if l.Queue == q && l.Type == jobType {
			return l, nil
		}
	}
	f.lanes = append(f.lanes, catalog.Lane{Number: int32(len(f.lanes) + 1), Type: jobType, Queue: q})
	return f.lanes[len(f.lanes)-1], nil
}

func (f *fakeEngine) Lane(_ context.Context, number int32) (catalog.Lane, error) {
	if number < 1 || int(number) > len(f.lanes) {
		return catalog.Lane{}, job.NotFound(job.SubjectQueue, "?", "")
	}
	return f.lanes[number-1], nil
}

func (f *fakeEngine) Create(_ context.Context, items []*store.Create) error {
	if f.beforeCreate != nil {
		f.beforeCreate()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.creates++
	for _, it := range items {
		if it.Request != nil {
			if _, known := f.requests[it.Request.Key]; known {
				it.Stored = false
				continue
			}
			f.requests[it.Request.Key] = store.KnownRequest{Fingerprint: it.Request.Fingerprint, Job: it.ID}
		}
		it.Scheduled = it.At
		if it.At.IsZero() {
			it.Scheduled = f.now.Add(it.Delay)
		}
		it.Due, it.Stored = it.Scheduled, true
		if it.Due.Before(f.now) {
			it.Due = f.now
		}
		row := store.Live{Part: it.ID.Part(), ID: it.ID, State: job.Pending, Priority: it.Priority, Lane: it.Lane, Version: 1,
			Due: it.Due, Scheduled: it.Scheduled, StartBy: it.StartBy, Timeout: it.Timeout, Body: it.Body, Now: f.now}
		if it.StartWithin > 0 {
			row.StartBy = it.Due.Add(it.StartWithin)
		}
		f.live[it.ID] = row
	}
	return nil
}

func (f *fakeEngine) Existing(_ context.Context, keys []*store.RequestKey) (map[[16]byte]store.KnownRequest, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := map[[16]byte]store.KnownRequest{}
	for _, k := range keys {
		if known, ok := f.requests[k.Key]; ok {
			out[k.Key] = known
		}
	}
	return out, nil
}

func (f *fakeEngine) Cancel(_ context.Context, tenant int32, id job.ID, reason string) error {
	row, ok := f.live[id]
	if !ok || f.lanes[row.Lane-1].Queue.Tenant != tenant {
		return job.NotFound(job.SubjectJob, id.String(), "")
	}
	f.cancelled = append(f.cancelled, reason)
	row.CancelAsked = true
	f.live[id] = row
	return nil
}

func (f *fakeEngine) Lease(ctx context.Context, call dispatch.LeaseCall) ([]dispatch.Leased, error) {
	f.leaseCalls = append(f.leaseCalls, call)
	if f.lease == nil {
		return nil, nil
	}
	return f.lease(ctx, call)
}

func (f *fakeEngine) Heartbeat(_ context.Context, items []*store.Beat) []error {
	f.beats = append(f.beats, items...)
	for _, it := range items {
		it.Held, it.Remaining, it.CancelAsked, it.CancelReason = true, 42*time.Second, true, "enough"
	}
	return make([]error, len(items))
}

func (f *fakeEngine) Complete(_ context.Context, items []dispatch.Completion) []dispatch.Result {
	f.completed = append(f.completed, items...)
	out := make([]dispatch.Result, len(items))
	for i, it := range items {
		out[i] = dispatch.Result{ID: it.Token.ID, State: job.Succeeded}
	}
	return out
}

func (f *fakeEngine) Fail(_ context.Context, items []dispatch.Failure) []dispatch.Result {
	f.failed = append(f.failed, items...)
	out := make([]dispatch.Result, len(items))
	for i, it := range items {
		out[i] = dispatch.Result{ID: it.Token.ID, State: job.Pending, Due: f.now.Add(it.After)}
	}
	return out
}

func (f *fakeEngine) Partitions() int          { return fakeParts }
func (f *fakeEngine) KnownPart(id job.ID) bool { return id.Part() < fakeParts }

func (f *fakeEngine) LiveJobs(_ context.Context, ids []job.ID) (map[job.ID]store.Live, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return pick(f.live, ids), nil
}

func (f *fakeEngine) EndedJobs(_ context.Context, ids []job.ID) (map[job.ID]store.Ended, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return pick(f.ended, ids), nil
}

func pick[V any](all map[job.ID]V, ids []job.ID) map[job.ID]V {
	out := map[job.ID]V{}
	for _, id := range ids {
		if v, ok := all[id]; ok {
			out[id] = v
		}
	}
	return out
}

func (f *fakeEngine) LastErrors(_ context.Context, ids []job.ID) (map[job.ID]string, error) {
	out := map[job.ID]string{}
	for id, list := range pick(f.attempts, ids) {
		if last := list[len(list)-1]; last.Error != "" {
			out[id] = last.Error
		}
	}
	return out, nil
}

func (f *fakeEngine) AttemptsOf(_ context.Context, ids []job.ID, limit int) (map[job.ID][]job.Attempt, error) {
	out := pick(f.attempts, ids)
	for id, list := range out {
		out[id] = list[max(0, len(list)-limit):]
	}
	return out, nil
}

func (f *fakeEngine) PartsOfTenant(_ context.Context, tenant int32) ([]int16, error) {
	var parts []int16
	for _, q := range f.queues {
		if q.Tenant == tenant && !slices.Contains(parts, q.Part) {
			parts = append(parts, q.Part)
		}
	}
	return parts, nil
}

func (f *fakeEngine) ListLive(_ context.Context, tenant int32, parts []int16, below job.ID, size int) ([]store.LiveWindow, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]store.LiveWindow, len(parts))
	for i, part := range parts {
		var rows []store.Live
		for id, row := range f.live {
			if id.Part() == part && bytes.Compare(id[:], below[:]) < 0 {
				rows = append(rows, row)
			}
		}
		slices.SortFunc(rows, func(a, b store.Live) int { return bytes.Compare(b.ID[:], a.ID[:]) })
		rows = rows[:min(size, len(rows))]
		out[i].Full = len(rows) == size
		for _, row := range rows {
			out[i].Floor = row.ID
			if f.lanes[row.Lane-1].Queue.Tenant == tenant {
				out[i].Jobs = append(out[i].Jobs, store.Listed{ID: row.ID, Lane: row.Lane, State: shownState(&row)})
			}
		}
	}
	return out, nil
}

func (f *fakeEngine) ListEnded(_ context.Context, tenant int32, below job.ID, size int) ([]store.Listed, error) {
	if f.afterListed != nil {
		f.afterListed()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []store.Listed
	for id, row := range f.ended {
		if f.lanes[row.Lane-1].Queue.Tenant == tenant && bytes.Compare(id[:], below[:]) < 0 {
			out = append(out, store.Listed{ID: id, Lane: row.Lane, State: row.State})
		}
	}
	slices.SortFunc(out, func(a, b store.Listed) int { return bytes.Compare(b.ID[:], a.ID[:]) })
	return out[:min(size, len(out))], nil
}

// end moves a live job to history.
func (f *fakeEngine) end(id job.ID, state job.State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	row := f.live[id]
	delete(f.live, id)
	row.State = state
	f.ended[id] = store.Ended{Live: row, Finished: f.now}
}

// put stores a row as it is.
func (f *fakeEngine) put(lane catalog.Lane, at time.Time, change func(*store.Live)) store.Live {
	row := store.Live{ID: job.NewID(at, lane.Queue.Part), State: job.Pending, Priority: 5, Lane: lane.Number, Version: 1, Due: at,
		Scheduled: at, Body: job.Body{}.Marshal(), Now: f.now}
	if change != nil {
		change(&row)
	}
	f.live[row.ID] = row
	return row
}

// leased is a row under a lease, as the engine hands it out.
func (f *fakeEngine) leased(lane catalog.Lane, body job.Body) dispatch.Leased {
	row := f.put(lane, f.now, func(r *store.Live) {
		r.State, r.Version, r.ClaimID, r.Leases, r.Attempt = job.Running, 2, 77, 1, 1
		r.Claimed, r.LeaseUntil, r.Worker, r.Body = f.now, f.now.Add(time.Minute), "w1", body.Marshal()
	})
	return dispatch.Leased{Row: row, Lane: lane, LeaseLeft: time.Minute, AttemptLeft: time.Hour}
}

// token is that of a lease that the engine has handed out.
func (f *fakeEngine) token(lane catalog.Lane) job.Token {
	l := f.leased(lane, job.Body{})
	return l.Row.Token()
}
