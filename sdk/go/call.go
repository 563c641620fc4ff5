package belfry

import (
	"context"
	"fmt"
	"time"

	"connectrpc.com/connect"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/internal/clock"
)

// caller makes the calls of a client: it adds the credential, bounds each
// attempt, repeats what is safe to repeat and turns errors into *Error. It is
// immutable and safe for concurrent use.
type caller struct {
	authorization []string
	retries       Retries
	// timeout bounds one attempt, beyond the wait that a LeaseJobs asks for.
	timeout time.Duration
	clock   clock.Clock
}

// interceptor returns c as an interceptor for the generated clients.
func (c *caller) interceptor() connect.Interceptor {
	return connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
			request.Header()["Authorization"] = c.authorization
			response, err := c.call(ctx, next, request)
			if err != nil {
				return nil, err
			}
			return response, nil
		}
	})
}

func (c *caller) call(ctx context.Context, next connect.UnaryFunc, request connect.AnyRequest) (connect.AnyResponse, *Error) {
	response, err := c.attempt(ctx, next, request)
	if err == nil || request.Spec().IdempotencyLevel == connect.IdempotencyUnknown {
		return response, err
	}
	start := c.clock.Now()
	for attempts := 1; transient(ctx, err); attempts++ {
		wait, ok := c.retries.wait(attempts, c.clock.Since(start), err.RetryAfter)
		if !ok || outlasts(ctx, c.clock, wait) || clock.Sleep(ctx, c.clock, wait) != nil {
			return nil, err
		}
		if response, err = c.attempt(ctx, next, request); err == nil {
			return response, nil
		}
	}
	return nil, err
}

func (c *caller) attempt(ctx context.Context, next connect.UnaryFunc, request connect.AnyRequest) (connect.AnyResponse, *Error) {
	timeout := c.timeout
	if lease, ok := request.Any().(*v1.LeaseJobsRequest); ok {
		timeout += lease.GetWait().AsDuration()
	}
	attempt, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	response, err := next(attempt, request)
	if err == nil {
		return response, nil
	}
	if attempt.Err() != nil && ctx.Err() == nil {
		return nil, &Error{Code: CodeUnavailable, Message: fmt.Sprintf("no answer within %v; check the address and the server", timeout)}
	}
	return nil, errorOf(err)
}

// outlasts reports whether a wait would end after ctx's deadline.
func outlasts(ctx context.Context, c clock.Clock, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && c.Now().Add(wait).After(deadline)
}
