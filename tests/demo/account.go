package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// journal is what the workers wrote: which attempt ran when.
type journal struct {
	mu      sync.Mutex
	runs    []*run
	changed chan struct{}
}

type run struct {
	event
	end    time.Time // zero: still running
	killed bool
}

func newJournal() *journal { return &journal{changed: make(chan struct{}, 1)} }

func (j *journal) add(e event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if e.Start {
		j.runs = append(j.runs, &run{event: e})
	} else {
		for _, r := range j.runs {
			if r.Worker == e.Worker && r.Job == e.Job && r.Token == e.Token {
				r.end = e.At
			}
		}
	}
	select {
	case j.changed <- struct{}{}:
	default:
	}
}

// running lists the jobs a worker is busy with.
func (j *journal) running(worker string) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var jobs []string
	for _, r := range j.runs {
		if r.Worker == worker && r.end.IsZero() {
			jobs = append(jobs, r.Job)
		}
	}
	return jobs
}

// died ends all runs of a killed worker.
func (j *journal) died(worker string, at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.runs {
		if r.Worker == worker && r.end.IsZero() {
			r.end, r.killed = at, true
		}
	}
}

// faults lists attempts that began early, and pairs of attempts of one job that overlap.
func (j *journal) faults() (early, doubled []string, killed int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, r := range j.runs {
		if r.At.Before(r.Due) {
			early = append(early, r.Job)
		}
		if r.killed {
			killed++
		}
		for _, o := range j.runs[:i] {
			if o.Job == r.Job && (o.end.IsZero() || o.end.After(r.At)) && (r.end.IsZero() || r.end.After(o.At)) {
				doubled = append(doubled, r.Job)
			}
		}
	}
	return early, doubled, killed
}

// row is one job of the final table.
type row struct {
	belfry.JobInfo
	first time.Time // start of the first attempt
}

// await waits until the schedule has run often enough and every acknowledged job has ended.
func await(ctx context.Context, tenants []*tenant) ([]row, error) {
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		rows, done, err := collect(ctx, tenants)
		if err != nil {
			return nil, err
		}
		if done {
			return rows, nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("jobs have not ended: %w", ctx.Err())
		}
	}
}

func collect(ctx context.Context, tenants []*tenant) (rows []row, done bool, err error) {
	done = true
	for _, t := range tenants {
		ids := slices.Clone(t.jobs)
		if t.schedule != "" {
			fired, err := occurrencesOf(ctx, t)
			if err != nil {
				return nil, false, err
			}
			done = done && len(fired) >= occurrences
			ids = append(ids, fired...)
		}
		for _, id := range ids {
			info, err := t.client.Get(ctx, id)
			if err != nil {
				return nil, false, fmt.Errorf("get job of %s: %w", t.name, err)
			}
			done = done && info.State.Final()
			r := row{JobInfo: info, first: info.StartTime}
			if len(info.Attempts) > 0 {
				r.first = info.Attempts[0].StartTime
			}
			rows = append(rows, r)
		}
	}
	return rows, done, nil
}

// occurrencesOf lists the jobs the schedule has made. Once there are enough it is deleted, which withdraws those made
// ahead; the ones that had begun by then count.
func occurrencesOf(ctx context.Context, t *tenant) ([]string, error) {
	var fired []string
	for info, err := range t.client.List(ctx, belfry.JobFilter{Queue: "reminders"}) {
		if err != nil {
			return nil, err
		}
		if !info.StartTime.IsZero() {
			fired = append(fired, info.ID)
		}
	}
	if len(fired) >= occurrences {
		_, err := t.client.Schedules().DeleteSchedule(ctx, &v1.DeleteScheduleRequest{Schedule: t.schedule})
		if err != nil && !belfry.IsNotFound(err) {
			return nil, err
		}
	}
	return fired, nil
}

func printTable(rows []row) {
	slices.SortFunc(rows, func(a, b row) int {
		if c := strings.Compare(a.TenantID, b.TenantID); c != 0 {
			return c
		}
		return a.ScheduledTime.Compare(b.ScheduledTime)
	})
	say("%-30s  %-14s %-10s %-12s  %-12s  %10s  %8s  %s", "JOB", "TENANT", "QUEUE", "DUE", "STARTED", "LATENESS", "ATTEMPTS", "OUTCOME")
	for _, r := range rows {
		due := dueOf(r)
		say("%-30s  %-14s %-10s %-12s  %-12s  %7.1f ms  %8d  %s", r.ID, r.TenantID, r.Queue, due.Local().Format("15:04:05.000"),
			r.first.Local().Format("15:04:05.000"), float64(r.first.Sub(due).Microseconds())/1000, r.Attempt, r.State)
	}
}

// dueOf is when the job was first due: what was asked for, or its creation if that was later.
func dueOf(r row) time.Time {
	if r.CreateTime.After(r.ScheduledTime) {
		return r.CreateTime
	}
	return r.ScheduledTime
}

// verdict says in one line whether the promises were kept.
func verdict(rows []row, log *journal, took time.Duration) error {
	early, doubled, killed := log.faults()
	lost, retried := 0, 0
	for _, r := range rows {
		if r.State != belfry.StateSucceeded {
			lost++
		}
		if r.Attempt > 1 {
			retried++
		}
	}
	say("\n%d jobs of 3 tenants: %d lost, %d early, %d leased by two at once; %d attempts died with worker-1 and %d jobs ran again. %.0f s.",
		len(rows), lost, len(early), len(doubled), killed, retried, took.Seconds())
	if lost+len(early)+len(doubled) > 0 || killed == 0 || retried == 0 {
		return errors.New("the promises were not kept, or nothing was put to the test")
	}
	say("Everything finished exactly as promised.")
	return nil
}
