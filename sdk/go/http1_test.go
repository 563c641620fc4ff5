package belfry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// behind serves the fake server's API behind a handler, and counts
// connections.
func behind(t *testing.T, server *fakeServer, wrap func(next http.Handler) http.Handler) (client *belfry.Client, opened *atomic.Int32) {
	t.Helper()
	opened = new(atomic.Int32)
	front := httptest.NewUnstartedServer(wrap(server.Config.Handler))
	front.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	front.Start()
	t.Cleanup(front.Close)
	client, err := belfry.NewClient(front.URL, apiKey, belfry.WithClock(newEagerClock()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, opened
}

func asItIs(next http.Handler) http.Handler { return next }

func TestHTTP1_ConnectionsAreKept(t *testing.T) {
	t.Parallel()
	client, opened := behind(t, newFakeServer(t), asItIs)
	for range 20 {
		if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Get(t.Context(), "job_1"); belfry.CodeOf(err) != belfry.CodeUnimplemented {
			t.Fatalf("Get() = %v, want the error of a fake without GetJob", err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections for calls one after the other, want 1", n)
	}
	const callers = 16
	var calls sync.WaitGroup
	for range callers {
		calls.Go(func() {
			for range 20 {
				if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
	if n := opened.Load(); n > callers {
		t.Errorf("%d connections for %d callers", n, callers)
	}
}

func TestHTTP1_ServerThatClosesConnections_IsObeyed(t *testing.T) {
	t.Parallel()
	client, opened := behind(t, newFakeServer(t), func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Connection", "close")
			next.ServeHTTP(w, r)
		})
	})
	for range 3 {
		if _, err := client.Tenants().CreateApiKey(t.Context(), nil); belfry.CodeOf(err) != belfry.CodeUnimplemented {
			t.Fatalf("CreateApiKey() = %v, want the answer of the fake", err)
		}
	}
	if n := opened.Load(); n != 3 {
		t.Errorf("%d connections, want one per call", n)
	}
}

func TestHTTP1_InformationalAnswers_ArePassedOver(t *testing.T) {
	t.Parallel()
	client, _ := behind(t, newFakeServer(t), func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			next.ServeHTTP(w, r)
		})
	})
	if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
		t.Error(err)
	}
}

func TestHTTP1_LargeMessages_GoBothWays(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, _ := behind(t, server, asItIs)
	large := strings.Repeat("x", 4<<20)
	if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail", Type: large, Payload: large}); err != nil {
		t.Fatal(err)
	}
	server.offer("job_1", textPayload(large))
	leased, err := client.Workers().LeaseJobs(t.Context(), &v1.LeaseJobsRequest{MaxJobs: 1})
	if err != nil || leased.GetJobs()[0].GetJob().GetPayload().GetText() != large {
		t.Errorf("LeaseJobs() = %d jobs, %v", len(leased.GetJobs()), err)
	}
}

func TestHTTP1_CallThatIsGivenUp_EndsAtOnceAndSpoilsNoOther(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, _ := behind(t, server, asItIs)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		server.fault(func(call context.Context, method string, _ any) error {
			if method == "WorkerService/LeaseJobs" {
				cancel()
				<-call.Done() // The connection is closed, so that the server notices.
			}
			return nil
		})
		if _, err := client.Workers().LeaseJobs(ctx, &v1.LeaseJobsRequest{MaxJobs: 1}); !errors.Is(err, context.Canceled) {
			t.Fatalf("LeaseJobs() = %v, want context.Canceled", err)
		}
		if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHTTP1_AnswerThatBreaksOff_IsAskedForAgain(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"in the head": "HTTP/1.1 200 OK\r\nContent-",
		"in the body": "HTTP/1.1 200 OK\r\nContent-Type: application/proto\r\nContent-Length: 100\r\n\r\nx",
		"no HTTP":     "SSH-2.0-OpenSSH\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = listener.Close() })
			var calls atomic.Int32
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					calls.Add(1)
					_, _ = conn.Read(make([]byte, 1<<16))
					_, _ = io.WriteString(conn, answer)
					_ = conn.Close()
				}
			}()
			client, err := belfry.NewClient(listener.Addr().String(), apiKey, belfry.WithClock(newEagerClock()), belfry.WithRetries(belfry.Retries{MaxAttempts: 3}))
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Create(t.Context(), belfry.NewJob{Queue: "mail"})
			if err == nil || calls.Load() != 3 {
				t.Errorf("Create() = %v after %d calls, want an error after 3", err, calls.Load())
			}
		})
	}
}

func TestHTTP1_AfterARestart_NoConnectionOfBeforeIsTried(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client := server.client(t, belfry.WithRetries(belfry.Retries{Delays: []time.Duration{time.Millisecond}}))
	const callers = 8
	var together, calls sync.WaitGroup
	together.Add(callers)
	server.fault(func(context.Context, string, any) error { together.Done(); together.Wait(); return nil })
	for range callers {
		calls.Go(func() {
			if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	server.fault(nil)
	server.CloseClientConnections()
	// One retry is allowed; eight dead connections wait to be tried.
	if _, err := client.Create(t.Context(), belfry.NewJob{Queue: "mail"}); err != nil {
		t.Error(err)
	}
}

func TestHTTP1_IdleConnection_IsKnownToBeClosed(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	for i, end := range []func(net.Conn){
		func(net.Conn) {},
		func(c net.Conn) { _ = c.Close() },
		func(c net.Conn) { _, _ = fmt.Fprint(c, "HTTP/1.1 408 Request Timeout\r\n\r\n") },
	} {
		near, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		far, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		end(far)
		want := i == 0
		for deadline := time.Now().Add(patience); belfry.Quiet(near) != want; {
			if time.Now().After(deadline) {
				t.Fatalf("case %d: quiet = %v, want %v", i, !want, want)
			}
		}
		_, _ = near.Close(), far.Close()
	}
}
