package chaos_test

import (
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server"
	"github.com/belfryhq/belfry/tests/harness"
)

// Promise 2: the database's clock decides, whatever the node's says.
func TestSkewedNodeClock_MakesNothingEarly_AndLittleLate(t *testing.T) {
	t.Parallel()
	for name, offset := range map[string]time.Duration{"an hour ahead": time.Hour, "an hour behind": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world := harness.NewDatabaseWorld(t, harness.WorldOptions{})
			node := world.StartInProcess(t, func(c *server.Config) { c.Clock = clock.Skewed(clock.Real(), offset) })
			flow(t, harness.NewTenantAt(t, node.Addr, world.AdminKey), 5*time.Second)
		})
	}
}

// loadInterval is how often the near future is read in the test of dropped hints.
const loadInterval = time.Second

// Hints only save time: without any, every job runs within a load interval.
func TestDroppedHints_CostOneLoadInterval(t *testing.T) {
	t.Parallel()
	world := harness.NewDatabaseWorld(t, harness.WorldOptions{})
	node := world.StartInProcess(t, func(c *server.Config) { c.DropHints, c.LoadInterval = true, loadInterval })
	flow(t, harness.NewTenantAt(t, node.Addr, world.AdminKey), loadInterval+4*time.Second)
}

// flow creates jobs that are due from now on over 3 s, has a crew do them, and bounds the lateness of each.
func flow(t *testing.T, x harness.Tenant, latest time.Duration) {
	t.Helper()
	account := harness.NewAccount()
	crew := &harness.Crew{Client: x.Client, Account: account, Members: 4, Batch: 20}
	crew.Start(t)
	const jobs = 500
	if failed := (harness.Producer{Client: x.Client, Account: account, Callers: 8, Job: spread(3*time.Second, jobs)}).Create(t.Context(), jobs); failed > 0 {
		t.Errorf("%d creates failed", failed)
	}
	verdict := account.Settle(t, x.Client, 10*time.Second)
	if p99 := verdict.Quantile(.99); p99 > latest {
		t.Errorf("p99 of the lateness is %v, want at most %v", p99, latest)
	}
}
