package tenancy

import (
	"fmt"
	"strings"
)

// TenantRule says which tenant_id a method takes.
type TenantRule uint8

// Tenant rules.
const (
	TenantRequired   TenantRule = iota // of a platform key; a tenant key may leave it out
	TenantOrAll                        // as before, or "-" with a platform key
	TenantOrPlatform                   // with a platform key, empty means the platform itself
	NoTenant                           // the method is about tenants, not within one
)

type rule struct {
	scopes Scope // one of them is enough; Platform always is
	tenant TenantRule
}

// Who may call what is said per scope in proto/belfry/v1/tenant.proto; the sets below are those sentences.
const (
	changes  = Admin
	creates  = Admin | Producer
	reads    = Admin | Producer | Reader
	works    = Admin | Worker
	watches  = Admin | Reader
	anyScope = Admin | Producer | Worker | Reader
)

func methodRule(method string) (rule, bool) {
	switch method {
	case "JobService/CreateJob", "JobService/BatchCreateJobs", "JobService/CancelJob",
		"ScheduleService/RunSchedule":
		return rule{creates, TenantRequired}, true
	case "JobService/GetJob", "JobService/ListJobs",
		"QueueService/GetQueue", "QueueService/ListQueues", "QueueService/GetQueueStats",
		"ScheduleService/GetSchedule", "ScheduleService/ListSchedules", "ScheduleService/ListOccurrences",
		"ScheduleService/PreviewSchedule",
		"CalendarService/GetCalendar", "CalendarService/ListCalendars":
		return rule{reads, TenantRequired}, true
	case "ScheduleService/GetForecast":
		return rule{reads, TenantOrAll}, true
	case "WorkerService/LeaseJobs", "WorkerService/Heartbeat", "WorkerService/CompleteJobs",
		"WorkerService/FailJobs", "WorkerService/ReleaseJobs":
		return rule{works, TenantOrAll}, true
	case "WorkerService/ListWorkers":
		return rule{watches, TenantRequired}, true
	case "QueueService/CreateQueue", "QueueService/UpdateQueue", "QueueService/DeleteQueue",
		"QueueService/PauseQueue", "QueueService/ResumeQueue",
		"ScheduleService/CreateSchedule", "ScheduleService/BatchCreateSchedules",
		"ScheduleService/UpdateSchedule", "ScheduleService/DeleteSchedule",
		"ScheduleService/PauseSchedule", "ScheduleService/ResumeSchedule", "ScheduleService/BackfillSchedule",
		"CalendarService/CreateCalendar", "CalendarService/UpdateCalendar", "CalendarService/DeleteCalendar":
		return rule{changes, TenantRequired}, true
	case "TenantService/GetTenant":
		return rule{anyScope, TenantRequired}, true
	case "TenantService/CreateApiKey", "TenantService/ListApiKeys", "TenantService/RevokeApiKey":
		return rule{changes, TenantOrPlatform}, true
	case "TenantService/CreateTenant", "TenantService/ListTenants":
		return rule{Platform, NoTenant}, true
	}
	return rule{}, false
}

// Authorize reports whether p may call method, written "Service/Method" without the package. A method that has no rule
// is refused to everyone. Errors wrap ErrKeyScope.
func Authorize(p Principal, method string) error {
	r, ok := methodRule(method)
	if !ok {
		return fmt.Errorf("%w: no key may call %s", ErrKeyScope, method)
	}
	if p.Platform || p.Scopes.Has(r.scopes) {
		return nil
	}
	if r.scopes == Platform {
		return fmt.Errorf("%w: %s needs a platform key, and %s belongs to tenant %q; ask an operator",
			ErrKeyScope, method, p.KeyID, p.Tenant)
	}
	return fmt.Errorf("%w: %s needs scope %s, and %s has %s; use a key with that scope",
		ErrKeyScope, method, strings.ReplaceAll(r.scopes.String(), ", ", " or "), p.KeyID, p.Scopes)
}

// MethodTenant returns the rule for the tenant_id of a method; NoTenant for one that is unknown.
func MethodTenant(method string) TenantRule {
	if r, ok := methodRule(method); ok {
		return r.tenant
	}
	return NoTenant
}

// ResolveTenant returns the name of the tenant that a call of p is about, or AllTenants. A tenant key that names any
// other tenant gets ErrTenantNotFound, whether that tenant exists or not; other refusals wrap ErrTenantID.
func ResolveTenant(p Principal, requested string, allowAll bool) (string, error) {
	if requested == AllTenants && !(p.Platform && allowAll) {
		if !allowAll {
			return "", fmt.Errorf("%w: this method takes the name of one tenant, not %q", ErrTenantID, AllTenants)
		}
		return "", fmt.Errorf("%w: %q needs a platform key; leave it empty for your own tenant", ErrTenantID, AllTenants)
	}
	if p.Platform {
		if requested == "" {
			return "", fmt.Errorf("%w: required with a platform key; name the tenant to act on", ErrTenantID)
		}
		return requested, nil
	}
	if requested != "" && requested != p.Tenant {
		return "", fmt.Errorf("%w as %q for this key; leave tenant_id empty for your own", ErrTenantNotFound, requested)
	}
	return p.Tenant, nil
}
