package harness

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// Gate is a TCP proxy that a test can shut: between a server and its database, or a client and its server.
type Gate struct {
	address string
	target  string
	mute    atomic.Pointer[func([]byte) bool] // drop answers to what this matches; nil: none
	muted   atomic.Int64                      // answers dropped

	mu       sync.Mutex
	listener net.Listener // nil while shut
	conns    map[net.Conn]bool
	running  sync.WaitGroup
}

// NewGate opens a gate to target ("host:port"), which stays until the end of the test.
func NewGate(t testing.TB, target string) *Gate {
	t.Helper()
	address, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	g := &Gate{address: address, target: target, conns: make(map[net.Conn]bool)}
	if err := g.open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.Shut()
		g.running.Wait()
	})
	return g
}

// GateTo opens a gate to the server of a database URL and returns it with the URL that leads through it.
func GateTo(t testing.TB, database string) (*Gate, string) {
	t.Helper()
	parsed, err := url.Parse(database)
	if err != nil {
		t.Fatal("the database's URL cannot be read")
	}
	g := NewGate(t, parsed.Host)
	parsed.Host = g.address
	return g, parsed.String()
}

// Address is where the gate listens.
func (g *Gate) Address() string { return g.address }

// Shut ends all connections, at once and on both sides, and refuses new ones until Open.
func (g *Gate) Shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.listener != nil {
		_ = g.listener.Close()
		g.listener = nil
	}
	for conn := range g.conns {
		_ = conn.Close()
	}
	clear(g.conns)
}

// Open lets connections through again.
func (g *Gate) Open(t testing.TB) {
	t.Helper()
	if err := g.open(); err != nil {
		t.Fatal(err)
	}
}

// Mute makes the gate drop the answers to requests that match (nil: to all): the connection ends when the target's first
// byte arrives, so that what was asked is done and its answer lost. It holds until Unmute.
func (g *Gate) Mute(match func(request []byte) bool) {
	if match == nil {
		match = func([]byte) bool { return true }
	}
	g.mute.Store(&match)
}

// Unmute ends Mute.
func (g *Gate) Unmute() { g.mute.Store(nil) }

// Dropped returns how many answers Mute has dropped.
func (g *Gate) Dropped() int { return int(g.muted.Load()) }

func (g *Gate) open() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.listener != nil {
		return nil
	}
	listener, err := net.Listen("tcp4", g.address)
	if err != nil {
		return err
	}
	g.listener = listener
	g.running.Go(func() { g.accept(listener) })
	return nil
}

func (g *Gate) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		g.running.Go(func() { g.forward(listener, client) })
	}
}

// forward carries one connection until either side ends it or the gate is shut.
func (g *Gate) forward(listener net.Listener, client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp4", g.target)
	if err != nil {
		return
	}
	defer server.Close()
	if !g.enter(listener, client, server) {
		return
	}
	defer g.leave(client, server)
	var drop atomic.Bool
	ended := make(chan struct{}, 2)
	go func() {
		g.carry(server, client, func(p []byte) bool { drop.Store(g.matches(p)); return true })
		ended <- struct{}{}
	}()
	go func() {
		g.carry(client, server, func([]byte) bool { return !drop.Load() || !g.dropped() })
		ended <- struct{}{}
	}()
	<-ended
	_, _ = client.Close(), server.Close()
	<-ended
}

// carry copies what from says, until either side ends or pass refuses a piece.
func (g *Gate) carry(to, from net.Conn, pass func([]byte) bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && !pass(buffer[:n]) {
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// matches says whether the answer to a request is to be dropped.
func (g *Gate) matches(request []byte) bool {
	match := g.mute.Load()
	return match != nil && (*match)(request)
}

// dropped counts a dropped answer; it answers false if answers are not dropped any more.
func (g *Gate) dropped() bool {
	if g.mute.Load() == nil {
		return false
	}
	g.muted.Add(1)
	return true
}

func (g *Gate) enter(listener net.Listener, conns ...net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.listener != listener {
		return false
	}
	for _, conn := range conns {
		g.conns[conn] = true
	}
	return true
}

func (g *Gate) leave(conns ...net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, conn := range conns {
		delete(g.conns, conn)
	}
}
