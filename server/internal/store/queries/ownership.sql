-- Who owns which partition. Rows are locked in order of part everywhere.

-- name: take_partitions
-- Takes every partition that is free, or whose owner's lease has run out, or that is ours already with an unknown epoch
-- (a restart under the same name never happens: node names are fresh). The epoch rises, so that claims of the former
-- owner fail as a whole.
WITH free AS (
    SELECT p.part FROM partitions AS p
    WHERE p.owner = '' OR p.lease_until <= belfry_now()
    ORDER BY p.part FOR UPDATE
)
UPDATE partitions AS p
SET owner = $1, epoch = p.epoch + 1, lease_until = belfry_now() + $2::bigint * interval '1 microsecond'
FROM free AS f WHERE p.part = f.part
RETURNING p.part, p.epoch, p.config_version;

-- name: renew_partitions
UPDATE partitions AS p SET lease_until = belfry_now() + $2::bigint * interval '1 microsecond'
FROM (SELECT q.part FROM partitions AS q WHERE q.owner = $1 ORDER BY q.part FOR NO KEY UPDATE) AS mine
WHERE p.part = mine.part
RETURNING p.part, p.epoch, p.config_version;

-- name: release_partitions
UPDATE partitions AS p SET owner = '', lease_until = '-infinity'
FROM (SELECT q.part FROM partitions AS q WHERE q.owner = $1 ORDER BY q.part FOR UPDATE) AS mine
WHERE p.part = mine.part;

-- name: partition_state
SELECT p.part, p.owner, p.epoch, p.config_version FROM partitions AS p ORDER BY p.part;

-- name: take_turn
-- Before raise_config, in its transaction: see claim_turn.
SELECT pg_advisory_xact_lock(1113943142, $1::integer);

-- name: raise_config
-- Serialises with claims, which share the row: when this commits, no claim decided before it can commit.
WITH held AS (SELECT q.part FROM partitions AS q WHERE q.part = $1 FOR UPDATE)
UPDATE partitions AS p SET config_version = p.config_version + 1 FROM held WHERE p.part = held.part
RETURNING p.config_version;

-- name: contact
-- The clock and who tells it: another system identifier or timeline means another server, e.g. after a fail-over.
SELECT belfry_now(), (SELECT system_identifier::text FROM pg_control_system())
       || '/' || (SELECT timeline_id::text FROM pg_control_checkpoint());
