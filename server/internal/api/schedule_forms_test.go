package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func everySpec(every, phase time.Duration) *belfryv1.ScheduleSpec {
	i := &belfryv1.Interval{Every: durationpb.New(every)}
	if phase != 0 {
		i.Phase = durationpb.New(phase)
	}
	return &belfryv1.ScheduleSpec{Spec: &belfryv1.ScheduleSpec_Interval{Interval: i}}
}

func rruleSpec(text string) *belfryv1.ScheduleSpec {
	return &belfryv1.ScheduleSpec{Spec: &belfryv1.ScheduleSpec_Rrule{Rrule: text}}
}

// fullSpec states everything that a rule has beside its form.
func fullSpec(spec *belfryv1.ScheduleSpec) *belfryv1.ScheduleSpec {
	spec.TimeZone = "Europe/Berlin"
	spec.GapPolicy, spec.RepeatPolicy = belfryv1.GapPolicy_GAP_POLICY_SKIP, belfryv1.RepeatPolicy_REPEAT_POLICY_BOTH
	spec.ExcludeDates = []string{"2026-12-24/2027-01-01", "12-25", "SAT"}
	spec.StartTime, spec.EndTime = day("2027-01-01"), day("2190-01-01")
	spec.MaxRuns, spec.Jitter = 7, durationpb.New(90*time.Second)
	return spec
}

func day(text string) *timestamppb.Timestamp {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return timestamppb.New(at)
}

func TestSchedule_OfEveryForm_ComesBackAndSurvivesUpdates(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	for name, spec := range map[string]*belfryv1.ScheduleSpec{
		"cron":     fullSpec(cronSpec("0 9 * * *", "")),
		"interval": fullSpec(everySpec(90*time.Minute, time.Minute)),
		"rrule":    fullSpec(rruleSpec("RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0")),
		"plain":    everySpec(time.Second, 0),
	} {
		asked := rings(name)
		asked.Spec = spec
		asked.MissedPolicy, asked.CatchupWindow, asked.MaxCatchup = belfryv1.MissedPolicy_MISSED_POLICY_FIRE_ALL, durationpb.New(time.Hour), 10_000
		made := w.make(proto.CloneOf(asked))
		spellOut(asked)
		want := proto.CloneOf(asked)
		wantProto(t, made.GetSpec(), want.GetSpec())
		if made.GetMissedPolicy() != want.GetMissedPolicy() || made.GetMaxCatchup() != 10_000 || made.GetCatchupWindow().AsDuration() != time.Hour {
			t.Errorf("%s: missed runs came back as %v", name, made)
		}
		for what, mask := range map[string][]string{"all fields again": {"spec", "job", "description", "missed_policy", "catchup_window", "max_catchup"},
			"no mask": nil} {
			res, err := w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{Schedule: made, UpdateMask: &fieldmaskpb.FieldMask{Paths: mask}})
			if err != nil || res.GetSchedule().GetEtag() != made.GetEtag() {
				t.Errorf("%s, %s: changed to %v, %v", name, what, res, err)
			}
		}
		res, err := w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{
			Schedule:   &belfryv1.Schedule{Schedule: name, Spec: &belfryv1.ScheduleSpec{MaxRuns: 8}, MaxCatchup: 5},
			UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"spec.max_runs", "max_catchup", "missed_policy"}}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want.Spec.MaxRuns, want.MaxCatchup, want.MissedPolicy = 8, 5, belfryv1.MissedPolicy_MISSED_POLICY_FIRE_ONCE
		wantProto(t, res.GetSchedule().GetSpec(), want.GetSpec())
		if got := res.GetSchedule(); got.GetMaxCatchup() != 5 || got.GetMissedPolicy() != want.MissedPolicy || got.GetCatchupWindow().AsDuration() != time.Hour {
			t.Errorf("%s: missed runs were updated to %v", name, got)
		}
	}
}

