package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"github.com/belfryhq/belfry/internal/pgdev"
	"github.com/belfryhq/belfry/server"
	"github.com/belfryhq/belfry/server/internal/cli/devdir"
	"github.com/belfryhq/belfry/server/internal/store"
)

func (p *Program) devCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run a complete Belfry on this machine, for development",
		Long: `Run a complete Belfry on this machine until Ctrl-C: PostgreSQL (found, or
downloaded), the server, a tenant "dev" and its keys. It prints a first command to
paste. Data and keys are kept between runs; nothing is left running.

Client commands find it by themselves. For other programs the data directory has a
file dev.env with BELFRY_ADDRESS, BELFRY_API_KEY (of tenant dev) and
BELFRY_ADMIN_KEY (of the platform).`,
		Example: `  belfry dev
  belfry dev --listen 127.0.0.1:8080 --data-dir ./belfry
  belfry dev --database-url postgres://me@localhost/belfry`,
		Args: named(),
		RunE: p.dev,
	}
	cmd.Flags().SortFlags = false
	addSettings(cmd, onDev)
	return cmd
}

// development is one run of `belfry dev`.
type development struct {
	program  *Program
	settings *viper.Viper
	config   server.Config
	dir      *devdir.Dir
	postgres *pgdev.Server // nil with a database of the user's
	env      devdir.Env
}

func (p *Program) dev(cmd *cobra.Command, _ []string) (err error) {
	v, err := loadSettings(cmd, onDev)
	if err != nil {
		return err
	}
	d := &development{program: p, settings: v}
	if d.config, err = p.serverConfig(v); err != nil {
		return err
	}
	if err := checkListen(d.config.Listen); err != nil {
		return err
	}
	path := cmp.Or(v.GetString("data-dir"), devdir.Default(os.Getenv, os.Geteuid()))
	if d.dir, err = devdir.Open(path); err != nil {
		return err
	}
	defer d.dir.Close()
	if d.env, err = devdir.ReadEnv(d.dir.Path()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := d.openDatabase(cmd.Context()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stopDatabase()) }()
	return d.run(cmd.Context())
}

// checkListen finds out early, before PostgreSQL is started, that the address cannot be had.
func checkListen(address string) error {
	listener, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return hintedError{fmt.Errorf("%s is taken by another program, perhaps by another `belfry dev`", address),
			"end that one, or choose another address: belfry dev --listen 127.0.0.1:7080 (:0 picks a free port)"}
	}
	if err != nil {
		return usage("--listen: %w", err)
	}
	return listener.Close()
}

// openDatabase starts PostgreSQL unless the user gave a database, and migrates it.
func (d *development) openDatabase(ctx context.Context) error {
	if d.config.DatabaseURL == "" {
		if err := d.startPostgres(ctx); err != nil {
			return err
		}
	}
	options := store.MigrateOptions{Partitions: d.settings.GetInt("partitions"), RoleSettings: d.postgres != nil}
	if _, err := store.Migrate(ctx, d.config.DatabaseURL, options); err != nil {
		return errors.Join(err, d.stopDatabase())
	}
	return nil
}

// database is the name of Belfry's database in the server that it starts, and of the role that owns it.
const database = "belfry"

func (d *development) startPostgres(ctx context.Context) error {
	d.program.say("starting PostgreSQL in %s", d.dir.PostgresDir())
	options := pgdev.Options{DataDir: d.dir.PostgresDir(), BinDir: d.settings.GetString("postgres-bin"),
		Download: d.settings.GetBool("postgres-download"), Repository: d.settings.GetString("postgres-repository"), Logger: d.config.Log}
	postgres, err := pgdev.Start(ctx, options)
	if errors.Is(err, pgdev.ErrNotFound) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	d.postgres = postgres
	if d.config.DatabaseURL, err = postgres.EnsureOwnedDatabase(ctx, database); err != nil {
		return errors.Join(err, d.stopDatabase())
	}
	return nil
}

// stopDatabase ends PostgreSQL if it was started here: in order, or at once if the user does not want to wait.
func (d *development) stopDatabase() error {
	if d.postgres == nil {
		return nil
	}
	ctx, cancel := d.program.forced(context.Background())
	defer cancel()
	return d.postgres.Stop(ctx)
}

// run serves until ctx ends, or until the server or PostgreSQL does.
func (d *development) run(ctx context.Context) error {
	if err := d.ensureAdminKey(ctx); err != nil {
		return err
	}
	s, err := server.New(ctx, d.config)
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- d.program.runUntilForced(serving, s) }()

	var failure error
	select {
	case <-s.Ready():
		if failure = d.welcome(ctx, s.Addr()); failure == nil {
			failure = d.watch(ctx, ended)
		}
	case err := <-ended:
		return err
	case <-d.postgresEnded():
		failure = d.postgres.Err()
	case <-ctx.Done():
	}
	stop()
	if errors.Is(failure, errServerEnded) {
		return <-ended
	}
	return errors.Join(failure, <-ended)
}

// ensureAdminKey keeps the platform key of the run before or makes one, and writes it down before anything else can fail.
func (d *development) ensureAdminKey(ctx context.Context) error {
	inForce, err := server.EnsurePlatformKey(ctx, d.config.DatabaseURL, d.env.AdminKey)
	if err != nil || inForce == d.env.AdminKey {
		return err
	}
	d.env.AdminKey = inForce
	return d.dir.WriteEnv(d.env)
}

// errServerEnded: what the server said is in the channel of its end.
var errServerEnded = errors.New("the server has ended")

// watch waits for a reason to stop.
func (d *development) watch(ctx context.Context, ended chan error) error {
	select {
	case <-ctx.Done():
		d.program.say("stopping; press Ctrl-C again to stop at once")
		return nil
	case err := <-ended:
		ended <- err
		return errServerEnded
	case <-d.postgresEnded():
		return d.postgres.Err()
	}
}

func (d *development) postgresEnded() <-chan struct{} {
	if d.postgres == nil {
		return nil
	}
	return d.postgres.Done()
}

// say tells the user what goes on.
func (p *Program) say(format string, args ...any) {
	_, _ = fmt.Fprintf(p.Err, "belfry: "+format+"\n", args...)
}
