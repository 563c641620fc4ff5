package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/belfryhq/belfry/server/internal/job"
)

// querier is what a pool and a transaction have in common, for statements that run in either.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// inTx runs f in one transaction of administration, which commits if f answers nil. An outcome that f names itself is
// handed on as it is; everything else is classified, with ErrUnknown only where the commit may have arrived.
func inTx(ctx context.Context, pool *pgxpool.Pool, what string, f func(pgx.Tx) error) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return classify(what, err, false)
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return classify(what, err, false)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback(context.WithoutCancel(ctx))
		if isOutcome(err) {
			return fmt.Errorf("%s: %w", what, err)
		}
		return classify(what, err, false)
	}
	return classify(what, tx.Commit(ctx), true)
}

// steered runs statements in one transaction behind settings that leave the planner no wrong choice, in one round trip.
func (s *Store) steered(ctx context.Context, pool *pgxpool.Pool, settings string, queue func(*pgx.Batch)) error {
	batch := &pgx.Batch{}
	batch.Queue("BEGIN")
	batch.Queue(s.sql(settings))
	queue(batch)
	batch.Queue("COMMIT")
	// A connection that is left in a failed transaction is not used again: the pool closes it.
	return pool.SendBatch(ctx, batch).Close()
}

// isOutcome reports whether err says by itself what is known.
func isOutcome(err error) bool {
	for _, outcome := range []error{ErrNotFound, ErrConflict, ErrExists, ErrRequestReused, ErrCalendarMoved} {
		if errors.Is(err, outcome) {
			return true
		}
	}
	var used *InUseError
	_, refused := job.AsError(err)
	return refused || errors.As(err, &used)
}

// listRows runs a statement that reads, and scans its rows.
//
//nolint:revive // The sixth argument stands for those of the statement.
func listRows[T any](ctx context.Context, db querier, what, sql string, scan func(pgx.Row) (T, error), args ...any) ([]T, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, classify(what, err, false)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (T, error) { return scan(row) })
	return all, classify(what, err, false)
}
