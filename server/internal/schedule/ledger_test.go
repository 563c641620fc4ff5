package schedule

import (
	"testing"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// cancelBlocked cancels the blocked jobs of a schedule by the statement that does so.
func (w *world) cancelBlocked(v View) {
	w.t.Helper()
	for _, id := range storetest.Column[[16]byte](w.db, "SELECT id FROM triggers WHERE schedule = $1 AND state = 3", v.ID) {
		live, err := w.store.LiveJobs(w.t.Context(), []job.ID{id})
		if err != nil {
			w.t.Fatal(err)
		}
		row := live[id]
		f := &store.Finish{Token: row.Token(), Tenant: w.tenant.ID, From: job.Blocked, State: job.Cancelled, Reason: job.ReasonCancelled, Retention: 7}
		if err := w.store.Commit(w.t.Context(), &store.HotTx{Finishes: []*store.Finish{f}}); err != nil || !f.Done {
			w.t.Fatalf("cancel: %v, done %v", err, f.Done)
		}
	}
}

// What waits and is cancelled waits no more, in the ledger neither.
func TestOccurrences_OfACancelledJobThatWaited_DoNotSayThatItWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T11:59:40Z")
	v := w.overlapping("minutely", "* * * * *", BufferOne)
	w.step()
	w.set("2026-12-01T12:00:00.2Z")
	w.lease(v)
	w.set("2026-12-01T12:00:45Z")
	w.step()
	w.set("2026-12-01T12:01:00.2Z")
	w.decide()
	w.want("while it waits", w.outcomes(v, store.FromRule), "12:00:00 fired", "12:01:00 blocked")
	w.set("2026-12-01T12:01:10Z")
	w.cancelBlocked(v)
	w.decide()
	w.want("cancelled", w.outcomes(v, store.FromRule), "12:00:00 fired", "12:01:00 skipped CANCEL_REQUESTED")
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM blocked_jobs"); n != 0 {
		t.Errorf("%d rows of jobs that are gone", n)
	}
}
