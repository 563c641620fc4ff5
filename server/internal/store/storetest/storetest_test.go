package storetest_test

import (
	"os"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestNew_GivesDatabasesThatShareNothing(t *testing.T) {
	t.Parallel()
	a, b := storetest.New(t), storetest.New(t)
	a.Exec("INSERT INTO tenants (name, display_name, auto_create_queues) VALUES ('acme', '', false)")
	if n := storetest.Value[int](b, "SELECT count(*) FROM tenants"); n != 0 {
		t.Errorf("a tenant of one database is in %d rows of another", n)
	}
}

func TestNew_MakesAsManyPartitionsAsAsked(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 4, 16} {
		db := storetest.New(t, storetest.WithPartitions(n))
		leaves := storetest.Value[int](db, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'triggers'::regclass")
		if leaves != n || db.Store.Partitions() != n {
			t.Errorf("asked for %d partitions, got %d leaves and Partitions() = %d", n, leaves, db.Store.Partitions())
		}
	}
}

func TestClock_MovesForEveryConnection(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	other := db.Open()
	before, err := other.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db.SetClock(-time.Hour)
	db.Advance(40 * 24 * time.Hour)
	db.Advance(2 * time.Hour)
	after, err := other.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	moved := after.Sub(before) - 40*24*time.Hour - time.Hour
	if moved < 0 || moved > time.Minute {
		t.Errorf("the clock moved from %v to %v, want 40 days and an hour", before, after)
	}
	leaf := "history_r07_" + after.AddDate(0, 0, 1).Format("20060102")
	if !storetest.Value[bool](db, "SELECT to_regclass($1) IS NOT NULL", leaf) {
		t.Errorf("there is no %s for what ends after the move", leaf)
	}
}

func BenchmarkNew(b *testing.B) {
	storetest.New(b)
	for b.Loop() {
		storetest.New(b)
	}
}
