package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// Queues keeps queues; store.Store is the real one.
type Queues interface {
	CreateQueue(ctx context.Context, n store.NewQueue) (q *store.Queue, existing bool, err error)
	QueueByName(ctx context.Context, tenant int32, name string) (*store.Queue, error)
	ListQueues(ctx context.Context, tenant int32, after string, limit int) ([]*store.Queue, error)
	ChangeQueue(ctx context.Context, q store.Queue) (store.QueueChange, error)
	DeleteQueue(ctx context.Context, d store.QueueDeletion) (store.QueueChange, error)
	LanesOfQueues(ctx context.Context, queues []int32) ([]store.Lane, error)
	LaneDepth(ctx context.Context, part int16, lanes []int32, limit int) (store.Depth, error)
}

// QueueNames is what this node remembers of queues; catalog.Catalog is the real one.
type QueueNames interface {
	Tenant(ctx context.Context, name string) (tenancy.Tenant, error)
	NoQueue(ctx context.Context, t tenancy.Tenant, name string) error
	Observe(q *catalog.Queue)
	Refresh(ctx context.Context, part int16) error
}

// QueueConfig is what a QueueService is made of; all fields are required.
type QueueConfig struct {
	Queues Queues
	Names  QueueNames
	// Now tells the database's time as well as this node knows it.
	Now func() time.Time
	// LastPoll tells when a worker last asked this node for a queue's jobs; the zero time if none has.
	LastPoll func(tenant, queue string) time.Time
	// ConfigRaised is told the configuration version of a partition which stands for a change that Names knows already:
	// the partition's owner can go on claiming under it.
	ConfigRaised func(part int16, version int64)
}

// QueueService implements belfry.v1.QueueService. Its requests have passed the Edge. Safe for concurrent use.
type QueueService struct{ QueueConfig }

// NewQueueService returns a QueueService of config.
func NewQueueService(config QueueConfig) *QueueService { return &QueueService{config} }

// changeTries bounds how often a change is tried that others overtake.
const changeTries = 8

// errOvertaken ends a change that others have overtaken changeTries times.
func errOvertaken(err error) error {
	return job.Unavailable(fmt.Errorf("overtaken %d times: %w", changeTries, err))
}

// CreateQueue implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) CreateQueue(ctx context.Context, req *belfryv1.CreateQueueRequest) (*belfryv1.CreateQueueResponse, error) {
	t, err := s.Names.Tenant(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	n := store.NewQueue{Tenant: t.ID, TenantName: t.Name, Name: req.GetQueue().GetQueue(), Settings: settingsFrom(req.GetQueue())}
	if req.GetValidateOnly() {
		q, err := s.checkNew(ctx, n)
		return &belfryv1.CreateQueueResponse{Queue: q}, err
	}
	n.Request = store.NewAdminRequest("CreateQueue", t.ID, req.GetRequestId(), fingerprintOf(n.Name, n.Settings))
	q, err := s.create(ctx, n)
	if errors.Is(err, store.ErrRequestReused) {
		return nil, job.RequestIDReused(req.GetRequestId())
	}
	if err != nil {
		return nil, err
	}
	return &belfryv1.CreateQueueResponse{Queue: queueProto(q)}, nil
}

func (s *QueueService) create(ctx context.Context, n store.NewQueue) (*store.Queue, error) {
	q, existing, err := s.Queues.CreateQueue(ctx, n)
	switch {
	case errors.Is(err, store.ErrExists):
		return nil, job.AlreadyExists(job.SubjectQueue, n.Name)
	case err != nil:
		return nil, fmt.Errorf("create queue: %w", store.Fault(err))
	case existing && q.Deleted:
		return nil, job.NotFound(job.SubjectQueue, n.Name,
			"the earlier call with this request_id made it, and it has been deleted since; use a new request_id to make another")
	}
	s.Names.Observe(q)
	return q, nil
}

