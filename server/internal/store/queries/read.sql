-- Reads by key.

-- name: live_jobs
SELECT {{live}} FROM {{leaf}} AS t WHERE t.part = {{part}} AND t.id = ANY ($1::uuid[]);

-- name: ended_jobs
-- finished_at prunes history: a job cannot have ended before its id was made.
SELECT {{ended}} FROM history AS h
WHERE h.part = {{part}} AND h.id = ANY ($1::uuid[]) AND h.finished_at >= $2;

-- name: job_attempts
SELECT a.number, a.outcome, a.started_at, a.ended_at, a.worker_id, a.error FROM attempts AS a
WHERE a.part = {{part}} AND a.id = $1 ORDER BY a.number DESC LIMIT 100;

-- name: attempt_receipts
-- Whether an attempt that returned the job to PENDING was ended by this very lease.
SELECT a.id, a.claim_id, a.outcome, a.due_at FROM attempts AS a
WHERE a.part = {{part}} AND a.id = ANY ($1::uuid[]) AND a.claim_id = ANY ($2::bigint[]);

-- name: requests_by_key
SELECT r.key, r.fingerprint, r.job_id FROM requests AS r WHERE r.part = $1 AND r.key = ANY ($2::uuid[]);

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
FROM (SELECT w.state, w.due_at FROM {{leaf}} AS w WHERE w.lane = ANY ($1::integer[]) LIMIT $2) AS t;
