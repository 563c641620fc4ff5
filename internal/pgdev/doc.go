//go:build unix

// Package pgdev finds, initialises, starts and stops a PostgreSQL server of its
// own, for `belfry dev`, the demo and the tests. It is not for production: it
// tunes and repairs without asking, and its server ends with this process.
//
// Everything lives in one directory (Options.DataDir) that belongs to pgdev:
//
//	pgdata/        the cluster; appears by rename, so it is never half initialised
//	pgdata.tmp/    a cluster being initialised; removed by the next start
//	sock/          the Unix socket
//	binaries/      downloaded servers
//	server.log     what the server said
//	server.pid     the process this package started last
//	belfry-pg.lock marks the directory as ours; locked while a Server exists
//
// Invariants:
//   - Only the holder of the lock touches the directory.
//   - A directory that is neither empty nor marked is never written to, and
//     nothing that may hold data is ever deleted.
//   - The server listens on 127.0.0.1 and the socket only, and asks for a
//     password that only this user (and root) can read.
//   - However this process ends, the server ends too (Linux; see package proc).
//
// All functions and methods are safe for concurrent use.
package pgdev
