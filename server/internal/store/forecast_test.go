package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// look makes a forecast of a database.
func look(t *testing.T, db *storetest.DB, read func(*store.Forecast) error) {
	t.Helper()
	if err := db.Store.Forecast(t.Context(), read); err != nil {
		t.Fatal(err)
	}
}

// loadsText writes what was counted as "minute ahead/waiting", minutes from the present one on.
func loadsText(now time.Time, loads []store.MinuteLoad) string {
	slices.SortFunc(loads, func(a, b store.MinuteLoad) int { return a.Minute.Compare(b.Minute) })
	var out []string
	for _, l := range loads {
		out = append(out, fmt.Sprintf("%d %d/%d", l.Minute.Sub(now.Truncate(time.Minute))/time.Minute, l.Ahead, l.Waiting))
	}
	return strings.Join(out, ", ")
}

func TestForecastJobs_CountsByTheMinute(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	now, err := db.Store.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	begin := now.Truncate(time.Minute).Add(time.Hour)
	at := func(after time.Duration, lane, priority int, more string) {
		db.Exec(`INSERT INTO triggers_p01 (part, id, lane, priority, due_at, scheduled_at, age_until, body, schedule, leases, state)
			SELECT 1, gen_random_uuid(), $2, $3, $1::timestamptz, $1, $1, 'x', `+more, begin.Add(after), lane, priority)
	}
	at(0, 1, 0, "NULL, 0, 1")                           // not inside: From is exclusive
	at(time.Microsecond, 1, 0, "NULL, 0, 1")            // minute 0
	at(time.Minute, 1, 9, "7, 0, 1")                    // made ahead
	at(time.Minute+time.Second, 2, 5, "7, 0, 3")        // made ahead and blocked
	at(time.Minute+2*time.Second, 1, 5, "7, 1, 1")      // the retry of a schedule's job
	at(2*time.Minute-time.Microsecond, 2, 5, "8, 0, 1") // minute 1 still
	// Of a backfill, and of a schedule whose jitter is nearly a day.
	db.Exec("UPDATE triggers SET scheduled_at = due_at - interval '23 hours 59 minutes' WHERE schedule = 8")
	at(2*time.Minute+time.Second, 1, 5, "9, 0, 1")
	db.Exec("UPDATE triggers SET scheduled_at = due_at - interval '24 hours 3 minutes' WHERE schedule = 9")
	at(2*time.Minute, 3, 5, "NULL, 0, 1") // of another lane
	at(5*time.Minute, 1, 5, "NULL, 0, 1") // not inside: To is exclusive
	for name, c := range map[string]struct {
		q    store.ForecastJobs
		want string
		seen int
	}{
		"near, of all":             {store.ForecastJobs{Near: true}, "0 0/1, 1 3/1, 2 0/2", 7},
		"far, of all":              {store.ForecastJobs{}, "0 0/1, 1 0/4, 2 0/2", 7},
		"near, of two lanes":       {store.ForecastJobs{Near: true, Lanes: []int32{1, 2}}, "0 0/1, 1 3/1, 2 0/1", 7},
		"far, of one":              {store.ForecastJobs{Lanes: []int32{2}}, "0 0/0, 1 0/2, 2 0/0", 7},
		"near, lane by lane":       {store.ForecastJobs{Near: true, Lanes: []int32{1, 2}, ByLane: true}, "0 0/1, 1 3/1, 2 0/1", 6},
		"far, lane by lane":        {store.ForecastJobs{Lanes: []int32{2}, ByLane: true}, "1 0/2", 2},
		"the first ones":           {store.ForecastJobs{Near: true, Limit: 3}, "0 0/1, 1 2/0", 3},
		"the first ones of a lane": {store.ForecastJobs{Lanes: []int32{1}, ByLane: true, Limit: 1}, "0 0/1", 1},
	} {
		q := c.q
		q.Part, q.From, q.To, q.Within = 1, begin, begin.Add(5*time.Minute), time.Minute
		if q.Limit == 0 {
			q.Limit = 100
		}
		look(t, db, func(f *store.Forecast) error {
			loads, seen, err := f.Jobs(t.Context(), q)
			if got := loadsText(begin, loads); got != c.want || seen != c.seen {
				t.Errorf("%s: %q of %d rows, want %q of %d", name, got, seen, c.want, c.seen)
			}
			return err
		})
	}
}

