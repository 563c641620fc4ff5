// Package recurrence decides when a recurring schedule fires.
//
// A [Spec] is one rule: a cron expression of 5, 6 or 7 fields, a macro such as
// @daily, a fixed interval (@every, rate(...)), a single instant (at(...)) or an
// EventBridge cron(...) expression, together with its IANA time zone and its
// daylight-saving policy. [Parse] reads it, [Spec.Next] answers the next instant.
//
// # Invariants
//
//   - Pure: no clock, no network, no files. Callers pass the instant to search
//     from; zone rules come from the database compiled into the binary
//     ([ZoneDataVersion]), so every node gives the same answer whatever its host
//     has installed.
//   - Instants are UTC and whole seconds; Next is exclusive of its argument.
//   - Every rule ends: nothing fires outside the years 1970 to 2199 ([MinYear],
//     [MaxYear]) of local time. A search visits each month and each zone
//     transition in that span at most once, so it is bounded by construction.
//   - A hostile text is refused quickly: length, list length, numbers and zone
//     names are bounded before anything is expanded.
//
// # Daylight saving
//
// A rule is interval-like when its minute or hour field, or an explicit seconds
// field, contains '*' or '/'. Such a rule follows real time: it fires at every
// instant whose wall clock matches. Any other rule names fixed wall times, and
// the policies apply: see [GapPolicy] and [OverlapPolicy]. The defaults are those
// of cronie: a time that the clock skipped fires once, right after the gap; a
// time that the clock shows twice fires the first time.
//
// # Concurrency
//
// A Spec is an immutable value and safe for concurrent use, as is every function
// here. Zone tables are built once, when first asked for.
package recurrence
