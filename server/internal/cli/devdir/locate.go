//go:build unix

package devdir

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Default returns the directory that is used when none is given: belfry/dev in the user's data directory or, where that
// cannot be used, one in /var/tmp, which survives a reboot. As root it must be open to the account that PostgreSQL runs
// under, so the home directory of root usually cannot be used.
func Default(getenv func(string) string, uid int) string {
	data := getenv("XDG_DATA_HOME")
	if home := getenv("HOME"); !filepath.IsAbs(data) && filepath.IsAbs(home) && isDir(home) {
		data = filepath.Join(home, ".local", "share")
	}
	if filepath.IsAbs(data) {
		dir := filepath.Join(data, "belfry", "dev")
		if existing := nearestExisting(dir); writable(existing) && (uid != 0 || openToAll(existing)) {
			return dir
		}
	}
	return fmt.Sprintf("/var/tmp/belfry-dev-%d", uid)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func nearestExisting(dir string) string {
	for !isDir(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

func writable(dir string) bool {
	const writeAndSearch = 2 | 1 // W_OK|X_OK of access(2)
	return syscall.Access(dir, writeAndSearch) == nil
}

// openToAll reports whether every user can traverse the way to dir. dir itself may be that of the data, to which we give
// its mode.
func openToAll(dir string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	for at := real; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil || info.Mode()&0o001 == 0 {
			return false
		}
		if at == filepath.Dir(at) {
			return true
		}
	}
}

// ours refuses a path that another user has made, as anybody can under a predictable name in /var/tmp.
func ours(path string, writableByOthers fs.FileMode) error {
	link, err := os.Lstat(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !ownedByUs(link) || !ownedByUs(info) || info.Mode()&writableByOthers != 0 {
		return fmt.Errorf("%s is not this user's alone: others own it or can change it; choose another --data-dir, or correct its owner and mode", path)
	}
	return nil
}

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
