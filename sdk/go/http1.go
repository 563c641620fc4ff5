package belfry

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

const (
	// maxIdleConns is how many unused connections are kept.
	maxIdleConns = 1024
	// maxIdleTime is how long an unused connection is kept.
	maxIdleTime = 90 * time.Second
	// sureFor is how long after its last answer a connection is taken to be
	// open without a look; a look costs a system call.
	sureFor = 100 * time.Millisecond
)

// http1 sends requests with a body of known length to one server over plain
// HTTP/1.1. The goroutine that calls writes the request and reads the answer,
// where http.Transport hands both to two goroutines per connection; that, with
// the layers of http.Client, is more than half of what a small call costs the
// caller (BenchmarkCreate). The price is that it can do nothing else: no TLS, no
// proxy, no streams, no redirects.
//
// A connection belongs to one call at a time. It is kept only if the answer was
// read to its end and the call's context has not ended before that. Safe for
// concurrent use.
type http1 struct {
	address string
	dialer  net.Dialer
	clock   clock.Clock

	mu sync.Mutex
	// idle connections, the latest used last.
	idle []*http1Conn
}

type http1Conn struct {
	net.Conn
	reader *bufio.Reader
	writer *bufio.Writer
	// usedAt is when the latest answer ended; zero before the first.
	usedAt time.Time
}

// Do sends a request and returns its answer, whose body must be closed.
func (t *http1) Do(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	conn, err := t.take(ctx)
	if err != nil {
		_ = request.Body.Close()
		return nil, err
	}
	// The end of the call wakes whoever reads or writes.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	response, err := conn.exchange(request)
	if err != nil {
		stop()
		_ = conn.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !conn.usedAt.IsZero() {
			// A server that closed this one closed the others too: without them
			// the next attempt finds out at once whether it is back.
			t.CloseIdleConnections()
		}
		return nil, err
	}
	response.Body = &http1Body{ReadCloser: response.Body, transport: t, conn: conn, stop: stop, keep: !response.Close}
	return response, nil
}

// take returns a connection that is open, as far as can be known.
func (t *http1) take(ctx context.Context) (*http1Conn, error) {
	for {
		t.mu.Lock()
		last := len(t.idle) - 1
		if last < 0 {
			t.mu.Unlock()
			break
		}
		conn := t.idle[last]
		t.idle[last] = nil
		t.idle = t.idle[:last]
		t.mu.Unlock()
		if idle := t.clock.Since(conn.usedAt); idle >= 0 && idle < sureFor || idle < maxIdleTime && quiet(conn.Conn) {
			return conn, nil
		}
		_ = conn.Close()
	}
	conn, err := t.dialer.DialContext(ctx, "tcp", t.address)
	if err != nil {
		return nil, err
	}
	return &http1Conn{Conn: conn, reader: bufio.NewReader(conn), writer: bufio.NewWriter(conn)}, nil
}

// keep returns a connection to the idle ones.
func (t *http1) keep(conn *http1Conn) {
	now := t.clock.Now()
	conn.usedAt = now
	var surplus *http1Conn
	t.mu.Lock()
	if len(t.idle) > 0 && (len(t.idle) >= maxIdleConns || now.Sub(t.idle[0].usedAt) > maxIdleTime) {
		surplus = t.idle[0]
		t.idle = append(t.idle[:0], t.idle[1:]...)
	}
	t.idle = append(t.idle, conn)
	t.mu.Unlock()
	if surplus != nil {
		_ = surplus.Close()
	}
}

// CloseIdleConnections closes the connections that no call uses.
func (t *http1) CloseIdleConnections() {
	t.mu.Lock()
	idle := t.idle
	t.idle = nil
	t.mu.Unlock()
	for _, conn := range idle {
		_ = conn.Close()
	}
}

// exchange writes a request and reads the head of its answer. An answer that
// comes before all of the request was taken (a refusal) is returned too.
func (c *http1Conn) exchange(request *http.Request) (*http.Response, error) {
	writeErr := c.write(request)
	for {
		response, err := http.ReadResponse(c.reader, request)
		switch {
		case err != nil && writeErr != nil:
			return nil, fmt.Errorf("send request: %w", writeErr)
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read answer: %w", io.ErrUnexpectedEOF)
		case err != nil:
			return nil, fmt.Errorf("read answer: %w", err)
		case response.StatusCode >= 200:
			response.Close = response.Close || writeErr != nil
			return response, nil
		}
		// An informational answer; the final one follows.
	}
}

func (c *http1Conn) write(request *http.Request) error {
	defer request.Body.Close()
	w := c.writer
	w.Reset(c.Conn)
	// A bufio.Writer remembers its first error, and Flush returns it.
	_, _ = w.WriteString(request.Method)
	_ = w.WriteByte(' ')
	_, _ = w.WriteString(request.URL.RequestURI())
	_, _ = w.WriteString(" HTTP/1.1\r\nHost: ")
	_, _ = w.WriteString(request.Host)
	_, _ = w.WriteString("\r\nContent-Length: ")
	_, _ = w.Write(strconv.AppendInt(w.AvailableBuffer(), request.ContentLength, 10))
	_, _ = w.WriteString("\r\n")
	if err := request.Header.Write(w); err != nil {
		return err
	}
	_, _ = w.WriteString("\r\n")
	if n, err := io.Copy(w, request.Body); err != nil || n != request.ContentLength {
		return fmt.Errorf("body of %d bytes, wrote %d: %w", request.ContentLength, n, cmp.Or(err, io.ErrShortWrite))
	}
	return w.Flush()
}

// http1Body gives its connection back when the answer has been read.
type http1Body struct {
	io.ReadCloser
	transport *http1
	conn      *http1Conn
	// stop withdraws the wake-up at the end of the context; false if it has run.
	stop func() bool
	keep bool
}

// Read reads the answer. One that breaks off ends its connection.
func (b *http1Body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.keep = false
	}
	return n, err
}

// Close reads the rest of the answer, as far as the context allows.
func (b *http1Body) Close() error {
	if b.conn == nil {
		return nil
	}
	conn := b.conn
	b.conn = nil
	err := b.ReadCloser.Close()
	if undisturbed := b.stop(); undisturbed && err == nil && b.keep && conn.reader.Buffered() == 0 {
		b.transport.keep(conn)
		return nil
	}
	_ = conn.Close()
	return err
}
