package dispatch

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/cluster"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/ready"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// rig is a dispatcher on a database whose clock, like the dispatcher's own, is moved by hand.
type rig struct {
	*Dispatcher
	t      testing.TB
	db     *storetest.DB
	manual *clock.Manual
	grants map[int16]cluster.Grant
	lanes  map[int32]catalog.Lane
	due    map[job.ID]wheel.Entry // hints, filed into the hub by due
}

func newRig(t *testing.T) *rig {
	t.Helper()
	db := storetest.New(t)
	r := &rig{t: t, db: db, manual: clock.NewManual(start), grants: map[int16]cluster.Grant{}, due: map[job.ID]wheel.Entry{}}
	queue := &catalog.Queue{ID: 1, Tenant: 1, Part: 1, Name: "q", TenantName: "t"}
	r.lanes = map[int32]catalog.Lane{1: {Number: 1, Type: "default", Queue: queue}}
	grants, err := db.Store.TakePartitions(context.Background(), "node", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range grants {
		r.grants[g.Part] = cluster.Grant{Part: g.Part, Epoch: g.Epoch, Config: g.Config}
	}
	hub := ready.NewHub(ready.Options{})
	hub.SetLane(ready.Lane{ID: 1, Tenant: 1, Queue: 1, Type: "default"})
	r.Dispatcher = New(Config{Store: db.Store, Catalog: r, Hub: hub, Owner: r, Hints: r, Clock: r.manual,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Metrics: noMetrics{}})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = r.hot.Run(ctx) }()
	bulk := make(chan struct{})
	go func() { defer close(bulk); _ = r.bulk.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done; <-bulk; r.manual.Advance(time.Minute); r.background.Wait() })
	return r
}

func (r *rig) Lane(_ context.Context, n int32) (catalog.Lane, error) {
	if l, ok := r.lanes[n]; ok {
		return l, nil
	}
	return catalog.Lane{}, job.NotFound(job.SubjectQueue, "", "")
}

func (r *rig) Owned(part int16) (cluster.Grant, bool) { g, ok := r.grants[part]; return g, ok }
func (r *rig) Poke()                                  {}

// Offer keeps hints until fileDue.
func (r *rig) Offer(entries []wheel.Entry) {
	for _, e := range entries {
		r.due[e.ID] = e
	}
}

// fileDue moves hinted rows that are due by the database's clock into the hub.
func (r *rig) fileDue() {
	now, err := r.db.Store.Now(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	for id, e := range r.due {
		if e.DueAt <= now.UnixMicro() {
			r.hub.Put(id.Part(), []wheel.Entry{e})
			delete(r.due, id)
		}
	}
}

// pass moves both clocks, and rescues what has expired.
func (r *rig) pass(d time.Duration) {
	r.db.Advance(d)
	r.manual.Advance(d)
	r.rescueRound(context.Background())
	r.fileDue()
}

func (r *rig) make(retry job.RetryPolicy) job.ID {
	c := &store.Create{ID: job.NewID(time.Now(), 1), Lane: 1, Priority: 5, Age: 1000 * time.Hour,
		Body: job.Body{Retry: retry, MaxReleases: 3}.Marshal()}
	if err := r.Create(context.Background(), []*store.Create{c}); err != nil {
		r.t.Fatal(err)
	}
	r.fileDue()
	return c.ID
}

// lease takes up to n jobs; the manual clock never ends the wait, so at least one must be ready.
func (r *rig) lease(n int, ttl time.Duration) []Leased {
	r.t.Helper()
	got, err := r.Lease(context.Background(), LeaseCall{Tenants: []int32{1}, Max: n, MaxBytes: 1 << 20, Wait: time.Hour, Lease: ttl, Worker: "w"})
	if err != nil {
		r.t.Fatal(err)
	}
	return got
}

type noMetrics struct{}

func (noMetrics) Claimed(int, int, []time.Duration) {}
func (noMetrics) Finished(string)                   {}
func (noMetrics) Rescued(int)                       {}
func (noMetrics) Batch(int, time.Duration)          {}

func (r *rig) complete(tok job.Token) Result {
	return r.Complete(context.Background(), []Completion{{Token: tok}})[0]
}

func (r *rig) fail(tok job.Token, outcome job.Outcome) Result {
	return r.Fail(context.Background(), []Failure{{Token: tok, Outcome: outcome, Error: "no"}})[0]
}

func wantKind(t *testing.T, err error, kind job.Kind) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("got %v, want %v", err, kind)
	}
}

var quick = job.RetryPolicy{InitialBackoff: time.Second, MaxBackoff: time.Second, JitterSet: true, MaxAttempts: 3}

