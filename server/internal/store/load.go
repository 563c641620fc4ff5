package store

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// Window is one partition's share of a load: rows due inside (From, To], at most Limit, in due order.
type Window struct {
	Part  int16
	From  time.Time
	To    time.Time
	Limit int

	Entries []wheel.Entry
}

// Expiring is a waiting job that may not start any more.
type Expiring struct {
	ID      job.ID
	Version int64
	Lane    int32
}

// Load reads many windows, and for each of their partitions up to expired jobs past their start-by time, in one round
// trip. Windows of the same span are arms of one statement, each naming its leaf: an idle node sends a handful of
// statements a second, however many partitions it owns.
func (s *Store) Load(ctx context.Context, windows []*Window, expired int) ([]Expiring, error) {
	var late []Expiring
	byPart := map[windowSpan]map[int16]*Window{}
	parts := map[int16]bool{}
	for _, w := range windows {
		w.Entries = w.Entries[:0]
		span := windowSpan{w.From.UnixMicro(), w.To.UnixMicro(), w.Limit}
		if byPart[span] == nil {
			byPart[span] = map[int16]*Window{}
		}
		byPart[span][w.Part] = w
		parts[w.Part] = true
	}
	err := s.steered(ctx, s.control, orderedSettings, func(batch *pgx.Batch) {
		for span, group := range byPart {
			batch.Queue(s.arms("load_window", maps.Keys(group)), time.UnixMicro(span.from), time.UnixMicro(span.to), span.limit).
				Query(collectWindows(group))
		}
		if expired > 0 && len(parts) > 0 {
			batch.Queue(s.arms("load_expired", maps.Keys(parts)), expired).Query(collectExpiring(&late))
		}
	})
	return late, classify("load windows", err, false)
}

// windowSpan is what windows of one statement share.
type windowSpan struct {
	from, to int64 // µs
	limit    int
}

// arms joins the texts of a leaf's statement for several partitions into one statement. The parameters are shared.
func (s *Store) arms(name string, parts iter.Seq[int16]) string {
	var text strings.Builder
	for i, part := range slices.Sorted(parts) {
		if i > 0 {
			text.WriteString("\nUNION ALL\n")
		}
		text.WriteString("(" + s.leafSQL(name, part) + ")")
	}
	return text.String()
}

// collectWindows hands rows to the windows of their partitions, which their ids name.
func collectWindows(group map[int16]*Window) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			e, err := scanEntry(rows)
			if err != nil {
				return err
			}
			w := group[e.ID.Part()]
			w.Entries = append(w.Entries, e)
		}
		return rows.Err()
	}
}

// orderedSettings names the settings of reads that stop at a limit.
const orderedSettings = "ordered_settings"

// hotSettings names the settings of statements that find each row by a key.
const hotSettings = "hot_settings"

func collectEntries(into *[]wheel.Entry) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			e, err := scanEntry(rows)
			if err != nil {
				return err
			}
			*into = append(*into, e)
		}
		return rows.Err()
	}
}

// Overaged reads due jobs of a partition whose age is spent.
func (s *Store) Overaged(ctx context.Context, part int16, limit int) ([]Expiring, error) {
	var late []Expiring
	err := s.steered(ctx, s.read, orderedSettings, func(batch *pgx.Batch) {
		batch.Queue(s.leafSQL("load_overaged", part), limit).Query(collectExpiring(&late))
	})
	return late, classify("load overaged jobs", err, false)
}

func collectExpiring(into *[]Expiring) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			var e Expiring
			var id [16]byte
			if err := rows.Scan(&id, &e.Version, &e.Lane); err != nil {
				return err
			}
			e.ID = id
			*into = append(*into, e)
		}
		return rows.Err()
	}
}

func scanEntry(rows pgx.Rows) (wheel.Entry, error) {
	var e wheel.Entry
	var id [16]byte
	var due time.Time
	var priority int16
	var size int32
	err := rows.Scan(&id, &e.Version, &due, &e.Lane, &priority, &size)
	e.ID, e.DueAt, e.Priority, e.Size = id, due.UnixMicro(), uint8(priority), uint32(size)
	return e, err
}

// Lanes lists the lanes that have live rows in a partition.
func (s *Store) Lanes(ctx context.Context, part int16) ([]int32, error) {
	rows, err := s.control.Query(ctx, s.leafSQL("load_lanes", part))
	if err != nil {
		return nil, classify("load lanes", err, false)
	}
	lanes, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	return lanes, classify("load lanes", err, false)
}

