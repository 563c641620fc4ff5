package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/tenancy"
)

const keyColumns = `k.id, k.tenant, coalesce((SELECT n.name FROM tenants AS n WHERE n.id = k.tenant), ''), k.display_name,
       k.scopes, k.hash, k.created_at, k.expires_at, k.revoked_at`

func scanKey(row pgx.Row) (tenancy.Key, error) {
	var k tenancy.Key
	var id [16]byte
	var hash []byte
	var expires, revoked *time.Time
	err := row.Scan(&id, &k.TenantID, &k.TenantName, &k.DisplayName, &k.Scopes, &hash, &k.CreateTime, &expires, &revoked)
	if err != nil {
		return k, err
	}
	if copy(k.Hash[:], hash) != len(k.Hash) {
		return k, fmt.Errorf("BUG: hash of key %s has %d bytes", tenancy.KeyID(id), len(hash))
	}
	k.ID, k.CreateTime = tenancy.KeyID(id).String(), k.CreateTime.UTC()
	k.ExpireTime, k.RevokeTime = inUTC(expires), inUTC(revoked)
	return k, nil
}

func inUTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}

// NewKey is an API key to be made.
type NewKey struct {
	ID          tenancy.KeyID
	Tenant      int32 // 0: the platform
	DisplayName string
	Scopes      tenancy.Scope
	Hash        [32]byte
	TTL         time.Duration // 0: for ever
	Request     *AdminRequest // nil: none
}

// CreateKey stores a key. existing says that the request id was known: the answer is the key made then, whose secret
// nobody can have again. Errors: ErrRequestReused.
func (s *Store) CreateKey(ctx context.Context, n NewKey) (k tenancy.Key, existing bool, err error) {
	err = inTx(ctx, s.read, "create API key", func(tx pgx.Tx) error {
		known, err := s.once(ctx, tx, n.Request, func() (string, error) {
			var err error
			k, err = scanKey(tx.QueryRow(ctx, s.sql("create_key"), [16]byte(n.ID), n.Tenant, n.DisplayName, int32(n.Scopes),
				n.Hash[:], optionalMicros(n.TTL)))
			return n.ID.String(), noneMeans(err, ErrExists)
		})
		if err != nil || known == "" {
			return err
		}
		existing = true
		id, err := tenancy.ParseKeyID(known)
		if err != nil {
			return fmt.Errorf("BUG: request id of no key: %w", err)
		}
		k, err = scanKey(tx.QueryRow(ctx, s.sql("key_by_id"), [16]byte(id)))
		return err
	})
	return k, existing, err
}

// KeyByID implements tenancy.KeyStore. It must get through when reads are many: nobody is let in without it.
func (s *Store) KeyByID(ctx context.Context, id string) (tenancy.Key, error) {
	parsed, err := tenancy.ParseKeyID(id)
	if err != nil {
		return tenancy.Key{}, tenancy.ErrKeyNotFound
	}
	k, err := scanKey(s.control.QueryRow(ctx, s.sql("key_by_id"), [16]byte(parsed)))
	if errors.Is(err, pgx.ErrNoRows) {
		return k, tenancy.ErrKeyNotFound
	}
	return k, classify("read API key", err, false)
}

// ListKeys reads the keys of a tenant (0: the platform) that are older than before, newest first. The zero KeyID means
// from the newest on.
func (s *Store) ListKeys(ctx context.Context, tenant int32, before tenancy.KeyID, limit int) ([]tenancy.Key, error) {
	if before == (tenancy.KeyID{}) {
		for i := range before {
			before[i] = 0xff
		}
	}
	return listRows(ctx, s.read, "list API keys", s.sql("list_keys"), scanKey, tenant, [16]byte(before), limit)
}

// RevokeKey ends a key of the tenant (0: the platform); ErrNotFound if it has none of that id. Repeating it changes
// nothing.
func (s *Store) RevokeKey(ctx context.Context, tenant int32, id tenancy.KeyID) (tenancy.Key, error) {
	k, err := scanKey(s.read.QueryRow(ctx, s.sql("revoke_key"), tenant, [16]byte(id)))
	return k, classify("revoke API key", err, true)
}
