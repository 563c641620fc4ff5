-- Schedules and the ledger of their occurrences. A change locks the schedule's row first and then rows of its jobs in order
-- of id; so does materialising, many schedules at a time in order of id. revision names the state that callers know;
-- cursor_at is how far the outcomes reach.

-- name: create_schedule
WITH s AS (
    INSERT INTO schedules (tenant, name, part, home, spec, queue, job_type, priority, start_within_us, timeout_us, age_us,
                           payload, body, description, cursor_at, next_at, overlap, pause_on_failure)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
    ON CONFLICT (tenant, name) WHERE deleted_at IS NULL DO NOTHING
    RETURNING *
), kept AS (
    INSERT INTO schedule_rules (schedule_uid, revision, spec) SELECT s.uid, s.revision, s.spec FROM s
)
SELECT {{schedule}} FROM s {{schedule_joins}};

-- name: create_schedules
-- Many schedules of one tenant; names that are taken are left out. In order of name, so that two batches with common names
-- wait for each other in one order.
WITH s AS (
    INSERT INTO schedules (tenant, name, part, home, spec, queue, job_type, priority, start_within_us, timeout_us, age_us,
                           payload, body, description, cursor_at, next_at, overlap, pause_on_failure)
    SELECT $1, u.name, u.part, u.part, u.spec::jsonb, u.queue, u.job_type, u.priority, u.start_within_us, u.timeout_us, u.age_us,
           u.payload, u.body, u.description, u.cursor_at, u.next_at, u.overlap, u.pause_on_failure
    FROM unnest($2::text[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::smallint[], $8::bigint[], $9::bigint[],
                $10::bigint[], $11::bytea[], $12::bytea[], $13::text[], $14::timestamptz[], $15::timestamptz[],
                $16::smallint[], $17::boolean[])
         AS u (name, part, spec, queue, job_type, priority, start_within_us, timeout_us, age_us, payload, body, description,
               cursor_at, next_at, overlap, pause_on_failure)
    ORDER BY u.name COLLATE "C"
    ON CONFLICT (tenant, name) WHERE deleted_at IS NULL DO NOTHING
    RETURNING *
), kept AS (
    INSERT INTO schedule_rules (schedule_uid, revision, spec) SELECT s.uid, s.revision, s.spec FROM s
)
SELECT {{schedule_brief}} FROM s {{schedule_joins}};

-- name: schedules_by_id
-- Deleted ones too: a repeated batch is answered with them.
SELECT {{schedule_brief}} FROM schedules AS s {{schedule_joins}} WHERE s.id = ANY ($1::integer[]);

-- name: taken_schedules
SELECT s.name FROM schedules AS s WHERE s.tenant = $1 AND s.name = ANY ($2::text[]) AND s.deleted_at IS NULL;

-- name: schedule_by_name
SELECT {{schedule}} FROM schedules AS s {{schedule_joins}}
WHERE s.tenant = $1 AND s.name = $2 AND s.deleted_at IS NULL;

-- name: schedule_by_id
-- A deleted one too: a repeated create is answered with it.
SELECT {{schedule}} FROM schedules AS s {{schedule_joins}} WHERE s.id = $1;

-- name: list_schedules
SELECT {{schedule_brief}} FROM schedules AS s {{schedule_joins}}
WHERE s.tenant = $1 AND s.name > $2 AND s.deleted_at IS NULL ORDER BY s.name LIMIT $3;

-- name: lock_schedule
-- Serialises with materialising: from here on the schedule makes no job, and those it has made can be seen.
SELECT s.cursor_at FROM schedules AS s WHERE s.id = $1 AND s.revision = $2 AND s.deleted_at IS NULL FOR UPDATE;

-- name: withdraw_jobs
-- PENDING or BLOCKED and never leased -> CANCELLED, at most $5 jobs of a schedule: those of its rule alone if $8, else also
-- those of manual runs and backfills, which have no part in its count of runs and in where its rule goes on. A claim that
-- comes first has raised the row's state and is left alone; one that comes later finds no row. So no claim needs to be held
-- up. Jobs are picked in order of their nominal times, so that those of one statement stand together in the ledger, and
-- locked in order of their ids. Answers how many were picked, how many of them went, and the first nominal time of the rule.
WITH picked AS (
    SELECT t.id FROM {{leaf}} AS t
    WHERE t.schedule = $1 AND t.state <> 2 AND t.leases = 0
      AND (NOT $8::boolean OR EXISTS (SELECT 1 FROM occurrences AS o WHERE o.part = $2 AND o.schedule_uid = $3
                                      AND o.nominal_at = t.scheduled_at AND o.origin = 1 AND o.job_id = t.id OFFSET 0))
    ORDER BY t.scheduled_at, t.id LIMIT $5
), held AS (
    SELECT t.id FROM {{leaf}} AS t
    WHERE t.part = {{part}} AND t.id = ANY (ARRAY(SELECT p.id FROM picked AS p)) AND t.state <> 2 AND t.leases = 0
    ORDER BY t.id FOR UPDATE
), gone AS (
    DELETE FROM {{leaf}} AS t USING held AS h
    WHERE t.part = {{part}} AND t.id = h.id AND t.state <> 2 AND t.leases = 0
    RETURNING t.*
), ended AS (
    INSERT INTO history (retention, tenant, reason, {{unleased}})
    SELECT $6::smallint, $7::integer, $4::text, {{unleased_values}} FROM gone AS g
), unblocked AS (
    DELETE FROM blocked_jobs AS b USING gone AS g WHERE b.schedule = $1 AND b.id = g.id
), noted AS (
    UPDATE occurrences AS o SET outcome = 5, reason = $4::text
    WHERE o.part = $2 AND o.schedule_uid = $3 AND o.nominal_at >= (SELECT min(g.scheduled_at) FROM gone AS g)
      AND o.nominal_at <= (SELECT max(g.scheduled_at) FROM gone AS g)
      AND o.job_id = ANY (ARRAY(SELECT g.id FROM gone AS g))
    RETURNING o.origin, o.nominal_at
), uncounted AS (
    UPDATE schedules AS s SET runs = s.runs - (SELECT count(*) FROM noted AS n WHERE n.origin = 1) WHERE s.id = $1
)
SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM gone), (SELECT min(n.nominal_at) FROM noted AS n WHERE n.origin = 1);

