package schedule

import (
	"context"
	"testing"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// lateLedger is a ledger where something happens between a plan and its storing, once.
type lateLedger struct {
	*store.Store
	between func()
}

func (l *lateLedger) Materialise(ctx context.Context, items []*store.Materialisation) ([]wheel.Entry, error) {
	if happen := l.between; happen != nil {
		l.between = nil
		happen()
	}
	return l.Store.Materialise(ctx, items)
}

// A plan that was made when nothing was alive is not stored behind a manual run: its first occurrence would meet that run.
func TestRun_BetweenAPlanAndItsStoring_LetsThePolicyDecide(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:35Z")
	v := w.overlapping("minutely", "* * * * *", SkipOverlap)
	w.m = w.node(&lateLedger{w.store, func() {
		if _, _, err := w.service.Run(t.Context(), RunCall{Tenant: "acme", Name: "minutely"}); err != nil {
			t.Error(err)
		}
	}})
	w.step()
	w.step()
	w.want("made", w.states(v), "12:00:35 pending", "12:01:00 blocked")
	w.lease(v)
	w.set("2026-12-01T12:01:00.1Z")
	w.decide()
	w.want("ledger", w.outcomes(v, store.FromRule), "12:01:00 skipped OVERLAP")
}
