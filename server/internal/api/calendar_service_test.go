package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/tenancy"
)

// almanac is a tower that serves calendars too.
type almanac struct {
	*tower
	calendars  belfryv1connect.CalendarServiceClient // with an ADMIN key of acme
	foreigners belfryv1connect.CalendarServiceClient // with one of tenant other
	readers    belfryv1connect.CalendarServiceClient // with a READER key of acme
}

func newAlmanac(t testing.TB) *almanac {
	t.Helper()
	w := &almanac{tower: newTower(t)}
	clk, log := clock.Real(), slog.New(slog.NewTextHandler(testWriter{t}, nil))
	edge := NewEdge(EdgeConfig{Auth: tenancy.NewAuthenticator(w.db.Store, clk), Validator: newTestValidator(t), Errors: NewTranslator(log),
		Clock: clk, Log: log, Observe: func(Call) {}})
	service := schedule.NewService(schedule.ServiceConfig{Rows: w.db.Store, Names: w.catalog, Poke: func() {}, Now: clk.Now})
	mux := http.NewServeMux()
	mux.Handle(belfryv1connect.NewCalendarServiceHandler(NewCalendarService(service), edge.HandlerOptions()...))
	server := newServer(t, mux)
	as := func(a admins) belfryv1connect.CalendarServiceClient {
		return belfryv1connect.NewCalendarServiceClient(server.Client(), server.URL, bearerOf(a), connect.WithProtoJSON())
	}
	w.calendars, w.foreigners = as(w.acme), as(w.other)
	w.readers = as(w.key("acme", belfryv1.ApiKeyScope_API_KEY_SCOPE_READER))
	return w
}

func (w *almanac) calendar(name string, days ...string) *belfryv1.Calendar {
	w.t.Helper()
	res, err := w.calendars.CreateCalendar(w.t.Context(), &belfryv1.CreateCalendarRequest{
		Calendar: &belfryv1.Calendar{Calendar: name, Days: days, Description: "d " + name}})
	if err != nil {
		w.t.Fatal(err)
	}
	return res.GetCalendar()
}

// naming is a schedule that names calendars.
func naming(name string, calendars ...string) *belfryv1.Schedule {
	s := rings(name)
	s.Spec.Calendars = calendars
	return s
}

func TestCalendar_ComesBackAsItWasStated(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	days := []string{"12-25", "2026-12-24/2027-01-01", "sat", "2026-05-04"}
	made := w.calendar("holidays", days...)
	want := &belfryv1.Calendar{TenantId: "acme", Calendar: "holidays", Uid: made.GetUid(), Days: days, Description: "d holidays",
		CreateTime: made.GetCreateTime(), UpdateTime: made.GetCreateTime(), Etag: made.GetEtag()}
	wantProto(t, made, want)
	if made.GetUid() == "" || made.GetEtag() == "" || time.Since(made.GetCreateTime().AsTime()).Abs() > time.Minute {
		t.Errorf("made %v", made)
	}
	got, err := w.readers.GetCalendar(t.Context(), &belfryv1.GetCalendarRequest{Calendar: "holidays"})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, got.GetCalendar(), want)
	list, err := w.readers.ListCalendars(t.Context(), &belfryv1.ListCalendarsRequest{})
	if err != nil || len(list.GetCalendars()) != 1 {
		t.Fatalf("list: %v, %v", list, err)
	}
	want.Days = nil
	wantProto(t, list.GetCalendars()[0], want)
	_, err = w.readers.DeleteCalendar(t.Context(), &belfryv1.DeleteCalendarRequest{Calendar: "holidays"})
	wantRefused(t, err, connect.CodePermissionDenied, "KEY_SCOPE", "ADMIN")
}

