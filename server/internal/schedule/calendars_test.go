package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func (w *world) calendar(name string, days ...string) *store.Calendar {
	w.t.Helper()
	c, err := w.service.CreateCalendar(w.t.Context(), NewCalendar{Tenant: "acme", Name: name, Days: days})
	if err != nil {
		w.t.Fatalf("create calendar %s: %v", name, err)
	}
	return c
}

// redate gives a calendar other days.
func redate(name string, days ...string) CalendarEdit {
	return CalendarEdit{Tenant: "acme", Name: name, Change: func(c *store.Calendar) { c.Days = days }}
}

func (w *world) redate(name string, days ...string) *store.Calendar {
	w.t.Helper()
	c, err := w.service.UpdateCalendar(w.t.Context(), redate(name, days...))
	if err != nil {
		w.t.Fatalf("update calendar %s: %v", name, err)
	}
	return c
}

func naming(calendars ...string) func(*Draft) {
	return func(d *Draft) { d.Rule.Calendars = Named(calendars) }
}

func TestCalendarDays_AreOnRecord_AsTheyPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-01T12:00:00Z") // a Friday
	w.calendar("weekends", "SAT", "SUN")
	w.calendar("may", "2026-05-03/2026-05-04")
	v := w.createAs("workdays", "0 9,15 * * *", naming("weekends", "may"))
	if v.Words != "At 09:00 and 15:00 every day, UTC, except on days of weekends and may" {
		t.Errorf("in words: %q", v.Words)
	}
	for _, at := range []string{"2026-05-01T15:00:00Z", "2026-05-02T09:00:00Z", "2026-05-03T20:00:00Z", "2026-05-04T20:00:00Z",
		"2026-05-05T08:59:40Z"} {
		w.set(at)
		w.step()
	}
	w.want("ledger", w.ledger(v), "materialised 01 15:00:00", "skipped 02 09:00:00–03 15:00:00 (4) CALENDAR:weekends",
		"skipped 04 09:00:00–04 15:00:00 (2) CALENDAR:may", "materialised 05 09:00:00")
	list, _ := w.listed(OccurrenceQuery{Name: "workdays", Limit: 2, Results: []Result{ResultSkipped}, From: utc(t, "2026-05-03T10:00:00Z")})
	w.want("listed", list, "04 15:00:00 skipped CALENDAR:may", "04 09:00:00 skipped CALENDAR:may", "03 15:00:00 skipped CALENDAR:weekends")
}

func TestUpdateCalendar_TakesBackTheJobsOfADayThatItExcludesNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	w.calendar("holidays", "12-25")
	v := w.createAs("daily", "0 9 * * *", naming("holidays"))
	w.step()
	w.want("jobs", w.waiting(v), "04 09:00:00")
	c := w.redate("holidays", "12-25", "2026-05-04")
	w.want("jobs when the call has answered", w.waiting(v))
	got := w.get("daily")
	if got.Revision != v.Revision+1 || !got.Next.Equal(utc(t, "2026-05-05T09:00:00Z")) || c.Revision != 2 {
		t.Errorf("schedule at revision %d, next %v; calendar at %d", got.Revision, got.Next, c.Revision)
	}
	w.step()
	w.want("ledger", w.ledger(v), "skipped 04 09:00:00 CALENDAR:holidays")
	w.set("2026-05-04T09:00:05Z")
	if n := w.claim(v); n != 0 {
		t.Errorf("%d jobs were leased", n)
	}
}

func TestUpdateCalendar_ADayThatItExcludesNoLonger_CountsAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:58:00Z")
	w.calendar("holidays", "2026-05-04", "12-25")
	v := w.createAs("daily", "0,1,2 9 * * *", naming("holidays"))
	for _, at := range []string{"2026-05-04T08:59:40Z", "2026-05-04T09:00:20Z", "2026-05-04T09:00:40Z"} {
		w.set(at)
		w.step()
	}
	w.want("ledger", w.ledger(v), "skipped 04 09:00:00–04 09:01:00 (2) CALENDAR:holidays")
	w.redate("holidays", "12-25")
	w.step()
	list, _ := w.listed(OccurrenceQuery{Name: "daily", Limit: 9})
	w.want("occurrences", list, "04 09:01:00 scheduled", "04 09:00:00 skipped CALENDAR:holidays")
	w.want("jobs", w.waiting(v), "04 09:01:00")
}

