-- The hot path. {{leaf}} is the leaf table of one partition and {{part}} its number: PostgreSQL cannot prune on joined
-- values, so every statement names its leaf. Arrays come sorted by id, so that rows are locked in (part, id) order.
--
-- Items find their rows by the primary key and in no other way, whatever the planner believes of the table. So the partition
-- stands beside the items, behind OFFSET 0: of a leaf that has not been analysed, `t.part = {{part}}` is taken to choose few
-- rows, where it is true of all, and the leaf is read as a whole. `= ANY (ARRAY[…])` on part is an equality that serves the key and lends its order to no
-- merge; on the second column it would be one the planner may leave out. IS TRUE hides a condition from every index. The index of
-- lanes has the id too, and is closed to these statements (load.sql): of a leaf that was analysed when all its jobs had gone,
-- every index is taken for a single page, and one that finds an id by reading all its entries is as good as the key.

-- name: hot_settings
-- Leaves a look-up by key per item as the only plan. Goes before statements that are written for it.
SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true);

-- name: create_jobs
-- (nothing) -> PENDING. An item with a request id is inserted only if its row in requests is new; ON CONFLICT waits for
-- a concurrent transaction with the same id, so an answer never precedes a committed row. A missing id in the result
-- means: the request id was known.
WITH fresh AS (
    INSERT INTO requests (part, key, fingerprint, job_id)
    SELECT r.part, r.key, r.fingerprint, r.job_id
    FROM unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::uuid[]) AS r (part, key, fingerprint, job_id)
    ON CONFLICT (part, key) DO NOTHING
    RETURNING job_id
)
INSERT INTO triggers (part, id, lane, priority, due_at, scheduled_at, age_until, start_by, timeout_us, body)
SELECT u.part, u.id, u.lane, u.priority,
       greatest(coalesce(u.at, belfry_now() + u.delay_us * interval '1 microsecond'), belfry_now()),
       coalesce(u.at, belfry_now() + u.delay_us * interval '1 microsecond'),
       greatest(coalesce(u.at, belfry_now() + u.delay_us * interval '1 microsecond'), belfry_now())
           + u.age_us * interval '1 microsecond',
       coalesce(u.start_at, greatest(coalesce(u.at, belfry_now() + u.delay_us * interval '1 microsecond'), belfry_now())
           + u.start_us * interval '1 microsecond'),
       u.timeout_us, u.body
FROM unnest($5::smallint[], $6::uuid[], $7::integer[], $8::smallint[], $9::timestamptz[], $10::bigint[], $11::bigint[],
            $12::timestamptz[], $13::bigint[], $14::bigint[], $15::bytea[], $16::boolean[])
     AS u (part, id, lane, priority, at, delay_us, age_us, start_at, start_us, timeout_us, body, requested)
WHERE NOT u.requested OR u.id IN (SELECT job_id FROM fresh)
RETURNING id, due_at, scheduled_at;

-- name: note_claim
-- The claim batch's own row: what a new owner reads to find outstanding leases.
INSERT INTO claims (part, claim_id, ids) VALUES ({{part}}, $1, $2);

-- name: claim_turn
-- Lets take_turn in between. Row locks are not fair: a stream of claims, each sharing the row in partitions, could keep a
-- pause waiting for ever. Advisory locks queue in order. Correctness rests on the row lock alone.
SELECT pg_advisory_xact_lock_shared(1113943142, p.part) FROM unnest($1::integer[]) AS p (part);

-- name: claim_jobs
-- PENDING and due -> RUNNING, by compare-and-swap on version. No row comes back unless this node still owns the
-- partition and knows the current configuration of its queues (epoch, config_version). KEY SHARE conflicts with the FOR
-- UPDATE of a take-over or a pause, and not with the renewal of a lease of ownership.
WITH owned AS (
    SELECT 1 FROM partitions WHERE part = {{part}} AND epoch = $1 AND config_version = $2 FOR KEY SHARE
)
UPDATE {{leaf}} AS t
SET state = 2, version = t.version + 1, attempt = t.attempt + 1, leases = t.leases + 1, claim_id = $3,
    claimed_at = belfry_now(), lease_us = u.lease_us, beaten = false, worker_id = u.worker_id,
    attempt_until = belfry_now() + coalesce(t.timeout_us, u.timeout_us) * interval '1 microsecond',
    lease_until = belfry_now() + least(u.lease_us, coalesce(t.timeout_us, u.timeout_us)) * interval '1 microsecond'
