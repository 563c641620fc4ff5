//go:build unix

package pgdev

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

const (
	// pollInterval is how often we look at a process that is not our child.
	pollInterval = 10 * time.Millisecond

	// immediateTimeout bounds an immediate shutdown. The server itself kills
	// its children after 5 s.
	immediateTimeout = 7 * time.Second
)

// clearPredecessor makes way for a new server on the data directory, whose
// lock the caller holds: it ends a server of ours whose parent died, refuses
// to touch anybody else's, and removes what a dead one left behind. The server
// would take the pid in a stale postmaster.pid for alive if another process
// has got it meanwhile, as is common after a restart of a container.
func clearPredecessor(ctx context.Context, l layout, logger *slog.Logger) error {
	pidFile := filepath.Join(l.pgdata(), "postmaster.pid")
	pid, err := firstLinePID(pidFile)
	if err != nil {
		return err
	}
	if pid != 0 && proc.WorksIn(pid, l.pgdata()) {
		ours, err := firstLinePID(l.pidFile())
		if err != nil {
			return err
		}
		if pid != ours {
			return fmt.Errorf("%w: process %d on %s, not started by belfry; stop it (pg_ctl stop -D %s) or choose another data directory",
				ErrServerRunning, pid, l.pgdata(), l.pgdata())
		}
		logger.Warn("stopping a PostgreSQL server whose parent has died", "pid", pid)
		if err := endOrphan(ctx, pid, l.pgdata()); err != nil {
			return err
		}
	}
	if err := os.Remove(pidFile); err == nil {
		logger.Info("removed a stale postmaster.pid", "pid", pid)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove stale postmaster.pid: %w", err)
	}
	if err := os.RemoveAll(l.sock()); err != nil {
		return fmt.Errorf("remove stale socket: %w", err)
	}
	return nil
}

// endOrphan ends a server that is not our child, with rising insistence.
func endOrphan(ctx context.Context, pid int, pgdata string) error {
	for _, step := range []struct {
		signal   syscall.Signal
		patience time.Duration
	}{
		{syscall.SIGINT, 10 * time.Second},
		{syscall.SIGQUIT, immediateTimeout},
		{syscall.SIGKILL, immediateTimeout},
	} {
		err := syscall.Kill(pid, step.signal)
		if err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("stop PostgreSQL process %d: %w", pid, err)
		}
		gone, err := waitGone(ctx, step.patience, func() bool { return !proc.WorksIn(pid, pgdata) })
		if gone || err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: process %d on %s does not end; end it yourself: kill -9 %d", ErrServerRunning, pid, pgdata, pid)
}

// waitGone polls until gone reports true or the patience is used up.
func waitGone(ctx context.Context, patience time.Duration, gone func() bool) (bool, error) {
	for waited := time.Duration(0); !gone(); waited += pollInterval {
		if waited >= patience {
			return false, nil
		}
		if err := clock.Sleep(ctx, clock.Real(), pollInterval); err != nil {
			return false, fmt.Errorf("wait for PostgreSQL to end: %w", err)
		}
	}
	return true, nil
}

// firstLinePID returns the process id in the first line of a file; 0 if there
// is no such file or no such line, as after a crash of the machine.
func firstLinePID(name string) (int, error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read process id: %w", err)
	}
	line, _, _ := strings.Cut(string(raw), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid <= 1 {
		// A negative number marks a single-user server, which ends by itself.
		return 0, nil
	}
	return pid, nil
}
