package api

import (
	"context"
	"time"

	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/dispatch"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// Engine changes jobs; dispatch.Dispatcher is the real one.
type Engine interface {
	Create(ctx context.Context, items []*store.Create) error
	Existing(ctx context.Context, keys []*store.RequestKey) (map[[16]byte]store.KnownRequest, error)
	Cancel(ctx context.Context, tenant int32, id job.ID, reason string) error
	Lease(ctx context.Context, call dispatch.LeaseCall) ([]dispatch.Leased, error)
	Heartbeat(ctx context.Context, items []*store.Beat) []error
	Complete(ctx context.Context, items []dispatch.Completion) []dispatch.Result
	Fail(ctx context.Context, items []dispatch.Failure) []dispatch.Result
}

// Jobs reads jobs; store.Store is the real one.
type Jobs interface {
	Partitions() int
	KnownPart(id job.ID) bool
	LiveJobs(ctx context.Context, ids []job.ID) (map[job.ID]store.Live, error)
	EndedJobs(ctx context.Context, ids []job.ID) (map[job.ID]store.Ended, error)
	LastErrors(ctx context.Context, ids []job.ID) (map[job.ID]string, error)
	AttemptsOf(ctx context.Context, ids []job.ID, limit int) (map[job.ID][]job.Attempt, error)
	PartsOfTenant(ctx context.Context, tenant int32) ([]int16, error)
	ListLive(ctx context.Context, tenant int32, parts []int16, below job.ID, size int) ([]store.LiveWindow, error)
	ListEnded(ctx context.Context, tenant int32, below job.ID, size int) ([]store.Listed, error)
}

// Names knows tenants, queues and lanes; catalog.Catalog is the real one.
type Names interface {
	Tenant(ctx context.Context, name string) (tenancy.Tenant, error)
	Queue(ctx context.Context, tenant, name string) (*catalog.Queue, error)
	FindQueue(ctx context.Context, tenant, name string) (*catalog.Queue, error)
	EnsureLane(ctx context.Context, q *catalog.Queue, jobType string) (catalog.Lane, error)
	Lane(ctx context.Context, number int32) (catalog.Lane, error)
}

// ServiceConfig is what JobService and WorkerService are made of; all fields are required.
type ServiceConfig struct {
	Engine  Engine
	Jobs    Jobs
	Names   Names
	Workers *Workers
	Errors  *Translator
	// Now tells the database's time as well as this node knows it.
	Now func() time.Time
	// StillValid checks the key of a caller that has been waiting; tenancy.Authenticator has it.
	StillValid func(ctx context.Context, p tenancy.Principal) error
}