// Case P-MIS-05.
func TestCreateSchedule_CatchupWindow_OfNoughtIsTheDefault(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	for name, window := range map[string]*durationpb.Duration{"absent": nil, "nought": durationpb.New(0)} {
		s := rings(name)
		s.CatchupWindow = window
		made := w.make(s)
		if made.GetCatchupWindow().AsDuration() != 365*24*time.Hour || made.GetMaxCatchup() != 100 ||
			made.GetMissedPolicy() != belfryv1.MissedPolicy_MISSED_POLICY_FIRE_ONCE {
			t.Errorf("%s is shown as %v, %d, %v", name, made.GetCatchupWindow(), made.GetMaxCatchup(), made.GetMissedPolicy())
		}
		if n := storetest.Value[int64](w.db, "SELECT (spec->>'catchup_window')::bigint FROM schedules WHERE name = $1", name); n != int64(365*24*time.Hour) {
			t.Errorf("%s is stored as %d", name, n)
		}
	}
}

func TestCreateSchedule_NamesTheFieldOfEachForm(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	with := func(change func(*belfryv1.ScheduleSpec)) func(*belfryv1.Schedule) {
		return func(s *belfryv1.Schedule) { change(s.Spec) }
	}
	spec := func(spec *belfryv1.ScheduleSpec) func(*belfryv1.Schedule) {
		return func(s *belfryv1.Schedule) { s.Spec = spec }
	}
	for name, c := range map[string]struct {
		change func(s *belfryv1.Schedule)
		says   []string
	}{
		"a window below nought":       {func(s *belfryv1.Schedule) { s.CatchupWindow = durationpb.New(-5 * time.Second) }, []string{"schedule.catchup_window", "0 to 3,660 days", "-5s"}},
		"an endless window":           {func(s *belfryv1.Schedule) { s.CatchupWindow = &durationpb.Duration{Seconds: 315576000000} }, []string{"schedule.catchup_window"}},
		"too many at once":            {func(s *belfryv1.Schedule) { s.MaxCatchup = 10_001 }, []string{"schedule.max_catchup", "10,000"}},
		"fewer than none":             {func(s *belfryv1.Schedule) { s.MaxCatchup = -1 }, []string{"schedule.max_catchup", "0"}},
		"an unknown policy":           {func(s *belfryv1.Schedule) { s.MissedPolicy = 9 }, []string{"schedule.missed_policy"}},
		"no interval":                 {spec(&belfryv1.ScheduleSpec{Spec: &belfryv1.ScheduleSpec_Interval{Interval: &belfryv1.Interval{}}}), []string{"schedule.spec.interval.every", "required"}},
		"an interval of nought":       {spec(everySpec(0, 0)), []string{"schedule.spec.interval.every", "1 second"}},
		"an interval below nought":    {spec(everySpec(-time.Second, 0)), []string{"schedule.spec.interval.every", "1 second", "-1s"}},
		"half a second":               {spec(everySpec(1500*time.Millisecond, 0)), []string{"schedule.spec.interval.every", "whole seconds", "1.5s"}},
		"a nanosecond more":           {spec(everySpec(time.Minute+1, 0)), []string{"schedule.spec.interval.every", "whole seconds"}},
		"more than ten years":         {spec(everySpec(3661*24*time.Hour, 0)), []string{"schedule.spec.interval.every", "3,660 days"}},
		"a phase below nought":        {spec(everySpec(time.Minute, -time.Second)), []string{"schedule.spec.interval.phase", "from 0"}},
		"a phase as long":             {spec(everySpec(time.Minute, time.Minute)), []string{"schedule.spec.interval.phase", "less than every"}},
		"half a second of phase":      {spec(everySpec(time.Minute, time.Second/2)), []string{"schedule.spec.interval.phase", "whole seconds"}},
		"an unknown zone":             {spec(&belfryv1.ScheduleSpec{Spec: everySpec(time.Minute, 0).Spec, TimeZone: "Mars"}), []string{"schedule.spec.time_zone", "Mars"}},
		"a part of a recurrence":      {spec(rruleSpec("FREQ=DAILY;BYHOUR=25")), []string{"schedule.spec.rrule", "BYHOUR", "0 to 23"}},
		"a recurrence without times":  {spec(rruleSpec("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")), []string{"schedule.spec.rrule", "never fires"}},
		"an empty recurrence":         {spec(rruleSpec("")), []string{"schedule.spec.rrule", "must not be empty"}},
		"a zone in a recurrence":      {spec(rruleSpec("DTSTART;TZID=Mars/X:20270101T000000\nRRULE:FREQ=DAILY")), []string{"schedule.spec.rrule", "zone"}},
		"no day":                      {with(func(s *belfryv1.ScheduleSpec) { s.ExcludeDates = []string{"SAT", "2027-02-30"} }), []string{"schedule.spec.exclude_dates", "2027-02-30"}},
		"every day":                   {with(func(s *belfryv1.ScheduleSpec) { s.ExcludeDates = []string{"MON", "TUE", "WED", "THU", "FRI"} }), []string{"schedule.spec.cron", "never fires"}},
		"too many days":               {with(func(s *belfryv1.ScheduleSpec) { s.ExcludeDates = slices.Repeat([]string{"SAT"}, 2001) }), []string{"schedule.spec.exclude_dates", "2,000"}},
		"an end before the start":     {with(func(s *belfryv1.ScheduleSpec) { s.StartTime, s.EndTime = day("2100-02-01"), day("2100-01-01") }), []string{"schedule.spec.end_time", "not after the start"}},
		"an end that is over":         {with(func(s *belfryv1.ScheduleSpec) { s.EndTime = day("2020-02-01") }), []string{"schedule.spec.cron", "never fires"}},
		"a start before all rules":    {with(func(s *belfryv1.ScheduleSpec) { s.StartTime = day("1969-12-31") }), []string{"schedule.spec.start_time", "1970", "2199"}},
		"an end behind all rules":     {with(func(s *belfryv1.ScheduleSpec) { s.EndTime = day("2200-01-01") }), []string{"schedule.spec.end_time", "2199"}},
		"a jitter below nought":       {with(func(s *belfryv1.ScheduleSpec) { s.Jitter = durationpb.New(-1) }), []string{"schedule.spec.jitter", "24 hours"}},
		"a jitter of more than a day": {with(func(s *belfryv1.ScheduleSpec) { s.Jitter = durationpb.New(24*time.Hour + 1) }), []string{"schedule.spec.jitter", "24 hours"}},
		"fewer runs than none":        {with(func(s *belfryv1.ScheduleSpec) { s.MaxRuns = -1 }), []string{"schedule.spec.max_runs"}},
		"an unknown gap":              {with(func(s *belfryv1.ScheduleSpec) { s.GapPolicy = 9 }), []string{"schedule.spec.gap_policy"}},
		"an unknown repeat":           {with(func(s *belfryv1.ScheduleSpec) { s.RepeatPolicy = 9 }), []string{"schedule.spec.repeat_policy"}},
	} {
		s := rings("morning")
		c.change(s)
		_, err := w.schedules.CreateSchedule(t.Context(), &belfryv1.CreateScheduleRequest{Schedule: s})
		for _, says := range c.says {
			if connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want INVALID_ARGUMENT that says %q", name, err, says)
			}
		}
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules"); n != 0 {
		t.Errorf("%d schedules are stored", n)
	}
}

