// Package dispatch hands due jobs out and takes them back: claim, heartbeat, finish, rescue, and the group commit that
// carries all of them, and creates, to the database.
//
// # Invariants
//
// Every change of a job is a compare-and-swap in the database on version and, for leases, claim id; memory only says which
// statement is worth sending. A lease is given to a worker only after the transaction that wrote it has committed. A claim
// is sent only for what the ready hub granted, under the epoch and configuration this node believes in; the database
// refuses it if that is wrong. An operation whose commit outcome is unknown is settled by reading, never resent.
//
// # Concurrency
//
// A Committer runs its flushers; callers wait on their own operations. The lease table, the rescuer and the gateway are
// guarded by their own locks, which are never held across I/O or while calling another of them.
package dispatch
