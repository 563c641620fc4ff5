package harness

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// Account is the ledger of one run. Producers write down what was acknowledged, workers every lease and how it ended;
// Verdict then says what was lost, early or leased twice at once. All times of leases are the database's, as the server
// reports them.
type Account struct {
	mu   sync.Mutex
	jobs map[string]*entry
}

// entry is one job.
type entry struct {
	acknowledged bool
	due          time.Time
	leases       []*Lease
}

// Lease is one lease of a job, as its worker knows it.
type Lease struct {
	Fencing int64
	Attempt int
	// Start and Expire are the database's times; Expire moves with heartbeats, and is never later than the true one.
	Start, Expire time.Time
	// Due is when the attempt was due.
	Due time.Time
	// Ended is how the final call was answered: "", "completed", "failed", "released" or "lost".
	Ended string
	// EndSent is when the final call was sent first, by this machine's clock, which is also the database's.
	EndSent time.Time
	// Received is when the worker got the lease, by this machine's clock.
	Received time.Time
}

// NewAccount returns an empty ledger.
func NewAccount() *Account { return &Account{jobs: make(map[string]*entry)} }

func (a *Account) entry(id string) *entry {
	e := a.jobs[id]
	if e == nil {
		e = &entry{}
		a.jobs[id] = e
	}
	return e
}

// Acknowledged notes a job whose create was answered with success. due is the time that was asked for; zero means now.
func (a *Account) Acknowledged(id string, due time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.entry(id)
	e.acknowledged, e.due = true, due
}

// Leased notes a lease that a worker has got.
func (a *Account) Leased(l *belfryv1.LeasedJob, received time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.entry(l.GetJob().GetJobId())
	e.leases = append(e.leases, &Lease{
		Fencing:  l.GetFencingToken(),
		Attempt:  int(l.GetAttempt()),
		Start:    l.GetJob().GetStartTime().AsTime(),
		Expire:   l.GetLeaseExpireTime().AsTime(),
		Due:      l.GetJob().GetDueTime().AsTime(),
		Received: received,
	})
}

// Extended notes a heartbeat that was sent at sent and answered with the time that was left.
func (a *Account) Extended(id string, fencing int64, sent time.Time, remaining time.Duration) {
	a.update(id, fencing, func(l *Lease) {
		if until := sent.Add(remaining); until.After(l.Expire) {
			l.Expire = until
		}
	})
}

// Ended notes how the final call of a lease was answered. sent is when it was sent first.
func (a *Account) Ended(id string, fencing int64, how string, sent time.Time) {
	a.update(id, fencing, func(l *Lease) { l.Ended, l.EndSent = how, sent })
}

func (a *Account) update(id string, fencing int64, change func(*Lease)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.entry(id).leases {
		if l.Fencing == fencing {
			change(l)
		}
	}
}

// Open returns how many acknowledged jobs no worker has completed.
func (a *Account) Open() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	open := 0
	for _, e := range a.jobs {
		if e.acknowledged && !e.completed() {
			open++
		}
	}
	return open
}

// Jobs returns how many jobs are acknowledged.
func (a *Account) Jobs() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for _, e := range a.jobs {
		if e.acknowledged {
			n++
		}
	}
	return n
}

// Leases returns a copy of the leases of a job in the order of their fencing tokens.
func (a *Account) Leases(id string) []Lease {
	a.mu.Lock()
	defer a.mu.Unlock()
	var leases []Lease
	for _, l := range a.entry(id).sorted() {
		leases = append(leases, *l)
	}
	return leases
}

func (e *entry) completed() bool {
	return slices.ContainsFunc(e.leases, func(l *Lease) bool { return l.Ended == "completed" })
}

func (e *entry) sorted() []*Lease {
	slices.SortFunc(e.leases, func(x, y *Lease) int { return cmp.Compare(x.Fencing, y.Fencing) })
	return e.leases
}

// Verdict is what a ledger shows. All lists are empty when every promise was kept; each line names the job.
type Verdict struct {
	Acknowledged int
	Leases       int
	Retried      int      // jobs with more than one lease
	Lost         []string // acknowledged, and not completed
	Early        []string // leased before they were due
	Doubled      []string // leased while an earlier lease was still good, or completed twice
	Lateness     []time.Duration
}

