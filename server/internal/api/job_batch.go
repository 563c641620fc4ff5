package api

import (
	"context"
	"fmt"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// BatchCreateJobs implements belfryv1connect.JobServiceHandler.
//
// Request ids are looked up before anything is stored: one that was used with another body refuses the whole batch. If a
// call with the same ids gets in between, its jobs are answered.
func (s *JobService) BatchCreateJobs(ctx context.Context, req *belfryv1.BatchCreateJobsRequest) (*belfryv1.BatchCreateJobsResponse, error) {
	tenant, err := s.Names.Tenant(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	drafts := make([]*draft, len(req.GetJobs()))
	for i, item := range req.GetJobs() {
		drafts[i] = draftOf(fmt.Sprintf("jobs[%d].job", i), item.GetJob(), item.GetRequestId())
	}
	earlier, err := s.earlier(ctx, tenant.ID, drafts)
	if err != nil {
		return nil, err
	}
	fresh := make([]*draft, 0, len(drafts))
	for _, d := range drafts {
		if _, known := earlier[d]; !known {
			fresh = append(fresh, d)
		}
	}
	if err := s.check(ctx, tenant, fresh, s.Now()); err != nil {
		return nil, err
	}
	out := &belfryv1.BatchCreateJobsResponse{Results: make([]*belfryv1.BatchCreateJobsResult, len(drafts))}
	if req.GetValidateOnly() {
		for i := range out.Results {
			out.Results[i] = &belfryv1.BatchCreateJobsResult{}
		}
		return out, nil
	}
	raced, err := s.createAll(ctx, tenant.Name, fresh)
	if err != nil {
		return nil, err
	}
	for i, d := range drafts {
		id, existing := earlier[d]
		if !existing {
			id, existing = raced[d]
		}
		if !existing {
			id = d.create.ID
		}
		out.Results[i] = &belfryv1.BatchCreateJobsResult{JobId: id.String(), Existing: existing}
	}
	return out, nil
}

// createAll stores drafts in one transaction. It answers the jobs of those whose request id another call has used since
// it was looked up.
func (s *JobService) createAll(ctx context.Context, tenant string, drafts []*draft) (raced map[*draft]job.ID, err error) {
	if len(drafts) == 0 {
		return nil, nil
	}
	type place struct{ queue, jobType string }
	lanes := map[place]catalog.Lane{}
	items := make([]*store.Create, len(drafts))
	now := s.Now()
	for i, d := range drafts {
		at := place{d.queue, d.jobType}
		lane, ok := lanes[at]
		if !ok {
			if lane, err = s.laneFor(ctx, tenant, d); err != nil {
				return nil, err
			}
			lanes[at] = lane
		}
		d.place(now, lane, s.Jobs.Partitions())
		items[i] = &d.create
	}
	if err := s.Engine.Create(ctx, items); err != nil {
		return nil, err
	}
	var keys []*store.RequestKey
	for _, d := range drafts {
		if !d.create.Stored {
			keys = append(keys, d.create.Request)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	known, err := s.Engine.Existing(ctx, keys)
	if err != nil {
		return nil, err
	}
	raced = map[*draft]job.ID{}
	for _, d := range drafts {
		if d.create.Stored {
			continue
		}
		if raced[d], err = d.sameAs(known); err != nil {
			return nil, err
		}
	}
	return raced, nil
}
