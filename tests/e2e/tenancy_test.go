package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

func decode(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// withoutType is a payload without its media type.
func withoutType(payload any) any {
	fields, _ := payload.(map[string]any)
	delete(fields, "contentType")
	return payload
}

// tenantWithoutAutoCreate is a tenant whose queues do not appear by themselves.
func tenantWithoutAutoCreate(t *testing.T, world *harness.World) harness.Tenant {
	t.Helper()
	x := world.NewTenant(t)
	name := "t-" + harness.Random()
	admin := world.Admin(t)
	if _, err := admin.Tenants().CreateTenant(t.Context(), &v1.CreateTenantRequest{Tenant: &v1.Tenant{TenantId: name}}); err != nil {
		t.Fatal(err)
	}
	x.ID, x.Key = name, harness.NewKey(t, admin, name).Secret
	x.Client = x.Through(t, world.Node.Addr)
	return x
}

// methods lists every method of the API by reflection, so that none is forgotten.
func methods() []protoreflect.MethodDescriptor {
	var all []protoreflect.MethodDescriptor
	for _, file := range []protoreflect.FileDescriptor{v1.File_belfry_v1_calendar_proto, v1.File_belfry_v1_job_proto, v1.File_belfry_v1_queue_proto,
		v1.File_belfry_v1_schedule_proto, v1.File_belfry_v1_tenant_proto, v1.File_belfry_v1_worker_proto} {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				all = append(all, service.Methods().Get(j))
			}
		}
	}
	return all
}

func nameOf(m protoreflect.MethodDescriptor) string {
	return string(m.Parent().Name()) + "/" + string(m.Name())
}

// things are the ids of what a tenant has.
type things struct {
	tenant, job, token, queue, schedule, calendar, key string
}

// foreign returns a request that names the given things, for methods that name any.
func foreign(method string, of things) (body string, names bool) {
	job := `{"jobId": "` + of.job + `"}`
	queue := `{"queue": "` + of.queue + `"}`
	sched := `{"schedule": "` + of.schedule + `"}`
	items := `{"items": [{"leaseToken": "` + of.token + `"}]}`
	switch method {
	case "JobService/GetJob", "JobService/CancelJob":
		return job, true
	case "QueueService/GetQueue", "QueueService/DeleteQueue", "QueueService/PauseQueue", "QueueService/ResumeQueue", "QueueService/GetQueueStats":
		return queue, true
	case "QueueService/UpdateQueue":
		return `{"queue": {"queue": "` + of.queue + `", "description": "mine now"}}`, true
	case "ScheduleService/GetSchedule", "ScheduleService/DeleteSchedule", "ScheduleService/PauseSchedule", "ScheduleService/ResumeSchedule",
		"ScheduleService/ListOccurrences", "ScheduleService/RunSchedule":
		return sched, true
	case "ScheduleService/BackfillSchedule":
		return `{"schedule": "` + of.schedule + `", "startTime": "2026-01-01T00:00:00Z", "endTime": "2026-01-02T00:00:00Z"}`, true
	case "ScheduleService/UpdateSchedule":
		return `{"schedule": {"schedule": "` + of.schedule + `", "description": "mine now"}}`, true
	case "CalendarService/GetCalendar", "CalendarService/DeleteCalendar":
		return `{"calendar": "` + of.calendar + `"}`, true
	case "CalendarService/UpdateCalendar":
		return `{"calendar": {"calendar": "` + of.calendar + `", "description": "mine now"}}`, true
	case "WorkerService/Heartbeat":
		return `{"workerId": "w", ` + items[1:], true
	case "WorkerService/CompleteJobs", "WorkerService/FailJobs", "WorkerService/ReleaseJobs":
		return items, true
	case "TenantService/RevokeApiKey":
		return `{"keyId": "` + of.key + `"}`, true
	case "TenantService/GetTenant":
		return `{"tenantId": "` + of.tenant + `"}`, true
	case "JobService/CreateJob", "JobService/BatchCreateJobs", "JobService/ListJobs", "QueueService/CreateQueue", "QueueService/ListQueues",
		"ScheduleService/CreateSchedule", "ScheduleService/BatchCreateSchedules", "ScheduleService/ListSchedules",
		"ScheduleService/PreviewSchedule", "ScheduleService/GetForecast", "CalendarService/CreateCalendar", "CalendarService/ListCalendars", "WorkerService/LeaseJobs",
		"WorkerService/ListWorkers", "TenantService/CreateTenant", "TenantService/ListTenants", "TenantService/CreateApiKey", "TenantService/ListApiKeys":
		return "", false
	}
	return "unknown", true
}

