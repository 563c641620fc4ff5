package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func deletion(q *store.Queue, force bool) store.QueueDeletion {
	return store.QueueDeletion{ID: q.ID, Tenant: q.Tenant, Part: q.Part, Revision: q.Revision, Force: force}
}

func TestDeleteQueue_RefusesWhileItHoldsJobs(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	ids := a.create(q, a.lane(q, "default"), 3)
	a.claim(a.config(q.Part), ids[0])
	before := a.config(q.Part).Config
	for _, c := range []struct {
		force bool
		want  store.InUseError
	}{{false, store.InUseError{Waiting: 2, Running: 1}}, {true, store.InUseError{Waiting: 2, Running: 1}}} {
		_, err := a.Store.DeleteQueue(t.Context(), deletion(q, c.force))
		var used *store.InUseError
		if !errors.As(err, &used) || *used != c.want {
			t.Errorf("force %v: %v, want %v", c.force, err, &c.want)
		}
	}
	if n := storetest.Value[int](a.DB, "SELECT count(*) FROM triggers"); n != 3 {
		t.Errorf("%d of 3 jobs are left after refusals", n)
	}
	if now := a.config(q.Part).Config; now != before {
		t.Errorf("refusals raised the configuration version from %d to %d", before, now)
	}
}

func TestDeleteQueue_ByForceCancelsWhatWaits(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	kept := a.queue(a.acme, "other", job.QueueSettings{})
	bystander := a.create(kept, a.lane(kept, "default"), 1)
	lane := a.lane(q, "default")
	ids := a.create(q, lane, 1200)
	ids = append(ids, a.create(q, a.lane(q, "more"), 1)...)
	// One of them has failed once: its attempt must not be lost.
	row := a.claim(a.config(q.Part), ids[0])[0]
	back := &store.Return{Token: row.Token(), Outcome: job.OutcomeFailed, Error: "boom", Wait: time.Hour}
	if err := a.Store.Commit(t.Context(), &store.HotTx{Returns: []*store.Return{back}}); err != nil || !back.Done {
		t.Fatalf("give back: %v, %v", back.Done, err)
	}
	gone, err := a.Store.DeleteQueue(t.Context(), deletion(q, true))
	if err != nil || !gone.Queue.Deleted || gone.Config != a.config(q.Part).Config {
		t.Fatalf("deleted %+v (%v)", gone, err)
	}
	ended, err := a.Store.EndedJobs(t.Context(), ids)
	if err != nil || len(ended) != len(ids) {
		t.Fatalf("%d of %d jobs are in history (%v)", len(ended), len(ids), err)
	}
	first := ended[ids[0]]
	if first.State != job.Cancelled || first.Reason != job.ReasonQueueDeleted || first.Version != back.Version+1 ||
		len(first.Attempts) != 1 || first.Attempts[0].Error != "boom" || first.Lane != lane.Number {
		t.Errorf("a cancelled job is %+v", first)
	}
	if n := storetest.Value[int](a.DB, "SELECT count(*) FROM attempts"); n != 0 {
		t.Errorf("%d attempts of cancelled jobs are left", n)
	}
	if live, err := a.Store.LiveJobs(t.Context(), bystander); err != nil || len(live) != 1 {
		t.Errorf("the job of another queue: %v (%v)", live, err)
	}
	_, err = a.Store.QueueByName(t.Context(), a.acme.ID, "mail")
	wantIs(t, err, store.ErrNotFound)
	_, err = a.Store.EnsureLane(t.Context(), q.ID, "new")
	wantIs(t, err, store.ErrNotFound)
	_, err = a.Store.DeleteQueue(t.Context(), deletion(q, true))
	wantIs(t, err, store.ErrConflict)
	again := a.queue(a.acme, "mail", job.QueueSettings{})
	if again.UID == q.UID || again.Etag() == q.Etag() {
		t.Errorf("the new queue of the name is taken for the old one: %+v", again)
	}
	if old, err := a.Store.QueuesByID(t.Context(), []int32{q.ID}); err != nil || len(old) != 1 || !old[0].Deleted {
		t.Errorf("the deleted queue reads as %+v (%v)", old, err)
	}
}

func TestDeleteQueue_OfManyJobsGoesInChunks(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	lane := a.lane(q, "default")
	const n = 12_345
	a.Exec(`INSERT INTO triggers (part, id, priority, lane, due_at, scheduled_at, age_until, body)
		SELECT $1, gen_random_uuid(), 5, $2, now() + n * interval '1 second', now(), now() + interval '30 days', '\x01'
		FROM generate_series(1, $3::int) AS n`, q.Part, lane.Number, n)
	if _, err := a.Store.DeleteQueue(t.Context(), deletion(q, true)); err != nil {
		t.Fatal(err)
	}
	moved := storetest.Value[int](a.DB, "SELECT count(DISTINCT id) FROM history WHERE retention = 7 AND state = 6")
	if left := storetest.Value[int](a.DB, "SELECT count(*) FROM triggers"); moved != n || left != 0 {
		t.Errorf("%d of %d are in history, %d are left", moved, n, left)
	}
	// One that was created through a node that had not heard of it.
	late := a.create(q, lane, 1)
	if n, err := a.Store.CancelWaiting(t.Context(), deletion(q, true), 100); n != 1 || err != nil {
		t.Errorf("cancelled %d late jobs (%v)", n, err)
	}
	if ended, err := a.Store.EndedJobs(t.Context(), late); err != nil || len(ended) != 1 {
		t.Errorf("the late job: %v (%v)", ended, err)
	}
}

func TestDeleteQueue_WaitsForClaimsUnderWay(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	q := a.queue(a.acme, "mail", job.QueueSettings{})
	ids := a.create(q, a.lane(q, "default"), 1)
	claiming := a.Begin()
	claiming.Exec("SELECT 1 FROM partitions WHERE part = $1 FOR KEY SHARE", q.Part)
	deleted := make(chan error, 1)
	go func() {
		_, err := a.Store.DeleteQueue(t.Context(), deletion(q, true))
		deleted <- err
	}()
	a.AwaitBlocked(1)
	claiming.Exec(`UPDATE triggers SET state = 2, claim_id = 1, claimed_at = now(), lease_us = 1, lease_until = now(),
		attempt_until = now() WHERE id = $1`, [16]byte(ids[0]))
	claiming.Commit()
	var used *store.InUseError
	if err := <-deleted; !errors.As(err, &used) || used.Running != 1 {
		t.Errorf("a queue with a job that has just been leased was deleted: %v", err)
	}
}
