package api

import (
	"context"
	"fmt"
	"time"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/tenancy"
)

// WorkerService implements belfry.v1.WorkerService. Its requests have passed the Edge. Safe for concurrent use.
type WorkerService struct {
	ServiceConfig
	reader jobReader
}

// NewWorkerService returns a WorkerService of config.
func NewWorkerService(config ServiceConfig) *WorkerService {
	return &WorkerService{ServiceConfig: config, reader: jobReader{jobs: config.Jobs, names: config.Names}}
}

// whose is whose jobs a call of a worker is about.
type whose struct {
	name string // tenancy.AllTenants for all
	id   int32  // of the tenant; 0 for all
}

func (w whose) all() bool { return w.name == tenancy.AllTenants }

// whose finds the tenant of a call. Only keys of the platform get here with "-".
func (s *WorkerService) whose(ctx context.Context, name string) (whose, error) {
	if name == tenancy.AllTenants {
		return whose{name: name}, nil
	}
	tenant, err := s.Names.Tenant(ctx, name)
	return whose{name: name, id: tenant.ID}, err
}

// leaseOf reads the token of a lease. Text that is no token is INVALID_ARGUMENT, since a worker that sends it has a fault
// that no repetition cures. A token whose lane belongs to another tenant answers like one that never was: NOT_FOUND, with
// nothing in the text but the id that the token holds.
func (s *WorkerService) leaseOf(ctx context.Context, w whose, text string) (job.Token, error) {
	tok, err := job.ParseToken(text)
	if err != nil {
		return tok, job.Invalid("lease_token", "is not a lease token; send lease_token of LeaseJobs as it came")
	}
	if w.all() {
		return tok, nil // the engine refuses lanes that do not exist
	}
	_, mine, err := s.reader.laneOf(ctx, w.id, tok.Lane)
	if err != nil {
		return tok, err
	}
	if !mine || !s.Jobs.KnownPart(tok.ID) {
		return tok, noJob(tok.ID.String())
	}
	return tok, nil
}

// ListWorkers implements belfryv1connect.WorkerServiceHandler. Workers of all tenants are those of operators: only keys
// of the platform see them.
func (s *WorkerService) ListWorkers(ctx context.Context, req *belfryv1.ListWorkersRequest) (*belfryv1.ListWorkersResponse, error) {
	tenant, err := s.Names.Tenant(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	filter := newListFilter("ListWorkers", tenant.UID)
	position, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	names := []string{tenant.Name}
	if p, ok := tenancy.FromContext(ctx); ok && p.Platform {
		names = append(names, tenancy.AllTenants)
	}
	out := &belfryv1.ListWorkersResponse{}
	size := pageSize(req.GetPageSize())
	for _, seen := range s.Workers.listed(names...) {
		at := seen.id + "\x00" + seen.tenant
		if at <= string(position) {
			continue
		}
		if len(out.Workers) == size {
			last := out.Workers[size-1]
			out.NextPageToken = encodePageToken(filter, []byte(last.GetWorkerId()+"\x00"+last.GetTenantId()))
			break
		}
		out.Workers = append(out.Workers, workerProto(seen))
	}
	return out, nil
}

func workerProto(seen workerSeen) *belfryv1.Worker {
	return &belfryv1.Worker{TenantId: seen.tenant, WorkerId: seen.id, Queues: seen.queues, JobTypes: seen.jobTypes,
		LastSeenTime: instantProto(seen.lastSeen), Leases: seen.leases}
}

const (
	defaultLease      = time.Minute
	defaultLeaseBytes = 4 << 20
	// leaseSlice bounds a wait without looking at the caller's key again. An authenticated key may be 5 s old; both and a
	// claim under way stay within the 10 s after which a revoked key has no effect.
	leaseSlice = 4 * time.Second
)

// errQueuesOfAll says why queues cannot be chosen for all tenants at once.
func errQueuesOfAll() error {
	return job.Invalid("queues", `must be empty with tenant_id "-", since a name of a queue means another one in each tenant; `+
		"choose by job_types, or name one tenant")
}

// queueIDs finds the queues that a worker asks for; nil for all. One that does not exist is NOT_FOUND and is not made:
// most likely its name is misspelt, and a worker that waits for it would wait for ever.
func (s *WorkerService) queueIDs(ctx context.Context, w whose, names []string) ([]int32, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if w.all() {
		return nil, errQueuesOfAll()
	}
	ids := make([]int32, len(names))
	for i, name := range names {
		q, err := s.Names.FindQueue(ctx, w.name, name)
		if err != nil {
			return nil, fmt.Errorf("find queue %s: %w", name, err)
		}
		ids[i] = q.ID
	}
	return ids, nil
}
