// Package storetest gives each test a migrated database of its own.
//
// The database is a copy of a template that is made once per server, schema and number of partitions; several test
// processes may share a server. It is dropped at the end of the test, connections and all.
//
// Invariants: nothing is shared between two databases; a template that can be seen is complete. The functions fail the
// test instead of answering errors, and may be called from parallel tests; a DB is safe for concurrent use as long as its
// test runs.
package storetest
