//go:build unix

// Command pgserve runs a command with a PostgreSQL server of its own:
//
//	go run ./internal/pgdev/pgserve [-bin DIR] -- CMD [ARG...]
//
// The server is temporary and runs without fsync. CMD finds its URL in
// BELFRY_TEST_DATABASE_URL. If that is set already, and -bin is not, CMD runs
// on that server instead. pgserve passes signals on to CMD, stops the server
// when CMD has ended, and exits with the code of CMD (128+N for signal N), 2
// for wrong usage, or 1 if there is no server to be had. Note that `go run`
// itself makes any code but 0 a 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/belfryhq/belfry/internal/pgdev"
	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

func main() {
	bin := flag.String("bin", "", "directory with postgres and initdb (default: found)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: pgserve [-bin DIR] -- CMD [ARG...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	code, err := serve(*bin, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "pgserve:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// serve returns the exit code of the command.
func serve(bin string, command []string) (code int, err error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	if os.Getenv(pgtest.EnvURL) != "" && bin == "" {
		return run(command, os.Environ(), signals)
	}
	server, err := startServer(bin, signals)
	if err != nil {
		return 1, err
	}
	defer func() {
		if stopErr := server.Stop(context.Background()); err == nil {
			err = stopErr
		}
	}()
	return run(command, append(os.Environ(), pgtest.EnvURL+"="+server.URL("postgres")), signals)
}

// startServer starts the server, or gives up at the first signal.
func startServer(bin string, signals <-chan os.Signal) (*pgdev.Server, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	started := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case sig := <-signals:
			cancel(fmt.Errorf("interrupted by %s", sig))
		case <-started:
		}
	}()
	server, err := pgdev.StartTemporary(ctx, pgdev.Options{BinDir: bin})
	close(started)
	<-watched
	if interrupted := context.Cause(ctx); interrupted != nil {
		if server != nil {
			err = server.Stop(context.Background())
		}
		return nil, errors.Join(interrupted, err)
	}
	return server, err
}

// run runs the command to its end, passing on the signals this process gets.
func run(command, env []string, signals <-chan os.Signal) (code int, err error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	child, err := proc.Start(cmd, proc.Spec{ParentDeath: syscall.SIGTERM})
	if err != nil {
		return 127, fmt.Errorf("run %s: %w", command[0], err)
	}
	for {
		select {
		case sig := <-signals:
			// A child that has just ended needs no signal any more.
			_ = child.Signal(sig)
		case <-child.Done():
			return child.Code(), nil
		}
	}
}
