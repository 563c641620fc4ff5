//go:build unix

// Package proc runs child processes that do not outlive this one, if need be
// under an unprivileged account, and reads the process table.
//
// On Linux the kernel itself signals the child when this process ends, however
// it ends: SIGKILL included. Other systems have no such thing; there a child
// survives the SIGKILL of its parent.
//
// Everything here is safe for concurrent use.
package proc

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
)

// Process is a running or ended child.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error // written before done is closed
}

// Spec says how a child differs from an ordinary one.
type Spec struct {
	// As is the account to run under; nil means that of this process.
	As *Account
	// ParentDeath is sent to the child when this process ends. Linux only.
	ParentDeath syscall.Signal
	// OwnGroup puts the child into a process group of its own, so that Ctrl-C
	// in a terminal reaches it only through this process.
	OwnGroup bool
}

// Start starts cmd and waits for it in the background. cmd must not be touched
// afterwards.
//
// The kernel ties the parent-death signal to the thread that created the
// child, not to the process, and the Go runtime ends threads as it pleases.
// So the child is created from a goroutine that holds on to its thread until
// the child has ended.
func Start(cmd *exec.Cmd, spec Spec) (*Process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: spec.OwnGroup}
	tieToParent(cmd.SysProcAttr, spec.ParentDeath)
	if spec.As != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(spec.As.UID), Gid: uint32(spec.As.GID)}
	}
	p := &Process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// PID returns the child's process id, also after its end.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the child has ended and has been waited for.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err waits for the end of the child and returns nil if it exited with code 0.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// Code waits for the end of the child and returns its exit code, which for a
// child ended by a signal is 128 plus the signal's number, as in a shell.
func (p *Process) Code() int {
	<-p.done
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return p.cmd.ProcessState.ExitCode()
}

// Signal sends sig to the child. A child that has ended is os.ErrProcessDone.
func (p *Process) Signal(sig os.Signal) error { return p.cmd.Process.Signal(sig) }

// KillTree ends the child and its direct children at once, as a machine that
// runs out of memory would, and returns the ids of the latter, which may take
// another moment to go. The child is stopped first, so that it cannot start
// another one meanwhile.
func (p *Process) KillTree() []int {
	select {
	case <-p.done:
		return nil
	default:
	}
	// Each call may find its process gone already, which is what is wanted.
	_ = p.Signal(syscall.SIGSTOP)
	children := slices.DeleteFunc(Children(p.PID()), func(pid int) bool { return pid <= 1 })
	_ = p.Signal(syscall.SIGKILL)
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-p.done
	return children
}
