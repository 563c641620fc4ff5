// Package harness gives black-box tests a whole Belfry: a PostgreSQL of their own with durable commits, the real binary as
// a process that can be killed, stopped and started again, tenants with clients, plain JSON calls, and a ledger that
// accounts for every job.
//
// It reaches the server by its ports and its command line, and by server.New where a test has to reach into the
// configuration. Nothing is skipped: what a machine lacks fails the test and is named.
//
// Tests that disturb nothing share one world per process (Shared); the others build their own (NewWorld). A World, its
// parts and an Account may be used from parallel tests and goroutines.
package harness
