package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// PartitionState is what a node knows of one partition.
type PartitionState struct {
	Part   int16
	Owner  string
	Epoch  int64
	Config int64
}

// TakePartitions makes node the owner of every partition that is free or whose owner's lease has run out.
func (s *Store) TakePartitions(ctx context.Context, node string, ttl time.Duration) ([]PartitionState, error) {
	return s.owned(ctx, "take_partitions", node, ttl)
}

// RenewPartitions extends node's ownership and answers what it owns; partitions that are missing were lost.
func (s *Store) RenewPartitions(ctx context.Context, node string, ttl time.Duration) ([]PartitionState, error) {
	return s.owned(ctx, "renew_partitions", node, ttl)
}

func (s *Store) owned(ctx context.Context, query, node string, ttl time.Duration) ([]PartitionState, error) {
	rows, err := s.control.Query(ctx, s.sql(query), node, ttl.Microseconds())
	if err != nil {
		return nil, classify(query, err, true)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (PartitionState, error) {
		p := PartitionState{Owner: node}
		err := row.Scan(&p.Part, &p.Epoch, &p.Config)
		return p, err
	})
	return list, classify(query, err, true)
}

// ReleasePartitions gives all of node's partitions up at once.
func (s *Store) ReleasePartitions(ctx context.Context, node string) error {
	_, err := s.control.Exec(ctx, s.sql("release_partitions"), node)
	return classify("release partitions", err, true)
}

// PartitionStates reads who owns what.
func (s *Store) PartitionStates(ctx context.Context) ([]PartitionState, error) {
	rows, err := s.control.Query(ctx, s.sql("partition_state"))
	if err != nil {
		return nil, classify("read partitions", err, false)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (PartitionState, error) {
		var p PartitionState
		err := row.Scan(&p.Part, &p.Owner, &p.Epoch, &p.Config)
		return p, err
	})
	return list, classify("read partitions", err, false)
}

// Contact reads the database's clock and the identity of its server.
func (s *Store) Contact(ctx context.Context) (now time.Time, identity string, err error) {
	err = s.control.QueryRow(ctx, s.sql("contact")).Scan(&now, &identity)
	return now.UTC(), identity, classify("contact database", err, false)
}