-- name: reopen_ledger
-- Skips that were decided on before their time are undecided again: those behind $3 go, a run across it is cut there.
WITH gone AS (
    DELETE FROM occurrences AS o
    WHERE o.part = $1 AND o.schedule_uid = $2 AND o.nominal_at > $3 AND o.outcome IN (3, 4)
      AND o.origin = 1
)
UPDATE occurrences AS o SET until_at = $3, count = NULL
WHERE o.part = $1 AND o.schedule_uid = $2 AND o.outcome IN (3, 4) AND o.until_at > $3 AND o.origin = 1
  AND o.nominal_at = (SELECT max(m.nominal_at) FROM occurrences AS m
                      WHERE m.part = $1 AND m.schedule_uid = $2 AND m.nominal_at <= $3 AND m.origin = 1);

-- name: ledger_tail
-- How far outcomes reach that stay, and the latest of them that is a job.
SELECT (SELECT o.until_at FROM occurrences AS o
        WHERE o.part = $1 AND o.schedule_uid = $2 AND o.outcome <> 5 AND o.origin = 1 ORDER BY o.nominal_at DESC LIMIT 1),
       j.nominal_at, j.job_id
FROM (VALUES (1)) AS one (row)
LEFT JOIN LATERAL (SELECT o.nominal_at, o.job_id FROM occurrences AS o
                   WHERE o.part = $1 AND o.schedule_uid = $2 AND o.outcome IN (1, 2) AND o.origin = 1
                   ORDER BY o.nominal_at DESC LIMIT 1) AS j ON true;

