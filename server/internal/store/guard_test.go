package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// ends are a heartbeat and all ways to end an attempt under a token, and what became of each.
func (e *engine) ends(tok job.Token, onlyExpired bool) map[string]bool {
	e.t.Helper()
	beat := &store.Beat{Token: tok}
	finish := &store.Finish{Token: tok, Tenant: 1, From: job.Running, OnlyExpired: onlyExpired, State: job.Succeeded, Retention: 7}
	back := &store.Return{Token: tok, OnlyExpired: onlyExpired, Outcome: job.OutcomeFailed}
	done := map[string]bool{}
	if !onlyExpired {
		e.commit(&store.HotTx{Beats: []*store.Beat{beat}})
		done["heartbeat"] = beat.Held
	}
	e.commit(&store.HotTx{Returns: []*store.Return{back}})
	done["return"] = back.Done
	e.commit(&store.HotTx{Finishes: []*store.Finish{finish}})
	done["finish"] = finish.Done
	return done
}

func (e *engine) wantRunning(tok job.Token) {
	e.t.Helper()
	rows, err := e.LiveJobs(context.Background(), []job.ID{tok.ID})
	if row := rows[tok.ID]; err != nil || row.State != job.Running || row.Token() != tok {
		e.t.Errorf("the lease %+v is not running any more: %+v, %v", tok, row, err)
	}
}

// Promise 3: while a lease runs, the tokens of earlier ones are worth nothing, nor is one with another claim.
func TestCommit_UnderAnotherToken_ChangesNothing(t *testing.T) {
	t.Parallel()
	e := newEngine(t, storetest.New(t))
	c := e.create(0)
	first := e.claim(c.ID, 1, minute)[0].Token()
	e.commit(&store.HotTx{Returns: []*store.Return{{Token: first, Outcome: job.OutcomeReleased, Uncounted: true}}})
	running := e.claim(c.ID, 3, minute)[0].Token()
	forged := running
	forged.ClaimID++
	for name, tok := range map[string]job.Token{"of an earlier lease": first, "with another claim": forged} {
		for what, done := range e.ends(tok, false) {
			if done {
				t.Errorf("%s with a token %s took effect", what, name)
			}
		}
		e.wantRunning(running)
	}
}

// Rescue is a guard in the row, whatever the memory of a node says.
func TestCommit_Rescue_LeavesALeaseThatHoldsAlone(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	e := newEngine(t, db)
	c := e.create(0)
	tok := e.claim(c.ID, 1, minute)[0].Token()
	for what, done := range e.ends(tok, true) {
		if done {
			t.Errorf("a rescue by %s ended a lease with a minute left", what)
		}
	}
	e.wantRunning(tok)
	db.Advance(minute + time.Second)
	if done := e.ends(tok, true); !done["return"] {
		t.Error("an expired lease was not rescued")
	}
}
