package api

import (
	"testing"
	"time"

	"connectrpc.com/connect"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
)

// forecaster is the API with a key.
func (w *tower) forecaster(a admins) belfryv1connect.ScheduleServiceClient {
	return belfryv1connect.NewScheduleServiceClient(w.rings.Client(), w.rings.URL, bearerOf(a), connect.WithProtoJSON())
}

func TestGetForecast_ByTenant_AndOfAll(t *testing.T) {
	t.Parallel()
	w := newTower(t)
	w.make(&belfryv1.Schedule{Schedule: "minutely", Spec: cronSpec("* * * * *", ""), Job: &belfryv1.JobSpec{Queue: "work"}})
	reader := w.key("acme", belfryv1.ApiKeyScope_API_KEY_SCOPE_READER)
	worker := w.key("acme", belfryv1.ApiKeyScope_API_KEY_SCOPE_WORKER)
	jobs := func(caller admins, tenant string, minutes int32) int64 {
		t.Helper()
		res, err := w.forecaster(caller).GetForecast(t.Context(), &belfryv1.GetForecastRequest{TenantId: tenant, Minutes: minutes})
		if err != nil || !res.GetComplete() {
			t.Fatalf("complete %v, %v", res.GetComplete(), err)
		}
		total, last := int64(0), time.Time{}
		for _, m := range res.GetMinutes() {
			at := m.GetTime().AsTime()
			if m.GetScheduledJobs() != 1 || !at.After(last) || at.Second() != 0 {
				t.Errorf("%v behind %v", m, last)
			}
			total, last = total+m.GetScheduledJobs(), at
		}
		return total
	}
	// The nominal time at the begin of the present minute has passed.
	for name, c := range map[string]struct {
		caller  admins
		tenant  string
		minutes int32
		want    int64
	}{
		"60 minutes unless said":        {w.acme, "", 0, 59},
		"one":                           {w.acme, "", 1, 0},
		"a day":                         {reader, "acme", 1440, 1439},
		"of another tenant":             {w.other, "", 60, 0},
		"of a tenant, for the platform": {w.operator, "acme", 60, 59},
		"of another, for the platform":  {w.operator, "other", 60, 0},
		"of all tenants":                {w.operator, "-", 60, 59},
	} {
		if got := jobs(c.caller, c.tenant, c.minutes); got != c.want {
			t.Errorf("%s: %d jobs, want %d", name, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		caller       admins
		req          *belfryv1.GetForecastRequest
		code         connect.Code
		reason, says string
	}{
		"minutes before one":         {w.acme, &belfryv1.GetForecastRequest{Minutes: -1}, connect.CodeInvalidArgument, "INVALID_FIELD", "minutes"},
		"more than a day":            {w.acme, &belfryv1.GetForecastRequest{Minutes: 1441}, connect.CodeInvalidArgument, "INVALID_FIELD", "minutes"},
		"all, by a tenant":           {w.acme, &belfryv1.GetForecastRequest{TenantId: "-"}, connect.CodeInvalidArgument, "INVALID_FIELD", "platform key"},
		"another tenant":             {w.acme, &belfryv1.GetForecastRequest{TenantId: "other"}, connect.CodeNotFound, "TENANT_NOT_FOUND", "other"},
		"no tenant, by the platform": {w.operator, &belfryv1.GetForecastRequest{}, connect.CodeInvalidArgument, "INVALID_FIELD", "platform key"},
		"nobody":                     {w.operator, &belfryv1.GetForecastRequest{TenantId: "nobody"}, connect.CodeNotFound, "TENANT_NOT_FOUND", "nobody"},
		"a worker's key":             {worker, &belfryv1.GetForecastRequest{}, connect.CodePermissionDenied, "KEY_SCOPE", "needs scope"},
	} {
		if _, err := w.forecaster(c.caller).GetForecast(t.Context(), c.req); err == nil {
			t.Errorf("%s: answered", name)
		} else {
			wantRefused(t, err, c.code, c.reason, c.says)
		}
	}
}
