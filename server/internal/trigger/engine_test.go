package trigger

import (
	"context"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// rig is an engine on a real database that owns partition 1. Its rounds are made by hand: none of its loops runs.
type rig struct {
	*Engine
	t       *testing.T
	db      *storetest.DB
	hub     *ready.Hub
	expired []store.Expiring
}

func newRig(t *testing.T, shape func(*Config)) *rig {
	t.Helper()
	db := storetest.New(t)
	r := &rig{t: t, db: db, hub: ready.NewHub(ready.Options{LaneLimit: 40})}
	cfg := Config{Store: db.Store, Catalog: r, Hub: r.hub, DB: databaseClock{r}, Clock: clock.Real(),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	shape(&cfg)
	r.Engine = NewEngine(cfg)
	r.SetDispatcher(r)
	r.Acquired(cluster.Grant{Part: 1, Epoch: 1})
	return r
}

// databaseClock reads the clock that the test moves.
type databaseClock struct{ r *rig }

func (c databaseClock) Now() time.Time {
	now, err := c.r.db.Store.Now(context.Background())
	if err != nil {
		c.r.t.Fatal(err)
	}
	return now
}

var queue = &catalog.Queue{ID: 1, Tenant: 1, Part: 1, Name: "q"}

func (r *rig) Lane(_ context.Context, n int32) (catalog.Lane, error) {
	return catalog.Lane{Number: n, Type: "default", Queue: queue}, nil
}
func (r *rig) LanesOf(*catalog.Queue) []catalog.Lane { return nil }
func (r *rig) Refresh(context.Context, int16) error  { return nil }
func (r *rig) TakeOver(context.Context, int16) error { return nil }
func (r *rig) Drop(int16)                            {}
func (r *rig) Expire(_ context.Context, late []store.Expiring, _ string) error {
	r.expired = append(r.expired, late...)
	return nil
}

// store creates n jobs with the given delay, without a hint, and answers them in order of their ids.
func (r *rig) store(n int, delay time.Duration, shape func(*store.Create)) []*store.Create {
	r.t.Helper()
	tx := &store.HotTx{}
	for range n {
		c := &store.Create{ID: job.NewID(time.Now(), 1), Lane: 1, Priority: 5, Delay: delay, Age: time.Hour, Body: []byte{1}}
		shape(c)
		tx.Creates = append(tx.Creates, c)
	}
	if err := r.db.Store.Commit(context.Background(), tx); err != nil {
		r.t.Fatal(err)
	}
	return tx.Creates
}

func plain(*store.Create) {}

// round is what the loops do: load, fire, and answer the hub's wishes until it has none.
func (r *rig) round() {
	r.t.Helper()
	if err := r.Load(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	var buf []wheel.Entry
	r.fire(&buf)
	for wanted := r.hub.TakeRefills(nil); len(wanted) > 0; wanted = r.hub.TakeRefills(nil) {
		for _, w := range wanted {
			r.refill(context.Background(), w)
		}
	}
}

// drain takes everything out of the hub, as claims would, refilling it as it goes.
func (r *rig) drain(want int) []wheel.Entry {
	r.t.Helper()
	w := r.hub.Register(ready.Demand{AllTenants: true, Credit: 1 << 20}, nil)
	defer w.Close()
	var out []wheel.Entry
	for len(out) < want {
		offers := r.hub.NextBatch(100, nil)
		if len(offers) == 0 {
			break
		}
		r.hub.Claimed(offers)
		for _, o := range offers {
			out = append(out, o.Entry)
			r.db.Exec("UPDATE triggers SET version = version + 1, due_at = 'infinity' WHERE part = 1 AND id = $1", [16]byte(o.Entry.ID))
		}
		for wanted := r.hub.TakeRefills(nil); len(wanted) > 0; wanted = r.hub.TakeRefills(nil) {
			for _, w := range wanted {
				r.refill(context.Background(), w)
			}
		}
	}
	return out
}

func TestLoad_WithoutHints_FindsEveryJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(c *Config) { c.DropHints = true })
	r.round()
	made := r.store(30, 0, plain)
	r.Offer([]wheel.Entry{{ID: made[0].ID, Version: 1, Lane: 1, DueAt: made[0].Due.UnixMicro()}})
	if got := r.hub.Stats().Ready; got != 0 {
		t.Fatalf("%d ready although hints are dropped", got)
	}
	r.round()
	if got := len(r.drain(30)); got != 30 {
		t.Fatalf("%d of 30 jobs found", got)
	}
}

func TestFire_IsNeverEarly(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(*Config) {})
	r.round()
	r.store(5, 40*time.Second, plain)
	r.db.Advance(38 * time.Second)
	r.round()
	if r.Waiting() != 5 || r.hub.Stats().Ready != 0 {
		t.Fatalf("%d wait, %d ready two seconds early; want 5 and 0", r.Waiting(), r.hub.Stats().Ready)
	}
	r.db.Advance(2 * time.Second)
	r.round()
	if got := len(r.drain(5)); got != 5 {
		t.Fatalf("%d of 5 fired", got)
	}
}

// A herd larger than the wheel and the lane's share of the hub comes out whole, in strict order of priority.
func TestOverflow_IsPagedWhenDue_ByPriority(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(c *Config) { c.WheelLimit = 10 })
	r.round()
	n := 0
	r.store(150, 20*time.Second, func(c *store.Create) { n++; c.Priority = int16(9 - n%3) })
	r.round()
	if got := r.Waiting(); got > 10 {
		t.Fatalf("%d entries in a wheel for 10", got)
	}
	r.db.Advance(25 * time.Second)
	r.round()
	out := r.drain(150)
	if len(out) != 150 {
		t.Fatalf("%d of 150 jobs came out", len(out))
	}
	for i := 1; i < len(out); i++ {
		if out[i].Priority < out[i-1].Priority {
			t.Fatalf("priority %d after %d at place %d", out[i].Priority, out[i-1].Priority, i)
		}
	}
}

// A new owner finds what is overdue, however much of it there is.
func TestTakeOver_FindsOverdueJobs(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(*Config) {})
	r.store(120, 0, plain)
	r.db.Advance(10 * time.Minute)
	r.round()
	if got := len(r.drain(120)); got != 120 {
		t.Fatalf("%d of 120 overdue jobs found", got)
	}
}

func TestLoad_TellsOfJobsPastTheirStartBy(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(*Config) {})
	late := r.store(1, 0, func(c *store.Create) { c.StartWithin = time.Second })[0]
	r.store(1, 0, func(c *store.Create) { c.StartWithin = time.Hour })
	r.db.Advance(5 * time.Second)
	r.round()
	if len(r.expired) != 1 || r.expired[0].ID != late.ID {
		t.Fatalf("expired: %+v", r.expired)
	}
}

// A transaction that lived longer than the near window reaches back leaves rows where no load looks.
func TestLookBehind_FindsWhatLoadsDoNot(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"a few": 3, "more than one load takes": loadChunk + 7} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, func(c *Config) { c.DropHints = true })
			r.round()
			r.store(n, 0, plain)
			r.db.Advance(10 * time.Minute)
			r.round()
			if got := r.hub.Stats().Ready; got != 0 {
				t.Fatalf("%d found by a load; this test needs rows behind its window", got)
			}
			if err := r.lookBehind(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			for wanted := r.hub.TakeRefills(nil); len(wanted) > 0; wanted = r.hub.TakeRefills(nil) {
				for _, w := range wanted {
					r.refill(t.Context(), w)
				}
			}
			if got := len(r.drain(n)); got != n {
				t.Fatalf("%d of %d jobs found", got, n)
			}
		})
	}
}
