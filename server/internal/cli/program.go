package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/belfryhq/belfry/internal/clock"
)

// Program is the world around one command.
type Program struct {
	Version string // shown by `belfry version`; empty: what the build recorded
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
	Clock   clock.Clock
	// Forced is closed when the user does not want to wait for an orderly end any more; nil: never.
	Forced <-chan struct{}
}

// Run executes the command line, without the name of the program, and returns the exit code. The end of ctx asks for an
// orderly end.
func (p *Program) Run(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	command, err := root.ExecuteContextC(ctx)
	return p.report(ctx, command, err)
}

func (p *Program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "belfry",
		Short: "Belfry runs jobs when they are due: one-shot, delayed and recurring",
		Long: `Belfry is a scheduler as a service: tenants hand it jobs, and when a job is due
a worker pulls it under a lease.

Start here:
  belfry dev                                               a server for this machine
  belfry job create --queue hello --delay 5s --text 'Hi'   a job that is due in 5 seconds
  belfry worker exec --queue hello -- cat                  a worker that runs a command a job`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          unknownCommand,
		RunE:          showHelp,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddGroup(&cobra.Group{ID: groupServer, Title: "Servers:"}, &cobra.Group{ID: groupClient, Title: "Work with a server:"})
	for _, command := range []*cobra.Command{p.devCommand(), p.serveCommand(), p.migrateCommand()} {
		command.GroupID = groupServer
		root.AddCommand(command)
	}
	for _, command := range []*cobra.Command{p.jobCommand(), p.queueCommand(), p.scheduleCommand(), calendarCommand(), p.importCommand(), p.workerCommand(),
		p.tenantCommand(), p.keyCommand(), p.benchCommand()} {
		command.GroupID = groupClient
		root.AddCommand(command)
	}
	root.AddCommand(p.versionCommand())
	return root
}

const (
	groupServer = "server"
	groupClient = "client"
)

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{Use: use, Short: short, Args: unknownCommand, RunE: showHelp}
	g.AddCommand(commands...)
	return g
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// unknownCommand refuses words that name no command, with the nearest one that does.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	text := fmt.Sprintf("there is no command %q", cmd.CommandPath()+" "+args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %q?", cmd.CommandPath()+" "+near[0])
	}
	return usage("%s", text)
}

// named takes exactly the arguments that names list, such as "QUEUE".
func named(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usage("%s is missing", names[len(args)])
		case len(args) > len(names) && len(names) == 0:
			return usage("takes no arguments, but got %q", args[0])
		case len(args) > len(names):
			return usage("takes only %s, but got %q too", strings.Join(names, " and "), args[len(names)])
		}
		return nil
	}
}

// need refuses a command line without one of the flags.
func need(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if !cmd.Flags().Changed(name) {
			return usage("--%s is required", name)
		}
	}
	return nil
}

// atMostOne refuses a command line with two of the flags.
func atMostOne(cmd *cobra.Command, flags ...string) error {
	given := ""
	for _, name := range flags {
		switch {
		case !cmd.Flags().Changed(name):
		case given != "":
			return usage("--%s and --%s exclude each other; give one of them", given, name)
		default:
			given = name
		}
	}
	return nil
}