func TestCalendars_NameTheFieldAndTheFault(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	w.calendar("holidays", "12-25")
	many := make([]string, 2001)
	for i := range many {
		many[i] = time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	for name, c := range map[string]struct {
		change func(c *belfryv1.Calendar)
		says   []string
	}{
		"no day":             {func(c *belfryv1.Calendar) { c.Days = []string{"12-25", "2026-02-30"} }, []string{"calendar.days", "entry [1]", `"2026-02-30"`}},
		"a range backwards":  {func(c *belfryv1.Calendar) { c.Days = []string{"2026-02-02/2026-02-01"} }, []string{"calendar.days", "ends before it begins"}},
		"a long range":       {func(c *belfryv1.Calendar) { c.Days = []string{"2026-01-01/2199-01-01"} }, []string{"calendar.days", "3660"}},
		"too many days":      {func(c *belfryv1.Calendar) { c.Days = many }, []string{"calendar.days", "at most 2,000"}},
		"a long description": {func(c *belfryv1.Calendar) { c.Description = strings.Repeat("x", 257) }, []string{"calendar.description", "256"}},
	} {
		send := &belfryv1.Calendar{Calendar: "holidays"}
		c.change(send)
		_, create := w.calendars.CreateCalendar(t.Context(), &belfryv1.CreateCalendarRequest{Calendar: send})
		_, update := w.calendars.UpdateCalendar(t.Context(), &belfryv1.UpdateCalendarRequest{Calendar: send})
		for _, err := range []error{create, update} {
			for _, says := range c.says {
				if wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", says) == "" {
					t.Errorf("%s is taken", name)
				}
			}
		}
	}
	_, err := w.calendars.CreateCalendar(t.Context(), &belfryv1.CreateCalendarRequest{Calendar: &belfryv1.Calendar{Calendar: "Holidays"}})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "calendar.calendar")
	_, err = w.calendars.CreateCalendar(t.Context(), &belfryv1.CreateCalendarRequest{})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "calendar is required")
	_, err = w.calendars.CreateCalendar(t.Context(), &belfryv1.CreateCalendarRequest{Calendar: &belfryv1.Calendar{Calendar: "holidays"}})
	wantRefused(t, err, connect.CodeAlreadyExists, "ALREADY_EXISTS", `calendar "holidays"`)
	if made := w.calendar("largest", many[:2000]...); len(made.GetDays()) != 2000 {
		t.Errorf("%d days at the limit", len(made.GetDays()))
	}
}

func TestCreateCalendar_IsIdempotentByRequestID(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	create := func(id string, only bool, days ...string) (*belfryv1.Calendar, error) {
		res, err := w.calendars.CreateCalendar(t.Context(), &belfryv1.CreateCalendarRequest{RequestId: id, ValidateOnly: only,
			Calendar: &belfryv1.Calendar{Calendar: "c", Days: days}})
		return res.GetCalendar(), err
	}
	if checked, err := create("", true, "SAT"); err != nil || checked.GetUid() != "" || checked.GetCreateTime() != nil {
		t.Errorf("checked only: %v, %v", checked, err)
	}
	first, err := create("r", false, "SAT")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := create("r", false, "SAT"); err != nil || again.GetUid() != first.GetUid() {
		t.Errorf("repeated: %v, %v", again, err)
	}
	_, err = create("r", false, "SUN")
	wantRefused(t, err, connect.CodeAlreadyExists, "REQUEST_ID_REUSED", `"r"`)
	_, err = create("", true)
	wantRefused(t, err, connect.CodeAlreadyExists, "ALREADY_EXISTS", `"c"`)
	if _, err := w.calendars.DeleteCalendar(t.Context(), &belfryv1.DeleteCalendarRequest{Calendar: "c", Etag: first.GetEtag()}); err != nil {
		t.Fatal(err)
	}
	_, err = create("r", false, "SAT")
	wantRefused(t, err, connect.CodeNotFound, "CALENDAR_NOT_FOUND", "new request_id")
}

