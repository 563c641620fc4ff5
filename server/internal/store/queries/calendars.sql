-- Calendars, and which schedules name them. A schedule's rule holds a copy of the days. Whoever stores such a copy holds the
-- calendars' rows FOR SHARE from before it locks the schedule, and so no change or deletion of a calendar misses a schedule
-- that is being made. Calendars are locked in order of id, and before schedules.

-- name: lock_tenant
-- One at a time adds a calendar to a tenant, so that the count, which is a statement of its own behind the lock, holds.
SELECT t.id FROM tenants AS t WHERE t.id = $1 FOR NO KEY UPDATE;

-- name: count_calendars
SELECT count(*) FROM calendars AS c WHERE c.tenant = $1;

-- name: create_calendar
WITH c AS (
    INSERT INTO calendars (tenant, name, days, description) VALUES ($1, $2, $3, $4)
    ON CONFLICT (tenant, name) DO NOTHING
    RETURNING *
)
SELECT {{calendar}} FROM c JOIN tenants AS t ON t.id = c.tenant;

-- name: calendar_by_id
SELECT {{calendar}} FROM calendars AS c JOIN tenants AS t ON t.id = c.tenant WHERE c.id = $1;

-- name: calendars_by_name
SELECT {{calendar}} FROM calendars AS c JOIN tenants AS t ON t.id = c.tenant WHERE c.tenant = $1 AND c.name = ANY ($2::text[]);

-- name: list_calendars
SELECT {{calendar_brief}} FROM calendars AS c JOIN tenants AS t ON t.id = c.tenant
WHERE c.tenant = $1 AND c.name > $2 ORDER BY c.name LIMIT $3;

-- name: change_calendar
-- A calendar as the caller knows it -> changed. Other days make it pending, whether or not a schedule names it: one that is
-- being made meanwhile is not seen here.
WITH c AS (
    UPDATE calendars
    SET days = $3, description = $4, revision = revision + 1,
        days_revision = CASE WHEN days = $3::text[] THEN days_revision ELSE revision + 1 END,
        pending = pending OR days <> $3::text[], updated_at = belfry_now()
    WHERE id = $1 AND revision = $2
    RETURNING *
)
SELECT {{calendar}} FROM c JOIN tenants AS t ON t.id = c.tenant;

-- name: lock_calendar
SELECT c.id FROM calendars AS c WHERE c.id = $1 AND c.revision = $2 FOR UPDATE;

-- name: delete_calendar
DELETE FROM calendars WHERE id = $1;

-- name: calendar_use
-- How many schedules name a calendar, counted up to a limit, and one of them.
SELECT (SELECT count(*) FROM (SELECT 1 FROM schedule_calendars AS u WHERE u.calendar = $1 LIMIT $2) AS n),
       coalesce((SELECT s.name FROM schedule_calendars AS u JOIN schedules AS s ON s.id = u.schedule
                 WHERE u.calendar = $1 ORDER BY u.schedule LIMIT 1), '');

-- name: hold_calendars
-- Until the transaction ends, the days of these calendars stay what they are.
SELECT c.id, c.days_revision FROM calendars AS c WHERE c.id = ANY ($1::integer[]) ORDER BY c.id FOR SHARE;

-- name: use_calendars
INSERT INTO schedule_calendars (calendar, schedule, revision)
SELECT u.calendar, u.schedule, u.revision FROM unnest($1::integer[], $2::integer[], $3::bigint[]) AS u (calendar, schedule, revision);

-- name: forget_calendars
DELETE FROM schedule_calendars WHERE schedule = $1;

-- name: drop_old_rules
-- Rules of a schedule that no row of its ledger was decided by any more: all but the latest that is older than the ledger.
DELETE FROM schedule_rules AS r
WHERE r.schedule_uid = $1
  AND r.revision < (SELECT max(n.revision) FROM schedule_rules AS n
                    WHERE n.schedule_uid = $1 AND n.created_at < belfry_now() - $2::bigint * interval '1 microsecond');

-- name: stale_schedules
-- Schedules behind an id that have copied older days of a calendar, in order of id.
SELECT u.schedule FROM schedule_calendars AS u
WHERE u.calendar = $1 AND u.schedule > $2
  AND u.revision < (SELECT c.days_revision FROM calendars AS c WHERE c.id = $1)
ORDER BY u.schedule LIMIT $3;

-- name: pending_calendars
-- Calendars that changed at least $1 microseconds ago, and whose change may not have reached all schedules.
SELECT c.id, c.days_revision FROM calendars AS c
WHERE c.pending AND c.updated_at <= belfry_now() - $1::bigint * interval '1 microsecond'
ORDER BY c.updated_at LIMIT $2;

-- name: settle_calendar
-- No schedule has older days than those of revision $2. Only other days could make one stale again, and they are pending.
UPDATE calendars SET pending = false WHERE id = $1 AND days_revision = $2;

-- name: first_waiting
-- The earliest nominal time of the jobs of a schedule's rule that have never been leased.
SELECT min(t.scheduled_at) FROM {{leaf}} AS t
WHERE t.schedule = $1 AND t.state <> 2 AND t.leases = 0
  AND EXISTS (SELECT 1 FROM occurrences AS o WHERE o.part = $2 AND o.schedule_uid = $3 AND o.nominal_at = t.scheduled_at
              AND o.origin = 1 AND o.job_id = t.id OFFSET 0);