func TestPreviewSchedule_SaysWhatIsLeftOutAndWhenJobsAreDue(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	spec := cronSpec("30 2 * * *", "Europe/Berlin")
	spec.GapPolicy = belfryv1.GapPolicy_GAP_POLICY_SKIP
	spec.ExcludeDates = []string{"2027-03-30"}
	spec.Jitter = durationpb.New(time.Hour)
	ask := &belfryv1.PreviewScheduleRequest{Spec: spec, AfterTime: day("2027-03-28"), Count: 2, Schedule: "night"}
	res, err := w.schedules.PreviewSchedule(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2027-03-28 02:30:00 Europe/Berlin is left out: the clock skips it", "2027-03-30 02:30:00 Europe/Berlin is left out: an excluded date"}
	if !slices.Equal(res.GetLeftOut(), want) || res.GetZoneDataVersion() != recurrence.ZoneDataVersion {
		t.Errorf("left out %q, zone data %s", res.GetLeftOut(), res.GetZoneDataVersion())
	}
	offset := func(i int) time.Duration {
		at := res.GetTimes()[i]
		return at.GetEffectiveTime().AsTime().Sub(at.GetTime().AsTime())
	}
	if len(res.GetTimes()) != 2 || offset(0) != offset(1) || offset(0) <= 0 || offset(0) >= time.Hour {
		t.Errorf("times %v", res.GetTimes())
	}
	ask.Schedule = ""
	if res, err = w.schedules.PreviewSchedule(t.Context(), ask); err != nil || res.GetTimes()[0].GetEffectiveTime() != nil {
		t.Errorf("of no schedule: %v, %v", res, err)
	}
	spec.Jitter = nil
	if res, err = w.schedules.PreviewSchedule(t.Context(), ask); err != nil || offset(0) != 0 {
		t.Errorf("without jitter: %v, %v", res, err)
	}
	spec.MaxRuns = 1
	if res, err = w.schedules.PreviewSchedule(t.Context(), ask); err != nil || len(res.GetTimes()) != 1 {
		t.Errorf("of one run: %v, %v", res, err)
	}
	res, err = w.schedules.PreviewSchedule(t.Context(), &belfryv1.PreviewScheduleRequest{Spec: rruleSpec("FREQ=DAILY"), Count: 1})
	if err != nil || len(res.GetNotes()) != 1 || !strings.Contains(res.GetNotes()[0], "DTSTART") {
		t.Errorf("notes %q, %v", res.GetNotes(), err)
	}
	_, err = w.schedules.PreviewSchedule(t.Context(), &belfryv1.PreviewScheduleRequest{Spec: &belfryv1.ScheduleSpec{TimeZone: "UTC"}})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "spec must say")
}