// belongings makes one of everything for a tenant, one job of which is leased.
func belongings(t *testing.T, world *harness.World, x harness.Tenant) things {
	t.Helper()
	of := things{tenant: x.ID, queue: "queue-" + harness.Random(), schedule: "schedule-" + harness.Random(),
		calendar: "calendar-" + harness.Random()}
	of.job = create(t, x.Client, belfry.NewJob{Queue: of.queue, Payload: "secret of " + x.ID}).ID
	of.token = pull{queue: of.queue, lease: time.Minute}.one(t, x.Client).GetLeaseToken()
	of.key = harness.NewKey(t, world.Admin(t), x.ID).ID
	x.Post("CalendarService/CreateCalendar", `{"calendar": {"calendar": "`+of.calendar+`", "days": ["12-25"]}}`).OK(t)
	x.Post("ScheduleService/CreateSchedule", `{"schedule": {"schedule": "`+of.schedule+`", "spec": {"cron": "0 0 1 1 *"}, "job": {"queue": "`+of.queue+`"}}}`).OK(t)
	return of
}

// inventory is everything that can be read of a tenant's things, as text.
func inventory(t *testing.T, x harness.Tenant, of things) string {
	t.Helper()
	var text strings.Builder
	for method, body := range map[string]string{
		"JobService/GetJob": `{"jobId": "` + of.job + `", "view": "JOB_VIEW_FULL"}`, "QueueService/GetQueue": `{"queue": "` + of.queue + `"}`,
		"ScheduleService/GetSchedule": `{"schedule": "` + of.schedule + `"}`, "TenantService/ListApiKeys": `{}`, "QueueService/ListQueues": `{}`,
		"JobService/ListJobs": `{}`, "ScheduleService/ListSchedules": `{}`, "CalendarService/GetCalendar": `{"calendar": "` + of.calendar + `"}`,
	} {
		answer, err := json.Marshal(x.Post(method, body).OK(t))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s %s\n", method, answer)
	}
	lines := strings.Split(text.String(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Promise 7 and case P-TEN-02, over every method that names a thing: what another tenant has answers exactly as what
// nobody has.
func TestForeignIDs_AnswerLikeUnknownOnes_InEveryMethod(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	a, b := world.NewTenant(t), world.NewTenant(t)
	of := belongings(t, world, a)
	belongings(t, world, b)
	before := inventory(t, a, of)
	// What nobody has: a job that was never made, in the same shape; a token of a lease that never was.
	nobody := things{tenant: "t-" + harness.Random(), job: shuffled(of.job, len("job_")), token: shuffled(of.token, 0),
		queue: "queue-" + harness.Random(), schedule: "schedule-" + harness.Random(),
		calendar: "calendar-" + harness.Random(), key: shuffled(of.key, len("key_"))}
	for _, method := range methods() {
		name := nameOf(method)
		body, names := foreign(name, of)
		if body == "unknown" {
			t.Errorf("%s is new: say here which things it names", name)
			continue
		}
		if !names {
			continue
		}
		unknown, _ := foreign(name, nobody)
		got, want := answer(t, b.Post(name, body), of), answer(t, b.Post(name, unknown), nobody)
		if got != want {
			t.Errorf("%s\nforeign: %s\nunknown: %s", name, got, want)
		}
		if !strings.Contains(got, "not_found") {
			t.Errorf("%s: %s, want NOT_FOUND", name, got)
		}
	}
	if after := inventory(t, a, of); after != before {
		t.Errorf("something has changed:\n%s\nbefore:\n%s", after, before)
	}
	if beat := heartbeat(t, a.Client, of.token); beat.GetError() != nil {
		t.Errorf("the lease of the first tenant: %v", beat.GetError())
	}
}

// jobIDs finds ids of jobs in a text.
var jobIDs = regexp.MustCompile("job_[0-9a-z]{26}")

// shuffled is another id of the same shape.
func shuffled(id string, from int) string {
	bytes := []byte(id)
	// Not the first characters, which tell the time and the partition: a plausible id is the harder case.
	for i := max(from, len(bytes)-8); i < len(bytes)-1; i++ {
		if bytes[i] != '2' {
			bytes[i] = '2'
		} else {
			bytes[i] = '3'
		}
	}
	return string(bytes)
}

// answer is what a call says, without the ids it was asked about.
func answer(t *testing.T, call harness.Post, of things) string {
	t.Helper()
	reply, err := call.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%d %s", reply.Status, reply.Raw)
	if reply.Status != http.StatusOK {
		refused := harness.RefusalOf(t, reply)
		text = fmt.Sprintf("%d %s %s %s %q", refused.Status, refused.Code, refused.Reason, refused.Message, refused.Fields)
	}
	for _, id := range []string{of.tenant, of.job, of.token, of.queue, of.schedule, of.calendar, of.key} {
		text = strings.ReplaceAll(text, id, "ID")
	}
	return jobIDs.ReplaceAllString(text, "ID") // that of the token
}

// A tenant key that names another tenant gets the answer for a tenant that does not exist, in every method.
func TestForeignTenantID_AnswersLikeAnUnknownOne_InEveryMethod(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	a, b := world.NewTenant(t), world.NewTenant(t)
	of := belongings(t, world, a)
	for _, method := range methods() {
		name := nameOf(method)
		if method.Input().Fields().ByName("tenant_id") == nil {
			continue
		}
		body := `{}`
		if named, names := foreign(name, of); names {
			body = named
		} else if extra := plainRequest(name); extra != "" {
			body = extra
		}
		with := func(tenant string) string {
			var fields map[string]any
			if err := json.Unmarshal([]byte(body), &fields); err != nil {
				t.Fatal(err)
			}
			fields["tenantId"] = tenant
			asked := of
			asked.tenant = tenant
			return answer(t, b.Post(name, fields), asked)
		}
		got, want := with(a.ID), with("t-"+harness.Random())
		if got != want || !strings.Contains(got, "404 not_found TENANT_NOT_FOUND") {
			t.Errorf("%s\nforeign: %s\nunknown: %s", name, got, want)
		}
	}
}

// plainRequest is a request that is good but for its tenant, of a method that names no thing.
func plainRequest(method string) string {
	switch method {
	case "JobService/CreateJob":
		return `{"job": {"queue": "q"}}`
	case "JobService/BatchCreateJobs":
		return `{"jobs": [{"job": {"queue": "q"}}]}`
	case "QueueService/CreateQueue":
		return `{"queue": {"queue": "q"}}`
	case "ScheduleService/CreateSchedule":
		return `{"schedule": {"schedule": "s", "spec": {"cron": "* * * * *"}, "job": {"queue": "q"}}}`
	case "ScheduleService/BatchCreateSchedules":
		return `{"schedules": [{"schedule": "s", "spec": {"cron": "* * * * *"}, "job": {"queue": "q"}}]}`
	case "ScheduleService/PreviewSchedule":
		return `{"spec": {"cron": "* * * * *"}}`
	case "CalendarService/CreateCalendar":
		return `{"calendar": {"calendar": "c"}}`
	case "WorkerService/LeaseJobs":
		return `{"workerId": "w"}`
	}
	return ""
}

func TestLists_ShowOnlyTheTenantsOwn(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	a, b := world.NewTenant(t), world.NewTenant(t)
	of := belongings(t, world, a)
	for _, method := range []string{"JobService/ListJobs", "QueueService/ListQueues", "ScheduleService/ListSchedules", "CalendarService/ListCalendars",
		"WorkerService/ListWorkers", "TenantService/ListApiKeys"} {
		reply, err := b.Post(method, nil).Do(t.Context())
		if err != nil || reply.Status != http.StatusOK {
			t.Fatalf("%s: %d %s, %v", method, reply.Status, reply.Raw, err)
		}
		for _, id := range []string{of.tenant, of.job, of.queue, of.schedule, of.calendar, of.key} {
			if strings.Contains(string(reply.Raw), id) {
				t.Errorf("%s shows %s of another tenant", method, id)
			}
		}
	}
}

func TestKeys_ThatAreNone_AreRefusedInEveryMethod(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	forged := x.Key[:len(x.Key)-5] + "AAAAA"
	for _, method := range methods() {
		for kind, key := range map[string]string{"none": "", "nonsense": "nonsense", "with another secret": forged} {
			call := x.Post(nameOf(method), nil)
			call.Key = key
			refused := call.Refused(t)
			if refused.Status != http.StatusUnauthorized || refused.Code != "unauthenticated" || refused.Reason != "KEY_INVALID" || refused.Message == "" {
				t.Errorf("%s with a key that is %s: %+v", nameOf(method), kind, refused)
			}
			if strings.Contains(refused.Message, forged) {
				t.Error("the message repeats the key")
			}
		}
	}
}

func TestScopes_BoundWhatAKeyMayDo(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	create(t, x.Client, belfry.NewJob{Queue: "q"})
	admin := world.Admin(t)
	tests := []struct {
		scope  v1.ApiKeyScope
		may    []string
		mayNot []string
	}{
		{v1.ApiKeyScope_API_KEY_SCOPE_PRODUCER, []string{"JobService/CreateJob", "JobService/ListJobs", "QueueService/ListQueues"},
			[]string{"WorkerService/LeaseJobs", "QueueService/CreateQueue", "TenantService/ListApiKeys", "TenantService/ListTenants"}},
		{v1.ApiKeyScope_API_KEY_SCOPE_WORKER, []string{"WorkerService/LeaseJobs"},
			[]string{"JobService/CreateJob", "JobService/ListJobs", "QueueService/CreateQueue", "TenantService/CreateApiKey"}},
		{v1.ApiKeyScope_API_KEY_SCOPE_READER, []string{"JobService/ListJobs", "QueueService/ListQueues"},
			[]string{"JobService/CreateJob", "WorkerService/LeaseJobs", "QueueService/CreateQueue", "TenantService/ListApiKeys"}},
		{v1.ApiKeyScope_API_KEY_SCOPE_ADMIN, []string{"JobService/CreateJob", "WorkerService/LeaseJobs", "TenantService/ListApiKeys"},
			[]string{"TenantService/ListTenants"}},
	}
	for _, test := range tests {
		t.Run(test.scope.String(), func(t *testing.T) {
			t.Parallel()
			key := harness.NewKey(t, admin, x.ID, test.scope).Secret
			for _, method := range test.may {
				call := x.Post(method, plainRequest(method))
				if call.Body == "" {
					call.Body = nil
				}
				call.Key = key
				call.OK(t)
			}
			for _, method := range test.mayNot {
				call := x.Post(method, nil)
				call.Key = key
				if refused := call.Refused(t); refused.Status != http.StatusForbidden || refused.Reason != "KEY_SCOPE" || !strings.Contains(refused.Message, " ") {
					t.Errorf("%s: %+v", method, refused)
				}
			}
		})
	}
}

// revokeWithin is how long a revoked key may still be good, on every server.
const revokeWithin = 10 * time.Second

// Case P-TEN-04: also a poll that is open when its key ends.
func TestRevokedKey_EndsWithinTenSeconds_AlsoForOpenPolls(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	admin := world.Admin(t)
	key := harness.NewKey(t, admin, x.ID)
	worker := x
	worker.Key = key.Secret
	worker.Client = worker.Through(t, world.Node.Addr, belfry.WithRetries(belfry.Retries{MaxAttempts: 1}))
	create(t, x.Client, belfry.NewJob{Queue: "held"})
	held := pull{queue: "held", lease: time.Minute}.one(t, worker.Client)
	polled := make(chan int, 1)
	go func() {
		response, _ := worker.Workers().LeaseJobs(t.Context(), pull{queue: "q", wait: 30 * time.Second}.request())
		polled <- len(response.GetJobs())
	}()
	_ = harness.Pass(t.Context(), 200*time.Millisecond)
	if _, err := admin.Tenants().RevokeApiKey(t.Context(), &v1.RevokeApiKeyRequest{TenantId: x.ID, KeyId: key.ID}); err != nil {
		t.Fatal(err)
	}
	revoked := time.Now()
	harness.Within(t, revokeWithin, "calls with the key are refused", func() bool {
		reply, err := worker.Post("JobService/ListJobs", nil).Do(t.Context())
		return err == nil && reply.Status == http.StatusUnauthorized
	})
	// Leases cannot be extended through it.
	if _, err := worker.Workers().Heartbeat(t.Context(), &v1.HeartbeatRequest{WorkerId: "e2e",
		Items: []*v1.HeartbeatItem{{LeaseToken: held.GetLeaseToken()}}}); belfry.CodeOf(err) != belfry.CodeUnauthenticated {
		t.Errorf("heartbeat with a revoked key: %v", err)
	}
	_ = harness.Pass(t.Context(), time.Until(revoked.Add(revokeWithin)))
	made := create(t, x.Client, belfry.NewJob{Queue: "q"})
	if lease := (pull{queue: "q"}).one(t, x.Client); lease.GetJob().GetJobId() != made.ID {
		t.Errorf("leased %s, want %s", lease.GetJob().GetJobId(), made.ID)
	}
	select {
	case jobs := <-polled:
		if jobs > 0 {
			t.Error("a poll with a revoked key leased a job")
		}
	case <-time.After(time.Second):
		// Still waiting, for nothing: it got nothing.
	}
}

func TestRevokedKey_IsListedWithoutItsSecret(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	key := harness.NewKey(t, world.Admin(t), x.ID)
	for range 2 {
		x.Post("TenantService/RevokeApiKey", map[string]string{"keyId": key.ID}).OK(t)
	}
	reply, err := x.Post("TenantService/ListApiKeys", nil).Do(t.Context())
	if err != nil || !strings.Contains(string(reply.Raw), key.ID) || !strings.Contains(string(reply.Raw), "revokeTime") {
		t.Errorf("%s, %v", reply.Raw, err)
	}
	if strings.Contains(string(reply.Raw), key.Secret) {
		t.Error("the list shows a secret")
	}
}

func TestPlatformKey_MustNameTheTenant(t *testing.T) {
	t.Parallel()
	world := harness.Shared(t)
	x := world.NewTenant(t)
	call := harness.Post{Addr: world.Node.Addr, Key: world.AdminKey, Method: "JobService/ListJobs"}
	if refused := call.Refused(t); refused.Code != "invalid_argument" || refused.Fields["tenant_id"] == "" {
		t.Errorf("%+v", refused)
	}
	call.Body = map[string]string{"tenantId": x.ID}
	call.OK(t)
	call.Body = map[string]string{"tenantId": "t-" + harness.Random()}
	if refused := call.Refused(t); refused.Status != http.StatusNotFound || refused.Reason != "TENANT_NOT_FOUND" {
		t.Errorf("%+v", refused)
	}
}
