-- +goose Up
-- Limits of schedules, the rules of their earlier revisions, and an index that leads to no id. Locks: schedules for a moment,
-- triggers while the index is built. Duration: seconds for each million of live jobs.

ALTER TABLE schedules ADD COLUMN runs bigint NOT NULL DEFAULT 0; -- jobs made by the rule, without those taken back

-- The rule as it was from a revision on, so that a run of equal skips in the ledger can be told apart again after an edit.
CREATE TABLE schedule_rules (
    schedule_uid uuid        NOT NULL,
    revision     bigint      NOT NULL,
    spec         jsonb       NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT belfry_now(),
    PRIMARY KEY (schedule_uid, revision)
);
INSERT INTO schedule_rules (schedule_uid, revision, spec) SELECT uid, 1, spec FROM schedules;

-- Release of the time zone database by which schedules.next_at was computed; another one computes them anew.
ALTER TABLE cluster ADD COLUMN zone_data text NOT NULL DEFAULT '';

-- The order of lanes as before, but for statements alone that say `lane > 0`, which is true of all: one that looks for ids must
-- find no index but the key.
DROP INDEX triggers_lane;
CREATE INDEX triggers_lane ON triggers (lane, priority, due_at, id) WHERE lane > 0;
