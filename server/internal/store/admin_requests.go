package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"

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

// numbered is a kind of rows that have a number: create makes one and answers its number too, read reads the one of a number.
type numbered[T any] struct {
	create func(pgx.Tx) (T, int32, error)
	read   func(tx pgx.Tx, id int32) (T, error)
}

// onceByID is once in a transaction of its own. existing says that the row is that of an earlier call.
func onceByID[T any](ctx context.Context, s *Store, what string, req *AdminRequest, n numbered[T]) (row T, existing bool, err error) {
	err = inTx(ctx, s.read, what, func(tx pgx.Tx) error {
		known, err := s.once(ctx, tx, req, func() (string, error) {
			made, id, err := n.create(tx)
			row = made
			return strconv.Itoa(int(id)), noneMeans(err, ErrExists)
		})
		if err != nil || known == "" {
			return err
		}
		existing = true
		id, err := strconv.ParseInt(known, 10, 32)
		if err != nil {
			return fmt.Errorf("BUG: request id of no row: %w", err)
		}
		row, err = n.read(tx, int32(id))
		return err
	})
	return row, existing, err
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
