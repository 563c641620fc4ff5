package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/belfryhq/belfry/server"
)

func (p *Program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a server on a migrated database",
		Long: `Run a server on a database that ` + "`belfry migrate up`" + ` has prepared.

SIGTERM or SIGINT ends it in order: nothing more is leased, calls in flight are
answered, its partitions are handed over. A second one ends it at once; nothing
is lost then either.

Settings come from flags, BELFRY_* variables or --config; see docs/settings.md.`,
		Example: `  belfry migrate up --database-url "$DATABASE_URL"
  belfry key create --platform --database-url "$DATABASE_URL"
  belfry serve --database-url "$DATABASE_URL" --listen :7070`,
		Args: named(),
		RunE: p.serve,
	}
	cmd.Flags().SortFlags = false
	addSettings(cmd, onServe)
	return cmd
}

func (p *Program) serve(cmd *cobra.Command, _ []string) error {
	v, err := loadSettings(cmd, onServe)
	if err != nil {
		return err
	}
	cfg, err := p.serverConfig(v)
	if err != nil {
		return err
	}
	if err := cfg.Validate(); err != nil {
		return usageError{err}
	}
	cfg.Log.Info("starting", "version", p.version())
	s, err := server.New(cmd.Context(), cfg)
	if err != nil {
		return err
	}
	cfg.Log.Info("serving", "address", s.Addr())
	return p.runUntilForced(cmd.Context(), s)
}

// errForced ends a command whose orderly end took too long for the user.
var errForced = errors.New("ended at once, as asked; what was in progress is taken up again by the next start")

// runUntilForced runs the server until its orderly end, or until the user does not want to wait for that.
func (p *Program) runUntilForced(ctx context.Context, s *server.Server) error {
	spareCollector()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	case <-p.Forced:
		return errForced
	}
}
