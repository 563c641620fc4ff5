package e2e_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// Cases P-PAG-01 and P-PAG-02: each job that was there at the first page comes once, newest first, whatever is created
// and finished meanwhile.
func TestListJobs_IsStableOverItsPages(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	batch := make([]belfry.NewJob, 23)
	for i := range batch {
		batch[i] = belfry.NewJob{Queue: "q", Type: fmt.Sprintf("t%d", i%2)}
	}
	made, err := x.CreateBatch(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	// Some live, some finished.
	for _, lease := range (pull{max: 7}).from(t, x.Client) {
		complete(t, x.Client, lease.GetLeaseToken())
	}
	var ids []string
	request := &v1.ListJobsRequest{PageSize: 5}
	for page := 0; page == 0 || request.GetPageToken() != ""; page++ {
		if page > 20 {
			t.Fatal("the pages do not end")
		}
		response, err := x.Jobs().ListJobs(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if len(response.GetJobs()) > 5 {
			t.Errorf("a page of %d", len(response.GetJobs()))
		}
		for _, job := range response.GetJobs() {
			ids = append(ids, job.GetJobId())
			if job.GetPayload() != nil || job.GetAttempts() != nil {
				t.Errorf("a list with payloads or attempts: %v", job)
			}
		}
		request.PageToken = response.GetNextPageToken()
		if page < 4 {
			create(t, x.Client, belfry.NewJob{Queue: "q"})
			for _, lease := range (pull{max: 1, wait: time.Millisecond}).from(t, x.Client) {
				complete(t, x.Client, lease.GetLeaseToken())
			}
		}
	}
	if sorted := slices.Clone(ids); !slices.IsSortedFunc(ids, func(a, b string) int { return -cmpText(a, b) }) {
		t.Errorf("not newest first: %v", sorted)
	}
	for _, job := range made {
		if n := len(ids) - len(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == job.JobID })); n != 1 {
			t.Errorf("%s comes %d times", job.JobID, n)
		}
	}
}

func cmpText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestListJobs_Filters(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	done := create(t, x.Client, belfry.NewJob{Queue: "a", Type: "one"})
	complete(t, x.Client, pull{queue: "a"}.one(t, x.Client).GetLeaseToken())
	ready := create(t, x.Client, belfry.NewJob{Queue: "a", Type: "two"})
	later := create(t, x.Client, belfry.NewJob{Queue: "b", Type: "one", Delay: time.Hour})
	running := create(t, x.Client, belfry.NewJob{Queue: "c", Type: "one"})
	pull{queue: "c"}.one(t, x.Client)
	tests := []struct {
		name   string
		filter belfry.JobFilter
		want   []string
	}{
		{"all", belfry.JobFilter{}, []string{running.ID, later.ID, ready.ID, done.ID}},
		{"queue", belfry.JobFilter{Queue: "a"}, []string{ready.ID, done.ID}},
		{"type", belfry.JobFilter{Type: "one"}, []string{running.ID, later.ID, done.ID}},
		{"queue and type", belfry.JobFilter{Queue: "a", Type: "one"}, []string{done.ID}},
		{"ready", belfry.JobFilter{States: []belfry.JobState{belfry.StateReady}}, []string{ready.ID}},
		{"pending", belfry.JobFilter{States: []belfry.JobState{belfry.StatePending}}, []string{later.ID}},
		{"running or succeeded", belfry.JobFilter{States: []belfry.JobState{belfry.StateRunning, belfry.StateSucceeded}}, []string{running.ID, done.ID}},
		{"dead", belfry.JobFilter{States: []belfry.JobState{belfry.StateDead}}, nil},
		{"no such queue", belfry.JobFilter{Queue: "none"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for job, err := range x.List(t.Context(), test.filter) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, job.ID)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestGetJob_TellsTheWholeStory(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	// Case P-DB-06: times are kept in microseconds, and read back equal.
	due := time.Now().Add(-time.Minute).Truncate(time.Second).Add(123456789 * time.Nanosecond)
	made := create(t, x.Client, belfry.NewJob{Queue: "q", DueTime: due, Payload: "p"})
	if read := get(t, x.Client, made.ID); !read.ScheduledTime.Equal(made.ScheduledTime) || !read.DueTime.Equal(made.DueTime) || !read.CreateTime.Equal(made.CreateTime) {
		t.Errorf("read %v, %v, %v; created %v, %v, %v", read.ScheduledTime, read.DueTime, read.CreateTime, made.ScheduledTime, made.DueTime, made.CreateTime)
	}
	if off := made.ScheduledTime.Sub(due).Abs(); off >= time.Microsecond {
		t.Errorf("scheduled_time %v, asked for %v", made.ScheduledTime, due)
	}
	if made.DueTime.Before(due) {
		t.Errorf("due %v, before the time asked for", made.DueTime)
	}
	if made.Retry.MaxAttempts != 5 || made.Retry.InitialBackoff != 10*time.Second || made.Retry.MaxBackoff != time.Hour || made.Retry.Multiplier != 2 ||
		made.Retry.Jitter == nil || *made.Retry.Jitter != .2 || made.AttemptTimeout != time.Hour || made.MaxReleases != 100 ||
		made.MaxAge != 30*24*time.Hour || made.Priority != 5 || made.Type != "default" {
		t.Errorf("defaults: %+v", made)
	}
}
