// Package store is the only place that talks to PostgreSQL: connection pools, migrations, and every SQL statement Belfry
// sends, as named queries in queries/*.sql.
//
// Invariants: a state change is one statement with its guard in WHERE, and zero rows is an outcome its caller handles by
// name. Times that two machines compare are computed in SQL from belfry_now(). Rows are locked in (part, id) order. A
// multi-statement transaction carries its own BEGIN and COMMIT in one pipeline. Nothing depends on session state, so a
// transaction pooler may sit between.
//
// Errors tell what is known: ErrUnavailable (nothing was sent or it was certainly rolled back, try again), ErrRefused
// (the server answered no: data, deadlock, lock or statement time-out; rolled back), ErrUnknown (the connection was lost
// while the outcome was open; ask by id, claim or receipt).
//
// A Store is safe for concurrent use.
package store
