package api

import (
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func TestListOccurrences_PagesTheLedger_AndRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	_, err := w.schedules.CreateSchedule(t.Context(), &belfryv1.CreateScheduleRequest{Schedule: &belfryv1.Schedule{
		Schedule: "nightly", Spec: cronSpec("* * * * *", ""), Job: &belfryv1.JobSpec{Queue: "work"}}})
	if err != nil {
		t.Fatal(err)
	}
	w.db.Exec(`INSERT INTO occurrences (part, outcome, count, schedule_uid, nominal_at, until_at, revision, reason)
		SELECT home, 4, 30, uid, '2026-05-04 12:01Z', '2026-05-04 12:30Z', 1, 'MISSED' FROM schedules`)
	w.db.Exec(`INSERT INTO occurrences (part, outcome, schedule_uid, nominal_at, until_at, revision, job_id, created_at)
		SELECT home, 1, uid, '2026-05-04 12:31Z', '2026-05-04 12:31Z', 1, gen_random_uuid(), '2026-05-04 12:31:07Z' FROM schedules`)
	var all []*belfryv1.Occurrence
	req := &belfryv1.ListOccurrencesRequest{Schedule: "nightly", PageSize: 7}
	for pages := 0; ; pages++ {
		page, err := w.schedules.ListOccurrences(t.Context(), req)
		if err != nil || pages > 9 {
			t.Fatal(pages, err)
		}
		all = append(all, page.GetOccurrences()...)
		if req.PageToken = page.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	if len(all) != 31 {
		t.Fatalf("%d occurrences, want 31", len(all))
	}
	first, last := all[0], all[30]
	if first.GetOutcome() != belfryv1.OccurrenceOutcome_OCCURRENCE_OUTCOME_FIRED || first.GetLateness().AsDuration().Seconds() != 7 ||
		first.GetJobId() == "" {
		t.Errorf("first: %v", first)
	}
	if last.GetOutcome() != belfryv1.OccurrenceOutcome_OCCURRENCE_OUTCOME_SKIPPED || last.GetReason() != "MISSED" ||
		last.GetEffectiveTime() != nil || last.GetNominalTime().AsTime().Format("15:04") != "12:01" {
		t.Errorf("last: %v", last)
	}
	now := timestamppb.Now()
	for field, bad := range map[string]*belfryv1.ListOccurrencesRequest{
		"end_time":   {Schedule: "nightly", StartTime: now, EndTime: now},
		"outcomes":   {Schedule: "nightly", Outcomes: []belfryv1.OccurrenceOutcome{0}},
		"page_token": {Schedule: "nightly", PageToken: "AAAA"},
		"schedule":   {Schedule: "No Name"},
	} {
		_, err := w.schedules.ListOccurrences(t.Context(), bad)
		wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", field)
	}
	if _, err := w.others.ListOccurrences(t.Context(), req); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("another tenant: %v, want NOT_FOUND", err)
	}
}
