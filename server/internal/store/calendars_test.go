package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/tenancy"
)

func (a *admin) calendar(tenant tenancy.Tenant, name string, days ...string) *store.Calendar {
	a.t.Helper()
	c, _, err := a.Store.CreateCalendar(a.t.Context(), store.NewCalendar{Tenant: tenant.ID, Name: name, Days: days, Description: "d " + name})
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

func TestCalendar_ReadsAsItWasStored_ForItsTenant(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	made := a.calendar(a.acme, "b", "12-25", "SAT")
	a.calendar(a.acme, "a")
	theirs := a.calendar(a.other, "b", "SUN")
	got, err := a.Store.CalendarsByName(t.Context(), a.acme.ID, []string{"b", "c"})
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], made) || made.TenantName != "acme" || made.Revision != 1 || made.DaysRevision != 1 {
		t.Errorf("read %+v (%v), made %+v", got, err, made)
	}
	if _, _, err := a.Store.CreateCalendar(t.Context(), store.NewCalendar{Tenant: a.acme.ID, Name: "b"}); !errors.Is(err, store.ErrExists) {
		t.Errorf("a taken name: %v", err)
	}
	list, err := a.Store.ListCalendars(t.Context(), a.acme.ID, "", 9)
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[1].Name != "b" || len(list[1].Days) != 0 || list[1].UID == theirs.UID {
		t.Errorf("listed %+v (%v)", list, err)
	}
	if list, err := a.Store.ListCalendars(t.Context(), a.acme.ID, "a", 1); err != nil || len(list) != 1 || list[0].Name != "b" {
		t.Errorf("second page %+v (%v)", list, err)
	}
}

func TestCreateCalendar_OfAKnownRequest_AnswersTheCalendarOfThen(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	n := store.NewCalendar{Tenant: a.acme.ID, Name: "a", Request: store.NewAdminRequest("CreateCalendar", a.acme.ID, "r", 7)}
	first, existing, err := a.Store.CreateCalendar(t.Context(), n)
	if err != nil || existing {
		t.Fatalf("existing %v, %v", existing, err)
	}
	if again, existing, err := a.Store.CreateCalendar(t.Context(), n); err != nil || !existing || again.UID != first.UID {
		t.Errorf("repeated: %+v, existing %v, %v", again, existing, err)
	}
	other := n
	other.Request = store.NewAdminRequest("CreateCalendar", a.acme.ID, "r", 8)
	if _, _, err := a.Store.CreateCalendar(t.Context(), other); !errors.Is(err, store.ErrRequestReused) {
		t.Errorf("another body: %v", err)
	}
	if used, err := a.Store.DeleteCalendar(t.Context(), first); err != nil || used.Schedules != 0 {
		t.Fatalf("deletion: %+v, %v", used, err)
	}
	if _, _, err := a.Store.CreateCalendar(t.Context(), n); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after its deletion: %v", err)
	}
}

func TestCreateCalendar_StopsAtTheLimit(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.Exec(`INSERT INTO calendars (tenant, name, days, description) SELECT $1, 'c' || i, '{}', '' FROM generate_series(1, $2::int) AS i`,
		a.acme.ID, store.MaxCalendars-1)
	results := make([]error, 4)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			_, _, results[i] = a.Store.CreateCalendar(t.Context(), store.NewCalendar{Tenant: a.acme.ID, Name: fmt.Sprintf("n%d", i)})
		})
	}
	wg.Wait()
	made := 0
	for _, err := range results {
		e, limited := job.AsError(err)
		switch {
		case err == nil:
			made++
		case !limited || e.Kind != job.ErrLimit || e.Limit.Max != store.MaxCalendars || e.Limit.Use != store.MaxCalendars:
			t.Errorf("refused with %v", err)
		}
	}
	if n := storetest.Value[int](a.DB, "SELECT count(*) FROM calendars"); made != 1 || n != store.MaxCalendars {
		t.Errorf("%d of four at once were made, %d are stored", made, n)
	}
	a.calendar(a.other, "theirs")
}

