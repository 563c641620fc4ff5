package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
)

// ListJobs implements belfryv1connect.JobServiceHandler.
//
// A page is the next ids below the last one of the page before. A job keeps its id when it ends, so whatever happens to it
// between two pages, its id is below exactly one of them: it comes once.
func (s *JobService) ListJobs(ctx context.Context, req *belfryv1.ListJobsRequest) (*belfryv1.ListJobsResponse, error) {
	tenant, err := s.Names.Tenant(ctx, req.GetTenantId())
	if err != nil {
		return nil, err
	}
	filter := listJobsFilter(tenant.UID, req)
	position, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	l := newListing(s, tenant.ID, req)
	if position != nil {
		if len(position) != len(l.below) {
			return nil, job.Invalid("page_token", "is not a token of ListJobs; take next_page_token of the page before as it is")
		}
		copy(l.below[:], position)
	}
	if err := l.choosePartitions(ctx, tenant.Name, req.GetQueue()); err != nil {
		return nil, err
	}
	ids, more, err := l.page(ctx)
	if err != nil {
		return nil, err
	}
	out := &belfryv1.ListJobsResponse{}
	if more {
		out.NextPageToken = encodePageToken(filter, l.below[:])
	}
	out.Jobs, err = l.show(ctx, ids)
	return out, err
}

func listJobsFilter(tenantUID string, req *belfryv1.ListJobsRequest) listFilter {
	parts := []string{tenantUID, req.GetQueue(), req.GetJobType()}
	states := slices.Clone(req.GetStates())
	slices.Sort(states)
	for _, state := range slices.Compact(states) {
		parts = append(parts, strconv.Itoa(int(state)))
	}
	return newListFilter("ListJobs", parts...)
}

// listing is one page of ListJobs on its way.
type listing struct {
	jobs    Jobs
	reader  jobReader
	tenant  int32
	queue   string             // empty: all
	kind    string             // job type; empty: all
	states  map[job.State]bool // empty: all
	parts   []int16
	size    int
	windows []int
	below   job.ID // where the page, and in the end the next one, begins
	lanes   map[int32]bool
}

func newListing(s *JobService, tenant int32, req *belfryv1.ListJobsRequest) *listing {
	l := &listing{jobs: s.Jobs, reader: s.reader, tenant: tenant, queue: req.GetQueue(), kind: req.GetJobType(),
		states: map[job.State]bool{}, size: pageSize(req.GetPageSize()), lanes: map[int32]bool{}}
	l.windows = s.listWindows(l.size)
	for i := range l.below {
		l.below[i] = 0xff
	}
	for state := job.Pending; state <= job.Ready; state++ {
		if slices.Contains(req.GetStates(), stateProto(state)) {
			l.states[state] = true
		}
	}
	return l
}

// choosePartitions finds where the tenant's live jobs can be: nowhere if only final states are asked for.
func (l *listing) choosePartitions(ctx context.Context, tenantName, queue string) error {
	live := len(l.states) == 0
	for state := range l.states {
		live = live || !state.Final()
	}
	switch {
	case !live:
		return nil
	case queue != "":
		l.parts = []int16{job.PartOf(tenantName, queue, l.jobs.Partitions())}
		return nil
	}
	var err error
	if l.parts, err = l.jobs.PartsOfTenant(ctx, l.tenant); err != nil {
		return readFault("list jobs", err)
	}
	return nil
}

// listWindows returns how many rows of each partition, and of history, are looked at for one page before it ends short:
// few while matches are frequent, more when they are rare.
func listWindows(size int) []int { return []int{max(256, size), max(1024, size), 4096} }

// page finds the ids of the page, newest first, and moves below to where the next one begins.
func (l *listing) page(ctx context.Context) (ids []job.ID, more bool, err error) {
	for _, window := range l.windows {
		found, floor, left, err := l.round(ctx, window)
		if err != nil {
			return nil, false, err
		}
		for _, id := range found {
			if len(ids) == l.size {
				return ids, true, nil
			}
			ids = append(ids, id)
			l.below = id
		}
		if !left {
			return ids, false, nil
		}
		if l.below = floor; len(ids) == l.size {
			return ids, true, nil
		}
	}
	return ids, true, nil
}