func TestUpdateCalendar_TakesTheFieldsOfTheMask(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	for i, c := range []struct {
		name string
		send *belfryv1.Calendar
		mask []string
		want func(c *belfryv1.Calendar)
	}{
		{"no mask takes what is present", &belfryv1.Calendar{Description: "new"}, nil, func(c *belfryv1.Calendar) { c.Description = "new" }},
		{"nothing present", &belfryv1.Calendar{}, nil, func(*belfryv1.Calendar) {}},
		{"days", &belfryv1.Calendar{Days: []string{"SUN"}, Description: "ignored"}, []string{"days"}, func(c *belfryv1.Calendar) { c.Days = []string{"SUN"} }},
		{"an absent field in the mask is cleared", &belfryv1.Calendar{}, []string{"days"}, func(c *belfryv1.Calendar) { c.Days = nil }},
	} {
		before := w.calendar(fmt.Sprintf("c%d", i), "12-25")
		c.send.Calendar, c.send.Etag = before.GetCalendar(), before.GetEtag()
		update := func(only bool) *belfryv1.Calendar {
			res, err := w.calendars.UpdateCalendar(t.Context(), &belfryv1.UpdateCalendarRequest{Calendar: c.send, ValidateOnly: only,
				UpdateMask: &fieldmaskpb.FieldMask{Paths: c.mask}})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			return res.GetCalendar()
		}
		want := proto.CloneOf(before)
		c.want(want)
		wantProto(t, update(true), want)
		got := update(false)
		if changed := !proto.Equal(want, before); changed == (got.GetEtag() == before.GetEtag()) {
			t.Errorf("%s: changed %v, etag %s was %s", c.name, changed, got.GetEtag(), before.GetEtag())
		}
		want.Etag, want.UpdateTime = got.GetEtag(), got.GetUpdateTime()
		wantProto(t, got, want)
	}
	_, err := w.calendars.UpdateCalendar(t.Context(), &belfryv1.UpdateCalendarRequest{Calendar: &belfryv1.Calendar{Calendar: "c0"},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"uid"}}})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "update_mask")
	_, err = w.calendars.UpdateCalendar(t.Context(), &belfryv1.UpdateCalendarRequest{Calendar: &belfryv1.Calendar{Calendar: "c0", Etag: "x", Description: "y"}})
	wantRefused(t, err, connect.CodeAborted, "ETAG_MISMATCH", `calendar "c0"`)
}

func TestUpdateCalendar_AllowMissing_MakesIt(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	update := func(c *belfryv1.Calendar, missing, only bool) error {
		_, err := w.calendars.UpdateCalendar(t.Context(), &belfryv1.UpdateCalendarRequest{Calendar: c, AllowMissing: missing, ValidateOnly: only})
		return err
	}
	c := &belfryv1.Calendar{Calendar: "new", Days: []string{"SAT"}}
	wantRefused(t, update(c, false, false), connect.CodeNotFound, "CALENDAR_NOT_FOUND", `"new"`)
	wantRefused(t, update(&belfryv1.Calendar{Calendar: "new", Etag: "x"}, true, false), connect.CodeAborted, "ETAG_MISMATCH", "new")
	if err := update(c, true, true); err != nil || storetest.Value[int](w.db, "SELECT count(*) FROM calendars") != 0 {
		t.Errorf("checked only: %v", err)
	}
	for range 2 {
		if err := update(c, true, false); err != nil {
			t.Error(err)
		}
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM calendars WHERE days = '{SAT}' AND revision = 1"); n != 1 {
		t.Errorf("%d calendars as they were made", n)
	}
}

