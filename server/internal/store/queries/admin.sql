-- Tenants, keys, queues and lanes: what administration changes. Every change is guarded by revision.

-- name: note_request
-- ON CONFLICT waits for a concurrent call with the same request id, so that a repeated call sees what the first one made.
INSERT INTO admin_requests (key, fingerprint, resource) VALUES ($1, $2, '') ON CONFLICT (key) DO NOTHING;

-- name: name_request
UPDATE admin_requests SET resource = $2 WHERE key = $1;

-- name: known_request
SELECT r.fingerprint, r.resource FROM admin_requests AS r WHERE r.key = $1;

-- name: create_tenant
INSERT INTO tenants AS t (name, display_name, auto_create_queues) VALUES ($1, $2, $3)
ON CONFLICT (name) DO NOTHING
RETURNING {{tenant}};

-- name: tenant_by_name
SELECT {{tenant}} FROM tenants AS t WHERE t.name = $1;

-- name: tenants_by_id
SELECT {{tenant}} FROM tenants AS t WHERE t.id = ANY ($1::integer[]);

-- name: list_tenants
SELECT {{tenant}} FROM tenants AS t WHERE t.name > $1 ORDER BY t.name LIMIT $2;

-- name: create_key
INSERT INTO api_keys AS k (id, tenant, display_name, scopes, hash, expires_at)
VALUES ($1, $2, $3, $4, $5, belfry_now() + $6::bigint * interval '1 microsecond')
ON CONFLICT (id) DO NOTHING
RETURNING {{key}};

-- name: key_by_id
SELECT {{key}} FROM api_keys AS k WHERE k.id = $1;

-- name: list_keys
-- Newest first: ids sort by time.
SELECT {{key}} FROM api_keys AS k WHERE k.tenant = $1 AND k.id < $2 ORDER BY k.id DESC LIMIT $3;

-- name: revoke_key
-- Valid -> revoked, once: the first time stays.
UPDATE api_keys AS k SET revoked_at = coalesce(k.revoked_at, belfry_now()) WHERE k.tenant = $1 AND k.id = $2
RETURNING {{key}};

-- name: create_queue
WITH q AS (
    INSERT INTO queues (tenant, name, part, settings) VALUES ($1, $2, $3, $4)
    ON CONFLICT (tenant, name) WHERE deleted_at IS NULL DO NOTHING
    RETURNING *
)
SELECT {{queue}} FROM q JOIN tenants AS t ON t.id = q.tenant;

-- name: queue_by_name
SELECT {{queue}} FROM queues AS q JOIN tenants AS t ON t.id = q.tenant
WHERE q.tenant = $1 AND q.name = $2 AND q.deleted_at IS NULL;

-- name: queues_by_id
-- Deleted ones too: history names them.
SELECT {{queue}} FROM queues AS q JOIN tenants AS t ON t.id = q.tenant WHERE q.id = ANY ($1::integer[]);

-- name: list_queues
SELECT {{queue}} FROM queues AS q JOIN tenants AS t ON t.id = q.tenant
WHERE q.tenant = $1 AND q.name > $2 AND q.deleted_at IS NULL ORDER BY q.name LIMIT $3;

-- name: queue_names
SELECT q.name FROM queues AS q WHERE q.tenant = $1 AND q.deleted_at IS NULL ORDER BY q.name LIMIT $2;

-- name: change_queue
-- A queue as the caller knows it -> changed. Runs after raise_config in the same transaction.
WITH q AS (
    UPDATE queues SET settings = $3, paused = $4, pause_reason = $5, revision = revision + 1, updated_at = belfry_now()
    WHERE id = $1 AND revision = $2 AND deleted_at IS NULL
    RETURNING *
)
SELECT {{queue}} FROM q JOIN tenants AS t ON t.id = q.tenant;

-- name: delete_queue
-- A queue as the caller knows it -> deleted. Runs after raise_config, and after a look at its live rows, in the same
-- transaction.
WITH q AS (
    UPDATE queues SET deleted_at = belfry_now(), revision = revision + 1, updated_at = belfry_now()
    WHERE id = $1 AND revision = $2 AND deleted_at IS NULL
    RETURNING *
)
SELECT {{queue}} FROM q JOIN tenants AS t ON t.id = q.tenant;

