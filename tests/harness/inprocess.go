package harness

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server"
)

// InProcess is a server within the test's process, for settings that no flag has: its clock, dropped hints.
type InProcess struct {
	Addr, OpsAddr string
	// Stop ends the server and returns what Run returned. It may be called again.
	Stop func() error
}

// StartInProcess runs a server on the world's database and waits until it is ready. change edits its configuration, which
// has free ports already. The server ends with the test.
func (w *World) StartInProcess(t testing.TB, change func(*server.Config)) *InProcess {
	t.Helper()
	config := server.Defaults()
	config.DatabaseURL = w.direct
	config.Listen, config.OpsListen = "127.0.0.1:0", "127.0.0.1:0"
	config.Log = slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	change(&config)
	srv, err := server.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	result := make(chan error, 1)
	go func() { result <- srv.Run(ctx) }()
	stop := sync.OnceValue(func() error {
		cancel()
		return <-result
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("server: %v", err)
		}
	})
	select {
	case <-srv.Ready():
	case err := <-result:
		result <- err
		t.Fatalf("server: %v", err)
	case <-time.After(startWithin):
		t.Fatalf("the server is not ready after %v", startWithin)
	}
	return &InProcess{Addr: srv.Addr(), OpsAddr: srv.OpsAddr(), Stop: stop}
}

// testLog hands a server's log to the test's.
type testLog struct{ testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	l.Logf("server: %s", p)
	return len(p), nil
}