FROM owned, (
    SELECT {{part}}::smallint AS part, i.id, i.version, i.lease_us, i.timeout_us, i.worker_id
    FROM unnest($4::uuid[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
         AS i (id, version, lease_us, timeout_us, worker_id) OFFSET 0
) AS u
WHERE t.part = ANY (ARRAY[u.part]) AND t.id = u.id AND t.version = u.version AND t.state = 1
  AND (t.due_at <= belfry_now()) IS TRUE AND t.age_until > belfry_now()
  AND (t.start_by IS NULL OR t.start_by > belfry_now() OR t.leases > 0)
RETURNING {{live}};

-- name: beat_leases
-- RUNNING stays RUNNING: the lease is extended, never beyond the attempt's bound; version stays.
UPDATE {{leaf}} AS t
SET lease_until = least(belfry_now() + coalesce(u.lease_us, t.lease_us) * interval '1 microsecond', t.attempt_until),
    lease_us = coalesce(u.lease_us, t.lease_us), beaten = true
FROM (
    SELECT {{part}}::smallint AS part, i.id, i.version, i.claim_id, i.lane, i.lease_us
    FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::integer[], $5::bigint[])
         AS i (id, version, claim_id, lane, lease_us) OFFSET 0
) AS u
WHERE t.part = ANY (ARRAY[u.part]) AND t.id = u.id AND t.version = u.version AND t.claim_id = u.claim_id
  AND (t.lane = u.lane) IS TRUE AND t.state = 2
RETURNING t.id, (extract(epoch FROM t.lease_until - belfry_now()) * 1000000)::bigint, t.cancel_asked,
          coalesce(t.cancel_reason, '');

-- name: finish_jobs
-- A live state -> SUCCEEDED, DEAD or CANCELLED: the trigger goes and history gets its row, in one statement. from_state
-- RUNNING needs the lease (version and claim_id); only_expired needs it to be over by the database's clock. Slim history
-- keeps of earlier attempts what a repeated call is answered from, and no error text. The schedule comes back, as another run
-- may wait for this one's end.
WITH gone AS (
    DELETE FROM {{leaf}} AS t
    USING (
        SELECT {{part}}::smallint AS part, i.id, i.version, i.claim_id, i.lane, i.from_state, i.only_expired, i.state,
               i.outcome, i.reason, i.error, i.result, i.retention, i.slim, i.tenant, i.uncounted, i.reported
        FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::integer[], $5::smallint[], $6::boolean[], $7::smallint[],
                    $8::smallint[], $9::text[], $10::text[], $11::bytea[], $12::smallint[], $13::boolean[],
                    $14::integer[], $15::boolean[], $16::smallint[])
             AS i (id, version, claim_id, lane, from_state, only_expired, state, outcome, reason, error, result,
                   retention, slim, tenant, uncounted, reported) OFFSET 0
    ) AS u
    WHERE t.part = ANY (ARRAY[u.part]) AND t.id = u.id AND t.version = u.version
      AND (t.lane = u.lane) IS TRUE AND t.state = u.from_state AND (u.from_state <> 2 OR t.claim_id = u.claim_id)
      AND (NOT u.only_expired OR t.lease_until <= belfry_now())
    RETURNING t.*, u.state AS final_state, u.outcome, u.reason, u.error, u.result, u.retention, u.slim, u.tenant,
              u.uncounted, u.reported
), ended AS (
    INSERT INTO history (part, retention, state, priority, attempt, outcome, reported, lane, tenant, id, version, claim_id,
                         due_at, scheduled_at, started_at, finished_at, start_by, timeout_us, age_until, leases, releases,
                         lost_leases, cancel_asked, worker_id, reason, error, body, result, attempts)
    SELECT g.part, g.retention, g.final_state, g.priority, g.attempt - g.uncounted::int::smallint, g.outcome, g.reported,
           g.lane, g.tenant, g.id, g.version + 1, g.claim_id, g.due_at, g.scheduled_at, g.claimed_at, belfry_now(), g.start_by, g.timeout_us,
           g.age_until, g.leases, g.releases, g.lost_leases + (g.outcome = 3)::int, g.cancel_asked, g.worker_id, g.reason,
           g.error, CASE WHEN g.slim THEN NULL ELSE g.body END, CASE WHEN g.slim THEN NULL ELSE g.result END,
           CASE WHEN g.leases > 1 OR g.reported = 0 THEN (
               SELECT jsonb_agg(jsonb_build_object('n', a.number, 'o', a.outcome, 's', a.started_at, 'e', a.ended_at,
                                                   'w', a.worker_id, 'x', CASE WHEN g.slim THEN '' ELSE a.error END, 'c', a.claim_id::text, 'd', a.due_at)
                                ORDER BY a.number)
               FROM attempts a WHERE a.part = g.part AND a.id = g.id AND a.number > g.leases - 100) END
    FROM gone AS g
)
SELECT g.id, g.schedule FROM gone AS g;