// LanePage asks for the first Limit rows of a lane that are due by Until and stand at or behind (Priority, Due, ID) in the
// order of priority, due time and id.
type LanePage struct {
	Part     int16
	Lane     int32
	Priority uint8
	Due      time.Time
	ID       job.ID
	Until    time.Time
	Limit    int
}

// LoadLane reads one page; fewer rows than its limit mean that there are no more.
func (s *Store) LoadLane(ctx context.Context, p LanePage) ([]wheel.Entry, error) {
	entries, err := s.entries(ctx, s.leafSQL("load_lane", p.Part), p.Lane, int16(p.Priority), p.Due, [16]byte(p.ID), p.Until, p.Limit)
	if err != nil || len(entries) == p.Limit || p.Priority >= 9 {
		return entries, classify("load lane", err, false)
	}
	rest, err := s.entries(ctx, s.leafSQL("load_lane_rest", p.Part), p.Lane, int32(p.Priority), p.Until, p.Limit-len(entries))
	return append(entries, rest...), classify("load lane", err, false)
}

func (s *Store) entries(ctx context.Context, sql string, args ...any) ([]wheel.Entry, error) {
	var out []wheel.Entry
	err := s.steered(ctx, s.control, orderedSettings, func(batch *pgx.Batch) {
		batch.Queue(sql, args...).Query(collectEntries(&out))
	})
	return out, err
}

// LeaseState is an outstanding lease.
type LeaseState struct {
	Token job.Token // Lease is not set
	Left  time.Duration
	Lease time.Duration
}

// OutstandingLeases reads all leases of a partition that have not ended, through the claim batches on record, and drops
// batches of which nothing is left. Its cost is the number of leases, whatever else waits in the partition.
func (s *Store) OutstandingLeases(ctx context.Context, part int16) ([]LeaseState, error) {
	batches, err := s.openClaims(ctx, part)
	if err != nil {
		return nil, err
	}
	var leases []LeaseState
	live := map[int64]bool{}
	for ids := range chunks(batches, 1000) {
		got, err := s.LeaseStates(ctx, part, ids)
		if err != nil {
			return nil, err
		}
		for _, l := range got {
			live[l.Token.ClaimID] = true
		}
		leases = append(leases, got...)
	}
	var done []int64
	for claim := range batches {
		if !live[claim] {
			done = append(done, claim)
		}
	}
	return leases, s.DropClaims(ctx, part, done)
}

func (s *Store) openClaims(ctx context.Context, part int16) (map[int64][][16]byte, error) {
	rows, err := s.control.Query(ctx, s.leafSQL("open_claims", part))
	if err != nil {
		return nil, classify("read claims", err, false)
	}
	defer rows.Close()
	batches := map[int64][][16]byte{}
	for rows.Next() {
		var claim int64
		var ids [][16]byte
		if err := rows.Scan(&claim, &ids); err != nil {
			return nil, classify("read claims", err, false)
		}
		batches[claim] = ids
	}
	return batches, classify("read claims", rows.Err(), false)
}

// chunks yields all ids of all batches, at most n at a time.
func chunks(batches map[int64][][16]byte, n int) func(yield func([][16]byte) bool) {
	return func(yield func([][16]byte) bool) {
		var ids [][16]byte
		for _, batch := range batches {
			for _, id := range batch {
				if ids = append(ids, id); len(ids) == n {
					if !yield(ids) {
						return
					}
					ids = ids[:0]
				}
			}
		}
		if len(ids) > 0 {
			yield(ids)
		}
	}
}

// LeaseStates reads the outstanding leases among the given jobs of a partition.
func (s *Store) LeaseStates(ctx context.Context, part int16, ids [][16]byte) ([]LeaseState, error) {
	rows, err := s.control.Query(ctx, s.leafSQL("lease_states", part), ids)
	if err != nil {
		return nil, classify("read lease states", err, false)
	}
	leases, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (LeaseState, error) {
		var l LeaseState
		var id [16]byte
		var left, lease int64
		err := row.Scan(&id, &l.Token.Version, &l.Token.ClaimID, &l.Token.Lane, &left, &lease)
		l.Token.ID = id
		l.Left, l.Lease = time.Duration(left)*time.Microsecond, time.Duration(lease)*time.Microsecond
		return l, err
	})
	return leases, classify("read lease states", err, false)
}

// DropClaims forgets claim batches of which no lease is outstanding.
func (s *Store) DropClaims(ctx context.Context, part int16, claims []int64) error {
	if len(claims) == 0 {
		return nil
	}
	err := s.steered(ctx, s.control, hotSettings, func(batch *pgx.Batch) {
		batch.Queue(s.leafSQL("drop_claims", part), claims)
	})
	return classify("drop claims", err, false)
}
