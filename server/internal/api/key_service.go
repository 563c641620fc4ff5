package api

import (
	"context"
	"errors"
	"fmt"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// keyOwner finds whose keys a call is about: a tenant's, or the platform's (0, with no name).
func (s *TenantService) keyOwner(ctx context.Context, name string) (tenancy.Tenant, error) {
	if name == "" {
		return tenancy.Tenant{}, nil
	}
	return s.Names.Tenant(ctx, name)
}

// CreateApiKey implements belfryv1connect.TenantServiceHandler.
func (s *TenantService) CreateApiKey(ctx context.Context, req *belfryv1.CreateApiKeyRequest) (*belfryv1.CreateApiKeyResponse, error) {
	owner, err := s.keyOwner(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	scopes := scopesFrom(req.GetScopes())
	if owner.ID == 0 {
		if len(req.GetScopes()) > 0 {
			return nil, job.Invalid("scopes", "must be empty for a platform key, which may do everything; name a tenant for a key with less")
		}
		scopes = tenancy.Platform
	}
	secret := tenancy.NewSecret(tenancy.NewKeyID(s.Now()))
	ttl := spanFrom(req.GetTtl())
	key, existing, err := s.Tenants.CreateKey(ctx, store.NewKey{
		ID: secret.KeyID(), Tenant: owner.ID, DisplayName: req.GetDisplayName(), Scopes: scopes, Hash: secret.Hash(), TTL: ttl,
		Request: store.NewAdminRequest("CreateApiKey", owner.ID, req.GetRequestId(), fingerprintOf(req.GetDisplayName(), scopes, ttl)),
	})
	switch {
	case errors.Is(err, store.ErrRequestReused):
		return nil, job.RequestIDReused(req.GetRequestId())
	case err != nil:
		return nil, fmt.Errorf("create API key: %w", store.Fault(err))
	case existing:
		return nil, &job.Error{Kind: job.ErrAlreadyExists, Subject: job.SubjectKey, Msg: fmt.Sprintf(
			"an earlier call with this request_id made API key %s, whose secret was in its answer alone; "+
				"if that answer was lost, revoke this key and create another with a new request_id", key.ID)}
	}
	return &belfryv1.CreateApiKeyResponse{ApiKey: keyProto(key), Secret: secret.Reveal()}, nil
}

// ListApiKeys implements belfryv1connect.TenantServiceHandler.
func (s *TenantService) ListApiKeys(ctx context.Context, req *belfryv1.ListApiKeysRequest) (*belfryv1.ListApiKeysResponse, error) {
	owner, err := s.keyOwner(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	filter := newListFilter("ListApiKeys", owner.UID)
	position, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	var before tenancy.KeyID
	if position != nil && len(position) != len(before) {
		return nil, job.Invalid("page_token", "is not a token of ListApiKeys; take next_page_token of the page before as it is")
	}
	copy(before[:], position)
	size := pageSize(req.GetPageSize())
	keys, err := s.Tenants.ListKeys(ctx, owner.ID, before, size+1)
	if err != nil {
		return nil, fmt.Errorf("list API keys: %w", store.Fault(err))
	}
	out := &belfryv1.ListApiKeysResponse{}
	if len(keys) > size {
		keys = keys[:size]
		last, err := tenancy.ParseKeyID(keys[size-1].ID)
		if err != nil {
			return nil, fmt.Errorf("BUG: id of a stored key: %w", err)
		}
		out.NextPageToken = encodePageToken(filter, last[:])
	}
	for _, k := range keys {
		out.ApiKeys = append(out.ApiKeys, keyProto(k))
	}
	return out, nil
}

// RevokeApiKey implements belfryv1connect.TenantServiceHandler.
func (s *TenantService) RevokeApiKey(ctx context.Context, req *belfryv1.RevokeApiKeyRequest) (*belfryv1.RevokeApiKeyResponse, error) {
	owner, err := s.keyOwner(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	noKey := job.NotFound(job.SubjectKey, req.GetKeyId(), "")
	id, err := tenancy.ParseKeyID(req.GetKeyId())
	if err != nil {
		return nil, noKey
	}
	key, err := s.Tenants.RevokeKey(ctx, owner.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, noKey
	}
	if err != nil {
		return nil, fmt.Errorf("revoke API key: %w", store.Fault(err))
	}
	s.Forget(key.ID)
	return &belfryv1.RevokeApiKeyResponse{ApiKey: keyProto(key)}, nil
}
