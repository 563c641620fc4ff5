package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// makingReserve is how long before their time all schedules of a run must have been made.
const makingReserve = 5 * time.Second

// schedules measures schedules that are all due at one second, once: how fast they are made, and how late their jobs start.
// A job counts by its schedule, so that a second one for the same nominal time shows as doubly leased.
func (b *Bench) schedules(ctx context.Context, o Options, r *Report) error {
	l := newLedger(o.Jobs, b.clock)
	began := b.clock.Now()
	due := began.Add(o.Duration).Truncate(time.Second)
	if err := b.makeSchedules(ctx, o, due, l); err != nil {
		return err
	}
	made := b.clock.Now()
	if left := due.Sub(made); left < makingReserve {
		return fmt.Errorf("%d schedules took %.0f s to make, which leaves too little before they are due; give a longer --duration",
			o.Jobs, made.Sub(began).Seconds())
	}
	r.Created = float64(o.Jobs) / made.Sub(began).Seconds()
	err := b.workBy(ctx, o, l, func(ctx context.Context, j *belfry.LeasedJob) error {
		bySchedule := *j
		bySchedule.JobID = j.Schedule
		return l.handle(ctx, &bySchedule)
	})
	r.measure(o.Jobs, l.span())
	r.Lateness, r.Verdict = l.lateness(), l.verdict()
	return err
}

// makeSchedules makes schedules that fire once, at due. They stay behind, ended.
func (b *Bench) makeSchedules(ctx context.Context, o Options, due time.Time, l *ledger) error {
	run := rand.Uint32()
	at := due.UTC()
	cron := fmt.Sprintf("%d %d %d %d %d *", at.Second(), at.Minute(), at.Hour(), at.Day(), int(at.Month()))
	return inBatches(ctx, o, func(ctx context.Context, from, until int) error {
		request := &v1.BatchCreateSchedulesRequest{RequestId: fmt.Sprintf("bench-%08x-%d", run, from)}
		for i := from; i < until; i++ {
			name := fmt.Sprintf("bench-%08x-%d", run, i)
			request.Schedules = append(request.Schedules, &v1.Schedule{Schedule: name,
				Spec: &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: cron}, TimeZone: "UTC", MaxRuns: 1},
				Job:  &v1.JobSpec{Queue: b.queues[i%len(b.queues)], Payload: &v1.Payload{Data: &v1.Payload_Bytes{Bytes: make([]byte, o.Payload)}}}})
		}
		if _, err := b.client.Schedules().BatchCreateSchedules(ctx, request); err != nil {
			return fmt.Errorf("create schedules: %w", err)
		}
		for _, s := range request.GetSchedules() {
			l.acked(s.GetSchedule())
		}
		return nil
	})
}
