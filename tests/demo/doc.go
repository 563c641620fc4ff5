// Command demo is `make demo`: it starts `belfry dev`, gives three tenants real work through the Go SDK and through plain
// JSON, kills a worker in the middle, and shows that every job finishes anyway. It exits 0 only if no job was lost, early
// or leased by two workers at once.
//
// The same binary is its own worker process when DEMO_WORKER is set.
package main
