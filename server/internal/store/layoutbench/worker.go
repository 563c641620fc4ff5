package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

const (
	batchSize = 500
	claimLag  = 4 // batches between the insert of a batch and its claim, and between that and its end
)

// hotSettings are those of the store's hot transactions.
const hotSettings = `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
	set_config('enable_mergejoin', 'off', true)`

// worker brings batches of jobs through their life on one connection: each cycle inserts one, claims an older one and ends
// one that is older still, each in a transaction.
type worker struct {
	*bed
	conn    *pgx.Conn
	claimed []batch // oldest first
	waiting []batch
	bodies  [][]byte
}

// batch is 500 jobs, by partition.
type batch struct {
	claim  int64
	groups []group
}

type group struct {
	part int16
	ids  [][16]byte
}

func newWorker(ctx context.Context, b *bed) (*worker, error) {
	conn, err := pgx.Connect(ctx, b.url)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	w := &worker{bed: b, conn: conn}
	for range 200 {
		w.bodies = append(w.bodies, payload(b.payload))
	}
	return w, nil
}

// payload is JSON text as an application may send it, which compresses to about a third.
func payload(size int) []byte {
	var text strings.Builder
	text.WriteString(`{"lines":[`)
	for text.Len() < size {
		fmt.Fprintf(&text, `{"sku":"A-%06d","quantity":%d,"price":"%d.%02d"},`, rand.IntN(1e6), rand.IntN(9), rand.IntN(100), rand.IntN(100))
	}
	return []byte(text.String()[:size])
}

// cycle answers how many jobs it has brought to their end.
func (w *worker) cycle(ctx context.Context, now time.Time) (ended int, err error) {
	fresh := w.newBatch(now)
	if err := w.send(ctx, fresh, 0, w.insert, nil); err != nil {
		return 0, fmt.Errorf("insert: %w", err)
	}
	w.waiting = append(w.waiting, fresh)
	if len(w.waiting) > claimLag {
		if err := w.send(ctx, w.waiting[0], 1, nil, w.claim); err != nil {
			return 0, fmt.Errorf("claim: %w", err)
		}
		w.claimed, w.waiting = append(w.claimed, w.waiting[0]), w.waiting[1:]
	}
	if len(w.claimed) > claimLag {
		if err := w.send(ctx, w.claimed[0], 2, nil, w.finish); err != nil {
			return 0, fmt.Errorf("finish: %w", err)
		}
		w.claimed = w.claimed[1:]
		ended = batchSize
	}
	return ended, nil
}

func (w *worker) newBatch(now time.Time) batch {
	b := batch{claim: rand.Int64()}
	for i := range batchSize {
		part := 0
		if w.spread {
			part = i * w.parts / batchSize
		}
		if len(b.groups) == 0 || b.groups[len(b.groups)-1].part != int16(part) {
			b.groups = append(b.groups, group{part: int16(part)})
		}
		g := &b.groups[len(b.groups)-1]
		g.ids = append(g.ids, job.NewID(now, int16(part)))
	}
	for _, g := range b.groups {
		slices.SortFunc(g.ids, func(a, b [16]byte) int { return slices.Compare(a[:], b[:]) })
	}
	return b
}

// send runs statements for a whole batch, and others for each of its partitions, in one transaction and one round trip. A
// statement that returns ids must return all of them.
func (w *worker) send(ctx context.Context, b batch, version int64, whole, each []string) error {
	var tx pgx.Batch
	tx.Queue("BEGIN")
	tx.Queue(hotSettings)
	if w.generic {
		tx.Queue("SET LOCAL plan_cache_mode = force_generic_plan")
	}
	all := pgx.NamedArgs{"claim": b.claim, "parts": []int16{}, "ids": [][16]byte{}, "bodies": [][]byte{}}
	for _, g := range b.groups {
		for _, sql := range each {
			queue(&tx, bind(sql, g.part), len(g.ids), pgx.NamedArgs{"claim": b.claim, "ids": g.ids, "versions": slices.Repeat([]int64{version}, len(g.ids))})
		}
		for _, id := range g.ids {
			all["parts"] = append(all["parts"].([]int16), g.part)
			all["ids"] = append(all["ids"].([][16]byte), id)
			all["bodies"] = append(all["bodies"].([][]byte), w.bodies[int(id[15])%len(w.bodies)])
		}
	}
	for _, sql := range whole {
		queue(&tx, sql, batchSize, all)
	}
	tx.Queue("COMMIT")
	return w.conn.SendBatch(ctx, &tx).Close()
}

func queue(tx *pgx.Batch, sql string, rows int, args pgx.NamedArgs) {
	q := tx.Queue(sql, args)
	if !strings.Contains(sql, "t.version") {
		return
	}
	q.Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() != int64(rows) {
			return fmt.Errorf("%d rows of %d: %s", tag.RowsAffected(), rows, sql)
		}
		return nil
	})
}

func bind(sql string, part int16) string {
	return strings.NewReplacer("{{leaf}}", store.Leaf(part), "{{part}}", strconv.Itoa(int(part))).Replace(sql)
}
