// Package e2e tests the API and the life of jobs as callers and workers meet them: through the ports of a real server, by
// plain JSON, gRPC and the Go SDK. Tests share one server and keep to a tenant of their own; those that need all tenants
// or a server's life for themselves build a world of their own.
package e2e
