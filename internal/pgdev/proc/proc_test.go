//go:build unix

package proc_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// shell starts a shell and returns it with the first line it prints.
func shell(t *testing.T, script string) (*proc.Process, string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	read, write, err := os.Pipe()
	noError(t, err)
	t.Cleanup(func() { read.Close() })
	cmd.Stdout = write
	running, err := proc.Start(cmd, proc.Spec{ParentDeath: syscall.SIGKILL, OwnGroup: true})
	noError(t, err)
	t.Cleanup(func() { running.KillTree() })
	noError(t, write.Close())
	line, err := bufio.NewReader(read).ReadString('\n')
	noError(t, err)
	return running, strings.TrimSpace(line)
}

func TestCode_IsThatOfAShell(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]int{
		"echo; exit 0":        0,
		"echo; exit 75":       75,
		"echo; kill -TERM $$": 128 + 15,
	} {
		running, _ := shell(t, script)
		if got := running.Code(); got != want {
			t.Errorf("%s: Code() = %d, want %d", script, got, want)
		}
		if err := running.Err(); (err == nil) != (want == 0) {
			t.Errorf("%s: Err() = %v", script, err)
		}
	}
}

func TestStart_OfMissingProgram_Fails(t *testing.T) {
	t.Parallel()
	if _, err := proc.Start(exec.Command("/no/such/program"), proc.Spec{}); err == nil {
		t.Error("no error")
	}
}

// The kernel takes the end of the creating thread for the end of the parent,
// so the caller's thread must not be the one. Several callers, since one of
// them may be on the main thread, which Go never ends.
func TestStart_ChildSurvivesTheCallersThread(t *testing.T) {
	t.Parallel()
	const callers = 4
	var children [callers]*proc.Process
	var errs [callers]error
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			children[i], errs[i] = proc.Start(exec.Command("sleep", "600"), proc.Spec{ParentDeath: syscall.SIGKILL})
		})
	}
	wg.Wait()
	noError(t, errors.Join(errs[:]...))
	t.Cleanup(func() {
		for _, child := range children {
			child.KillTree()
		}
	})
	// The threads end soon after their goroutines; other children give them
	// the time.
	for range 20 {
		other, _ := shell(t, "echo")
		<-other.Done()
	}
	for _, child := range children {
		select {
		case <-child.Done():
			t.Errorf("a child was ended with code %d", child.Code())
		default:
		}
	}
}

func TestKillTree_EndsTheChildren(t *testing.T) {
	t.Parallel()
	running, line := shell(t, "sleep 600 & echo $!; wait")
	child, err := strconv.Atoi(line)
	noError(t, err)
	if got := proc.Children(running.PID()); !slices.Contains(got, child) {
		t.Errorf("Children = %v, want %d among them", got, child)
	}
	if got := running.KillTree(); !slices.Contains(got, child) {
		t.Errorf("KillTree = %v, want %d among them", got, child)
	}
	if running.Code() != 128+9 {
		t.Errorf("Code() = %d, want 137", running.Code())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for proc.Alive(child) {
		noError(t, clock.Sleep(ctx, clock.Real(), time.Millisecond))
	}
	if again := running.KillTree(); again != nil {
		t.Errorf("KillTree of an ended process = %v", again)
	}
}

func TestAlive_OfAbsentProcess(t *testing.T) {
	t.Parallel()
	const none = 4194305 // above PID_MAX_LIMIT, 2^22
	if proc.Alive(none) || proc.WorksIn(none, "/") || !proc.Alive(os.Getpid()) {
		t.Error("wrong about who is alive")
	}
}

func TestUnprivileged_IsNilUnlessRoot(t *testing.T) {
	t.Parallel()
	account, err := proc.Unprivileged("no-such-user", "nobody")
	if os.Geteuid() != 0 {
		if account != nil || err != nil {
			t.Errorf("Unprivileged = %v, %v", account, err)
		}
		return
	}
	noError(t, err)
	if account.Name != "nobody" || account.UID == 0 {
		t.Errorf("Unprivileged = %v, want nobody", account)
	}
	if _, err := proc.Unprivileged("no-such-user"); err == nil {
		t.Error("no error for a user that does not exist")
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
