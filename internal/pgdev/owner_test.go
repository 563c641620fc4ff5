//go:build unix

package pgdev

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestEnsureOwnedDatabase_GivesItToARoleThatIsNoSuperuser(t *testing.T) {
	t.Parallel()
	server := started(t, quick(t))
	first, err := server.EnsureOwnedDatabase(t.Context(), "belfry")
	noError(t, err)
	again, err := server.EnsureOwnedDatabase(t.Context(), "belfry")
	noError(t, err)
	if first != again {
		t.Error("a second call answers another URL")
	}
	conn, err := pgx.Connect(t.Context(), again)
	noError(t, err)
	defer conn.Close(t.Context())
	var owner, super bool
	err = conn.QueryRow(t.Context(), `SELECT pg_catalog.pg_get_userbyid(d.datdba) = current_user, r.rolsuper
		FROM pg_database AS d, pg_roles AS r
		WHERE d.datname = current_database() AND r.rolname = current_user`).Scan(&owner, &super)
	noError(t, err)
	if !owner || super {
		t.Errorf("owner = %v, superuser = %v, want an ordinary owner", owner, super)
	}
	if _, err := conn.Exec(t.Context(), "CREATE TABLE things (id int)"); err != nil {
		t.Errorf("the owner cannot create tables: %v", err)
	}
}