func ringsBatch(names ...string) *belfryv1.BatchCreateSchedulesRequest {
	req := &belfryv1.BatchCreateSchedulesRequest{}
	for _, name := range names {
		req.Schedules = append(req.Schedules, rings(name))
	}
	return req
}

func TestBatchCreateSchedules_MakesAllInOrderWithoutPayloads(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	req := ringsBatch("c", "a", "b")
	req.RequestId = "r"
	req.Schedules[1].Spec = fullSpec(everySpec(time.Hour, 0))
	only := proto.CloneOf(req)
	only.ValidateOnly = true
	checked, err := w.schedules.BatchCreateSchedules(t.Context(), only)
	if err != nil || len(checked.GetSchedules()) != 3 || checked.GetSchedules()[0].GetUid() != "" || checked.GetSchedules()[0].GetJob().GetPayload() != nil {
		t.Fatalf("checked only: %v, %v", checked, err)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules"); n != 0 {
		t.Fatalf("checking made %d", n)
	}
	res, err := w.schedules.BatchCreateSchedules(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"c", "a", "b"} {
		got, err := w.schedules.GetSchedule(t.Context(), &belfryv1.GetScheduleRequest{Schedule: name})
		if err != nil {
			t.Fatal(err)
		}
		if got.GetSchedule().GetJob().GetPayload() == nil {
			t.Errorf("%s has lost its payload", name)
		}
		got.GetSchedule().Job.Payload = nil
		wantProto(t, res.GetSchedules()[i], got.GetSchedule())
	}
	again, err := w.schedules.BatchCreateSchedules(t.Context(), req)
	if err != nil || again.GetSchedules()[2].GetUid() != res.GetSchedules()[2].GetUid() {
		t.Errorf("repeated: %v, %v", again, err)
	}
	if _, err := w.schedules.DeleteSchedule(t.Context(), &belfryv1.DeleteScheduleRequest{Schedule: "a"}); err != nil {
		t.Fatal(err)
	}
	_, err = w.schedules.BatchCreateSchedules(t.Context(), req)
	wantRefused(t, err, connect.CodeNotFound, "SCHEDULE_NOT_FOUND", "schedules[1]")
	req.Schedules[2].Description = "other"
	_, err = w.schedules.BatchCreateSchedules(t.Context(), req)
	wantRefused(t, err, connect.CodeAlreadyExists, "REQUEST_ID_REUSED", `"r"`)
}

