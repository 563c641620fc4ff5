-- Whether an occurrence may run while another run of its schedule is alive. Everything is decided under the lock of the
-- schedule's row, which materialising, changes and calls take first too, and rows of jobs are locked after it. Statements are
-- written for hot_settings, see hot.sql, and those that read in order of an index for ordered_settings.
--
-- blocked_jobs is empty now and then, and may be analysed just then: so `= ANY (ARRAY[...])` on its key here too.

-- name: due_decisions
-- Schedules with blocked jobs whose time has come.
SELECT DISTINCT b.schedule FROM (
    SELECT n.schedule FROM unnest($1::smallint[]) AS p (part)
    CROSS JOIN LATERAL (SELECT d.schedule FROM blocked_jobs AS d WHERE d.part = p.part AND d.decide_at <= belfry_now()
                        ORDER BY d.decide_at LIMIT $2) AS n
    LIMIT $2
) AS b ORDER BY b.schedule;

-- name: next_decision
SELECT min(n.decide_at) FROM unnest($1::smallint[]) AS p (part)
CROSS JOIN LATERAL (SELECT b.decide_at FROM blocked_jobs AS b WHERE b.part = p.part ORDER BY b.decide_at LIMIT 1) AS n
WHERE n.decide_at < 'infinity';

-- name: waiting_among
-- Of schedules a run of which has ended, those with a job that waits for that.
SELECT k.schedule FROM unnest($1::integer[]) AS k (schedule)
WHERE EXISTS (SELECT 1 FROM blocked_jobs AS b WHERE b.schedule = k.schedule OFFSET 0);

-- name: waiting_behind
-- Schedules behind an id with a job that waits for the end of others, in order of id.
SELECT DISTINCT n.schedule FROM unnest($1::smallint[]) AS p (part)
CROSS JOIN LATERAL (SELECT DISTINCT b.schedule FROM blocked_jobs AS b
                    WHERE b.part = p.part AND b.decide_at = 'infinity' AND b.schedule > $2 ORDER BY b.schedule LIMIT $3) AS n
ORDER BY n.schedule LIMIT $3;

-- name: lock_schedules
-- In order of id, as materialising does.
SELECT s.id, s.uid, s.part, s.home, s.tenant, s.other_parts FROM schedules AS s
WHERE s.id = ANY ($1::integer[]) ORDER BY s.id FOR UPDATE;

-- name: drop_orphans
-- Blocked jobs of schedules that are swept away.
DELETE FROM blocked_jobs AS b WHERE b.schedule = ANY ($1::integer[])
  AND NOT EXISTS (SELECT 1 FROM schedules AS s WHERE s.id = b.schedule);

-- name: blocked_of
-- The blocked jobs of schedules that can be decided on, those that wait already first. version is NULL for a job that is not
-- there, or not BLOCKED, any more.
SELECT b.schedule, b.id, b.overlap, b.decide_at = 'infinity', t.version
FROM blocked_jobs AS b
LEFT JOIN LATERAL (SELECT w.version FROM {{leaf}} AS w WHERE w.part = {{part}} AND w.id = b.id AND w.state = 3 OFFSET 0) AS t ON true
WHERE b.schedule = ANY ($1::integer[]) AND (b.part = {{part}}) IS TRUE
  AND (b.decide_at <= belfry_now() OR b.decide_at = 'infinity') IS TRUE
ORDER BY b.schedule, b.decide_at = 'infinity' DESC, b.decide_at, b.id LIMIT $2;

-- name: alive_of
-- Of schedules, those that have a run: a job that is due, running, or between two attempts. Occurrences that are made ahead
-- are none before their time, nor are blocked ones.
SELECT k.id FROM unnest($1::integer[]) AS k (id)
WHERE EXISTS (SELECT 1 FROM {{leaf}} AS t
              WHERE t.schedule = k.id AND t.schedule IS NOT NULL AND t.state <> 3 AND (t.leases > 0 OR t.due_at <= belfry_now())
              OFFSET 0);

-- name: runs_of
-- The runs of schedules that nobody has asked to end.
SELECT t.id FROM {{leaf}} AS t
WHERE t.schedule = ANY ($1::integer[]) AND t.schedule IS NOT NULL AND t.state <> 3 AND (t.leases > 0 OR t.due_at <= belfry_now())
  AND NOT t.cancel_asked LIMIT $2;

