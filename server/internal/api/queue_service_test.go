package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func TestCreateQueue_AnswersWhatIsInForce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	got := o.queue(o.acme, &belfryv1.Queue{Queue: "mail", Uid: "mine", Paused: true, Etag: "x", TenantId: "zzz",
		RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(9)}})
	want := &belfryv1.Queue{TenantId: "acme", Queue: "mail", Uid: got.GetUid(), Etag: got.GetEtag(),
		CreateTime: got.GetCreateTime(), UpdateTime: got.GetCreateTime(), AttemptTimeout: durationpb.New(time.Hour),
		History: belfryv1.HistoryMode_HISTORY_MODE_FULL, RetentionDays: 7,
		RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(9), InitialBackoff: durationpb.New(10 * time.Second),
			MaxBackoff: durationpb.New(time.Hour), Multiplier: proto.Float64(2), Jitter: proto.Float64(0.2)}}
	wantProto(t, got, want)
	if got.GetUid() == "mine" || got.GetEtag() == "x" || got.GetEtag() == "" || !got.GetCreateTime().IsValid() {
		t.Errorf("output-only fields were taken from the caller: %v", got)
	}
	read, err := o.acme.GetQueue(t.Context(), &belfryv1.GetQueueRequest{Queue: "mail"})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, read.GetQueue(), want)
}

func TestCreateQueue_IsIdempotentByRequestID(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	create := func(a admins, name, id string) (*belfryv1.Queue, error) {
		res, err := a.CreateQueue(t.Context(), &belfryv1.CreateQueueRequest{Queue: &belfryv1.Queue{Queue: name}, RequestId: id})
		return res.GetQueue(), err
	}
	const callers = 6
	uids := make([]string, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			q, err := create(o.acme, "mail", "r1")
			if err != nil {
				t.Error(err)
			}
			uids[i] = q.GetUid()
		})
	}
	wg.Wait()
	for _, uid := range uids {
		if uid != uids[0] {
			t.Errorf("one request made queues %q", uids)
		}
	}
	_, err := create(o.acme, "post", "r1")
	wantRefused(t, err, connect.CodeAlreadyExists, "REQUEST_ID_REUSED", `"r1"`)
	_, err = create(o.acme, "mail", "r2")
	wantRefused(t, err, connect.CodeAlreadyExists, "ALREADY_EXISTS", `queue "mail"`)
	if q, err := create(o.other, "mail", "r1"); err != nil || q.GetUid() == uids[0] {
		t.Errorf("the id of another tenant's request got %v (%v)", q, err)
	}
	if _, err := o.acme.DeleteQueue(t.Context(), &belfryv1.DeleteQueueRequest{Queue: "mail"}); err != nil {
		t.Fatal(err)
	}
	_, err = create(o.acme, "mail", "r1")
	wantRefused(t, err, connect.CodeNotFound, "QUEUE_NOT_FOUND", "new request_id")
}

func TestQueueNames_AreADocumentedSet(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	create := func(name string) error {
		_, err := o.acme.CreateQueue(t.Context(), &belfryv1.CreateQueueRequest{Queue: &belfryv1.Queue{Queue: name}})
		return err
	}
	for _, name := range []string{"a", "0", "a.b_c-d", "a..b", strings.Repeat("x", 63)} {
		if err := create(name); err != nil {
			t.Errorf("%q is refused: %v", name, err)
		}
	}
	for _, name := range []string{"", " a", "a ", "A", "a/../b", "..", ".a", "-a", "_", "é", "e\u0301", "a\x00b", "a\n",
		strings.Repeat("x", 64), strings.Repeat("x", 255), strings.Repeat("x", 256)} {
		wantRefused(t, create(name), connect.CodeInvalidArgument, "INVALID_FIELD", "queue.queue")
	}
}

