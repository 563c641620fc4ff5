package store

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

// OccurrenceOutcome is what became of a nominal time. The numbers are stored.
type OccurrenceOutcome int16

// Outcomes of nominal times.
const (
	Materialised OccurrenceOutcome = 1 // a job, made on time
	CaughtUp     OccurrenceOutcome = 2 // a job, made late for all that was missed
	Merged       OccurrenceOutcome = 3 // missed; the one caught up stands for it
	Skipped      OccurrenceOutcome = 4 // no job; the reason says why
	Withdrawn    OccurrenceOutcome = 5 // its job was taken back before any lease
)

// ReasonBlocked marks, as the reason of an occurrence with a job, that the job waits for the end of another run.
const ReasonBlocked = "BLOCKED"

// String returns the name used in metrics and logs.
func (o OccurrenceOutcome) String() string {
	names := [...]string{Materialised: "materialised", CaughtUp: "caught_up", Merged: "merged", Skipped: "skipped", Withdrawn: "withdrawn"}
	if o < 1 || int(o) >= len(names) {
		return "unknown"
	}
	return names[o]
}

// DueSchedule is what materialising needs to know of a schedule.
type DueSchedule struct {
	ID         int32
	UID        [16]byte
	TenantName string
	Name       string
	Part       int16
	Spec       []byte // JSON
	Queue      string
	JobType    string
	Revision   int64
	Runs       int64
	Cursor     time.Time
	Next       time.Time
	Size       int // bytes of the template's body
	Overlap    int16
	Calls      int64 // manual runs and backfills so far
	Alive      bool  // with an Overlap that asks: some job of it is not final
}

// DuePosition is a place in the order of (Next, ID); the zero one is the beginning.
type DuePosition struct {
	Next time.Time
	ID   int32
}

// DueSchedules reads up to limit schedules of the partitions that have something to decide on up to until, behind a
// position, in order of it.
func (s *Store) DueSchedules(ctx context.Context, parts []int16, until time.Time, after DuePosition, limit int) ([]DueSchedule, error) {
	due, err := listRows(ctx, s.control, "read due schedules", s.sql("due_schedules"), scanDueSchedule, parts, until, after.Next,
		after.ID, limit)
	if err != nil {
		return nil, err
	}
	return due, s.markAlive(ctx, due)
}

// markAlive looks for jobs of schedules whose overlap policy asks for them. It looks after the rows of the schedules were
// read: a job that comes later raises Calls, which materialising compares.
func (s *Store) markAlive(ctx context.Context, due []DueSchedule) error {
	asking := map[int16][]int32{}
	byID := make(map[int32]*DueSchedule, len(due))
	for i := range due {
		d := &due[i]
		byID[d.ID] = d
		if d.Overlap != OverlapAllowed && !d.Alive {
			asking[d.Part] = append(asking[d.Part], d.ID)
		}
	}
	if len(asking) == 0 {
		return nil
	}
	err := s.steered(ctx, s.control, hotSettings, func(batch *pgx.Batch) {
		for part, ids := range asking {
			batch.Queue(s.leafSQL("schedules_with_jobs", part), ids).Query(func(rows pgx.Rows) error {
				var id int32
				_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
					byID[id].Alive = true
					return nil
				})
				return err
			})
		}
	})
	return classify("look for jobs of schedules", err, false)
}

// CountDueSchedules counts the schedules of the partitions that have something to decide on up to each instant: up to limit
// of them, so that its cost is bounded.
func (s *Store) CountDueSchedules(ctx context.Context, parts []int16, until []time.Time, limit int) ([]int64, error) {
	var counts []int64
	err := s.steered(ctx, s.control, orderedSettings, func(batch *pgx.Batch) {
		batch.Queue(s.sql("count_due_schedules"), parts, until, limit).Query(func(rows pgx.Rows) (err error) {
			counts, err = pgx.CollectRows(rows, pgx.RowTo[int64])
			return err
		})
	})
	return counts, classify("count due schedules", err, false)
}

func scanDueSchedule(row pgx.Row) (DueSchedule, error) {
	var d DueSchedule
	var spec string
	err := row.Scan(&d.ID, &d.UID, &d.TenantName, &d.Name, &d.Part, &spec, &d.Queue, &d.JobType, &d.Revision, &d.Runs, &d.Cursor, &d.Next, &d.Size,
		&d.Overlap, &d.Calls, &d.Alive)
	d.Spec, d.Cursor, d.Next = []byte(spec), d.Cursor.UTC(), d.Next.UTC()
	return d, err
}

