package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// patience bounds every wait of a test; only failing ones reach it.
const patience = 30 * time.Second

// execServer is a fakeServer that hands out one job and waits for its end.
type execServer struct {
	*fakeServer
	*leaser
}

// leaser is the part of the server that workers call.
type leaser struct {
	job    chan *v1.LeasedJob
	ended  chan proto.Message // the item of the call that ended the attempt
	mu     sync.Mutex
	cancel bool // guarded by mu: heartbeats carry a cancel request
}

func newExecServer(t *testing.T, job *v1.Job) execServer {
	t.Helper()
	s := newFakeServer(t)
	s.leaser.job <- &v1.LeasedJob{Job: job, LeaseToken: "token", Attempt: 2, FencingToken: 9, LeaseRemaining: durationpb.New(5 * time.Second),
		AttemptRemaining: durationpb.New(time.Hour)}
	return execServer{s, s.leaser}
}

func newLeaser() *leaser {
	return &leaser{job: make(chan *v1.LeasedJob, 1), ended: make(chan proto.Message, 10)}
}

func (l *leaser) lease(ctx context.Context, r *v1.LeaseJobsRequest) (*v1.LeaseJobsResponse, error) {
	select {
	case job := <-l.job:
		return &v1.LeaseJobsResponse{Jobs: []*v1.LeasedJob{job}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(r.GetWait().AsDuration()):
		return &v1.LeaseJobsResponse{}, nil
	}
}

func (l *leaser) beat(r *v1.HeartbeatRequest) *v1.HeartbeatResponse {
	l.mu.Lock()
	defer l.mu.Unlock()
	answer := new(v1.HeartbeatResponse)
	for range r.GetItems() {
		answer.Results = append(answer.Results, &v1.HeartbeatResult{LeaseRemaining: durationpb.New(5 * time.Second), CancelRequested: l.cancel})
	}
	return answer
}

func (l *leaser) end(item proto.Message) []*v1.FinishResult {
	l.ended <- item
	return []*v1.FinishResult{{}}
}

func (s *fakeServer) LeaseJobs(ctx context.Context, r *v1.LeaseJobsRequest) (*v1.LeaseJobsResponse, error) {
	return s.leaser.lease(ctx, r)
}

func (s *fakeServer) Heartbeat(_ context.Context, r *v1.HeartbeatRequest) (*v1.HeartbeatResponse, error) {
	return s.leaser.beat(r), nil
}

func (s *fakeServer) CompleteJobs(_ context.Context, r *v1.CompleteJobsRequest) (*v1.CompleteJobsResponse, error) {
	return &v1.CompleteJobsResponse{Results: s.leaser.end(r.GetItems()[0])}, nil
}

func (s *fakeServer) FailJobs(_ context.Context, r *v1.FailJobsRequest) (*v1.FailJobsResponse, error) {
	return &v1.FailJobsResponse{Results: s.leaser.end(r.GetItems()[0])}, nil
}

func (s *fakeServer) ReleaseJobs(_ context.Context, r *v1.ReleaseJobsRequest) (*v1.ReleaseJobsResponse, error) {
	return &v1.ReleaseJobsResponse{Results: s.leaser.end(r.GetItems()[0])}, nil
}

// runningExec is a `worker exec` in progress.
type runningExec struct {
	stop   context.CancelFunc
	force  chan struct{}
	code   chan int
	out    *bytes.Buffer // read after the end
	errors *bytes.Buffer
}

// exec starts `worker exec` in this process.
func (s execServer) exec(t *testing.T, args ...string) *runningExec {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &runningExec{stop: stop, force: make(chan struct{}), code: make(chan int, 1), out: new(bytes.Buffer), errors: new(bytes.Buffer)}
	p := &Program{In: strings.NewReader(""), Out: r.out, Err: r.errors, Clock: clock.Real(), Forced: r.force}
	args = append([]string{"worker", "exec", "--queue", "mail", "--address", s.address, "--api-key", "k"}, args...)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.code <- p.Run(ctx, args)
	}()
	t.Cleanup(func() { stop(); <-done })
	return r
}

// await returns the item that ended the attempt.
func (s execServer) await(t *testing.T) proto.Message {
	t.Helper()
	return receive(t, s.ended, "the end of the attempt")
}

func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(patience):
		t.Fatalf("%s has not come within %v", what, patience)
		panic("unreachable")
	}
}