-- name: skip_occurrences
-- A run of nominal times that will not come any more.
INSERT INTO occurrences (part, outcome, count, schedule_uid, nominal_at, until_at, revision, reason)
VALUES ($1, 4, $2, $3, $4, $5, $6, $7)
ON CONFLICT (part, schedule_uid, nominal_at, origin) DO NOTHING;

-- name: change_schedule
-- A schedule as the caller knows it -> changed. Runs behind lock_schedule in the same transaction, so the rule that it looks
-- at is the latest. A changed rule is kept from its revision on. A schedule that goes to another partition has taken back its
-- blocked jobs, and decisions look at those of its partition alone: rows of jobs that were gone before stay behind nowhere.
WITH was AS (
    SELECT o.spec FROM schedules AS o WHERE o.id = $1
), unblocked AS (
    DELETE FROM blocked_jobs AS b WHERE b.schedule = $1 AND b.part <> $3
), s AS (
    UPDATE schedules
    SET part = $3, spec = $4, queue = $5, job_type = $6, priority = $7, start_within_us = $8, timeout_us = $9, age_us = $10,
        payload = $11, body = $12, description = $13, paused = $14, pause_reason = $15, error = $16, cursor_at = $17,
        next_at = $18, last_at = CASE WHEN $19 THEN $20 ELSE last_at END,
        last_job_id = CASE WHEN $19 THEN $21 ELSE last_job_id END, overlap = $22, pause_on_failure = $23,
        other_parts = CASE WHEN part = $3 THEN other_parts ELSE array_remove(array_append(array_remove(other_parts, part), part), $3) END,
        revision = revision + 1, updated_at = belfry_now()
    WHERE id = $1 AND revision = $2 AND deleted_at IS NULL
    RETURNING *
), kept AS (
    INSERT INTO schedule_rules (schedule_uid, revision, spec)
    SELECT s.uid, s.revision, s.spec FROM s, was WHERE s.spec <> was.spec
)
SELECT {{schedule}} FROM s {{schedule_joins}};

-- name: delete_schedule
-- A schedule as the caller knows it -> deleted. Runs behind lock_schedule in the same transaction. It names no calendar any
-- more.
WITH unnamed AS (DELETE FROM schedule_calendars AS u WHERE u.schedule = $1)
UPDATE schedules SET deleted_at = belfry_now(), revision = revision + 1, updated_at = belfry_now(), next_at = NULL
WHERE id = $1 AND revision = $2 AND deleted_at IS NULL;

-- name: due_schedules
-- Schedules of partitions that have something to decide on up to $2, in order of it, behind a position.
SELECT s.id, s.uid, t.name, s.name, s.part, s.spec::text, s.queue, s.job_type, s.revision, s.runs, s.cursor_at, s.next_at, s.size,
       s.overlap, s.calls, s.moved
FROM unnest($1::smallint[]) AS p (part)
CROSS JOIN LATERAL (
    SELECT d.id, d.uid, d.tenant, d.name, d.part, d.spec, d.queue, d.job_type, d.revision, d.runs, d.cursor_at, d.next_at,
           octet_length(d.payload) + octet_length(d.body) AS size, d.overlap, d.calls,
           d.other_parts <> '{}' AS moved
    FROM schedules AS d
    WHERE d.part = p.part AND d.deleted_at IS NULL AND NOT d.paused AND d.next_at <= $2
      AND (d.next_at, d.id) > ($3::timestamptz, $4::integer)
    ORDER BY d.next_at, d.id LIMIT $5
) AS s
JOIN tenants AS t ON t.id = s.tenant
ORDER BY s.next_at, s.id LIMIT $5;

-- name: schedules_with_jobs
-- Of schedules, those with jobs in a partition, whatever their state.
SELECT k.id FROM unnest($1::integer[]) AS k (id)
WHERE EXISTS (SELECT 1 FROM {{leaf}} AS t WHERE t.schedule = k.id AND t.schedule IS NOT NULL OFFSET 0);

