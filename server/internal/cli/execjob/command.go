//go:build unix

package execjob

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// SnoozeCode is the exit code by which a command gives its job back: EX_TEMPFAIL of sysexits.h.
const SnoozeCode = 75

const (
	maxResult = 64 << 10 // bytes of standard output that are kept
	maxError  = 7 << 10  // bytes of standard error that are kept; the server takes 8 KiB in all
	// pipeTime is how long output is awaited that a child of the command holds open after the command's end.
	pipeTime = 2 * time.Second
)

// Command is what to run for each job.
type Command struct {
	Argv           []string
	Stdout, Stderr io.Writer // where output is shown as well
	KillAfter      time.Duration
	Snooze         time.Duration // when a snoozed job is due again; 0: the server chooses
	Clock          clock.Clock
	Forced         <-chan struct{} // closed: end commands at once; nil: never
	Log            *slog.Logger
}

// New returns a command whose output is shown a write at a time, though several may run.
func New(c Command) *Command {
	c.Stdout, c.Stderr = &oneAtATime{w: c.Stdout}, &oneAtATime{w: c.Stderr}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &c
}

// Handle is a belfry.Handler.
func (c *Command) Handle(ctx context.Context, job *belfry.LeasedJob) error {
	payload, err := job.Payload.Data()
	if err != nil {
		return fmt.Errorf("read payload: %w", err)
	}
	stdout, stderr := &tail{limit: maxResult, shown: c.Stdout}, &tail{limit: maxError, shown: c.Stderr}
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Env = environment(os.Environ(), job)
	cmd.Stdin = bytes.NewReader(payload)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = pipeTime
	running, err := proc.Start(cmd, proc.Spec{ParentDeath: syscall.SIGKILL, OwnGroup: true})
	if err != nil {
		return fmt.Errorf("run command: %w", err)
	}
	c.Log.Debug("command started", "job_id", job.JobID, "attempt", job.Attempt, "pid", running.PID())
	select {
	case <-running.Done():
	case <-ctx.Done():
		c.end(running)
		return context.Cause(ctx)
	case <-c.Forced:
		killGroup(running, syscall.SIGKILL)
		<-running.Done()
		return belfry.Snooze(0) // given back, uncounted
	}
	c.Log.Debug("command ended", "job_id", job.JobID, "attempt", job.Attempt, "code", running.Code())
	return c.outcome(job, running.Code(), stdout, stderr)
}

// outcome turns the end of a command into what a handler returns.
func (c *Command) outcome(job *belfry.LeasedJob, code int, stdout, stderr *tail) error {
	switch code {
	case 0:
		return setResult(job, stdout.bytes())
	case SnoozeCode:
		return belfry.Snooze(c.Snooze)
	default:
		said := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(string(stderr.bytes()), "?"), "\x00", "?"))
		if said == "" {
			return fmt.Errorf("exit code %d", code)
		}
		return fmt.Errorf("exit code %d: %s", code, said)
	}
}

// setResult hands output back: as text if it is some, else as bytes.
func setResult(job *belfry.LeasedJob, output []byte) error {
	switch {
	case len(output) == 0:
		return nil
	case utf8.Valid(output) && bytes.IndexByte(output, 0) < 0:
		return job.SetResult(string(output))
	default:
		return job.SetResult(output)
	}
}

// end asks the command's group to end, and then makes it.
func (c *Command) end(running *proc.Process) {
	killGroup(running, syscall.SIGTERM)
	timer := c.Clock.NewTimer(c.KillAfter)
	defer timer.Stop()
	select {
	case <-running.Done():
	case <-timer.C():
	case <-c.Forced:
	}
	// Also after the command's own end: its children may have ignored the request.
	killGroup(running, syscall.SIGKILL)
	<-running.Done()
}

// killGroup signals all processes of the command's group. One that has ended needs no signal.
func killGroup(running *proc.Process, sig syscall.Signal) { _ = syscall.Kill(-running.PID(), sig) }

// oneAtATime serialises writes of commands that run at the same time.
type oneAtATime struct {
	mu sync.Mutex
	w  io.Writer // guarded by mu
}

func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(p)
}
