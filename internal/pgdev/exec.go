//go:build unix

package pgdev

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Exec runs one statement in a database as the superuser, e.g. to change a setting of
// the database that a test is about.
func (s *Server) Exec(ctx context.Context, database, sql string) error {
	conn, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		return fmt.Errorf("connect to database %s: %w", database, err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("run a statement in database %s: %w", database, err)
	}
	return nil
}
