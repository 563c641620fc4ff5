package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/belfryhq/belfry/server/internal/api"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/obs"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/trigger"
	"github.com/belfryhq/belfry/tenancy"
)

// Server is one Belfry node.
type Server struct {
	cfg     Config
	store   *store.Store
	metrics *obs.Metrics
	prom    *prometheus.Registry

	db        *cluster.DBClock
	owner     *cluster.Ownership
	catalog   *catalog.Catalog
	hub       *ready.Hub
	trigger   *trigger.Engine
	dispatch  *dispatch.Dispatcher
	schedule  *schedule.Materialiser
	decider   *schedule.Decider
	schedules *schedule.Service
	auth      *tenancy.Authenticator
	edge      *api.Edge
	services  api.Services
	strays    *strays

	listener net.Listener
	ops      net.Listener
	ready    chan struct{}

	drainContext context.Context // ends when the server drains
	startDrain   context.CancelFunc
}

// New opens the database and the ports, and wires everything; nothing runs yet. Errors say what to do.
func New(ctx context.Context, cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, prom: prometheus.NewRegistry(), ready: make(chan struct{})}
	s.drainContext, s.startDrain = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.open(ctx); err != nil {
		s.close()
		return nil, err
	}
	s.wireEngine()
	if err := s.wireAPI(); err != nil {
		s.close()
		return nil, err
	}
	s.gauges()
	return s, nil
}

// open connects to the database, checks that it can be served, and takes the ports.
func (s *Server) open(ctx context.Context) error {
	var err error
	s.store, err = store.Open(ctx, store.Config{URL: s.cfg.DatabaseURL, HotConns: s.cfg.HotConns, ReadConns: s.cfg.ReadConns,
		Pooler: s.cfg.Pooler == PoolerTransaction})
	if err != nil {
		return err
	}
	if err := s.checkDurability(ctx); err != nil {
		return err
	}
	if err := s.maintain(ctx); err != nil {
		return err
	}
	if s.listener, err = net.Listen("tcp", s.cfg.Listen); err != nil {
		return fmt.Errorf("listen for the API (free the address, or choose another with --listen): %w", err)
	}
	if s.cfg.OpsListen != "" {
		if s.ops, err = net.Listen("tcp", s.cfg.OpsListen); err != nil {
			return fmt.Errorf("listen for operations (free the address, or choose another with --ops-listen): %w", err)
		}
	}
	return nil
}

// checkDurability refuses a database that loses what it has acknowledged.
func (s *Server) checkDurability(ctx context.Context) error {
	fsync, commit, err := s.store.Durability(ctx)
	if err != nil {
		return err
	}
	if fsync != "on" && !s.cfg.AllowUnsafe {
		return fmt.Errorf("%w: fsync is %s, so that a crash of its machine loses acknowledged jobs; set fsync = on", store.ErrUnsafe, fsync)
	}
	if commit == "off" {
		s.cfg.Log.Warn("synchronous_commit is off: a crash of the database loses the latest acknowledged jobs")
	}
	return nil
}