// Other days than those of jobs that wait take none of them back: made again, what is late would be missed.
func TestUpdateCalendar_OfOtherDays_LeavesWaitingJobsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	w.calendar("holidays", "12-25")
	v := w.createAs("minutely", "* * * * *", naming("holidays"))
	for _, at := range []string{"2026-05-04T09:00:40Z", "2026-05-04T09:01:40Z", "2026-05-04T09:02:40Z"} {
		w.step()
		w.set(at)
	}
	w.step()
	before, made := w.ledger(v), len(w.hints.entries())
	w.redate("holidays", "12-24", "2026-05-06", "2026-05-02")
	w.step()
	w.want("ledger", w.ledger(v), before...)
	w.want("jobs", w.waiting(v), "04 09:00:00", "04 09:01:00", "04 09:02:00", "04 09:03:00")
	if n := len(w.hints.entries()); n != made {
		t.Errorf("%d jobs were made again", n-made)
	}
	w.redate("holidays", "2026-05-04")
	w.want("jobs of a day that is left out", w.waiting(v))
}

// A schedule that begins on a day that is left out has its first times on record as they pass, not with its first run.
func TestExcludedDays_AtTheBegin_AreOnRecord_AsTheyPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-02T08:00:00Z") // a Saturday
	d := draftNaming(w, "weekends", "0 9 * * *", "SAT", "SUN")
	v := w.createAs("workdays", "0 9 * * *", func(to *Draft) { *to = d })
	w.set("2026-05-02T09:00:00Z")
	w.step()
	w.want("ledger", w.ledger(v), "skipped 02 09:00:00 CALENDAR:weekends")
	if got := w.get("workdays"); !got.Next.Equal(utc(t, "2026-05-04T09:00:00Z")) {
		t.Errorf("next %v", got.Next)
	}
}

func TestUpdateCalendar_KeepsTheAnchorOfAnInterval(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	w.calendar("holidays", "12-25")
	v := w.createAs("every", "@every 7h", naming("holidays"))
	w.set("2026-05-04T12:00:00Z")
	w.redate("holidays", "2026-05-05")
	got := w.get("every")
	if !got.Rule.Anchor.Equal(v.Rule.Anchor) || !got.Next.Equal(v.Next) {
		t.Errorf("measured from %v, next %v; before %v and %v", got.Rule.Anchor, got.Next, v.Rule.Anchor, v.Next)
	}
	edited := w.edit("every", func(d *Draft) { d.Rule.Calendars = nil })
	if edited.Rule.Anchor.Equal(v.Rule.Anchor) {
		t.Error("an edit of the rule kept the anchor")
	}
}

func TestUpdateCalendar_OfTheDescription_LeavesSchedulesAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.calendar("holidays", "12-25")
	v := w.createAs("daily", "0 9 * * *", naming("holidays"))
	described := CalendarEdit{Tenant: "acme", Name: "holidays", Change: func(c *store.Calendar) { c.Description = "Christmas" }}
	for range 2 { // the second one changes nothing
		c, err := w.service.UpdateCalendar(t.Context(), described)
		if err != nil || c.Revision != 2 || c.DaysRevision != 1 {
			t.Errorf("calendar %+v (%v)", c, err)
		}
	}
	if got := w.get("daily"); got.Revision != v.Revision {
		t.Errorf("the schedule is at revision %d, was at %d", got.Revision, v.Revision)
	}
	described.Etag = "x"
	if _, err := w.service.UpdateCalendar(t.Context(), described); !errors.Is(err, job.ErrEtagMismatch) {
		t.Errorf("with another etag: %v", err)
	}
}

