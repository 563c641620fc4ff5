package chaos_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/tests/harness"
)

// Promise 4: through kill -9 of the server and of the database, every second of every schedule has exactly one job.
func TestKills_UnderSchedules_MakeEachOccurrenceOnce(t *testing.T) {
	t.Parallel()
	world := harness.NewWorld(t, harness.WorldOptions{Flags: quickOwnership})
	x := world.NewTenant(t)
	var mu sync.Mutex
	jobs := make(map[string]map[int64]string) // schedule → nominal time, in seconds → job
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 4, Batch: 50, Handle: func(lease *v1.LeasedJob) {
		job := lease.GetJob()
		at := job.GetNominalTime().AsTime()
		mu.Lock()
		defer mu.Unlock()
		if received := time.Now(); received.Before(at) {
			t.Errorf("the occurrence of %v was leased at %v", at, received)
		}
		if jobs[job.GetSchedule()] == nil {
			jobs[job.GetSchedule()] = make(map[int64]string)
		}
		if other := jobs[job.GetSchedule()][at.Unix()]; other != "" && other != job.GetJobId() {
			t.Errorf("%s has two jobs for %v: %s and %s", job.GetSchedule(), at, other, job.GetJobId())
		}
		jobs[job.GetSchedule()][at.Unix()] = job.GetJobId()
	}}
	crew.Start(t)
	const schedules = 20
	for i := range schedules {
		name := fmt.Sprintf("s%d", i)
		_, err := x.Schedules().CreateSchedule(t.Context(), &v1.CreateScheduleRequest{Schedule: &v1.Schedule{Schedule: name,
			OverlapPolicy: v1.OverlapPolicy_OVERLAP_POLICY_ALLOW,
			Spec:          &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: "* * * * * *"}},
			Job:           &v1.JobSpec{Queue: "q", RetryPolicy: &v1.RetryPolicy{MaxAttempts: new(int32(20)), InitialBackoff: durationpb.New(50 * time.Millisecond)}}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	_ = harness.Pass(t.Context(), 2*time.Second)
	world.Node.Kill()
	if err := world.Node.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = harness.Pass(t.Context(), time.Second)
	if err := world.DB.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := world.DB.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	end := time.Now()
	whole := func() bool {
		mu.Lock()
		defer mu.Unlock()
		complete := 0
		for _, times := range jobs {
			if times[end.Unix()+1] != "" {
				complete++
			}
		}
		return complete == schedules
	}
	harness.Within(t, 15*time.Second, "all schedules fire again after the kills", whole)
	// What was late meanwhile runs too; it may come after what was due later.
	missing := func() (holes []string) {
		mu.Lock()
		defer mu.Unlock()
		for name, times := range jobs {
			for at := start.Unix() + 1; at <= end.Unix(); at++ {
				if times[at] == "" {
					holes = append(holes, fmt.Sprintf("%s %v", name, time.Unix(at, 0).UTC().Format(time.TimeOnly)))
				}
			}
		}
		slices.Sort(holes)
		return holes
	}
	for wait := time.Now().Add(10 * time.Second); len(missing()) > 0 && time.Now().Before(wait); {
		_ = harness.Pass(t.Context(), 50*time.Millisecond)
	}
	if holes := missing(); len(holes) > 0 {
		t.Errorf("%d occurrences of %v did not run: %v", len(holes), end.Sub(start).Round(time.Second), holes[:min(len(holes), 10)])
	}
	for _, failure := range account.Verdict(t.Context(), x.Client).Failures() {
		t.Error(failure)
	}
}
