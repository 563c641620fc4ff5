package dispatch

import (
	"sync"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
)

// leaseTable remembers when leases are worth a look: reminders only, the database decides. It holds the leases of owned
// partitions, by job. Times are local with monotonic reading, so that no step of a wall clock moves them.
type leaseTable struct {
	mu     sync.Mutex
	leases map[job.ID]reminder
	heap   []alarm // by when; stale ones are skipped when they come up
	floor  time.Time
	wake   chan struct{}
	claims map[claimKey]*claimCount
	done   map[int16][]int64 // claim batches of which nothing is outstanding, by partition
}

type reminder struct {
	version int64
	claim   int64
	lane    int32
	until   time.Time
	lease   time.Duration
}

type alarm struct {
	when    time.Time
	id      job.ID
	version int64
}

type claimKey struct {
	part  int16
	claim int64
}

type claimCount struct{ left int }

func newLeaseTable() *leaseTable {
	return &leaseTable{
		leases: map[job.ID]reminder{}, wake: make(chan struct{}, 1),
		claims: map[claimKey]*claimCount{}, done: map[int16][]int64{},
	}
}

// set records a lease that holds until the given local time.
func (t *leaseTable) set(tok job.Token, until time.Time, lease time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old, had := t.leases[tok.ID]
	if had && old.version > tok.Version {
		return
	}
	if !had || old.claim != tok.ClaimID {
		if had {
			t.release(tok.ID, old.claim)
		}
		key := claimKey{tok.ID.Part(), tok.ClaimID}
		if t.claims[key] == nil {
			t.claims[key] = &claimCount{}
		}
		t.claims[key].left++
	}
	t.leases[tok.ID] = reminder{version: tok.Version, claim: tok.ClaimID, lane: tok.Lane, until: until, lease: lease}
	if !had || old.version != tok.Version || until.Before(old.until) {
		t.push(alarm{when: until, id: tok.ID, version: tok.Version})
	}
}

// watch records a lease that was found in the database, unless it is known.
func (t *leaseTable) watch(tok job.Token, until time.Time, lease time.Duration) {
	t.mu.Lock()
	r, known := t.leases[tok.ID]
	t.mu.Unlock()
	if !known || r.version < tok.Version {
		t.set(tok, until, lease)
	}
}

// move changes when a known lease ends. Unknown leases are those of other nodes' partitions.
func (t *leaseTable) move(tok job.Token, until time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.leases[tok.ID]
	if !ok || r.version != tok.Version {
		return
	}
	if until.Before(r.until) {
		t.push(alarm{when: until, id: tok.ID, version: tok.Version})
	}
	r.until = until
	t.leases[tok.ID] = r
}

// end forgets a lease that has ended.
func (t *leaseTable) end(tok job.Token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r, ok := t.leases[tok.ID]; ok && r.version == tok.Version {
		delete(t.leases, tok.ID)
		t.release(tok.ID, r.claim)
	}
}

// release counts one lease of a claim batch down; the batch's row can go when none is left.
func (t *leaseTable) release(id job.ID, claim int64) {
	key := claimKey{id.Part(), claim}
	c := t.claims[key]
	if c == nil {
		return
	}
	if c.left--; c.left <= 0 {
		delete(t.claims, key)
		t.done[key.part] = append(t.done[key.part], claim)
	}
}

// emptyClaim notes a claim batch that won nothing.
func (t *leaseTable) emptyClaim(part int16, claim int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done[part] = append(t.done[part], claim)
}

// takeDone hands over the claim batches whose rows can go.
func (t *leaseTable) takeDone() map[int16][]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := t.done
	t.done = map[int16][]int64{}
	return done
}

// drop forgets a partition that this node no longer owns.
func (t *leaseTable) drop(part int16) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.leases {
		if id.Part() == part {
			delete(t.leases, id)
		}
	}
	for key := range t.claims {
		if key.part == part {
			delete(t.claims, key)
		}
	}
	delete(t.done, part)
}

// hold keeps every lease from being rescued until workers had time for a heartbeat, counted from now.
func (t *leaseTable) hold(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.floor = now
}

// holdMargin is added to the heartbeat interval: the time a heartbeat that is due may take to get through.
const holdMargin = time.Second

// due says when a lease may be rescued: when it is over, but not before one heartbeat interval (a third of the lease) has
// passed since contact came back.
func (t *leaseTable) due(r reminder) time.Time {
	if t.floor.IsZero() {
		return r.until
	}
	if grace := t.floor.Add(r.lease/3 + holdMargin); grace.After(r.until) {
		return grace
	}
	return r.until
}

// expired takes up to max leases whose reminder has come. They stay in the table until end; snooze sets the next look.
func (t *leaseTable) expired(now time.Time, max int) []job.Token {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []job.Token
	for len(t.heap) > 0 && len(out) < max && !t.heap[0].when.After(now) {
		a := t.pop()
		r, ok := t.leases[a.id]
		if !ok || r.version != a.version {
			continue
		}
		if at := t.due(r); at.After(now) {
			t.push(alarm{when: at, id: a.id, version: a.version})
			continue
		}
		out = append(out, job.Token{ID: a.id, Version: r.version, ClaimID: r.claim, Lane: r.lane})
	}
	return out
}

// snooze looks at a lease again at the given time.
func (t *leaseTable) snooze(tok job.Token, when time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r, ok := t.leases[tok.ID]; ok && r.version == tok.Version {
		t.push(alarm{when: when, id: tok.ID, version: tok.Version})
	}
}

// next says when the next reminder comes.
func (t *leaseTable) next() (time.Time, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.heap) == 0 {
		return time.Time{}, false
	}
	return t.heap[0].when, true
}

// count returns how many leases are outstanding.
func (t *leaseTable) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.leases)
}

// push and pop keep a binary heap of values: no pointer, no allocation per lease.
func (t *leaseTable) push(a alarm) {
	t.heap = append(t.heap, a)
	i := len(t.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !t.heap[i].when.Before(t.heap[up].when) {
			break
		}
		t.heap[i], t.heap[up] = t.heap[up], t.heap[i]
		i = up
	}
	if i == 0 {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
}

func (t *leaseTable) pop() alarm {
	top := t.heap[0]
	last := len(t.heap) - 1
	t.heap[0] = t.heap[last]
	t.heap = t.heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && t.heap[child+1].when.Before(t.heap[child].when) {
			child++
		}
		if !t.heap[child].when.Before(t.heap[i].when) {
			break
		}
		t.heap[i], t.heap[child] = t.heap[child], t.heap[i]
		i = child
	}
	return top
}
