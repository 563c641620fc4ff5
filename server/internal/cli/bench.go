package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/server/internal/cli/load"
)

// errPromises ends `belfry bench` when a job was lost, early or leased twice at once.
var errPromises = errors.New("jobs were lost, early or leased twice at once: see the report, and report it")

func (p *Program) benchCommand() *cobra.Command {
	var o load.Options
	cmd := &cobra.Command{
		Use:   "bench [MODE...]",
		Short: "Measure a running server, and account for every job",
		Long: `Puts load on a running server with the key of a tenant, prints one JSON object a mode,
and fails only if a job was lost, early or leased twice at once.

  create     single creates from many callers (jobs due in an hour)
  batch      creates of 1,000 jobs a call
  drain      jobs that are all due, worked off by one worker process
  steady     creates and work at the same time
  lateness   jobs due at scattered moments: from due to the handler
  herd       jobs that are all due at one instant
  schedules  schedules that are all due at one second, once; they stay behind, ended

Without a mode: create, batch, drain, steady, lateness. Lateness compares the database's clock with this
machine's: run it where both are the same, or synchronised.`,
		Example:   "  belfry bench create --queues 300\n  belfry bench lateness --jobs 5000 --duration 60s",
		ValidArgs: load.Modes(),
		Args:      benchModes,
		RunE:      func(cmd *cobra.Command, modes []string) error { return runBench(cmd, modes, o) },
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Jobs, "jobs", 0, "how many jobs (default by mode)")
	flags.IntVar(&o.Concurrency, "concurrency", 0, "concurrent callers, or handlers (default by mode)")
	flags.IntVar(&o.Queues, "queues", 1, "over how many queues the jobs are spread")
	flags.IntVar(&o.Payload, "payload", 200, "bytes of payload")
	flags.DurationVar(&o.Duration, "duration", 0, "length of steady and lateness runs; time before a herd or the schedules are due (default by mode)")
	flags.DurationVar(&o.Timeout, "timeout", 5*time.Minute, "longest time for one mode")
	addSettings(cmd, onClient)
	return cmd
}

// runBench measures each mode and prints its report.
func runBench(cmd *cobra.Command, modes []string, o load.Options) error {
	s, err := dial(cmd, false)
	if err != nil {
		return err
	}
	defer s.Close()
	callers, err := dial(cmd, false, belfry.WithHTTPClient(load.Caller()))
	if err != nil {
		return err
	}
	defer callers.Close()
	if len(modes) == 0 {
		modes = []string{"create", "batch", "drain", "steady", "lateness"}
	}
	spareCollector()
	bench, out := load.New(s.Client, callers.Client), json.NewEncoder(cmd.OutOrStdout())
	kept := true
	for _, mode := range modes {
		report, err := bench.Run(cmd.Context(), mode, o)
		if err != nil {
			return s.explain(fmt.Errorf("bench %s: %w", mode, err))
		}
		if err := out.Encode(report); err != nil {
			return err
		}
		kept = kept && report.OK()
	}
	if !kept {
		return errPromises
	}
	return nil
}

func benchModes(_ *cobra.Command, modes []string) error {
	for _, mode := range modes {
		if !slices.Contains(load.Modes(), mode) {
			return usageError{fmt.Errorf("mode %q is unknown; choose from %s", mode, strings.Join(load.Modes(), ", "))}
		}
	}
	return nil
}