func TestSchedules_NameCalendars(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	var names []string
	for i := range 11 {
		names = append(names, w.calendar(fmt.Sprintf("c%02d", i), "12-25").GetCalendar())
	}
	made := w.make(naming("morning", names[:10]...))
	want := naming("morning", names[:10]...).GetSpec()
	want.GapPolicy, want.RepeatPolicy = made.GetSpec().GetGapPolicy(), made.GetSpec().GetRepeatPolicy()
	wantProto(t, made.GetSpec(), want)
	if !strings.Contains(made.GetSpecDescription(), "except on days of c00, c01") {
		t.Errorf("in words: %q", made.GetSpecDescription())
	}
	for name, c := range map[string]struct {
		calendars []string
		code      connect.Code
		reason    string
		says      string
	}{
		"eleven":     {names, connect.CodeInvalidArgument, "INVALID_FIELD", "spec.calendars must have at most 10"},
		"one twice":  {[]string{"c00", "c00"}, connect.CodeInvalidArgument, "INVALID_FIELD", "spec.calendars must not hold the same value twice"},
		"no name":    {[]string{"C00"}, connect.CodeInvalidArgument, "INVALID_FIELD", "spec.calendars[0]"},
		"an unknown": {[]string{"c00", "xmas"}, connect.CodeNotFound, "CALENDAR_NOT_FOUND", `no calendar "xmas"`},
	} {
		_, create := w.schedules.CreateSchedule(t.Context(), &belfryv1.CreateScheduleRequest{Schedule: naming("new", c.calendars...)})
		_, update := w.schedules.UpdateSchedule(t.Context(), &belfryv1.UpdateScheduleRequest{Schedule: naming("morning", c.calendars...)})
		_, preview := w.schedules.PreviewSchedule(t.Context(), &belfryv1.PreviewScheduleRequest{Spec: naming("x", c.calendars...).GetSpec()})
		for call, err := range map[string]error{"create": create, "update": update, "preview": preview} {
			if wantRefused(t, err, c.code, c.reason, c.says) == "" {
				t.Errorf("%s with %s is taken", call, name)
			}
		}
	}
	batch := &belfryv1.BatchCreateSchedulesRequest{Schedules: []*belfryv1.Schedule{naming("a", "c00"), naming("b", "xmas")}}
	_, err := w.schedules.BatchCreateSchedules(t.Context(), batch)
	wantRefused(t, err, connect.CodeNotFound, "CALENDAR_NOT_FOUND", `schedules[1]: there is no calendar "xmas"`)
	batch.Schedules[1].Spec.Calendars[0] = "c10"
	if _, err := w.schedules.BatchCreateSchedules(t.Context(), batch); err != nil {
		t.Error(err)
	}
	_, err = w.calendars.DeleteCalendar(t.Context(), &belfryv1.DeleteCalendarRequest{Calendar: "c00"})
	wantRefused(t, err, connect.CodeFailedPrecondition, "CALENDAR_IN_USE", `2 schedules, one of them "morning"`)
}

func TestPreviewSchedule_LeavesOutTheDaysOfCalendars(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	w.calendar("may", "2027-05-04")
	spec := cronSpec("0 9 * * *", "")
	spec.Calendars = []string{"may"}
	res, err := w.schedules.PreviewSchedule(t.Context(), &belfryv1.PreviewScheduleRequest{Spec: spec, AfterTime: day("2027-05-03"), Count: 2})
	if err != nil || len(res.GetTimes()) != 2 || len(res.GetLeftOut()) != 1 || !strings.Contains(res.GetLeftOut()[0], "may") ||
		res.GetTimes()[1].GetTime().AsTime().Day() != 5 {
		t.Errorf("%v, %v", res, err)
	}
}

func TestCalendars_OfAnotherTenantDoNotExist(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	w.calendar("holidays", "12-25")
	ctx := t.Context()
	_, get := w.foreigners.GetCalendar(ctx, &belfryv1.GetCalendarRequest{Calendar: "holidays"})
	_, update := w.foreigners.UpdateCalendar(ctx, &belfryv1.UpdateCalendarRequest{Calendar: &belfryv1.Calendar{Calendar: "holidays", Description: "x"}})
	_, remove := w.foreigners.DeleteCalendar(ctx, &belfryv1.DeleteCalendarRequest{Calendar: "holidays"})
	_, preview := w.others.PreviewSchedule(ctx, &belfryv1.PreviewScheduleRequest{Spec: naming("x", "holidays").GetSpec()})
	for _, err := range []error{get, update, remove, preview} {
		wantRefused(t, err, connect.CodeNotFound, "CALENDAR_NOT_FOUND", `"holidays"`)
	}
	list, err := w.foreigners.ListCalendars(ctx, &belfryv1.ListCalendarsRequest{})
	if err != nil || len(list.GetCalendars()) != 0 {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestListCalendars_PagesByName(t *testing.T) {
	t.Parallel()
	w := newAlmanac(t)
	for _, name := range []string{"e", "b", "d", "a", "c"} {
		w.calendar(name)
	}
	var names []string
	req := &belfryv1.ListCalendarsRequest{PageSize: 2}
	for {
		page, err := w.calendars.ListCalendars(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.GetCalendars() {
			names = append(names, c.GetCalendar())
		}
		if req.PageToken = page.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	if got := strings.Join(names, ""); got != "abcde" {
		t.Errorf("pages list %q", got)
	}
	_, err := w.calendars.ListCalendars(t.Context(), &belfryv1.ListCalendarsRequest{PageToken: "???"})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "page_token")
}
