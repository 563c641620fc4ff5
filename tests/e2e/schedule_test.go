package e2e_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// everySecond makes a schedule that fires each second.
func everySecond(t *testing.T, x harness.Tenant, name string) *v1.Schedule {
	t.Helper()
	made, err := x.Schedules().CreateSchedule(t.Context(), &v1.CreateScheduleRequest{Schedule: &v1.Schedule{Schedule: name,
		Spec: &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: "* * * * * *"}},
		Job: &v1.JobSpec{Queue: name, JobType: "tick", Headers: map[string]string{"h": "v"},
			Payload: &v1.Payload{Data: &v1.Payload_Text{Text: "from the template"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return made.GetSchedule()
}

// Promises 2 and 4.
func TestSchedule_MakesOneJobPerNominalTime_NeverEarly(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	made := everySecond(t, x, "ticks")
	created := made.GetCreateTime().AsTime()
	var nominal []time.Time
	for len(nominal) < 5 {
		for _, lease := range (pull{queue: "ticks", max: 10}).from(t, x.Client) {
			job := lease.GetJob()
			at := job.GetNominalTime().AsTime()
			if now := time.Now(); now.Before(at) || job.GetStartTime().AsTime().Before(at) {
				t.Errorf("%v started %v, received %v", at, job.GetStartTime().AsTime(), now)
			}
			if job.GetSchedule() != "ticks" || job.GetJobType() != "tick" || job.GetHeaders()["h"] != "v" || job.GetPayload().GetText() != "from the template" {
				t.Errorf("job %v", job)
			}
			nominal = append(nominal, at)
			complete(t, x.Client, lease.GetLeaseToken())
		}
	}
	slices.SortFunc(nominal, time.Time.Compare)
	for i, at := range nominal {
		if !at.Truncate(time.Second).Equal(at) || !at.After(created) {
			t.Errorf("nominal time %v of a schedule made %v", at, created)
		}
		if i > 0 && at.Sub(nominal[i-1]) != time.Second {
			t.Errorf("%v follows %v", at, nominal[i-1])
		}
	}
	read, err := x.Schedules().GetSchedule(t.Context(), &v1.GetScheduleRequest{Schedule: "ticks"})
	if err != nil {
		t.Fatal(err)
	}
	if last := read.GetSchedule().GetLastTime().AsTime(); last.Before(nominal[len(nominal)-1]) || read.GetSchedule().GetLastJobId() == "" {
		t.Errorf("last_time %v of job %q, want %v or later", last, read.GetSchedule().GetLastJobId(), nominal[len(nominal)-1])
	}
	if next := read.GetSchedule().GetNextTime().AsTime(); !next.After(created) {
		t.Errorf("next_time %v", next)
	}
}

func TestPauseSchedule_WhenItHasAnswered_NothingIsLeased(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	everySecond(t, x, "s")
	complete(t, x.Client, pull{queue: "s"}.one(t, x.Client).GetLeaseToken())
	paused, err := x.Schedules().PauseSchedule(t.Context(), &v1.PauseScheduleRequest{Schedule: "s", Reason: "holidays"})
	if err != nil || !paused.GetSchedule().GetPaused() || paused.GetSchedule().GetPauseReason() != "holidays" || paused.GetSchedule().GetNextTime() != nil {
		t.Fatalf("%v, %v", paused, err)
	}
	pull{queue: "s", wait: 2500 * time.Millisecond}.none(t, x.Client)
	if _, err := x.Schedules().ResumeSchedule(t.Context(), &v1.ResumeScheduleRequest{Schedule: "s"}); err != nil {
		t.Fatal(err)
	}
	resumed := time.Now()
	// What is late by less than a minute is not missed: it runs, once; then the rule goes on.
	seen := make(map[time.Time]bool)
	for next := false; !next; {
		for _, lease := range (pull{queue: "s", max: 10}).from(t, x.Client) {
			at := lease.GetJob().GetNominalTime().AsTime()
			if seen[at] {
				t.Errorf("the occurrence of %v ran twice", at)
			}
			seen[at] = true
			next = next || at.After(resumed)
			complete(t, x.Client, lease.GetLeaseToken())
		}
	}
}

func TestUpdateSchedule_WithdrawsWhatItHadMadeAhead(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	everySecond(t, x, "s")
	complete(t, x.Client, pull{queue: "s"}.one(t, x.Client).GetLeaseToken())
	updated, err := x.Schedules().UpdateSchedule(t.Context(), &v1.UpdateScheduleRequest{Schedule: &v1.Schedule{Schedule: "s",
		Spec: &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: "0 0 1 1 *"}}}})
	if err != nil || !strings.Contains(updated.GetSchedule().GetSpec().GetCron(), "0 0 1 1 *") {
		t.Fatalf("%v, %v", updated, err)
	}
	pull{queue: "s", wait: 2 * time.Second}.none(t, x.Client)
	if next := updated.GetSchedule().GetNextTime().AsTime(); next.Month() != time.January || next.Day() != 1 {
		t.Errorf("next_time %v", next)
	}
}

func TestDeleteSchedule_StopsIt(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	first := everySecond(t, x, "s")
	complete(t, x.Client, pull{queue: "s"}.one(t, x.Client).GetLeaseToken())
	if _, err := x.Schedules().DeleteSchedule(t.Context(), &v1.DeleteScheduleRequest{Schedule: "s"}); err != nil {
		t.Fatal(err)
	}
	deleted := time.Now()
	for _, lease := range (pull{queue: "s", max: 10, wait: 2500 * time.Millisecond}).from(t, x.Client) {
		if at := lease.GetJob().GetNominalTime().AsTime(); at.After(deleted) {
			t.Errorf("an occurrence of %v ran, the schedule was deleted %v", at, deleted)
		}
	}
	if _, err := x.Schedules().GetSchedule(t.Context(), &v1.GetScheduleRequest{Schedule: "s"}); belfry.ReasonOf(err) != belfry.ReasonScheduleNotFound {
		t.Errorf("get: %v", err)
	}
	if second := everySecond(t, x, "s"); second.GetUid() == first.GetUid() {
		t.Error("a new schedule of the same name has the same uid")
	}
}

// The daylight-saving rules as callers see them; the rules themselves are tested where they live.
func TestPreviewSchedule_MarksWhatDaylightSavingMoved(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	preview, err := x.Schedules().PreviewSchedule(t.Context(), &v1.PreviewScheduleRequest{
		Spec:      &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: "30 2 * * *"}, TimeZone: "Europe/Berlin"},
		AfterTime: timestamppb.New(time.Date(2027, 3, 27, 12, 0, 0, 0, time.UTC)), Count: 2,
	})
	if err != nil || len(preview.GetTimes()) != 2 || preview.GetDescription() == "" {
		t.Fatalf("%v, %v", preview, err)
	}
	moved, next := preview.GetTimes()[0], preview.GetTimes()[1]
	if !moved.GetTime().AsTime().Equal(time.Date(2027, 3, 28, 1, 0, 0, 0, time.UTC)) || moved.GetNote() == "" || !strings.HasSuffix(moved.GetLocalTime(), "+02:00") {
		t.Errorf("the time in the gap: %v", moved)
	}
	if !next.GetTime().AsTime().Equal(time.Date(2027, 3, 29, 0, 30, 0, 0, time.UTC)) || next.GetNote() != "" {
		t.Errorf("the day after: %v", next)
	}
}

