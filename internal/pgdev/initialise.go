//go:build unix

package pgdev

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// passwordName is the file in a cluster with the superuser's password. It is
// in the cluster so that both appear, and are copied, together.
const passwordName = "belfry-password"

// templateRevision changes when initdb's arguments do, so that templates made
// before are not used any more.
const templateRevision = "1"

// initialiser makes clusters.
type initialiser struct {
	bins Binaries
	as   *proc.Account
	opts Options
}

// ensure makes the cluster of the data directory if there is none. It requires
// the lock. A cluster is made beside its place and then renamed, so an attempt
// that was interrupted leaves nothing but a directory to remove.
func (i initialiser) ensure(ctx context.Context, l layout) error {
	if err := removeTree(ctx, l.unready()); err != nil {
		return err
	}
	exists, err := i.checkExisting(l)
	if err != nil || exists {
		return err
	}
	if i.opts.TemplateDir == "" {
		err = i.initdb(ctx, l.unready())
	} else {
		err = i.copyTemplate(ctx, l.unready())
	}
	if err != nil {
		return err
	}
	if err := os.Rename(l.unready(), l.pgdata()); err != nil {
		return fmt.Errorf("move initialised cluster into place: %w", err)
	}
	return syncDir(string(l))
}

// checkExisting reports whether pgdata holds a cluster, clears it away if it
// cannot hold data, and refuses it if it is damaged.
func (i initialiser) checkExisting(l layout) (bool, error) {
	info, err := os.Stat(l.pgdata())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at cluster: %w", err)
	}
	if _, err := os.Stat(filepath.Join(l.pgdata(), "PG_VERSION")); err == nil {
		return true, i.takeOver(l.pgdata(), info)
	}
	if _, err := os.Stat(filepath.Join(l.pgdata(), "global", "pg_control")); err == nil {
		return false, fmt.Errorf("%w: %s is damaged, its file PG_VERSION is gone; restore it, or move %s away to start afresh",
			ErrUnusableDir, l.pgdata(), l.pgdata())
	}
	// Without pg_control no server has ever run on it.
	i.opts.Logger.Warn("removing a cluster that was never completed", "dir", l.pgdata())
	if err := os.RemoveAll(l.pgdata()); err != nil {
		return false, fmt.Errorf("remove half-initialised cluster: %w", err)
	}
	return false, nil
}

// removeTree removes dir, into which a child of a killed initdb may go on
// writing for a moment.
func removeTree(ctx context.Context, dir string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		if sleepErr := clock.Sleep(ctx, clock.Real(), 50*time.Millisecond); sleepErr != nil {
			break
		}
	}
	return fmt.Errorf("remove half-initialised cluster: %w", err)
}

// takeOver makes the server's account own the cluster, which another one owns
// if this process ran as another user before.
func (i initialiser) takeOver(pgdata string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if i.as == nil {
		if int(stat.Uid) != os.Geteuid() {
			return fmt.Errorf("%w: %s belongs to uid %d; run as that user or root, or choose another data directory",
				ErrUnusableDir, pgdata, stat.Uid)
		}
		return nil
	}
	if int(stat.Uid) == i.as.UID {
		return nil
	}
	return filepath.WalkDir(pgdata, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return giveTo(i.as, path)
	})
}

