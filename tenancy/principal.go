package tenancy

import "context"

// Principal is the authenticated caller of one call.
type Principal struct {
	Tenant   string // name; empty for a key of the platform
	TenantID int32  // internal id; 0 for a key of the platform
	Platform bool   // a key of the platform: acts on the tenant that the request names
	KeyID    string // "key_…", not secret
	Scopes   Scope
}

type contextKey struct{}

// NewContext returns a context that carries p.
func NewContext(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// FromContext returns the principal put there by NewContext. Without one it reports false: the caller is nobody.
func FromContext(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(contextKey{}).(Principal)
	return p, ok
}