-- name: drop_attempts
-- Attempts of jobs that finish_jobs has moved to history (and of no others).
DELETE FROM attempts AS a
USING (SELECT {{part}}::smallint AS part, i.id FROM unnest($1::uuid[]) AS i (id) OFFSET 0) AS u
WHERE a.part = ANY (ARRAY[u.part]) AND a.id = u.id
  AND NOT EXISTS (SELECT 1 FROM {{leaf}} AS t WHERE t.part = a.part AND t.id = a.id OFFSET 0);

-- name: return_jobs
-- RUNNING -> PENDING with a later due time, after an attempt that failed, timed out or was released. The ended attempt
-- goes on record in the same statement. only_expired: a rescue, which needs the lease to be over.
WITH back AS (
    UPDATE {{leaf}} AS t
    SET state = 1, version = t.version + 1, attempt = t.attempt - u.uncounted::int::smallint,
        releases = t.releases + (u.outcome = 4)::int, lost_leases = t.lost_leases + u.lost::int,
        due_at = belfry_now() + u.wait_us * interval '1 microsecond',
        lease_until = NULL, attempt_until = NULL, lease_us = NULL
    FROM (
        SELECT {{part}}::smallint AS part, i.id, i.version, i.claim_id, i.lane, i.only_expired, i.outcome, i.error,
               i.wait_us, i.uncounted, i.lost
        FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::integer[], $5::boolean[], $6::smallint[], $7::text[],
                    $8::bigint[], $9::boolean[], $10::boolean[])
             AS i (id, version, claim_id, lane, only_expired, outcome, error, wait_us, uncounted, lost) OFFSET 0
    ) AS u
    WHERE t.part = ANY (ARRAY[u.part]) AND t.id = u.id AND t.version = u.version
      AND t.claim_id = u.claim_id AND (t.lane = u.lane) IS TRUE AND t.state = 2 AND NOT t.cancel_asked AND (NOT u.only_expired OR t.lease_until <= belfry_now())
    RETURNING t.part, t.id, t.leases, t.claim_id, t.version, t.claimed_at, t.due_at, t.worker_id, u.outcome, u.error
)
INSERT INTO attempts (part, id, number, outcome, claim_id, version, started_at, ended_at, due_at, worker_id, error)
SELECT b.part, b.id, b.leases, b.outcome, b.claim_id, b.version - 1, b.claimed_at, belfry_now(), b.due_at,
       coalesce(b.worker_id, ''), b.error
FROM back AS b
RETURNING id, version + 1, due_at;

-- name: ask_cancel
-- RUNNING stays RUNNING: the lease ends at the latest a grace after the request; version stays.
UPDATE {{leaf}} AS t
SET cancel_asked = true, cancel_reason = $3, attempt_until = least(t.attempt_until, belfry_now() + $4::bigint * interval '1 microsecond'),
    lease_until = least(t.lease_until, belfry_now() + $4::bigint * interval '1 microsecond')
WHERE t.part = {{part}} AND t.id = $1 AND t.version = $2 AND t.state = 2 AND NOT t.cancel_asked
RETURNING (extract(epoch FROM t.lease_until - belfry_now()) * 1000000)::bigint;
