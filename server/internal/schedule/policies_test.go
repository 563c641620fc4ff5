package schedule

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// combination is the policies of one schedule, and whether its latest run lives on through the time without a server.
type combination struct {
	missed  MissedPolicy
	overlap Overlap
	gap     recurrence.GapPolicy
	repeat  recurrence.OverlapPolicy
	alive   bool
}

func combinations() []combination {
	var all []combination
	for _, missed := range []MissedPolicy{FireOnce, FireAll, SkipMissed} {
		for _, overlap := range []Overlap{SkipOverlap, AllowOverlap, BufferOne, CancelRunning} {
			for _, gap := range []recurrence.GapPolicy{recurrence.GapRunAfter, recurrence.GapSkip} {
				for _, repeat := range []recurrence.OverlapPolicy{recurrence.OverlapFirst, recurrence.OverlapLast, recurrence.OverlapBoth} {
					for _, alive := range []bool{false, true} {
						all = append(all, combination{missed, overlap, gap, repeat, alive})
					}
				}
			}
		}
	}
	return all
}

// change is a night on which clocks change, and no server runs at that time. Times are in UTC.
type change struct {
	begin          string   // schedules are made
	before, behind []string // nominal times while a server runs
	back           string   // it runs again
	missed         func(c combination) []string
}

// nightly rings at 01:00, 01:30, 02:00, 02:30, 04:00 and 04:30 in Berlin.
const nightly = "0,30 1-2,4 * * *"

var spring = change{begin: "2027-03-27T23:50:00Z", before: []string{"2027-03-28T00:00:00Z", "2027-03-28T00:30:00Z"},
	back: "2027-03-28T02:10:00Z", behind: []string{"2027-03-28T02:30:00Z"},
	missed: func(c combination) []string {
		if c.gap == recurrence.GapSkip {
			return []string{"02:00:00"}
		}
		return []string{"01:00:00", "02:00:00"} // 02:00 and 02:30 do not exist, and are one run at 03:00
	}}

var autumn = change{begin: "2027-10-30T22:50:00Z", before: []string{"2027-10-30T23:00:00Z", "2027-10-30T23:30:00Z"},
	back: "2027-10-31T01:40:00Z", behind: []string{"2027-10-31T03:00:00Z", "2027-10-31T03:30:00Z"},
	missed: func(c combination) []string {
		switch c.repeat {
		case recurrence.OverlapFirst:
			return []string{"00:00:00", "00:30:00"}
		case recurrence.OverlapLast:
			return []string{"01:00:00", "01:30:00"}
		}
		return []string{"00:00:00", "00:30:00", "01:00:00", "01:30:00"}
	}}

// want says what becomes of every nominal time of a night.
func (n change) want(c combination) []string {
	var list []string
	for _, at := range n.before {
		list = append(list, at[11:19]+" fired")
	}
	missed := n.missed(c)
	switch c.missed {
	case SkipMissed:
		for _, at := range missed {
			list = append(list, at+" skipped MISSED")
		}
	case FireOnce:
		last := len(missed) - 1
		for _, at := range missed[:last] {
			list = append(list, at+" merged")
		}
		list = append(list, caughtUp(c, missed[last:])...)
	case FireAll:
		list = append(list, caughtUp(c, missed)...)
	}
	for _, at := range n.behind {
		list = append(list, at[11:19]+" fired")
	}
	return list
}

// caughtUp says what becomes of nominal times that are made up for together.
func caughtUp(c combination, times []string) []string {
	list := make([]string, len(times))
	last := len(times) - 1
	for i, at := range times {
		what := "caught up"
		meets := c.alive || i > 0 // a run that is alive
		switch {
		case c.overlap == SkipOverlap && meets:
			what = "skipped OVERLAP"
		case c.overlap == BufferOne && (i > 1 || c.alive && i > 0):
			what = "skipped BUFFER_FULL"
		case c.overlap == CancelRunning && meets && i < last:
			what = "skipped REPLACED"
		}
		list[i] = at + " " + what
	}
	return list
}

// cancelling is a decider whose cancels end jobs that wait, as the dispatcher does, and leave running ones to their workers.
func (w *world) cancelling(overlaps Overlaps) *Decider {
	return NewDecider(DeciderConfig{Store: overlaps, Owner: everything(w.store.Partitions()), DB: w, Clock: clock.Real(), Hints: w.hints,
		Log: slog.New(slog.DiscardHandler), Metrics: w.hints, Fail: w.service.PauseAfterFailure,
		Cancel: func(ctx context.Context, tenant int32, id job.ID, _ string) error {
			live, err := w.store.LiveJobs(ctx, []job.ID{id})
			if err != nil || live[id].ID != id {
				return err
			}
			row := live[id]
			if row.State == job.Running {
				w.db.Exec("UPDATE triggers SET cancel_asked = true WHERE id = $1", [16]byte(id))
				return nil
			}
			f := &store.Finish{Token: row.Token(), Tenant: tenant, From: row.State, State: job.Cancelled, Reason: job.ReasonCancelled, Retention: 7}
			return w.store.Commit(ctx, &store.HotTx{Finishes: []*store.Finish{f}})
		}})
}