-- name: materialise
-- Undecided -> an outcome each, for the next nominal times of many schedules: the cursor moves by compare-and-swap with the
-- revision, the ledger gets its rows, and jobs are made, or nothing of it. A schedule that has changed meanwhile, or that
-- another node was quicker with, is left out. The ledger's key is the second belt: a nominal time that has an outcome gets
-- no second job, except where the first was withdrawn. A run of skips that goes on extends its row.
-- The plan is a look-up by key and then by place, whatever the statistics say; $1 comes in order, in which rows are locked.
-- A row that another transaction changed between the look and the lock has another place, and is left out.
-- offset_us is the schedule's jitter: its jobs are due so much later than their nominal times. blocked: the overlap policy
-- decides when a job is due; calls: what was seen alive is out of date if it has changed.
WITH asked AS (
    SELECT u.id, u.revision, u.cursor_at, u.moved_to, u.next_at, u.last_at, u.last_job_id, u.jobs, u.offset_us, u.calls
    FROM unnest($1::integer[], $2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
                $7::uuid[], $17::integer[], $18::bigint[], $19::bigint[])
         AS u (id, revision, cursor_at, moved_to, next_at, last_at, last_job_id, jobs, offset_us, calls)
), held AS (
    SELECT l.place FROM asked AS a
    CROSS JOIN LATERAL (
        SELECT s.ctid AS place FROM schedules AS s
        WHERE s.id = a.id AND s.revision = a.revision AND s.cursor_at = a.cursor_at AND s.calls = a.calls AND NOT s.paused
          AND s.deleted_at IS NULL
        FOR UPDATE
    ) AS l
), moved AS (
    UPDATE schedules AS s
    SET cursor_at = a.moved_to, next_at = a.next_at, last_at = coalesce(a.last_at, s.last_at),
        last_job_id = coalesce(a.last_job_id, s.last_job_id), runs = s.runs + a.jobs
    FROM asked AS a
    WHERE s.ctid = ANY (ARRAY(SELECT h.place FROM held AS h)) AND s.id = a.id AND s.revision = a.revision
      AND s.cursor_at = a.cursor_at
    RETURNING s.id, s.uid, s.part, s.home, s.revision, a.cursor_at AS moved_from, s.priority, s.start_within_us,
              s.timeout_us, s.age_us, s.payload, s.body, a.offset_us * interval '1 microsecond' AS jitter,
              s.overlap
), decided AS (
    SELECT d.schedule, d.nominal_at, d.until_at, d.count, d.outcome, d.reason, d.job_id, d.lane, d.suffix, d.blocked
    FROM unnest($8::integer[], $9::timestamptz[], $10::timestamptz[], $11::integer[], $12::smallint[], $13::text[],
                $14::uuid[], $15::integer[], $16::bytea[], $20::boolean[])
         AS d (schedule, nominal_at, until_at, count, outcome, reason, job_id, lane, suffix, blocked)
), placed AS (
    SELECT d.schedule, d.nominal_at, d.until_at, d.count, d.outcome, d.reason, d.job_id, m.home, m.uid, m.revision,
           coalesce(run.nominal_at, d.nominal_at) AS begins_at
    FROM decided AS d JOIN moved AS m ON m.id = d.schedule
    LEFT JOIN LATERAL (
        SELECT r.nominal_at FROM (
            SELECT o.nominal_at, o.until_at, o.outcome, o.reason FROM occurrences AS o
            WHERE d.job_id IS NULL AND o.part = m.home AND o.schedule_uid = m.uid AND o.nominal_at <= m.moved_from AND o.origin = 1
            ORDER BY o.nominal_at DESC LIMIT 1
        ) AS r WHERE r.outcome = d.outcome AND r.reason = d.reason AND r.until_at = m.moved_from
    ) AS run ON true
), noted AS (
    INSERT INTO occurrences AS l (part, outcome, count, schedule_uid, nominal_at, until_at, revision, job_id, reason)
    SELECT p.home, p.outcome, p.count, p.uid, p.begins_at, p.until_at, p.revision, p.job_id, p.reason FROM placed AS p
    ON CONFLICT (part, schedule_uid, nominal_at, origin) DO UPDATE
    SET outcome = excluded.outcome, until_at = excluded.until_at, revision = excluded.revision, job_id = excluded.job_id,
        reason = excluded.reason, created_at = excluded.created_at,
        count = CASE WHEN l.outcome = 5 THEN excluded.count ELSE l.count + excluded.count END
    WHERE l.outcome = 5 OR (l.job_id IS NULL AND excluded.job_id IS NULL AND l.until_at < excluded.until_at)
    RETURNING l.job_id
), covered AS (
    DELETE FROM occurrences AS o USING placed AS p
    WHERE p.until_at > p.begins_at AND o.part = p.home AND o.schedule_uid = p.uid
      AND o.nominal_at > p.begins_at AND o.nominal_at <= p.until_at AND o.outcome = 5 AND o.origin = 1
), created AS (
    INSERT INTO triggers AS t (part, state, id, lane, priority, due_at, scheduled_at, age_until, start_by, timeout_us, body, schedule)
    SELECT m.part, CASE WHEN d.blocked THEN 3 ELSE 1 END, d.job_id, d.lane, m.priority, greatest(d.nominal_at + m.jitter, belfry_now()), d.nominal_at,
           greatest(d.nominal_at + m.jitter, belfry_now()) + m.age_us * interval '1 microsecond',
           greatest(d.nominal_at + m.jitter, belfry_now()) + m.start_within_us * interval '1 microsecond', m.timeout_us,
           m.payload || m.body || d.suffix, m.id
    FROM decided AS d JOIN moved AS m ON m.id = d.schedule
    WHERE coalesce(d.job_id IN (SELECT n.job_id FROM noted AS n), false)
    RETURNING t.id, t.version, t.due_at, t.lane, t.priority, octet_length(t.body) AS size, t.schedule, t.state, t.part
), blocked AS (
    INSERT INTO blocked_jobs (part, overlap, schedule, id, decide_at)
    SELECT c.part, m.overlap, c.schedule, c.id, c.due_at FROM created AS c JOIN moved AS m ON m.id = c.schedule WHERE c.state = 3
)
SELECT m.id, NULL, NULL, NULL, NULL, NULL, NULL FROM moved AS m
UNION ALL
SELECT c.schedule, c.id, c.version, c.due_at, c.lane, c.priority, c.size FROM created AS c WHERE c.state = 1;

