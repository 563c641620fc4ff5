package schedule

import (
	"fmt"
	"testing"

	"github.com/belfryhq/belfry/tenancy"
)

// The forecast of all tenants and of one, with 300,000 schedules and a million jobs that wait. It prints how many of them
// were counted within its time, and whether that was all.
func BenchmarkForecast(b *testing.B) {
	w := newWorld(b, "")
	w.lane("default")
	w.db.Exec(`INSERT INTO tenants (name, display_name, auto_create_queues) SELECT 't' || i, '', false FROM generate_series(2, 100) AS i`)
	w.db.Exec(`INSERT INTO schedules (tenant, name, part, home, spec, queue, job_type, priority, age_us, payload, body, description, cursor_at, next_at)
		SELECT 1 + i % 100, 's' || i, i % 4, i % 4, jsonb_build_object('cron', CASE i % 3 WHEN 0 THEN '* * * * *' WHEN 1 THEN 'H * * * *'
		       ELSE i % 60 || ' ' || i % 24 || ' * * *' END), 'q', 't', 5, 1, '\x01', '', '', now(), now() FROM generate_series(1, 300000) AS i`)
	for part := range w.store.Partitions() {
		for range 5 { // in pieces, because of the time-out on statements
			w.db.Exec(`INSERT INTO triggers (part, id, lane, priority, due_at, scheduled_at, age_until, body)
				SELECT $1, gen_random_uuid(), 1, 5, t, t, t, decode(repeat('00', 200), 'hex')
				FROM (SELECT now() + random() * interval '1 day' AS t FROM generate_series(1, 50000)) AS due`, part)
		}
	}
	w.db.Exec("VACUUM (ANALYZE) triggers")
	w.db.Exec("VACUUM (ANALYZE) schedules")
	for _, tenant := range []string{tenancy.AllTenants, "acme"} {
		for _, minutes := range []int{60, 1440} {
			b.Run(fmt.Sprintf("of %s, %d minutes", tenant, minutes), func(b *testing.B) {
				var f Forecast
				for b.Loop() {
					var err error
					if f, err = w.forecaster(0).Forecast(b.Context(), tenant, minutes); err != nil {
						b.Fatal(err)
					}
				}
				scheduled, waiting := int64(0), int64(0)
				for _, m := range f.Minutes {
					scheduled, waiting = scheduled+m.Scheduled, waiting+m.Waiting
				}
				complete := 0.0
				if f.Complete {
					complete = 1
				}
				b.ReportMetric(float64(scheduled), "scheduled")
				b.ReportMetric(float64(waiting), "waiting")
				b.ReportMetric(complete, "complete")
			})
		}
	}
}
