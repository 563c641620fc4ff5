-- The ledger as callers see it. Rows of one schedule and origin follow each other in time and do not overlap.

-- name: list_occurrences
-- Rows that reach into [$4, $3], latest first, each with the rule that it was decided by.
SELECT o.outcome, coalesce(o.count, 0), o.nominal_at, o.until_at, o.revision, o.created_at, o.job_id, o.reason,
       coalesce((SELECT r.spec::text FROM schedule_rules AS r
                 WHERE r.schedule_uid = $2 AND r.revision <= o.revision ORDER BY r.revision DESC LIMIT 1), '')
FROM occurrences AS o
WHERE o.part = $1 AND o.schedule_uid = $2 AND o.nominal_at <= $3 AND o.until_at >= $4 AND o.origin = $6
  AND o.nominal_at >= coalesce((SELECT max(m.nominal_at) FROM occurrences AS m
                                WHERE m.part = $1 AND m.schedule_uid = $2 AND m.nominal_at <= $4 AND m.origin = $6), '-infinity')
ORDER BY o.nominal_at DESC LIMIT $5;