// initdb makes a cluster in dir, which must not exist. The account owns dir but
// not its parent: a server that was broken into must not be able to plant
// links where we write as root.
func (i initialiser) initdb(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("create cluster directory: %w", err)
	}
	if err := giveTo(i.as, dir); err != nil {
		return err
	}
	password := dir + ".password"
	if err := i.writePassword(password); err != nil {
		return err
	}
	defer os.Remove(password)
	args := []string{"-D", dir, "-U", superuser, "-A", "scram-sha-256", "--pwfile", password,
		"-E", "UTF8", "--locale=C", "--no-instructions"}
	if i.opts.NoFsync {
		args = append(args, "--no-sync")
	}
	var output strings.Builder
	cmd := exec.Command(filepath.Join(i.bins.Dir, "initdb"), args...)
	cmd.Dir = filepath.Dir(dir)
	cmd.Env = serverEnv(cmd.Dir)
	cmd.Stdout, cmd.Stderr = &output, &output
	running, err := proc.Start(cmd, proc.Spec{As: i.as, ParentDeath: syscall.SIGKILL, OwnGroup: true})
	if err != nil {
		return fmt.Errorf("run initdb: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, i.opts.StartTimeout)
	defer cancel()
	select {
	case <-running.Done():
	case <-ctx.Done():
		running.KillTree()
		return fmt.Errorf("wait for initdb: %w", ctx.Err())
	}
	if err := running.Err(); err != nil {
		return fmt.Errorf("run initdb: %w:\n%s", err, output.String())
	}
	if err := os.Rename(password, filepath.Join(dir, passwordName)); err != nil {
		return fmt.Errorf("keep password: %w", err)
	}
	return syncDir(dir)
}

// writePassword writes a new password to a file for the account's eyes.
func (i initialiser) writePassword(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove old password: %w", err)
	}
	if err := os.WriteFile(name, []byte(rand.Text()+"\n"), 0o600); err != nil {
		return fmt.Errorf("write password: %w", err)
	}
	return giveTo(i.as, name)
}

func readPassword(l layout) (string, error) {
	raw, err := os.ReadFile(filepath.Join(l.pgdata(), passwordName))
	if err != nil {
		return "", fmt.Errorf("%w: read password of the cluster: %w; restore that file, or move %s away to start afresh",
			ErrUnusableDir, err, l.pgdata())
	}
	return strings.TrimSpace(string(raw)), nil
}

// copyTemplate makes a cluster in dir by copying one made before, or by this.
func (i initialiser) copyTemplate(ctx context.Context, dir string) error {
	if err := makeOpenDirs(i.opts.TemplateDir); err != nil {
		return err
	}
	if err := onlyOurs(i.opts.TemplateDir); err != nil {
		return err
	}
	unlock, err := lockFile(ctx, filepath.Join(i.opts.TemplateDir, "lock"))
	if err != nil {
		return fmt.Errorf("lock template directory: %w", err)
	}
	defer unlock()
	home := filepath.Join(i.opts.TemplateDir, i.bins.Version+"-r"+templateRevision)
	template := filepath.Join(home, "pgdata")
	if _, err := os.Stat(filepath.Join(template, "PG_VERSION")); err != nil {
		if err := i.makeTemplate(ctx, home); err != nil {
			return fmt.Errorf("make template: %w", err)
		}
	}
	return copyTree(template, dir, i.as)
}

// onlyOurs refuses a directory that somebody else may write to, as anybody can
// create one under a predictable name in /tmp.
func onlyOurs(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at %s: %w", dir, err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode()&0o022 != 0 || ok && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%w: %s is not a directory that only this user can write to; remove it", ErrUnusableDir, dir)
	}
	return nil
}

// makeTemplate makes a cluster in home/pgdata.
func (i initialiser) makeTemplate(ctx context.Context, home string) error {
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	if err := makeOpenDirs(home); err != nil {
		return err
	}
	if err := traversable(home, i.as); err != nil {
		return err
	}
	l := layout(home)
	if err := i.initdb(ctx, l.unready()); err != nil {
		return err
	}
	return os.Rename(l.unready(), l.pgdata())
}

// lockFile waits for an exclusive lock on the file, made if need be.
func lockFile(ctx context.Context, name string) (unlock func(), err error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = clock.Sleep(ctx, clock.Real(), 20*time.Millisecond)
			if err == nil {
				continue
			}
		}
		if err != nil {
			file.Close()
			return nil, err
		}
		return func() { file.Close() }, nil
	}
}

// syncDir makes renames in dir durable.
func syncDir(dir string) error {
	handle, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync directory: %w", err)
	}
	defer handle.Close()
	if err := handle.Sync(); err != nil {
		return fmt.Errorf("sync directory: %w", err)
	}
	return nil
}
