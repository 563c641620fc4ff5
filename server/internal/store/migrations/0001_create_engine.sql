-- +goose Up
-- The engine's tables. Locks: none that matter (everything is new). Duration: milliseconds.

-- The one place where SQL reads the clock. statement_timestamp() is stable within a statement and never ahead of the
-- real time; tests replace this function to move the clock.
CREATE FUNCTION belfry_now() RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT statement_timestamp()';

-- Facts fixed when the database was made.
CREATE TABLE cluster (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    cluster_uid uuid        NOT NULL DEFAULT gen_random_uuid(),
    partitions  integer     NOT NULL CHECK (partitions BETWEEN 1 AND 4096),
    created_at  timestamptz NOT NULL DEFAULT belfry_now()
);

CREATE TABLE tenants (
    id                 integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uid                uuid        NOT NULL DEFAULT gen_random_uuid(),
    name               text        NOT NULL UNIQUE COLLATE "C",
    display_name       text        NOT NULL,
    auto_create_queues boolean     NOT NULL,
    revision           bigint      NOT NULL DEFAULT 1,
    created_at         timestamptz NOT NULL DEFAULT belfry_now()
);

-- tenant 0 is the platform.
CREATE TABLE api_keys (
    id           uuid PRIMARY KEY,
    tenant       integer     NOT NULL,
    display_name text        NOT NULL,
    scopes       integer     NOT NULL,
    hash         bytea       NOT NULL CHECK (octet_length(hash) = 32),
    created_at   timestamptz NOT NULL DEFAULT belfry_now(),
    expires_at   timestamptz,
    revoked_at   timestamptz
);
CREATE INDEX api_keys_tenant ON api_keys (tenant, id);

-- A deleted queue keeps its row, so that history can name it; its name is free again.
CREATE TABLE queues (
    id                  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant              integer     NOT NULL REFERENCES tenants (id),
    uid                 uuid        NOT NULL DEFAULT gen_random_uuid(),
    name                text        NOT NULL COLLATE "C",
    part                smallint    NOT NULL,
    settings            jsonb       NOT NULL,
    paused              boolean     NOT NULL DEFAULT false,
    pause_reason        text        NOT NULL DEFAULT '',
    revision            bigint      NOT NULL DEFAULT 1,
    created_at          timestamptz NOT NULL DEFAULT belfry_now(),
    updated_at          timestamptz NOT NULL DEFAULT belfry_now(),
    deleted_at          timestamptz
);
CREATE UNIQUE INDEX queues_live_name ON queues (tenant, name) WHERE deleted_at IS NULL;
CREATE INDEX queues_tenant ON queues (tenant, part);

-- One integer for (tenant, queue, job type): the unit of loading, backlog and readiness.
CREATE TABLE lanes (
    lane     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant   integer NOT NULL,
    queue    integer NOT NULL REFERENCES queues (id),
    job_type text    NOT NULL COLLATE "C",
    UNIQUE (queue, job_type)
);

-- Ownership. A claim locks its row FOR KEY SHARE and names epoch and config_version; a take-over or a pause locks it FOR
-- UPDATE and raises one of them, so that no claim decided under the old state commits afterwards.
CREATE TABLE partitions (
    part           smallint PRIMARY KEY,
    owner          text        NOT NULL DEFAULT '' COLLATE "C",
    epoch          bigint      NOT NULL DEFAULT 0,
    config_version bigint      NOT NULL DEFAULT 0,
    lease_until    timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);

-- Jobs that are alive. No index holds state or lease columns, so that claims and heartbeats can be HOT updates. The leaf
-- tables triggers_pNN are made by `belfry migrate`, one a partition.
--   state: 1 PENDING, 2 RUNNING, 3 BLOCKED.  READY is PENDING and due: derived, never written.
CREATE TABLE triggers (
    part          smallint    NOT NULL,
    state         smallint    NOT NULL DEFAULT 1 CHECK (state BETWEEN 1 AND 3),
    priority      smallint    NOT NULL CHECK (priority BETWEEN 0 AND 9),
    attempt       smallint    NOT NULL DEFAULT 0,  -- counted attempts, the running one included
    lane          integer     NOT NULL,
    id            uuid        NOT NULL,
    version       bigint      NOT NULL DEFAULT 1,
    due_at        timestamptz NOT NULL,            -- greatest(asked for, clock) whenever the row became runnable
    scheduled_at  timestamptz NOT NULL,            -- what was asked for at creation
    age_until     timestamptz NOT NULL,            -- dead with MAX_AGE from then on
    start_by      timestamptz,                     -- dead with EXPIRED if not started by then
    timeout_us    bigint,                          -- bound on one attempt; NULL: the queue's
    leases        integer     NOT NULL DEFAULT 0,  -- leases so far; numbers the attempts
    releases      integer     NOT NULL DEFAULT 0,
    lost_leases   integer     NOT NULL DEFAULT 0,
    claim_id      bigint,                          -- of the latest lease; kept after its end
    claimed_at    timestamptz,
    lease_until   timestamptz,
    attempt_until timestamptz,                     -- heartbeats do not extend the lease beyond it
    lease_us      bigint,
    beaten        boolean     NOT NULL DEFAULT false,  -- whether a heartbeat came in the running attempt
    cancel_asked  boolean     NOT NULL DEFAULT false,
    cancel_reason text,
    worker_id     text,
    body          bytea       NOT NULL,            -- payload, headers, policy: job.Body, written once
    PRIMARY KEY (part, id),
    CHECK (state <> 2 OR (claim_id IS NOT NULL AND lease_until IS NOT NULL AND attempt_until IS NOT NULL
                          AND claimed_at IS NOT NULL AND lease_us IS NOT NULL))
) PARTITION BY LIST (part);
CREATE INDEX triggers_due   ON triggers (due_at) INCLUDE (lane);
CREATE INDEX triggers_lane  ON triggers (lane, priority, due_at, id);
CREATE INDEX triggers_start ON triggers (start_by) WHERE start_by IS NOT NULL;