// What a paused schedule has not decided on is decided by the days that hold when it resumes.
func TestUpdateCalendar_OfAPausedSchedule_CountsWhenItResumes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T12:00:00Z")
	w.calendar("holidays", "12-25")
	v := w.createAs("daily", "0 9 * * *", func(d *Draft) { naming("holidays")(d); d.Policy.Missed = FireAll })
	w.pause("daily")
	w.set("2026-05-07T12:00:00Z")
	w.redate("holidays", "2026-05-06")
	if got := w.get("daily"); !got.Paused {
		t.Error("the change has resumed the schedule")
	}
	w.resume("daily")
	w.step()
	w.want("ledger", w.ledger(v), "caught up 05 09:00:00", "skipped 06 09:00:00 CALENDAR:holidays", "caught up 07 09:00:00")
}

func TestUpdateCalendar_ThatLeavesNoTime_LetsTheScheduleRest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:10Z")
	w.calendar("never", "12-25")
	v := w.createAs("mondays", "0 9 * * MON", naming("never"))
	w.redate("never", "MON")
	if got := w.get("mondays"); !got.Next.IsZero() || got.Fault != "" {
		t.Errorf("next %v, fault %q", got.Next, got.Fault)
	}
	w.set("2026-05-11T09:00:10Z")
	w.step()
	w.want("ledger", w.ledger(v), "skipped 11 09:00:00 CALENDAR:never")
	w.redate("never")
	if got := w.get("mondays"); !got.Next.Equal(utc(t, "2026-05-18T09:00:00Z")) {
		t.Errorf("next %v", got.Next)
	}
	_, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "new", Draft: draftNaming(w, "tuesdays", "0 9 * * TUE", "TUE")})
	if err == nil || !strings.Contains(err.Error(), "never fires") {
		t.Errorf("a new schedule without any time: %v", err)
	}
}

func draftNaming(w *world, calendar, cron string, days ...string) Draft {
	w.calendar(calendar, days...)
	d := draft(cron, "")
	d.Rule.Calendars = Named([]string{calendar})
	return d
}