func TestBatchCreateSchedules_NamesEachItemAtFault_AndMakesNone(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	w.make(rings("taken"))
	for name, c := range map[string]struct {
		change func(req *belfryv1.BatchCreateSchedulesRequest)
		code   connect.Code
		says   []string
	}{
		"rules": {func(req *belfryv1.BatchCreateSchedulesRequest) {
			req.Schedules[0].Spec, req.Schedules[2].Spec = cronSpec("60 * * * *", ""), cronSpec("0 9 * * *", "Mars")
		}, connect.CodeInvalidArgument, []string{"schedules[0].spec.cron", "schedules[2].spec.time_zone"}},
		"a rule that is over": {func(req *belfryv1.BatchCreateSchedulesRequest) {
			req.Schedules[1].Spec = cronSpec("at(2020-01-01T00:00:00)", "")
		},
			connect.CodeInvalidArgument, []string{"schedules[1].spec.cron", "never fires"}},
		"two of one name": {func(req *belfryv1.BatchCreateSchedulesRequest) { req.Schedules[2].Schedule = "a" },
			connect.CodeInvalidArgument, []string{"schedules[2].schedule", "schedules[0].schedule"}},
		"parts": {func(req *belfryv1.BatchCreateSchedulesRequest) {
			req.Schedules[0].Job, req.Schedules[1].Spec, req.Schedules[2].Job.When = nil, &belfryv1.ScheduleSpec{}, &belfryv1.JobSpec_DueTime{DueTime: day("2027-01-01")}
		}, connect.CodeInvalidArgument, []string{"schedules[0].job is required", "schedules[1].spec must", "schedules[2].job.due_time"}},
		"a name": {func(req *belfryv1.BatchCreateSchedulesRequest) { req.Schedules[1].Schedule = "taken" },
			connect.CodeAlreadyExists, []string{"schedules[1]", `"taken"`}},
		"a queue": {func(req *belfryv1.BatchCreateSchedulesRequest) { req.Schedules[2].Job.Queue = "werk" },
			connect.CodeNotFound, []string{"schedules[2]", `"werk"`}},
		"none": {func(req *belfryv1.BatchCreateSchedulesRequest) { req.Schedules = nil }, connect.CodeInvalidArgument, []string{"schedules"}},
	} {
		for _, only := range []bool{true, false} {
			req := ringsBatch("a", "b", "c")
			req.ValidateOnly = only
			c.change(req)
			_, err := w.schedules.BatchCreateSchedules(t.Context(), req)
			for _, says := range c.says {
				if connect.CodeOf(err) != c.code || !strings.Contains(err.Error(), says) {
					t.Errorf("%s (validate_only %v): %v, want %v that says %q", name, only, err, c.code, says)
				}
			}
		}
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules"); n != 1 {
		t.Errorf("%d schedules are stored, want the first alone", n)
	}
}

func BenchmarkBatchCreateSchedules(b *testing.B) {
	w := newTower(b)
	for round := 0; b.Loop(); round++ {
		req := &belfryv1.BatchCreateSchedulesRequest{}
		for i := range 1000 {
			req.Schedules = append(req.Schedules, rings(fmt.Sprintf("s-%d-%d", round, i)))
		}
		if _, err := w.schedules.BatchCreateSchedules(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "schedules/s")
}
