package api

import (
	"context"
	"errors"
	"fmt"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// queueEdit is a change of one queue.
type queueEdit struct {
	tenant, name string
	etag         string // empty: any
	dryRun       bool
	apply        func(q *store.Queue) // on a copy
}

// UpdateQueue implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) UpdateQueue(ctx context.Context, req *belfryv1.UpdateQueueRequest) (*belfryv1.UpdateQueueResponse, error) {
	paths, err := maskPaths(req.GetQueue(), req.GetUpdateMask(), changeableOfQueue())
	if err != nil {
		return nil, err
	}
	edit := queueEdit{
		tenant: req.GetTenantId(), name: req.GetQueue().GetQueue(), etag: req.GetQueue().GetEtag(), dryRun: req.GetValidateOnly(),
		apply: func(q *store.Queue) {
			stated := settingsProto(q.Settings)
			applyMask(stated, req.GetQueue(), paths)
			q.Settings = settingsFrom(stated)
		},
	}
	if req.GetAllowMissing() {
		return s.upsert(ctx, edit, req)
	}
	q, err := s.change(ctx, edit)
	if err != nil {
		return nil, err
	}
	return &belfryv1.UpdateQueueResponse{Queue: queueProto(q)}, nil
}

// upsert changes a queue, or makes it as the request describes it.
func (s *QueueService) upsert(ctx context.Context, edit queueEdit, req *belfryv1.UpdateQueueRequest) (*belfryv1.UpdateQueueResponse, error) {
	for range changeTries {
		q, err := s.change(ctx, edit)
		if err == nil {
			return &belfryv1.UpdateQueueResponse{Queue: queueProto(q)}, nil
		}
		if e, ok := job.AsError(err); !ok || e.Kind != job.ErrNotFound || e.Subject != job.SubjectQueue {
			return nil, err
		}
		if edit.etag != "" { // it belongs to a queue that is not there any more
			return nil, job.EtagMismatch(job.SubjectQueue, edit.name)
		}
		made, err := s.createMissing(ctx, edit, req)
		if !errors.Is(err, job.ErrAlreadyExists) { // else somebody was quicker
			return made, err
		}
	}
	return nil, errOvertaken(store.ErrConflict)
}

func (s *QueueService) createMissing(ctx context.Context, edit queueEdit, req *belfryv1.UpdateQueueRequest) (*belfryv1.UpdateQueueResponse, error) {
	t, err := s.Names.Tenant(ctx, edit.tenant)
	if err != nil {
		return nil, err
	}
	n := store.NewQueue{Tenant: t.ID, TenantName: t.Name, Name: edit.name, Settings: settingsFrom(req.GetQueue())}
	if edit.dryRun {
		q, err := s.checkNew(ctx, n)
		return &belfryv1.UpdateQueueResponse{Queue: q}, err
	}
	q, err := s.create(ctx, n)
	if err != nil {
		return nil, err
	}
	return &belfryv1.UpdateQueueResponse{Queue: queueProto(q)}, nil
}

// PauseQueue implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) PauseQueue(ctx context.Context, req *belfryv1.PauseQueueRequest) (*belfryv1.PauseQueueResponse, error) {
	q, err := s.change(ctx, queueEdit{tenant: req.GetTenantId(), name: req.GetQueue(), apply: func(q *store.Queue) {
		q.Paused, q.PauseReason = true, req.GetReason()
	}})
	if err != nil {
		return nil, err
	}
	return &belfryv1.PauseQueueResponse{Queue: queueProto(q)}, nil
}

// ResumeQueue implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) ResumeQueue(ctx context.Context, req *belfryv1.ResumeQueueRequest) (*belfryv1.ResumeQueueResponse, error) {
	q, err := s.change(ctx, queueEdit{tenant: req.GetTenantId(), name: req.GetQueue(), apply: func(q *store.Queue) {
		q.Paused, q.PauseReason = false, ""
	}})
	if err != nil {
		return nil, err
	}
	return &belfryv1.ResumeQueueResponse{Queue: queueProto(q)}, nil
}

// change applies an edit to the queue as it is stored. One that changes nothing changes nothing: neither etag nor
// update_time.
func (s *QueueService) change(ctx context.Context, edit queueEdit) (*store.Queue, error) {
	var overtaken error
	for range changeTries {
		_, q, err := s.find(ctx, edit.tenant, edit.name)
		if err != nil {
			return nil, err
		}
		if edit.etag != "" && edit.etag != q.Etag() {
			return nil, job.EtagMismatch(job.SubjectQueue, edit.name)
		}
		next := *q
		edit.apply(&next)
		if edit.dryRun {
			return &next, nil
		}
		if sameQueue(q, &next) {
			s.Names.Observe(q)
			return q, nil
		}
		c, err := s.Queues.ChangeQueue(ctx, next)
		if errors.Is(err, store.ErrConflict) {
			overtaken = err
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("change queue: %w", store.Fault(err))
		}
		s.publish(ctx, c)
		return c.Queue, nil
	}
	return nil, errOvertaken(overtaken)
}

// publish makes a change known on this node. Others, and this one if the database is away just now, find it by the
// partition's configuration version; until then their claims fail.
func (s *QueueService) publish(ctx context.Context, c store.QueueChange) {
	s.Names.Observe(c.Queue)
	// All queues of the partition: the version stands for the changes of others before this one too.
	if err := s.Names.Refresh(ctx, c.Queue.Part); err == nil {
		s.ConfigRaised(c.Queue.Part, c.Config)
	}
}

// DeleteQueue implements belfryv1connect.QueueServiceHandler.
func (s *QueueService) DeleteQueue(ctx context.Context, req *belfryv1.DeleteQueueRequest) (*belfryv1.DeleteQueueResponse, error) {
	var overtaken error
	for range changeTries {
		_, q, err := s.find(ctx, req.GetTenantId(), req.GetQueue())
		if err != nil {
			return nil, err
		}
		if req.GetEtag() != "" && req.GetEtag() != q.Etag() {
			return nil, job.EtagMismatch(job.SubjectQueue, q.Name)
		}
		if q.Settings.DeletionProtection {
			return nil, job.Protected(job.SubjectQueue, q.Name)
		}
		c, err := s.Queues.DeleteQueue(ctx, store.QueueDeletion{ID: q.ID, Tenant: q.Tenant, Part: q.Part, Revision: q.Revision,
			Force: req.GetForce()})
		var used *store.InUseError
		switch {
		case err == nil:
			s.publish(ctx, c)
			return &belfryv1.DeleteQueueResponse{}, nil
		case errors.As(err, &used) && (!req.GetForce() || used.Running > 0):
			return nil, queueInUse(q.Name, req.GetForce(), used)
		case used == nil && !errors.Is(err, store.ErrConflict):
			return nil, fmt.Errorf("delete queue: %w", store.Fault(err))
		}
		overtaken = err // by a change, or by jobs that came in while others were being cancelled
	}
	return nil, errOvertaken(overtaken)
}

func queueInUse(name string, force bool, used *store.InUseError) error {
	holds := fmt.Sprintf("queue %q holds %s waiting and %s running jobs", name, counted(used.Waiting), counted(used.Running))
	if force {
		return job.InUse(job.SubjectQueue, holds+"; pause it, let the running ones end or cancel them, and delete it again")
	}
	return job.InUse(job.SubjectQueue, holds+"; let them end first, or cancel those that wait with force")
}

func counted(n int64) string {
	if n >= statsLimit {
		return grouped(statsLimit) + " or more"
	}
	return grouped(n)
}