func mailJob() *v1.Job {
	return &v1.Job{TenantId: "acme", JobId: "job_1", Queue: "mail", JobType: "welcome", DueTime: noon, ScheduledTime: noon,
		Headers: map[string]string{"Trace-Id": "a b", "x.y": "1"},
		Payload: &v1.Payload{Data: &v1.Payload_Text{Text: "hi there"}, ContentType: "text/x"}}
}

func TestExec_GivesPayloadAndFacts_AndTakesTheOutput(t *testing.T) {
	t.Parallel()
	server := newExecServer(t, mailJob())
	worker := server.exec(t, "--", "sh", "-c", `cat; echo; env | grep ^BELFRY_ | grep -v -e _KEY= -e _ADDRESS= -e ^BELFRY_TEST_ -e ^BELFRY_NIGHTLY= | sort; echo seen >&2`)
	item, ok := server.await(t).(*v1.CompleteItem)
	if !ok {
		t.Fatalf("ended by %T, want completion", item)
	}
	want := `hi there
BELFRY_ATTEMPT=2
BELFRY_CONTENT_TYPE=text/x
BELFRY_DUE_TIME=2026-03-01T12:00:00Z
BELFRY_FENCING_TOKEN=9
BELFRY_HEADER_TRACE_ID=a b
BELFRY_HEADER_X_Y=1
BELFRY_JOB_ID=job_1
BELFRY_JOB_TYPE=welcome
BELFRY_QUEUE=mail
BELFRY_SCHEDULED_TIME=2026-03-01T12:00:00Z
BELFRY_TENANT_ID=acme
`
	if got := item.GetResult().GetText(); got != want {
		t.Errorf("result\n%s\nwant\n%s", got, want)
	}
	worker.stop()
	if code := receive(t, worker.code, "the end of the worker"); code != exitOK {
		t.Errorf("exit code %d: %s", code, worker.errors)
	}
	if worker.out.String() != want || !strings.Contains(worker.errors.String(), "seen\n") {
		t.Errorf("shown: %q, %q", worker.out, worker.errors)
	}
}

func TestExec_CodeDecides(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script string
		flags        []string
		want         func(item proto.Message) bool
	}{
		{"0, no output", `cat >/dev/null`, nil, func(m proto.Message) bool {
			item, ok := m.(*v1.CompleteItem)
			return ok && item.GetResult() == nil
		}},
		{"0, bytes", `printf '\377'`, nil, func(m proto.Message) bool {
			item, ok := m.(*v1.CompleteItem)
			return ok && string(item.GetResult().GetBytes()) == "\xff"
		}},
		{"0, long output", `head -c 300000 /dev/zero | tr '\0' a; printf 'é%065535d' 7`, []string{"--quiet"}, func(m proto.Message) bool {
			item, ok := m.(*v1.CompleteItem)
			text := item.GetResult().GetText()
			return ok && len(text) == 65535 && strings.HasSuffix(text, "07")
		}},
		{"3", `echo bad news >&2; exit 3`, nil, func(m proto.Message) bool {
			item, ok := m.(*v1.FailItem)
			return ok && item.GetError() == "exit code 3: bad news" && !item.GetPermanent()
		}},
		{"1, much on stderr", `head -c 100000 /dev/zero | tr '\0' x >&2; echo the end >&2; exit 1`, []string{"--quiet"}, func(m proto.Message) bool {
			item, ok := m.(*v1.FailItem)
			return ok && strings.HasPrefix(item.GetError(), "exit code 1: xxx") && strings.HasSuffix(item.GetError(), "the end") && len(item.GetError()) <= 8<<10
		}},
		{"signal", `kill -9 $$`, nil, func(m proto.Message) bool {
			item, ok := m.(*v1.FailItem)
			return ok && item.GetError() == "exit code 137"
		}},
		{"75", `exit 75`, []string{"--snooze", "7s"}, func(m proto.Message) bool {
			item, ok := m.(*v1.ReleaseItem)
			return ok && item.GetDelay().AsDuration() == 7*time.Second
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := newExecServer(t, mailJob())
			server.exec(t, append(slices.Clone(test.flags), "--", "sh", "-c", test.script)...)
			if item := server.await(t); !test.want(item) {
				t.Errorf("ended by %T {%.200v}", item, item)
			}
		})
	}
}

// A child of the command that keeps its output open does not keep the job.
func TestExec_OfCommandWithBackgroundChild_Ends(t *testing.T) {
	t.Parallel()
	server := newExecServer(t, mailJob())
	server.exec(t, "--", "sh", "-c", `sleep 600 & echo $!`)
	item, ok := server.await(t).(*v1.CompleteItem)
	if !ok {
		t.Fatal("not completed")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(item.GetResult().GetText()))
	noError(t, err)
	noError(t, exec.Command("kill", strconv.Itoa(pid)).Run())
}

