package tenancy

import "errors"

// Errors of this package. They are wrapped with what happened and what to do next, and the whole text may be shown to
// the caller; except that of ErrUnavailable, which tells of the store.
var (
	// ErrKeyNotFound is what a KeyStore answers for an id it does not hold. It never leaves the Authenticator.
	ErrKeyNotFound = errors.New("no such API key")
	// ErrKeyInvalid refuses a key that is absent, malformed, unknown, expired or revoked.
	ErrKeyInvalid = errors.New("API key refused")
	// ErrKeyScope refuses a method to a valid key.
	ErrKeyScope = errors.New("the key may not call this method")
	// ErrUnavailable says that the store could not be asked in time and nothing fresh enough is cached.
	ErrUnavailable = errors.New("API keys cannot be checked now")
	// ErrTenantNotFound answers a tenant key that names another tenant, existing or not.
	ErrTenantNotFound = errors.New("no such tenant")
	// ErrTenantID refuses a tenant_id that is absent where it is required, or "-" where it is not allowed.
	ErrTenantID = errors.New("tenant_id")
)