// wantNoneTogether checks that no schedule whose policy forbids it has two runs, or two jobs that wait for an end.
func (w *world) wantNoneTogether(when string) {
	w.t.Helper()
	together := storetest.Column[string](w.db, `SELECT s.name || ' runs: ' || string_agg(t.scheduled_at::text, ', ') FROM triggers AS t
		JOIN schedules AS s ON s.id = t.schedule
		WHERE s.overlap <> 2 AND t.state <> 3 AND (t.leases > 0 OR t.due_at <= belfry_now()) GROUP BY s.name HAVING count(*) > 1`)
	waiting := storetest.Column[string](w.db, `SELECT s.name || ' waits' FROM blocked_jobs AS b JOIN schedules AS s ON s.id = b.schedule
		WHERE b.decide_at = 'infinity' GROUP BY s.name HAVING count(*) > 1`)
	if len(together) > 0 || len(waiting) > 0 {
		w.t.Errorf("%s: two at once: %q, %q", when, together, waiting)
	}
}

// leaseAll starts everything that is due, as workers would.
func (w *world) leaseAll() {
	w.t.Helper()
	w.db.Exec(`UPDATE triggers SET state = 2, leases = leases + 1, attempt = attempt + 1, version = version + 1, claim_id = 7,
		claimed_at = belfry_now(), lease_us = 60000000, lease_until = belfry_now() + interval '1 hour',
		attempt_until = belfry_now() + interval '1 hour' WHERE state = 1 AND due_at <= belfry_now()`)
}

// endAll ends what runs of the schedules that which names.
func (w *world) endAll(views []View, which func(i int) bool) {
	w.t.Helper()
	for i, v := range views {
		if which(i) {
			w.end(v, job.Succeeded)
		}
	}
}

// sleeper is a schedule for each combination of policies, on one night.
type sleeper struct {
	*world
	night   change
	all     []combination
	views   []View
	decider *Decider
}

func (n change) sleeper(t *testing.T) *sleeper {
	t.Helper()
	s := &sleeper{world: newWorld(t, n.begin), night: n, all: combinations()}
	items := make([]NamedDraft, len(s.all))
	for i, c := range s.all {
		d := draft(nightly, "Europe/Berlin")
		d.Rule.Gap, d.Rule.Repeat = c.gap, c.repeat
		d.Policy = Policy{Missed: c.missed, Overlap: c.overlap}
		items[i] = NamedDraft{fmt.Sprintf("s%d", i), d}
	}
	var err error
	if s.views, err = s.service.CreateAll(t.Context(), BatchCall{Tenant: "acme", Items: items}); err != nil {
		t.Fatal(err)
	}
	s.decider = s.cancelling(s.store)
	return s
}

// decideAll makes a pass of the decider and starts what is due then.
func (s *sleeper) decideAll(when string) {
	s.t.Helper()
	if _, err := s.decider.Decide(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.wantNoneTogether(when)
	s.leaseAll()
}

// ring lives through a nominal time, and ends the runs of the schedules that end names.
func (s *sleeper) ring(at string, end func(i int) bool) {
	s.t.Helper()
	s.set(utc(s.t, at).Add(-20 * time.Second).Format(time.RFC3339))
	s.step()
	s.set(utc(s.t, at).Add(time.Second).Format(time.RFC3339))
	s.decideAll(at)
	s.endAll(s.views, end)
}

// comeBack begins as another process behind the time without any.
func (s *sleeper) comeBack() {
	s.t.Helper()
	s.set(s.night.back)
	s.step()
	s.decider = s.cancelling(s.db.Open())
	for i := range 3 { // what is caught up, what waited for that, and nothing any more
		s.decideAll(fmt.Sprint("back ", i))
		s.endAll(s.views, every)
		for _, v := range s.views {
			s.decider.Ended(v.ID, job.Succeeded)
		}
	}
}

func every(int) bool { return true }

// Whatever the policies are for what was missed, what overlaps and what clocks do: after a night without a server each nominal
// time has the one outcome that they say together, and no two runs are alive that must not be.
func TestPolicies_ThroughANightWithoutAServer_SayTogetherWhatRuns(t *testing.T) {
	t.Parallel()
	for name, night := range map[string]change{"spring": spring, "autumn": autumn} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := night.sleeper(t)
			last := len(night.before) - 1
			for _, at := range night.before[:last] {
				s.ring(at, every)
			}
			s.ring(night.before[last], func(i int) bool { return !s.all[i].alive })
			s.comeBack()
			for _, at := range night.behind {
				s.ring(at, every)
			}
			for i, c := range s.all {
				if got, want := s.outcomes(s.views[i], store.FromRule), night.want(c); !slices.Equal(got, want) {
					t.Errorf("%+v:\n got %q\nwant %q", c, got, want)
				}
			}
			if left := storetest.Value[int](s.db, "SELECT (SELECT count(*) FROM triggers) + (SELECT count(*) FROM blocked_jobs)"); left != 0 {
				t.Errorf("%d rows are left over", left)
			}
		})
	}
}