func TestForecastSchedules_PagesThoseThatMayBeDue(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	fillSchedules(db)
	db.Exec("UPDATE schedules SET deleted_at = now() WHERE id = 1")
	db.Exec("UPDATE schedules SET paused = true WHERE id = 2")
	db.Exec("UPDATE schedules SET next_at = NULL WHERE id = 3")
	db.Exec("INSERT INTO tenants (name, display_name, auto_create_queues) VALUES ('globex', '', false)")
	db.Exec("UPDATE schedules SET tenant = 2 WHERE id % 3 = 0")
	look(t, db, func(f *store.Forecast) error {
		until := f.Now.Add(10 * time.Minute)
		count := func(where string) int {
			return storetest.Value[int](db, `SELECT count(*) FROM schedules WHERE deleted_at IS NULL AND NOT paused AND next_at < $1 AND `+where, until)
		}
		read := func(page func(store.ForecastPage) ([]store.ForecastSchedule, error)) map[string]bool {
			seen := map[string]bool{}
			for p := (store.ForecastPage{Until: until, Limit: 7, Within: time.Minute}); ; {
				list, err := page(p)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range list {
					if seen[s.Name] {
						t.Fatalf("%s came twice", s.Name)
					}
					seen[s.Name] = true
				}
				if len(list) < p.Limit {
					return seen
				}
				p.After = &list[len(list)-1]
			}
		}
		for part := range int16(4) {
			got := read(func(p store.ForecastPage) ([]store.ForecastSchedule, error) { return f.Schedules(t.Context(), part, p) })
			if want := count(fmt.Sprintf("part = %d", part)); len(got) != want || want == 0 {
				t.Errorf("partition %d: %d schedules, want %d", part, len(got), want)
			}
		}
		got := read(func(p store.ForecastPage) ([]store.ForecastSchedule, error) { return f.SchedulesOf(t.Context(), 2, p) })
		if want := count("tenant = 2"); len(got) != want || want == 0 {
			t.Errorf("of the tenant: %d schedules, want %d", len(got), want)
		}
		return nil
	})
}

// What is counted is of one instant, and of what a schedule is all there that its rule needs.
func TestForecast_SeesOneInstant(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	s := newSchedule(t, db)
	look(t, db, func(f *store.Forecast) error {
		db.Exec("UPDATE schedules SET runs = 5, name = 'other'")
		list, err := f.Schedules(t.Context(), s.Part, store.ForecastPage{Until: f.Now.Add(time.Hour), Limit: 9, Within: time.Minute})
		if len(list) != 1 || list[0].Name != "s" || list[0].Tenant != "acme" || list[0].Runs != 0 || list[0].Spec != "{}" || !list[0].Cursor.Equal(s.Cursor) {
			t.Errorf("%+v, want the schedule as it was", list)
		}
		return err
	})
}

func TestForecast_AStatementThatTakesTooLong_Ends(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	db.Exec(`INSERT INTO triggers_p01 (part, id, lane, priority, due_at, scheduled_at, age_until, body)
		SELECT 1, gen_random_uuid(), 1, 5, now() + interval '1 hour', now(), now(), 'x' FROM generate_series(1, 50000)`)
	err := db.Store.Forecast(t.Context(), func(f *store.Forecast) error {
		_, _, err := f.Jobs(t.Context(), store.ForecastJobs{Part: 1, From: f.Now, To: f.Now.Add(2 * time.Hour), Near: true, Limit: 1 << 20, Within: 1})
		return err
	})
	if !store.IsContention(err) {
		t.Errorf("%v, want the end of its time", err)
	}
	// The connection and its time-out are as before.
	if err := db.Store.Forecast(t.Context(), func(*store.Forecast) error { return errors.ErrUnsupported }); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v, want that of the reader", err)
	}
}
