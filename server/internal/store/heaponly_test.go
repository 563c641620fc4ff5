package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/pgdev"
	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// Claims and heartbeats of fresh rows leave the indexes alone. A claim makes a row longer by about 45 bytes: the smaller the
// payload, the more room a page needs for it.
func TestCommit_ClaimsAndHeartbeats_AreHeapOnly(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t, pgdev.Options{NoFsync: true})
	for _, payload := range []int{20, 200} {
		t.Run(fmt.Sprint(payload, " bytes"), func(t *testing.T) {
			db := storetest.New(t, storetest.OnServer(server.URL("postgres")))
			share := heapOnlyShare(t, db, payload)
			t.Logf("%.1f %% of claims and heartbeats were heap-only", 100*share)
			if share < 0.9 {
				t.Errorf("%.1f %% of claims and heartbeats were heap-only updates, want at least 90 %%", 100*share)
			}
		})
	}
}

// heapOnlyShare brings 20,000 jobs, made beforehand, through their life in batches of 500.
func heapOnlyShare(t *testing.T, db *storetest.DB, payload int) float64 {
	t.Helper()
	const batches, size = 40, 500
	e := newEngine(t, db)
	body := job.Body{Payload: job.Payload{Kind: job.Bytes, Data: make([]byte, payload)}}.Marshal()
	created := make([][]*store.Create, batches)
	for b := range created {
		for range size {
			created[b] = append(created[b], &store.Create{ID: job.NewID(time.Now(), 1), Lane: 1, Priority: 5, Age: time.Hour, Body: body})
		}
		e.commit(&store.HotTx{Creates: created[b]})
	}
	for _, batch := range created {
		cycle(e, batch)
	}
	e.Close() // connections tell their counts when they end
	const leaf = " FROM pg_stat_user_tables WHERE relname = 'triggers_p01'"
	for deadline := time.Now().Add(20 * time.Second); storetest.Value[int](db, "SELECT n_tup_upd"+leaf) < 2*batches*size; {
		if time.Now().After(deadline) {
			t.Fatalf("statistics tell of %d updates after 20 s, want %d", storetest.Value[int](db, "SELECT n_tup_upd"+leaf), 2*batches*size)
		}
	}
	return storetest.Value[float64](db, "SELECT n_tup_hot_upd::float8 / n_tup_upd"+leaf)
}

// cycle claims a batch, beats for it once and finishes it.
func cycle(e *engine, batch []*store.Create) {
	e.t.Helper()
	g := e.grants[1]
	claim := &store.ClaimBatch{Part: 1, Epoch: g.Epoch, Config: g.Config, ClaimID: time.Now().UnixNano()}
	for _, c := range batch {
		claim.Items = append(claim.Items, store.ClaimItem{ID: c.ID, Version: 1, Lease: minute, Timeout: time.Hour, Worker: "w"})
	}
	e.commit(&store.HotTx{Claims: []*store.ClaimBatch{claim}})
	if len(claim.Rows) != len(batch) {
		e.t.Fatalf("claimed %d of %d", len(claim.Rows), len(batch))
	}
	var beats []*store.Beat
	var ends []*store.Finish
	for i := range claim.Rows {
		token := claim.Rows[i].Token()
		beats = append(beats, &store.Beat{Token: token})
		ends = append(ends, &store.Finish{Token: token, Tenant: 1, From: job.Running, State: job.Succeeded,
			Outcome: job.OutcomeSucceeded, Retention: 7})
	}
	e.commit(&store.HotTx{Beats: beats})
	e.commit(&store.HotTx{Finishes: ends})
	if i := slices.IndexFunc(ends, func(f *store.Finish) bool { return !f.Done }); i >= 0 {
		e.t.Fatal(fmt.Sprint("not finished: ", ends[i].Token.ID))
	}
}
