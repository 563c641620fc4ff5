//go:build unix

// Package devdir is the directory of `belfry dev`: where it is, whose it is, and what it tells clients.
//
//	dev.lock    locked while a `belfry dev` runs, with its process id
//	dev.env     address and keys, for shells and for client commands
//	postgres/   the directory of package pgdev
//
// Invariants:
//   - At most one process has a directory open; the lock ends with the process, so it is never stale.
//   - What is read as configuration belongs to this user: nobody else can make a client call a server of theirs.
//   - dev.env holds secrets and is readable by this user only. It appears by rename, so it is never half written.
//
// A Dir is not safe for concurrent use.
package devdir
