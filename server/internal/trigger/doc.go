// Package trigger finds what is due: for every partition this node owns, a loader that reads the near future from the
// database, a timing wheel that waits, and a firing loop that moves what is due into the ready hub.
//
// # Invariants
//
// Nothing leaves the wheel before its due time by the estimated database clock, which is never ahead; the claim checks the
// real one. Hints only save time: the loader re-reads the near window every LoadInterval, so a lost hint costs one
// interval and never a job. Every statement that makes a row runnable sets due_at to at least the clock, so rows land at
// most one transaction's life behind it; the near window reaches that far back. What does not fit in memory stays in the
// database: the hub asks for it lane by lane, and a stretch that the wheel could not take is looked at when it is due.
//
// # Concurrency
//
// Engine is safe for concurrent use. Each partition has a mutex over its wheel; it is never held across I/O or a call
// into the hub.
package trigger
