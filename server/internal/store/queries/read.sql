-- Reads by key. A list of keys is joined laterally behind OFFSET 0, which leaves one plan: a lookup by primary key per
-- item. With `= ANY` alone an unanalysed table is read by half its key and filtered.

-- name: live_jobs
SELECT {{live}} FROM unnest($1::uuid[]) AS k (id)
CROSS JOIN LATERAL (SELECT * FROM {{leaf}} AS w WHERE w.part = {{part}} AND w.id = k.id OFFSET 0) AS t;

-- name: ended_jobs
-- finished_at prunes history: a job cannot have ended before its id was made.
SELECT {{ended}} FROM unnest($1::uuid[]) AS k (id)
CROSS JOIN LATERAL (
    SELECT * FROM history AS w WHERE w.part = {{part}} AND w.id = k.id AND w.finished_at >= $2 OFFSET 0
) AS h;

-- name: job_attempts
SELECT a.number, a.outcome, a.started_at, a.ended_at, a.worker_id, a.error FROM attempts AS a
WHERE a.part = {{part}} AND a.id = $1 ORDER BY a.number DESC LIMIT 100;

-- name: attempt_receipts
-- Whether an attempt that returned the job to PENDING was ended by this very lease.
SELECT a.id, a.claim_id, a.outcome, a.due_at FROM unnest($1::uuid[], $2::bigint[]) AS k (id, claim_id)
CROSS JOIN LATERAL (SELECT * FROM attempts AS w WHERE w.part = {{part}} AND w.id = k.id OFFSET 0) AS a
WHERE a.claim_id = k.claim_id;

-- name: requests_by_key
SELECT r.key, r.fingerprint, r.job_id FROM unnest($1::smallint[], $2::uuid[]) AS k (part, key)
CROSS JOIN LATERAL (SELECT * FROM requests AS w WHERE w.part = k.part AND w.key = k.key OFFSET 0) AS r;

-- name: clock
SELECT belfry_now();

-- name: lane_depth
-- Counts of one lane, each stopped at the limit: PENDING and later; PENDING and due; RUNNING.
SELECT count(*) FILTER (WHERE t.state = 1 AND t.due_at > belfry_now()),
       count(*) FILTER (WHERE t.state = 1 AND t.due_at <= belfry_now()),
       count(*) FILTER (WHERE t.state = 2),
       coalesce(min(t.due_at) FILTER (WHERE t.state = 1 AND t.due_at <= belfry_now()), 'infinity'),
       coalesce(min(t.due_at) FILTER (WHERE t.state = 1 AND t.due_at > belfry_now()), 'infinity'),
       count(*)
FROM (SELECT w.state, w.due_at FROM {{leaf}} AS w WHERE w.lane = ANY ($1::integer[]) AND w.lane > 0 LIMIT $2) AS t;
