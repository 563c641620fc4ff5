-- +goose Up
-- Calendars: named days on which the schedules that name them do not fire. Locks: none that anything waits for. Duration:
-- milliseconds.

CREATE TABLE calendars (
    id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant        integer     NOT NULL REFERENCES tenants (id),
    uid           uuid        NOT NULL DEFAULT gen_random_uuid(),
    name          text        NOT NULL COLLATE "C",
    days          text[]      NOT NULL,            -- as recurrence.ParseDays reads them
    description   text        NOT NULL,
    revision      bigint      NOT NULL DEFAULT 1,  -- raised by every change
    days_revision bigint      NOT NULL DEFAULT 1,  -- the revision that brought its days
    pending       boolean     NOT NULL DEFAULT false, -- schedules may have copied older days
    created_at    timestamptz NOT NULL DEFAULT belfry_now(),
    updated_at    timestamptz NOT NULL DEFAULT belfry_now(),
    UNIQUE (tenant, name)
);
CREATE INDEX calendars_pending ON calendars (updated_at) WHERE pending;

-- Which live schedules name a calendar, and which days of it their rule (schedules.spec) has copied.
CREATE TABLE schedule_calendars (
    calendar integer NOT NULL REFERENCES calendars (id),
    schedule integer NOT NULL,
    revision bigint  NOT NULL, -- calendars.days_revision then
    PRIMARY KEY (calendar, schedule)
);
CREATE INDEX schedule_calendars_schedule ON schedule_calendars (schedule);
