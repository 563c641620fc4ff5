-- +goose Up
-- Schedules and the ledger of their occurrences. Locks: none that matter. Duration: milliseconds.

CREATE TABLE schedules (
    id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant        integer     NOT NULL REFERENCES tenants (id),
    uid           uuid        NOT NULL DEFAULT gen_random_uuid(),
    name          text        NOT NULL COLLATE "C",
    part          smallint    NOT NULL,            -- whose owner materialises it
    spec          jsonb       NOT NULL,            -- rule and zone
    template      bytea       NOT NULL,            -- job.Template of each occurrence
    queue         text        NOT NULL COLLATE "C",
    description   text        NOT NULL,
    paused        boolean     NOT NULL DEFAULT false,
    pause_reason  text        NOT NULL DEFAULT '',
    error         text        NOT NULL DEFAULT '',
    revision      bigint      NOT NULL DEFAULT 1,  -- raised by edit, pause, resume and delete
    cursor_at     timestamptz NOT NULL,            -- nominal times up to and including this one have their outcome
    next_at       timestamptz,                     -- first nominal time after the cursor; NULL: none left, or error
    last_at       timestamptz,
    last_job_id   uuid,
    created_at    timestamptz NOT NULL DEFAULT belfry_now(),
    updated_at    timestamptz NOT NULL DEFAULT belfry_now(),
    deleted_at    timestamptz
);
CREATE UNIQUE INDEX schedules_live_name ON schedules (tenant, name) WHERE deleted_at IS NULL;
CREATE INDEX schedules_next ON schedules (part, next_at) WHERE deleted_at IS NULL AND NOT paused AND next_at IS NOT NULL;

-- One row per nominal time, or per run of equal skips (nominal_at .. until_at, count).
--   outcome: 1 materialised, 2 caught up, 3 merged, 4 skipped, 5 withdrawn
CREATE TABLE occurrences (
    part         smallint    NOT NULL,
    outcome      smallint    NOT NULL,
    schedule_uid uuid        NOT NULL,
    nominal_at   timestamptz NOT NULL,
    until_at     timestamptz NOT NULL,
    count        integer     NOT NULL DEFAULT 1,
    revision     bigint      NOT NULL,
    job_id       uuid,
    reason       text        NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL DEFAULT belfry_now(),
    PRIMARY KEY (part, schedule_uid, nominal_at)
);
CREATE INDEX occurrences_created ON occurrences (created_at);

