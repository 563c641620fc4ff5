// Package load puts measured load on a running Belfry and accounts for every job: how fast, how late, and that none was
// lost, early or leased twice at once. `belfry bench` prints what it measures.
//
// Lateness compares a job's due time, by the database's clock, with the moment its handler starts, by this machine's: run
// it on the database's machine, or with synchronised clocks.
//
// A Bench is used by one goroutine at a time; its handlers run concurrently.
package load