-- name: release_jobs
-- BLOCKED -> PENDING. The time it was blocked does not count: not for its age, nor for its start-by time. One that has waited
-- gets the present as its effective time in the ledger.
WITH u AS (
    SELECT {{part}}::smallint AS part, i.id, i.version, i.schedule, i.home, i.uid, i.waited
    FROM unnest($1::uuid[], $2::bigint[], $3::integer[], $4::smallint[], $5::uuid[], $6::boolean[])
         AS i (id, version, schedule, home, uid, waited) OFFSET 0
), freed AS (
    UPDATE {{leaf}} AS t
    SET state = 1, version = t.version + 1, due_at = greatest(t.due_at, belfry_now()),
        age_until = t.age_until + (greatest(t.due_at, belfry_now()) - t.due_at),
        start_by = t.start_by + (greatest(t.due_at, belfry_now()) - t.due_at)
    FROM u WHERE t.part = ANY (ARRAY[u.part]) AND t.id = u.id AND t.version = u.version AND t.state = 3
    RETURNING t.id, t.version, t.due_at, t.lane, t.priority, octet_length(t.body) AS size, t.scheduled_at, u.schedule, u.home, u.uid,
              u.waited
), unblocked AS (
    DELETE FROM blocked_jobs AS b USING freed AS f WHERE b.schedule = ANY (ARRAY[f.schedule]) AND b.id = f.id
), noted AS (
    UPDATE occurrences AS o SET reason = '', created_at = belfry_now() FROM freed AS f
    WHERE f.waited AND o.part = f.home AND o.schedule_uid = f.uid AND o.nominal_at = f.scheduled_at AND o.job_id = f.id
)
SELECT f.id, f.version, f.due_at, f.lane, f.priority, f.size FROM freed AS f;

-- name: hold_jobs
-- BLOCKED stays BLOCKED, until other runs have ended.
WITH u AS (
    SELECT {{part}}::smallint AS part, i.id, i.schedule, i.home, i.uid
    FROM unnest($1::uuid[], $2::integer[], $3::smallint[], $4::uuid[]) AS i (id, schedule, home, uid) OFFSET 0
), found AS MATERIALIZED (
    SELECT u.id, u.home, u.uid, t.scheduled_at FROM u JOIN {{leaf}} AS t ON t.part = ANY (ARRAY[u.part]) AND t.id = u.id
), noted AS (
    UPDATE occurrences AS o SET reason = 'BLOCKED' FROM found AS f
    WHERE o.part = f.home AND o.schedule_uid = f.uid AND o.nominal_at = f.scheduled_at AND o.job_id = f.id
)
UPDATE blocked_jobs AS b SET decide_at = 'infinity' FROM u WHERE b.schedule = ANY (ARRAY[u.schedule]) AND b.id = u.id;

-- name: skip_jobs
-- BLOCKED -> CANCELLED: an occurrence that does not run, because another one does. It does not count as a run, so a schedule
-- that had made all its runs goes on, and what materialising has counted is out of date.
WITH u AS (
    SELECT {{part}}::smallint AS part, i.id, i.version, i.schedule, i.home, i.uid, i.tenant, i.reason
    FROM unnest($1::uuid[], $2::bigint[], $3::integer[], $4::smallint[], $5::uuid[], $6::integer[], $7::text[])
         AS i (id, version, schedule, home, uid, tenant, reason) OFFSET 0
), gone AS (
    DELETE FROM {{leaf}} AS t USING u
    WHERE t.part = ANY (ARRAY[u.part]) AND t.id = u.id AND t.version = u.version AND t.state = 3
    RETURNING t.*, u.home, u.uid, u.tenant, u.reason
), unblocked AS (
    DELETE FROM blocked_jobs AS b USING gone AS g WHERE b.schedule = ANY (ARRAY[g.schedule]) AND b.id = g.id
), ended AS (
    INSERT INTO history (retention, tenant, reason, {{unleased}})
    SELECT $8::smallint, g.tenant, g.reason, {{unleased_values}} FROM gone AS g
), noted AS (
    UPDATE occurrences AS o SET outcome = 4, reason = g.reason, job_id = NULL FROM gone AS g
    WHERE o.part = g.home AND o.schedule_uid = g.uid AND o.nominal_at = g.scheduled_at AND o.job_id = g.id
    RETURNING o.origin, g.schedule
), uncounted AS (
    UPDATE schedules AS s
    SET runs = s.runs - n.times, calls = s.calls + 1, next_at = CASE WHEN s.error = '' THEN coalesce(s.next_at, s.cursor_at) END
    FROM (SELECT o.schedule, count(*) AS times FROM noted AS o WHERE o.origin = 1 GROUP BY o.schedule) AS n
    WHERE s.id = n.schedule AND s.deleted_at IS NULL
)
SELECT g.reason, count(*) FROM gone AS g GROUP BY g.reason;

