package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// RunCall asks for one job of a schedule now.
type RunCall struct {
	Tenant, Name string
	Overlap      Overlap // 0: that of the schedule
	RequestID    string
}

// Run makes a job from a schedule's template now, beside its rule, and answers its id. blocked says that it waits for the end
// of another run.
func (s *Service) Run(ctx context.Context, c RunCall) (id job.ID, blocked bool, err error) {
	var made store.RunsMade
	made, err = s.makeRuns(ctx, c.Tenant, c.Name, func(v View, lane int32) (store.Runs, error) {
		overlap := cmp.Or(c.Overlap, v.Policy.Overlap)
		return store.Runs{Known: v.Schedule, Origin: store.FromCall, Lane: lane, Overlap: int16(overlap),
			Plan: func(now time.Time, alive store.RunsAlive) (store.RunPlan, error) {
				plan, err := planRun(overlap, alive)
				if err != nil {
					return plan, err
				}
				id, blocked = job.NewID(now, v.Part), plan.Blocked
				plan.Jobs = []store.Run{{ID: id, Nominal: now, Suffix: job.OccurrenceSuffix(v.Name, now)}}
				plan.Note = noteOf(id, blocked)
				return plan, nil
			},
			Request: store.NewAdminRequest("RunSchedule", v.Tenant, c.RequestID, fingerprintOf(c.Name, c.Overlap)),
		}, nil
	}, c.RequestID)
	if err == nil && made.Known != "" {
		id, blocked, err = readNote(made.Known)
	}
	return id, blocked, err
}

// planRun decides about a run that is asked for while others may be alive.
func planRun(overlap Overlap, alive store.RunsAlive) (store.RunPlan, error) {
	switch {
	case overlap == AllowOverlap, !alive.Run && !alive.Waiting:
		return store.RunPlan{}, nil
	case overlap == BufferOne && alive.Waiting:
		return store.RunPlan{}, job.ScheduleRunning("a run of the schedule is alive, and another one waits for its end already; " +
			"repeat the call later, or with overlap_policy ALLOW or CANCEL_RUNNING")
	case overlap == BufferOne:
		return store.RunPlan{Blocked: true, Waits: true}, nil
	case overlap == CancelRunning: // the decider cancels the others
		return store.RunPlan{Blocked: true}, nil
	}
	return store.RunPlan{}, job.ScheduleRunning("a run of the schedule is alive; wait for its end, or repeat the call with " +
		"overlap_policy ALLOW, BUFFER_ONE or CANCEL_RUNNING")
}

func noteOf(id job.ID, blocked bool) string {
	if blocked {
		return id.String() + " blocked"
	}
	return id.String()
}

func readNote(note string) (id job.ID, blocked bool, err error) {
	text := note
	if n := len(note) - len(" blocked"); n > 0 && note[n:] == " blocked" {
		text, blocked = note[:n], true
	}
	id, err = job.ParseID(text)
	if err != nil {
		err = fmt.Errorf("BUG: request id of no job: %w", err)
	}
	return id, blocked, err
}

// makeRuns makes what build says of a schedule as it is stored.
func (s *Service) makeRuns(ctx context.Context, tenant, name string, build func(v View, lane int32) (store.Runs, error), requestID string) (store.RunsMade, error) {
	t, err := s.Names.Tenant(ctx, tenant)
	if err != nil {
		return store.RunsMade{}, err
	}
	var made store.RunsMade
	var of int32
	err = s.retry(job.SubjectSchedule, name, "", func() error {
		found, err := s.find(ctx, t, name)
		if err != nil {
			return err
		}
		q, err := s.Names.Queue(ctx, t.Name, found.Template.Queue)
		if err != nil {
			return err
		}
		lane, err := s.Names.EnsureLane(ctx, q, found.Template.JobType)
		if err != nil {
			return err
		}
		runs, err := build(viewOf(found), lane.Number)
		if err != nil {
			return err
		}
		of = found.ID
		made, err = s.Rows.MakeRuns(ctx, runs)
		if errors.Is(err, store.ErrRequestReused) {
			return job.RequestIDReused(requestID)
		}
		return err
	})
	if err != nil {
		return store.RunsMade{}, err
	}
	s.Offer(made.Pending)
	s.Decide(of)
	return made, nil
}

// fingerprintOf tells two calls apart. Parts are numbers and strings, written as Go writes them: %q would make one character
// of every number that is none.
func fingerprintOf(parts ...any) int64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%#v", parts) // a hash takes everything
	return int64(h.Sum64())
}

// PauseAfterFailure pauses a schedule one of whose jobs ended as DEAD, if that is what it asks for and it is not paused.
func (s *Service) PauseAfterFailure(ctx context.Context, tenant, name, reason string) error {
	_, err := s.change(ctx, Edit{Tenant: tenant, Name: name}, pauseOf(reason, func(current View) bool {
		return current.Paused || !current.Policy.PauseOnFailure
	}))
	if errors.Is(err, job.ErrNotFound) {
		return nil // deleted meanwhile
	}
	return err
}
