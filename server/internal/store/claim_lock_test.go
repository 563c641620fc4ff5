package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// A change that ends the state a claim was decided under waits for the claims under way, whatever those wait for.
func TestClaim_UnderWay_HoldsUpWhatEndsItsState(t *testing.T) {
	t.Parallel()
	changes := []struct {
		name string
		do   func(a *admin, q *store.Queue) error
	}{
		{"pause", func(a *admin, q *store.Queue) error {
			next := *q
			next.Paused = true
			_, err := a.Store.ChangeQueue(context.Background(), next)
			return err
		}},
		// Has no turnstile: the lock on the partition's row alone holds it up.
		{"take-over", func(a *admin, _ *store.Queue) error {
			taken, err := a.Store.TakePartitions(context.Background(), "another node", time.Minute)
			if err == nil && len(taken) == 0 {
				a.t.Error("nothing was free to take over")
			}
			return err
		}},
	}
	for _, change := range changes {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			a := newAdmin(t)
			q := a.queue(a.acme, "mail", job.QueueSettings{})
			id := a.create(q, a.lane(q, "default"), 1)[0]
			state := a.config(q.Part)
			holder := a.Begin()
			holder.Exec("SELECT 1 FROM triggers WHERE part = $1 AND id = $2 FOR UPDATE", q.Part, [16]byte(id))
			claimed := make(chan int, 1)
			go func() { claimed <- len(a.claim(state, id)) }()
			a.AwaitBlocked(1)
			done := make(chan error, 1)
			go func() { done <- change.do(a, q) }()
			a.AwaitBlocked(2)
			select {
			case err := <-done:
				t.Fatalf("it answered (%v) while a claim was under way", err)
			default:
			}
			holder.Commit()
			if n := <-claimed; n != 1 {
				t.Errorf("the claim under way took %d jobs, want 1", n)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		})
	}
}
