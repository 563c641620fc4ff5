//go:build unix

package pgdev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

const (
	// maxSocketPath is what fits into sun_path on every Unix we know.
	maxSocketPath = 103

	// maxLog is the size in bytes at which a start begins a new log file.
	maxLog = 16 << 20

	// launchAttempts bounds retries after failures that pass by themselves.
	launchAttempts = 5
)

// errShmInUse: backends of a killed server still hold its shared memory. They
// end as soon as they notice.
var errShmInUse = errors.New("backends of the previous server are still ending")

// launch starts the server and returns once it answers. It requires mu, or
// that nobody else has the Server yet.
func (s *Server) launch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.StartTimeout)
	defer cancel()
	picking := s.Port() == 0
	var err error
	for range launchAttempts {
		if picking {
			port, pickErr := pickPort()
			if pickErr != nil {
				return pickErr
			}
			s.port.Store(int32(port))
		} else if err := checkPort(s.Port()); err != nil {
			return err
		}
		err = s.launchOnce(ctx)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errShmInUse):
			if err := clock.Sleep(ctx, clock.Real(), 200*time.Millisecond); err != nil {
				return fmt.Errorf("start PostgreSQL: %w", err)
			}
		case picking && errors.Is(err, ErrPortTaken):
			// Somebody was faster: pick another.
		default:
			return err
		}
	}
	return err
}

func (s *Server) launchOnce(ctx context.Context) error {
	if err := clearPredecessor(ctx, s.layout, s.opts.Logger); err != nil {
		return err
	}
	if err := s.makeSocketDir(); err != nil {
		return err
	}
	log, logStart, err := openLog(s.layout.log())
	if err != nil {
		return err
	}
	defer log.Close()

	cmd := exec.Command(filepath.Join(s.bins.Dir, "postgres"), s.args()...)
	cmd.Dir = string(s.layout)
	cmd.Env = serverEnv(string(s.layout))
	cmd.Stdout, cmd.Stderr = log, log
	running, err := proc.Start(cmd, proc.Spec{As: s.as, ParentDeath: syscall.SIGINT, OwnGroup: true})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	s.current.Store(running)
	err = os.WriteFile(s.layout.pidFile(), []byte(strconv.Itoa(running.PID())+"\n"), 0o600)
	if err == nil {
		err = s.awaitReady(ctx, running)
	}
	if err != nil {
		running.KillTree()
		return fmt.Errorf("start PostgreSQL: %w", s.explain(err, logTail(s.layout.log(), logStart)))
	}
	s.opts.Logger.Info("PostgreSQL is ready", "pid", running.PID(), "port", s.Port(), "version", s.bins.Version)
	return nil
}

func (s *Server) args() []string {
	settings := s.opts.settings()
	settings["listen_addresses"] = host
	settings["port"] = strconv.Itoa(s.Port())
	settings["unix_socket_directories"] = s.sockDir
	args := []string{"-D", s.layout.pgdata()}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}

// serverEnv is the whole environment of the server: PG* variables of this
// process must not leak into it, and its messages must be in English, since
// explain reads them.
func serverEnv(home string) []string {
	env := []string{"HOME=" + home, "LC_ALL=C", "TZ=UTC"}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// awaitReady probes by real connections: a bare TCP dial would leave a backend
// behind that waits for a start-up packet and holds up the next fast shutdown.
func (s *Server) awaitReady(ctx context.Context, running *proc.Process) error {
	for {
		err := s.probe(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-running.Done():
			return fmt.Errorf("it ended: %w", running.Err())
		default:
		}
		if sleepErr := clock.Sleep(ctx, clock.Real(), 2*pollInterval); sleepErr != nil {
			return fmt.Errorf("it does not answer (%w): %w", sleepErr, err)
		}
	}
}

func (s *Server) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL(superuser))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.Ping(ctx)
}

// explain turns what the server logged before it failed into errors that can
// be acted on, and otherwise quotes it.
func (s *Server) explain(err error, log string) error {
	switch {
	case strings.Contains(log, "Address already in use"):
		return portTaken(s.Port())
	case strings.Contains(log, "pre-existing shared memory block"):
		return errShmInUse
	default:
		return fmt.Errorf("%w; it logged:\n%s", err, log)
	}
}

// socketDir returns the directory for the socket: in the data directory,
// unless the path of a socket there would be longer than the system allows.
func socketDir(l layout) (string, error) {
	if len(filepath.Join(l.sock(), ".s.PGSQL.65535")) <= maxSocketPath {
		return l.sock(), nil
	}
	dir, err := os.MkdirTemp("/tmp", "belfry-pg-sock-")
	if err != nil {
		return "", fmt.Errorf("create socket directory: %w", err)
	}
	return dir, nil
}

// makeSocketDir makes the directory anew: like postmaster.pid, the lock file
// of a dead server's socket may name a process that lives.
func (s *Server) makeSocketDir() error {
	if err := os.RemoveAll(s.sockDir); err != nil {
		return fmt.Errorf("remove stale socket: %w", err)
	}
	if err := os.Mkdir(s.sockDir, 0o700); err != nil {
		return fmt.Errorf("create socket directory: %w", err)
	}
	return giveTo(s.as, s.sockDir)
}

// openLog opens the log for appending and returns its size so far. A large one
// is put aside first.
func openLog(name string) (*os.File, int64, error) {
	if info, err := os.Stat(name); err == nil && info.Size() > maxLog {
		if err := os.Rename(name, name+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, 0, fmt.Errorf("put server log aside: %w", err)
		}
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("open server log: %w", err)
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("open server log: %w", err)
	}
	return file, size, nil
}

// logTail returns the last lines written to the log after offset from.
func logTail(name string, from int64) string {
	const lines, maxBytes = 20, 16 << 10
	file, err := os.Open(name)
	if err != nil {
		return fmt.Sprintf("(no log: %v)", err)
	}
	defer file.Close()
	if end, err := file.Seek(0, io.SeekEnd); err == nil {
		from = max(from, end-maxBytes)
	}
	raw, err := io.ReadAll(io.NewSectionReader(file, from, maxBytes))
	if err != nil {
		return fmt.Sprintf("(no log: %v)", err)
	}
	all := bytes.Split(bytes.TrimSpace(raw), []byte("\n"))
	return string(bytes.Join(all[max(0, len(all)-lines):], []byte("\n")))
}
