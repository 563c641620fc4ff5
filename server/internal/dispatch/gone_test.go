package dispatch

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
)

// A caller that goes while its claim is in flight: the job it would have got is ready again at once, and nothing is counted.
func TestLease_WhoseCallerGoesDuringTheClaim_IsGivenBack(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.make(quick)
	holder := r.db.Begin()
	holder.Exec("SELECT 1 FROM triggers WHERE part = $1 AND id = $2 FOR UPDATE", id.Part(), [16]byte(id))
	ctx, leave := context.WithCancel(context.Background())
	gone := make(chan error, 1)
	go func() {
		_, err := r.Lease(ctx, LeaseCall{Tenants: []int32{1}, Max: 1, MaxBytes: 1 << 20, Wait: time.Hour, Lease: time.Minute, Worker: "w"})
		gone <- err
	}()
	r.db.AwaitBlocked(1)
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Fatalf("the call of a caller that is gone: %v", err)
	}
	holder.Commit()
	for deadline := time.Now().Add(10 * time.Second); ; {
		rows, err := r.store.LiveJobs(context.Background(), []job.ID{id})
		if err != nil {
			t.Fatal(err)
		}
		if row := rows[id]; row.State == job.Pending && row.Version == 3 {
			if row.Attempt != 0 || row.Releases != 1 || row.Due.After(row.Now) {
				t.Errorf("given back as %+v, want no attempt, one release, due now", row)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not given back: %+v", rows[id])
		}
	}
}