// Case P-LEA-01: the stale worker changes nothing, the new owner succeeds, both attempts are on record.
func TestFail_AfterRescue_IsLeaseLost(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.make(quick)
	a := r.lease(1, 30*time.Second)[0].Row.Token()
	r.pass(31 * time.Second)
	r.pass(2 * time.Second)
	b := r.lease(1, 30*time.Second)[0]
	if b.Row.Version <= a.Version || b.Row.Attempt != 2 || b.Row.LostLeases != 1 {
		t.Fatalf("second lease: %+v", b.Row)
	}
	wantKind(t, r.fail(a, job.OutcomeFailed).Err, job.ErrLeaseLost)
	wantKind(t, r.complete(a).Err, job.ErrLeaseLost)
	if res := r.complete(b.Row.Token()); res.Err != nil || res.State != job.Succeeded {
		t.Fatalf("new owner: %+v", res)
	}
	ended, err := r.store.EndedJobs(context.Background(), []job.ID{id})
	if err != nil || len(ended[id].Attempts) != 1 || ended[id].Attempts[0].Outcome != job.OutcomeTimedOut {
		t.Fatalf("history: %+v, %v", ended[id], err)
	}
}

// Case P-SDK-06, and repeats of every other final call.
func TestFinalCalls_Repeated_AreOKAndChangeNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.make(quick)
	tok := r.lease(1, time.Minute)[0].Row.Token()
	first := r.fail(tok, job.OutcomeFailed)
	second := r.fail(tok, job.OutcomeFailed)
	if first.Err != nil || second.Err != nil || !first.Due.Equal(second.Due) || second.State != job.Pending {
		t.Fatalf("fail twice: %+v, %+v", first, second)
	}
	wantKind(t, r.complete(tok).Err, job.ErrLeaseLost)
	r.pass(2 * time.Second)
	released := r.lease(1, time.Minute)[0].Row.Token()
	if x, y := r.fail(released, job.OutcomeReleased), r.fail(released, job.OutcomeReleased); x.Err != nil || y.Err != nil {
		t.Fatalf("release twice: %+v, %+v", x, y)
	}
	r.pass(2 * time.Second)
	last := r.lease(1, time.Minute)[0].Row.Token()
	if x, y := r.complete(last), r.complete(last); x.Err != nil || y.Err != nil || y.State != job.Succeeded {
		t.Fatalf("complete twice: %+v, %+v", x, y)
	}
	if again := r.fail(tok, job.OutcomeFailed); again.Err != nil {
		t.Fatalf("an old failure repeated after the end: %+v", again)
	}
	wantKind(t, r.fail(last, job.OutcomeFailed).Err, job.ErrLeaseLost)
}

// Case P-LEA-06: an expired lease is an attempt.
func TestRescue_MaxAttemptsOne_Kills(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	once := quick
	once.MaxAttempts = 1
	id := r.make(once)
	r.lease(1, 30*time.Second)
	r.pass(31 * time.Second)
	ended, err := r.store.EndedJobs(context.Background(), []job.ID{id})
	if e := ended[id]; err != nil || e.State != job.Dead || e.Reason != job.ReasonMaxAttempts || e.Outcome != job.OutcomeTimedOut {
		t.Fatalf("%+v, %v", e, err)
	}
}

func TestComplete_AfterExpiryBeforeRescue_CountsOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.make(quick)
	tok := r.lease(1, 30*time.Second)[0].Row.Token()
	r.db.Advance(40 * time.Second) // over, but nobody has looked
	if res := r.complete(tok); res.Err != nil {
		t.Fatalf("%+v", res)
	}
	r.pass(time.Minute)
	ended, err := r.store.EndedJobs(context.Background(), []job.ID{id})
	if e := ended[id]; err != nil || e.State != job.Succeeded || e.Attempt != 1 || e.LostLeases != 0 {
		t.Fatalf("%+v, %v", e, err)
	}
}

