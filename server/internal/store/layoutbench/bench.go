package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev"
	"github.com/belfryhq/belfry/server/internal/store"
)

// bench is a comparison in progress.
type bench struct {
	ctx    context.Context // of comparison.run, as long as which it lives
	clock  clock.Clock
	server *pgdev.Server
	beds   []*bed
}

// bed is a layout with its database.
type bed struct {
	layout
	url     string
	workers []*worker
	rates   []float64 // jobs/s of each round
	ratios  []float64 // to the first layout's rate of the same round
	spent   cost
}

const workersOfBed = 2

func (c comparison) run(ctx context.Context, server *pgdev.Server, p plan) error {
	b := &bench{ctx: ctx, clock: clock.Real(), server: server}
	defer b.close()
	for i, l := range c.layouts {
		bed, err := b.prepare(l, fmt.Sprintf("%s_%d_%d", c.name, l.payload, i))
		if err != nil {
			return fmt.Errorf("prepare %s: %w", l.name, err)
		}
		b.beds = append(b.beds, bed)
	}
	// Round 0 fills the pipeline and is not counted.
	for round := 0; round <= p.rounds; round++ {
		for _, bed := range b.beds {
			before, err := b.cost(bed)
			if err != nil {
				return err
			}
			jobs, rate, err := b.measure(bed, p.round)
			if err != nil {
				return fmt.Errorf("%s: %w", bed.name, err)
			}
			after, err := b.cost(bed)
			if err != nil {
				return err
			}
			if round > 0 {
				bed.rates = append(bed.rates, rate)
				bed.ratios = append(bed.ratios, rate/b.beds[0].rates[round-1])
				bed.spent.add(before, after, jobs)
			}
		}
	}
	if err := b.print(c.question); err != nil {
		return err
	}
	if c.after != nil {
		return c.after(b)
	}
	return nil
}

func (b *bench) close() {
	for _, bed := range b.beds {
		for _, w := range bed.workers {
			_ = w.conn.Close(context.WithoutCancel(b.ctx))
		}
	}
}

// database makes an empty migrated database.
func (b *bench) database(name string, parts int) (url string, err error) {
	if err := b.exec(b.server.URL("postgres"), "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	url = b.server.URL(name)
	if _, err := store.Migrate(b.ctx, url, store.MigrateOptions{Partitions: parts}); err != nil {
		return "", err
	}
	s, err := store.Open(b.ctx, store.Config{URL: url})
	if err != nil {
		return "", err
	}
	defer s.Close()
	return url, s.EnsureHistory(b.ctx, b.clock.Now(), []int16{7})
}

func (b *bench) exec(url string, script ...string) error {
	conn, err := pgx.Connect(b.ctx, url)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(b.ctx)
	for _, sql := range script {
		if _, err := conn.Exec(b.ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

func (b *bench) prepare(l layout, database string) (*bed, error) {
	url, err := b.database("bench_"+database, l.parts)
	if err != nil {
		return nil, err
	}
	if err := b.exec(url, l.ddl...); err != nil {
		return nil, err
	}
	bed := &bed{layout: l, url: url}
	for range workersOfBed {
		w, err := newWorker(b.ctx, bed)
		if err != nil {
			return nil, err
		}
		bed.workers = append(bed.workers, w)
	}
	return bed, nil
}

// measure runs all workers of a layout for so long and answers how many jobs they brought to their end, and how many a
// second.
func (b *bench) measure(bed *bed, length time.Duration) (jobs int, rate float64, err error) {
	start := b.clock.Now()
	var group sync.WaitGroup
	ended := make([]int, len(bed.workers))
	faults := make([]error, len(bed.workers))
	for i, w := range bed.workers {
		group.Go(func() {
			for faults[i] == nil && b.clock.Now().Sub(start) < length {
				var n int
				n, faults[i] = w.cycle(b.ctx, b.clock.Now())
				ended[i] += n
			}
		})
	}
	group.Wait()
	for i, n := range ended {
		if faults[i] != nil {
			return 0, 0, faults[i]
		}
		jobs += n
	}
	return jobs, float64(jobs) / b.clock.Now().Sub(start).Seconds(), nil
}

func (b *bench) print(question string) error {
	fmt.Printf("\n%s\n", question)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "layout\tjobs/s\tratio\tCPU a job\tWAL a job\tHOT\trounds")
	for _, bed := range b.beds {
		hot, err := b.heapOnly(bed)
		if err != nil {
			return err
		}
		var rounds []string
		for _, r := range bed.rates {
			rounds = append(rounds, fmt.Sprintf("%.1f", r/1000))
		}
		fmt.Fprintf(out, "%s\t%.0f\t%.2f\t%.0f µs\t%.0f B\t%.0f %%\t%s\n", bed.name, median(bed.rates), median(bed.ratios),
			bed.spent.cpuOfJob(), bed.spent.walOfJob(), 100*hot, strings.Join(rounds, " "))
	}
	return out.Flush()
}

// heapOnly is the share of heap-only updates among all claims so far.
func (b *bench) heapOnly(bed *bed) (share float64, err error) {
	conn, err := pgx.Connect(b.ctx, bed.url)
	if err != nil {
		return 0, fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(b.ctx)
	err = conn.QueryRow(b.ctx, `SELECT coalesce(sum(n_tup_hot_upd)::float8 / nullif(sum(n_tup_upd), 0), 0) FROM pg_stat_user_tables
		WHERE relname LIKE 'triggers\_p%'`).Scan(&share)
	return share, err
}

func median[T float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}
