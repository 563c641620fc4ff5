package chaos_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m, 4)) }

// ownershipTTL is short, so that a restarted server is not kept waiting by the claims of its predecessor.
const ownershipTTL = 2 * time.Second

var quickOwnership = []string{"--ownership-ttl", ownershipTTL.String()}

// eager is a policy under which an attempt that was lost with a server is soon made good.
var eager = &belfry.RetryPolicy{MaxAttempts: 20, InitialBackoff: 50 * time.Millisecond, MaxBackoff: 200 * time.Millisecond}

// spread returns jobs that are due from now on over the given time, in several queues and priorities.
func spread(over time.Duration, jobs int) func(int) belfry.NewJob {
	start := time.Now()
	return func(i int) belfry.NewJob {
		return belfry.NewJob{
			Queue:    fmt.Sprintf("q%d", i%7),
			DueTime:  start.Add(over * time.Duration(i) / time.Duration(jobs)),
			Priority: new(i % 10),
			Payload:  i,
			Retry:    eager,
		}
	}
}

// fresh checks that work flows with ordinary lateness: a new job reaches a worker within limit.
func fresh(t *testing.T, x harness.Tenant, account *harness.Account, limit time.Duration) {
	t.Helper()
	began := time.Now()
	made, err := x.Create(t.Context(), belfry.NewJob{Queue: "fresh", Retry: eager})
	if err != nil {
		t.Fatalf("create a fresh job: %v", err)
	}
	account.Acknowledged(made.ID, time.Time{})
	harness.Within(t, limit, "a fresh job is leased", func() bool { return len(account.Leases(made.ID)) > 0 })
	t.Logf("a fresh job was created and leased within %v", time.Since(began).Round(time.Millisecond))
}