// wireEngine builds what finds due jobs and hands them out.
func (s *Server) wireEngine() {
	c := s.cfg
	s.metrics = obs.NewMetrics(s.prom)
	s.db = cluster.NewDBClock(c.Clock)
	s.owner = cluster.NewOwnership(cluster.Config{Node: nodeName(c.Node), TTL: c.OwnershipTTL, Clock: c.Clock, Log: c.Log},
		registry{s.store}, s.db)
	s.catalog = catalog.New(catalog.Config{Store: s.store, Clock: c.Clock})
	s.hub = ready.NewHub(ready.Options{})
	s.trigger = trigger.NewEngine(trigger.Config{Store: s.store, Catalog: s.catalog, Hub: s.hub, DB: s.db, Clock: c.Clock,
		Log: c.Log, LoadInterval: c.LoadInterval, DropHints: c.DropHints,
		Deleted: func(q *catalog.Queue) { s.strays.add(q, c.Clock.Now()) }})
	s.dispatch = dispatch.New(dispatch.Config{Store: s.store, Catalog: s.catalog, Hub: s.hub, Owner: s.owner, Hints: s.trigger,
		Clock: c.Clock, Log: c.Log, Metrics: s.metrics,
		Ended: func(schedule int32, state job.State) { s.decider.Ended(schedule, state) }})
	s.trigger.SetDispatcher(s.dispatch)
	s.schedule = schedule.New(schedule.Config{Store: s.store, Queues: s.catalog, Owner: s.owner, DB: s.db, Clock: c.Clock,
		Hints: s.trigger, Decide: func() { s.decider.Poke() }, Log: c.Log, Metrics: s.metrics})
	s.schedules = schedule.NewService(schedule.ServiceConfig{Rows: s.store, Names: s.catalog, Poke: s.schedule.Poke,
		Decide: func(id int32) { s.decider.Look(id) }, Hints: s.trigger, Now: s.db.Now, Metrics: s.metrics})
	s.decider = schedule.NewDecider(schedule.DeciderConfig{Store: s.store, Owner: s.owner, DB: s.db, Clock: c.Clock, Hints: s.trigger,
		Log: c.Log, Metrics: s.metrics, Cancel: s.dispatch.Cancel, Fail: s.schedules.PauseAfterFailure})
	s.catalog.OnChange(s.trigger.QueueChanged)
	s.strays = newStrays()
	s.owner.SetHooks(cluster.Hooks{
		Acquired:  s.trigger.Acquired,
		Lost:      s.trigger.Lost,
		Config:    s.configChanged,
		Recovered: s.dispatch.HoldRescues,
	})
}

// configChanged reads the queues of a partition again, whose configuration another call or node has changed.
func (s *Server) configChanged(g cluster.Grant) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.OwnershipTTL/2)
	defer cancel()
	return s.catalog.Refresh(ctx, g.Part)
}

func nodeName(name string) string {
	var random [4]byte
	_, _ = rand.Read(random[:])
	if name == "" {
		name, _ = os.Hostname()
	}
	return name + "-" + hex.EncodeToString(random[:])
}

// Addr is the address of the API, e.g. "127.0.0.1:7070".
func (s *Server) Addr() string { return s.listener.Addr().String() }

// OpsAddr is the address of the operations port; empty if there is none.
func (s *Server) OpsAddr() string {
	if s.ops == nil {
		return ""
	}
	return s.ops.Addr().String()
}

// Ready is closed when the server owns its partitions and has taken them over.
func (s *Server) Ready() <-chan struct{} { return s.ready }

// Run serves until ctx ends, then drains: no new leases, calls in flight are answered, partitions are given up.
func (s *Server) Run(ctx context.Context) error {
	defer s.close()
	engine, stopEngine := context.WithCancel(context.WithoutCancel(ctx))
	defer stopEngine()
	g, failed := errgroup.WithContext(engine)
	g.Go(func() error { return s.dispatch.Run(failed) })
	g.Go(func() error { return s.trigger.Run(failed) })
	g.Go(func() error { return s.schedule.Run(failed) })
	g.Go(func() error { return s.decider.Run(failed) })
	g.Go(func() error { return s.maintainLoop(failed) })
	g.Go(func() error { return s.calendarLoop(failed) })
	g.Go(func() error { return s.runStrays(failed) })
	owner, stopOwner := context.WithCancel(failed)
	defer stopOwner()
	released := make(chan struct{})
	g.Go(func() error { defer close(released); return s.owner.Run(owner) })
	g.Go(func() error { return s.awaitReady(failed) })
	served := s.serve(failed)

	var err error
	select {
	case <-ctx.Done():
		err = s.drain(ctx, served)
	case err = <-served.failed:
	case <-failed.Done():
	}
	stopOwner()
	<-released
	stopEngine()
	return errors.Join(err, g.Wait())
}

func (s *Server) close() {
	s.startDrain()
	if s.store != nil {
		s.store.Close()
	}
	for _, l := range []net.Listener{s.listener, s.ops} {
		if l != nil {
			_ = l.Close() // closed already after an orderly shutdown
		}
	}
}
