// Package ready holds the jobs of a node that are due and can be claimed, and matches them with the demand of workers.
//
// The trigger side puts entries in; gateways register demand; the dispatcher, the only consumer, asks for the next batch,
// claims it and settles every offer. The hub has no goroutine, no clock and no I/O: it never claims, and being wrong
// about an entry costs one failed compare-and-swap, because a claim checks the row's version.
//
// # Words
//
//   - A lane is one (tenant, queue, job type). A shelf is a lane within one partition: the entries are there, in a heap by
//     Position: priority, then due instant, then id.
//   - A source is everything of a tenant that one form of demand can ask for: all of it, a queue, a job type, or a type in
//     a queue. Each lane feeds four sources; each source keeps its shelves that have work in a heap by their heads. Demand
//     sits on sources. A platform's demand over all tenants sits on a star, which has its sources in a heap by tenant.
//   - A source with both work and demand is hot. Only hot sources, and stars with demand, are looked at; idle lanes,
//     tenants and waiters cost nothing but memory.
//
// # Fairness
//
// Tenants share the claim capacity equally, by start-time fair queueing: each offer moves its tenant's virtual time on by
// one share, and the tenant with the lowest is next. A tenant that was idle starts at the current virtual time, so it is
// served at once but gets no credit for having been idle. Within a tenant, its sources with demand take turns, then the
// waiters of a source; the waiter whose turn it is gets the best entry of all it asks for in that tenant. So one demand
// over several lanes is served strictly by priority, then due instant, and no waiter waits behind another's backlog.
//
// # Bounded memory
//
// A shelf holds a prefix of its order: everything due before its bound. What lies at or beyond the bound is in the store
// only; it is refused by Put, and paged in from the bound on once the shelf runs low (TakeRefills, Refilled). A full
// shelf that gets something better evicts from its tail and lowers the bound. So the loader needs no cursor of its own,
// and strict priority holds whatever the backlog. When the node is full, each shelf may still hold a few entries
// (Options.Reserve), so that no tenant's backlog shuts another one out.
//
// # Concurrency
//
// All methods of Hub and Waiter are safe for concurrent use; one mutex guards everything. It is held for a microsecond or
// so per entry, never over I/O or a callback. Each offer of NextBatch must be settled exactly once, by Claimed, Return or
// Forget.
package ready
