package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/obs"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/server/internal/wheel"
	"github.com/belfryhq/belfry/tenancy"
)

// tower is an office that serves schedules too.
type tower struct {
	*office
	schedules belfryv1connect.ScheduleServiceClient // with an ADMIN key of acme, which has the queue "work"
	others    belfryv1connect.ScheduleServiceClient // with one of tenant other
	rings     *httptest.Server
	poked     int
}

func newTower(t testing.TB) *tower {
	t.Helper()
	w := &tower{office: newOffice(t)}
	clk, log := clock.Real(), slog.New(slog.NewTextHandler(testWriter{t}, nil))
	validator := newTestValidator(t)
	edge := NewEdge(EdgeConfig{Auth: tenancy.NewAuthenticator(w.db.Store, clk), Validator: validator, Errors: NewTranslator(log),
		Clock: clk, Log: log, Observe: func(Call) {}})
	service := schedule.NewService(schedule.ServiceConfig{Rows: w.db.Store, Names: w.catalog, Poke: func() { w.poked++ },
		Decide: func(int32) {}, Hints: noHints{}, Now: clk.Now, Metrics: obs.NewMetrics(prometheus.NewRegistry())})
	mux := http.NewServeMux()
	mux.Handle(belfryv1connect.NewScheduleServiceHandler(NewScheduleService(ScheduleConfig{Schedules: service,
		Forecasts: schedule.NewForecaster(schedule.ForecastConfig{Loads: w.db.Store, Tenants: w.catalog, Clock: clk}), Validate: validator.Validate, Now: clk.Now}), edge.HandlerOptions()...))
	w.rings = newServer(t, mux)
	as := func(a admins) belfryv1connect.ScheduleServiceClient {
		return belfryv1connect.NewScheduleServiceClient(w.rings.Client(), w.rings.URL, bearerOf(a), connect.WithProtoJSON())
	}
	w.schedules, w.others = as(w.acme), as(w.other)
	w.queue(w.acme, &belfryv1.Queue{Queue: "work"})
	return w
}

func cronSpec(text, zone string) *belfryv1.ScheduleSpec {
	return &belfryv1.ScheduleSpec{Spec: &belfryv1.ScheduleSpec_Cron{Cron: text}, TimeZone: zone}
}

// bearerOf sends the key of a.
func bearerOf(a admins) connect.ClientOption {
	return connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
			req.Header().Set("Authorization", "Bearer "+a.key)
			return next(ctx, req)
		}
	}))
}

// rings is a schedule that states everything it can.
func rings(name string) *belfryv1.Schedule {
	return &belfryv1.Schedule{
		Schedule: name, Spec: cronSpec("0 9 * * MON-FRI", "Europe/Berlin"), Description: "rings",
		Job: &belfryv1.JobSpec{
			Queue: "work", JobType: "ring", Priority: proto.Int32(3),
			StartBy:     &belfryv1.JobSpec_StartWithin{StartWithin: durationpb.New(time.Hour)},
			Payload:     &belfryv1.Payload{Data: &belfryv1.Payload_Json{Json: structpb.NewStringValue("ding")}, ContentType: "application/json"},
			Headers:     map[string]string{"a": "b"},
			RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(2)}, AttemptTimeout: durationpb.New(time.Minute),
			MaxReleases: proto.Int32(4), MaxAge: durationpb.New(24 * time.Hour),
		},
	}
}

// spellOut states what a schedule means where it says nothing.
func spellOut(s *belfryv1.Schedule) {
	if s.Spec.GapPolicy == 0 {
		s.Spec.GapPolicy = belfryv1.GapPolicy_GAP_POLICY_RUN_AFTER
	}
	if s.Spec.RepeatPolicy == 0 {
		s.Spec.RepeatPolicy = belfryv1.RepeatPolicy_REPEAT_POLICY_FIRST
	}
	if s.MissedPolicy == 0 {
		s.MissedPolicy = belfryv1.MissedPolicy_MISSED_POLICY_FIRE_ONCE
	}
	if s.CatchupWindow.AsDuration() == 0 {
		s.CatchupWindow = durationpb.New(365 * 24 * time.Hour)
	}
	if s.MaxCatchup == 0 {
		s.MaxCatchup = 100
	}
	if s.OverlapPolicy == 0 {
		s.OverlapPolicy = belfryv1.OverlapPolicy_OVERLAP_POLICY_SKIP
	}
}