func TestUpdateQueue_TakesTheFieldsOfTheMask(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	base := &belfryv1.Queue{Queue: "mail", Description: "d", RetentionDays: 30, AttemptTimeout: durationpb.New(time.Minute),
		RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(3), Jitter: proto.Float64(0)}}
	for i, c := range []struct {
		name  string
		queue *belfryv1.Queue
		mask  []string
		want  func(q *belfryv1.Queue)
	}{
		{"no mask takes what is present", &belfryv1.Queue{Description: "new"}, nil,
			func(q *belfryv1.Queue) { q.Description = "new" }},
		{"no mask and nothing present", &belfryv1.Queue{}, nil, func(*belfryv1.Queue) {}},
		{"an absent field in the mask is cleared", &belfryv1.Queue{Description: "ignored"}, []string{"attempt_timeout", "retention_days"},
			func(q *belfryv1.Queue) { q.AttemptTimeout, q.RetentionDays = durationpb.New(time.Hour), 7 }},
		{"one field of a policy", &belfryv1.Queue{RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(8)}},
			[]string{"retry_policy.max_attempts"}, func(q *belfryv1.Queue) { q.RetryPolicy.MaxAttempts = proto.Int32(8) }},
		{"a whole policy", &belfryv1.Queue{RetryPolicy: &belfryv1.RetryPolicy{MaxAttempts: proto.Int32(8)}},
			[]string{"retry_policy"}, func(q *belfryv1.Queue) {
				q.RetryPolicy.MaxAttempts, q.RetryPolicy.Jitter = proto.Int32(8), proto.Float64(0.2)
			}},
		{"slim and back", &belfryv1.Queue{History: belfryv1.HistoryMode_HISTORY_MODE_SLIM, DeletionProtection: true}, nil,
			func(q *belfryv1.Queue) {
				q.History, q.DeletionProtection = belfryv1.HistoryMode_HISTORY_MODE_SLIM, true
			}},
	} {
		q := proto.CloneOf(base)
		q.Queue = fmt.Sprint("q", i)
		made := o.queue(o.acme, q)
		c.queue.Queue = q.GetQueue()
		res, err := o.acme.UpdateQueue(t.Context(), &belfryv1.UpdateQueueRequest{Queue: c.queue, UpdateMask: &fieldmaskpb.FieldMask{Paths: c.mask}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := proto.CloneOf(made)
		c.want(want)
		same := proto.Equal(want, made)
		if changed := res.GetQueue().GetEtag() != made.GetEtag(); changed == same {
			t.Errorf("%s: etag changed: %v", c.name, changed)
		}
		if res.GetQueue().GetUpdateTime().AsTime().After(made.GetUpdateTime().AsTime()) == same {
			t.Errorf("%s: update time is %v after %v", c.name, res.GetQueue().GetUpdateTime(), made.GetUpdateTime())
		}
		want.Etag, want.UpdateTime = res.GetQueue().GetEtag(), res.GetQueue().GetUpdateTime()
		wantProto(t, res.GetQueue(), want)
	}
}

func TestUpdateQueue_RefusesPathsThatCannotBeChanged(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	made := o.queue(o.acme, &belfryv1.Queue{Queue: "mail"})
	for _, path := range []string{"uid", "paused", "pause_reason", "create_time", "etag", "queue", "tenant_id", "nonsense",
		"retry_policy.nonsense", "retry_policy.delays.seconds"} {
		_, err := o.acme.UpdateQueue(t.Context(), &belfryv1.UpdateQueueRequest{Queue: &belfryv1.Queue{Queue: "mail", Description: "x"},
			UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"description", path}}})
		wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "update_mask")
	}
	res, err := o.acme.GetQueue(t.Context(), &belfryv1.GetQueueRequest{Queue: "mail"})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, res.GetQueue(), made)
}

