// Package cli is the commands of the binary belfry.
//
// Commands that manage jobs, queues, schedules, tenants, keys and workers talk to a server through sdk/go, like any other
// user; `schedule preview` needs none. Only serve, dev, migrate and `key create --database-url` touch the server's own
// packages.
//
// Invariants:
//   - Output for programs goes to stdout (with -o json the JSON of the API), everything else to stderr.
//   - The exit code is 0, or 1 for what went wrong, or 2 for what the user can correct on the command line.
//   - A message says what to do next. Secrets appear only in the answer that hands them over.
//   - Every setting that the environment or a file can give is in one table, from which docs/settings.md is made.
//
// A Program runs one command; it is not safe for concurrent use. Several Programs may run beside each other.
package cli