// noHints takes no notice of jobs.
type noHints struct{}

func (noHints) Offer([]wheel.Entry) {}

func (w *tower) make(s *belfryv1.Schedule) *belfryv1.Schedule {
	w.t.Helper()
	res, err := w.schedules.CreateSchedule(w.t.Context(), &belfryv1.CreateScheduleRequest{Schedule: s})
	if err != nil {
		w.t.Fatal(err)
	}
	return res.GetSchedule()
}

func TestCreateSchedule_ComesBackAsItWasStated(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	asked := rings("morning")
	asked.Uid, asked.Etag, asked.Paused, asked.Error = "mine", "x", true, "none"
	made := w.make(asked)
	want := rings("morning")
	want.TenantId, want.Uid, want.Etag = "acme", made.GetUid(), made.GetEtag()
	want.CreateTime, want.UpdateTime, want.NextTime = made.GetCreateTime(), made.GetCreateTime(), made.GetNextTime()
	want.SpecDescription = "At 09:00 on Monday to Friday, Europe/Berlin"
	spellOut(want)
	wantProto(t, made, want)
	if made.GetUid() == "mine" || made.GetEtag() == "x" || !made.GetNextTime().AsTime().After(time.Now()) || w.poked == 0 {
		t.Errorf("uid %q, etag %q, next %v, poked %d times", made.GetUid(), made.GetEtag(), made.GetNextTime().AsTime(), w.poked)
	}
	got, err := w.schedules.GetSchedule(t.Context(), &belfryv1.GetScheduleRequest{Schedule: "morning"})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, got.GetSchedule(), want)
	list, err := w.schedules.ListSchedules(t.Context(), &belfryv1.ListSchedulesRequest{})
	if err != nil || len(list.GetSchedules()) != 1 {
		t.Fatalf("list: %v, %v", list, err)
	}
	want.Job.Payload = nil
	wantProto(t, list.GetSchedules()[0], want)
}

func TestCreateSchedule_TakesEveryTextForm(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	for i, c := range []struct{ text, zone, words string }{
		{"*/5 * * * *", "", "Every 5 minutes, UTC"},
		{"*/10 * * * * *", "", "Every 10 seconds, UTC"},
		{"0 0 12 1 1 ? 2199", "", "At 12:00 on 1 January in 2199, UTC"},
		{"@daily", "Asia/Tokyo", "At 00:00 every day, Asia/Tokyo"},
		{"@every 90m", "", "Every 1 hour 30 minutes"},
		{"rate(7 days)", "", "Every 7 days"},
		{"at(2190-01-31T09:00:00)", "Europe/Berlin", "Once at 09:00:00 on 31 January 2190, Europe/Berlin"},
		{"cron(0 9 ? * 2-6 *)", "", "At 09:00 on Monday to Friday, UTC"},
		{"CRON_TZ=America/New_York 30 8 * * *", "", "At 08:30 every day, America/New_York"},
		{"0 9 L * *", "", "At 09:00 on the last day of the month, UTC"},
		{"H H * * *", "", ""},
	} {
		s := rings(fmt.Sprintf("form-%d", i))
		s.Spec = cronSpec(c.text, c.zone)
		made := w.make(s)
		if made.GetSpec().GetCron() != c.text || made.GetSpec().GetTimeZone() != c.zone || !made.GetNextTime().IsValid() {
			t.Errorf("%q came back as %v, next %v", c.text, made.GetSpec(), made.GetNextTime())
		}
		if c.words != "" && made.GetSpecDescription() != c.words {
			t.Errorf("%q is %q, want %q", c.text, made.GetSpecDescription(), c.words)
		}
	}
}