-- name: held_by_lanes
-- What lanes hold, counted up to a limit: waiting, and leased.
SELECT count(*) FILTER (WHERE h.state <> 2), count(*) FILTER (WHERE h.state = 2)
FROM (SELECT w.state FROM {{leaf}} AS w WHERE w.lane = ANY ($1::integer[]) AND w.lane > 0 LIMIT $2) AS h;

-- name: leased_in_lanes
-- Leases in lanes, by way of the claim batches on record: the cost is that of the leases, whatever else waits.
SELECT count(*) FROM (SELECT DISTINCT unnest(c.ids) AS id FROM claims AS c WHERE c.part = {{part}}) AS leased
CROSS JOIN LATERAL (
    SELECT 1 FROM {{leaf}} AS w
    WHERE w.part = {{part}} AND w.id = leased.id AND w.state = 2 AND w.lane = ANY ($1::integer[]) LIMIT 1
) AS t;

-- name: cancel_waiting
-- PENDING or BLOCKED -> CANCELLED, at most $2 rows of lanes. Rows are locked in order of id; one that has been leased
-- meanwhile is left alone.
WITH picked AS (
    SELECT w.id FROM {{leaf}} AS w WHERE w.lane = ANY ($1::integer[]) AND w.lane > 0 AND w.state <> 2 LIMIT $2
), held AS (
    SELECT t.id FROM picked AS p JOIN {{leaf}} AS t ON t.part = {{part}} AND t.id = p.id
    WHERE t.state <> 2 ORDER BY t.id FOR UPDATE OF t
), gone AS (
    DELETE FROM {{leaf}} AS t USING held AS p WHERE t.part = {{part}} AND t.id = p.id AND t.state <> 2
    RETURNING t.*
)
INSERT INTO history (part, retention, state, priority, attempt, outcome, lane, tenant, id, version, claim_id, due_at,
                     scheduled_at, started_at, finished_at, start_by, timeout_us, age_until, leases, releases,
                     lost_leases, cancel_asked, worker_id, reason, error, body, result, attempts)
SELECT g.part, $3::smallint, 6, g.priority, g.attempt, 0, g.lane, $4::integer, g.id, g.version + 1, g.claim_id, g.due_at,
       g.scheduled_at, g.claimed_at, belfry_now(), g.start_by, g.timeout_us, g.age_until, g.leases, g.releases,
       g.lost_leases, g.cancel_asked, g.worker_id, $5::text, '', g.body, NULL,
       CASE WHEN g.leases > 0 THEN (
           SELECT jsonb_agg(jsonb_build_object('n', a.number, 'o', a.outcome, 's', a.started_at, 'e', a.ended_at,
                                               'w', a.worker_id, 'x', a.error, 'c', a.claim_id::text, 'd', a.due_at)
                            ORDER BY a.number)
           FROM attempts AS a WHERE a.part = g.part AND a.id = g.id AND a.number > g.leases - 100) END
FROM gone AS g
RETURNING id;

-- name: lane_by_type
SELECT l.lane, l.tenant, l.queue, l.job_type FROM lanes AS l WHERE l.queue = $1 AND l.job_type = $2;

-- name: lanes_by_number
SELECT l.lane, l.tenant, l.queue, l.job_type FROM lanes AS l WHERE l.lane = ANY ($1::integer[]);

-- name: lanes_of_queues
SELECT l.lane, l.tenant, l.queue, l.job_type FROM lanes AS l WHERE l.queue = ANY ($1::integer[]) ORDER BY l.lane;

-- name: lock_queue
-- One at a time adds a lane to a queue, so that the count, which is a statement of its own behind the lock, holds. A
-- deleted queue gets none.
SELECT q.id FROM queues AS q WHERE q.id = $1 AND q.deleted_at IS NULL FOR NO KEY UPDATE;

-- name: count_lanes
SELECT count(*) FROM lanes AS l WHERE l.queue = $1;

-- name: create_lane
INSERT INTO lanes AS l (tenant, queue, job_type)
SELECT q.tenant, q.id, $2 FROM queues AS q WHERE q.id = $1
ON CONFLICT (queue, job_type) DO NOTHING
RETURNING l.lane, l.tenant, l.queue, l.job_type;