-- name: drop_blocked
-- Rows whose jobs are not there any more: they were cancelled before they could become due, which history says why.
WITH u AS (
    SELECT {{part}}::smallint AS part, i.id, i.schedule, i.home, i.uid
    FROM unnest($1::uuid[], $2::integer[], $3::smallint[], $4::uuid[]) AS i (id, schedule, home, uid) OFFSET 0
), unblocked AS (
    DELETE FROM blocked_jobs AS b USING u WHERE b.schedule = ANY (ARRAY[u.schedule]) AND b.id = u.id
), ended AS MATERIALIZED (
    SELECT u.id, u.home, u.uid, h.scheduled_at, h.reason
    FROM u CROSS JOIN LATERAL (SELECT e.scheduled_at, e.reason FROM history AS e
                               WHERE e.part = u.part AND e.id = u.id AND e.state = 6 LIMIT 1) AS h
), noted AS (
    UPDATE occurrences AS o SET outcome = 4, reason = e.reason, job_id = NULL FROM ended AS e
    WHERE o.part = e.home AND o.schedule_uid = e.uid AND o.nominal_at = e.scheduled_at AND o.job_id = e.id AND o.outcome <> 5
    RETURNING o.reason
)
SELECT n.reason, count(*) FROM noted AS n GROUP BY n.reason;

-- name: trim_parts
-- No run is left where the schedule's jobs went before.
UPDATE schedules AS s SET other_parts = '{}' WHERE s.id = ANY ($1::integer[]);

-- name: note_call
-- What materialising has seen of the schedule is out of date from here on.
UPDATE schedules AS s SET calls = s.calls + 1 WHERE s.id = $1;

-- name: block_ahead
-- Occurrences of the rule that were made ahead, when nothing was alive: the policy decides on them at their time after all.
WITH held AS (
    UPDATE {{leaf}} AS t SET state = 3, version = t.version + 1
    FROM schedules AS s
    WHERE s.id = $1 AND t.schedule = $1 AND t.schedule IS NOT NULL AND t.state = 1 AND t.leases = 0
      AND (t.due_at > belfry_now()) IS TRUE
      AND EXISTS (SELECT 1 FROM occurrences AS o
                  WHERE o.part = s.home AND o.schedule_uid = s.uid AND o.nominal_at = t.scheduled_at AND o.origin = 1 AND o.job_id = t.id OFFSET 0)
    RETURNING t.id, t.due_at, s.overlap
)
INSERT INTO blocked_jobs (part, overlap, schedule, id, decide_at)
SELECT {{part}}, h.overlap, $1, h.id, h.due_at FROM held AS h;

-- name: follow_overlap
-- The schedule's policy has changed: it decides on blocked occurrences of the rule from now on. Those that wait already go on
-- waiting, and runs of calls have policies of their own.
WITH s AS (
    SELECT d.id, d.home, d.uid, d.overlap FROM schedules AS d WHERE d.id = $1
), ahead AS MATERIALIZED (
    SELECT b.id, s.overlap FROM s CROSS JOIN blocked_jobs AS b
    JOIN {{leaf}} AS t ON t.part = ANY (ARRAY[b.part]) AND t.id = b.id
    WHERE b.schedule = $1 AND (b.part = {{part}}) IS TRUE AND (b.decide_at < 'infinity') IS TRUE
      AND EXISTS (SELECT 1 FROM occurrences AS o
                  WHERE o.part = s.home AND o.schedule_uid = s.uid AND o.nominal_at = t.scheduled_at AND o.origin = 1 AND o.job_id = t.id OFFSET 0)
)
UPDATE blocked_jobs AS b SET overlap = a.overlap FROM ahead AS a
WHERE b.schedule = ANY (ARRAY[$1::integer]) AND b.id = a.id;

