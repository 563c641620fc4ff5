package store_test

import (
	"slices"
	"testing"

	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// scheduleRows is how many schedules, ledger rows and live occurrences the full state holds.
const scheduleRows = 20_000

var (
	uid = lit("'01900000-0000-7001-8000-000000000001'::uuid")
)

// scheduleCases are the statements that run for each schedule, or for many at a time. Those of administration alone, which
// read a handful of rows by name, are not here.
var scheduleCases = map[string]planCase{
	"schedule_by_name": {args: []arg{one, lit("'x'")}, reads: scheduleReads("_live_name", "tenant", "name")},
	"list_schedules":   {args: []arg{one, lit("'x'"), lit("50")}, ordered: true, reads: scheduleReads("_live_name", "tenant", "name")},
	"lock_schedule":    {args: []arg{one, one}, reads: scheduleReads("_pkey", "id")},
	"withdraw_jobs": {args: []arg{one, one, uid, lit("'x'"), one, one, one, lit("true")},
		reads: map[string]path{"triggers": {"", nil}, "occurrences": {"_pkey", []string{"part", "schedule_uid", "nominal_at"}},
			"schedules": {"_pkey", []string{"id"}}, "blocked": {"_jobs_pkey", []string{"schedule"}}}},
	"first_waiting": {args: []arg{one, one, uid},
		reads: map[string]path{"triggers": {"", nil}, "occurrences": {"_pkey", []string{"part", "schedule_uid", "nominal_at"}}}},
	"reopen_ledger":       {args: []arg{one, uid, lit("now()")}, reads: ledgerReads()},
	"ledger_tail":         {args: []arg{one, uid}, reads: ledgerReads()},
	"due_schedules":       {args: []arg{short, lit("now()"), lit("now()"), one, lit("200")}, reads: scheduleReads("_next", "part", "next_at")},
	"list_occurrences":    {args: []arg{one, uid, lit("now()"), lit("now() - interval '1 day'"), lit("200"), one}, ordered: true, reads: map[string]path{"occurrences": {"_pkey", []string{"part", "schedule_uid"}}, "schedule": {"_rules_pkey", []string{"schedule_uid", "revision"}}}},
	"count_due_schedules": {after: "ordered_settings", args: []arg{short, times, lit("1000")}, ordered: true, reads: scheduleReads("_next", "part", "next_at")},
	"forecast_schedules": {after: "ordered_settings", args: []arg{one, lit("now() + interval '1 hour'"), lit("now()"), one, lit("2000")}, ordered: true,
		reads: scheduleReads("_next", "part", "next_at")},
	"forecast_schedules_of_tenant": {after: "ordered_settings", args: []arg{one, lit("now() + interval '1 hour'"), lit("'x'"), lit("2000")}, ordered: true,
		reads: scheduleReads("_live_name", "tenant", "name")},
	"materialise": {args: []arg{numbers, bigs, times, times, times, times, uuids, numbers, times, times, small, short, texts, uuids, small,
		bodies, small, bigs, bigs, flags}, reads: scheduleReads("_pkey", "id")},

	"schedules_with_jobs": {after: "hot_settings", args: []arg{numbers}, reads: map[string]path{"triggers": {"_schedule_idx", []string{"schedule"}}}},

	"due_decisions":  {after: "ordered_settings", args: []arg{short, lit("1000")}, reads: blockedReads("_decide", "part", "decide_at")},
	"waiting_behind": {after: "ordered_settings", args: []arg{short, one, lit("200")}, reads: blockedReads("_waiting", "part", "schedule")},
	"next_decision":  {after: "ordered_settings", args: []arg{short}, ordered: true, reads: blockedReads("_decide", "part")},
	"waiting_among":  {after: "hot_settings", args: []arg{numbers}, reads: blockedReads("_pkey", "schedule")},
	"lock_schedules": {after: "hot_settings", args: []arg{numbers}, reads: scheduleReads("_pkey", "id")},
	"blocked_of":     {after: "hot_settings", args: []arg{numbers, lit("5000")}, reads: blockedReads("_pkey", "schedule")},
	"alive_of":       {after: "hot_settings", args: []arg{numbers}, reads: map[string]path{"triggers": {"_schedule_idx", []string{"schedule"}}}},
	"runs_of":        {after: "hot_settings", args: []arg{numbers, lit("5000")}, reads: map[string]path{"triggers": {"_schedule_idx", []string{"schedule"}}}},
	"release_jobs":   {after: "hot_settings", args: []arg{uuids, bigs, numbers, small, uuids, flags}, reads: verdictReads()},
	"block_ahead":    {after: "hot_settings", args: []arg{one}, reads: blockedAheadReads()},
	"follow_overlap": {after: "hot_settings", args: []arg{one}, reads: blockedReads("_pkey", "schedule")},
	"make_runs": {after: "hot_settings", args: []arg{one, uuids, times, bodies, bigs, one, lit("true"), lit("false"), one, one},
		reads: verdictReads()},
	"hold_jobs": {after: "hot_settings", args: []arg{uuids, numbers, small, uuids}, reads: verdictReads()},
	"skip_jobs": {after: "hot_settings", args: []arg{uuids, bigs, numbers, small, uuids, small, texts, one}, reads: verdictReads()},
}

func scheduleReads(index string, bound ...string) map[string]path {
	reads := ledgerReads()
	reads["schedules"] = path{index, bound}
	return reads
}

// blockedReads are those of the overlap policies.
func blockedReads(index string, bound ...string) map[string]path {
	reads := verdictReads()
	reads["blocked"] = path{"_jobs" + index, bound}
	return reads
}

func verdictReads() map[string]path {
	reads := scheduleReads("_pkey", "id")
	reads["occurrences"] = path{"_pkey", []string{"part", "schedule_uid", "nominal_at"}}
	reads["triggers"] = path{"_pkey", []string{"part", "id"}}
	reads["blocked"] = path{"_jobs_pkey", []string{"schedule"}}
	return reads
}

// blockedAheadReads are those of what finds a schedule's jobs and then its ledger's rows of them.
func blockedAheadReads() map[string]path {
	reads := verdictReads()
	reads["triggers"] = path{"_schedule_idx", []string{"schedule"}}
	return reads
}

func ledgerReads() map[string]path {
	return map[string]path{"occurrences": {"_pkey", []string{"part", "schedule_uid"}}}
}

// numbers are the ids of n schedules.
func numbers(n int) string {
	text := "'{"
	for i := range n {
		if i > 0 {
			text += ","
		}
		text += string(rune('1'+i%9)) + "00"
	}
	return text + "}'::integer[]"
}

func fillSchedules(db *storetest.DB) {
	db.Exec("INSERT INTO tenants (name, display_name, auto_create_queues) VALUES ('acme', '', false)")
	db.Exec(`INSERT INTO schedules (tenant, name, part, home, spec, queue, job_type, priority, age_us, payload, body, description, cursor_at, next_at)
		SELECT 1, 's' || i, i % 4, i % 4, '{"cron": "* * * * *"}', 'q', 't', 5, 1, '\x01', '', '', now(), now() + (i % 1000) * interval '1 minute'
		FROM generate_series(1, $1::int) AS i`, scheduleRows)
	db.Exec(`INSERT INTO occurrences (part, outcome, schedule_uid, nominal_at, until_at, revision)
		SELECT home, 1, uid, cursor_at, cursor_at, 1 FROM schedules`)
	fillJobs(db)
}

func fillJobs(db *storetest.DB) {
	db.Exec(`INSERT INTO triggers (part, id, lane, priority, due_at, scheduled_at, age_until, body, schedule)
		SELECT part, uid, 1, 5, next_at, next_at, next_at, '\x01', id FROM schedules`)
	db.Exec(`INSERT INTO blocked_jobs (part, overlap, schedule, id, decide_at) SELECT part, 1, id, uid, next_at FROM schedules`)
}

func TestScheduleStatements_EveryPlanReadsByKey(t *testing.T) {
	t.Parallel()
	const never, before, behind = "never analysed", "analysed when the jobs had gone", "analysed"
	for _, state := range []string{never, before, behind} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			for _, table := range []string{"schedules", "occurrences", "triggers_p01", "blocked_jobs"} {
				db.Exec("ALTER TABLE " + table + " SET (autovacuum_enabled = off)")
			}
			const analyse = "ANALYZE schedules, occurrences, triggers, tenants, blocked_jobs"
			if state == before { // what comes and goes may be analysed when it has gone
				fillSchedules(db)
				db.Exec(analyse)
				db.Exec("DELETE FROM blocked_jobs")
				db.Exec("DELETE FROM triggers")
				db.Exec("ANALYZE triggers, blocked_jobs")
				fillJobs(db)
			} else {
				fillSchedules(db)
			}
			if state == behind {
				db.Exec(analyse)
			}
			for name, c := range scheduleCases {
				for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
					for _, n := range []int{1, 200} {
						plan, text := explain(t, db, name, c, mode, n)
						for _, fault := range c.faults(plan) {
							if !harmless(fault) {
								t.Errorf("%s, %s, %d items: %s\n%s", name, mode, n, fault, text)
							}
						}
					}
				}
			}
		})
	}
}

// harmless are what the rules for the hot path refuse and these statements may do: a tenant is found however its small
// table is read best.
func harmless(fault string) bool {
	return fault == "Seq Scan on tenants" || fault == "reads tenants by tenants_pkey, want "
}

func TestScheduleStatements_EveryOneExists(t *testing.T) {
	t.Parallel()
	var names []string
	for _, file := range []string{"schedules.sql", "occurrences.sql", "overlap.sql", "hot.sql", "forecast_schedules.sql", "calendars.sql"} {
		some, err := store.StatementNames(file)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, some...)
	}
	for name := range scheduleCases {
		if !slices.Contains(names, name) {
			t.Errorf("there is no statement %s", name)
		}
	}
}
