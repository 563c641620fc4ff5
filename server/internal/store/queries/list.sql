-- Listings: which jobs there are first, in narrow rows, and the rows themselves only for the page. A window of bodies
-- could be half a gigabyte.

-- name: list_live
-- One window of a partition, newest first, and what of it is the tenant's. The window is bounded before the filter, so
-- that it costs the same however rare the tenant's rows are. Its last row comes in any case: it says how far the window
-- reached.
WITH seen AS MATERIALIZED (
    SELECT t.id, t.lane, t.state, t.due_at FROM {{leaf}} AS t
    WHERE t.part = {{part}} AND t.id < $1 ORDER BY t.id DESC LIMIT $2
)
SELECT s.id, s.lane, CASE WHEN s.state = 1 AND s.due_at <= belfry_now() THEN 7 ELSE s.state END,
       coalesce(l.tenant = $3, false), (SELECT count(*) FROM seen)
FROM seen AS s LEFT JOIN lanes AS l ON l.lane = s.lane
WHERE l.tenant = $3 OR s.id = (SELECT f.id FROM seen AS f ORDER BY f.id LIMIT 1)
ORDER BY s.id DESC;

-- name: list_ended
-- One window of a tenant's history, newest first.
SELECT h.id, h.lane, h.state FROM history AS h
WHERE h.tenant = $1 AND h.id < $2
ORDER BY h.id DESC LIMIT $3;

-- name: parts_of_tenant
-- Deleted queues count: jobs that are running in one may still be alive.
SELECT DISTINCT q.part FROM queues AS q WHERE q.tenant = $1 ORDER BY q.part;

-- name: last_errors
-- The latest error of live jobs that have one; a release is none.
SELECT a.id, a.error FROM unnest($1::uuid[]) AS k (id)
CROSS JOIN LATERAL (
    SELECT w.id, w.error FROM attempts AS w
    WHERE w.part = {{part}} AND w.id = k.id AND w.outcome <> 4 AND w.error <> '' ORDER BY w.number DESC LIMIT 1
) AS a;

-- name: attempts_of_jobs
-- The latest attempts of each of some live jobs, oldest first.
SELECT a.id, a.number, a.outcome, a.started_at, a.ended_at, a.worker_id, a.error
FROM unnest($1::uuid[]) AS j (id)
CROSS JOIN LATERAL (
    SELECT b.id, b.number, b.outcome, b.started_at, b.ended_at, b.worker_id, b.error FROM attempts AS b
    WHERE b.part = {{part}} AND b.id = j.id ORDER BY b.number DESC LIMIT $2
) AS a
ORDER BY a.id, a.number;