// checkNew answers what would be made.
func (s *QueueService) checkNew(ctx context.Context, n store.NewQueue) (*belfryv1.Queue, error) {
	switch _, err := s.Queues.QueueByName(ctx, n.Tenant, n.Name); {
	case err == nil:
		return nil, job.AlreadyExists(job.SubjectQueue, n.Name)
	case !errors.Is(err, store.ErrNotFound):
		return nil, fmt.Errorf("read queue: %w", store.Fault(err))
	}
	return queueProto(&store.Queue{Tenant: n.Tenant, TenantName: n.TenantName, Name: n.Name, Settings: n.Settings}), nil
}

// GetQueue implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) GetQueue(ctx context.Context, req *belfryv1.GetQueueRequest) (*belfryv1.GetQueueResponse, error) {
	_, q, err := s.find(ctx, req.GetTenantId(), req.GetQueue())
	if err != nil {
		return nil, err
	}
	return &belfryv1.GetQueueResponse{Queue: queueProto(q)}, nil
}

// find reads a queue as it is stored now.
func (s *QueueService) find(ctx context.Context, tenant, name string) (tenancy.Tenant, *store.Queue, error) {
	t, err := s.Names.Tenant(ctx, tenant)
	if err != nil {
		return t, nil, err
	}
	q, err := s.Queues.QueueByName(ctx, t.ID, name)
	if errors.Is(err, store.ErrNotFound) {
		return t, nil, s.Names.NoQueue(ctx, t, name)
	}
	if err != nil {
		return t, nil, fmt.Errorf("read queue: %w", store.Fault(err))
	}
	return t, q, nil
}

// ListQueues implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) ListQueues(ctx context.Context, req *belfryv1.ListQueuesRequest) (*belfryv1.ListQueuesResponse, error) {
	t, err := s.Names.Tenant(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	filter := newListFilter("ListQueues", t.UID)
	after, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	queues, err := s.Queues.ListQueues(ctx, t.ID, string(after), size+1)
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", store.Fault(err))
	}
	out := &belfryv1.ListQueuesResponse{}
	if len(queues) > size {
		queues = queues[:size]
		out.NextPageToken = encodePageToken(filter, []byte(queues[size-1].Name))
	}
	for _, q := range queues {
		out.Queues = append(out.Queues, queueProto(q))
	}
	return out, nil
}

// statsLimit is where the counts of GetQueueStats stop.
const statsLimit = 100_000

// GetQueueStats implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) GetQueueStats(ctx context.Context, req *belfryv1.GetQueueStatsRequest) (*belfryv1.GetQueueStatsResponse, error) {
	_, q, err := s.find(ctx, req.GetTenantId(), req.GetQueue())
	if err != nil {
		return nil, err
	}
	lanes, err := s.Queues.LanesOfQueues(ctx, []int32{q.ID})
	if err != nil {
		return nil, fmt.Errorf("read lanes: %w", store.Fault(err))
	}
	numbers := make([]int32, len(lanes))
	for i, l := range lanes {
		numbers[i] = l.Number
	}
	d, err := s.Queues.LaneDepth(ctx, q.Part, numbers, statsLimit)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", store.Fault(err))
	}
	out := &belfryv1.GetQueueStatsResponse{Pending: d.Pending, Ready: d.Ready, Running: d.Running, Truncated: d.Truncated,
		NextDueTime: instantProto(d.NextDue), Paused: q.Paused}
	if !d.OldestReady.IsZero() {
		// At least a microsecond: the clocks differ by a little, and absent means that there is none.
		out.OldestReadyAge = spanProto(max(s.Now().Sub(d.OldestReady), time.Microsecond))
	}
	if at := s.LastPoll(q.TenantName, q.Name); !at.IsZero() {
		out.LastPollTime = instantProto(at)
	}
	return out, nil
}

// sameQueue reports whether two states of a queue are the same to its callers.
func sameQueue(a, b *store.Queue) bool { return proto.Equal(queueProto(a), queueProto(b)) }
