//go:build unix

package pgdev

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// EnsureOwnedDatabase creates the database, and a role of the same name that
// owns it and is no superuser, unless they exist. It returns the URL by which
// that role reaches it, which contains a password and is not for logs.
//
// What runs as this role meets the same refusals as in production.
func (s *Server) EnsureOwnedDatabase(ctx context.Context, name string) (string, error) {
	if err := s.EnsureDatabase(ctx, name); err != nil {
		return "", err
	}
	conn, err := pgx.Connect(ctx, s.URL(superuser))
	if err != nil {
		return "", fmt.Errorf("create role %s: %w", name, err)
	}
	defer conn.Close(ctx)
	role := pgx.Identifier{name}.Sanitize()
	// Role and superuser share the password: both are in the hands of who can
	// read it in the data directory.
	password := "'" + strings.ReplaceAll(s.password, "'", "''") + "'"
	_, err = conn.Exec(ctx, "CREATE ROLE "+role+" LOGIN PASSWORD "+password)
	var refused *pgconn.PgError
	if err != nil && (!errors.As(err, &refused) || refused.Code != "42710") { // duplicate_object
		return "", fmt.Errorf("create role %s: %w", name, err)
	}
	if _, err := conn.Exec(ctx, "ALTER DATABASE "+role+" OWNER TO "+role); err != nil {
		return "", fmt.Errorf("give database %s to its role: %w", name, err)
	}
	whole, err := url.Parse(s.URL(name))
	if err != nil {
		return "", fmt.Errorf("build URL of database %s: %w", name, err)
	}
	whole.User = url.UserPassword(name, s.password)
	return whole.String(), nil
}
