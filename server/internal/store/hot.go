package store

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// HotTx is one transaction of the hot path: what many callers asked for, gathered. Commit fills in the results. Every
// part is optional. The caller keeps each item in one HotTx at a time.
type HotTx struct {
	Creates  []*Create
	Claims   []*ClaimBatch
	Beats    []*Beat
	Finishes []*Finish
	Returns  []*Return
}

// Create is one job to be stored.
type Create struct {
	ID          job.ID
	Lane        int32
	Priority    int16
	At          time.Time     // zero: Delay counts
	Delay       time.Duration // from the database's clock
	Age         time.Duration
	StartBy     time.Time     // zero: none, or StartWithin
	StartWithin time.Duration // after the due time; 0: none
	Timeout     time.Duration // 0: the queue's
	Body        []byte
	Request     *RequestKey // nil: none

	Stored    bool // false: the request id was known
	Due       time.Time
	Scheduled time.Time
}

// RequestKey is the stored form of a request id.
type RequestKey struct {
	Part        int16
	Key         [16]byte
	Fingerprint int64
}

// ClaimBatch is the claims of one partition under one claim id.
type ClaimBatch struct {
	Part    int16
	Epoch   int64
	Config  int64
	ClaimID int64
	Items   []ClaimItem

	Rows []Live // what was claimed; an item without a row lost its compare-and-swap
}

// ClaimItem is one job to be claimed.
type ClaimItem struct {
	ID      job.ID
	Version int64
	Lease   time.Duration
	Timeout time.Duration // of the queue, for jobs that state none
	Worker  string
}

// Beat is one lease to be extended.
type Beat struct {
	Token job.Token
	Lease time.Duration // 0: as before

	Held         bool // false: the token is not that of a running lease
	Remaining    time.Duration
	CancelAsked  bool
	CancelReason string
}

// Finish moves one job to history.
type Finish struct {
	Token       job.Token // for jobs that are not running: ID, Version and Lane count
	Tenant      int32
	From        job.State
	OnlyExpired bool // a rescue: only if the lease is over
	State       job.State
	Outcome     job.Outcome
	Reported    job.Outcome // what the ending call reported: the receipt a repeat of it is answered from
	Reason      string
	Error       string
	Result      []byte
	Retention   int16
	Slim        bool
	Uncounted   bool

	Done     bool  // false: the row was not in that state and version
	Schedule int32 // whose occurrence it was; 0: none
}

// Return gives one job back for a later attempt.
type Return struct {
	Token       job.Token
	OnlyExpired bool
	Outcome     job.Outcome
	Error       string
	Wait        time.Duration
	Uncounted   bool
	Lost        bool

	Done    bool
	Version int64
	Due     time.Time
}

// Size counts the items of the transaction.
func (tx *HotTx) Size() int {
	n := len(tx.Creates) + len(tx.Beats) + len(tx.Finishes) + len(tx.Returns)
	for _, c := range tx.Claims {
		n += len(c.Items)
	}
	return n
}

// Commit runs tx in one round trip: all of it, or nothing. After ErrUnknown the caller settles item by item.
func (s *Store) Commit(ctx context.Context, tx *HotTx) error {
	conn, err := s.hot.Acquire(ctx)
	if err != nil {
		return classify("acquire a connection", err, false)
	}
	defer conn.Release()
	p := pipeline{s: s, batch: &pgx.Batch{}}
	p.queue(tx)
	err = p.run(ctx, conn.Conn())
	if err != nil {
		if !conn.Conn().IsClosed() && conn.Conn().PgConn().TxStatus() != 'I' {
			_, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
		}
		return classify("commit batch", err, true)
	}
	return nil
}

// pipeline is a batch with its own BEGIN and COMMIT: pgx's batch alone is not atomic everywhere.
type pipeline struct {
	s     *Store
	batch *pgx.Batch
}

func (p *pipeline) queue(tx *HotTx) {
	p.batch.Queue("BEGIN")
	if len(tx.Creates) < tx.Size() {
		p.batch.Queue(p.s.sql(hotSettings))
	}
	slices.SortFunc(tx.Claims, func(a, b *ClaimBatch) int { return int(a.Part) - int(b.Part) })
	if len(tx.Claims) > 0 {
		parts := make([]int32, len(tx.Claims))
		for i, c := range tx.Claims {
			parts[i] = int32(c.Part)
		}
		p.batch.Queue(p.s.sql("claim_turn"), parts)
	}
	for _, c := range tx.Claims {
		p.claim(c)
	}
	p.create(tx.Creates)
	eachPart(tx.Beats, func(b *Beat) job.ID { return b.Token.ID }, p.beat)
	eachPart(tx.Finishes, func(f *Finish) job.ID { return f.Token.ID }, p.finish)
	eachPart(tx.Returns, func(r *Return) job.ID { return r.Token.ID }, p.giveBack)
	p.batch.Queue("COMMIT")
}

// run sends everything at once and reads the results in order.
func (p *pipeline) run(ctx context.Context, conn *pgx.Conn) error {
	return conn.SendBatch(ctx, p.batch).Close()
}

// eachPart sorts items by id and calls f once for each partition in it. Ids sort by time first, so the partition is
// compared before.
func eachPart[T any](items []T, id func(T) job.ID, f func(part int16, items []T)) {
	slices.SortFunc(items, func(a, b T) int { return compareIDs(id(a), id(b)) })
	for len(items) > 0 {
		part, n := id(items[0]).Part(), 1
		for n < len(items) && id(items[n]).Part() == part {
			n++
		}
		f(part, items[:n])
		items = items[n:]
	}
}

// compareIDs orders by (part, id), the order in which rows are locked.
func compareIDs(a, b job.ID) int {
	if d := int(a.Part()) - int(b.Part()); d != 0 {
		return d
	}
	return slices.Compare(a[:], b[:])
}
