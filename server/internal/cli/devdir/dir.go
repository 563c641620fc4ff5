//go:build unix

package devdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ErrInUse means that another `belfry dev` has the directory open.
var ErrInUse = errors.New("another `belfry dev` uses the data directory")

// othersCanWrite are the mode bits that a directory or file of ours must not have.
const othersCanWrite fs.FileMode = 0o022

// Dir is an open directory.
type Dir struct {
	path string
	lock *os.File
}

// Open creates the directory if need be and locks it. Errors: ErrInUse, which names the other process.
func Open(path string) (*Dir, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("resolve data directory: %w", err)
	}
	if err := makeDir(path); err != nil {
		return nil, fmt.Errorf("create data directory (choose another with --data-dir): %w", err)
	}
	if err := ours(path, othersCanWrite); err != nil {
		return nil, fmt.Errorf("open data directory: %w", err)
	}
	name := filepath.Join(path, "dev.lock")
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open data directory (choose another with --data-dir): %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer lock.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock data directory: %w", err)
		}
		holder, _ := os.ReadFile(name) // only for the message
		return nil, fmt.Errorf("%w %s: it is process %s; stop that one, or choose another with --data-dir",
			ErrInUse, path, strings.TrimSpace(string(holder)))
	}
	if err := writePID(lock); err != nil {
		_ = lock.Close() // the first error says more
		return nil, fmt.Errorf("mark data directory as used: %w", err)
	}
	return &Dir{path: path, lock: lock}, nil
}

// makeDir creates the directory and its missing parents. As root everybody may pass through the directory, since the
// account that PostgreSQL runs under must.
func makeDir(path string) error {
	if isDir(path) {
		return nil
	}
	mode, parents := fs.FileMode(0o700), fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode, parents = 0o711, 0o755
	}
	if err := os.MkdirAll(filepath.Dir(path), parents); err != nil {
		return err
	}
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Chmod(path, mode) // whatever the umask
}

func writePID(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// Path returns the absolute path of the directory.
func (d *Dir) Path() string { return d.path }

// PostgresDir returns the directory for package pgdev.
func (d *Dir) PostgresDir() string { return filepath.Join(d.path, "postgres") }

// EnvFile returns the path of dev.env.
func (d *Dir) EnvFile() string { return envFile(d.path) }

// Close gives the directory up. The lock's file stays: removing it would let two processes lock two files of one name.
func (d *Dir) Close() { _ = d.lock.Close() }
