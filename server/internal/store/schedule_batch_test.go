package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// batchOf is schedules with a next time a minute from now.
func batchOf(tenant int32, names ...string) store.NewSchedules {
	payload, rest := job.Body{}.Parts()
	n := store.NewSchedules{Tenant: tenant, TenantName: "acme", Timing: func(now time.Time) ([]store.Timing, error) {
		all := make([]store.Timing, len(names))
		for i := range all {
			all[i] = store.Timing{Spec: fmt.Appendf(nil, `{"n": %d}`, i), Cursor: now, Next: now.Add(time.Minute)}
		}
		return all, nil
	}}
	for _, name := range names {
		n.Items = append(n.Items, store.ScheduleItem{Name: name, OverlapRule: store.OverlapRule{Overlap: store.OverlapAllowed}, Description: "d " + name, Template: store.ScheduleTemplate{Queue: "q",
			JobType: "t", Priority: 5, StartWithin: time.Hour, Age: time.Hour, Payload: payload, Body: rest}})
	}
	return n
}

func TestCreateSchedules_MakesAllOrNone(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	made, existing, err := db.Store.CreateSchedules(t.Context(), batchOf(s.Tenant, "b", "a", "c"))
	if err != nil || existing || len(made) != 3 {
		t.Fatalf("made %v, existing %v, %v", made, existing, err)
	}
	for i, name := range []string{"b", "a", "c"} {
		got := made[i]
		if got.Name != name || got.Description != "d "+name || got.Revision != 1 || got.Template.StartWithin != time.Hour ||
			string(got.Spec) != fmt.Sprintf(`{"n": %d}`, i) || got.Part != got.Home || got.Template.Timeout != 0 {
			t.Errorf("item %d came back as %+v", i, got)
		}
	}
	_, _, err = db.Store.CreateSchedules(t.Context(), batchOf(s.Tenant, "x", "c", "y", "s"))
	var taken *store.NamesTakenError
	if !errors.As(err, &taken) || !slices.Equal(taken.Items, []int{1, 3}) || !errors.Is(err, store.ErrExists) {
		t.Errorf("taken names: %v", err)
	}
	if n := storetest.Value[int](db, "SELECT count(*) FROM schedules"); n != 4 {
		t.Errorf("%d schedules, want the first and three", n)
	}
	found, err := db.Store.TakenSchedules(t.Context(), s.Tenant, []string{"x", "c", "s"})
	if err != nil || len(found) != 2 || !found["c"] || !found["s"] {
		t.Errorf("taken: %v, %v", found, err)
	}
}

func TestCreateSchedules_OfAKnownRequest_AnswersThoseOfThen(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	n := batchOf(s.Tenant, "b", "a")
	n.Request = store.NewAdminRequest("BatchCreateSchedules", s.Tenant, "r", 7)
	first, _, err := db.Store.CreateSchedules(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Store.DeleteSchedule(t.Context(), first[1]); err != nil {
		t.Fatal(err)
	}
	again, existing, err := db.Store.CreateSchedules(t.Context(), n)
	if err != nil || !existing || len(again) != 2 || again[0].UID != first[0].UID || again[1].UID != first[1].UID || !again[1].Deleted {
		t.Errorf("repeated: %v, existing %v, %v", again, existing, err)
	}
	n.Request.Fingerprint++
	if _, _, err := db.Store.CreateSchedules(t.Context(), n); !errors.Is(err, store.ErrRequestReused) {
		t.Errorf("another body: %v", err)
	}
}

// The ledger is read by the rules that held when it was written.
func TestRulesOfSchedules_AreKeptFromTheirRevisionOn(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	rules := func() []string {
		return storetest.Column[string](db, "SELECT revision || ' ' || spec FROM schedule_rules WHERE schedule_uid = $1 ORDER BY revision", s.UID)
	}
	to := func(spec string) {
		t.Helper()
		current, err := db.Store.ScheduleByName(t.Context(), s.Tenant, "s")
		if err != nil {
			t.Fatal(err)
		}
		current.Spec = []byte(spec)
		if _, err := db.Store.ChangeSchedule(t.Context(), store.ScheduleChange{Want: *current, Timing: unchanged(current)}); err != nil {
			t.Fatal(err)
		}
	}
	to(`{}`)
	to(`{"n": 1}`)
	to(`{"n":1}`)
	to(`{}`)
	if got, want := rules(), []string{"1 {}", `3 {"n": 1}`, "5 {}"}; !slices.Equal(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
	if _, _, err := db.Store.CreateSchedules(t.Context(), batchOf(s.Tenant, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if n := storetest.Value[int](db, "SELECT count(*) FROM schedule_rules WHERE revision = 1"); n != 3 {
		t.Errorf("%d first rules, want 3", n)
	}
	current, err := db.Store.ScheduleByName(t.Context(), s.Tenant, "s")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Store.DeleteSchedule(t.Context(), current); err != nil {
		t.Fatal(err)
	}
	db.Exec("UPDATE schedules SET deleted_at = deleted_at - interval '100 days' WHERE deleted_at IS NOT NULL")
	if n, err := db.Store.SweepOccurrences(t.Context(), 90*24*time.Hour, 100); err != nil || n != 1 {
		t.Errorf("swept %d, %v", n, err)
	}
	if got := rules(); len(got) != 0 || storetest.Value[int](db, "SELECT count(*) FROM schedule_rules") != 2 {
		t.Errorf("rules of the swept schedule: %q", got)
	}
}
