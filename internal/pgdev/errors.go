//go:build unix

package pgdev

import "errors"

// What Find and Start can fail with, for errors.Is. The errors returned carry
// a message for the user that says what to do.
var (
	// ErrNotFound: this machine has no PostgreSQL server that can be used.
	ErrNotFound = errors.New("no PostgreSQL server found: give the URL of one with --database-url, " +
		"or install one (on Debian and Ubuntu: apt-get install postgresql)")

	// ErrVersion: the cluster belongs to another major version.
	ErrVersion = errors.New("no PostgreSQL of the data directory's version found")

	// ErrLocked: another process uses the data directory through this package.
	ErrLocked = errors.New("data directory is in use")

	// ErrServerRunning: a server that this package did not start runs on the
	// data directory.
	ErrServerRunning = errors.New("another PostgreSQL server runs on the data directory")

	// ErrPortTaken: the port asked for is taken.
	ErrPortTaken = errors.New("port is already in use")

	// ErrUnusableDir: a directory is not ours, damaged, or closed to the user
	// the server runs as.
	ErrUnusableDir = errors.New("directory cannot be used")
)