// round looks at one window of everything below the listing's position. All ids from floor upwards have been looked at in
// every partition; what was found below it is left for the next round. left says whether there may be more.
func (l *listing) round(ctx context.Context, window int) (found []job.ID, floor job.ID, left bool, err error) {
	// Live rows first: what ends between the two reads is seen twice, and never missed.
	live, err := l.jobs.ListLive(ctx, l.tenant, l.parts, l.below, window)
	if err != nil {
		return nil, floor, false, readFault("list live jobs", err)
	}
	ended, err := l.endedWindow(ctx, window)
	if err != nil {
		return nil, floor, false, err
	}
	seen := map[job.ID]bool{}
	for _, w := range append(live, ended) {
		if w.Full && (!left || bytes.Compare(w.Floor[:], floor[:]) > 0) {
			left, floor = true, w.Floor
		}
		for _, listed := range w.Jobs {
			match, err := l.matches(ctx, listed)
			if err != nil {
				return nil, floor, false, err
			}
			if match && !seen[listed.ID] {
				seen[listed.ID] = true
				found = append(found, listed.ID)
			}
		}
	}
	found = slices.DeleteFunc(found, func(id job.ID) bool { return bytes.Compare(id[:], floor[:]) < 0 })
	slices.SortFunc(found, func(a, b job.ID) int { return bytes.Compare(b[:], a[:]) })
	return found, floor, left, nil
}

// endedWindow reads a window of history, unless only states of live jobs are asked for.
func (l *listing) endedWindow(ctx context.Context, window int) (store.LiveWindow, error) {
	var w store.LiveWindow
	wanted := len(l.states) == 0
	for state := range l.states {
		wanted = wanted || state.Final()
	}
	if !wanted {
		return w, nil
	}
	rows, err := l.jobs.ListEnded(ctx, l.tenant, l.below, window)
	if err != nil {
		return w, readFault("list ended jobs", err)
	}
	w.Jobs, w.Full = rows, len(rows) >= window
	if w.Full {
		w.Floor = rows[len(rows)-1].ID
	}
	return w, nil
}

func (l *listing) matches(ctx context.Context, listed store.Listed) (bool, error) {
	if len(l.states) > 0 && !l.states[listed.State] {
		return false, nil
	}
	if l.queue == "" && l.kind == "" {
		return true, nil
	}
	match, known := l.lanes[listed.Lane]
	if known {
		return match, nil
	}
	lane, err := l.reader.names.Lane(ctx, listed.Lane)
	if err != nil && !errors.Is(err, job.ErrNotFound) {
		return false, fmt.Errorf("name lane %d: %w", listed.Lane, err)
	}
	match = err == nil && (l.queue == "" || lane.Queue.Name == l.queue) && (l.kind == "" || lane.Type == l.kind)
	l.lanes[listed.Lane] = match
	return match, nil
}

// showAtOnce is how many rows with their payloads are held at a time.
const showAtOnce = 64

// show reads the jobs of the page. One that has left the states asked for since it was listed is left out.
func (l *listing) show(ctx context.Context, ids []job.ID) ([]*belfryv1.Job, error) {
	var out []*belfryv1.Job
	for chunk := range slices.Chunk(ids, showAtOnce) {
		shown, err := l.reader.read(ctx, l.tenant, chunk, belfryv1.JobView_JOB_VIEW_BASIC)
		if err != nil {
			return nil, err
		}
		for _, id := range chunk {
			if found := shown[id]; found != nil && l.inState(found.GetState()) {
				out = append(out, found)
			}
		}
	}
	return out, nil
}

func (l *listing) inState(state belfryv1.JobState) bool {
	if len(l.states) == 0 {
		return true
	}
	for wanted := range l.states {
		if stateProto(wanted) == state {
			return true
		}
	}
	return false
}
