-- Schedules that a forecast counts by their rules, in pages behind ordered_settings and within a time.

-- name: forecast_schedules
-- Schedules of a partition that may have something due before $2, behind a position in order of (next_at, id).
SELECT t.name, d.name, d.spec::text, d.runs, d.cursor_at, d.next_at, d.id
FROM (
    SELECT s.tenant, s.name, s.spec, s.runs, s.cursor_at, s.next_at, s.id FROM schedules AS s
    WHERE s.part = $1 AND s.deleted_at IS NULL AND NOT s.paused AND s.next_at < $2
      AND (s.next_at, s.id) > ($3::timestamptz, $4::integer)
    ORDER BY s.next_at, s.id LIMIT $5
) AS d
JOIN tenants AS t ON t.id = d.tenant
ORDER BY d.next_at, d.id;

-- name: forecast_schedules_of_tenant
-- Schedules of a tenant that may have something due before $2, behind a name in order of it.
SELECT '', s.name, s.spec::text, s.runs, s.cursor_at, s.next_at, s.id FROM schedules AS s
WHERE s.tenant = $1 AND s.deleted_at IS NULL AND NOT s.paused AND s.next_at < $2 AND s.name > $3
ORDER BY s.name LIMIT $4;
