package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// BlockedJob is a job that waits for a decision, or for the end of another run.
type BlockedJob struct {
	ID      job.ID
	Overlap int16 // the policy that decides on it
	Waits   bool  // it has been decided on, and waits

	version int64
}

// OverlapVerdict is what becomes of a blocked job.
type OverlapVerdict struct {
	Run  bool   // it is PENDING from now on
	Skip string // it does not run, and this is why; empty and not Run: it waits
}

// OverlapCase is what a decision about one schedule is taken from: whether it has a run, and its blocked jobs in the order in
// which they are decided on, those that wait already first.
type OverlapCase struct {
	Schedule int32
	Alive    bool
	Blocked  []BlockedJob
}

// OverlapDecision answers an OverlapCase: a verdict for each job, and whether the runs there were are to be cancelled.
type OverlapDecision struct {
	Verdicts   []OverlapVerdict
	CancelRuns bool
}

// OverlapOutcome is what a round of decisions came to.
type OverlapOutcome struct {
	Released []wheel.Entry
	Skipped  map[string]int     // how many, by reason
	Cancel   map[int32][]job.ID // tenant to the runs that are to be cancelled
}

// blockedLimit bounds the blocked jobs and runs that one round looks at.
const blockedLimit = 5000

// DueDecisions answers schedules of the partitions with blocked jobs whose time has come; it looks at up to limit jobs.
func (s *Store) DueDecisions(ctx context.Context, parts []int16, limit int) ([]int32, error) {
	return s.blockedSchedules(ctx, "read due decisions", orderedSettings, "due_decisions", parts, limit)
}

// NextDecision is the earliest time of a decision in the partitions; zero if there is none.
func (s *Store) NextDecision(ctx context.Context, parts []int16) (time.Time, error) {
	var at *time.Time
	err := s.steered(ctx, s.control, orderedSettings, func(batch *pgx.Batch) {
		batch.Queue(s.sql("next_decision"), parts).QueryRow(func(row pgx.Row) error { return row.Scan(&at) })
	})
	return orZero(at), classify("read next decision", err, false)
}

// BlockedAmong answers which of the schedules have blocked jobs.
func (s *Store) BlockedAmong(ctx context.Context, schedules []int32) ([]int32, error) {
	return s.blockedSchedules(ctx, "read waiting schedules", hotSettings, "waiting_among", schedules)
}

// WaitingSchedules lists up to limit schedules of the partitions behind an id, in order of id, whose jobs wait for others.
func (s *Store) WaitingSchedules(ctx context.Context, parts []int16, after int32, limit int) ([]int32, error) {
	return s.blockedSchedules(ctx, "read waiting schedules", orderedSettings, "waiting_behind", parts, after, limit)
}

// blockedSchedules runs a statement that answers schedules, behind settings.
func (s *Store) blockedSchedules(ctx context.Context, what, settings, statement string, args ...any) ([]int32, error) {
	var found []int32
	err := s.steered(ctx, s.control, settings, func(batch *pgx.Batch) {
		batch.Queue(s.sql(statement), args...).Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectRows(rows, pgx.RowTo[int32])
			return err
		})
	})
	return found, classify(what, err, false)
}

func scanID(row pgx.Row) (id int32, err error) {
	err = row.Scan(&id)
	return id, err
}

// lockedSchedule is what lock_schedules answers.
type lockedSchedule struct {
	id     int32
	uid    [16]byte
	part   int16
	home   int16
	tenant int32
	others []int16
}

