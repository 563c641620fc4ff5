package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/tenancy"
)

// CreateJob implements belfryv1connect.JobServiceHandler. It answers from what it has at hand: nothing is read back.
func (s *JobService) CreateJob(ctx context.Context, req *belfryv1.CreateJobRequest) (*belfryv1.CreateJobResponse, error) {
	d := draftOf("job", req.GetJob(), req.GetRequestId())
	if req.GetValidateOnly() {
		return s.checkJob(ctx, req.GetTenantId(), d)
	}
	now := s.Now()
	if d.startsTooEarly(now) {
		return s.createTooLate(ctx, req.GetTenantId(), d)
	}
	lane, err := s.laneFor(ctx, req.GetTenantId(), d)
	if err != nil {
		return nil, err
	}
	d.place(now, lane, s.Jobs.Partitions())
	if err := s.Engine.Create(ctx, []*store.Create{&d.create}); err != nil {
		return nil, err
	}
	if d.create.Stored {
		return &belfryv1.CreateJobResponse{Job: s.created(d, lane)}, nil
	}
	known, err := s.Engine.Existing(ctx, []*store.RequestKey{d.create.Request})
	if err != nil {
		return nil, err
	}
	id, err := d.sameAs(known)
	if err != nil {
		return nil, err
	}
	return s.existing(ctx, lane.Queue.Tenant, req.GetTenantId(), id)
}

// laneFor finds where a job goes, and makes its queue if the tenant allows that.
func (s *JobService) laneFor(ctx context.Context, tenant string, d *draft) (catalog.Lane, error) {
	q, err := s.Names.Queue(ctx, tenant, d.queue)
	if err != nil {
		return catalog.Lane{}, err
	}
	return s.Names.EnsureLane(ctx, q, d.jobType)
}

// created shows a job that was stored just now.
func (s *JobService) created(d *draft, lane catalog.Lane) *belfryv1.Job {
	c := &d.create
	row := store.Live{ID: c.ID, State: job.Pending, Priority: c.Priority, Version: 1, Due: c.Due, Scheduled: c.Scheduled,
		StartBy: c.StartBy, Timeout: c.Timeout, Now: s.Now()}
	if c.At.IsZero() && c.Delay == 0 || !c.Due.Equal(c.Scheduled) {
		row.Now = c.Due // it was due when it was stored, whatever this node's idea of the time is
	}
	if row.StartBy.IsZero() && c.StartWithin > 0 {
		row.StartBy = c.Due.Add(c.StartWithin)
	}
	return liveProto(&row, lane, d.body)
}

// sameAs answers the job that was stored under the request id of d, if it was made by the same request.
func (d *draft) sameAs(known map[[16]byte]store.KnownRequest) (job.ID, error) {
	k, ok := known[d.create.Request.Key]
	switch {
	case !ok:
		return job.ID{}, job.Unavailable(errors.New("a request id was known and is not any more"))
	case k.Fingerprint != d.create.Request.Fingerprint:
		return job.ID{}, job.RequestIDReused(d.requestID)
	}
	return k.Job, nil
}

// existing answers the job of an earlier call. Its history may have expired since: then its id is all that is known.
func (s *JobService) existing(ctx context.Context, tenant int32, name string, id job.ID) (*belfryv1.CreateJobResponse, error) {
	found, err := s.reader.find(ctx, tenant, id, belfryv1.JobView_JOB_VIEW_BASIC)
	if err != nil {
		return nil, err
	}
	if found == nil {
		found = &belfryv1.Job{TenantId: name, JobId: id.String(), CreateTime: instantProto(id.Time())}
	}
	return &belfryv1.CreateJobResponse{Job: found, Existing: true}, nil
}

// createTooLate answers a job that could not be started any more if it was created now: unless an earlier call, that came
// in time, has created it.
func (s *JobService) createTooLate(ctx context.Context, tenantName string, d *draft) (*belfryv1.CreateJobResponse, error) {
	tenant, err := s.Names.Tenant(ctx, tenantName)
	if err != nil {
		return nil, err
	}
	ids, err := s.earlier(ctx, tenant.ID, []*draft{d})
	if err != nil {
		return nil, err
	}
	if id, ok := ids[d]; ok {
		return s.existing(ctx, tenant.ID, tenant.Name, id)
	}
	return nil, job.InvalidFields([]job.FieldViolation{d.refuseStart()})
}

// earlier finds the jobs that earlier calls have created for the request ids of drafts. A request id of another body is
// refused.
func (s *JobService) earlier(ctx context.Context, tenant int32, drafts []*draft) (map[*draft]job.ID, error) {
	var keys []*store.RequestKey
	for _, d := range drafts {
		if key := d.request(tenant, s.Jobs.Partitions()); key != nil {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	known, err := s.Engine.Existing(ctx, keys)
	if err != nil {
		return nil, err
	}
	ids := map[*draft]job.ID{}
	for _, d := range drafts {
		key := d.create.Request
		if key == nil {
			continue
		}
		if _, ok := known[key.Key]; !ok {
			continue
		}
		if ids[d], err = d.sameAs(known); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// checkJob answers what would be created.
func (s *JobService) checkJob(ctx context.Context, tenantName string, d *draft) (*belfryv1.CreateJobResponse, error) {
	tenant, err := s.Names.Tenant(ctx, tenantName)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	if err := s.check(ctx, tenant, []*draft{d}, now); err != nil {
		return nil, err
	}
	q, err := s.queueToBe(ctx, tenant, d.queue)
	if err != nil {
		return nil, err
	}
	c := &d.create
	c.Due, c.Scheduled = d.due(now), c.At
	if c.At.IsZero() {
		c.Scheduled = c.Due
	}
	shown := s.created(d, catalog.Lane{Type: d.jobType, Queue: q})
	shown.Version = 0
	return &belfryv1.CreateJobResponse{Job: shown}, nil
}

// check refuses drafts that cannot be created at now, naming each.
func (s *JobService) check(ctx context.Context, tenant tenancy.Tenant, drafts []*draft, now time.Time) error {
	var bad []job.FieldViolation
	for _, d := range drafts {
		if d.startsTooEarly(now) {
			bad = append(bad, d.refuseStart())
		}
	}
	if len(bad) > 0 {
		return job.InvalidFields(bad)
	}
	seen := map[string]bool{}
	for _, d := range drafts {
		if seen[d.queue] {
			continue
		}
		seen[d.queue] = true
		if _, err := s.queueToBe(ctx, tenant, d.queue); err != nil {
			return err
		}
	}
	return nil
}

// queueToBe finds a queue, or describes the one that a create would make.
func (s *JobService) queueToBe(ctx context.Context, tenant tenancy.Tenant, name string) (*catalog.Queue, error) {
	q, err := s.Names.FindQueue(ctx, tenant.Name, name)
	if errors.Is(err, job.ErrNotFound) && tenant.AutoCreateQueues {
		return &catalog.Queue{Tenant: tenant.ID, TenantName: tenant.Name, Name: name}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find queue %s: %w", name, err)
	}
	return q, nil
}
