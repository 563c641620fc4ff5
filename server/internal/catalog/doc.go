// Package catalog is what a node knows of tenants, queues and lanes: names to numbers and back, and the state of each
// queue, from memory.
//
// It must not know how they are stored: it asks the store through an interface, and asks rarely. Changes are made
// elsewhere; whoever makes one hands the outcome to Observe.
//
// Invariants:
//   - A *Queue is a snapshot: nobody changes it, a change replaces it, and no snapshot replaces a newer one. Hooks of
//     OnChange see the snapshots of one queue in the order of their revisions, though not each of them.
//   - All that is remembered is checked together, by one small read of the partitions' configuration versions, which every
//     change of a queue raises, and one read of the tenants that have been asked for. The check is started by use, after 3
//     seconds. A name is answered from memory only if a check within 5 seconds found it unchanged, so that a change made
//     through another node is known here by then; while the database is away, what was known last is answered. An unused
//     catalog asks nothing.
//   - The owner of a partition does not rely on that age: it calls Refresh before it claims under a new configuration
//     version, and claims under the old one fail.
//   - Lane never waits for the database once the lane is known: what a lane is called never changes.
//   - An absent name is remembered for at most a second, and only so many of them. Tenants that nobody asks for are
//     forgotten; queues and lanes are not, so that memory is bounded by how many exist.
//   - Deleted queues stay known by number, for history, and are absent by name.
//
// Errors are job.ErrNotFound, job.ErrLimit, job.ErrUnavailable and those of the caller's context.
//
// A Catalog is safe for concurrent use. Lock order: announce, then mu; the store is asked under neither, and hooks run
// under announce alone.
package catalog
