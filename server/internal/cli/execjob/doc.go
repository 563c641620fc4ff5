//go:build unix

// Package execjob runs a command for a job: payload on its standard input, the job's facts in its environment, its exit
// code as the outcome of the attempt.
//
// Invariants:
//   - A command ends before its Handle returns, and on Linux also with this process, however that ends.
//   - It runs in a process group of its own: a Ctrl-C meant for the worker does not reach it.
//   - A command that was told to end has completed nothing, whatever its exit code: a program that ends itself on SIGTERM
//     with code 0 cannot be told from one that was done.
//   - What is kept of its output is bounded, whatever it prints.
//
// A Command is safe for concurrent use.
package execjob
