package store

import (
	"context"
	"errors"

	"github.com/belfryhq/belfry/server/internal/job"
)

// Fault turns an error of the store that no caller has a name for into what a caller of the API is told: a database that
// is away or contended is job.ErrUnavailable. Errors of the caller's own context, outcomes and bugs stay as they are.
func Fault(err error) error {
	known := errors.Is(err, ErrUnavailable) || errors.Is(err, ErrUnknown)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded) && !known:
		return err
	case known, IsContention(err):
		return job.Unavailable(err)
	}
	return err
}
