package server

import (
	"context"
	"net/http"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"

	"github.com/belfryhq/belfry/server/internal/api"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/tenancy"
)

// wireAPI builds the edge that every call passes, and the services behind it.
func (s *Server) wireAPI() error {
	validator, err := api.NewValidator(s.cfg.Clock)
	if err != nil {
		return err
	}
	errors := api.NewTranslator(s.cfg.Log)
	s.auth = tenancy.NewAuthenticator(s.store, s.cfg.Clock)
	s.edge = api.NewEdge(api.EdgeConfig{Auth: s.auth, Validator: validator, Errors: errors, Clock: s.cfg.Clock, Log: s.cfg.Log,
		Observe: func(c api.Call) { s.metrics.Call(c.Method, c.Code, c.Seconds) }})
	workers := api.NewWorkers(s.db.Now)
	common := api.ServiceConfig{Engine: s.dispatch, Jobs: s.store, Names: s.catalog, Workers: workers, Errors: errors,
		Now: s.db.Now, StillValid: s.auth.StillValid}
	s.services = api.Services{
		Jobs:    api.NewJobService(common),
		Workers: api.NewWorkerService(common),
		Queues: api.NewQueueService(api.QueueConfig{Queues: s.store, Names: s.catalog, Now: s.db.Now,
			LastPoll: workers.LastPoll, ConfigRaised: s.owner.SetConfig}),
		Schedules: api.NewScheduleService(api.ScheduleConfig{Validate: validator.Validate, Now: s.db.Now,
			Forecasts: schedule.NewForecaster(schedule.ForecastConfig{Loads: s.store, Tenants: s.catalog, Clock: s.cfg.Clock}),
			Schedules: s.schedules}),
		Calendars: api.NewCalendarService(s.schedules),
		Tenants:   api.NewTenantService(api.TenantConfig{Tenants: s.store, Names: s.catalog, Now: s.db.Now, Forget: s.auth.Forget}),
	}
	return nil
}

// apiHandler serves the API, reflection, gRPC health and the two health pages on one port.
func (s *Server) apiHandler() http.Handler {
	mux := http.NewServeMux()
	names := s.services.Mount(mux, s.edge)
	mux.Handle(grpchealth.NewHandler(health{s, names}))
	reflector := grpcreflect.NewStaticReflector(names...)
	mux.Handle(grpcreflect.NewHandlerV1(reflector))
	mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector))
	mux.HandleFunc("GET /healthz", s.healthz)
	mux.HandleFunc("GET /readyz", s.readyz)
	return s.untilDrain(mux)
}

// untilDrain ends the contexts of long polls when the server drains, so that a shutdown does not wait for them: their
// callers come back elsewhere.
func (s *Server) untilDrain(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != api.LeaseJobsPath {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		stop := context.AfterFunc(s.drainContext, func() { cancel(job.NotReady("is draining")) })
		defer stop()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// health answers gRPC health checks like /readyz.
type health struct {
	server *Server
	names  []string
}

// Check implements grpchealth.Checker.
func (h health) Check(_ context.Context, req *grpchealth.CheckRequest) (*grpchealth.CheckResponse, error) {
	known := req.Service == ""
	for _, name := range h.names {
		known = known || name == req.Service
	}
	if !known {
		return nil, connect.NewError(connect.CodeNotFound, errUnknownService(req.Service))
	}
	if h.server.isDraining() || !h.server.isReady() {
		return &grpchealth.CheckResponse{Status: grpchealth.StatusNotServing}, nil
	}
	return &grpchealth.CheckResponse{Status: grpchealth.StatusServing}, nil
}

type errUnknownService string

// Error names the service.
func (e errUnknownService) Error() string { return "no service " + string(e) + " is served here" }
