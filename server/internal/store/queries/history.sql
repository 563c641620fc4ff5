-- Partitions of history, and what is kept for a day only. The tables themselves are made and dropped in history.go.

-- name: missing_tables
SELECT n FROM unnest($1::text[]) AS n WHERE to_regclass(n) IS NULL;

-- name: lock_history
-- One node at a time makes partitions; inserts go on meanwhile.
LOCK TABLE history IN SHARE UPDATE EXCLUSIVE MODE;

-- name: history_days
-- The day tables of all classes.
SELECT day.relname
FROM pg_inherits AS class
JOIN pg_inherits AS leaf ON leaf.inhparent = class.inhrelid
JOIN pg_class AS day ON day.oid = leaf.inhrelid
WHERE class.inhparent = 'history'::regclass
ORDER BY day.relname;

-- name: quick_lock
-- A table that is being read for long is left for the next time: nobody shall queue up behind the wait.
SET LOCAL lock_timeout = '500ms';

-- name: retention_in_use
SELECT DISTINCT (q.settings ->> 'retention_days')::smallint FROM queues AS q
WHERE q.deleted_at IS NULL AND q.settings ? 'retention_days';

-- name: sweep_requests
DELETE FROM requests AS r USING (
    SELECT o.part, o.key FROM requests AS o
    WHERE o.created_at < belfry_now() - $1::bigint * interval '1 microsecond'
    ORDER BY o.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
) AS old
WHERE r.part = old.part AND r.key = old.key;

-- name: sweep_admin_requests
DELETE FROM admin_requests AS r USING (
    SELECT o.key FROM admin_requests AS o
    WHERE o.created_at < belfry_now() - $1::bigint * interval '1 microsecond' LIMIT $2 FOR UPDATE SKIP LOCKED
) AS old
WHERE r.key = old.key;
