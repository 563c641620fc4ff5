package store

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/tenancy"
)

const tenantColumns = `t.id, t.uid::text, t.name, t.display_name, t.auto_create_queues, t.revision, t.created_at`

func scanTenant(row pgx.Row) (tenancy.Tenant, error) {
	var t tenancy.Tenant
	var revision int64
	err := row.Scan(&t.ID, &t.UID, &t.Name, &t.DisplayName, &t.AutoCreateQueues, &revision, &t.CreateTime)
	t.CreateTime = t.CreateTime.UTC()
	if err == nil {
		t.Etag = etag(t.UID, revision)
	}
	return t, err
}

// etag names one state of one thing: that of an earlier thing of the same name is another one.
func etag(uid string, revision int64) string { return uid[:8] + "-" + strconv.FormatInt(revision, 10) }

// NewTenant is a tenant to be made.
type NewTenant struct {
	Name             string
	DisplayName      string
	AutoCreateQueues bool
	Request          *AdminRequest // nil: none
}

// CreateTenant makes a tenant. existing says that the request id was known and its tenant is answered. Errors: ErrExists,
// ErrRequestReused.
func (s *Store) CreateTenant(ctx context.Context, n NewTenant) (t tenancy.Tenant, existing bool, err error) {
	err = inTx(ctx, s.read, "create tenant", func(tx pgx.Tx) error {
		known, err := s.once(ctx, tx, n.Request, func() (string, error) {
			var err error
			t, err = scanTenant(tx.QueryRow(ctx, s.sql("create_tenant"), n.Name, n.DisplayName, n.AutoCreateQueues))
			return t.Name, noneMeans(err, ErrExists)
		})
		if err == nil && known != "" {
			existing = true
			t, err = scanTenant(tx.QueryRow(ctx, s.sql("tenant_by_name"), known))
		}
		return err
	})
	return t, existing, err
}

// noneMeans turns "no row" into the outcome that it stands for.
func noneMeans(err, outcome error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return outcome
	}
	return err
}

// TenantByName reads one tenant; ErrNotFound if there is none.
func (s *Store) TenantByName(ctx context.Context, name string) (tenancy.Tenant, error) {
	t, err := scanTenant(s.read.QueryRow(ctx, s.sql("tenant_by_name"), name))
	return t, classify("read tenant", err, false)
}

// TenantsByID reads tenants, in any order; missing ids are missing.
func (s *Store) TenantsByID(ctx context.Context, ids []int32) ([]tenancy.Tenant, error) {
	return listRows(ctx, s.read, "read tenants", s.sql("tenants_by_id"), scanTenant, ids)
}

// ListTenants reads the tenants behind the name after, in order of name.
func (s *Store) ListTenants(ctx context.Context, after string, limit int) ([]tenancy.Tenant, error) {
	return listRows(ctx, s.read, "list tenants", s.sql("list_tenants"), scanTenant, after, limit)
}