func TestForecast_ShowsWhatComes_FromSchedulesAndFromJobsThatWait(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	everySecond(t, x, "s")
	create(t, x.Client, belfry.NewJob{Queue: "s", DueTime: time.Now().Add(30 * time.Minute)})
	forecast, err := x.Schedules().GetForecast(t.Context(), &v1.GetForecastRequest{})
	if err != nil || !forecast.GetComplete() {
		t.Fatalf("%v, %v", forecast, err)
	}
	waiting, minutes := int64(0), forecast.GetMinutes()
	for i, m := range minutes {
		if at := m.GetTime().AsTime(); i > 0 && (m.GetScheduledJobs() != 60 || !at.Equal(minutes[i-1].GetTime().AsTime().Add(time.Minute))) {
			t.Errorf("behind %v: %v", minutes[i-1], m)
		}
		waiting += m.GetWaitingJobs()
	}
	if len(minutes) < 59 || waiting != 1 {
		t.Errorf("%d minutes with %d jobs that wait, want 60 with 1", len(minutes), waiting)
	}
	of, err := harness.Shared(t).Admin(t).Schedules().GetForecast(t.Context(), &v1.GetForecastRequest{TenantId: "-", Minutes: 2})
	if err != nil || len(of.GetMinutes()) == 0 || of.GetMinutes()[len(of.GetMinutes())-1].GetScheduledJobs() < 60 {
		t.Errorf("of all tenants: %v, %v", of, err)
	}
}
