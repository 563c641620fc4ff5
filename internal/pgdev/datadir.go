//go:build unix

package pgdev

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// layout is a data directory; its methods name what is in it.
type layout string

func (l layout) pgdata() string   { return filepath.Join(string(l), "pgdata") }
func (l layout) unready() string  { return filepath.Join(string(l), "pgdata.tmp") }
func (l layout) sock() string     { return filepath.Join(string(l), "sock") }
func (l layout) binaries() string { return filepath.Join(string(l), "binaries") }
func (l layout) log() string      { return filepath.Join(string(l), "server.log") }
func (l layout) pidFile() string  { return filepath.Join(string(l), "server.pid") }
func (l layout) lockFile() string { return filepath.Join(string(l), "belfry-pg.lock") }

// major returns the major version of the cluster, 0 if there is none yet.
func (l layout) major() (int, error) {
	file := filepath.Join(l.pgdata(), "PG_VERSION")
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read version of data directory: %w", err)
	}
	text, _, _ := strings.Cut(strings.TrimSpace(string(raw)), ".")
	major, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%w: %s holds %q instead of a version; move %s away to start afresh",
			ErrUnusableDir, file, raw, l.pgdata())
	}
	return major, nil
}

// serverAccount returns the user the server runs as: this one, or as root,
// which PostgreSQL refuses to be, postgres or else nobody.
func serverAccount() (*proc.Account, error) {
	return proc.Unprivileged("postgres", "nobody")
}

// claim makes the data directory ours: it creates and marks it, and refuses
// one that holds something else. It stays ours alone to write to; the server's
// account may pass through to what it owns inside.
func claim(l layout, as *proc.Account) error {
	dir := string(l)
	if err := makeOpenDirs(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create data directory: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read data directory: %w", err)
	}
	if _, err := os.Lstat(l.lockFile()); err != nil && len(entries) > 0 {
		return fmt.Errorf("%w: %s is not empty and was not created by belfry; choose an empty or new data directory",
			ErrUnusableDir, dir)
	}
	marker, err := os.OpenFile(l.lockFile(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("mark data directory: %w", err)
	}
	if err := marker.Close(); err != nil {
		return fmt.Errorf("mark data directory: %w", err)
	}
	mode := os.FileMode(0o700)
	if as != nil {
		mode = 0o711
	}
	if err := os.Chmod(dir, mode); err != nil {
		return fmt.Errorf("open data directory: %w", err)
	}
	return traversable(dir, as)
}

// makeOpenDirs creates dir and its missing parents so that every user can
// traverse them, whatever the umask. Existing ones stay as they are.
func makeOpenDirs(dir string) error {
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeOpenDirs(filepath.Dir(dir)); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o755)
	}
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		return fmt.Errorf("create directory: %w", err)
	}
	return nil
}

// giveTo makes the account own path; nil is who owns it already.
func giveTo(as *proc.Account, path string) error {
	if as == nil {
		return nil
	}
	if err := os.Lchown(path, as.UID, as.GID); err != nil {
		return fmt.Errorf("give %s to user %s: %w", path, as, err)
	}
	return nil
}

// traversable reports which directory on the way to dir, or dir itself, is
// closed to the account. It goes by the mode bits, since the account itself
// has not started yet; nil is this user, to whom the system will say.
func traversable(dir string, as *proc.Account) error {
	if as == nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("resolve %s: %w", dir, err)
	}
	for at := real; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return fmt.Errorf("look at %s: %w", at, err)
		}
		if !mayTraverse(info, as) {
			return fmt.Errorf("%w: %s is closed to user %s, whom PostgreSQL runs as because it refuses to run as root; "+
				"choose another place than %s (for example below /var/tmp), or open it: chmod o+x %s",
				ErrUnusableDir, at, as, dir, at)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

func mayTraverse(info fs.FileInfo, as *proc.Account) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	switch {
	case int(stat.Uid) == as.UID:
		return info.Mode()&0o100 != 0
	case int(stat.Gid) == as.GID:
		return info.Mode()&0o010 != 0
	default:
		return info.Mode()&0o001 != 0
	}
}

// dirLock is an advisory lock on the data directory. The system releases it
// when this process ends, so it is never stale.
type dirLock struct{ file *os.File }

// lock takes the lock or fails with ErrLocked, naming the holder.
func lock(l layout) (*dirLock, error) {
	file, err := os.OpenFile(l.lockFile(), os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("open lock file: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock data directory: %w", err)
		}
		holder, _ := os.ReadFile(l.lockFile()) // only for the message
		return nil, fmt.Errorf("%w: %s is used by process %s; stop that one, or choose another data directory",
			ErrLocked, string(l), strings.TrimSpace(string(holder)))
	}
	if err := file.Truncate(0); err == nil {
		_, err = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("write lock file: %w", err)
		}
	}
	return &dirLock{file: file}, nil
}

// release gives the lock up. The file stays: it marks the directory, and
// removing it would let two processes lock two files of one name.
func (d *dirLock) release() { d.file.Close() }
