package api

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/tenancy"
)

// tenantProto shows a tenant.
func tenantProto(t tenancy.Tenant) *belfryv1.Tenant {
	return &belfryv1.Tenant{
		TenantId: t.Name, Uid: t.UID, DisplayName: t.DisplayName, AutoCreateQueues: t.AutoCreateQueues,
		CreateTime: instantProto(t.CreateTime), Etag: t.Etag,
	}
}

// keyProto shows a key. One of the platform has no scopes: it may do everything.
func keyProto(k tenancy.Key) *belfryv1.ApiKey {
	out := &belfryv1.ApiKey{
		TenantId: k.TenantName, KeyId: k.ID, DisplayName: k.DisplayName, Scopes: scopesProto(k.Scopes),
		CreateTime: timestamppb.New(k.CreateTime),
	}
	if k.ExpireTime != nil {
		out.ExpireTime = timestamppb.New(*k.ExpireTime)
	}
	if k.RevokeTime != nil {
		out.RevokeTime = timestamppb.New(*k.RevokeTime)
	}
	return out
}

// scopePairs is the one table of scopes, in the order of the API.
func scopePairs() []scopePair {
	return []scopePair{
		{belfryv1.ApiKeyScope_API_KEY_SCOPE_ADMIN, tenancy.Admin},
		{belfryv1.ApiKeyScope_API_KEY_SCOPE_PRODUCER, tenancy.Producer},
		{belfryv1.ApiKeyScope_API_KEY_SCOPE_WORKER, tenancy.Worker},
		{belfryv1.ApiKeyScope_API_KEY_SCOPE_READER, tenancy.Reader},
	}
}

type scopePair struct {
	api   belfryv1.ApiKeyScope
	scope tenancy.Scope
}

func scopesProto(s tenancy.Scope) []belfryv1.ApiKeyScope {
	var out []belfryv1.ApiKeyScope
	for _, p := range scopePairs() {
		if s.Has(p.scope) {
			out = append(out, p.api)
		}
	}
	return out
}

// scopesFrom reads valid scopes; none means Admin.
func scopesFrom(list []belfryv1.ApiKeyScope) tenancy.Scope {
	var s tenancy.Scope
	for _, given := range list {
		for _, p := range scopePairs() {
			if p.api == given {
				s |= p.scope
			}
		}
	}
	if s == 0 {
		return tenancy.Admin
	}
	return s
}
