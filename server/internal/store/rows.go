package store

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// Live is a row of triggers. Times are UTC; zero times stand for NULL.
type Live struct {
	Part         int16
	ID           job.ID
	State        job.State
	Priority     int16
	Attempt      int16
	Lane         int32
	Version      int64
	Due          time.Time
	Scheduled    time.Time
	AgeUntil     time.Time
	StartBy      time.Time
	Timeout      time.Duration // 0: the queue's
	Leases       int32
	Releases     int32
	LostLeases   int32
	ClaimID      int64
	Claimed      time.Time
	LeaseUntil   time.Time
	AttemptUntil time.Time
	Lease        time.Duration
	Beaten       bool
	CancelAsked  bool
	CancelReason string
	Worker       string
	Body         []byte
	Now          time.Time // the database's clock when the row was read
}

// Token returns the token of the row's lease; meaningful while it is running.
func (l *Live) Token() job.Token {
	return job.Token{ID: l.ID, Version: l.Version, ClaimID: l.ClaimID, Lane: l.Lane, Lease: l.Leases}
}

func scanLive(rows pgx.Row) (Live, error) {
	var l Live
	var id [16]byte
	var startBy, claimed, until, attemptUntil *time.Time
	var timeout, claim, lease *int64
	var reason, worker *string
	err := rows.Scan(&l.Part, &id, &l.State, &l.Priority, &l.Attempt, &l.Lane, &l.Version, &l.Due, &l.Scheduled,
		&l.AgeUntil, &startBy, &timeout, &l.Leases, &l.Releases, &l.LostLeases, &claim, &claimed, &until, &attemptUntil,
		&lease, &l.Beaten, &l.CancelAsked, &reason, &worker, &l.Body, &l.Now)
	if err != nil {
		return l, fmt.Errorf("read a live row: %w", err)
	}
	l.ID = id
	l.Due, l.Scheduled, l.AgeUntil, l.Now = l.Due.UTC(), l.Scheduled.UTC(), l.AgeUntil.UTC(), l.Now.UTC()
	l.StartBy, l.Claimed, l.LeaseUntil, l.AttemptUntil = orZero(startBy), orZero(claimed), orZero(until), orZero(attemptUntil)
	l.Timeout, l.Lease, l.ClaimID = micros(timeout), micros(lease), orZeroInt(claim)
	l.CancelReason, l.Worker = orEmpty(reason), orEmpty(worker)
	return l, nil
}

// Ended is a row of history.
type Ended struct {
	Live
	Finished time.Time
	Outcome  job.Outcome
	Reported job.Outcome // what the ending call reported; OutcomeTimedOut for a rescue
	Reason   string
	Error    string
	Result   []byte
	Attempts []job.Attempt
	Claims   []EndedClaim
}

// EndedClaim is the receipt of an attempt that had returned the job to PENDING before it ended.
type EndedClaim struct {
	ClaimID int64
	Outcome job.Outcome
	Due     time.Time
}

type storedAttempt struct {
	Number  int32       `json:"n"`
	Outcome job.Outcome `json:"o"`
	Started time.Time   `json:"s"`
	Ended   time.Time   `json:"e"`
	Worker  string      `json:"w"`
	Error   string      `json:"x"`
	Claim   string      `json:"c"`
	Due     time.Time   `json:"d"`
}

func scanEnded(rows pgx.Row) (Ended, error) {
	var e Ended
	var id [16]byte
	var startBy, started *time.Time
	var timeout, claim *int64
	var worker *string
	var attempts []byte
	err := rows.Scan(&e.Part, &id, &e.State, &e.Priority, &e.Attempt, &e.Lane, &e.Version, &e.Due, &e.Scheduled,
		&e.AgeUntil, &startBy, &timeout, &e.Leases, &e.Releases, &e.LostLeases, &claim, &started, &e.Finished,
		&e.CancelAsked, &worker, &e.Outcome, &e.Reported, &e.Reason, &e.Error, &e.Body, &e.Result, &attempts)
	if err != nil {
		return e, fmt.Errorf("read a history row: %w", err)
	}
	e.ID = id
	e.Due, e.Scheduled, e.AgeUntil, e.Finished = e.Due.UTC(), e.Scheduled.UTC(), e.AgeUntil.UTC(), e.Finished.UTC()
	e.StartBy, e.Claimed, e.Timeout, e.ClaimID = orZero(startBy), orZero(started), micros(timeout), orZeroInt(claim)
	e.Worker = orEmpty(worker)
	if attempts != nil {
		err = e.readAttempts(attempts)
	}
	return e, err
}

func (e *Ended) readAttempts(text []byte) error {
	var stored []storedAttempt
	if err := json.Unmarshal(text, &stored); err != nil {
		return fmt.Errorf("read attempts of %s: %w", e.ID, err)
	}
	for _, a := range stored {
		e.Attempts = append(e.Attempts, job.Attempt{Number: a.Number, Outcome: a.Outcome, Started: a.Started.UTC(),
			Ended: a.Ended.UTC(), Worker: a.Worker, Error: a.Error})
		claim, err := strconv.ParseInt(a.Claim, 10, 64)
		if err != nil {
			return fmt.Errorf("read attempts of %s: %w", e.ID, err)
		}
		e.Claims = append(e.Claims, EndedClaim{ClaimID: claim, Outcome: a.Outcome, Due: a.Due.UTC()})
	}
	return nil
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

func micros(us *int64) time.Duration {
	if us == nil {
		return 0
	}
	return time.Duration(*us) * time.Microsecond
}

func orZeroInt(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