// DecideOverlaps decides on the blocked jobs of schedules, all in one transaction under the locks of their rows. decide may be
// called again for the same schedule by a later round, and must depend on nothing but the case.
func (s *Store) DecideOverlaps(ctx context.Context, schedules []int32, decide func(OverlapCase) OverlapDecision) (OverlapOutcome, error) {
	out := OverlapOutcome{Skipped: map[string]int{}, Cancel: map[int32][]job.ID{}}
	err := inTx(ctx, s.control, "decide on overlaps", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, s.sql(hotSettings)); err != nil {
			return fmt.Errorf("set up: %w", err)
		}
		locked, err := listRows(ctx, tx, "lock schedules", s.sql("lock_schedules"), func(row pgx.Row) (l lockedSchedule, err error) {
			err = row.Scan(&l.id, &l.uid, &l.part, &l.home, &l.tenant, &l.others)
			return l, err
		}, schedules)
		if err != nil {
			return err
		}
		if len(locked) < len(schedules) {
			if _, err := tx.Exec(ctx, s.sql("drop_orphans"), schedules); err != nil {
				return fmt.Errorf("drop orphans: %w", err)
			}
		}
		byPart := map[int16][]lockedSchedule{}
		for _, l := range locked {
			byPart[l.part] = append(byPart[l.part], l)
		}
		for _, part := range slices.Sorted(maps.Keys(byPart)) { // the order in which rows of jobs are locked
			r := overlapRound{s: s, tx: tx, part: part, schedules: byPart[part], out: &out}
			if err := r.decide(ctx, decide); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// overlapRound is the decisions about the schedules of one partition.
type overlapRound struct {
	s         *Store
	tx        pgx.Tx
	part      int16
	schedules []lockedSchedule
	out       *OverlapOutcome
}

func (r *overlapRound) decide(ctx context.Context, decide func(OverlapCase) OverlapDecision) error {
	blocked, stale, err := r.blocked(ctx)
	if err != nil {
		return err
	}
	alive, err := r.alive(ctx)
	if err != nil {
		return err
	}
	w := verdicts{stale: stale}
	for i := range r.schedules {
		l := &r.schedules[i]
		list := blocked[l.id]
		if len(list) == 0 {
			continue
		}
		d := decide(OverlapCase{Schedule: l.id, Alive: alive[l.id], Blocked: list})
		if d.CancelRuns && alive[l.id] {
			if err := r.runs(ctx, l); err != nil {
				return err
			}
		}
		for k, verdict := range d.Verdicts {
			w.add(l, list[k], verdict)
		}
	}
	return r.write(ctx, &w)
}

// blocked reads the blocked jobs that can be decided on, and which of their rows have no job any more.
func (r *overlapRound) blocked(ctx context.Context) (map[int32][]BlockedJob, []verdictRow, error) {
	byID := make(map[int32]*lockedSchedule, len(r.schedules))
	for i := range r.schedules {
		byID[r.schedules[i].id] = &r.schedules[i]
	}
	found, stale := map[int32][]BlockedJob{}, []verdictRow(nil)
	rows, err := r.tx.Query(ctx, r.s.leafSQL("blocked_of", r.part), r.ids(), blockedLimit)
	if err != nil {
		return nil, nil, fmt.Errorf("read blocked jobs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var schedule int32
		var b BlockedJob
		var version *int64
		if err := rows.Scan(&schedule, &b.ID, &b.Overlap, &b.Waits, &version); err != nil {
			return nil, nil, fmt.Errorf("read blocked jobs: %w", err)
		}
		if version == nil {
			stale = append(stale, verdictRow{schedule: byID[schedule], job: b})
			continue
		}
		b.version = *version
		found[schedule] = append(found[schedule], b)
	}
	return found, stale, rows.Err()
}

func (r *overlapRound) ids() []int32 {
	ids := make([]int32, len(r.schedules))
	for i := range r.schedules {
		ids[i] = r.schedules[i].id
	}
	return ids
}

// alive finds the schedules that have a run, here or where their queue was before. Where none is left there, it is not looked
// for again.
func (r *overlapRound) alive(ctx context.Context) (map[int32]bool, error) {
	found, err := r.aliveIn(ctx, r.part, r.ids())
	if err != nil {
		return nil, err
	}
	elsewhere, moved := map[int16][]int32{}, []int32{}
	for i := range r.schedules {
		l := &r.schedules[i]
		if len(l.others) > 0 {
			moved = append(moved, l.id)
		}
		for _, part := range l.others {
			elsewhere[part] = append(elsewhere[part], l.id)
		}
	}
	kept := map[int32]bool{}
	for part, ids := range elsewhere {
		more, err := r.aliveIn(ctx, part, ids)
		if err != nil {
			return nil, err
		}
		for id := range more {
			found[id], kept[id] = true, true
		}
	}
	var done []int32
	for _, id := range moved {
		if !kept[id] {
			done = append(done, id)
		}
	}
	if len(done) > 0 {
		if _, err := r.tx.Exec(ctx, r.s.sql("trim_parts"), done); err != nil {
			return nil, fmt.Errorf("forget former partitions: %w", err)
		}
	}
	return found, nil
}

func (r *overlapRound) aliveIn(ctx context.Context, part int16, ids []int32) (map[int32]bool, error) {
	alive, err := listRows(ctx, r.tx, "look for runs", r.s.leafSQL("alive_of", part), scanID, ids)
	found := make(map[int32]bool, len(alive))
	for _, id := range alive {
		found[id] = true
	}
	return found, err
}

// runs notes the runs of a schedule that are to be cancelled.
func (r *overlapRound) runs(ctx context.Context, l *lockedSchedule) error {
	for _, part := range append([]int16{r.part}, l.others...) {
		ids, err := listRows(ctx, r.tx, "read runs", r.s.leafSQL("runs_of", part), func(row pgx.Row) (id job.ID, err error) {
			err = row.Scan(&id)
			return id, err
		}, []int32{l.id}, blockedLimit)
		if err != nil {
			return err
		}
		r.out.Cancel[l.tenant] = append(r.out.Cancel[l.tenant], ids...)
	}
	return nil
}