-- name: fail_schedule
-- A schedule whose rule cannot be read: it is not looked at again before it is changed.
UPDATE schedules SET error = $3, next_at = NULL WHERE id = $1 AND revision = $2 AND deleted_at IS NULL;

-- name: reopen_schedules
-- The clock was set back: what was skipped while it was ahead is undecided again. Jobs that were made stay in the ledger,
-- and so are not made twice; they are counted as runs anew when their times are decided on anew. The revision rises, so that
-- a job made anew for a time whose job was skipped has an id of its own. $2 is further ahead of the clock than any cursor
-- gets otherwise.
WITH ahead AS (
    SELECT s.id FROM schedules AS s
    WHERE s.part = ANY ($1::smallint[]) AND s.cursor_at > belfry_now() + $2::bigint * interval '1 microsecond'
      AND s.deleted_at IS NULL
    ORDER BY s.id LIMIT $3 FOR UPDATE
), back AS (
    UPDATE schedules AS s
    SET cursor_at = belfry_now(), next_at = CASE WHEN s.error = '' THEN belfry_now() END, revision = s.revision + 1,
        runs = s.runs - (SELECT count(*) FROM occurrences AS o WHERE o.part = s.home AND o.schedule_uid = s.uid
                         AND o.nominal_at > belfry_now() AND o.outcome IN (1, 2) AND o.origin = 1)
    FROM ahead AS a
    WHERE s.id = a.id AND s.cursor_at > belfry_now() + $2::bigint * interval '1 microsecond' AND s.deleted_at IS NULL
    RETURNING s.home, s.uid
), gone AS (
    DELETE FROM occurrences AS o USING back AS b
    WHERE o.part = b.home AND o.schedule_uid = b.uid AND o.nominal_at > belfry_now() AND o.outcome IN (3, 4)
      AND o.origin = 1
), cut AS (
    UPDATE occurrences AS o SET until_at = belfry_now(), count = NULL FROM back AS b
    WHERE o.part = b.home AND o.schedule_uid = b.uid AND o.outcome IN (3, 4) AND o.until_at > belfry_now()
      AND o.origin = 1
      AND o.nominal_at = (SELECT max(m.nominal_at) FROM occurrences AS m
                          WHERE m.part = b.home AND m.schedule_uid = b.uid AND m.nominal_at <= belfry_now() AND m.origin = 1)
)
SELECT count(*) FROM back;

