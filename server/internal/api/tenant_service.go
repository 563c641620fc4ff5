package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// Tenants keeps tenants and their keys; store.Store is the real one.
type Tenants interface {
	CreateTenant(ctx context.Context, n store.NewTenant) (t tenancy.Tenant, existing bool, err error)
	TenantByName(ctx context.Context, name string) (tenancy.Tenant, error)
	ListTenants(ctx context.Context, after string, limit int) ([]tenancy.Tenant, error)
	CreateKey(ctx context.Context, n store.NewKey) (k tenancy.Key, existing bool, err error)
	ListKeys(ctx context.Context, tenant int32, before tenancy.KeyID, limit int) ([]tenancy.Key, error)
	RevokeKey(ctx context.Context, tenant int32, id tenancy.KeyID) (tenancy.Key, error)
}

// TenantNames is what this node remembers of tenants; catalog.Catalog is the real one.
type TenantNames interface {
	Tenant(ctx context.Context, name string) (tenancy.Tenant, error)
	AddTenant(t tenancy.Tenant)
}

// TenantConfig is what a TenantService is made of; all fields are required.
type TenantConfig struct {
	Tenants Tenants
	Names   TenantNames
	// Now tells the database's time as well as this node knows it: ids of keys sort by it.
	Now func() time.Time
	// Forget drops what this node has cached of a key; tenancy.Authenticator has it.
	Forget func(keyID string)
}

// TenantService implements belfry.v1.TenantService. Its requests have passed the Edge. Safe for concurrent use.
type TenantService struct{ TenantConfig }

// NewTenantService returns a TenantService of config.
func NewTenantService(config TenantConfig) *TenantService { return &TenantService{config} }

// CreateTenant implements belfryv1connect.TenantServiceHandler.
func (s *TenantService) CreateTenant(ctx context.Context, req *belfryv1.CreateTenantRequest) (*belfryv1.CreateTenantResponse, error) {
	n := store.NewTenant{Name: req.GetTenant().GetTenantId(), DisplayName: req.GetTenant().GetDisplayName(),
		AutoCreateQueues: req.GetTenant().GetAutoCreateQueues()}
	if req.GetValidateOnly() {
		return s.checkTenant(ctx, n)
	}
	n.Request = store.NewAdminRequest("CreateTenant", 0, req.GetRequestId(), fingerprintOf(n.Name, n.DisplayName, n.AutoCreateQueues))
	t, _, err := s.Tenants.CreateTenant(ctx, n)
	switch {
	case errors.Is(err, store.ErrExists):
		return nil, job.AlreadyExists(job.SubjectTenant, n.Name)
	case errors.Is(err, store.ErrRequestReused):
		return nil, job.RequestIDReused(req.GetRequestId())
	case err != nil:
		return nil, fmt.Errorf("create tenant: %w", store.Fault(err))
	}
	s.Names.AddTenant(t)
	return &belfryv1.CreateTenantResponse{Tenant: tenantProto(t)}, nil
}

func (s *TenantService) checkTenant(ctx context.Context, n store.NewTenant) (*belfryv1.CreateTenantResponse, error) {
	switch _, err := s.Tenants.TenantByName(ctx, n.Name); {
	case err == nil:
		return nil, job.AlreadyExists(job.SubjectTenant, n.Name)
	case !errors.Is(err, store.ErrNotFound):
		return nil, fmt.Errorf("read tenant: %w", store.Fault(err))
	}
	return &belfryv1.CreateTenantResponse{Tenant: tenantProto(tenancy.Tenant{
		Name: n.Name, DisplayName: n.DisplayName, AutoCreateQueues: n.AutoCreateQueues})}, nil
}

// GetTenant implements belfryv1connect.TenantServiceHandler.
func (s *TenantService) GetTenant(ctx context.Context, req *belfryv1.GetTenantRequest) (*belfryv1.GetTenantResponse, error) {
	t, err := s.Tenants.TenantByName(ctx, req.GetTenantId())
	if errors.Is(err, store.ErrNotFound) {
		return nil, job.NotFound(job.SubjectTenant, req.GetTenantId(), "")
	}
	if err != nil {
		return nil, fmt.Errorf("read tenant: %w", store.Fault(err))
	}
	return &belfryv1.GetTenantResponse{Tenant: tenantProto(t)}, nil
}

// ListTenants implements belfryv1connect.TenantServiceHandler.
func (s *TenantService) ListTenants(ctx context.Context, req *belfryv1.ListTenantsRequest) (*belfryv1.ListTenantsResponse, error) {
	filter := newListFilter("ListTenants")
	after, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	tenants, err := s.Tenants.ListTenants(ctx, string(after), size+1)
	if err != nil {
		return nil, fmt.Errorf("list tenants: %w", store.Fault(err))
	}
	out := &belfryv1.ListTenantsResponse{}
	if len(tenants) > size {
		tenants = tenants[:size]
		out.NextPageToken = encodePageToken(filter, []byte(tenants[size-1].Name))
	}
	for _, t := range tenants {
		out.Tenants = append(out.Tenants, tenantProto(t))
	}
	return out, nil
}
