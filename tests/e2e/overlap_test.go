package e2e_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// overlapping makes a schedule whose jobs go to the queue of its name.
func overlapping(t *testing.T, x harness.Tenant, s *v1.Schedule, cron string) {
	t.Helper()
	s.Spec = &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: cron}}
	s.Job = &v1.JobSpec{Queue: s.GetSchedule(), RetryPolicy: &v1.RetryPolicy{MaxAttempts: proto.Int32(1)}}
	if _, err := x.Schedules().CreateSchedule(t.Context(), &v1.CreateScheduleRequest{Schedule: s}); err != nil {
		t.Fatal(err)
	}
}

// daily is a rule that does not fire while a test runs: a schedule of it has the runs alone that calls make.
func daily() string { return time.Now().UTC().Add(12*time.Hour).Format("4 15") + " * * *" }

// ledger lists what is on record of a schedule, latest first.
func ledger(t *testing.T, x harness.Tenant, request *v1.ListOccurrencesRequest) []*v1.Occurrence {
	t.Helper()
	request.PageSize = 1000
	page, err := x.Schedules().ListOccurrences(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return page.GetOccurrences()
}

// skipped waits until n nominal times from one on are on record as skipped, and all for one reason.
func skipped(t *testing.T, x harness.Tenant, from time.Time, n int, reason string) {
	t.Helper()
	harness.Within(t, 2*soon, "times are skipped, "+reason, func() bool {
		list := ledger(t, x, &v1.ListOccurrencesRequest{Schedule: "s", StartTime: timestamppb.New(from),
			Outcomes: []v1.OccurrenceOutcome{v1.OccurrenceOutcome_OCCURRENCE_OUTCOME_SKIPPED}})
		for _, o := range list {
			if o.GetReason() != reason || o.GetJobId() != "" {
				t.Errorf("skipped: %v, want the reason %s and no job", o, reason)
			}
		}
		return len(list) >= n
	})
}

func TestOverlapSkip_WhileAWorkerHoldsTheRun_LaterTimesAreSkipped(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	overlapping(t, x, &v1.Schedule{Schedule: "s"}, "* * * * * *")
	held := pull{queue: "s"}.one(t, x.Client)
	first := held.GetJob().GetNominalTime().AsTime()
	skipped(t, x, first, 2, "OVERLAP")
	pull{queue: "s", wait: time.Second}.none(t, x.Client)
	ended := time.Now()
	complete(t, x.Client, held.GetLeaseToken())
	next := pull{queue: "s"}.one(t, x.Client)
	if at := next.GetJob().GetNominalTime().AsTime(); !at.After(first.Add(2*time.Second)) || at.Before(ended.Add(-time.Second).Truncate(time.Second)) {
		t.Errorf("the run of %v ended %v, then that of %v began", first, ended, at)
	}
}

func TestBufferOne_BeginsWhenTheRunBeforeItEnds(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	overlapping(t, x, &v1.Schedule{Schedule: "s", OverlapPolicy: v1.OverlapPolicy_OVERLAP_POLICY_BUFFER_ONE}, "* * * * * *")
	held := pull{queue: "s"}.one(t, x.Client)
	first := held.GetJob().GetNominalTime().AsTime()
	skipped(t, x, first, 1, "BUFFER_FULL")
	waiting := ledger(t, x, &v1.ListOccurrencesRequest{Schedule: "s", Outcomes: []v1.OccurrenceOutcome{v1.OccurrenceOutcome_OCCURRENCE_OUTCOME_BLOCKED}})
	if len(waiting) != 1 || !waiting[0].GetNominalTime().AsTime().Equal(first.Add(time.Second)) {
		t.Fatalf("behind the run of %v there wait %v", first, waiting)
	}
	if state := get(t, x.Client, waiting[0].GetJobId()).State; state != belfry.StateBlocked {
		t.Errorf("the one that waits is %s", state)
	}
	pull{queue: "s", wait: time.Second}.none(t, x.Client)
	complete(t, x.Client, held.GetLeaseToken())
	if next := (pull{queue: "s"}).one(t, x.Client); next.GetJob().GetJobId() != waiting[0].GetJobId() {
		t.Errorf("then began %v, want %s", next.GetJob(), waiting[0].GetJobId())
	}
}

func TestCancelRunning_IsLeasedWhenTheRunThatItCancelsHasEnded(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	overlapping(t, x, &v1.Schedule{Schedule: "s", OverlapPolicy: v1.OverlapPolicy_OVERLAP_POLICY_CANCEL_RUNNING}, daily())
	old := run(t, x, v1.JobState_JOB_STATE_PENDING)
	held := pull{queue: "s"}.one(t, x.Client)
	latest := run(t, x, v1.JobState_JOB_STATE_BLOCKED)
	harness.Within(t, soon, "the run is asked to end", func() bool { return heartbeat(t, x.Client, held.GetLeaseToken()).GetCancelRequested() })
	pull{queue: "s", wait: time.Second}.none(t, x.Client)
	wantState(t, fail(t, x.Client, &v1.FailItem{LeaseToken: held.GetLeaseToken(), Error: "cancelled"}), v1.JobState_JOB_STATE_CANCELLED)
	if next := (pull{queue: "s"}).one(t, x.Client).GetJob().GetJobId(); next != latest || next == old {
		t.Errorf("then began %s, want %s", next, latest)
	}
}

// run makes a job of the schedule "s" now.
func run(t *testing.T, x harness.Tenant, want v1.JobState) (id string) {
	t.Helper()
	made, err := x.Schedules().RunSchedule(t.Context(), &v1.RunScheduleRequest{Schedule: "s"})
	if err != nil || made.GetState() != want {
		t.Fatalf("run: %v, %v, want %v", made, err, want)
	}
	return made.GetJobId()
}

func TestRunSchedule_WhileOneIsAlive_IsRefused(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	overlapping(t, x, &v1.Schedule{Schedule: "s"}, daily())
	id := run(t, x, v1.JobState_JOB_STATE_PENDING)
	held := pull{queue: "s"}.one(t, x.Client)
	if held.GetJob().GetJobId() != id || held.GetJob().GetSchedule() != "s" {
		t.Errorf("leased %v, want %s", held.GetJob(), id)
	}
	_, err := x.Schedules().RunSchedule(t.Context(), &v1.RunScheduleRequest{Schedule: "s"})
	if belfry.ReasonOf(err) != belfry.ReasonScheduleRunning || !strings.Contains(err.Error(), "overlap_policy") {
		t.Errorf("another one: %v", err)
	}
	complete(t, x.Client, held.GetLeaseToken())
	run(t, x, v1.JobState_JOB_STATE_PENDING)
	list := ledger(t, x, &v1.ListOccurrencesRequest{Schedule: "s", Origin: v1.OccurrenceOrigin_OCCURRENCE_ORIGIN_MANUAL})
	if len(list) != 2 || list[1].GetJobId() != id {
		t.Errorf("on record: %v", list)
	}
}

func TestBackfill_MakesEachTimeOfTheRange_AtItsRate(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	overlapping(t, x, &v1.Schedule{Schedule: "s"}, daily())
	end := time.Now().Add(-time.Minute) // past by every clock
	request := &v1.BackfillScheduleRequest{Schedule: "s", StartTime: timestamppb.New(end.AddDate(0, 0, -3)), EndTime: timestamppb.New(end), RequestId: "once"}
	if _, err := x.Schedules().BackfillSchedule(t.Context(), request); belfry.ReasonOf(err) != belfry.ReasonInvalidField || !strings.Contains(err.Error(), "max_per_minute") {
		t.Errorf("all at once, though they must not overlap: %v", err)
	}
	const distance = 2 * time.Second
	request.MaxPerMinute = int32(time.Minute / distance)
	made, err := x.Schedules().BackfillSchedule(t.Context(), request)
	if err != nil || made.GetJobs() != 3 || made.GetLastTime().AsTime().Sub(made.GetFirstTime().AsTime()) != 48*time.Hour {
		t.Fatalf("%v, %v, want 3 jobs, the last two days behind the first", made, err)
	}
	if again, err := x.Schedules().BackfillSchedule(t.Context(), request); err != nil || !again.GetLastDueTime().AsTime().Equal(made.GetLastDueTime().AsTime()) {
		t.Errorf("repeated: %v, %v, want %v", again, err, made)
	}
	for i := range 3 {
		lease := pull{queue: "s"}.one(t, x.Client)
		if at, want := lease.GetJob().GetNominalTime().AsTime(), made.GetFirstTime().AsTime().AddDate(0, 0, i); !at.Equal(want) {
			t.Errorf("run %d is that of %v, want %v", i, at, want)
		}
		due, want := lease.GetJob().GetDueTime().AsTime(), made.GetLastDueTime().AsTime().Add(time.Duration(i-2)*distance)
		if late := due.Sub(want); late < 0 || late > soon {
			t.Errorf("run %d was due %v, want %v or a moment later", i, due, want)
		}
		complete(t, x.Client, lease.GetLeaseToken())
	}
	for _, o := range ledger(t, x, &v1.ListOccurrencesRequest{Schedule: "s", Origin: v1.OccurrenceOrigin_OCCURRENCE_ORIGIN_BACKFILL}) {
		if o.GetOutcome() != v1.OccurrenceOutcome_OCCURRENCE_OUTCOME_FIRED {
			t.Errorf("on record: %v", o)
		}
	}
}

func TestPauseOnFailure_PausesAfterADeadJob(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	overlapping(t, x, &v1.Schedule{Schedule: "s", PauseOnFailure: true}, "* * * * * *")
	held := pull{queue: "s"}.one(t, x.Client)
	wantState(t, fail(t, x.Client, &v1.FailItem{LeaseToken: held.GetLeaseToken(), Error: "no"}), v1.JobState_JOB_STATE_DEAD)
	harness.Within(t, soon, "the schedule is paused", func() bool {
		read, err := x.Schedules().GetSchedule(t.Context(), &v1.GetScheduleRequest{Schedule: "s"})
		if err != nil {
			t.Fatal(err)
		}
		paused := read.GetSchedule().GetPaused()
		if paused && !strings.Contains(read.GetSchedule().GetPauseReason(), held.GetJob().GetJobId()) {
			t.Errorf("pause_reason %q names not the job %s", read.GetSchedule().GetPauseReason(), held.GetJob().GetJobId())
		}
		return paused
	})
	pull{queue: "s", wait: 2500 * time.Millisecond}.none(t, x.Client)
}