func TestUnknownCalendars_AreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.calendar("holidays", "12-25")
	w.create("daily", "0 9 * * *", "")
	d := draft("0 9 * * *", "")
	naming("holidays", "bank")(&d)
	_, create := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "new", Draft: d})
	_, check := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "new", Draft: d, ValidateOnly: true})
	_, update := w.service.Update(t.Context(), Edit{Tenant: "acme", Name: "daily", Change: func(View) (Draft, error) { return d, nil }})
	_, preview := w.service.Preview(t.Context(), PreviewRequest{Tenant: "acme", Rule: d.Rule, After: w.Now(), Count: 1})
	_, batch := w.service.CreateAll(t.Context(), BatchCall{Tenant: "acme", Items: []NamedDraft{{"a", draft("0 9 * * *", "")}, {"b", d}}})
	for name, err := range map[string]error{"create": create, "check": check, "update": update, "preview": preview, "batch": batch} {
		e, ok := job.AsError(err)
		if !ok || e.Kind != job.ErrNotFound || e.Subject != job.SubjectCalendar || !strings.Contains(e.Msg, `"bank"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var items *BatchError
	if !errors.As(batch, &items) || len(items.Items) != 1 || items.Items[0].Index != 1 {
		t.Errorf("the batch's fault: %v", batch)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules"); n != 1 {
		t.Errorf("%d schedules, want the first alone", n)
	}
}

func TestPreview_LeavesOutTheDaysOfCalendars(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	d := draftNaming(w, "may", "0 9 * * *", "2026-05-05")
	p, err := w.service.Preview(t.Context(), PreviewRequest{Tenant: "acme", Rule: d.Rule, After: utc(t, "2026-05-04T12:00:00Z"), Count: 1})
	if err != nil || len(p.Times) != 1 || !p.Times[0].Time.Equal(utc(t, "2026-05-06T09:00:00Z")) {
		t.Errorf("%+v (%v)", p, err)
	}
}

func TestDeleteCalendar_NeedsThatNoScheduleNamesIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	c := w.calendar("holidays", "12-25")
	remove := func() error { return w.service.DeleteCalendar(t.Context(), "acme", "holidays", "") }
	var made []NamedDraft
	for _, name := range []string{"a", "b", "c"} {
		d := draft("0 9 * * *", "")
		naming("holidays")(&d)
		made = append(made, NamedDraft{name, d})
	}
	if _, err := w.service.CreateAll(t.Context(), BatchCall{Tenant: "acme", Items: made}); err != nil {
		t.Fatal(err)
	}
	if err := remove(); !errors.Is(err, job.ErrInUse) || !strings.Contains(err.Error(), `3 schedules, one of them "a"`) {
		t.Errorf("of three: %v", err)
	}
	if err := w.service.DeleteCalendar(t.Context(), "acme", "holidays", "x"); !errors.Is(err, job.ErrEtagMismatch) {
		t.Errorf("with another etag: %v", err)
	}
	w.edit("a", func(d *Draft) { d.Rule.Calendars = nil })
	if err := w.service.Delete(t.Context(), "acme", "c", ""); err != nil {
		t.Fatal(err)
	}
	w.edit("b", func(d *Draft) { d.Description = "other" })
	if err := remove(); !errors.Is(err, job.ErrInUse) || !strings.Contains(err.Error(), `schedule "b"`) {
		t.Errorf("of one: %v", err)
	}
	w.edit("b", func(d *Draft) { d.Rule.Calendars = nil })
	if err := w.service.DeleteCalendar(t.Context(), "acme", "holidays", c.Etag()); err != nil {
		t.Errorf("of none: %v", err)
	}
	if err := remove(); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("again: %v", err)
	}
}

// interrupted is a store on which others act, or which fails, at a certain moment.
type interrupted struct {
	*store.Store
	beforeCreate func()
	changes      chan struct{} // one token for each change of a schedule that works
}

func (s *interrupted) CreateSchedule(ctx context.Context, n store.NewSchedule) (*store.Schedule, bool, error) {
	if f := s.beforeCreate; f != nil {
		s.beforeCreate = nil
		f()
	}
	return s.Store.CreateSchedule(ctx, n)
}

func (s *interrupted) ChangeSchedule(ctx context.Context, c store.ScheduleChange) (*store.Schedule, error) {
	if s.changes != nil {
		select {
		case <-s.changes:
		default:
			return nil, errDied
		}
	}
	return s.Store.ChangeSchedule(ctx, c)
}

func (w *world) through(rows Rows) *Service {
	return NewService(ServiceConfig{Rows: rows, Names: w.catalog, Poke: func() {}, Now: w.Now})
}

// A calendar that changes, or goes, while a schedule is being made does not leave it with the days of before.
func TestCreate_WhileItsCalendarChanges_TakesTheNewDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	d := draftNaming(w, "holidays", "0 9 * * *", "12-25")
	rows := &interrupted{Store: w.store, beforeCreate: func() { w.redate("holidays", "12-26") }}
	v, err := w.through(rows).Create(t.Context(), NewCall{Tenant: "acme", Name: "first", Draft: d, RequestID: "r"})
	if err != nil || v.Rule.Calendars[0].Days[0] != "12-26" {
		t.Errorf("changed meanwhile: %+v (%v)", v.Rule, err)
	}
	again, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "first", Draft: d, RequestID: "r"})
	if err != nil || again.UID != v.UID {
		t.Errorf("repeated: %v", err)
	}
	d = draftNaming(w, "gone", "0 9 * * *")
	rows.beforeCreate = func() {
		if err := w.service.DeleteCalendar(t.Context(), "acme", "gone", ""); err != nil {
			t.Error(err)
		}
	}
	_, err = w.through(rows).Create(t.Context(), NewCall{Tenant: "acme", Name: "second", Draft: d})
	if e, ok := job.AsError(err); !ok || e.Kind != job.ErrNotFound || e.Subject != job.SubjectCalendar {
		t.Errorf("deleted meanwhile: %v", err)
	}
}

func (w *world) wantDays(want string) {
	w.t.Helper()
	days := storetest.Column[string](w.db, `SELECT DISTINCT spec->'calendars'->0->'days'->>0 FROM schedules WHERE deleted_at IS NULL`)
	w.want("days of all schedules", days, want)
}

func TestUpdateCalendar_BrokenOff_IsCompletedByRepetitionAndByTheServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	d := draftNaming(w, "holidays", "0 9 * * *", "12-01")
	var items []NamedDraft
	for i := range 7 {
		items = append(items, NamedDraft{fmt.Sprintf("s%d", i), d})
	}
	if _, err := w.service.CreateAll(t.Context(), BatchCall{Tenant: "acme", Items: items}); err != nil {
		t.Fatal(err)
	}
	breaking := func(days string) {
		t.Helper()
		rows := &interrupted{Store: w.store, changes: make(chan struct{}, 2)}
		rows.changes <- struct{}{}
		rows.changes <- struct{}{}
		if _, err := w.through(rows).UpdateCalendar(t.Context(), redate("holidays", days)); !errors.Is(err, errDied) {
			t.Fatalf("update: %v", err)
		}
	}
	stale := func() int {
		return storetest.Value[int](w.db, `SELECT count(*) FROM schedule_calendars AS u JOIN calendars AS c ON c.id = u.calendar
			WHERE u.revision < c.days_revision`)
	}
	breaking("12-02")
	if n := stale(); n != 5 {
		t.Errorf("%d schedules have older days, want 5", n)
	}
	w.redate("holidays", "12-02")
	w.wantDays("12-02")
	breaking("12-03")
	if n, err := w.service.FinishCalendars(t.Context()); err != nil || n != 0 {
		t.Errorf("%d calendars finished (%v) before their time", n, err)
	}
	w.db.Advance(unfinishedAge)
	if n, err := w.service.FinishCalendars(t.Context()); err != nil || n != 1 {
		t.Errorf("%d calendars finished (%v), want 1", n, err)
	}
	w.wantDays("12-03")
	if n, err := w.service.FinishCalendars(t.Context()); err != nil || n != 0 || stale() != 0 {
		t.Errorf("%d calendars finished (%v) once more", n, err)
	}
}

// Schedules that are made, edited and deleted while their calendar changes all end with its last days.
func TestUpdateCalendar_AgainstChangesOfSchedules_LeavesNoOldDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	d := draftNaming(w, "holidays", "0 9 * * *", "1970-01-01")
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() {
			for i := range 12 {
				name := fmt.Sprintf("s-%d-%d", n, i)
				if _, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: name, Draft: d}); err != nil && !errors.Is(err, job.ErrUnavailable) {
					t.Errorf("create: %v", err)
				}
				if i%3 == 0 {
					_ = w.service.Delete(t.Context(), "acme", name, "")
				}
			}
		})
	}
	for i := range 12 {
		w.redate("holidays", fmt.Sprintf("2026-12-%02d", i+1))
	}
	wg.Wait()
	w.wantDays("2026-12-12")
}

// When UpdateCalendar has answered, nothing of an excluded day is leased any more.
func TestUpdateCalendar_AgainstBusyWorkers_StopsLeasing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:00Z")
	w.calendar("holidays")
	v := w.createAs("s", "* * * * * *", naming("holidays"))
	owned, err := w.store.TakePartitions(t.Context(), "test", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { w.claimAll(ctx, owned[v.Part]) })
	m := w.node(w.store)
	wg.Go(func() {
		for ctx.Err() == nil {
			_, _ = m.Materialise(ctx)
		}
	})
	w.wantLeasingToStop(v, 6, func() { w.redate("holidays", "2026-05-04") }, func() { w.redate("holidays") })
	stop()
	wg.Wait()
	w.step()
	w.wantExactlyOnce(v, v.CreateTime.Truncate(time.Second).Add(time.Second), w.Now().Truncate(time.Second))
}

func BenchmarkUpdateCalendar(b *testing.B) {
	w := newWorld(b, "2026-05-04T08:59:45Z")
	var days []string
	for i := range 300 {
		days = append(days, time.Date(2027, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	d := draftNaming(w, "holidays", "0 9 * * *", days...)
	items := make([]NamedDraft, 1000)
	for i := range items {
		items[i] = NamedDraft{fmt.Sprintf("s%d", i), d}
	}
	if _, err := w.service.CreateAll(b.Context(), BatchCall{Tenant: "acme", Items: items}); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		days[0] = time.Date(2028, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		w.redate("holidays", days...)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(items)), "µs/schedule")
}
