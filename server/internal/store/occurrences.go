package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// OccurrenceOrigin is what an occurrence came from. The numbers are stored.
type OccurrenceOrigin int16

// Origins of occurrences.
const (
	FromRule     OccurrenceOrigin = 1
	FromCall     OccurrenceOrigin = 2 // a manual run; the nominal time is that of the call
	FromBackfill OccurrenceOrigin = 3
)

// LedgerRow is what became of one nominal time, or of a run of them.
type LedgerRow struct {
	Outcome  OccurrenceOutcome
	Count    int32 // nominal times in the run; 0: not counted
	Nominal  time.Time
	Until    time.Time // end of the run; Nominal for a single one
	Revision int64     // of the schedule then
	Created  time.Time
	Job      job.ID // zero: none
	Reason   string
	Spec     []byte // JSON of the rule at that revision; empty: not known
}

// LedgerRange is a stretch of a schedule's ledger, both ends included.
type LedgerRange struct {
	Home        int16
	UID         string
	Origin      OccurrenceOrigin
	From, Until time.Time
	Limit       int
}

// Occurrences reads the rows that reach into a range, latest first.
func (s *Store) Occurrences(ctx context.Context, r LedgerRange) ([]LedgerRow, error) {
	return listRows(ctx, s.read, "list occurrences", s.sql("list_occurrences"), func(row pgx.Row) (LedgerRow, error) {
		var l LedgerRow
		var id *[16]byte
		var spec string
		err := row.Scan(&l.Outcome, &l.Count, &l.Nominal, &l.Until, &l.Revision, &l.Created, &id, &l.Reason, &spec)
		if id != nil {
			l.Job = *id
		}
		l.Spec, l.Nominal, l.Until, l.Created = []byte(spec), l.Nominal.UTC(), l.Until.UTC(), l.Created.UTC()
		return l, err
	}, r.Home, r.UID, r.Until, r.From, r.Limit, r.Origin)
}
