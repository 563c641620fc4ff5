package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// start runs the world's materialiser on a clock that the test moves, and answers it.
func (w *world) start(ledger Ledger) *clock.Manual {
	w.t.Helper()
	manual := clock.NewManual(time.Unix(0, 0))
	m := w.node(ledger)
	m.cfg.Clock = manual
	w.m = m
	w.service.Poke = m.Poke
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := m.Run(ctx); err != nil {
			w.t.Errorf("run: %v", err)
		}
	}()
	w.t.Cleanup(func() { stop(); <-done })
	manual.BlockUntil(1)
	manual.Advance(0) // the first pass
	return manual
}

// await waits until n jobs have been offered.
func (w *world) await(n int) []wheel.Entry {
	w.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		if got := w.hints.entries(); len(got) >= n {
			return got
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("only %d of %d jobs were offered", len(w.hints.entries()), n)
		}
	}
}

func TestRun_ACreateOnThisNode_IsNotLeftToThePoll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.start(w.store) // its timers never fire again: only the poke is left
	v := w.create("pulse", "* * * * * *", "")
	first := v.CreateTime.Truncate(time.Second).Add(time.Second)
	if got := w.await(1)[0]; !got.ID.Time().Equal(first) {
		t.Errorf("the first job is for %v, want %v", got.ID.Time(), first)
	}
}

func TestRun_LooksByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	manual := w.start(w.store)
	w.create("pulse", "* * * * * *", "")
	made := len(w.await(1))
	w.db.Advance(5 * time.Second)
	manual.BlockUntil(1)
	manual.Advance(5 * time.Second)
	w.await(made + 5)
}

// refusing is a ledger that fails once, and refuses one schedule always.
type refusing struct {
	*store.Store
	failures atomic.Int32
	refused  int32
}

func (r *refusing) DueSchedules(ctx context.Context, parts []int16, until time.Time, after store.DuePosition, limit int) ([]store.DueSchedule, error) {
	if r.failures.Add(-1) >= 0 {
		return nil, fmt.Errorf("away: %w", store.ErrUnavailable)
	}
	return r.Store.DueSchedules(ctx, parts, until, after, limit)
}

func (r *refusing) Materialise(ctx context.Context, items []*store.Materialisation) ([]wheel.Entry, error) {
	if slices.ContainsFunc(items, func(m *store.Materialisation) bool { return m.ID == r.refused }) {
		return nil, fmt.Errorf("no: %w", store.ErrRefused)
	}
	return r.Store.Materialise(ctx, items)
}

func TestRun_AfterADatabaseOutage_GoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.create("pulse", "* * * * * *", "")
	ledger := &refusing{Store: w.store}
	ledger.failures.Store(2)
	manual := w.start(ledger)
	for range 2 {
		manual.BlockUntil(1)
		manual.Advance(errorWait)
	}
	w.await(1)
}

func TestMaterialise_WhatTheDatabaseRefuses_HoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	var views []View
	for i := range 9 {
		views = append(views, w.create(fmt.Sprintf("s%d", i), "0 9 * * *", ""))
	}
	bad := views[4]
	w.m = w.node(&refusing{Store: w.store, refused: bad.ID})
	w.step()
	for _, v := range views {
		if v.ID == bad.ID {
			w.want("ledger of the refused one", w.ledger(v))
			continue
		}
		w.want("ledger", w.ledger(v), "materialised 04 09:00:00")
	}
	w.m = w.node(w.store)
	w.step()
	w.want("ledger of the refused one, later", w.ledger(bad), "materialised 04 09:00:00")
}

// stranded finds no queue of one name, because the database is away.
type stranded struct{ Queues }

func (s stranded) Queue(ctx context.Context, tenant, name string) (*catalog.Queue, error) {
	if name == "far" {
		return nil, job.Unavailable(errors.New("away"))
	}
	return s.Queues.Queue(ctx, tenant, name)
}

func TestMaterialise_AQueueThatCannotBeAskedFor_LeavesItsScheduleForLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	near := w.create("near", "0 9 * * *", "")
	if _, _, err := w.store.CreateQueue(t.Context(), store.NewQueue{Tenant: w.tenant.ID, TenantName: "acme", Name: "far"}); err != nil {
		t.Fatal(err)
	}
	d := draft("0 9 * * *", "")
	d.Template.Queue = "far"
	far, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "far", Draft: d})
	if err != nil {
		t.Fatal(err)
	}
	w.m.cfg.Queues = stranded{w.catalog}
	w.step()
	w.want("ledger of the near one", w.ledger(near), "materialised 04 09:00:00")
	w.want("ledger of the far one", w.ledger(far))
	w.m.cfg.Queues = w.catalog
	w.step()
	w.want("ledger of the far one, later", w.ledger(far), "materialised 04 09:00:00")
}

func TestMaterialise_WithoutPartitions_DoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("daily", "0 9 * * *", "")
	w.m.cfg.Owner = everything(0)
	w.step()
	w.want("ledger", w.ledger(v))
}

// Daylight saving through the whole path: a skipped time runs right after the gap, a repeated one the first time only.
func TestMaterialise_ThroughDaylightSaving(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2027-03-27T12:00:00Z")
	v := w.create("night", "30 2 * * *", "Europe/Berlin")
	for _, at := range []string{"2027-03-28T00:59:45Z", "2027-03-28T01:30:00Z", "2027-03-29T00:29:45Z"} {
		w.set(at)
		w.step()
	}
	w.want("spring", w.ledger(v), "materialised 28 01:00:00", "materialised 29 00:30:00")
	w.set("2027-10-30T12:00:00Z")
	w.edit("night", func(d *Draft) { d.Rule.Cron = "30 2 * * 0,1" })
	for _, at := range []string{"2027-10-31T00:29:45Z", "2027-10-31T01:29:45Z", "2027-11-01T01:29:45Z"} {
		w.set(at)
		w.step()
	}
	got := w.ledger(v)
	w.want("autumn", got[len(got)-2:], "materialised 31 00:30:00", "materialised 01 01:30:00")
}