func TestCreateSchedule_NamesTheFieldAndTheFault(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	for name, c := range map[string]struct {
		change func(s *belfryv1.Schedule)
		says   []string
	}{
		"30 February":      {func(s *belfryv1.Schedule) { s.Spec = cronSpec("0 0 30 2 *", "") }, []string{"schedule.spec.cron", "day of month", "never fires"}},
		"a year past":      {func(s *belfryv1.Schedule) { s.Spec = cronSpec("0 0 0 1 1 ? 2021", "") }, []string{"schedule.spec.cron", "never fires"}},
		"minute 60":        {func(s *belfryv1.Schedule) { s.Spec = cronSpec("60 * * * *", "") }, []string{"schedule.spec.cron", "minute", "59"}},
		"four fields":      {func(s *belfryv1.Schedule) { s.Spec = cronSpec("* * * *", "") }, []string{"schedule.spec.cron", "5, 6 or 7"}},
		"a step of nought": {func(s *belfryv1.Schedule) { s.Spec = cronSpec("*/0 * * * *", "") }, []string{"schedule.spec.cron", "minute"}},
		"an unknown zone":  {func(s *belfryv1.Schedule) { s.Spec = cronSpec("0 9 * * *", "Mars/Olympus") }, []string{"schedule.spec.time_zone", "zone"}},
		"two zones":        {func(s *belfryv1.Schedule) { s.Spec = cronSpec("TZ=UTC 0 9 * * *", "Asia/Tokyo") }, []string{"schedule.spec.time_zone", "contradicts"}},
		"a prefix with an unknown zone": {func(s *belfryv1.Schedule) { s.Spec = cronSpec("CRON_TZ=Mars 0 9 * * *", "") },
			[]string{"schedule.spec.cron", "zone"}},
		"no rule":    {func(s *belfryv1.Schedule) { s.Spec = nil }, []string{"schedule.spec is required"}},
		"no cron":    {func(s *belfryv1.Schedule) { s.Spec = &belfryv1.ScheduleSpec{} }, []string{"schedule.spec must", "cron, interval and rrule", "required"}},
		"no job":     {func(s *belfryv1.Schedule) { s.Job = nil }, []string{"schedule.job is required"}},
		"no queue":   {func(s *belfryv1.Schedule) { s.Job.Queue = "" }, []string{"schedule.job.queue"}},
		"a due time": {func(s *belfryv1.Schedule) { s.Job.When = &belfryv1.JobSpec_DueTime{DueTime: timestamppb.Now()} }, []string{"schedule.job.due_time"}},
		"a delay":    {func(s *belfryv1.Schedule) { s.Job.When = &belfryv1.JobSpec_Delay{Delay: durationpb.New(0)} }, []string{"schedule.job.delay"}},
		"a last time": {func(s *belfryv1.Schedule) {
			s.Job.StartBy = &belfryv1.JobSpec_StartByTime{StartByTime: timestamppb.Now()}
		}, []string{"schedule.job.start_by_time"}},
		"a long text": {func(s *belfryv1.Schedule) { s.Spec = cronSpec(strings.Repeat("1,", 3000), "") }, []string{"schedule.spec.cron", "4,096"}},
		"a bad name":  {func(s *belfryv1.Schedule) { s.Schedule = "Morning" }, []string{"schedule.schedule"}},
		"a NUL":       {func(s *belfryv1.Schedule) { s.Description = "a\x00" }, []string{"schedule.description", "NUL"}},
		"a long description": {func(s *belfryv1.Schedule) { s.Description = strings.Repeat("x", 257) },
			[]string{"schedule.description", "256"}},
	} {
		for _, only := range []bool{false, true} {
			s := rings("morning")
			c.change(s)
			_, err := w.schedules.CreateSchedule(t.Context(), &belfryv1.CreateScheduleRequest{Schedule: s, ValidateOnly: only})
			for _, says := range c.says {
				if connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(err.Error(), says) {
					t.Errorf("%s (validate_only %v): %v, want INVALID_ARGUMENT that says %q", name, only, err, says)
				}
			}
		}
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules"); n != 0 {
		t.Errorf("%d schedules are stored", n)
	}
}

func TestCreateSchedule_NeedsItsQueue(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	s := rings("morning")
	s.Job.Queue = "werk"
	_, err := w.schedules.CreateSchedule(t.Context(), &belfryv1.CreateScheduleRequest{Schedule: s})
	wantRefused(t, err, connect.CodeNotFound, "QUEUE_NOT_FOUND", `"work"`)
}

func TestCreateSchedule_IsIdempotentByRequestID(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	create := func(s *belfryv1.Schedule, id string) (*belfryv1.Schedule, error) {
		res, err := w.schedules.CreateSchedule(t.Context(), &belfryv1.CreateScheduleRequest{Schedule: s, RequestId: id})
		return res.GetSchedule(), err
	}
	first, err := create(rings("morning"), "r1")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := create(rings("morning"), "r1"); err != nil || again.GetUid() != first.GetUid() {
		t.Errorf("repeated: %v, %v", again, err)
	}
	other := rings("morning")
	other.Job.Payload = nil
	_, err = create(other, "r1")
	wantRefused(t, err, connect.CodeAlreadyExists, "REQUEST_ID_REUSED", `"r1"`)
	_, err = create(rings("morning"), "r2")
	wantRefused(t, err, connect.CodeAlreadyExists, "ALREADY_EXISTS", `schedule "morning"`)
	if _, err := w.schedules.DeleteSchedule(t.Context(), &belfryv1.DeleteScheduleRequest{Schedule: "morning"}); err != nil {
		t.Fatal(err)
	}
	_, err = create(rings("morning"), "r1")
	wantRefused(t, err, connect.CodeNotFound, "SCHEDULE_NOT_FOUND", "new request_id")
}

