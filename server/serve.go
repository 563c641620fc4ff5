package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/belfryhq/belfry/internal/clock"
)

// serving is the two HTTP servers in progress.
type serving struct {
	api    *http.Server
	ops    *http.Server
	failed chan error
}

// Bounds of one HTTP exchange. The longest long poll is 60 s.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
)

// serve answers on both ports; failed tells if one of them cannot any more.
func (s *Server) serve(ctx context.Context) *serving {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	out := &serving{failed: make(chan error, 2)}
	out.api = &http.Server{Handler: s.apiHandler(), Protocols: protocols, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 1000}}
	go func() {
		var err error
		if s.cfg.TLSCert != "" {
			err = out.api.ServeTLS(s.listener, s.cfg.TLSCert, s.cfg.TLSKey)
		} else {
			err = out.api.Serve(s.listener)
		}
		if !errors.Is(err, http.ErrServerClosed) {
			out.failed <- fmt.Errorf("serve the API: %w", err)
		}
	}()
	if s.ops != nil {
		out.ops = &http.Server{Handler: s.opsHandler(), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime}
		go func() {
			if err := out.ops.Serve(s.ops); !errors.Is(err, http.ErrServerClosed) {
				out.failed <- fmt.Errorf("serve operations: %w", err)
			}
		}()
	}
	return out
}

// drain ends long polls, waits for calls in flight, and closes what is left after the grace.
func (s *Server) drain(ctx context.Context, served *serving) error {
	s.cfg.Log.Info("draining")
	s.startDrain()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.ShutdownGrace)
	defer cancel()
	err := served.api.Shutdown(grace)
	if err != nil {
		s.cfg.Log.Warn("calls cut off at the end of the grace", "error", err)
		err = served.api.Close()
	}
	if served.ops != nil {
		err = errors.Join(err, served.ops.Close())
	}
	return err
}

// readyPoll is how often awaitReady looks.
const readyPoll = 20 * time.Millisecond

// awaitReady closes ready when every partition of the database is ours and taken over.
func (s *Server) awaitReady(ctx context.Context) error {
	for !s.isReady() {
		if clock.Sleep(ctx, s.cfg.Clock, readyPoll) != nil {
			return nil
		}
	}
	close(s.ready)
	s.cfg.Log.Info("ready", "address", s.Addr(), "partitions", s.store.Partitions())
	return nil
}

// isReady says whether jobs flow: a server that owns no partition is a stand-by.
func (s *Server) isReady() bool {
	taken, owned := s.trigger.Ready()
	return owned > 0 && taken == owned && len(s.owner.Grants()) == s.store.Partitions()
}

func (s *Server) isDraining() bool { return s.drainContext.Err() != nil }

// healthz says that the process answers; it never asks the database.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) }

// readyz says whether this server should get traffic.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	if s.isDraining() {
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	}
	if !s.isReady() {
		http.Error(w, "not ready: the database is away, or another server owns the partitions", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// opsHandler is the operations port: metrics, health, profiles. It is not for the public.
func (s *Server) opsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.healthz)
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.prom, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// gauges are the engine's sizes, read when metrics are scraped.
func (s *Server) gauges() {
	m := s.metrics
	m.Gauge("belfry_wheel_entries", "Jobs waiting in memory for their due time.", func() float64 { return float64(s.trigger.Waiting()) })
	m.Gauge("belfry_ready_entries", "Jobs due and in memory.", func() float64 { return float64(s.hub.Stats().Ready) })
	m.Gauge("belfry_waiters", "Lease calls that wait for work.", func() float64 { return float64(s.hub.Stats().Waiters) })
	m.Gauge("belfry_backlogged_lanes", "Lanes with more due jobs than fit in memory.", func() float64 { return float64(s.hub.Stats().Bounded) })
	m.Gauge("belfry_leases", "Outstanding leases this server watches.", func() float64 { return float64(s.dispatch.Outstanding()) })
	m.Gauge("belfry_partitions_owned", "Partitions this server owns.", func() float64 { return float64(len(s.owner.Grants())) })
	m.Gauge("belfry_clock_skew_seconds", "How far the database's clock is ahead of this machine's.", func() float64 { return s.db.Skew().Seconds() })
}
