package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// Queue is one state of a queue. Nobody changes it once it has been handed out; times are UTC.
type Queue struct {
	ID          int32
	Tenant      int32
	TenantName  string
	Name        string
	UID         string // differs from that of an earlier queue of the same name
	Part        int16
	Settings    job.QueueSettings
	Paused      bool
	PauseReason string
	Revision    int64 // raised by every change
	CreateTime  time.Time
	UpdateTime  time.Time
	Deleted     bool
}

// Etag names this state of this queue.
func (q *Queue) Etag() string { return etag(q.UID, q.Revision) }

const queueColumns = `q.id, q.tenant, t.name, q.name, q.uid::text, q.part, q.settings, q.paused, q.pause_reason, q.revision,
       q.created_at, q.updated_at, q.deleted_at IS NOT NULL`

func scanQueue(row pgx.Row) (*Queue, error) {
	var q Queue
	var settings []byte
	err := row.Scan(&q.ID, &q.Tenant, &q.TenantName, &q.Name, &q.UID, &q.Part, &settings, &q.Paused, &q.PauseReason,
		&q.Revision, &q.CreateTime, &q.UpdateTime, &q.Deleted)
	if err != nil {
		return nil, err
	}
	q.CreateTime, q.UpdateTime = q.CreateTime.UTC(), q.UpdateTime.UTC()
	if err := json.Unmarshal(settings, &q.Settings); err != nil {
		return nil, fmt.Errorf("BUG: settings of queue %d: %w", q.ID, err)
	}
	return &q, nil
}

// NewQueue is a queue to be made.
type NewQueue struct {
	Tenant     int32
	TenantName string
	Name       string
	Settings   job.QueueSettings
	Request    *AdminRequest // nil: none
}

// CreateQueue makes a queue, and the history tables of its retention. existing says that the request id was known and its
// queue is answered, which may have been deleted since (Deleted). Errors: ErrExists, ErrRequestReused.
func (s *Store) CreateQueue(ctx context.Context, n NewQueue) (q *Queue, existing bool, err error) {
	settings, err := json.Marshal(n.Settings)
	if err != nil {
		return nil, false, fmt.Errorf("BUG: settings of queue %s: %w", n.Name, err)
	}
	create := func(tx pgx.Tx) (*Queue, int32, error) {
		if err := s.makeRetention(ctx, tx, n.Settings); err != nil {
			return nil, 0, err
		}
		made, err := scanQueue(tx.QueryRow(ctx, s.sql("create_queue"), n.Tenant, n.Name,
			job.PartOf(n.TenantName, n.Name, s.parts), settings))
		if err != nil {
			return nil, 0, err
		}
		return made, made.ID, nil
	}
	return onceByID(ctx, s, "create queue", n.Request, numbered[*Queue]{create, func(tx pgx.Tx, id int32) (*Queue, error) {
		return scanQueue(tx.QueryRow(ctx, s.sql("queues_by_id"), []int32{id}))
	}})
}

// makeRetention makes the history tables that a queue's jobs will go to.
func (s *Store) makeRetention(ctx context.Context, tx pgx.Tx, settings job.QueueSettings) error {
	class := settings.RetentionDays
	if class == 0 {
		return nil // the default's always exist
	}
	var now time.Time
	if err := tx.QueryRow(ctx, s.sql("clock")).Scan(&now); err != nil {
		return fmt.Errorf("read database clock: %w", err)
	}
	return s.makeHistory(ctx, tx, now, []int16{class})
}

// QueueByName reads a queue of a tenant; ErrNotFound if it has none of that name.
func (s *Store) QueueByName(ctx context.Context, tenant int32, name string) (*Queue, error) {
	q, err := scanQueue(s.read.QueryRow(ctx, s.sql("queue_by_name"), tenant, name))
	return q, classify("read queue", err, false)
}

// QueuesByID reads queues, deleted ones too, in any order; missing ids are missing.
func (s *Store) QueuesByID(ctx context.Context, ids []int32) ([]*Queue, error) {
	return listRows(ctx, s.read, "read queues", s.sql("queues_by_id"), scanQueue, ids)
}

// ListQueues reads a tenant's queues behind the name after, in order of name.
func (s *Store) ListQueues(ctx context.Context, tenant int32, after string, limit int) ([]*Queue, error) {
	return listRows(ctx, s.read, "list queues", s.sql("list_queues"), scanQueue, tenant, after, limit)
}

// QueueNames reads the names of a tenant's queues, at most limit, in order.
func (s *Store) QueueNames(ctx context.Context, tenant int32, limit int) ([]string, error) {
	return listRows(ctx, s.read, "read queue names", s.sql("queue_names"), func(row pgx.Row) (string, error) {
		var name string
		err := row.Scan(&name)
		return name, err
	}, tenant, limit)
}

// QueueChange is a change of a queue that has been committed.
type QueueChange struct {
	Queue  *Queue
	Config int64 // the configuration version of its partition that stands for it
}

// ChangeQueue stores the settings and the pause of q, provided that its revision is still the stored one, else
// ErrConflict. When it has answered, no claim that was decided under the former state commits any more: it raises the
// partition's configuration version, on which claims hold a lock that conflicts.
func (s *Store) ChangeQueue(ctx context.Context, q Queue) (c QueueChange, err error) {
	settings, err := json.Marshal(q.Settings)
	if err != nil {
		return c, fmt.Errorf("BUG: settings of queue %s: %w", q.Name, err)
	}
	err = inTx(ctx, s.read, "change queue", func(tx pgx.Tx) error {
		if err := s.makeRetention(ctx, tx, q.Settings); err != nil {
			return err
		}
		if c.Config, err = s.raiseConfig(ctx, tx, q.Part); err != nil {
			return err
		}
		c.Queue, err = scanQueue(tx.QueryRow(ctx, s.sql("change_queue"), q.ID, q.Revision, settings, q.Paused, q.PauseReason))
		return noneMeans(err, ErrConflict)
	})
	return c, err
}

// raiseConfig waits for the claims under way in a partition, and makes those that follow fail until their node has read
// the partition's queues again.
func (s *Store) raiseConfig(ctx context.Context, tx pgx.Tx, part int16) (version int64, err error) {
	if _, err = tx.Exec(ctx, s.sql("take_turn"), part); err != nil {
		return 0, fmt.Errorf("wait for claims under way: %w", err)
	}
	if err = tx.QueryRow(ctx, s.sql("raise_config"), part).Scan(&version); err != nil {
		err = fmt.Errorf("raise configuration version: %w", err)
	}
	return version, err
}