func TestUpdateSchedule_TakesTheFieldsOfTheMask(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	for i, c := range []struct {
		name string
		send *belfryv1.Schedule
		mask []string
		want func(s *belfryv1.Schedule)
	}{
		{"no mask takes what is present", &belfryv1.Schedule{Description: "new"}, nil, func(s *belfryv1.Schedule) { s.Description = "new" }},
		{"nothing present", &belfryv1.Schedule{}, nil, func(*belfryv1.Schedule) {}},
		{"an absent field in the mask is cleared", &belfryv1.Schedule{}, []string{"description"}, func(s *belfryv1.Schedule) { s.Description = "" }},
		{"a rule", &belfryv1.Schedule{Spec: cronSpec("0 9 * * MON-FRI", "Asia/Tokyo"), Description: "ignored"}, []string{"spec"},
			func(s *belfryv1.Schedule) { s.Spec.TimeZone = "Asia/Tokyo" }},
		{"a whole job", &belfryv1.Schedule{Job: &belfryv1.JobSpec{Queue: "work"}}, []string{"job"}, func(s *belfryv1.Schedule) {
			s.Job = &belfryv1.JobSpec{Queue: "work", JobType: "default", Priority: proto.Int32(5)}
		}},
		{"a part of the job", &belfryv1.Schedule{Job: &belfryv1.JobSpec{Queue: "work", Priority: proto.Int32(9)}}, []string{"job.priority"},
			func(s *belfryv1.Schedule) { s.Job.Priority = proto.Int32(9) }},
	} {
		name := fmt.Sprintf("s%d", i)
		before := w.make(rings(name))
		c.send.Schedule, c.send.Etag = name, before.GetEtag()
		res, err := w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{Schedule: c.send,
			UpdateMask: &fieldmaskpb.FieldMask{Paths: c.mask}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := proto.CloneOf(before)
		c.want(want)
		got := res.GetSchedule()
		if changed := !proto.Equal(want, before); changed == (got.GetEtag() == before.GetEtag()) {
			t.Errorf("%s: changed %v, etag %s was %s", c.name, changed, got.GetEtag(), before.GetEtag())
		}
		want.Etag, want.UpdateTime, want.NextTime, want.SpecDescription = got.GetEtag(), got.GetUpdateTime(), got.GetNextTime(), got.GetSpecDescription()
		wantProto(t, got, want)
	}
}

func TestUpdateSchedule_RefusesWhatItCannotChange(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	made := w.make(rings("morning"))
	for name, c := range map[string]struct {
		send *belfryv1.Schedule
		mask string
		says string
	}{
		"an output-only field": {&belfryv1.Schedule{Schedule: "morning"}, "next_time", "next_time"},
		"the name":             {&belfryv1.Schedule{Schedule: "morning"}, "schedule", "schedule"},
		"an unknown field":     {&belfryv1.Schedule{Schedule: "morning"}, "zone", "does not exist"},
		"a rule left out":      {&belfryv1.Schedule{Schedule: "morning"}, "spec", "schedule.spec is required"},
		"a job left out":       {&belfryv1.Schedule{Schedule: "morning"}, "job", "schedule.job is required"},
		"a rule without times": {&belfryv1.Schedule{Schedule: "morning", Spec: cronSpec("0 0 31 4 *", "")}, "spec", "never fires"},
		"an unknown zone":      {&belfryv1.Schedule{Schedule: "morning", Spec: cronSpec("0 9 * * *", "Nowhere")}, "spec", "schedule.spec.time_zone"},
	} {
		_, err := w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{Schedule: c.send,
			UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{c.mask}}})
		if connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want INVALID_ARGUMENT that says %q", name, err, c.says)
		}
	}
	_, err := w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{
		Schedule: &belfryv1.Schedule{Schedule: "morning", Description: "x", Etag: "stale"}})
	wantRefused(t, err, connect.CodeAborted, "ETAG_MISMATCH", "morning")
	_, err = w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{
		Schedule: &belfryv1.Schedule{Schedule: "morning", Job: &belfryv1.JobSpec{Queue: "none"}}})
	wantRefused(t, err, connect.CodeNotFound, "QUEUE_NOT_FOUND", "none")
	got, err := w.schedules.GetSchedule(t.Context(), &belfryv1.GetScheduleRequest{Schedule: "morning"})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, got.GetSchedule(), made)
}

