// Package job is Belfry's vocabulary without I/O: jobs, their states and transitions, ids, lease tokens, retry policies.
//
// Invariants: nothing here reads a clock, a database or the network; every decision is a function of its arguments, so
// that the same decision is taken by whichever node holds the row. Values are safe to share once built; nothing here
// locks.
package job
