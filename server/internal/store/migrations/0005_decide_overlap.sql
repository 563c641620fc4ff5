-- +goose Up
-- What becomes of an occurrence while another run of its schedule is alive. Schedules that are there already go on as before:
-- their runs overlap. Locks: schedules and occurrences, for a moment. Duration: milliseconds.

ALTER TABLE schedules
    ADD COLUMN overlap          smallint   NOT NULL DEFAULT 2 CHECK (overlap BETWEEN 1 AND 4), -- schedule.Overlap
    ADD COLUMN pause_on_failure boolean    NOT NULL DEFAULT false,
    ADD COLUMN calls            bigint     NOT NULL DEFAULT 0,   -- manual runs and backfills; materialising names it, as it decides by what is alive
    ADD COLUMN other_parts      smallint[] NOT NULL DEFAULT '{}'; -- where runs may be alive from before its queue changed

-- Jobs that are BLOCKED. decide_at is when the overlap policy decides; infinity: it has, and the job waits for the end of
-- other runs. A row without its job (cancelled meanwhile) is stale, and goes at the next look.
CREATE TABLE blocked_jobs (
    part      smallint    NOT NULL,
    overlap   smallint    NOT NULL,
    schedule  integer     NOT NULL,
    id        uuid        NOT NULL,
    decide_at timestamptz NOT NULL,
    PRIMARY KEY (schedule, id)
);
CREATE INDEX blocked_jobs_decide ON blocked_jobs (part, decide_at);
CREATE INDEX blocked_jobs_waiting ON blocked_jobs (part, schedule) WHERE decide_at = 'infinity';

-- Jobs that ended, or were about to end, as DEAD, of schedules that are to be paused then.
CREATE TABLE dead_runs (
    part     smallint NOT NULL,
    schedule integer  NOT NULL,
    id       uuid     NOT NULL,
    PRIMARY KEY (part, schedule, id)
);
