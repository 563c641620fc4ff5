//go:build unix

package pgdev

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// initialised returns options for a directory with a cluster on which no
// server runs.
func initialised(t *testing.T) Options {
	t.Helper()
	opts := quick(t)
	server, err := Start(t.Context(), opts)
	noError(t, err)
	noError(t, server.Stop(t.Context()))
	return opts
}

func TestStart_RedoesAHalfInitialisedCluster(t *testing.T) {
	t.Parallel()
	for name, leftover := range map[string]string{
		"interrupted initdb": "pgdata.tmp/base/1/1247",
		"never completed":    "pgdata/base/1/1247",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := quick(t)
			writeFile(t, layout(opts.DataDir).lockFile(), "")
			writeFile(t, filepath.Join(opts.DataDir, leftover), "half")
			started(t, opts)
			if _, err := os.Stat(layout(opts.DataDir).unready()); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("pgdata.tmp is still there: %v", err)
			}
		})
	}
}

func TestStart_RefusesWhatMayHoldData(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]struct {
		break_ func(t *testing.T, l layout)
		says   string
	}{
		"version gone":   {func(t *testing.T, l layout) { noError(t, os.Remove(filepath.Join(l.pgdata(), "PG_VERSION"))) }, "PG_VERSION is gone"},
		"version unread": {func(t *testing.T, l layout) { writeFile(t, filepath.Join(l.pgdata(), "PG_VERSION"), "?") }, "instead of a version"},
		"password gone":  {func(t *testing.T, l layout) { noError(t, os.Remove(filepath.Join(l.pgdata(), passwordName))) }, "restore that file"},
		"not made by us": {func(t *testing.T, l layout) { noError(t, os.Remove(l.lockFile())) }, "was not created by belfry"},
		"a file in its way": {func(t *testing.T, l layout) {
			noError(t, os.RemoveAll(string(l)))
			writeFile(t, string(l), "a file")
		}, "not a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := initialised(t)
			damage.break_(t, layout(opts.DataDir))
			_, err := Start(t.Context(), opts)
			wantMessage(t, err, damage.says, opts.DataDir)
		})
	}
}

func TestStart_OnClusterOfAnotherVersion_SaysWhatToInstall(t *testing.T) {
	t.Parallel()
	opts := initialised(t)
	writeFile(t, filepath.Join(layout(opts.DataDir).pgdata(), "PG_VERSION"), "13\n")
	_, err := Start(t.Context(), opts)
	if !errors.Is(err, ErrVersion) {
		t.Fatalf("Start = %v, want ErrVersion", err)
	}
	wantMessage(t, err, "made by PostgreSQL 13", "apt-get install postgresql-13", opts.DataDir)
}

// After a restart of a container, another process often has the old id.
func TestStart_IgnoresAPostmasterPidThatNamesAnotherProcess(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"alive": strconv.Itoa(os.Getpid()) + "\n",
		"dead":  "4194305\n",
		"empty": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := initialised(t)
			writeFile(t, filepath.Join(layout(opts.DataDir).pgdata(), "postmaster.pid"), content)
			started(t, opts)
		})
	}
}

func TestStart_OnDirectoryInUse_NamesTheHolder(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	started(t, opts)
	_, err := Start(t.Context(), opts)
	if !errors.Is(err, ErrLocked) {
		t.Fatalf("second Start = %v, want ErrLocked", err)
	}
	wantMessage(t, err, opts.DataDir, "process "+strconv.Itoa(os.Getpid()))
}

