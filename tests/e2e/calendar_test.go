package e2e_test

import (
	"testing"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// today is a range that holds the present day in any zone, also if midnight passes during a test.
func today() string {
	const oneDay = 24 * time.Hour
	return time.Now().Add(-oneDay).Format(time.DateOnly) + "/" + time.Now().Add(2*oneDay).Format(time.DateOnly)
}

// redate gives the calendar "holidays" other days.
func redate(t *testing.T, x harness.Tenant, days ...string) {
	t.Helper()
	_, err := x.Calendars().UpdateCalendar(t.Context(), &v1.UpdateCalendarRequest{Calendar: &v1.Calendar{Calendar: "holidays", Days: days}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUpdateCalendar_WhenItHasAnswered_NoExcludedDayIsLeased(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	if _, err := x.Calendars().CreateCalendar(t.Context(), &v1.CreateCalendarRequest{Calendar: &v1.Calendar{Calendar: "holidays",
		Days: []string{"1999-12-31"}}}); err != nil {
		t.Fatal(err)
	}
	_, err := x.Schedules().CreateSchedule(t.Context(), &v1.CreateScheduleRequest{Schedule: &v1.Schedule{Schedule: "s",
		Spec: &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: "* * * * * *"}, Calendars: []string{"holidays"}},
		Job:  &v1.JobSpec{Queue: "s"}}})
	if err != nil {
		t.Fatal(err)
	}
	complete(t, x.Client, pull{queue: "s"}.one(t, x.Client).GetLeaseToken())

	redate(t, x, today())
	pull{queue: "s", wait: 2500 * time.Millisecond}.none(t, x.Client)
	ledger, err := x.Schedules().ListOccurrences(t.Context(), &v1.ListOccurrencesRequest{Schedule: "s", PageSize: 1,
		Outcomes: []v1.OccurrenceOutcome{v1.OccurrenceOutcome_OCCURRENCE_OUTCOME_SKIPPED}})
	if err != nil || len(ledger.GetOccurrences()) != 1 || ledger.GetOccurrences()[0].GetReason() != "CALENDAR:holidays" {
		t.Errorf("what was left out: %v, %v", ledger, err)
	}
	if _, err := x.Calendars().DeleteCalendar(t.Context(), &v1.DeleteCalendarRequest{Calendar: "holidays"}); belfry.ReasonOf(err) != belfry.ReasonCalendarInUse {
		t.Errorf("deletion while a schedule names it: %v", err)
	}

	counted := time.Now()
	redate(t, x, "1999-12-31")
	leased := pull{queue: "s"}.one(t, x.Client)
	if at := leased.GetJob().GetNominalTime().AsTime(); at.Before(counted.Add(-2 * time.Second)) {
		t.Errorf("the occurrence of %v was left out, and counted since %v", at, counted)
	}
	complete(t, x.Client, leased.GetLeaseToken())

	if _, err := x.Schedules().DeleteSchedule(t.Context(), &v1.DeleteScheduleRequest{Schedule: "s"}); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Calendars().DeleteCalendar(t.Context(), &v1.DeleteCalendarRequest{Calendar: "holidays"}); err != nil {
		t.Errorf("deletion when no schedule names it: %v", err)
	}
}
