package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// limit bounds the whole demonstration.
const limit = 2 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if os.Getenv("DEMO_WORKER") != "" {
		if err := work(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := demonstrate(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "demo failed:", err)
		os.Exit(1)
	}
}

func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// demonstrate tells the story from start to verdict, and stops everything it has started.
func demonstrate(ctx context.Context) (err error) {
	began := time.Now()
	say("1. belfry dev, on a PostgreSQL of its own")
	server, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	say("   serving on %s", server.address)

	admin, err := belfry.NewClient(server.address, server.adminKey)
	if err != nil {
		return err
	}
	defer admin.Close()
	say("\n2. Three tenants, each with a key of its own")
	tenants, err := provision(ctx, admin)
	if err != nil {
		return err
	}
	say("\n3. Two worker processes")
	log := newJournal()
	first, err := startWorker(ctx, server, "worker-1", log)
	if err != nil {
		return err
	}
	defer first.stop()
	second, err := startWorker(ctx, server, "worker-2", log)
	if err != nil {
		return err
	}
	defer second.stop()
	say("\n4. Work: at an instant, after a delay, at once, and by a schedule with a seconds field")
	if err := submit(ctx, server, tenants); err != nil {
		return err
	}
	say("\n5. SIGKILL for worker-1 while it holds leases")
	if err := killBusy(ctx, first, log); err != nil {
		return err
	}
	say("\n6. Every job finishes all the same: the leases of the dead worker run out and worker-2 takes over")
	rows, err := await(ctx, tenants)
	if err != nil {
		return err
	}
	say("")
	printTable(rows)
	return verdict(rows, log, time.Since(began))
}

// tenant is one customer of the demonstration.
type tenant struct {
	name     string
	key      string
	client   *belfry.Client
	jobs     []string // acknowledged ids
	schedule string
}

func provision(ctx context.Context, admin *belfry.Client) ([]*tenant, error) {
	var list []*tenant
	for _, name := range []string{"payroll-inc", "invoices-gmbh", "reminders-llc"} {
		t := &tenant{name: name}
		if _, err := admin.Tenants().CreateTenant(ctx, &v1.CreateTenantRequest{
			Tenant: &v1.Tenant{TenantId: name, AutoCreateQueues: true}}); err != nil {
			return nil, fmt.Errorf("create tenant %s: %w", name, err)
		}
		key, err := admin.Tenants().CreateApiKey(ctx, &v1.CreateApiKeyRequest{TenantId: name, DisplayName: "demo"})
		if err != nil {
			return nil, fmt.Errorf("create key of %s: %w", name, err)
		}
		t.key = key.GetSecret()
		say("   %-14s %s", name, key.GetApiKey().GetKeyId())
		list = append(list, t)
	}
	return list, nil
}