// trapped is a script that says when it runs, and ends itself with code 0 when asked to.
func trapped(dir string) string {
	return fmt.Sprintf(`trap 'echo asked >%[1]s/asked; exit 0' TERM; echo $$ >%[1]s/pid; while :; do sleep 0.05; done`, dir)
}

func TestExec_OfCancelledJob_EndsTheCommand(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), newExecServer(t, mailJob())
	server.cancel = true
	server.exec(t, "--lease", "5s", "--", "sh", "-c", trapped(dir))
	item, ok := server.await(t).(*v1.FailItem)
	if !ok || !strings.Contains(item.GetError(), "cancel requested") {
		t.Errorf("ended by {%v}, want a failure that says why: exit code 0 after SIGTERM completes nothing", item)
	}
	awaitFile(t, filepath.Join(dir, "asked"))
}

func TestExec_AtTheEndOfItsGrace_GivesTheJobBack(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), newExecServer(t, mailJob())
	worker := server.exec(t, "--grace", "1s", "--kill-after", "100ms", "--", "sh", "-c", trapped(dir))
	awaitFile(t, filepath.Join(dir, "pid"))
	worker.stop()
	if item, ok := server.await(t).(*v1.ReleaseItem); !ok {
		t.Errorf("ended by {%v}, want release", item)
	}
	awaitFile(t, filepath.Join(dir, "asked"))
	if code := receive(t, worker.code, "the end of the worker"); code != exitOK {
		t.Errorf("exit code %d: %s", code, worker.errors)
	}
}

func TestExec_WhenToldToEnd_LetsTheCommandFinish(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), newExecServer(t, mailJob())
	worker := server.exec(t, "--", "sh", "-c", fmt.Sprintf(`echo >%[1]s/pid; while ! test -e %[1]s/go; do sleep 0.02; done; echo done`, dir))
	awaitFile(t, filepath.Join(dir, "pid"))
	worker.stop()
	noError(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o600))
	if item, ok := server.await(t).(*v1.CompleteItem); !ok || item.GetResult().GetText() != "done\n" {
		t.Errorf("ended by {%v}, want completion", item)
	}
}

func TestExec_Forced_KillsEvenWhatIgnoresSIGTERM(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), newExecServer(t, mailJob())
	worker := server.exec(t, "--", "sh", "-c", fmt.Sprintf(`trap '' TERM; echo $$ >%s/pid; sleep 600 & wait; sleep 600`, dir))
	pid := awaitPID(t, filepath.Join(dir, "pid"))
	worker.stop()
	close(worker.force)
	if item, ok := server.await(t).(*v1.ReleaseItem); !ok {
		t.Errorf("ended by {%v}, want release: the attempt is not the job's fault", item)
	}
	receive(t, worker.code, "the end of the worker")
	if proc.Alive(pid) {
		t.Errorf("the command outlives its worker")
	}
}

// The kernel ends the command of a worker that cannot do it any more.
func TestExec_Killed_LeavesNoCommand(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), newExecServer(t, mailJob())
	belfry, err := exec.LookPath("belfry") // put there by TestMain
	noError(t, err)
	worker := exec.Command(belfry, "worker", "exec", "-q", "mail", "--address", server.address, "--api-key", "k",
		"--", "sh", "-c", "echo $$ >"+filepath.Join(dir, "pid")+"; exec sleep 600")
	noError(t, worker.Start())
	pid := awaitPID(t, filepath.Join(dir, "pid"))
	noError(t, worker.Process.Kill())
	_ = worker.Wait() // killed
	await(t, func() bool { return !proc.Alive(pid) }, "the end of the command")
}

func awaitPID(t *testing.T, name string) int {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(awaitFile(t, name)))
	noError(t, err)
	return pid
}

// awaitFile waits for a line in a file.
func awaitFile(t *testing.T, name string) string {
	t.Helper()
	var text []byte
	await(t, func() bool {
		text, _ = os.ReadFile(name) // not there yet
		return bytes.HasSuffix(text, []byte("\n"))
	}, name)
	return string(text)
}

// await polls for a condition.
func await(t *testing.T, condition func() bool, what string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for !condition() {
		if clock.Sleep(ctx, clock.Real(), 5*time.Millisecond) != nil {
			t.Fatalf("%s has not come within %v", what, patience)
		}
	}
}
