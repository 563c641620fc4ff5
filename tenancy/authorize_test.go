package tenancy

import (
	"errors"
	"strings"
	"testing"
)

func TestAuthorize_GivesEachScopeWhatItsCommentSays(t *testing.T) {
	t.Parallel()
	// One column a scope: admin, producer, worker, reader, platform.
	table := map[string]string{
		"JobService/CreateJob":                 "yes yes no no yes",
		"JobService/BatchCreateJobs":           "yes yes no no yes",
		"JobService/CancelJob":                 "yes yes no no yes",
		"JobService/GetJob":                    "yes yes no yes yes",
		"JobService/ListJobs":                  "yes yes no yes yes",
		"QueueService/CreateQueue":             "yes no no no yes",
		"QueueService/GetQueue":                "yes yes no yes yes",
		"QueueService/ListQueues":              "yes yes no yes yes",
		"QueueService/UpdateQueue":             "yes no no no yes",
		"QueueService/DeleteQueue":             "yes no no no yes",
		"QueueService/PauseQueue":              "yes no no no yes",
		"QueueService/ResumeQueue":             "yes no no no yes",
		"QueueService/GetQueueStats":           "yes yes no yes yes",
		"ScheduleService/CreateSchedule":       "yes no no no yes",
		"ScheduleService/BatchCreateSchedules": "yes no no no yes",
		"ScheduleService/GetSchedule":          "yes yes no yes yes",
		"ScheduleService/ListSchedules":        "yes yes no yes yes",
		"ScheduleService/ListOccurrences":      "yes yes no yes yes",
		"ScheduleService/UpdateSchedule":       "yes no no no yes",
		"ScheduleService/DeleteSchedule":       "yes no no no yes",
		"ScheduleService/PauseSchedule":        "yes no no no yes",
		"ScheduleService/ResumeSchedule":       "yes no no no yes",
		"ScheduleService/PreviewSchedule":      "yes yes no yes yes",
		"ScheduleService/GetForecast":          "yes yes no yes yes",
		"WorkerService/LeaseJobs":              "yes no yes no yes",
		"WorkerService/Heartbeat":              "yes no yes no yes",
		"WorkerService/CompleteJobs":           "yes no yes no yes",
		"WorkerService/FailJobs":               "yes no yes no yes",
		"WorkerService/ReleaseJobs":            "yes no yes no yes",
		"WorkerService/ListWorkers":            "yes no no yes yes",
		"TenantService/CreateTenant":           "no no no no yes",
		"TenantService/ListTenants":            "no no no no yes",
		"TenantService/GetTenant":              "yes yes yes yes yes",
		"TenantService/CreateApiKey":           "yes no no no yes",
		"TenantService/ListApiKeys":            "yes no no no yes",
		"TenantService/RevokeApiKey":           "yes no no no yes",
		"TenantService/NoSuchMethod":           "no no no no no",
		"":                                     "no no no no no",
	}
	callers := []Principal{
		{Tenant: "acme", TenantID: 3, Scopes: Admin},
		{Tenant: "acme", TenantID: 3, Scopes: Producer},
		{Tenant: "acme", TenantID: 3, Scopes: Worker},
		{Tenant: "acme", TenantID: 3, Scopes: Reader},
		{Platform: true, Scopes: Platform},
	}
	for method, row := range table {
		for i, want := range strings.Fields(row) {
			err := Authorize(callers[i], method)
			if (err == nil) != (want == "yes") {
				t.Errorf("%s by %s: %v", method, callers[i].Scopes, err)
			}
			if err != nil && !errors.Is(err, ErrKeyScope) {
				t.Errorf("%s: %v is not ErrKeyScope", method, err)
			}
		}
	}
}

func TestAuthorize_ScopesAddUpAndNobodyMayNothing(t *testing.T) {
	t.Parallel()
	both := Principal{Tenant: "acme", TenantID: 3, Scopes: Producer | Worker}
	for _, method := range []string{"JobService/CreateJob", "WorkerService/LeaseJobs"} {
		if err := Authorize(both, method); err != nil {
			t.Error(err)
		}
		if err := Authorize(Principal{}, method); !errors.Is(err, ErrKeyScope) {
			t.Errorf("the zero principal may call %s", method)
		}
	}
}

func TestResolveTenant_TenantKeysReachTheirOwnOnly(t *testing.T) {
	t.Parallel()
	acme := Principal{Tenant: "acme", TenantID: 3, Scopes: Admin}
	operator := Principal{Platform: true, Scopes: Platform}
	for _, c := range []struct {
		name      string
		caller    Principal
		requested string
		all       bool
		want      string
		err       error
	}{
		{"own by default", acme, "", false, "acme", nil},
		{"own by name", acme, "acme", true, "acme", nil},
		{"foreign", acme, "globex", false, "", ErrTenantNotFound},
		{"all by a tenant", acme, "-", true, "", ErrTenantID},
		{"all where it is not allowed", acme, "-", false, "", ErrTenantID},
		{"operator by name", operator, "globex", false, "globex", nil},
		{"operator without name", operator, "", true, "", ErrTenantID},
		{"operator for all", operator, "-", true, "-", nil},
		{"operator for all where it is not allowed", operator, "-", false, "", ErrTenantID},
	} {
		got, err := ResolveTenant(c.caller, c.requested, c.all)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
}
