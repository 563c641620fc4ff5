// Package cluster knows which partitions this node owns, and what the database's clock says.
//
// The database decides who owns what: a partition belongs to the node named in its row until lease_until. Local time may
// only make a node stop trusting sooner: an ownership counts until the moment the renewing call was started plus TTL minus
// a margin, by this node's monotonic clock. A node that was wrong nevertheless (a long pause between check and commit) is
// stopped by the epoch, which every claim compares in the database.
//
// Ownership is the one place that assumes how many nodes there are: it takes every partition that is free. Sharing them
// out between nodes changes this package and nothing else.
//
// No protobuf and no SQL here. All types are safe for concurrent use; hooks are called from Run's goroutine, one at a
// time, and must not block on it.
package cluster
