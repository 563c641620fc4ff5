-- What the loader reads: rows that will be due soon, or are due already. None of them names part where the leaf says it:
-- see hot.sql. `lane > 0`, which is true of all lanes, opens the index of lanes: it is there for statements alone that say so,
-- so that none which looks for ids is planned by it.

-- name: ordered_settings
-- Rows come from an index in its order, and reading stops at the limit. On a leaf that has grown since it was analysed the
-- planner would rather read a whole range, all that is overdue perhaps, and sort it. A sort that is needed all the same
-- seems so dear then that the planner would compile it: 250 ms for a page of 1 ms.
SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true),
       set_config('jit', 'off', true);

-- name: load_window
-- Rows due inside (from, to]. Those of one instant come in any order: to sort them, all of a herd would have to be read.
SELECT t.id, t.version, t.due_at, t.lane, t.priority, octet_length(t.body)
FROM {{leaf}} AS t
WHERE t.due_at > $1 AND t.due_at <= $2 AND t.state = 1
ORDER BY t.due_at LIMIT $3;

-- name: load_lanes
-- Which lanes have rows at all, by a loose index scan: its cost is the number of lanes, not of rows.
WITH RECURSIVE found AS (
    (SELECT t.lane FROM {{leaf}} AS t WHERE t.lane > 0 ORDER BY t.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT t.lane FROM {{leaf}} AS t WHERE t.lane > f.lane AND t.lane > 0 ORDER BY t.lane LIMIT 1)
    FROM found AS f WHERE f.lane IS NOT NULL
)
SELECT lane FROM found WHERE lane IS NOT NULL;

-- name: load_lane
-- The next due rows of a lane at one priority, at or behind a position: the read goes on where it ended, never again from
-- the index's head.
SELECT t.id, t.version, t.due_at, t.lane, t.priority, octet_length(t.body)
FROM {{leaf}} AS t
WHERE t.lane = $1 AND t.lane > 0 AND t.priority = $2 AND (t.due_at, t.id) >= ($3::timestamptz, $4::uuid) AND t.due_at <= $5
  AND t.state = 1
ORDER BY t.due_at, t.id LIMIT $6;

-- name: load_lane_rest
-- The first due rows of a lane at all priorities behind one.
SELECT t.id, t.version, t.due_at, t.lane, t.priority, t.size
FROM generate_series($2::int + 1, 9) AS p (priority)
CROSS JOIN LATERAL (
    SELECT w.id, w.version, w.due_at, w.lane, w.priority, octet_length(w.body) AS size FROM {{leaf}} AS w
    WHERE w.lane = $1 AND w.lane > 0 AND w.priority = p.priority AND w.due_at <= $3 AND w.state = 1
    ORDER BY w.due_at, w.id LIMIT $4
) AS t
ORDER BY t.priority, t.due_at, t.id LIMIT $4;

-- name: load_expired
-- PENDING rows that may not start any more: start_by has passed, or their age is spent.
(SELECT t.id, t.version, t.lane FROM {{leaf}} AS t
 WHERE t.state = 1 AND t.start_by IS NOT NULL AND t.start_by <= belfry_now() AND t.leases = 0
 ORDER BY t.start_by LIMIT $1);

-- name: load_overaged
SELECT t.id, t.version, t.lane FROM {{leaf}} AS t
WHERE t.state = 1 AND t.due_at <= belfry_now() AND t.age_until <= belfry_now() ORDER BY t.due_at LIMIT $1;

-- name: open_claims
-- Claim batches that may still have outstanding leases.
SELECT c.claim_id, c.ids FROM claims AS c WHERE c.part = {{part}};

-- name: lease_states
-- Outstanding leases among the given rows: how long each still holds by the database's clock.
SELECT t.id, t.version, t.claim_id, t.lane, (extract(epoch FROM t.lease_until - belfry_now()) * 1000000)::bigint,
       t.lease_us
FROM unnest($1::uuid[]) AS k (id)
CROSS JOIN LATERAL (SELECT * FROM {{leaf}} AS w WHERE w.part = {{part}} AND w.id = k.id OFFSET 0) AS t
WHERE t.state = 2;

-- name: drop_claims
DELETE FROM claims AS c
USING (SELECT {{part}}::smallint AS part, i.claim_id FROM unnest($1::bigint[]) AS i (claim_id) OFFSET 0) AS u
WHERE c.part = ANY (ARRAY[u.part]) AND c.claim_id = u.claim_id;
