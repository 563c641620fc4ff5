package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// AdminRequest is the request id of a create other than that of jobs.
type AdminRequest struct {
	Key         [16]byte
	Fingerprint int64 // of the body
}

// NewAdminRequest returns the stored form of a request id, or nil if there is none. kind is the method; tenant is 0 for
// calls that belong to none.
func NewAdminRequest(kind string, tenant int32, requestID string, fingerprint int64) *AdminRequest {
	if requestID == "" {
		return nil
	}
	key, _ := job.HashRequest(kind, tenant, requestID, 1)
	return &AdminRequest{Key: key, Fingerprint: fingerprint}
}

// once runs create, which answers the name of what it made, unless the request has been here before: then it answers what
// was made at that time. Concurrent calls with one id wait for each other.
func (s *Store) once(ctx context.Context, tx pgx.Tx, req *AdminRequest, create func() (string, error)) (known string, err error) {
	if req == nil {
		_, err := create()
		return "", err
	}
	tag, err := tx.Exec(ctx, s.sql("note_request"), req.Key, req.Fingerprint)
	if err != nil {
		return "", fmt.Errorf("note request id: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return s.knownRequest(ctx, tx, req)
	}
	made, err := create()
	if err != nil {
		return "", err
	}
	if _, err := tx.Exec(ctx, s.sql("name_request"), req.Key, made); err != nil {
		return "", fmt.Errorf("note request id: %w", err)
	}
	return "", nil
}

func (s *Store) knownRequest(ctx context.Context, tx pgx.Tx, req *AdminRequest) (string, error) {
	var fingerprint int64
	var resource string
	err := tx.QueryRow(ctx, s.sql("known_request"), req.Key).Scan(&fingerprint, &resource)
	if errors.Is(err, pgx.ErrNoRows) {
		// Swept between the two statements, a day after its use: as good as new, at the next call.
		return "", ErrConflict
	}
	if err != nil {
		return "", fmt.Errorf("read request id: %w", err)
	}
	if fingerprint != req.Fingerprint {
		return "", ErrRequestReused
	}
	return resource, nil
}
