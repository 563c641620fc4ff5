package api

import (
	"context"
	"errors"
	"fmt"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// keptAttempts is how many ended attempts of a job are shown.
const keptAttempts = 100

// jobReader reads jobs and shows them.
type jobReader struct {
	jobs  Jobs
	names Names
}

// find reads one job of a tenant, alive or ended; nil if the tenant has no such job.
func (r jobReader) find(ctx context.Context, tenant int32, id job.ID, view belfryv1.JobView) (*belfryv1.Job, error) {
	found, err := r.read(ctx, tenant, []job.ID{id}, view)
	if err != nil {
		return nil, err
	}
	return found[id], nil
}

// read reads jobs of a tenant; what is not the tenant's is missing, like what does not exist. Rows are read alive first,
// since a job goes from there to history and never back: so none is missed that ends meanwhile.
func (r jobReader) read(ctx context.Context, tenant int32, ids []job.ID, view belfryv1.JobView) (map[job.ID]*belfryv1.Job, error) {
	out := make(map[job.ID]*belfryv1.Job, len(ids))
	live, err := r.jobs.LiveJobs(ctx, ids)
	if err != nil {
		return nil, readFault("read live jobs", err)
	}
	var tried, gone []job.ID
	for _, id := range ids {
		row, alive := live[id]
		if !alive {
			gone = append(gone, id)
			continue
		}
		shown, err := r.showLive(ctx, tenant, &row, view)
		if err != nil {
			return nil, err
		}
		if shown != nil {
			out[id] = shown
			if row.Leases > 0 {
				tried = append(tried, id)
			}
		}
	}
	if err := r.addPast(ctx, tried, out, view); err != nil {
		return nil, err
	}
	return out, r.readEnded(ctx, tenant, gone, out, view)
}

func (r jobReader) readEnded(ctx context.Context, tenant int32, ids []job.ID, out map[job.ID]*belfryv1.Job, view belfryv1.JobView) error {
	if len(ids) == 0 {
		return nil
	}
	ended, err := r.jobs.EndedJobs(ctx, ids)
	if err != nil {
		return readFault("read ended jobs", err)
	}
	for id, row := range ended {
		shown, err := r.showEnded(ctx, tenant, &row, view)
		if err != nil {
			return err
		}
		if shown != nil {
			out[id] = shown
		}
	}
	return nil
}

func (r jobReader) showLive(ctx context.Context, tenant int32, row *store.Live, view belfryv1.JobView) (*belfryv1.Job, error) {
	lane, mine, err := r.laneOf(ctx, tenant, row.Lane)
	if !mine {
		return nil, err
	}
	body, err := job.UnmarshalBody(row.Body)
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", row.ID, err)
	}
	shown := liveProto(row, lane, body)
	if view == belfryv1.JobView_JOB_VIEW_FULL {
		err = addContent(shown, body)
	}
	return shown, err
}

func (r jobReader) showEnded(ctx context.Context, tenant int32, row *store.Ended, view belfryv1.JobView) (*belfryv1.Job, error) {
	lane, mine, err := r.laneOf(ctx, tenant, row.Lane)
	if !mine {
		return nil, err
	}
	var body job.Body
	if row.Body != nil {
		if body, err = job.UnmarshalBody(row.Body); err != nil {
			return nil, fmt.Errorf("show %s: %w", row.ID, err)
		}
	}
	shown := endedProto(row, lane, body)
	if view != belfryv1.JobView_JOB_VIEW_FULL {
		return shown, nil
	}
	if err := addContent(shown, body); err != nil {
		return nil, fmt.Errorf("show %s: %w", row.ID, err)
	}
	if err := addEnding(shown, row); err != nil {
		return nil, fmt.Errorf("show the end of %s: %w", row.ID, err)
	}
	return shown, nil
}

// laneOf names a lane, and says whether it is the tenant's.
func (r jobReader) laneOf(ctx context.Context, tenant, number int32) (lane catalog.Lane, mine bool, err error) {
	lane, err = r.names.Lane(ctx, number)
	if errors.Is(err, job.ErrNotFound) {
		return lane, false, nil
	}
	if err != nil {
		return lane, false, fmt.Errorf("name lane %d: %w", number, err)
	}
	return lane, lane.Queue.Tenant == tenant, nil
}

// addPast adds what the ended attempts of live jobs have to say: the latest error, and for the FULL view all of them.
func (r jobReader) addPast(ctx context.Context, ids []job.ID, shown map[job.ID]*belfryv1.Job, view belfryv1.JobView) error {
	if len(ids) == 0 {
		return nil
	}
	faults, err := r.jobs.LastErrors(ctx, ids)
	if err != nil {
		return readFault("read last errors", err)
	}
	for id, text := range faults {
		shown[id].LastError = text
	}
	if view != belfryv1.JobView_JOB_VIEW_FULL {
		return nil
	}
	attempts, err := r.jobs.AttemptsOf(ctx, ids, attemptsEach(len(ids)))
	if err != nil {
		return readFault("read attempts", err)
	}
	for id, list := range attempts {
		shown[id].Attempts = attemptsProto(list)
	}
	return nil
}

// maxAttemptsShown bounds the attempts in one answer, each with up to 8 KiB of error text.
const maxAttemptsShown = 1000

// attemptsEach says how many of them each of n jobs gets.
func attemptsEach(n int) int { return max(1, min(keptAttempts, maxAttemptsShown/n)) }

// readFault tells a database that cannot be asked from a fault of ours.
func readFault(what string, err error) error { return fmt.Errorf("%s: %w", what, store.Fault(err)) }