-- One row per claim batch and partition, so that a new owner finds the outstanding leases by primary key, however many
-- overdue rows there are. Rows are removed when none of their leases is outstanding.
CREATE TABLE claims (
    part       smallint    NOT NULL,
    claim_id   bigint      NOT NULL,
    ids        uuid[]      NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT belfry_now(),
    PRIMARY KEY (part, claim_id)
);

-- Ended attempts of live jobs, except the one that ends the job: that one is the history row itself.
CREATE TABLE attempts (
    part       smallint    NOT NULL,
    number     integer     NOT NULL,
    outcome    smallint    NOT NULL,               -- 2 FAILED, 3 TIMED_OUT, 4 RELEASED
    id         uuid        NOT NULL,
    claim_id   bigint      NOT NULL,
    version    bigint      NOT NULL,               -- of the lease
    started_at timestamptz NOT NULL,
    ended_at   timestamptz NOT NULL,
    due_at     timestamptz NOT NULL,               -- when the job was due again: what a repeated call is answered
    worker_id  text        NOT NULL,
    error      text        NOT NULL,
    PRIMARY KEY (part, id, number)
);

-- Jobs that have ended, by retention class (days) and day. Partitions are made a week ahead and dropped whole.
--   state: 4 SUCCEEDED, 5 DEAD, 6 CANCELLED.
CREATE TABLE history (
    part          smallint    NOT NULL,
    retention     smallint    NOT NULL,
    state         smallint    NOT NULL,
    priority      smallint    NOT NULL,
    attempt       smallint    NOT NULL,
    outcome       smallint    NOT NULL,            -- of the attempt that ended it; 0: it was not running
    reported      smallint    NOT NULL DEFAULT 0,  -- what the ending call reported, 3 for a rescue: the receipt
    lane          integer     NOT NULL,
    tenant        integer     NOT NULL,
    id            uuid        NOT NULL,
    version       bigint      NOT NULL,            -- after the end
    claim_id      bigint,
    due_at        timestamptz NOT NULL,
    scheduled_at  timestamptz NOT NULL,
    started_at    timestamptz,
    finished_at   timestamptz NOT NULL,
    start_by      timestamptz,
    timeout_us    bigint,
    age_until     timestamptz NOT NULL,
    leases        integer     NOT NULL,
    releases      integer     NOT NULL,
    lost_leases   integer     NOT NULL,
    cancel_asked  boolean     NOT NULL,
    worker_id     text,
    reason        text        NOT NULL,
    error         text        NOT NULL,
    body          bytea,                           -- NULL in slim history
    result        bytea,
    attempts      jsonb
) PARTITION BY LIST (retention);
CREATE INDEX history_job    ON history (part, id);
CREATE INDEX history_tenant ON history (tenant, id);

-- request_id of creates, remembered for at least 24 hours. part = hash(tenant, request id) mod N.
CREATE TABLE requests (
    part        smallint    NOT NULL,
    key         uuid        NOT NULL,              -- SHA-256 of tenant and request id, first 16 bytes
    fingerprint bigint      NOT NULL,              -- of the body, to refuse another one
    job_id      uuid        NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT belfry_now(),
    PRIMARY KEY (part, key)
);
CREATE INDEX requests_created ON requests (created_at);

-- request_id of other creates: few, and kept apart from the hot table.
CREATE TABLE admin_requests (
    key         uuid PRIMARY KEY,
    fingerprint bigint      NOT NULL,
    resource    text        NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT belfry_now()
);

