package server

import (
	"context"
	"time"

	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/store"
)

// registry lets the cluster keep its ownership in the store.
type registry struct{ store *store.Store }

func (r registry) Take(ctx context.Context, node string, ttl time.Duration) ([]cluster.Grant, error) {
	return grants(r.store.TakePartitions(ctx, node, ttl))
}

func (r registry) Renew(ctx context.Context, node string, ttl time.Duration) ([]cluster.Grant, error) {
	return grants(r.store.RenewPartitions(ctx, node, ttl))
}

func (r registry) Release(ctx context.Context, node string) error {
	return r.store.ReleasePartitions(ctx, node)
}

func (r registry) Contact(ctx context.Context) (time.Time, string, error) {
	return r.store.Contact(ctx)
}

func grants(states []store.PartitionState, err error) ([]cluster.Grant, error) {
	list := make([]cluster.Grant, len(states))
	for i, p := range states {
		list[i] = cluster.Grant{Part: p.Part, Epoch: p.Epoch, Config: p.Config}
	}
	return list, err
}
