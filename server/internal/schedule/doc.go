// Package schedule makes the jobs of schedules: a materialiser that runs ahead of the clock, and a service that changes
// schedules.
//
// An occurrence is one nominal time of a rule. It becomes an ordinary job, made a little ahead of its time (look-ahead), or
// an entry in the ledger that says why there is none. A schedule's cursor says how far that has come.
//
// Invariants:
//   - Exactly once: cursor, ledger and job change in one statement, by compare-and-swap of cursor and revision. Any node
//     may materialise any schedule at any time; that only the owner of a partition does is thrift.
//   - What a plan does depends on rule, policy, cursor, runs and clock alone (plan.go): no timer and no memory of a process takes part,
//     so that a restart or another node goes on where the last one stopped.
//   - When a change, pause or deletion has answered, none of the jobs it took back is leased and none of the former state
//     is made: the change locks the schedule, and jobs that no worker has had are withdrawn in its transaction.
//   - Missed means not materialised within LateTolerance of the nominal time. What becomes of it says the policy;
//     what does not run is one run in the ledger for each reason.
//   - One schedule that cannot be read, or that the database refuses, does not keep others from firing.
//
// A Materialiser and a Service are safe for concurrent use.
package schedule
