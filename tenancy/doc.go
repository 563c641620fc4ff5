// Package tenancy is who may do what: tenants, their API keys and scopes, and the check of a presented key.
//
// It must never touch SQL, protobuf or the server: keys are read through KeyStore, which the store implements, and the
// edge turns the errors of this package into status codes.
//
// Invariants:
//   - The secret of a key exists only in the answer that made it and in the caller's request. Stored is its hash; nothing
//     here prints it.
//   - A revocation is in force on every node within 10 seconds: an entry of the cache is used for 5 seconds, and for 10 if
//     the store cannot be reached. After that the answer is ErrUnavailable, never a guess.
//   - What a method needs is written in one table (Authorize). A method that is not in it is refused.
//
// An Authenticator is safe for concurrent use; all other values are immutable once built.
package tenancy
