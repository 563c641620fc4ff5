package e2e_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// count returns how many jobs the tenant has.
func count(t *testing.T, x harness.Tenant) int {
	t.Helper()
	n := 0
	for _, err := range x.List(t.Context(), belfry.JobFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// The answer is lost after the commit, by a proxy that drops it; the client repeats the call by itself.
func TestCreate_WhoseAnswerIsLost_MakesOneJob(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	calls := map[string]func(*belfry.Client) (existing bool, err error){
		"single": func(c *belfry.Client) (bool, error) {
			job, err := c.Create(t.Context(), belfry.NewJob{Queue: "q", Payload: 1})
			return job.Existing, err
		},
		"batch": func(c *belfry.Client) (bool, error) {
			made, err := c.CreateBatch(t.Context(), []belfry.NewJob{{Queue: "q", Payload: 1}})
			return err == nil && made[0].Existing, err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := world.NewTenant(t)
			gate := harness.NewGate(t, world.Node.Addr)
			client := x.Through(t, gate.Address())
			gate.Mute(nil)
			done := make(chan error, 1)
			var existing bool
			go func() {
				var err error
				existing, err = call(client)
				done <- err
			}()
			harness.Within(t, soon, "an answer is dropped", func() bool { return gate.Dropped() > 0 })
			gate.Unmute()
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			if !existing {
				t.Error("the repeated call does not say that the job exists")
			}
			if n := count(t, x); n != 1 {
				t.Errorf("%d jobs, want 1", n)
			}
		})
	}
}

func TestCreate_WithOneRequestID_AtTheSameTime_MakesOneJob(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	var callers sync.WaitGroup
	ids := make([]string, 20)
	fresh := make([]bool, 20)
	for i := range ids {
		callers.Go(func() {
			job, err := x.Create(t.Context(), belfry.NewJob{Queue: "q", RequestID: "one"})
			if err != nil {
				t.Errorf("create: %v", err)
			}
			ids[i], fresh[i] = job.ID, !job.Existing
		})
	}
	callers.Wait()
	made := 0
	for i, id := range ids {
		if id != ids[0] {
			t.Errorf("two jobs: %s and %s", id, ids[0])
		}
		if fresh[i] {
			made++
		}
	}
	if made != 1 || count(t, x) != 1 {
		t.Errorf("%d calls say they made the job, %d jobs exist", made, count(t, x))
	}
}

func TestCreate_WithAUsedRequestID(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x, other := world.NewTenant(t), world.NewTenant(t)
	job := belfry.NewJob{Queue: "q", Payload: map[string]int{"n": 1}, RequestID: "r"}
	first := create(t, x.Client, job)
	t.Run("same body, after the job has ended", func(t *testing.T) {
		complete(t, x.Client, pull{queue: "q"}.one(t, x.Client).GetLeaseToken())
		if again := create(t, x.Client, job); again.ID != first.ID || !again.Existing || again.State != belfry.StateSucceeded {
			t.Errorf("%+v, want the job of the first call", again)
		}
	})
	t.Run("other body", func(t *testing.T) { // case P-IDE-02
		changed := job
		changed.Payload = map[string]int{"n": 2}
		_, err := x.Create(t.Context(), changed)
		if belfry.CodeOf(err) != belfry.CodeAlreadyExists || belfry.ReasonOf(err) != belfry.ReasonRequestIDReused {
			t.Errorf("create: %v", err)
		}
	})
	t.Run("of another tenant", func(t *testing.T) {
		if made := create(t, other.Client, job); made.ID == first.ID || made.Existing {
			t.Errorf("tenants share request ids: %+v", made)
		}
	})
	t.Run("within a batch", func(t *testing.T) {
		made, err := x.CreateBatch(t.Context(), []belfry.NewJob{{Queue: "q"}, job})
		if err != nil || made[0].Existing || !made[1].Existing || made[1].JobID != first.ID {
			t.Errorf("%+v, %v", made, err)
		}
	})
	t.Run("when the job may not start any more", func(t *testing.T) {
		late := belfry.NewJob{Queue: "late", StartBy: time.Now().Add(time.Second), RequestID: "late"}
		made := create(t, x.Client, late)
		_ = harness.Pass(t.Context(), 1200*time.Millisecond)
		if again := create(t, x.Client, late); again.ID != made.ID || !again.Existing {
			t.Errorf("%+v, want the job of the first call", again)
		}
	})
	if n := count(t, x); n != 3 {
		t.Errorf("%d jobs, want 3", n)
	}
}

func TestCreate_TakesTheHeaderIdempotencyKey(t *testing.T) {
	t.Parallel()
	x := harness.Shared(t).NewTenant(t)
	call := x.Post("JobService/CreateJob", map[string]any{"job": map[string]any{"queue": "q"}})
	call.Header = http.Header{"Idempotency-Key": {"from-curl"}}
	first, second := call.OK(t), call.OK(t)
	if first["existing"] == true || second["existing"] != true || jobID(first) != jobID(second) {
		t.Errorf("first %v, second %v", first, second)
	}
	call.Body = map[string]any{"job": map[string]any{"queue": "q"}, "requestId": "another"}
	if refused := call.Refused(t); refused.Code != "invalid_argument" {
		t.Errorf("a header and a field that disagree: %+v", refused)
	}
	call.Body = map[string]any{"job": map[string]any{"queue": "q"}, "requestId": "from-curl"}
	if again := call.OK(t); again["existing"] != true {
		t.Errorf("a header and a field that agree: %v", again)
	}
}

// jobID returns job.jobId of an answer.
func jobID(answer map[string]any) string {
	job, _ := answer["job"].(map[string]any)
	id, _ := job["jobId"].(string)
	return id
}
