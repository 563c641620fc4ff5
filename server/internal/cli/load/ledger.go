package load

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// ledger accounts for the jobs of one run. Safe for concurrent use. It holds millions of jobs without pointers, so that the
// end of a long run costs the load generator what its beginning did; two ids share an entry once in millions of runs.
type ledger struct {
	clock clock.Clock
	seed  maphash.Seed

	mu      sync.Mutex
	jobs    map[uint64]entry
	minutes []int // first runs in each minute since the first of all
	started int
	early   int
	doubled int
	late    []time.Duration
	first   time.Time
	last    time.Time
	done    chan struct{} // closed when all expected jobs have run
	want    int
}

type entry struct {
	acked bool
	runs  int32
	token int64 // fencing token of the latest run
}

func newLedger(want int, clk clock.Clock) *ledger {
	return &ledger{jobs: map[uint64]entry{}, seed: maphash.MakeSeed(), want: want, clock: clk, done: make(chan struct{})}
}

// acked notes a create that was acknowledged.
func (l *ledger) acked(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := maphash.String(l.seed, id)
	e := l.jobs[key]
	e.acked = true
	l.jobs[key] = e
}

// handle is the no-op handler: it only accounts. Two leases at once would show as a fencing token that does not rise.
func (l *ledger) handle(_ context.Context, j *belfry.LeasedJob) error {
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	key := maphash.String(l.seed, j.JobID)
	e := l.jobs[key]
	if j.FencingToken <= e.token {
		l.doubled++
	}
	e.token = j.FencingToken
	if now.Before(j.DueTime) {
		l.early++
	}
	if e.runs == 0 {
		l.firstRun(now, j.DueTime)
	}
	e.runs++
	l.jobs[key] = e
	return nil
}

func (l *ledger) firstRun(now, due time.Time) {
	l.late = append(l.late, now.Sub(due))
	if l.started++; l.started == 1 {
		l.first = now
	}
	l.last = now
	minute := int(now.Sub(l.first) / time.Minute)
	for len(l.minutes) <= minute {
		l.minutes = append(l.minutes, 0)
	}
	l.minutes[minute]++
	if l.started == l.want {
		close(l.done)
	}
}

// perMinute gives the first runs in each whole minute.
func (l *ledger) perMinute() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.minutes[:max(len(l.minutes)-1, 0)])
}

// Verdict is what must be zero, and repeats, which at-least-once delivery allows.
type Verdict struct {
	Lost     int `json:"lost"`
	Early    int `json:"early"`
	Doubled  int `json:"doubly_leased"`
	Repeated int `json:"repeated"`
}

// OK reports whether nothing was lost, early or doubly leased.
func (v Verdict) OK() bool { return v.Lost == 0 && v.Early == 0 && v.Doubled == 0 }

func (l *ledger) verdict() Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := Verdict{Early: l.early, Doubled: l.doubled}
	for _, e := range l.jobs {
		if e.acked && e.runs == 0 {
			v.Lost++
		}
		if e.runs > 1 {
			v.Repeated += int(e.runs) - 1
		}
	}
	return v
}

// Millis are percentiles in milliseconds.
type Millis struct {
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
	Max float64 `json:"max_ms"`
}

func percentiles(list []time.Duration) Millis {
	if len(list) == 0 {
		return Millis{}
	}
	list = slices.Clone(list)
	slices.Sort(list)
	at := func(q float64) float64 {
		return float64(list[min(int(q*float64(len(list))), len(list)-1)].Microseconds()) / 1000
	}
	return Millis{P50: at(0.5), P99: at(0.99), Max: at(1)}
}

func (l *ledger) lateness() Millis {
	l.mu.Lock()
	defer l.mu.Unlock()
	return percentiles(l.late)
}

// span is the time from the first start to the last.
func (l *ledger) span() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last.Sub(l.first)
}