func TestUpdateSchedule_AllowMissing_MakesIt(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	update := func(s *belfryv1.Schedule, missing, only bool) error {
		_, err := w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{Schedule: s, AllowMissing: missing, ValidateOnly: only})
		return err
	}
	wantRefused(t, update(rings("morning"), false, false), connect.CodeNotFound, "SCHEDULE_NOT_FOUND", "morning")
	wantRefused(t, update(&belfryv1.Schedule{Schedule: "morning", Description: "d"}, true, false), connect.CodeInvalidArgument, "INVALID_FIELD", "schedule.spec")
	stale := rings("morning")
	stale.Etag = "x"
	wantRefused(t, update(stale, true, false), connect.CodeAborted, "ETAG_MISMATCH", "morning")
	if err := update(rings("morning"), true, true); err != nil {
		t.Errorf("checked only: %v", err)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules"); n != 0 {
		t.Errorf("checking made %d schedules", n)
	}
	for range 2 {
		if err := update(rings("morning"), true, false); err != nil {
			t.Error(err)
		}
	}
	if err := update(&belfryv1.Schedule{Schedule: "morning", Description: "new"}, true, true); err != nil {
		t.Errorf("checked only: %v", err)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules WHERE revision = 1 AND description = 'rings'"); n != 1 {
		t.Errorf("%d schedules as they were made", n)
	}
}

func TestPauseAndResumeSchedule_SayWhyAndGoOn(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	made := w.make(rings("morning"))
	paused, err := w.schedules.PauseSchedule(t.Context(), &belfryv1.PauseScheduleRequest{Schedule: "morning", Reason: "holidays"})
	if err != nil {
		t.Fatal(err)
	}
	if s := paused.GetSchedule(); !s.GetPaused() || s.GetPauseReason() != "holidays" || s.GetNextTime() != nil || s.GetEtag() == made.GetEtag() {
		t.Errorf("paused: %v", s)
	}
	resumed, err := w.schedules.ResumeSchedule(t.Context(), &belfryv1.ResumeScheduleRequest{Schedule: "morning"})
	if err != nil {
		t.Fatal(err)
	}
	if s := resumed.GetSchedule(); s.GetPaused() || s.GetPauseReason() != "" || !proto.Equal(s.GetNextTime(), made.GetNextTime()) {
		t.Errorf("resumed: %v", s)
	}
}

