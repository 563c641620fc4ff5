-- +goose Up
-- Limits of schedules, and the rules of their earlier revisions. Locks: schedules, for a moment. Duration: milliseconds, and
-- a copy of the rules.

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
