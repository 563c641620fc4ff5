// Command layoutbench measures ways to lay jobs out in PostgreSQL against each other:
//
//	go run ./server/internal/store/layoutbench [-only row,fill,leases,parts,plans,finish] [-round 1.5s] [-rounds 9]
//
// It starts a server of its own, with fsync. The layouts of a comparison take turns within one run, so that their ratios
// mean something on a machine that does other work as well (the median of the ratios of all rounds); the figures themselves
// do not. docs/decisions.md records what
// came of it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/belfryhq/belfry/internal/pgdev"
)

func main() {
	plan := plan{}
	only := flag.String("only", "", "comparisons to run, separated by commas (default: all)")
	flag.DurationVar(&plan.round, "round", 1500*time.Millisecond, "how long each layout runs in a round")
	flag.IntVar(&plan.rounds, "rounds", 9, "rounds of each comparison")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, plan, strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })); err != nil {
		fmt.Fprintln(os.Stderr, "layoutbench:", err)
		os.Exit(1)
	}
}

// plan says how much to measure.
type plan struct {
	round  time.Duration
	rounds int
}

// run starts the server, runs the comparisons and removes everything.
func run(ctx context.Context, p plan, only []string) (err error) {
	dir, err := os.MkdirTemp("", "belfry-layoutbench-")
	if err != nil {
		return fmt.Errorf("make data directory: %w", err)
	}
	defer os.RemoveAll(dir)
	server, err := pgdev.Start(ctx, pgdev.Options{DataDir: dir, Settings: map[string]string{
		"shared_buffers": "1GB", "max_wal_size": "8GB", "max_connections": "200",
	}})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	for _, c := range comparisons() {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		if err := c.run(ctx, server, p); err != nil {
			return fmt.Errorf("compare %s: %w", c.name, err)
		}
	}
	return nil
}
