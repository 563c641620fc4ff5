package schedule

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Result is what became of a nominal time, as callers see it.
type Result int

// Results of nominal times.
const (
	ResultScheduled Result = iota + 1 // its job is made and not due yet
	ResultFired                       // its job was made in time and has become due
	ResultCaughtUp                    // its job was made late
	ResultMerged                      // missed; a later one stands for it
	ResultSkipped                     // no job, or one that was taken back
	ResultBlocked                     // its job waits for the end of another run
)

// Occurrence is one nominal time with what became of it.
type Occurrence struct {
	Nominal   time.Time
	Effective time.Time // when its job was due; zero: no job
	Result    Result
	Reason    string        // why it made no job
	Job       job.ID        // zero: none
	Late      time.Duration // Effective beyond Nominal plus jitter
	Revision  int64
	Origin    store.OccurrenceOrigin
}

// OccurrenceQuery asks for up to Limit occurrences before an instant, latest first.
type OccurrenceQuery struct {
	Tenant, Name string
	From         time.Time              // none before it; zero: from the beginning
	Before       time.Time              // none at or after it; zero: no bound
	Results      []Result               // only these; empty: all
	Origin       store.OccurrenceOrigin // 0: those of the rule
	Limit        int
}

// Bounds on the work of one query.
const (
	ledgerChunk   = 200    // rows read at a time
	expandedLimit = 10_000 // occurrences looked at; those that do not match count too
)

// Occurrences lists what became of the nominal times of a schedule. more is where to go on (as Before); zero: there is
// nothing more. A page may be short, even empty, and still have more behind it.
func (s *Service) Occurrences(ctx context.Context, q OccurrenceQuery) (page []Occurrence, more time.Time, err error) {
	q.Origin = cmp.Or(q.Origin, store.FromRule)
	t, err := s.Names.Tenant(ctx, q.Tenant)
	if err != nil {
		return nil, more, err
	}
	found, err := s.find(ctx, t, q.Name)
	if err != nil {
		return nil, more, err
	}
	// Wide enough for every nominal time (recurrence.MinYear), and instants that PostgreSQL knows.
	from, until := time.Unix(0, 0), found.Now.AddDate(300, 0, 0)
	if q.From.After(from) {
		from = q.From
	}
	if !q.Before.IsZero() && q.Before.Before(until) {
		until = q.Before
	}
	e := expander{seed: seed(t.Name, found.Name), now: found.Now, from: from, results: q.Results, origin: q.Origin, left: expandedLimit}
	for until.After(from) {
		rows, err := s.Rows.Occurrences(ctx, store.LedgerRange{Home: found.Home, UID: found.UID, Origin: q.Origin, From: from,
			Until: until.Add(-time.Microsecond), Limit: ledgerChunk})
		if err != nil {
			return nil, more, fmt.Errorf("list occurrences: %w", store.Fault(err))
		}
		for _, row := range rows {
			whole := !e.mayMatch(row)
			if whole { // passed over at once, however long it is
				until = row.Nominal
				if e.left--; e.left <= 0 {
					return page, until, nil
				}
			}
			for !whole {
				var some []Occurrence
				some, whole = e.expand(row, until, q.Limit-len(page))
				for _, o := range some {
					until = o.Nominal
					if e.wants(o.Result) {
						page = append(page, o)
					}
					if e.left--; len(page) == q.Limit || e.left <= 0 {
						return page, until, nil
					}
				}
			}
		}
		if len(rows) < ledgerChunk {
			break
		}
	}
	return page, time.Time{}, nil
}

// expander turns ledger rows into occurrences.
type expander struct {
	seed    string
	now     time.Time
	from    time.Time
	results []Result // only these; empty: all
	origin  store.OccurrenceOrigin
	left    int // occurrences, or runs passed over, that may still be looked at
}

func (e *expander) wants(r Result) bool { return len(e.results) == 0 || slices.Contains(e.results, r) }

// mayMatch reports whether anything in a row can be what is asked for: the filter is asked of a run before it is expanded.
func (e *expander) mayMatch(row store.LedgerRow) bool {
	switch row.Outcome {
	case store.Merged:
		if e.wants(ResultMerged) {
			return true
		}
		// Days that are left out inside a backlog show as skips of its run.
		rule, _, err := readRule(row.Spec)
		return err == nil && rule.leavesDaysOut() && e.wants(ResultSkipped)
	case store.Skipped, store.Withdrawn:
		return e.wants(ResultSkipped)
	}
	return true
}

// expand gives the last n occurrences of a row before an instant, latest first; whole says that there are no earlier ones.
func (e *expander) expand(row store.LedgerRow, before time.Time, n int) (list []Occurrence, whole bool) {
	table, unknown := e.table(row)
	offset := table.Offset(e.seed)
	if !row.Job.IsZero() || row.Until.Equal(row.Nominal) {
		return []Occurrence{e.single(row, offset)}, true
	}
	first, last := row.Nominal, row.Until
	if first.Before(e.from) {
		first = e.from
	}
	if !last.Before(before) {
		last = before.Add(-time.Microsecond)
	}
	var times []time.Time
	if unknown == nil {
		times = lastOf(table.Spec(), first, last, n+1)
	}
	if len(times) == 0 { // the rule is not known any more: the ends are
		times = []time.Time{row.Nominal, row.Until}
	}
	times = slices.DeleteFunc(times, func(at time.Time) bool { return at.Before(first) || at.After(last) })
	if whole = len(times) <= n; !whole {
		times = times[1:]
	}
	out := make([]Occurrence, 0, len(times))
	for _, at := range slices.Backward(times) {
		o := Occurrence{Nominal: at, Revision: row.Revision, Origin: e.origin, Result: ResultSkipped, Reason: row.Reason}
		if row.Outcome == store.Merged {
			o.Result = ResultMerged
		}
		// Inside a backlog, days that are left out have no rows of their own.
		if left := table.Excluded(at.Add(-time.Second), at, 1); len(left) > 0 {
			o.Result, o.Reason = ResultSkipped, left[0].Reason
		}
		out = append(out, o)
	}
	return out, whole
}

// single is the occurrence of a row for one nominal time. Its job was due when it was to be, or when it was made if that was
// later.
func (e *expander) single(row store.LedgerRow, offset time.Duration) Occurrence {
	if e.origin != store.FromRule {
		offset = 0 // jitter is of the rule
	}
	o := Occurrence{Nominal: row.Nominal, Revision: row.Revision, Origin: e.origin, Reason: row.Reason, Job: row.Job}
	switch row.Outcome {
	case store.Materialised, store.CaughtUp:
		if row.Reason == store.ReasonBlocked {
			o.Result, o.Reason = ResultBlocked, ""
			return o
		}
		due := row.Nominal.Add(offset)
		o.Effective = due
		if row.Created.After(due) {
			o.Effective = row.Created
		}
		o.Late = o.Effective.Sub(due)
		switch {
		case row.Outcome == store.CaughtUp:
			o.Result = ResultCaughtUp
		case o.Effective.After(e.now):
			o.Result = ResultScheduled
		default:
			o.Result = ResultFired
		}
	case store.Merged:
		o.Result = ResultMerged
	case store.Skipped, store.Withdrawn:
		o.Result = ResultSkipped
	}
	return o
}

// table reads the rule that a row was decided by.
func (e *expander) table(row store.LedgerRow) (recurrence.Timetable, error) {
	r, _, err := readRule(row.Spec)
	if err != nil {
		return recurrence.Timetable{}, err
	}
	return r.parse(recurrence.Options{Seed: e.seed})
}
