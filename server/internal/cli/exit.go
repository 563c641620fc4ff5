package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/belfryhq/belfry/internal/clock"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130 // as of a shell: 128 and SIGINT
)

// usageError is what the user can correct on the command line, in the environment or in a file.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// hintedError adds what to do next in a line of its own.
type hintedError struct {
	error
	hint string
}

func (e hintedError) Unwrap() error { return e.error }

// report prints err and returns the exit code it stands for.
func (p *Program) report(ctx context.Context, command *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || belfry.CodeOf(err) == belfry.CodeCanceled) {
		_, _ = fmt.Fprintln(p.Err, "belfry: interrupted")
		return exitInterrupted
	}
	_, _ = fmt.Fprintf(p.Err, "belfry: %s\n", err)
	var hinted hintedError
	if errors.As(err, &hinted) {
		_, _ = fmt.Fprintf(p.Err, "  %s\n", hinted.hint)
		err = hinted.error
	}
	var wrong usageError
	if errors.As(err, &wrong) {
		_, _ = fmt.Fprintf(p.Err, "  `%s --help` shows how it is used\n", command.CommandPath())
		return exitUsage
	}
	if belfry.IsInvalid(err) {
		return exitUsage
	}
	return exitFailed
}

// Main runs the command line of this process and returns its exit code. The first SIGINT, SIGTERM or SIGHUP asks for an
// orderly end, the second for one at once.
func Main(version string) int {
	signals := make(chan os.Signal, 2)
	wanted := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		wanted = append(wanted, syscall.SIGHUP)
	}
	signal.Notify(signals, wanted...)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	forced := make(chan struct{})
	go func() {
		<-signals
		cancel()
		<-signals
		close(forced)
	}()
	p := &Program{Version: version, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Clock: clock.Real(), Forced: forced}
	return p.Run(ctx, os.Args[1:])
}
