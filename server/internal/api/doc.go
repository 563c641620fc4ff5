// Package api is the edge of the server: what stands between the wire and the engine.
//
// A call passes, in this order: a gate that authenticates and authorises before the body is read; then the interceptor,
// which recovers from panics, logs and measures, refuses what could not be decoded, settles the tenant, and validates;
// then a handler, which is thin: one call inward, and conversion. Handlers return domain errors; this package alone
// chooses status codes (errors.go), and protobuf types stop here.
//
// Invariants:
//   - A handler sees only valid messages, whose tenant_id is settled: the name of the one tenant that the caller may act
//     on, or "-", or empty for the platform, the last two only where the method allows them.
//   - No text of an unknown error, and no panic, reaches a caller; it gets an incident id that the log has too.
//   - A method without an entry in tenancy.Authorize cannot be called.
//
// An Edge, a Validator and a Translator are safe for concurrent use.
package api
