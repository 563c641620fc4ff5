package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// NewPlatformKey is a platform key to be made without the API.
type NewPlatformKey struct {
	DisplayName string
	TTL         time.Duration // 0: for ever
}

// CreatePlatformKey writes a key of the platform straight into a migrated database and returns its secret. The first
// key has to be made so: every call of the API needs one. Who can write to the database may do everything anyway.
func CreatePlatformKey(ctx context.Context, databaseURL string, key NewPlatformKey) (secret string, err error) {
	db, err := store.Open(ctx, store.Config{URL: databaseURL})
	if err != nil {
		return "", err
	}
	defer db.Close()
	return newPlatformKey(ctx, db, key)
}

// EnsurePlatformKey returns the secret of a platform key that the migrated database accepts: the given one if it can
// be, else a new one. A given secret whose key the database has never seen is stored there, so that one secret stays
// good over several databases. It may be empty.
func EnsurePlatformKey(ctx context.Context, databaseURL, secret string) (inForce string, err error) {
	db, err := store.Open(ctx, store.Config{URL: databaseURL})
	if err != nil {
		return "", err
	}
	defer db.Close()
	const name = "belfry dev"
	given, err := tenancy.ParseSecret(secret)
	if err != nil {
		return newPlatformKey(ctx, db, NewPlatformKey{DisplayName: name})
	}
	key, err := db.KeyByID(ctx, given.KeyID().String())
	switch {
	case errors.Is(err, tenancy.ErrKeyNotFound):
		return secret, storePlatformKey(ctx, db, given, NewPlatformKey{DisplayName: name})
	case err != nil:
		return "", err
	case key.TenantID != 0 || key.RevokeTime != nil || key.ExpireTime != nil || !given.Matches(key.Hash):
		return newPlatformKey(ctx, db, NewPlatformKey{DisplayName: name})
	}
	return secret, nil
}

func newPlatformKey(ctx context.Context, db *store.Store, key NewPlatformKey) (string, error) {
	now, err := db.Now(ctx)
	if err != nil {
		return "", err
	}
	secret := tenancy.NewSecret(tenancy.NewKeyID(now))
	if err := storePlatformKey(ctx, db, secret, key); err != nil {
		return "", err
	}
	return secret.Reveal(), nil
}

func storePlatformKey(ctx context.Context, db *store.Store, secret tenancy.Secret, key NewPlatformKey) error {
	_, _, err := db.CreateKey(ctx, store.NewKey{ID: secret.KeyID(), DisplayName: key.DisplayName, Scopes: tenancy.Platform,
		Hash: secret.Hash(), TTL: key.TTL})
	if err != nil {
		return fmt.Errorf("store platform key: %w", err)
	}
	return nil
}
