-- What a forecast counts. Each statement reads a bounded part of one index, behind ordered_settings and within a time that
-- its caller sets: a forecast may take a processor for a moment, and never the cache that the hot path lives on. So jobs that
-- are due late are counted in the index alone; only near ones, among which the look-ahead of schedules is, by their rows.

-- name: limit_time
SELECT set_config('statement_timeout', $1, true);

-- name: lanes_of_tenant
-- Of deleted queues too: as long as a job waits in one, it comes.
SELECT l.lane FROM queues AS q JOIN lanes AS l ON l.queue = q.id WHERE q.tenant = $1 LIMIT $2;

-- name: forecast_near
-- Jobs due inside ($1, $2) by the minute: of a schedule's look-ahead, others, and how many rows were looked at. At most $3
-- rows, the first ones; of lanes $4, or of all if that is NULL. Jitter is at most a day: what is due later than that after its
-- nominal time was made by a backfill, and waits like any other job.
SELECT date_bin(interval '1 minute', w.due_at, 'epoch'), count(*) FILTER (WHERE w.mine AND w.ahead),
       count(*) FILTER (WHERE w.mine AND NOT w.ahead), count(*)
FROM (
    SELECT t.due_at, t.schedule IS NOT NULL AND t.leases = 0 AND t.scheduled_at > $1::timestamptz - interval '1 day' AS ahead,
           $4::integer[] IS NULL OR t.lane = ANY ($4) AS mine
    FROM {{leaf}} AS t
    WHERE t.due_at > $1 AND t.due_at < $2
    ORDER BY t.due_at LIMIT $3
) AS w
GROUP BY 1;

-- name: forecast_far
-- As before, of jobs that are due so late that none is of a schedule's look-ahead.
SELECT date_bin(interval '1 minute', w.due_at, 'epoch'), 0::bigint, count(*) FILTER (WHERE w.mine), count(*)
FROM (
    SELECT t.due_at, $4::integer[] IS NULL OR t.lane = ANY ($4) AS mine
    FROM {{leaf}} AS t
    WHERE t.due_at > $1 AND t.due_at < $2
    ORDER BY t.due_at LIMIT $3
) AS w
GROUP BY 1;

-- name: forecast_lanes_near
-- Near jobs of few lanes, however many jobs of others wait.
SELECT date_bin(interval '1 minute', w.due_at, 'epoch'), count(*) FILTER (WHERE w.ahead), count(*) FILTER (WHERE NOT w.ahead),
       count(*)
FROM (
    SELECT j.due_at, j.ahead
    FROM unnest($4::integer[]) AS l (lane) CROSS JOIN generate_series(0, 9) AS p (priority)
    CROSS JOIN LATERAL (
        SELECT t.due_at, t.schedule IS NOT NULL AND t.leases = 0 AND t.scheduled_at > $1::timestamptz - interval '1 day' AS ahead FROM {{leaf}} AS t
        WHERE t.lane = l.lane AND t.lane > 0 AND t.priority = p.priority AND t.due_at > $1 AND t.due_at < $2
        ORDER BY t.due_at LIMIT $3
    ) AS j
    LIMIT $3
) AS w
GROUP BY 1;

-- name: forecast_lanes_far
SELECT date_bin(interval '1 minute', w.due_at, 'epoch'), 0::bigint, count(*), count(*)
FROM (
    SELECT j.due_at
    FROM unnest($4::integer[]) AS l (lane) CROSS JOIN generate_series(0, 9) AS p (priority)
    CROSS JOIN LATERAL (
        SELECT t.due_at FROM {{leaf}} AS t
        WHERE t.lane = l.lane AND t.lane > 0 AND t.priority = p.priority AND t.due_at > $1 AND t.due_at < $2
        ORDER BY t.due_at LIMIT $3
    ) AS j
    LIMIT $3
) AS w
GROUP BY 1;