func TestSchedules_OfAnotherTenantDoNotExist(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	w.make(rings("morning"))
	ctx := t.Context()
	_, get := w.others.GetSchedule(ctx, &belfryv1.GetScheduleRequest{Schedule: "morning"})
	_, update := w.others.UpdateSchedule(ctx, &belfryv1.UpdateScheduleRequest{Schedule: &belfryv1.Schedule{Schedule: "morning", Description: "x"}})
	_, pause := w.others.PauseSchedule(ctx, &belfryv1.PauseScheduleRequest{Schedule: "morning"})
	_, resume := w.others.ResumeSchedule(ctx, &belfryv1.ResumeScheduleRequest{Schedule: "morning"})
	_, remove := w.others.DeleteSchedule(ctx, &belfryv1.DeleteScheduleRequest{Schedule: "morning"})
	for name, err := range map[string]error{"get": get, "update": update, "pause": pause, "resume": resume, "delete": remove} {
		if connect.CodeOf(err) != connect.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
		wantRefused(t, err, connect.CodeNotFound, "SCHEDULE_NOT_FOUND", `"morning"`)
	}
	list, err := w.others.ListSchedules(ctx, &belfryv1.ListSchedulesRequest{})
	if err != nil || len(list.GetSchedules()) != 0 {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestListSchedules_PagesByName(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	for _, name := range []string{"e", "b", "d", "a", "c"} {
		w.make(rings(name))
	}
	var names []string
	token := ""
	for {
		page, err := w.schedules.ListSchedules(t.Context(), &belfryv1.ListSchedulesRequest{PageSize: 2, PageToken: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range page.GetSchedules() {
			names = append(names, s.GetSchedule())
		}
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	if got := strings.Join(names, ""); got != "abcde" {
		t.Errorf("pages list %q", got)
	}
	_, err := w.schedules.ListSchedules(t.Context(), &belfryv1.ListSchedulesRequest{PageToken: "???"})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "page_token")
}

func TestPreviewSchedule_MarksWhatDaylightSavingMoves(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	preview := func(req *belfryv1.PreviewScheduleRequest) (string, error) {
		res, err := w.schedules.PreviewSchedule(t.Context(), req)
		var lines []string
		for _, at := range res.GetTimes() {
			lines = append(lines, strings.TrimSpace(at.GetTime().AsTime().Format(time.RFC3339)+" "+at.GetLocalTime()+" "+at.GetNote()))
		}
		return res.GetDescription() + "\n" + strings.Join(lines, "\n"), err
	}
	for _, c := range []struct {
		text, zone, after string
		count             int32
		want              string
	}{
		{"30 2 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z", 2, "At 02:30 every day, Europe/Berlin\n" +
			"2027-03-28T01:00:00Z 2027-03-28T03:00:00+02:00 moved to the end of a daylight-saving gap: the clock skips 02:30\n" +
			"2027-03-29T00:30:00Z 2027-03-29T02:30:00+02:00"},
		{"30 2 * * *", "Europe/Berlin", "2027-10-30T12:00:00Z", 2, "At 02:30 every day, Europe/Berlin\n" +
			"2027-10-31T00:30:00Z 2027-10-31T02:30:00+02:00 the clock shows 02:30 twice; this is the first time\n" +
			"2027-11-01T01:30:00Z 2027-11-01T02:30:00+01:00"},
		{"*/30 * * * *", "Europe/Berlin", "2027-10-31T00:10:00Z", 3, "Every 30 minutes, Europe/Berlin\n" +
			"2027-10-31T00:30:00Z 2027-10-31T02:30:00+02:00\n2027-10-31T01:00:00Z 2027-10-31T02:00:00+01:00\n" +
			"2027-10-31T01:30:00Z 2027-10-31T02:30:00+01:00"},
		{"at(2027-01-31T09:00:00)", "", "2027-02-01T00:00:00Z", 5, "Once at 09:00:00 on 31 January 2027, UTC\n"},
		{"@every 90m", "", "2027-01-01T00:00:00Z", 1, "Every 1 hour 30 minutes\n2027-01-01T01:30:00Z 2027-01-01T01:30:00Z"},
	} {
		after, _ := time.Parse(time.RFC3339, c.after)
		got, err := preview(&belfryv1.PreviewScheduleRequest{Spec: cronSpec(c.text, c.zone), AfterTime: timestamppb.New(after), Count: c.count})
		if err != nil || got != c.want {
			t.Errorf("%s in %s (%v):\n got %s\nwant %s", c.text, c.zone, err, got, c.want)
		}
	}
	got, err := preview(&belfryv1.PreviewScheduleRequest{Spec: cronSpec("* * * * *", "")})
	if lines := strings.Split(got, "\n"); err != nil || len(lines) != 1+5 {
		t.Errorf("by default: %q, %v", got, err)
	}
	_, err = preview(&belfryv1.PreviewScheduleRequest{Spec: cronSpec("0 0 30 2 *", "")})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "spec.cron")
	_, err = preview(&belfryv1.PreviewScheduleRequest{Spec: cronSpec("0 0 1 2 *", "Berlin")})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "spec.time_zone")
	_, err = preview(&belfryv1.PreviewScheduleRequest{Spec: cronSpec("0 0 1 2 *", ""), Count: 101})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "count")
}

// The values of H are those of the schedule that is made afterwards.
func TestPreviewSchedule_ShowsTheTimesOfTheScheduleToBe(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	res, err := w.schedules.PreviewSchedule(t.Context(), &belfryv1.PreviewScheduleRequest{Spec: cronSpec("H H * * *", ""), Schedule: "spread", Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := rings("spread")
	s.Spec = cronSpec("H H * * *", "")
	if made := w.make(s); !proto.Equal(made.GetNextTime(), res.GetTimes()[0].GetTime()) || made.GetSpecDescription() != res.GetDescription() {
		t.Errorf("previewed %v, made %v", res, made)
	}
}