-- name: make_runs
-- (nothing) -> PENDING or BLOCKED, beside the rule: a manual run, or nominal times of a backfill. A nominal time that was
-- backfilled before gets another job, and the ledger names the latest. decide_in_us: the job is BLOCKED, and the policy
-- decides so much later (or, if it is infinite, it has); NULL: it is PENDING. In the ledger, created_at is when it is due.
WITH s AS (
    SELECT d.id, d.uid, d.home, d.part, d.priority, d.revision, d.start_within_us, d.timeout_us, d.age_us, d.payload, d.body
    FROM schedules AS d WHERE d.id = $1
), u AS (
    SELECT i.id, i.nominal_at, i.suffix, belfry_now() + i.delay_us * interval '1 microsecond' AS due_at
    FROM unnest($2::uuid[], $3::timestamptz[], $4::bytea[], $5::bigint[]) AS i (id, nominal_at, suffix, delay_us)
), noted AS (
    INSERT INTO occurrences (part, outcome, origin, count, schedule_uid, nominal_at, until_at, revision, job_id, reason, created_at)
    SELECT s.home, 1, $6::smallint, 1, s.uid, u.nominal_at, u.nominal_at, s.revision, u.id,
           CASE WHEN $8::boolean THEN 'BLOCKED' ELSE '' END, u.due_at
    FROM s, u
    ON CONFLICT (part, schedule_uid, nominal_at, origin) DO UPDATE
    SET outcome = 1, revision = excluded.revision, job_id = excluded.job_id, reason = excluded.reason, created_at = excluded.created_at
), blocked AS (
    INSERT INTO blocked_jobs (part, overlap, schedule, id, decide_at)
    SELECT s.part, $9::smallint, s.id, u.id, CASE WHEN $8::boolean THEN 'infinity' ELSE u.due_at END
    FROM s, u WHERE $7::boolean
)
INSERT INTO triggers AS t (part, state, id, lane, priority, due_at, scheduled_at, age_until, start_by, timeout_us, body, schedule)
SELECT s.part, CASE WHEN $7::boolean THEN 3 ELSE 1 END, u.id, $10::integer, s.priority, u.due_at, u.nominal_at,
       u.due_at + s.age_us * interval '1 microsecond', u.due_at + s.start_within_us * interval '1 microsecond', s.timeout_us,
       s.payload || s.body || u.suffix, s.id
FROM s, u
RETURNING t.id, t.version, t.due_at, t.lane, t.priority, octet_length(t.body), t.state;

-- name: note_dead_runs
-- Before jobs end as DEAD: those of schedules that are to be paused then. Whether they did end, history says. One that is
-- noted already becomes a new version of the row, so that drop_dead_runs of the one before leaves it.
INSERT INTO dead_runs (part, schedule, id)
SELECT {{part}}, t.schedule, t.id
FROM (SELECT {{part}}::smallint AS part, i.id FROM unnest($1::uuid[]) AS i (id) OFFSET 0) AS u
JOIN {{leaf}} AS t ON t.part = ANY (ARRAY[u.part]) AND t.id = u.id
WHERE EXISTS (SELECT 1 FROM schedules AS s WHERE s.id = t.schedule AND s.pause_on_failure AND s.deleted_at IS NULL)
ON CONFLICT (part, schedule, id) DO UPDATE SET id = excluded.id;

-- name: dead_runs
SELECT d.part, d.schedule, d.id, d.seen, n.name, s.name,
       coalesce(s.pause_on_failure AND NOT s.paused AND s.deleted_at IS NULL, false),
       coalesce((SELECT h.reason FROM history AS h WHERE h.part = d.part AND h.id = d.id AND h.state = 5), '')
FROM (SELECT r.part, r.schedule, r.id, r.xmin::text::bigint AS seen FROM dead_runs AS r WHERE r.part = ANY ($1::smallint[]) LIMIT $2) AS d
LEFT JOIN schedules AS s ON s.id = d.schedule
LEFT JOIN tenants AS n ON n.id = s.tenant;

-- name: drop_dead_runs
DELETE FROM dead_runs AS d USING unnest($1::smallint[], $2::integer[], $3::uuid[], $4::bigint[]) AS u (part, schedule, id, seen)
WHERE d.part = u.part AND d.schedule = u.schedule AND d.id = u.id AND d.xmin::text::bigint = u.seen;