// Materialisation is what becomes of the next nominal times of one schedule.
type Materialisation struct {
	ID       int32
	Revision int64
	Cursor   time.Time // as it was read
	Calls    int64     // likewise

	To          time.Time     // where the cursor moves
	Next        time.Time     // a bound below the due time of the first one behind it; zero: none
	Offset      time.Duration // jitter: how much later than their nominal times jobs are due
	Occurrences []Occurrence

	Done bool // false: the schedule has changed, or another node was quicker
}

// Occurrence is one nominal time, or a run of those that make no job.
type Occurrence struct {
	Outcome OccurrenceOutcome
	Nominal time.Time
	Until   time.Time // end of the run; Nominal for a job
	Count   int32     // of nominal times in the run; 0: not counted
	Reason  string    // of a skip
	Job     job.ID    // zero: a run
	Lane    int32
	Blocked bool   // the overlap policy decides when the job is due
	Suffix  []byte // behind the template's body; see job.OccurrenceSuffix
}

// Materialise decides on nominal times of many schedules in one statement, each schedule by compare-and-swap of its own. It
// sets Done, and answers the jobs that were made and are not blocked. After ErrUnknown the schedules have to be read again.
func (s *Store) Materialise(ctx context.Context, items []*Materialisation) ([]wheel.Entry, error) {
	slices.SortFunc(items, func(a, b *Materialisation) int { return int(a.ID) - int(b.ID) })
	var c materialiseColumns
	byID := make(map[int32]*Materialisation, len(items))
	for _, m := range items {
		m.Done = false
		byID[m.ID] = m
		c.add(m)
	}
	var made []wheel.Entry
	rows, err := s.hot.Query(ctx, s.sql("materialise"), c.id, c.revision, c.cursor, c.to, c.next, c.last, c.lastJob, c.schedule,
		c.nominal, c.until, c.count, c.outcome, c.reason, c.job, c.lane, c.suffix, c.jobs, c.offset, c.calls, c.blocked)
	if err != nil {
		return nil, classify("materialise", err, true)
	}
	defer rows.Close()
	for rows.Next() {
		var id int32
		var e madeJob
		if err := rows.Scan(&id, &e.id, &e.version, &e.due, &e.lane, &e.priority, &e.size); err != nil {
			return nil, classify("materialise", err, true)
		}
		byID[id].Done = true
		if e.id != nil {
			made = append(made, e.entry())
		}
	}
	return made, classify("materialise", rows.Err(), true)
}

// madeJob is a job that was made, or nothing.
type madeJob struct {
	id       *[16]byte
	version  *int64
	due      *time.Time
	lane     *int32
	priority *int16
	size     *int32
}

func (e madeJob) entry() wheel.Entry {
	return wheel.Entry{ID: *e.id, Version: *e.version, DueAt: e.due.UnixMicro(), Lane: *e.lane, Priority: uint8(*e.priority),
		Size: uint32(*e.size)}
}

type materialiseColumns struct {
	id       []int32
	revision []int64
	cursor   []time.Time
	to       []time.Time
	next     []*time.Time
	last     []*time.Time
	lastJob  []*[16]byte
	jobs     []int32 // how many jobs the schedule gets
	offset   []int64
	calls    []int64

	schedule []int32
	nominal  []time.Time
	until    []time.Time
	count    []*int32
	outcome  []int16
	reason   []string
	job      []*[16]byte
	lane     []*int32
	suffix   [][]byte
	blocked  []bool
}

func (c *materialiseColumns) add(m *Materialisation) {
	c.id, c.revision = append(c.id, m.ID), append(c.revision, m.Revision)
	c.cursor, c.to, c.next = append(c.cursor, m.Cursor), append(c.to, m.To), append(c.next, optionalTime(m.Next))
	var last *time.Time
	var lastJob *[16]byte
	jobs := int32(0)
	for i := range m.Occurrences {
		o := &m.Occurrences[i]
		var id *[16]byte
		var lane *int32
		if !o.Job.IsZero() {
			id, lane = (*[16]byte)(&o.Job), &o.Lane
			last, lastJob = &o.Nominal, id
			jobs++
		}
		c.schedule, c.nominal, c.until = append(c.schedule, m.ID), append(c.nominal, o.Nominal), append(c.until, o.Until)
		c.count, c.outcome = append(c.count, optionalCount(o.Count)), append(c.outcome, int16(o.Outcome))
		c.reason, c.job = append(c.reason, o.Reason), append(c.job, id)
		c.lane, c.suffix, c.blocked = append(c.lane, lane), append(c.suffix, o.Suffix), append(c.blocked, o.Blocked)
	}
	c.last, c.lastJob = append(c.last, last), append(c.lastJob, lastJob)
	c.jobs, c.offset = append(c.jobs, jobs), append(c.offset, m.Offset.Microseconds())
	c.calls = append(c.calls, m.Calls)
}