func TestUpdateQueue_ComparesTheEtag(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	made := o.queue(o.acme, &belfryv1.Queue{Queue: "mail"})
	const writers = 8
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range writers {
		wg.Go(func() {
			_, err := o.acme.UpdateQueue(t.Context(), &belfryv1.UpdateQueueRequest{
				Queue: &belfryv1.Queue{Queue: "mail", Etag: made.GetEtag(), Description: fmt.Sprint("w", i)}})
			if err == nil {
				mu.Lock()
				won++
				mu.Unlock()
				return
			}
			wantRefused(t, err, connect.CodeAborted, "ETAG_MISMATCH", "mail")
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d writers with one etag have won", won)
	}
	for i := range writers {
		wg.Go(func() {
			if _, err := o.acme.UpdateQueue(t.Context(), &belfryv1.UpdateQueueRequest{
				Queue: &belfryv1.Queue{Queue: "mail", Description: fmt.Sprint("any", i)}}); err != nil {
				t.Errorf("a writer without an etag is refused: %v", err)
			}
		})
	}
	wg.Wait()
	_, err := o.acme.DeleteQueue(t.Context(), &belfryv1.DeleteQueueRequest{Queue: "mail", Etag: made.GetEtag()})
	wantRefused(t, err, connect.CodeAborted, "ETAG_MISMATCH", "mail")
}

func TestUpdateQueue_AllowMissingMakesIt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	update := func(etag string, dry bool) (*belfryv1.Queue, error) {
		res, err := o.acme.UpdateQueue(t.Context(), &belfryv1.UpdateQueueRequest{AllowMissing: true, ValidateOnly: dry,
			Queue: &belfryv1.Queue{Queue: "mail", Description: "d", Etag: etag}, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"description"}}})
		return res.GetQueue(), err
	}
	_, err := update("0-1", false)
	wantRefused(t, err, connect.CodeAborted, "ETAG_MISMATCH", "mail")
	q, err := update("", true)
	if err != nil || q.GetDescription() != "d" || q.GetUid() != "" {
		t.Errorf("a check answers %v (%v)", q, err)
	}
	if n := storetest.Value[int](o.db, "SELECT count(*) FROM queues"); n != 0 {
		t.Fatalf("a check has made %d queues", n)
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if q, err := update("", false); err != nil || q.GetDescription() != "d" {
				t.Errorf("upsert answers %v (%v)", q, err)
			}
		})
	}
	wg.Wait()
	if n := storetest.Value[int](o.db, "SELECT count(*) FROM queues WHERE revision = 1"); n != 1 {
		t.Errorf("%d queues were made and not changed", n)
	}
	_, err = o.acme.UpdateQueue(t.Context(), &belfryv1.UpdateQueueRequest{Queue: &belfryv1.Queue{Queue: "mial"}})
	wantRefused(t, err, connect.CodeNotFound, "QUEUE_NOT_FOUND", `did you mean "mail"`)
}

func TestValidateOnly_ChangesNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	made := o.queue(o.acme, &belfryv1.Queue{Queue: "mail"})
	ctx := t.Context()
	_, err := o.acme.CreateQueue(ctx, &belfryv1.CreateQueueRequest{Queue: &belfryv1.Queue{Queue: "mail"}, ValidateOnly: true})
	wantRefused(t, err, connect.CodeAlreadyExists, "ALREADY_EXISTS", "mail")
	res, err := o.acme.CreateQueue(ctx, &belfryv1.CreateQueueRequest{Queue: &belfryv1.Queue{Queue: "post"}, ValidateOnly: true, RequestId: "r"})
	if err != nil || res.GetQueue().GetTenantId() != "acme" || res.GetQueue().GetEtag() != "" || res.GetQueue().GetCreateTime() != nil {
		t.Errorf("a check answers %v (%v)", res, err)
	}
	up, err := o.acme.UpdateQueue(ctx, &belfryv1.UpdateQueueRequest{Queue: &belfryv1.Queue{Queue: "mail", RetentionDays: 90}, ValidateOnly: true})
	if err != nil || up.GetQueue().GetRetentionDays() != 90 || up.GetQueue().GetEtag() != made.GetEtag() {
		t.Errorf("a check answers %v (%v)", up, err)
	}
	if _, err := o.operator.CreateTenant(ctx, &belfryv1.CreateTenantRequest{Tenant: &belfryv1.Tenant{TenantId: "new"}, ValidateOnly: true}); err != nil {
		t.Error(err)
	}
	list, err := o.acme.ListQueues(ctx, &belfryv1.ListQueuesRequest{})
	if err != nil || len(list.GetQueues()) != 1 {
		t.Fatalf("queues are %v (%v)", list, err)
	}
	wantProto(t, list.GetQueues()[0], made)
	if n := storetest.Value[int](o.db, "SELECT count(*) FROM admin_requests") + storetest.Value[int](o.db, "SELECT count(*) - 2 FROM tenants"); n != 0 {
		t.Errorf("checks left %d rows behind", n)
	}
}

func TestListQueues_PagesByNameAndKeepsToItsTenant(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for _, name := range []string{"c", "a", "e", "b", "d"} {
		o.queue(o.acme, &belfryv1.Queue{Queue: name})
	}
	o.queue(o.other, &belfryv1.Queue{Queue: "bb"})
	var names, token string
	for {
		res, err := o.acme.ListQueues(t.Context(), &belfryv1.ListQueuesRequest{PageSize: 2, PageToken: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range res.GetQueues() {
			names += q.GetQueue()
		}
		if token = res.GetNextPageToken(); token == "" {
			break
		}
		names += "|"
		_, err = o.other.ListQueues(t.Context(), &belfryv1.ListQueuesRequest{PageToken: token})
		wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "page_token")
	}
	if names != "ab|cd|e" {
		t.Errorf("pages are %q", names)
	}
	res, err := o.operator.ListQueues(t.Context(), &belfryv1.ListQueuesRequest{TenantId: "other"})
	if err != nil || len(res.GetQueues()) != 1 || res.GetQueues()[0].GetTenantId() != "other" {
		t.Errorf("an operator sees %v (%v)", res, err)
	}
	_, err = o.operator.ListQueues(t.Context(), &belfryv1.ListQueuesRequest{})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "tenant_id")
}

