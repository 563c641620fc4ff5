package load

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// ledger accounts for the jobs of one run. Safe for concurrent use.
type ledger struct {
	clock clock.Clock

	mu      sync.Mutex
	jobs    map[string]*entry
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
	runs  int
	token int64 // fencing token of the latest run
}

func newLedger(want int, clk clock.Clock) *ledger {
	return &ledger{jobs: map[string]*entry{}, want: want, clock: clk, done: make(chan struct{})}
}

func (l *ledger) entry(id string) *entry {
	e := l.jobs[id]
	if e == nil {
		e = &entry{}
		l.jobs[id] = e
	}
	return e
}

// acked notes a create that was acknowledged.
func (l *ledger) acked(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entry(id).acked = true
}

// handle is the no-op handler: it only accounts. Two leases at once would show as a fencing token that does not rise.
func (l *ledger) handle(_ context.Context, j *belfry.LeasedJob) error {
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entry(j.JobID)
	if j.FencingToken <= e.token {
		l.doubled++
	}
	e.token = j.FencingToken
	if now.Before(j.DueTime) {
		l.early++
	}
	if e.runs == 0 {
		l.late = append(l.late, now.Sub(j.DueTime))
		if l.started++; l.started == 1 {
			l.first = now
		}
		l.last = now
		if l.started == l.want {
			close(l.done)
		}
	}
	e.runs++
	return nil
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
			v.Repeated += e.runs - 1
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
