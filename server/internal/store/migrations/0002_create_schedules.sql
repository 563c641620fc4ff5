-- +goose Up
-- Schedules and the ledger of their occurrences. Locks: triggers, for a moment (it has no rows yet). Duration:
-- milliseconds.

CREATE TABLE schedules (
    id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant          integer     NOT NULL REFERENCES tenants (id),
    uid             uuid        NOT NULL DEFAULT gen_random_uuid(),
    name            text        NOT NULL COLLATE "C",
    part            smallint    NOT NULL,          -- of its queue: where its jobs go, and whose owner materialises it
    home            smallint    NOT NULL,          -- of its ledger: stays when the queue changes, so that the key holds
    spec            jsonb       NOT NULL,          -- schedule.Rule
    queue           text        NOT NULL COLLATE "C",
    job_type        text        NOT NULL COLLATE "C",
    priority        smallint    NOT NULL CHECK (priority BETWEEN 0 AND 9),
    start_within_us bigint,
    timeout_us      bigint,
    age_us          bigint      NOT NULL,
    payload         bytea       NOT NULL,          -- the template's job.Body in two pieces (Body.Parts), so that lists
    body            bytea       NOT NULL,          -- can leave the large one out
    description     text        NOT NULL,
    paused          boolean     NOT NULL DEFAULT false,
    pause_reason    text        NOT NULL DEFAULT '',
    error           text        NOT NULL DEFAULT '', -- why it cannot fire any more
    revision        bigint      NOT NULL DEFAULT 1,  -- raised by edit, pause, resume and delete, and by nothing else
    cursor_at       timestamptz NOT NULL,          -- nominal times up to and including this one have their outcome
    next_at         timestamptz,                   -- a bound below the first one after it; NULL: none left, or error
    last_at         timestamptz,                   -- latest nominal time that made a job; may lie ahead
    last_job_id     uuid,
    created_at      timestamptz NOT NULL DEFAULT belfry_now(),
    updated_at      timestamptz NOT NULL DEFAULT belfry_now(),
    deleted_at      timestamptz
) WITH (fillfactor = 70, toast_tuple_target = 256, autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX schedules_live_name ON schedules (tenant, name) WHERE deleted_at IS NULL;
CREATE INDEX schedules_next ON schedules (part, next_at, id) WHERE deleted_at IS NULL AND NOT paused AND next_at IS NOT NULL;

-- What became of each nominal time: one row each, or one for a run of equal skips (nominal_at to until_at).
--   outcome: 1 materialised, 2 caught up, 3 merged into a later one, 4 skipped, 5 withdrawn before it was leased
CREATE TABLE occurrences (
    part         smallint    NOT NULL,             -- schedules.home
    outcome      smallint    NOT NULL CHECK (outcome BETWEEN 1 AND 5),
    origin       smallint    NOT NULL DEFAULT 1,   -- 1 its rule
    count        integer     DEFAULT 1,            -- nominal times in the run; NULL: not counted
    schedule_uid uuid        NOT NULL,
    nominal_at   timestamptz NOT NULL,
    until_at     timestamptz NOT NULL,
    revision     bigint      NOT NULL,             -- of the schedule then
    created_at   timestamptz NOT NULL DEFAULT belfry_now(),
    job_id       uuid,
    reason       text        NOT NULL DEFAULT '',
    PRIMARY KEY (part, schedule_uid, nominal_at, origin)
);
CREATE INDEX occurrences_created ON occurrences (created_at);

-- Whose occurrence a live row is. Set once and indexed only where set, so that updates stay HOT and other jobs pay nothing.
ALTER TABLE triggers ADD COLUMN schedule integer;
CREATE INDEX triggers_schedule ON triggers (schedule) WHERE schedule IS NOT NULL;