func TestQueues_OfAnotherTenantAreAsIfTheyWereNot(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.queue(o.acme, &belfryv1.Queue{Queue: "secret-plans"})
	ctx := t.Context()
	calls := map[string]func(a admins, tenant, queue string) error{
		"get": func(a admins, tenant, queue string) error {
			_, err := a.GetQueue(ctx, &belfryv1.GetQueueRequest{TenantId: tenant, Queue: queue})
			return err
		},
		"update": func(a admins, tenant, queue string) error {
			_, err := a.UpdateQueue(ctx, &belfryv1.UpdateQueueRequest{TenantId: tenant, Queue: &belfryv1.Queue{Queue: queue, Description: "x"}})
			return err
		},
		"delete": func(a admins, tenant, queue string) error {
			_, err := a.DeleteQueue(ctx, &belfryv1.DeleteQueueRequest{TenantId: tenant, Queue: queue, Force: true})
			return err
		},
		"pause": func(a admins, tenant, queue string) error {
			_, err := a.PauseQueue(ctx, &belfryv1.PauseQueueRequest{TenantId: tenant, Queue: queue})
			return err
		},
		"resume": func(a admins, tenant, queue string) error {
			_, err := a.ResumeQueue(ctx, &belfryv1.ResumeQueueRequest{TenantId: tenant, Queue: queue})
			return err
		},
		"stats": func(a admins, tenant, queue string) error {
			_, err := a.GetQueueStats(ctx, &belfryv1.GetQueueStatsRequest{TenantId: tenant, Queue: queue})
			return err
		},
	}
	for name, call := range calls {
		foreign := wantRefused(t, call(o.other, "", "secret-plans"), connect.CodeNotFound, "QUEUE_NOT_FOUND", "secret-plans")
		random := wantRefused(t, call(o.other, "", "secret-plane"), connect.CodeNotFound, "QUEUE_NOT_FOUND", "secret-plane")
		if strings.ReplaceAll(foreign, "plans", "plane") != random {
			t.Errorf("%s: another tenant's queue answers %q, none at all %q", name, foreign, random)
		}
		existing := wantRefused(t, call(o.other, "acme", "secret-plans"), connect.CodeNotFound, "TENANT_NOT_FOUND", "acme")
		none := wantRefused(t, call(o.other, "acne", "secret-plans"), connect.CodeNotFound, "TENANT_NOT_FOUND", "acne")
		if strings.ReplaceAll(existing, "acme", "acne") != none {
			t.Errorf("%s: another tenant answers %q, none at all %q", name, existing, none)
		}
	}
	if n := storetest.Value[int](o.db, "SELECT count(*) FROM queues WHERE revision = 1 AND deleted_at IS NULL"); n != 1 {
		t.Errorf("the queue was changed: %d are as they were", n)
	}
}

func TestPause_IsStatedOnceAndLiftedOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	made := o.queue(o.acme, &belfryv1.Queue{Queue: "mail"})
	ctx := t.Context()
	var etags []string
	for range 2 {
		res, err := o.acme.PauseQueue(ctx, &belfryv1.PauseQueueRequest{Queue: "mail", Reason: "deploy"})
		if err != nil || !res.GetQueue().GetPaused() || res.GetQueue().GetPauseReason() != "deploy" {
			t.Fatalf("paused: %v (%v)", res, err)
		}
		etags = append(etags, res.GetQueue().GetEtag())
	}
	if etags[0] != etags[1] || etags[0] == made.GetEtag() {
		t.Errorf("etags of the queue and of two pauses are %q, %q", made.GetEtag(), etags)
	}
	if q, err := o.catalog.FindQueue(ctx, "acme", "mail"); err != nil || !q.Paused {
		t.Errorf("this node knows the queue as %+v (%v)", q, err)
	}
	stats, err := o.acme.GetQueueStats(ctx, &belfryv1.GetQueueStatsRequest{Queue: "mail"})
	if err != nil || !stats.GetPaused() {
		t.Errorf("stats are %v (%v)", stats, err)
	}
	for range 2 {
		res, err := o.acme.ResumeQueue(ctx, &belfryv1.ResumeQueueRequest{Queue: "mail"})
		if err != nil || res.GetQueue().GetPaused() || res.GetQueue().GetPauseReason() != "" {
			t.Fatalf("resumed: %v (%v)", res, err)
		}
	}
	if want := []int64{1, 2}; fmt.Sprint(o.raised) != fmt.Sprint(want) {
		t.Errorf("configuration versions told are %v, want %v", o.raised, want)
	}
}