func TestChangeCalendar_ComparesTheRevision_AndKnowsWhichBroughtTheDays(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	first := a.calendar(a.acme, "a", "12-25")
	described := *first
	described.Description = "other"
	second, err := a.Store.ChangeCalendar(t.Context(), described)
	if err != nil || second.Revision != 2 || second.DaysRevision != 1 || second.Etag() == first.Etag() {
		t.Fatalf("described: %+v, %v", second, err)
	}
	pending := func() []store.CalendarRef {
		list, err := a.Store.PendingCalendars(t.Context(), 0, 9)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if list := pending(); len(list) != 0 {
		t.Errorf("pending after another description: %v", list)
	}
	dated := *second
	dated.Days = nil
	third, err := a.Store.ChangeCalendar(t.Context(), dated)
	if err != nil || third.Revision != 3 || third.DaysRevision != 3 || len(third.Days) != 0 {
		t.Fatalf("dated: %+v, %v", third, err)
	}
	if _, err := a.Store.ChangeCalendar(t.Context(), dated); !errors.Is(err, store.ErrConflict) {
		t.Errorf("of an older revision: %v", err)
	}
	if _, err := a.Store.DeleteCalendar(t.Context(), second); !errors.Is(err, store.ErrConflict) {
		t.Errorf("deletion of an older revision: %v", err)
	}
	third.Description = "again"
	if _, err := a.Store.ChangeCalendar(t.Context(), *third); err != nil {
		t.Fatal(err)
	}
	if list := pending(); !slices.Equal(list, []store.CalendarRef{{ID: first.ID, Revision: 3}}) {
		t.Errorf("pending after other days: %v", list)
	}
	for _, revision := range []int64{1, 3} { // of older days, it says nothing
		if err := a.Store.SettleCalendar(t.Context(), store.CalendarRef{ID: first.ID, Revision: revision}); err != nil {
			t.Fatal(err)
		}
		if list := pending(); (len(list) == 0) != (revision == 3) {
			t.Errorf("pending after revision %d is settled: %v", revision, list)
		}
	}
}

func TestSchedules_ThatCopyOlderDays_AreNotStored(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	c, _, err := db.Store.CreateCalendar(t.Context(), store.NewCalendar{Tenant: s.Tenant, Name: "c"})
	if err != nil {
		t.Fatal(err)
	}
	old := []store.CalendarRef{{ID: c.ID, Revision: c.DaysRevision}}
	c.Days = []string{"SAT"}
	if c, err = db.Store.ChangeCalendar(t.Context(), *c); err != nil {
		t.Fatal(err)
	}
	current := []store.CalendarRef{{ID: c.ID, Revision: c.DaysRevision}}
	for name, refs := range map[string][]store.CalendarRef{"older days": old, "a calendar that has gone": {{ID: c.ID + 1, Revision: 1}}} {
		one := batchOf(s.Tenant, "x", "y")
		one.Items[1].Calendars = refs
		if _, _, err := db.Store.CreateSchedules(t.Context(), one); !errors.Is(err, store.ErrCalendarMoved) {
			t.Errorf("a batch with %s: %v", name, err)
		}
		_, err := db.Store.ChangeSchedule(t.Context(), store.ScheduleChange{Want: *s, Timing: unchanged(s), Calendars: &refs})
		if !errors.Is(err, store.ErrCalendarMoved) {
			t.Errorf("a change with %s: %v", name, err)
		}
	}
	if n := storetest.Value[int](db, "SELECT (SELECT count(*) FROM schedules) + (SELECT count(*) FROM schedule_calendars)"); n != 1 {
		t.Errorf("%d rows, want the schedule of before alone", n)
	}
	s, err = db.Store.ChangeSchedule(t.Context(), store.ScheduleChange{Want: *s, Timing: unchanged(s), Calendars: &current})
	if err != nil {
		t.Fatal(err)
	}
	if used, err := db.Store.DeleteCalendar(t.Context(), c); err != nil || used != (store.CalendarUse{Schedules: 1, One: "s"}) {
		t.Errorf("use %+v, %v", used, err)
	}
	stale := func() int {
		ids, err := db.Store.StaleSchedules(t.Context(), c.ID, 0, 9)
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	if n := stale(); n != 0 {
		t.Errorf("%d schedules have older days", n)
	}
	c.Days = []string{"SUN"}
	if c, err = db.Store.ChangeCalendar(t.Context(), *c); err != nil {
		t.Fatal(err)
	}
	if n := stale(); n != 1 {
		t.Errorf("%d schedules have older days, want 1", n)
	}
	if _, err := db.Store.DeleteSchedule(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if used, err := db.Store.DeleteCalendar(t.Context(), c); err != nil || used.Schedules != 0 {
		t.Errorf("use after the schedule's deletion %+v, %v", used, err)
	}
}

// Old rules hold copies of days: those that no row of the ledger can have been decided by go.
func TestCalendar_DoesNotChange_WhileItsDaysAreBeingCopied(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	c, _, err := db.Store.CreateCalendar(t.Context(), store.NewCalendar{Tenant: s.Tenant, Name: "c"})
	if err != nil {
		t.Fatal(err)
	}
	refs := []store.CalendarRef{{ID: c.ID, Revision: c.DaysRevision}}
	// Runs inside the transaction that copies. What waits for its end would wait for ever here.
	blocked := func(path string) {
		t.Helper()
		waited, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer stop()
		changed := *c
		changed.Days = []string{"SAT"}
		if _, err := db.Store.ChangeCalendar(waited, changed); err == nil {
			t.Errorf("%s: the calendar changed before the schedule that copies its days was stored", path)
		}
	}
	batch := batchOf(s.Tenant, "x", "y")
	batch.Items[1].Calendars = refs
	timing := batch.Timing
	batch.Timing = func(now time.Time) ([]store.Timing, error) { blocked("batch"); return timing(now) }
	if _, _, err := db.Store.CreateSchedules(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	one := store.NewSchedule{Tenant: s.Tenant, TenantName: s.TenantName, Name: "z", Template: s.Template,
		OverlapRule: s.OverlapRule, Calendars: refs}
	one.Timing = func(now time.Time) (store.Timing, error) {
		blocked("create")
		all, err := batchOf(s.Tenant, "z").Timing(now)
		return all[0], err
	}
	if _, _, err := db.Store.CreateSchedule(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	same := unchanged(s)
	change := store.ScheduleChange{Want: *s, Calendars: &refs}
	change.Timing = func(p store.Progress) store.ChangedTiming { blocked("change"); return same(p) }
	if _, err := db.Store.ChangeSchedule(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

func TestChangeOfARule_DropsThoseThatTheLedgerHasOutlived(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	to := func(n int, after time.Duration) {
		t.Helper()
		db.Advance(after)
		s.Spec = fmt.Appendf(nil, `{"n": %d}`, n)
		changed, err := db.Store.ChangeSchedule(t.Context(), store.ScheduleChange{Want: *s, Timing: unchanged(s), Calendars: &[]store.CalendarRef{}})
		if err != nil {
			t.Fatal(err)
		}
		s = changed
	}
	const day = 24 * time.Hour
	to(1, day)      // in force from day 1
	to(2, 10*day)   // from day 11
	to(3, 50*day)   // from day 61
	to(4, 50*day-1) // from day 111: the one of day 11 was in force 90 days ago
	got := storetest.Column[string](db, "SELECT spec->>'n' FROM schedule_rules ORDER BY revision")
	if want := []string{"2", "3", "4"}; !slices.Equal(got, want) {
		t.Errorf("kept rules %q, want %q", got, want)
	}
}