// Verdict reads the ledger when the run is over. A job whose completion was never answered is looked up: a final state
// SUCCEEDED accounts for it. client may be nil.
func (a *Account) Verdict(ctx context.Context, client *belfry.Client) Verdict {
	a.mu.Lock()
	defer a.mu.Unlock()
	var v Verdict
	for id, e := range a.jobs {
		if e.acknowledged {
			v.Acknowledged++
			if !e.completed() {
				if done, record := lookUp(ctx, client, id); !done {
					v.Lost = append(v.Lost, fmt.Sprintf("%s: %s; on record: %s", id, e.story(), record))
				}
			}
		}
		v.Leases += len(e.leases)
		if len(e.leases) > 1 {
			v.Retried++
		}
		v.judge(id, e)
	}
	slices.Sort(v.Lateness)
	return v
}

// lookUp asks the server for a job, whether it has succeeded, and what its record says.
func lookUp(ctx context.Context, client *belfry.Client, id string) (done bool, record string) {
	if client == nil {
		return false, "not asked"
	}
	job, err := client.Get(ctx, id)
	if err != nil {
		return false, err.Error()
	}
	record = fmt.Sprintf("%s %s, due %s, attempt %d, %d releases, %d lost leases", job.State, job.StateReason, stamp(job.DueTime),
		job.Attempt, job.Releases, job.LostLeases)
	for _, attempt := range job.Attempts {
		record += fmt.Sprintf("; %d %s %s–%s %s: %s", attempt.Number, attempt.Outcome, stamp(attempt.StartTime), stamp(attempt.EndTime),
			attempt.WorkerID, attempt.Error)
	}
	return job.State == belfry.StateSucceeded, record
}

// judge compares the leases of one job with each other and with its due time.
func (v *Verdict) judge(id string, e *entry) {
	leases := e.sorted()
	for i, l := range leases {
		due := l.Due
		if i == 0 && e.due.After(due) {
			due = e.due.Truncate(time.Microsecond) // as the database keeps it
		}
		if l.Start.Before(due) || l.Received.Before(due) {
			v.Early = append(v.Early, fmt.Sprintf("%s: attempt %d started %v, received %v, due %v",
				id, l.Attempt, stamp(l.Start), stamp(l.Received), stamp(due)))
		}
		v.Lateness = append(v.Lateness, l.Received.Sub(due))
		if i == 0 {
			continue
		}
		if why := overlap(leases[i-1], l); why != "" {
			v.Doubled = append(v.Doubled, fmt.Sprintf("%s: %s; %s", id, why, e.story()))
		}
	}
}

// overlap says why the lease next, of the same job, must not exist beside or after the lease before; empty if it may.
func overlap(before, next *Lease) string {
	switch {
	case before.Fencing == next.Fencing:
		return fmt.Sprintf("two leases have the fencing token %d", next.Fencing)
	case before.Ended == "completed":
		return "leased again after it was completed"
	case before.Ended == "failed", before.Ended == "released":
		if next.Start.Before(before.EndSent) {
			return "leased again before the attempt was given up"
		}
	case next.Start.Before(before.Expire):
		return "leased again before the lease had expired"
	}
	return ""
}

// story tells the leases of a job, for messages.
func (e *entry) story() string {
	text := fmt.Sprintf("due %v", stamp(e.due))
	for _, l := range e.sorted() {
		text += fmt.Sprintf("; attempt %d (%d) %v–%v %s", l.Attempt, l.Fencing, stamp(l.Start), stamp(l.Expire), cmp.Or(l.Ended, "unanswered"))
	}
	return text
}

func stamp(t time.Time) string { return t.UTC().Format("15:04:05.000000") }

// Failures returns what a test has to report, the first few of each kind; empty if all is well.
func (v Verdict) Failures() []string {
	var failures []string
	for _, kind := range []struct {
		name  string
		lines []string
	}{{"lost", v.Lost}, {"early", v.Early}, {"doubly leased", v.Doubled}} {
		for i, line := range kind.lines {
			if i == 5 {
				failures = append(failures, fmt.Sprintf("%s: %d more", kind.name, len(kind.lines)-i))
				break
			}
			failures = append(failures, kind.name+": "+line)
		}
	}
	return failures
}

// Quantile returns the lateness that the given share of leases does not exceed; 0 without leases.
func (v Verdict) Quantile(share float64) time.Duration {
	if len(v.Lateness) == 0 {
		return 0
	}
	return v.Lateness[min(int(share*float64(len(v.Lateness))), len(v.Lateness)-1)]
}
