package store

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// What is known after a failed call; see the package documentation.
var (
	ErrUnavailable = errors.New("database unavailable")
	ErrRefused     = errors.New("statement refused")
	ErrUnknown     = errors.New("outcome unknown")
	ErrNotFound    = errors.New("no such row")
	ErrConflict    = errors.New("row changed meanwhile")
	ErrExists      = errors.New("row exists")

	// ErrRequestReused says that the request id was used with another body.
	ErrRequestReused = errors.New("request id used with another body")
)

// SQLSTATE classes and codes that decide what is known (PostgreSQL manual, appendix A).
const (
	classConnection   = "08"
	classData         = "22"
	classIntegrity    = "23"
	classShutdown     = "57P"
	codeReadOnly      = "25006"
	codeUniqueClash   = "23505"
	codeTooManyConns  = "53300"
	codeStarting      = "57P03"
	codeDeadlock      = "40P01"
	codeLockTimeout   = "55P03"
	codeQueryCanceled = "57014"
)

// classify wraps err with what is known. sent says whether a commit may have reached the server.
func classify(what string, err error, sent bool) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("%s: %w", what, ErrNotFound)
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return fmt.Errorf("%s: %w: %w", what, classOf(pg, sent), err)
	}
	if !sent || pgconn.SafeToRetry(err) {
		return fmt.Errorf("%s: %w: %w", what, ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w: %w", what, ErrUnknown, err)
}

func classOf(pg *pgconn.PgError, sent bool) error {
	switch {
	case pg.Code == codeUniqueClash:
		return ErrExists
	case pg.Code == codeReadOnly, pg.Code == codeTooManyConns, pg.Code == codeStarting:
		return ErrUnavailable
	case strings.HasPrefix(pg.Code, classShutdown), strings.HasPrefix(pg.Code, classConnection):
		if sent {
			return ErrUnknown
		}
		return ErrUnavailable
	}
	return ErrRefused
}

// IsDataFault reports whether the server refused the data itself, so that the same item would be refused again.
func IsDataFault(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (strings.HasPrefix(pg.Code, classData) || strings.HasPrefix(pg.Code, classIntegrity))
}

// IsContention reports a deadlock, a lock time-out or a statement time-out: the transaction was rolled back and may be
// tried again, in smaller pieces.
func IsContention(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == codeDeadlock || pg.Code == codeLockTimeout || pg.Code == codeQueryCanceled)
}

// keepsConnection reports whether a connection may be used again after an error from the server. Not after a fatal one,
// nor once the server only reads: a pooled connection has then survived a fail-over, and every pool has to let go of it.
func keepsConnection(_ *pgconn.PgConn, err *pgconn.PgError) bool {
	return !strings.EqualFold(err.Severity, "FATAL") && err.Code != codeReadOnly
}
