package tenancy

import (
	"log/slog"
	"time"
)

// AllTenants is the tenant name that stands for every tenant where a method allows it. It is not a ValidName.
const AllTenants = "-"

// MaxName is the length of the longest name, in bytes.
const MaxName = 63

// Tenant is the unit of isolation, quota and billing.
type Tenant struct {
	ID               int32  // internal, never shown; 0 is the platform
	Name             string // immutable, a ValidName
	UID              string // differs from that of an earlier tenant of the same name
	DisplayName      string
	AutoCreateQueues bool // whether a create that names an unknown queue makes it
	CreateTime       time.Time
	Etag             string // changes with every change of the tenant
}

// Key is what is stored of an API key: everything but its secret.
type Key struct {
	ID          string // "key_" and 26 characters, see KeyID
	TenantID    int32  // 0: a key of the platform
	TenantName  string // empty for a key of the platform
	DisplayName string
	Scopes      Scope
	Hash        [32]byte // of the secret, see Secret.Hash
	CreateTime  time.Time
	ExpireTime  *time.Time // nil: never
	RevokeTime  *time.Time // nil: not revoked
}

// LogValue leaves out the hash, which helps nobody who reads a log.
func (k Key) LogValue() slog.Value {
	return slog.GroupValue(slog.String("key_id", k.ID), slog.String("tenant_id", k.TenantName))
}

// ValidName reports whether s is a name of a tenant, queue or schedule: 1–63 bytes of a-z 0-9 . _ -, the first a letter
// or digit. Names are ASCII and compared byte by byte, so there is nothing to normalise.
func ValidName(s string) bool {
	if s == "" || len(s) > MaxName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !letter && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return true
}
