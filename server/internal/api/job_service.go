package api

import (
	"context"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
)

// JobService implements belfry.v1.JobService. Its requests have passed the Edge. Safe for concurrent use.
type JobService struct {
	ServiceConfig
	reader      jobReader
	listWindows func(pageSize int) []int
}

// NewJobService returns a JobService of config.
func NewJobService(config ServiceConfig) *JobService {
	return &JobService{ServiceConfig: config, reader: jobReader{jobs: config.Jobs, names: config.Names}, listWindows: listWindows}
}

// GetJob implements belfryv1connect.JobServiceHandler.
func (s *JobService) GetJob(ctx context.Context, req *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
	tenant, err := s.Names.Tenant(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	id, err := s.jobID(req.GetJobId())
	if err != nil {
		return nil, err
	}
	found, err := s.reader.find(ctx, tenant.ID, id, req.GetView())
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, noJob(req.GetJobId())
	}
	return &belfryv1.GetJobResponse{Job: found}, nil
}

// CancelJob implements belfryv1connect.JobServiceHandler.
func (s *JobService) CancelJob(ctx context.Context, req *belfryv1.CancelJobRequest) (*belfryv1.CancelJobResponse, error) {
	tenant, err := s.Names.Tenant(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	id, err := s.jobID(req.GetJobId())
	if err != nil {
		return nil, err
	}
	if err := s.Engine.Cancel(ctx, tenant.ID, id, req.GetReason()); err != nil {
		if e, ok := job.AsError(err); ok && e.Kind == job.ErrNotFound {
			return nil, noJob(req.GetJobId()) // as the caller spelled it
		}
		return nil, err
	}
	after, err := s.reader.find(ctx, tenant.ID, id, belfryv1.JobView_JOB_VIEW_BASIC)
	if err != nil {
		return nil, err
	}
	if after == nil {
		return nil, noJob(req.GetJobId())
	}
	return &belfryv1.CancelJobResponse{Job: after}, nil
}

// jobID reads an id. Text that is none, and an id of another cluster, answer like an id that does not exist.
func (s *JobService) jobID(text string) (job.ID, error) {
	id, err := job.ParseID(text)
	if err != nil || !s.Jobs.KnownPart(id) {
		return job.ID{}, noJob(text)
	}
	return id, nil
}

// noJob is the one answer to an id that names no job of the tenant, whatever else it names.
func noJob(text string) error { return job.NotFound(job.SubjectJob, text, "") }