-- name: sweep_occurrences
DELETE FROM occurrences AS o USING (
    SELECT d.part, d.schedule_uid, d.nominal_at, d.origin FROM occurrences AS d
    WHERE d.created_at < belfry_now() - $1::bigint * interval '1 microsecond'
    ORDER BY d.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
) AS old
WHERE o.part = old.part AND o.schedule_uid = old.schedule_uid AND o.nominal_at = old.nominal_at AND o.origin = old.origin;

-- name: sweep_schedules
-- And the rules that they have had.
WITH old AS MATERIALIZED (
    SELECT d.id, d.uid FROM schedules AS d
    WHERE d.deleted_at < belfry_now() - $1::bigint * interval '1 microsecond' LIMIT $2 FOR UPDATE SKIP LOCKED
), rules AS (
    DELETE FROM schedule_rules AS r USING old AS o WHERE r.schedule_uid = o.uid
)
DELETE FROM schedules AS s USING old AS o WHERE s.id = o.id;

-- name: zone_data
SELECT c.zone_data FROM cluster AS c;

-- name: set_zone_data
UPDATE cluster SET zone_data = $1;

-- name: timed_schedules
-- Schedules behind an id that wait for a next time, in order of id.
SELECT s.id, t.name, s.name, s.spec::text, s.revision, s.runs, s.cursor_at, s.next_at
FROM schedules AS s JOIN tenants AS t ON t.id = s.tenant
WHERE s.id > $1 AND s.deleted_at IS NULL AND s.next_at IS NOT NULL
ORDER BY s.id LIMIT $2;

-- name: retime_schedules
-- Corrects the bound on the next time of schedules that have not moved since they were read.
UPDATE schedules AS s SET next_at = u.next_at
FROM unnest($1::integer[], $2::bigint[], $3::timestamptz[], $4::timestamptz[]) AS u (id, revision, cursor_at, next_at)
WHERE s.id = u.id AND s.revision = u.revision AND s.cursor_at = u.cursor_at AND s.deleted_at IS NULL;

-- name: count_due_schedules
-- How many schedules have something to decide on up to each instant, counted up to $3.
SELECT (SELECT count(*) FROM (
            SELECT 1 FROM unnest($1::smallint[]) AS p (part)
            CROSS JOIN LATERAL (SELECT 1 FROM schedules AS d
                                WHERE d.part = p.part AND d.deleted_at IS NULL AND NOT d.paused AND d.next_at <= h.at
                                ORDER BY d.next_at, d.id LIMIT $3) AS one
            LIMIT $3) AS found)
FROM unnest($2::timestamptz[]) WITH ORDINALITY AS h (at, place) ORDER BY h.place;