func TestCancel_Running_EndsAtTheNextFinalCallOrAfterTheGrace(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx := context.Background()
	honoured, ignored := r.make(quick), r.make(quick)
	toks := map[job.ID]job.Token{}
	for _, l := range r.lease(2, time.Minute) {
		toks[l.Row.ID] = l.Row.Token()
	}
	for _, id := range []job.ID{honoured, ignored} {
		if err := r.Cancel(ctx, 1, id, "changed my mind"); err != nil {
			t.Fatal(err)
		}
	}
	beat := &store.Beat{Token: toks[honoured]}
	if errs := r.Heartbeat(ctx, []*store.Beat{beat}); errs[0] != nil || !beat.CancelAsked || beat.CancelReason != "changed my mind" {
		t.Fatalf("%+v, %v", beat, errs)
	}
	if res := r.fail(toks[honoured], job.OutcomeFailed); res.Err != nil || res.State != job.Cancelled {
		t.Fatalf("%+v", res)
	}
	for range 3 { // a worker that beats but does not stop
		r.pass(10 * time.Second)
		_ = r.Heartbeat(ctx, []*store.Beat{{Token: toks[ignored]}})
	}
	r.pass(time.Second)
	wantKind(t, r.complete(toks[ignored]).Err, job.ErrLeaseLost)
	ended, err := r.store.EndedJobs(ctx, []job.ID{honoured, ignored})
	if err != nil || ended[honoured].State != job.Cancelled || ended[ignored].State != job.Cancelled {
		t.Fatalf("%+v, %v", ended, err)
	}
}

func TestCancel_OfAnotherTenant_IsNotFound(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.make(quick)
	foreign := r.Cancel(context.Background(), 2, id, "")
	wantKind(t, foreign, job.ErrNotFound)
	random := job.NewID(time.Now(), 1)
	if got, want := foreign.Error(), r.Cancel(context.Background(), 2, random, "").Error(); len(got) != len(want) {
		t.Fatalf("%q and %q differ", got, want)
	}
}

func TestAttemptTimeout_EndsTheAttemptWhateverTheHeartbeats(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := &store.Create{ID: job.NewID(time.Now(), 1), Lane: 1, Age: time.Hour, Timeout: 25 * time.Second, Body: job.Body{Retry: quick}.Marshal()}
	if err := r.Create(context.Background(), []*store.Create{c}); err != nil {
		t.Fatal(err)
	}
	r.fileDue()
	tok := r.lease(1, 20*time.Second)[0].Row.Token()
	r.pass(15 * time.Second)
	if errs := r.Heartbeat(context.Background(), []*store.Beat{{Token: tok}}); errs[0] != nil {
		t.Fatal(errs)
	}
	r.pass(11 * time.Second)
	wantKind(t, r.complete(tok).Err, job.ErrLeaseLost)
	attempts, err := r.store.Attempts(context.Background(), c.ID)
	if err != nil || len(attempts) != 1 || attempts[0].Error != "attempt timed out" {
		t.Fatalf("%+v, %v", attempts, err)
	}
}

// The state machine against a model: one job, random calls with current and stale tokens, clocks that move.
func TestLifecycle_AgainstAModel(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	rapid.Check(t, func(t *rapid.T) {
		m := &modelJob{r: r, id: r.make(quick)}
		t.Repeat(map[string]func(*rapid.T){
			"lease":     m.lease,
			"heartbeat": m.heartbeat,
			"complete":  func(t *rapid.T) { m.final(t, job.OutcomeSucceeded) },
			"fail":      func(t *rapid.T) { m.final(t, job.OutcomeFailed) },
			"release":   func(t *rapid.T) { m.final(t, job.OutcomeReleased) },
			"cancel":    m.cancel,
			"pass":      m.pass,
			"":          m.check,
		})
		_ = r.Cancel(context.Background(), 1, m.id, "")
		r.hub.Remove(m.id)
		r.pass(time.Minute)
	})
}

// modelJob is what the database should say, kept by the simplest rules.
type modelJob struct {
	r        *rig
	id       job.ID
	state    job.State // zero: Pending
	attempt  int
	releases int
	asked    bool
	until    int // seconds from the model's start at which the lease ends
	limit    int // to which a cancel request has bounded it
	due      int
	now      int
	tokens   []job.Token // all leases, the latest last
	ends     []job.Outcome
}

func (m *modelJob) running() bool { return m.state == job.Running }

func (m *modelJob) lease(t *rapid.T) {
	if m.state != 0 || m.due > m.now {
		t.Skip("not ready")
	}
	got := m.r.lease(1, 30*time.Second)
	if len(got) != 1 || got[0].Row.ID != m.id {
		t.Fatalf("leased %+v", got)
	}
	tok := got[0].Row.Token()
	if n := len(m.tokens); n > 0 && tok.Version <= m.tokens[n-1].Version {
		t.Fatalf("fencing token fell: %+v after %+v", tok, m.tokens)
	}
	m.attempt++
	m.state, m.until, m.limit = job.Running, m.now+30, 1<<30
	m.tokens, m.ends = append(m.tokens, tok), append(m.ends, job.NoOutcome)
}

