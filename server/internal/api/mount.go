package api

import (
	"net/http"

	"connectrpc.com/connect"

	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
)

// Services are the handlers of the whole API; all are required.
type Services struct {
	Jobs      *JobService
	Workers   *WorkerService
	Queues    *QueueService
	Schedules *ScheduleService
	Calendars *CalendarService
	Tenants   *TenantService
}

// LeaseJobsPath is where long polls are served: the only calls that wait.
const LeaseJobsPath = belfryv1connect.WorkerServiceLeaseJobsProcedure

// Mount serves all services behind the edge, and answers their names for reflection and health.
func (s Services) Mount(mux *http.ServeMux, edge *Edge) (names []string) {
	options := connect.WithHandlerOptions(edge.HandlerOptions()...)
	mux.Handle(belfryv1connect.NewJobServiceHandler(s.Jobs, options))
	mux.Handle(belfryv1connect.NewWorkerServiceHandler(s.Workers, options))
	mux.Handle(belfryv1connect.NewQueueServiceHandler(s.Queues, options))
	mux.Handle(belfryv1connect.NewScheduleServiceHandler(s.Schedules, options))
	mux.Handle(belfryv1connect.NewCalendarServiceHandler(s.Calendars, options))
	mux.Handle(belfryv1connect.NewTenantServiceHandler(s.Tenants, options))
	return []string{belfryv1connect.JobServiceName, belfryv1connect.WorkerServiceName, belfryv1connect.QueueServiceName,
		belfryv1connect.ScheduleServiceName, belfryv1connect.CalendarServiceName, belfryv1connect.TenantServiceName}
}
