//go:build unix

package pgdev

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// copyTree copies the directories and regular files of a cluster that no
// server uses, and gives the copy to the account. A fresh cluster has nothing
// else.
func copyTree(from, to string, as *proc.Account) error {
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			err = os.Mkdir(target, 0o700)
		case entry.Type().IsRegular():
			err = copyFile(path, target)
		default:
			err = fmt.Errorf("%s is neither a directory nor a regular file", path)
		}
		if err != nil {
			return err
		}
		return giveTo(as, target)
	})
	if err != nil {
		return fmt.Errorf("copy cluster: %w", err)
	}
	return nil
}

// copyFile leaves it to io.Copy to find the fastest way the file system knows.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}
