package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// newSchedule makes a schedule of a new tenant whose first nominal time is a minute from now.
func newSchedule(t *testing.T, db *storetest.DB) *store.Schedule {
	t.Helper()
	tenant, _, err := db.Store.CreateTenant(t.Context(), store.NewTenant{Name: "acme"})
	if err != nil {
		t.Fatal(err)
	}
	payload, rest := job.Body{}.Parts()
	made, _, err := db.Store.CreateSchedule(t.Context(), store.NewSchedule{OverlapRule: store.OverlapRule{Overlap: store.OverlapAllowed}, Tenant: tenant.ID, TenantName: "acme", Name: "s",
		Template: store.ScheduleTemplate{Queue: "q", JobType: "t", Priority: 5, Age: time.Hour, Payload: payload, Body: rest},
		Timing: func(now time.Time) (store.Timing, error) {
			return store.Timing{Spec: []byte(`{}`), Cursor: now, Next: now.Add(time.Minute)}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// decision makes one job for the nominal time.
func decision(s *store.Schedule, nominal time.Time) *store.Materialisation {
	return &store.Materialisation{ID: s.ID, Revision: s.Revision, Cursor: s.Cursor, To: nominal, Next: nominal.Add(time.Minute),
		Occurrences: []store.Occurrence{{Outcome: store.Materialised, Nominal: nominal, Until: nominal, Count: 1, Lane: 1,
			Job: job.NewID(nominal, s.Part), Suffix: job.OccurrenceSuffix(s.Name, nominal)}}}
}

func unchanged(s *store.Schedule) func(store.Progress) store.ChangedTiming {
	return func(p store.Progress) store.ChangedTiming {
		return store.ChangedTiming{Timing: store.Timing{Spec: s.Spec, Cursor: p.Cursor, Next: p.Cursor}}
	}
}

func TestMaterialise_ComparesCursorAndRevision(t *testing.T) {
	t.Parallel()
	at := time.Now().Add(time.Minute).Truncate(time.Second)
	for name, spoil := range map[string]func(t *testing.T, db *storetest.DB, s *store.Schedule, d *store.Materialisation){
		"another cursor": func(_ *testing.T, _ *storetest.DB, _ *store.Schedule, d *store.Materialisation) {
			d.Cursor = d.Cursor.Add(-time.Microsecond)
		},
		"another revision": func(_ *testing.T, _ *storetest.DB, _ *store.Schedule, d *store.Materialisation) { d.Revision++ },
		"changed": func(t *testing.T, db *storetest.DB, s *store.Schedule, _ *store.Materialisation) {
			if _, err := db.Store.ChangeSchedule(t.Context(), store.ScheduleChange{Want: *s, Timing: unchanged(s)}); err != nil {
				t.Fatal(err)
			}
		},
		"deleted": func(t *testing.T, db *storetest.DB, s *store.Schedule, _ *store.Materialisation) {
			if _, err := db.Store.DeleteSchedule(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		},
		"paused behind the store's back": func(_ *testing.T, db *storetest.DB, _ *store.Schedule, _ *store.Materialisation) {
			db.Exec("UPDATE schedules SET paused = true")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			s := newSchedule(t, db)
			d := decision(s, at)
			spoil(t, db, s, d)
			made, err := db.Store.Materialise(t.Context(), []*store.Materialisation{d})
			if err != nil || len(made) != 0 || d.Done {
				t.Errorf("made %v, done %v, %v", made, d.Done, err)
			}
			if n := storetest.Value[int](db, "SELECT (SELECT count(*) FROM triggers) + (SELECT count(*) FROM occurrences)"); n != 0 {
				t.Errorf("%d rows were written", n)
			}
		})
	}
}

func TestMaterialise_OneLosesTheOthersGoOn(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	db.Exec(`INSERT INTO schedules (tenant, name, part, home, spec, queue, job_type, priority, age_us, payload, body, description, cursor_at, next_at)
		SELECT tenant, 'other', part, home, spec, queue, job_type, priority, age_us, payload, body, description, cursor_at, next_at FROM schedules`)
	other, err := db.Store.ScheduleByName(t.Context(), s.Tenant, "other")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(time.Minute).Truncate(time.Second)
	lost, won := decision(s, at), decision(other, at)
	lost.Revision++
	made, err := db.Store.Materialise(t.Context(), []*store.Materialisation{won, lost})
	if err != nil || len(made) != 1 || made[0].ID != won.Occurrences[0].Job || lost.Done || !won.Done {
		t.Errorf("made %v, done %v and %v, %v", made, lost.Done, won.Done, err)
	}
}

// The second belt: whatever a cursor says, a nominal time that has its job gets no other.
func TestMaterialise_ANominalTimeWithAnOutcome_GetsNoSecondJob(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	at := time.Now().Add(time.Minute).Truncate(time.Second)
	first := decision(s, at)
	if _, err := db.Store.Materialise(t.Context(), []*store.Materialisation{first}); err != nil {
		t.Fatal(err)
	}
	db.Exec("UPDATE schedules SET cursor_at = $1", s.Cursor)
	again := decision(s, at)
	made, err := db.Store.Materialise(t.Context(), []*store.Materialisation{again})
	if err != nil || len(made) != 0 || !again.Done {
		t.Errorf("made %v, done %v, %v", made, again.Done, err)
	}
	if id := storetest.Value[[16]byte](db, "SELECT job_id FROM occurrences"); job.ID(id) != first.Occurrences[0].Job {
		t.Errorf("the ledger names %v, want the first job", job.ID(id))
	}
}

func TestChangeSchedule_ComparesTheRevision(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	first, err := db.Store.ChangeSchedule(t.Context(), store.ScheduleChange{Want: *s, Timing: unchanged(s)})
	if err != nil || first.Revision != s.Revision+1 || first.Etag() == s.Etag() {
		t.Fatalf("changed to %+v, %v", first, err)
	}
	if _, err := db.Store.ChangeSchedule(t.Context(), store.ScheduleChange{Want: *s, Timing: unchanged(s)}); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a change of an older revision: %v", err)
	}
	if _, err := db.Store.DeleteSchedule(t.Context(), s); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a deletion of an older revision: %v", err)
	}
}

func TestSweepOccurrences_DropsWhatIsOld(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	at := time.Now().Add(time.Minute).Truncate(time.Second)
	if _, err := db.Store.Materialise(t.Context(), []*store.Materialisation{decision(s, at)}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Store.DeleteSchedule(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	const kept = 90 * 24 * time.Hour
	if n, err := db.Store.SweepOccurrences(t.Context(), kept, 10); err != nil || n != 0 {
		t.Errorf("%d rows swept too early, %v", n, err)
	}
	db.SetClock(91 * 24 * time.Hour)
	if n, err := db.Store.SweepOccurrences(t.Context(), kept, 10); err != nil || n != 1 {
		t.Errorf("%d rows swept, %v", n, err)
	}
	if n := storetest.Value[int](db, "SELECT (SELECT count(*) FROM schedules) + (SELECT count(*) FROM occurrences)"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
