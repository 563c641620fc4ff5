//go:build unix

package pgdev

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// Server is a PostgreSQL server that runs as a child of this process, or has
// done so. It holds the lock on its data directory until Stop.
type Server struct {
	opts     Options
	layout   layout
	as       *proc.Account
	bins     Binaries
	password string
	sockDir  string
	lock     *dirLock
	// temporary data directories are removed by Stop.
	temporary bool

	// mu serialises starting and ending; nothing else waits for it.
	mu      sync.Mutex
	stopped bool // guarded by mu; final

	port    atomic.Int32
	current atomic.Pointer[proc.Process]
}

// Start initialises the data directory if need be, repairs what an earlier run
// left behind, starts the server and returns once it answers queries. ctx
// bounds only that; the server runs until Stop, Kill or the end of this
// process, and ends with it.
func Start(ctx context.Context, opts Options) (*Server, error) {
	return start(ctx, opts, false)
}

func start(ctx context.Context, opts Options, temporary bool) (*Server, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	as, err := serverAccount()
	if err != nil {
		return nil, err
	}
	s := &Server{opts: opts, layout: layout(opts.DataDir), as: as, temporary: temporary}
	s.port.Store(int32(opts.Port))
	if err := claim(s.layout, as); err != nil {
		return nil, err
	}
	if s.lock, err = lock(s.layout); err != nil {
		return nil, err
	}
	err = s.prepare(ctx)
	if err == nil {
		err = s.launch(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// prepare settles what does not change while the server is ours.
func (s *Server) prepare(ctx context.Context) error {
	major, err := s.layout.major()
	if err != nil {
		return err
	}
	if s.bins, err = find(ctx, s.opts, major); err != nil {
		return err
	}
	if err := traversable(s.bins.Dir, s.as); err != nil {
		return err
	}
	if s.sockDir, err = socketDir(s.layout); err != nil {
		return err
	}
	if err := clearPredecessor(ctx, s.layout, s.opts.Logger); err != nil {
		return err
	}
	if err := (initialiser{bins: s.bins, as: s.as, opts: s.opts}).ensure(ctx, s.layout); err != nil {
		return err
	}
	s.password, err = readPassword(s.layout)
	return err
}

// Binaries returns the server's program files and version.
func (s *Server) Binaries() Binaries { return s.bins }

// Port returns the port on 127.0.0.1. It never changes.
func (s *Server) Port() int { return int(s.port.Load()) }

// PID returns the process id of the server, also after its end.
func (s *Server) PID() int { return s.current.Load().PID() }

// Done is closed when the server that runs now has ended, for whatever reason.
// After Restart there is a new channel.
func (s *Server) Done() <-chan struct{} { return s.current.Load().Done() }

// Err waits for the end of the server and says how it ended, with what it last
// logged.
func (s *Server) Err() error {
	if err := s.current.Load().Err(); err != nil {
		return fmt.Errorf("PostgreSQL ended: %w; the end of %s:\n%s", err, s.layout.log(), logTail(s.layout.log(), 0))
	}
	return errors.New("PostgreSQL was shut down")
}

// URL returns the URL of a database for the superuser, over TCP. It contains
// the password and is not for logs.
func (s *Server) URL(database string) string {
	return s.connURL(database, net.JoinHostPort(host, strconv.Itoa(s.Port())), nil)
}

// SocketURL is URL over the Unix socket, which is a little faster and open to
// this user and root only.
func (s *Server) SocketURL(database string) string {
	return s.connURL(database, "", url.Values{"host": {s.sockDir}, "port": {strconv.Itoa(s.Port())}})
}

func (s *Server) connURL(database, address string, query url.Values) string {
	if query == nil {
		query = url.Values{}
	}
	query.Set("sslmode", "disable")
	whole := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(superuser, s.password),
		Host:     address,
		Path:     "/" + database,
		RawQuery: query.Encode(),
	}
	return whole.String()
}

// EnsureDatabase creates the database unless it exists.
func (s *Server) EnsureDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, s.URL(superuser))
	if err != nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42P04" { // duplicate_database
		return nil
	}
	if err != nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	return nil
}

// Stop ends the server and gives up the data directory. It is orderly (a fast
// shutdown) until Options.StopTimeout or the end of ctx, and then rough; the
// server has ended in any case when Stop returns. Stopping again does nothing.
func (s *Server) Stop(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil
	}
	s.stopped = true
	s.halt(ctx)
	return s.release()
}

// Restart ends the server as Stop does, if it runs, and starts it again on the
// same port.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return errors.New("restart PostgreSQL: it was stopped for good")
	}
	s.halt(ctx)
	return s.launch(ctx)
}

// Kill ends the server and its backends by SIGKILL and waits until they are
// gone. The Server keeps its data directory and port: Restart recovers it.
func (s *Server) Kill(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	backends := s.current.Load().KillTree()
	gone, err := waitGone(ctx, immediateTimeout, func() bool {
		for _, pid := range backends {
			if proc.WorksIn(pid, s.layout.pgdata()) {
				return false
			}
		}
		return true
	})
	if err == nil && !gone {
		err = errors.New("kill PostgreSQL: a backend does not end")
	}
	return err
}

// halt ends the process with rising insistence. It requires mu.
func (s *Server) halt(ctx context.Context) {
	running := s.current.Load()
	if running == nil {
		return
	}
	// A fast shutdown; then an immediate one, which is recovered from at the
	// next start. Signalling a process that has just ended is no failure.
	_ = running.Signal(syscall.SIGINT)
	if awaitEnd(ctx, running, s.opts.StopTimeout) {
		return
	}
	s.opts.Logger.Warn("PostgreSQL does not stop in time, shutting it down immediately", "pid", running.PID())
	_ = running.Signal(syscall.SIGQUIT)
	if !awaitEnd(context.WithoutCancel(ctx), running, immediateTimeout) {
		running.KillTree()
	}
}

// awaitEnd reports whether the process has ended within the time given.
func awaitEnd(ctx context.Context, running *proc.Process, patience time.Duration) bool {
	timer := clock.Real().NewTimer(patience)
	defer timer.Stop()
	select {
	case <-running.Done():
		return true
	case <-ctx.Done():
	case <-timer.C():
	}
	return false
}

// release gives up the lock and what is outside of the data directory.
func (s *Server) release() error {
	defer s.lock.release()
	if s.sockDir != "" && s.sockDir != s.layout.sock() {
		if err := os.RemoveAll(s.sockDir); err != nil {
			return fmt.Errorf("remove socket directory: %w", err)
		}
	}
	if s.temporary {
		if err := os.RemoveAll(string(s.layout)); err != nil {
			return fmt.Errorf("remove data directory: %w", err)
		}
	}
	return nil
}
