package dispatch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func newCreate(body []byte) *store.Create {
	return &store.Create{ID: job.NewID(time.Now(), 1), Lane: 1, Priority: 5, Age: time.Hour, Delay: time.Hour, Body: body}
}

func TestCommitter_ABadItemFailsAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var ops []op
	for i := range 20 {
		body := []byte{1}
		if i == 7 {
			body = nil // refused by the table
		}
		ops = append(ops, &createOp{[]*store.Create{newCreate(body)}})
	}
	for i, err := range r.hot.do(context.Background(), ops) {
		if bad := i == 7; bad != (err != nil) || bad && !store.IsDataFault(err) {
			t.Errorf("item %d: %v", i, err)
		}
		if stored := ops[i].(*createOp).items[0].Stored; stored == (i == 7) {
			t.Errorf("item %d: stored %v", i, stored)
		}
	}
}

func TestCommitter_ACancelledCallerWithdrawsWhatIsNotSent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	idle := newCommitter(r.store, clock.Real(), nil, committerConfig{}) // never run: nothing is sent
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	errs := idle.do(ctx, []op{&createOp{[]*store.Create{newCreate([]byte{1})}}})
	if !errors.Is(errs[0], context.Canceled) || len(idle.queue) != 0 {
		t.Fatalf("%v, %d left in the queue", errs, len(idle.queue))
	}
}

// proxy stands between the store and PostgreSQL, and can swallow the answer to the next COMMIT: the transaction is
// committed and nobody is told.
type proxy struct {
	net.Listener
	target string
	armed  atomic.Bool
	cut    atomic.Int32
	conns  sync.WaitGroup
}

func newProxy(t *testing.T, databaseURL string) (p *proxy, through string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p = &proxy{Listener: l, target: u.Host}
	u.Host = l.Addr().String()
	go p.serve()
	t.Cleanup(func() { _ = l.Close(); p.conns.Wait() })
	return p, u.String()
}

func (p *proxy) serve() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = client.Close()
			return
		}
		swallow := &atomic.Bool{}
		closeBoth := func() { _ = client.Close(); _ = server.Close() }
		p.conns.Go(func() { defer closeBoth(); p.pump(server, client, func(b []byte) bool { return p.watch(b, swallow) }) })
		p.conns.Go(func() { defer closeBoth(); p.pump(client, server, func([]byte) bool { return !swallow.Load() }) })
	}
}

// watch arms the cut when the batch that ends in COMMIT passes; its statements are prepared already.
func (p *proxy) watch(b []byte, swallow *atomic.Bool) bool {
	if bytes.Contains(b, []byte("stmtcache")) && p.armed.CompareAndSwap(true, false) {
		p.cut.Add(1)
		swallow.Store(true)
	}
	return true
}

// pump copies until pass says that what was read must not go on: then it stops, which ends both connections.
func (p *proxy) pump(to io.Writer, from io.Reader, pass func([]byte) bool) {
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		if err != nil || !pass(buf[:n]) {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// Case P-DB-03: the connection is lost during COMMIT. The truth is read; nothing is lost and nothing is done twice.
func TestCommitter_UnknownOutcome_IsSettledByReading(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p, through := newProxy(t, r.db.URL)
	s, err := store.Open(context.Background(), store.Config{URL: through})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := newCommitter(s, clock.Real(), nil, committerConfig{})
	c.metrics = noMetrics{}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = c.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	warm := newCreate([]byte{1})
	if errs := c.do(ctx, []op{&createOp{[]*store.Create{warm}}}); errs[0] != nil {
		t.Fatal(errs)
	}
	create := newCreate([]byte{1})
	create.Delay = 0
	p.armed.Store(true)
	if errs := c.do(ctx, []op{&createOp{[]*store.Create{create}}}); errs[0] != nil || !create.Stored {
		t.Fatalf("create: %v, stored %v", errs, create.Stored)
	}
	r.fileDue()
	r.Offer(entriesOf(t, s, create.ID))
	r.fileDue()
	tok := r.lease(1, time.Minute)[0].Row.Token()
	fin := finishOf(tok, r.lanes[1], ending{state: job.Succeeded, outcome: job.OutcomeSucceeded, reported: job.OutcomeSucceeded})
	// Once beforehand, for a job that does not exist: the statement must be prepared, or its preparation would be cut.
	nothing := finishOf(job.Token{ID: job.NewID(time.Now(), 1)}, r.lanes[1], ending{state: job.Succeeded})
	if errs := c.do(ctx, []op{&finishOp{nothing}}); errs[0] != nil || nothing.Done {
		t.Fatalf("finish of nothing: %v, done %v", errs, nothing.Done)
	}
	p.armed.Store(true)
	if errs := c.do(ctx, []op{&finishOp{fin}}); errs[0] != nil || !fin.Done {
		t.Fatalf("finish: %v, done %v", errs, fin.Done)
	}
	if cut := p.cut.Load(); cut != 2 {
		t.Fatalf("%d commits were cut, want 2", cut)
	}
	if n := storetest.Value[int64](r.db, "SELECT count(*) FROM history WHERE id = '"+uuidText(create.ID)+"'"); n != 1 {
		t.Fatalf("%d history rows", n)
	}
}

func uuidText(id job.ID) string {
	const hex = "0123456789abcdef"
	out := make([]byte, 0, 32)
	for _, b := range id {
		out = append(out, hex[b>>4], hex[b&15])
	}
	return string(out)
}
