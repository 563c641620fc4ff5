package store_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

const minute = time.Minute

// engine is a store whose partitions this test owns.
type engine struct {
	*store.Store
	t      *testing.T
	grants map[int16]store.PartitionState
}

func newEngine(t *testing.T, db *storetest.DB) *engine {
	t.Helper()
	e := &engine{Store: db.Store, t: t, grants: map[int16]store.PartitionState{}}
	grants, err := e.TakePartitions(context.Background(), "test", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range grants {
		e.grants[g.Part] = g
	}
	return e
}

func (e *engine) commit(tx *store.HotTx) {
	e.t.Helper()
	if err := e.Commit(context.Background(), tx); err != nil {
		e.t.Fatal(err)
	}
}

func (e *engine) create(delay time.Duration) *store.Create {
	e.t.Helper()
	c := &store.Create{ID: job.NewID(time.Now(), 1), Lane: 1, Priority: 5, Delay: delay, Age: 24 * time.Hour,
		Body: job.Body{Payload: job.Payload{Kind: job.Text, Data: []byte("hello")}}.Marshal()}
	e.commit(&store.HotTx{Creates: []*store.Create{c}})
	if !c.Stored {
		e.t.Fatal("job was not stored")
	}
	return c
}

func (e *engine) claim(id job.ID, version int64, lease time.Duration) []store.Live {
	e.t.Helper()
	g := e.grants[id.Part()]
	c := &store.ClaimBatch{Part: id.Part(), Epoch: g.Epoch, Config: g.Config, ClaimID: rand.Int64(),
		Items: []store.ClaimItem{{ID: id, Version: version, Lease: lease, Timeout: time.Hour, Worker: "w"}}}
	e.commit(&store.HotTx{Claims: []*store.ClaimBatch{c}})
	return c.Rows
}

func TestCommit_ClaimFinish_MovesTheJobToHistory(t *testing.T) {
	t.Parallel()
	e := newEngine(t, storetest.New(t))
	c := e.create(0)
	rows := e.claim(c.ID, 1, minute)
	if len(rows) != 1 || rows[0].Version != 2 || rows[0].Attempt != 1 || rows[0].State != job.Running {
		t.Fatalf("claim: %+v", rows)
	}
	if again := e.claim(c.ID, 1, minute); len(again) != 0 {
		t.Fatalf("a second claim of the same version won: %+v", again)
	}
	tok := rows[0].Token()
	beat := &store.Beat{Token: tok}
	e.commit(&store.HotTx{Beats: []*store.Beat{beat}})
	if !beat.Held || beat.Remaining <= 0 || beat.Remaining > minute {
		t.Fatalf("heartbeat: %+v", beat)
	}
	fin := &store.Finish{Token: tok, Tenant: 1, From: job.Running, State: job.Succeeded, Outcome: job.OutcomeSucceeded, Retention: 7}
	e.commit(&store.HotTx{Finishes: []*store.Finish{fin}})
	if !fin.Done {
		t.Fatal("finish did not take effect")
	}
	ended, err := e.EndedJobs(context.Background(), []job.ID{c.ID})
	if err != nil || ended[c.ID].Version != 3 || ended[c.ID].State != job.Succeeded || ended[c.ID].ClaimID != tok.ClaimID {
		t.Fatalf("history: %+v, %v", ended[c.ID], err)
	}
	live, err := e.LiveJobs(context.Background(), []job.ID{c.ID})
	if err != nil || len(live) != 0 {
		t.Fatalf("the trigger is still there: %+v, %v", live, err)
	}
	again := &store.Finish{Token: tok, Tenant: 1, From: job.Running, State: job.Succeeded, Retention: 7}
	e.commit(&store.HotTx{Finishes: []*store.Finish{again}})
	if again.Done {
		t.Fatal("the second finish took effect")
	}
}

func TestCommit_Claim_NeverEarly(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	e := newEngine(t, db)
	c := e.create(time.Hour)
	if rows := e.claim(c.ID, 1, minute); len(rows) != 0 {
		t.Fatalf("claimed an hour early: %+v", rows)
	}
}

func TestCommit_Claim_NeedsTheEpochAndTheConfiguration(t *testing.T) {
	t.Parallel()
	e := newEngine(t, storetest.New(t))
	c := e.create(0)
	g := e.grants[1]
	e.grants[1] = store.PartitionState{Part: 1, Epoch: g.Epoch - 1, Config: g.Config}
	if rows := e.claim(c.ID, 1, minute); len(rows) != 0 {
		t.Fatal("a former owner's claim won")
	}
	e.grants[1] = store.PartitionState{Part: 1, Epoch: g.Epoch, Config: g.Config - 1}
	if rows := e.claim(c.ID, 1, minute); len(rows) != 0 {
		t.Fatal("a claim under an old configuration won")
	}
}

func TestCommit_Return_RecordsTheAttempt(t *testing.T) {
	t.Parallel()
	e := newEngine(t, storetest.New(t))
	c := e.create(0)
	tok := e.claim(c.ID, 1, minute)[0].Token()
	ret := &store.Return{Token: tok, Outcome: job.OutcomeFailed, Error: "boom"}
	e.commit(&store.HotTx{Returns: []*store.Return{ret}})
	if !ret.Done || ret.Version != 3 {
		t.Fatalf("return: %+v", ret)
	}
	receipts, err := e.Receipts(context.Background(), []job.Token{tok})
	if err != nil || receipts[c.ID].Outcome != job.OutcomeFailed {
		t.Fatalf("receipt: %+v, %v", receipts, err)
	}
	second := e.claim(c.ID, 3, minute)[0]
	if second.Attempt != 2 || second.Leases != 2 {
		t.Fatalf("second attempt: %+v", second)
	}
	fin := &store.Finish{Token: second.Token(), Tenant: 1, From: job.Running, State: job.Dead, Outcome: job.OutcomeFailed,
		Reason: job.ReasonMaxAttempts, Error: "boom again", Retention: 30}
	e.commit(&store.HotTx{Finishes: []*store.Finish{fin}})
	ended, err := e.EndedJobs(context.Background(), []job.ID{c.ID})
	if err != nil || len(ended[c.ID].Attempts) != 1 || ended[c.ID].Attempts[0].Error != "boom" || string(ended[c.ID].Body) != string(c.Body) {
		t.Fatalf("history: %+v, %v", ended[c.ID], err)
	}
	left, err := e.Attempts(context.Background(), c.ID)
	if err != nil || len(left) != 0 {
		t.Fatalf("attempts left behind: %+v, %v", left, err)
	}
}

func TestCommit_RequestID_MakesOneJob(t *testing.T) {
	t.Parallel()
	e := newEngine(t, storetest.New(t))
	key, part := job.HashRequest("CreateJob", 1, "r-1", e.Partitions())
	make1 := func() *store.Create {
		return &store.Create{ID: job.NewID(time.Now(), 1), Lane: 1, Age: minute, Body: []byte{1},
			Request: &store.RequestKey{Part: part, Key: key, Fingerprint: 7}}
	}
	first, second := make1(), make1()
	e.commit(&store.HotTx{Creates: []*store.Create{first}})
	e.commit(&store.HotTx{Creates: []*store.Create{second}})
	if !first.Stored || second.Stored {
		t.Fatalf("stored: %v, %v", first.Stored, second.Stored)
	}
	known, err := e.Requests(context.Background(), []*store.RequestKey{first.Request})
	if err != nil || known[key].Job != first.ID || known[key].Fingerprint != 7 {
		t.Fatalf("known request: %+v, %v", known, err)
	}
}

func TestOutstandingLeases_FindsWhatIsRunning(t *testing.T) {
	t.Parallel()
	e := newEngine(t, storetest.New(t))
	kept, ended := e.create(0), e.create(0)
	tok := e.claim(kept.ID, 1, minute)[0].Token()
	done := e.claim(ended.ID, 1, minute)[0].Token()
	e.commit(&store.HotTx{Finishes: []*store.Finish{{Token: done, Tenant: 1, From: job.Running, State: job.Succeeded, Retention: 7}}})
	leases, err := e.OutstandingLeases(context.Background(), 1)
	if err != nil || len(leases) != 1 || leases[0].Token.ID != kept.ID || leases[0].Token.ClaimID != tok.ClaimID {
		t.Fatalf("leases: %+v, %v", leases, err)
	}
	if left := leases[0].Left; left <= 0 || left > minute {
		t.Fatalf("left: %s", left)
	}
}

func TestLoad_WindowAndLanePages(t *testing.T) {
	t.Parallel()
	e := newEngine(t, storetest.New(t))
	soon, later := e.create(0), e.create(time.Hour)
	now, err := e.Now(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	w := &store.Window{Part: 1, From: now.Add(-minute), To: now.Add(minute), Limit: 10}
	if _, err := e.Load(context.Background(), []*store.Window{w}, 10); err != nil {
		t.Fatal(err)
	}
	if len(w.Entries) != 1 || w.Entries[0].ID != soon.ID || w.Entries[0].Version != 1 || w.Entries[0].Size != uint32(len(soon.Body)) {
		t.Fatalf("window: %+v", w.Entries)
	}
	lanes, err := e.Lanes(context.Background(), 1)
	if err != nil || len(lanes) != 1 || lanes[0] != 1 {
		t.Fatalf("lanes: %v, %v", lanes, err)
	}
	page, err := e.LoadLane(context.Background(), store.LanePage{Part: 1, Lane: 1, Until: now.Add(2 * time.Hour), Limit: 10})
	if err != nil || len(page) != 2 || page[1].ID != later.ID {
		t.Fatalf("page: %+v, %v", page, err)
	}
	rest, err := e.LoadLane(context.Background(), store.LanePage{Part: 1, Lane: 1, Priority: 5, Due: later.Due, ID: later.ID,
		Until: now.Add(2 * time.Hour), Limit: 10})
	if err != nil || len(rest) != 1 {
		t.Fatalf("page from a position: %+v, %v", rest, err)
	}
}