// token draws the current token, or a stale one.
func (m *modelJob) token(t *rapid.T) (int, job.Token) {
	if len(m.tokens) == 0 {
		t.Skip("never leased")
	}
	i := rapid.IntRange(0, len(m.tokens)-1).Draw(t, "lease")
	return i, m.tokens[i]
}

func (m *modelJob) heartbeat(t *rapid.T) {
	i, tok := m.token(t)
	beat := &store.Beat{Token: tok}
	err := m.r.Heartbeat(context.Background(), []*store.Beat{beat})[0]
	held := m.running() && i == len(m.tokens)-1
	if held != (err == nil) || held && beat.CancelAsked != m.asked {
		t.Fatalf("held %v: %v, %+v", held, err, beat)
	}
	if held {
		m.until = min(m.now+30, m.limit)
	}
}

func (m *modelJob) final(t *rapid.T, outcome job.Outcome) {
	i, tok := m.token(t)
	var res Result
	if outcome == job.OutcomeSucceeded {
		res = m.r.complete(tok)
	} else {
		res = m.r.fail(tok, outcome)
	}
	if !m.running() || i != len(m.tokens)-1 {
		if repeat := m.ends[i] == outcome; repeat != (res.Err == nil) {
			t.Fatalf("lease %d ended %v; %v again: %+v", i+1, m.ends[i], outcome, res)
		}
		return
	}
	if res.Err != nil {
		t.Fatalf("%v by the holder: %+v", outcome, res)
	}
	m.end(outcome)
}

// end applies the rules of DESIGN §3 to the end of the running attempt.
func (m *modelJob) end(outcome job.Outcome) {
	m.ends[len(m.ends)-1] = outcome
	if outcome == job.OutcomeReleased {
		m.attempt--
		m.releases++
	}
	m.state = 0
	m.due = m.now + 1
	switch {
	case outcome == job.OutcomeSucceeded:
		m.state = job.Succeeded
	case m.asked:
		m.state = job.Cancelled
	case outcome == job.OutcomeReleased && m.releases > 3:
		m.state = job.Dead
	case outcome == job.OutcomeReleased:
		m.due = m.now + 10 // at most: 1 s × 2^(n-1), n ≤ 2, and its jitter
	case m.attempt >= 3:
		m.state = job.Dead
	}
}

func (m *modelJob) cancel(t *rapid.T) {
	err := m.r.Cancel(context.Background(), 1, m.id, "")
	if m.state == job.Succeeded || m.state == job.Dead {
		if !errors.Is(err, job.ErrFinished) {
			t.Fatalf("cancel of an ended job: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.running() {
		if !m.asked {
			m.limit = m.now + 30
			m.until = min(m.until, m.limit)
		}
		m.asked = true
		return
	}
	m.state = job.Cancelled
}

func (m *modelJob) pass(t *rapid.T) {
	s := rapid.IntRange(1, 25).Draw(t, "seconds")
	m.now += s
	m.r.pass(time.Duration(s) * time.Second)
	// The clocks are not to the millisecond what the model says: stay a second away from the edge.
	if m.running() && m.until >= m.now-1 && m.until <= m.now+1 {
		m.now += 3
		m.r.pass(3 * time.Second)
	}
	if m.running() && m.until < m.now {
		m.end(job.OutcomeTimedOut)
		m.now += 2
		m.r.pass(2 * time.Second)
	}
}

func (m *modelJob) check(t *rapid.T) {
	ctx := context.Background()
	live, err := m.r.store.LiveJobs(ctx, []job.ID{m.id})
	if err != nil {
		t.Fatal(err)
	}
	ended, err := m.r.store.EndedJobs(ctx, []job.ID{m.id})
	if err != nil {
		t.Fatal(err)
	}
	row, alive := live[m.id]
	old, over := ended[m.id]
	final := m.state.Final()
	if alive == over || over != final || final && old.State != m.state {
		t.Fatalf("model %v; alive %v, ended %v %v", m.state, alive, over, old.State)
	}
	if alive && (m.running() != (row.State == job.Running) || int(row.Attempt) != m.attempt || int(row.Releases) != m.releases) {
		t.Fatalf("model %+v; row %+v", m, row)
	}
}

// entriesOf reads jobs as the loader would.
func entriesOf(t *testing.T, s *store.Store, ids ...job.ID) []wheel.Entry {
	t.Helper()
	rows, err := s.LiveJobs(context.Background(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var entries []wheel.Entry
	for _, row := range rows {
		entries = append(entries, wheel.Entry{ID: row.ID, Version: row.Version, DueAt: row.Due.UnixMicro(), Lane: row.Lane,
			Priority: uint8(row.Priority), Size: uint32(len(row.Body))})
	}
	return entries
}
