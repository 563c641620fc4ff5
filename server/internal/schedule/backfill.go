package schedule

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// maxBackfill bounds the jobs of one backfill.
const maxBackfill = 10_000

// Backfill asks for the jobs of the nominal times in a past range.
type Backfill struct {
	Tenant, Name string
	From, Until  time.Time // Until is not part of it
	Overlap      Overlap   // 0: that of the schedule
	PerMinute    int       // jobs that become due each minute; 0: all at once
	RequestID    string
	ValidateOnly bool // count, make nothing
}

// Backfilled is what a backfill came to. It is kept as JSON for repeated calls.
type Backfilled struct {
	Jobs        int
	First, Last time.Time // nominal times
	LastDue     time.Time
}

// Backfill makes the jobs of a past range by the schedule's present rule and template, whether or not they have run before.
// Nominal times on excluded days make none; limits of the rule on the number of runs do not count.
func (s *Service) Backfill(ctx context.Context, b Backfill) (Backfilled, error) {
	if !b.Until.After(b.From) {
		return Backfilled{}, job.Invalid("end_time", "must be after start_time")
	}
	if now := s.Now(); b.Until.After(now) {
		return Backfilled{}, job.Invalid("end_time", "must not be in the future, it is "+now.Format(time.RFC3339)+" now")
	}
	if b.ValidateOnly {
		return s.countBackfill(ctx, b)
	}
	var out Backfilled
	made, err := s.makeRuns(ctx, b.Tenant, b.Name, func(v View, lane int32) (store.Runs, error) {
		times, refused := b.times(v) // told only if the call is new: a repeated one is answered as it was, whatever the rule is now
		overlap := b.overlap(v)
		return store.Runs{Known: v.Schedule, Origin: store.FromBackfill, Lane: lane, Overlap: int16(overlap),
			Plan: func(now time.Time, _ store.RunsAlive) (store.RunPlan, error) {
				if refused != nil {
					return store.RunPlan{}, refused
				}
				plan := store.RunPlan{Blocked: overlap != AllowOverlap, Jobs: make([]store.Run, len(times))}
				for i, at := range times {
					plan.Jobs[i] = store.Run{ID: job.NewID(now, v.Part), Nominal: at, Suffix: job.OccurrenceSuffix(v.Name, at), Delay: b.delay(i)}
				}
				out = b.result(times, now)
				plan.Note = string(mustJSON(out))
				return plan, nil
			},
			Request: store.NewAdminRequest("BackfillSchedule", v.Tenant, b.RequestID,
				fingerprintOf(b.Name, b.From.UnixMicro(), b.Until.UnixMicro(), b.Overlap, b.PerMinute)),
		}, nil
	}, b.RequestID)
	if err == nil && made.Known != "" {
		if err = json.Unmarshal([]byte(made.Known), &out); err != nil {
			err = fmt.Errorf("BUG: request id of no backfill: %w", err)
		}
	}
	return out, err
}

func (s *Service) countBackfill(ctx context.Context, b Backfill) (Backfilled, error) {
	v, err := s.Get(ctx, b.Tenant, b.Name)
	if err != nil {
		return Backfilled{}, err
	}
	times, err := b.times(v)
	if err != nil {
		return Backfilled{}, err
	}
	return b.result(times, v.Now), nil
}

func (b Backfill) overlap(v View) Overlap { return cmp.Or(b.Overlap, v.Policy.Overlap) }

// delay is how much later than the call the i-th job is due.
func (b Backfill) delay(i int) time.Duration {
	if b.PerMinute == 0 {
		return 0
	}
	return time.Duration(i) * time.Minute / time.Duration(b.PerMinute)
}

func (b Backfill) result(times []time.Time, now time.Time) Backfilled {
	n := len(times)
	return Backfilled{Jobs: n, First: times[0], Last: times[n-1], LastDue: now.Add(b.delay(n - 1))}
}

// times lists the nominal times of the range, and refuses a range that makes no sense.
func (b Backfill) times(v View) ([]time.Time, error) {
	table, err := readTable(v.Spec, v.TenantName, v.Name)
	if err != nil {
		return nil, fmt.Errorf("read the rule of schedule %d: %w", v.ID, err)
	}
	var times []time.Time
	for at, ok := table.Next(b.From.Add(-time.Nanosecond)); ok && at.Before(b.Until); at, ok = table.Next(at) {
		if times = append(times, at); len(times) > maxBackfill {
			return nil, job.Invalid("end_time", fmt.Sprintf(
				"must be earlier: the range holds more than %d nominal times, the %dth is %s; make several calls",
				maxBackfill, maxBackfill+1, at.Format(time.RFC3339)))
		}
	}
	if len(times) == 0 {
		return nil, job.Invalid("start_time", "must begin a range with a nominal time in it: the rule has none from "+
			b.From.UTC().Format(time.RFC3339)+" to "+b.Until.UTC().Format(time.RFC3339))
	}
	if b.PerMinute == 0 && len(times) > 1 && b.overlap(v) != AllowOverlap {
		return nil, job.Invalid("max_per_minute", fmt.Sprintf("must be given: if all %d become due at once, the first runs and "+
			"the overlap policy keeps the others from running; or set overlap_policy to ALLOW", len(times)))
	}
	return times, nil
}
