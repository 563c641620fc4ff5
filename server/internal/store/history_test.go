package store_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

const historyTables = "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relname ~ $1 ORDER BY relname"

func TestEnsureHistory_CoversYesterdayToAWeekAhead(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	now := time.Date(2031, 3, 1, 23, 59, 0, 0, time.FixedZone("", -3600)) // 2 March, 00:59 UTC
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := db.Open().EnsureHistory(t.Context(), now, []int16{90, 400}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	days := storetest.Column[string](db, historyTables, "^history_r90_2031")
	if len(days) != 10 || days[0] != "history_r90_20310301" || days[9] != "history_r90_20310310" {
		t.Errorf("days are %q", days)
	}
	for _, at := range []string{"2031-03-01 00:00:00Z", "2031-03-10 23:59:59.999999Z"} {
		db.Exec(`INSERT INTO history (part, retention, state, priority, attempt, outcome, lane, tenant, id, version, due_at,
			scheduled_at, finished_at, age_until, leases, releases, lost_leases, cancel_asked, reason, error)
			VALUES (0, 400, 4, 5, 1, 1, 1, 1, gen_random_uuid(), 2, now(), now(), $1::text::timestamptz, now(), 1, 0, 0, false, '', '')`, at)
	}
	if n := storetest.Value[int](db, "SELECT count(*) FROM history_r400_20310310"); n != 1 {
		t.Errorf("the last instant covered is in its table %d times", n)
	}
	indexes := storetest.Value[int](db, "SELECT count(*) FROM pg_indexes WHERE tablename = 'history_r400_20310310'")
	if indexes != 2 {
		t.Errorf("a day has %d indexes, want those of history", indexes)
	}
}

func TestDropHistory_IsNeverADayEarly(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	start := time.Now().UTC().Truncate(24 * time.Hour)
	for _, c := range []struct {
		after time.Duration // from the end of the day
		want  []string
	}{
		{24*time.Hour - time.Minute, nil},
		{24 * time.Hour, []string{"r01"}},
		{7*24*time.Hour - time.Minute, nil},
		{7 * 24 * time.Hour, []string{"r07"}},
		{30*24*time.Hour - time.Minute, nil},
		{30 * 24 * time.Hour, []string{"r30"}},
	} {
		end := start.AddDate(0, 0, 1)
		db.SetClock(time.Until(end.Add(c.after)) + time.Second)
		now := end.Add(c.after)
		dropped, err := db.Store.DropHistory(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, class := range c.want {
			want = append(want, "history_"+class+"_"+start.Format("20060102"))
		}
		// Earlier days have gone with the earlier steps, except the day before.
		dropped = slices.DeleteFunc(dropped, func(s string) bool { return s[len(s)-8:] != start.Format("20060102") })
		if !slices.Equal(dropped, want) {
			t.Errorf("%v after the day's end %q were dropped, want %q", c.after, dropped, want)
		}
	}
}

func TestDropHistory_DoesNotTrustANodeThatIsAhead(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	before := storetest.Column[string](db, historyTables, "^history_r")
	if dropped, err := db.Store.DropHistory(t.Context(), time.Now().AddDate(2, 0, 0)); err != nil || len(dropped) > 0 {
		t.Errorf("dropped %q (%v)", dropped, err)
	}
	if after := storetest.Column[string](db, historyTables, "^history_r"); !slices.Equal(before, after) {
		t.Errorf("tables were %q and are %q", before, after)
	}
}

func TestDropHistory_LeavesATableThatIsRead(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	db.SetClock(5 * 24 * time.Hour)
	table := "history_r01_" + time.Now().UTC().Format("20060102")
	reading := db.Begin()
	reading.Exec("SELECT count(*) FROM " + table)
	now := time.Now().AddDate(0, 0, 5)
	if dropped, err := db.Store.DropHistory(t.Context(), now); err != nil || slices.Contains(dropped, table) {
		t.Errorf("dropped %q (%v)", dropped, err)
	}
	reading.Commit()
	if dropped, err := db.Store.DropHistory(t.Context(), now); err != nil || !slices.Contains(dropped, table) {
		t.Errorf("dropped %q (%v) when nobody read any more", dropped, err)
	}
}

func TestRetentionInUse_NamesThoseOfQueuesThatExist(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.queue(a.acme, "a", job.QueueSettings{RetentionDays: 400})
	a.queue(a.acme, "b", job.QueueSettings{RetentionDays: 7})
	gone := a.queue(a.acme, "c", job.QueueSettings{RetentionDays: 90})
	if _, err := a.Store.DeleteQueue(t.Context(), deletion(gone, false)); err != nil {
		t.Fatal(err)
	}
	classes, err := a.Store.RetentionInUse(t.Context())
	if want := []int16{1, 7, 30, 400}; err != nil || !slices.Equal(classes, want) {
		t.Errorf("classes are %v (%v), want %v", classes, err, want)
	}
}

func TestSweepRequests_KeepsADay(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	lane := a.lane(q, "default")
	var tx store.HotTx
	for i := range 5 {
		key, part := job.HashRequest("CreateJob", a.acme.ID, string(rune('a'+i)), 4)
		tx.Creates = append(tx.Creates, &store.Create{ID: job.NewID(time.Now(), q.Part), Lane: lane.Number, Age: time.Hour,
			Body: []byte{1}, Request: &store.RequestKey{Part: part, Key: key}})
	}
	if err := a.Store.Commit(t.Context(), &tx); err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Store.CreateTenant(t.Context(), store.NewTenant{Name: "x",
		Request: store.NewAdminRequest("CreateTenant", 0, "r", 1)}); err != nil {
		t.Fatal(err)
	}
	sweep := func(limit int) int64 {
		n, err := a.Store.SweepRequests(t.Context(), 0, limit)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	a.SetClock(store.RequestsKept - time.Minute)
	if n := sweep(100); n != 0 {
		t.Errorf("%d request ids were forgotten within a day", n)
	}
	a.SetClock(store.RequestsKept + time.Minute)
	if first, rest := sweep(3), sweep(3); first != 4 || rest != 2 {
		t.Errorf("sweeps of three forgot %d and %d, want 3 of jobs and 1 other, then 2", first, rest)
	}
}
