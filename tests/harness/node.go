package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

const (
	// startWithin bounds a start up to readiness: a take-over may wait one ownership TTL.
	startWithin = 30 * time.Second
	// stopWithin bounds an orderly stop; more than the default grace.
	stopWithin = 25 * time.Second
)

// raceReport begins what the race detector says; a binary built with it goes on after that.
const raceReport = "WARNING: DATA RACE"

// NodeOptions says how `belfry serve` runs.
type NodeOptions struct {
	// DatabaseURL leads to a migrated database.
	DatabaseURL string
	// Flags are further flags of `belfry serve`.
	Flags []string
}

// Node is one `belfry serve` process, which keeps its addresses over restarts.
type Node struct {
	Addr    string // of the API
	OpsAddr string // of the operations port

	options NodeOptions
	binary  string
	output  *tail

	mu      sync.Mutex
	process *proc.Process
}

// StartNode starts a server for this test alone and waits until it is ready; it ends with the test, which shows the end
// of its log if it has failed.
func StartNode(t testing.TB, options NodeOptions) *Node {
	t.Helper()
	node, err := newNode(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		node.Kill()
		if node.output.raced() {
			t.Error("the race detector has found a race in the server")
		}
		if t.Failed() {
			t.Logf("the end of the server's log:\n%s", node.output)
		}
	})
	if err := node.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return node
}

func newNode(options NodeOptions) (*Node, error) {
	binary, err := Binary()
	if err != nil {
		return nil, err
	}
	n := &Node{options: options, binary: binary, output: &tail{limit: 64 << 10}}
	if n.Addr, err = freeAddress(); err != nil {
		return nil, err
	}
	n.OpsAddr, err = freeAddress()
	return n, err
}

// Start starts the server, on the addresses it had before, and waits until it is ready.
func (n *Node) Start(ctx context.Context) error {
	if err := n.Launch(); err != nil {
		return err
	}
	return n.AwaitReady(ctx)
}

// Launch starts the server without waiting for it.
func (n *Node) Launch() error {
	args := append([]string{"serve", "--listen", n.Addr, "--ops-listen", n.OpsAddr}, n.options.Flags...)
	cmd := exec.Command(n.binary, args...)
	cmd.Env = environment("BELFRY_DATABASE_URL=" + n.options.DatabaseURL)
	cmd.Stdout, cmd.Stderr = n.output, n.output
	process, err := proc.Start(cmd, proc.Spec{ParentDeath: syscall.SIGKILL, OwnGroup: true})
	if err != nil {
		return fmt.Errorf("start belfry serve: %w", err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.process = process
	return nil
}

// AwaitReady waits until the server says that it is ready.
func (n *Node) AwaitReady(ctx context.Context) error {
	process := n.current()
	ready := holds(ctx, startWithin, func() bool {
		select {
		case <-process.Done():
			return true
		default:
			return n.ready()
		}
	})
	select {
	case <-process.Done():
		return fmt.Errorf("belfry serve ended with code %d; it said:\n%s", process.Code(), n.output)
	default:
	}
	if !ready {
		return fmt.Errorf("belfry serve is not ready after %v; it said:\n%s", startWithin, n.output)
	}
	return nil
}

// Kill ends the server by SIGKILL and waits until it is gone.
func (n *Node) Kill() {
	if process := n.current(); process != nil {
		_ = process.Signal(syscall.SIGCONT) // a stopped one dies as well, but only its own parent's debugger would wait
		process.KillTree()
		<-process.Done()
	}
}

// Terminate ends the server by SIGTERM and returns its exit code.
func (n *Node) Terminate() (code int, err error) {
	process := n.current()
	if err := process.Signal(syscall.SIGTERM); err != nil {
		return 0, fmt.Errorf("send SIGTERM: %w", err)
	}
	select {
	case <-process.Done():
		return process.Code(), nil
	case <-time.After(stopWithin):
		return 0, fmt.Errorf("belfry serve still runs %v after SIGTERM; it said:\n%s", stopWithin, n.output)
	}
}

// Pause stops the process as it stands (SIGSTOP); Resume lets it go on.
func (n *Node) Pause() error { return n.current().Signal(syscall.SIGSTOP) }

// Resume lets a paused process go on.
func (n *Node) Resume() error { return n.current().Signal(syscall.SIGCONT) }

// Log returns the end of what the server has said.
func (n *Node) Log() string { return n.output.String() }

func (n *Node) current() *proc.Process {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.process
}

func (n *Node) ready() bool {
	response, err := plain.Get("http://" + n.OpsAddr + "/readyz")
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// Run runs the belfry binary to its end and returns what it printed; env is added to the environment.
func Run(ctx context.Context, env []string, args ...string) (stdout string, err error) {
	binary, err := Binary()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = environment(env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("belfry %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}

// environment is that of this process without any setting of Belfry.
func environment(add ...string) []string {
	var env []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "BELFRY_") {
			env = append(env, pair)
		}
	}
	return append(env, add...)
}

// tail keeps the end of what is written to it.
type tail struct {
	limit int

	mu   sync.Mutex
	kept []byte
	race bool // a race was reported, ever
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.race = t.race || bytes.Contains(p, []byte(raceReport))
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = bytes.Clone(t.kept[over:])
	}
	return len(p), nil
}

func (t *tail) raced() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.race
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