func TestDeleteQueue_RefusesWhatIsInUse(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.queue(o.acme, &belfryv1.Queue{Queue: "mail", DeletionProtection: true})
	ctx := t.Context()
	remove := func(force bool) error {
		_, err := o.acme.DeleteQueue(ctx, &belfryv1.DeleteQueueRequest{Queue: "mail", Force: force})
		return err
	}
	wantRefused(t, remove(true), connect.CodeFailedPrecondition, "DELETION_PROTECTED", "deletion_protection")
	if _, err := o.acme.UpdateQueue(ctx, &belfryv1.UpdateQueueRequest{Queue: &belfryv1.Queue{Queue: "mail"},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"deletion_protection"}}}); err != nil {
		t.Fatal(err)
	}
	ids := o.enqueue("mail", 3, 0)
	wantRefused(t, remove(false), connect.CodeFailedPrecondition, "IN_USE", "3 waiting and 0 running jobs; let them end first, or cancel those that wait with force")
	o.lease(ids[0])
	wantRefused(t, remove(true), connect.CodeFailedPrecondition, "IN_USE", "2 waiting and 1 running jobs; pause it")
	o.db.Exec("DELETE FROM triggers WHERE state = 2")
	if err := remove(true); err != nil {
		t.Fatal(err)
	}
	ended, err := o.db.Store.EndedJobs(ctx, ids[1:])
	if err != nil || len(ended) != 2 || ended[ids[1]].Reason != job.ReasonQueueDeleted {
		t.Errorf("the jobs that waited: %v (%v)", ended, err)
	}
	wantRefused(t, remove(false), connect.CodeNotFound, "QUEUE_NOT_FOUND", "mail")
	if _, err := o.catalog.Queue(ctx, "acme", "mail"); err == nil {
		t.Error("this node still knows the deleted queue by name")
	}
	if again := o.queue(o.acme, &belfryv1.Queue{Queue: "mail"}); again.GetDeletionProtection() {
		t.Errorf("a new queue of the name has settings of the old one: %v", again)
	}
}

func TestGetQueueStats_CountsByState(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.queue(o.acme, &belfryv1.Queue{Queue: "mail"})
	o.queue(o.acme, &belfryv1.Queue{Queue: "empty"})
	o.enqueue("mail", 4, time.Hour)
	ready := o.enqueue("mail", 3, 0)
	o.lease(ready[0])
	_, err := o.catalog.FindQueue(t.Context(), "acme", "mail")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-time.Minute).UTC()
	o.polled["acme/mail"] = at
	got, err := o.acme.GetQueueStats(t.Context(), &belfryv1.GetQueueStatsRequest{Queue: "mail"})
	if err != nil {
		t.Fatal(err)
	}
	if got.GetPending() != 4 || got.GetReady() != 2 || got.GetRunning() != 1 || got.GetTruncated() || got.GetPaused() {
		t.Errorf("stats are %v", got)
	}
	if age := got.GetOldestReadyAge().AsDuration(); age <= 0 || age > time.Minute {
		t.Errorf("the oldest ready job is due since %v", age)
	}
	if next := time.Until(got.GetNextDueTime().AsTime()); next < 58*time.Minute || next > time.Hour {
		t.Errorf("the next one is due in %v", next)
	}
	if !got.GetLastPollTime().AsTime().Equal(at) {
		t.Errorf("last poll is %v, want %v", got.GetLastPollTime(), at)
	}
	empty, err := o.acme.GetQueueStats(t.Context(), &belfryv1.GetQueueStatsRequest{Queue: "empty"})
	if err != nil || !proto.Equal(empty, &belfryv1.GetQueueStatsResponse{}) {
		t.Errorf("stats of a queue that was never used are %v (%v)", empty, err)
	}
}