// orphan starts a server on the data directory behind the package's back.
func orphan(t *testing.T, opts Options) *proc.Process {
	t.Helper()
	opts, err := opts.withDefaults()
	noError(t, err)
	bins, err := Find(t.Context(), opts)
	noError(t, err)
	as, err := serverAccount()
	noError(t, err)
	l := layout(opts.DataDir)
	cmd := exec.Command(filepath.Join(bins.Dir, "postgres"), "-D", l.pgdata(),
		"-c", "listen_addresses=", "-c", "unix_socket_directories="+l.sock(), "-c", "fsync=off")
	cmd.Dir, cmd.Env = opts.DataDir, serverEnv(opts.DataDir)
	running, err := proc.Start(cmd, proc.Spec{As: as, ParentDeath: syscall.SIGKILL, OwnGroup: true})
	noError(t, err)
	t.Cleanup(func() { running.KillTree() })
	eventually(t, "the server is ready", func() bool {
		// The last line of postmaster.pid is the server's state.
		state, err := os.ReadFile(filepath.Join(l.pgdata(), "postmaster.pid"))
		return err == nil && strings.HasSuffix(strings.TrimSpace(string(state)), "ready")
	})
	return running
}

func TestStart_EndsAServerOfOursThatLostItsParent(t *testing.T) {
	t.Parallel()
	opts := initialised(t)
	running := orphan(t, opts)
	writeFile(t, layout(opts.DataDir).pidFile(), strconv.Itoa(running.PID())+"\n")
	started(t, opts)
	<-running.Done()
}

func TestStart_LeavesAServerOfOthersAlone(t *testing.T) {
	t.Parallel()
	opts := initialised(t)
	running := orphan(t, opts)
	_, err := Start(t.Context(), opts)
	if !errors.Is(err, ErrServerRunning) {
		t.Fatalf("Start = %v, want ErrServerRunning", err)
	}
	wantMessage(t, err, "process "+strconv.Itoa(running.PID()), "pg_ctl stop -D")
	select {
	case <-running.Done():
		t.Error("the other server was ended")
	default:
	}
}

func TestServer_EndsWithItsParentsSIGKILL(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	parent, output := startChild(t, opts.DataDir, opts.TemplateDir)
	url, err := output.ReadString('\n')
	noError(t, err)
	// A connected client must not keep the server alive.
	conn := connect(t, url[:len(url)-1])
	backend := int(conn.PgConn().PID())
	postmaster, err := firstLinePID(layout(opts.DataDir).pidFile())
	noError(t, err)
	if !proc.Alive(postmaster) || !proc.Alive(backend) {
		t.Fatalf("server %d or backend %d does not run", postmaster, backend)
	}
	children := proc.Children(postmaster)

	noError(t, parent.Process.Kill())
	for _, pid := range append(children, postmaster, backend) {
		eventually(t, "process "+strconv.Itoa(pid)+" ends", func() bool { return !proc.Alive(pid) })
	}
	started(t, opts)
}

func TestStart_AfterParentWasKilledDuringInitdb(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	parent, _ := startChild(t, opts.DataDir, "")
	l := layout(opts.DataDir)
	eventually(t, "initdb gets going", func() bool {
		_, err := os.Stat(filepath.Join(l.unready(), "global"))
		return err == nil
	})
	noError(t, parent.Process.Kill())
	_ = parent.Wait()
	started(t, opts)
}

func TestTraversable_NamesTheClosedDirectory(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(openDir(t), "closed")
	inside := filepath.Join(closed, "data")
	noError(t, os.MkdirAll(inside, 0o755))
	noError(t, os.Chmod(closed, 0o700))
	// An account that owns nothing here.
	stranger := &proc.Account{Name: "stranger", UID: 1<<31 - 7, GID: 1<<31 - 7}
	err := traversable(inside, stranger)
	if !errors.Is(err, ErrUnusableDir) {
		t.Fatalf("traversable = %v, want ErrUnusableDir", err)
	}
	wantMessage(t, err, closed+" is closed to user stranger", "chmod o+x "+closed)
	noError(t, os.Chmod(closed, 0o711))
	noError(t, traversable(inside, stranger))
}

func TestStart_WithUnsafeTemplateDirectory_RefusesIt(t *testing.T) {
	t.Parallel()
	opts := quick(t)
	opts.TemplateDir = openDir(t)
	noError(t, os.Chmod(opts.TemplateDir, 0o777))
	if _, err := Start(context.Background(), opts); !errors.Is(err, ErrUnusableDir) {
		t.Errorf("Start = %v, want ErrUnusableDir", err)
	}
}
