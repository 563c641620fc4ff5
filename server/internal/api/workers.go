package api

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/belfryhq/belfry/tenancy"
)

const (
	workerListed = 5 * time.Minute // how long after its latest call a worker is listed
	workerSweep  = time.Minute     // how often those that are not are forgotten
	maxWorkers   = 10000           // of one tenant; more work too, but are not listed
)

// Workers remembers which workers have asked this node for jobs, and when which queue was asked for last. What it knows
// is lost with the process. Tenants are names; tenancy.AllTenants stands for workers of all tenants. Safe for concurrent
// use.
type Workers struct {
	now func() time.Time

	mu      sync.Mutex
	swept   time.Time
	tenants map[string]*tenantWorkers
}

type tenantWorkers struct {
	workers map[string]*workerSeen
	polls   map[string]time.Time // by queue
	pollAll time.Time            // latest request for all queues
}

// workerSeen is what is known of one worker. The slices are never changed.
type workerSeen struct {
	tenant   string
	id       string
	queues   []string
	jobTypes []string
	lastSeen time.Time
	leases   int32 // extended by the latest heartbeat, plus leased since
}

// NewWorkers returns an empty registry on the given clock, which is the one that callers are shown times of.
func NewWorkers(now func() time.Time) *Workers {
	return &Workers{now: now, tenants: map[string]*tenantWorkers{}}
}

// Asked notes that a worker asks for jobs of queues (empty: all of the tenant).
func (w *Workers) Asked(tenant, worker string, queues, jobTypes []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	w.sweep(now)
	if seen := w.seen(tenant, worker, now); seen != nil {
		seen.queues, seen.jobTypes = queues, jobTypes
	}
	t := w.tenants[tenant]
	if len(queues) == 0 {
		t.pollAll = now
	}
	for _, q := range queues {
		t.polls[q] = now
	}
}

// Leased notes that a worker was given n jobs.
func (w *Workers) Leased(tenant, worker string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if seen := w.seen(tenant, worker, w.now()); seen != nil {
		seen.leases += int32(n)
	}
}

// Beaten notes a heartbeat that has extended n leases.
func (w *Workers) Beaten(tenant, worker string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if seen := w.seen(tenant, worker, w.now()); seen != nil {
		seen.leases = int32(n)
	}
}

// seen returns the worker after noting a sign of life; nil if the tenant has too many.
func (w *Workers) seen(tenant, worker string, now time.Time) *workerSeen {
	t := w.tenants[tenant]
	if t == nil {
		t = &tenantWorkers{workers: map[string]*workerSeen{}, polls: map[string]time.Time{}}
		w.tenants[tenant] = t
	}
	seen := t.workers[worker]
	if seen == nil {
		if len(t.workers) >= maxWorkers {
			return nil
		}
		seen = &workerSeen{tenant: tenant, id: worker}
		t.workers[worker] = seen
	}
	seen.lastSeen = now
	return seen
}

// sweep forgets workers that are not listed any more.
func (w *Workers) sweep(now time.Time) {
	if now.Sub(w.swept) < workerSweep {
		return
	}
	w.swept = now
	for _, t := range w.tenants {
		maps.DeleteFunc(t.workers, func(_ string, seen *workerSeen) bool { return now.Sub(seen.lastSeen) > workerListed })
	}
}

// LastPoll returns when a worker last asked this node for jobs of a queue; the zero time if none has since it started.
func (w *Workers) LastPoll(tenant, queue string) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	var last time.Time
	if all := w.tenants[tenancy.AllTenants]; all != nil {
		last = all.pollAll
	}
	if t := w.tenants[tenant]; t != nil {
		for _, at := range []time.Time{t.pollAll, t.polls[queue]} {
			if at.After(last) {
				last = at
			}
		}
	}
	return last
}

// listed returns the workers of tenants that have called within the last 5 minutes, by id and tenant.
func (w *Workers) listed(tenants ...string) []workerSeen {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	var out []workerSeen
	for _, name := range tenants {
		t := w.tenants[name]
		if t == nil {
			continue
		}
		for _, seen := range t.workers {
			if now.Sub(seen.lastSeen) <= workerListed {
				out = append(out, *seen)
			}
		}
	}
	slices.SortFunc(out, func(a, b workerSeen) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.tenant, b.tenant))
	})
	return out
}
