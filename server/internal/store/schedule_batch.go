package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// NewSchedules are schedules of one tenant to be made together.
type NewSchedules struct {
	Tenant     int32
	TenantName string
	Items      []ScheduleItem // no two of one name
	// Timing decides by the database's clock where the rule of each item stands; called once.
	Timing  func(now time.Time) ([]Timing, error)
	Request *AdminRequest // nil: none
}

// ScheduleItem is one of NewSchedules.
type ScheduleItem struct {
	Name        string
	Template    ScheduleTemplate
	Description string
	OverlapRule
	Calendars []CalendarRef // that the rule copies
}

// NamesTakenError says which items of a batch have names that are taken. It is an ErrExists.
type NamesTakenError struct{ Items []int }

// Error names the first of them.
func (e *NamesTakenError) Error() string {
	return fmt.Sprintf("%d names are taken, first that of item %d", len(e.Items), e.Items[0])
}

// Unwrap returns ErrExists.
func (e *NamesTakenError) Unwrap() error { return ErrExists }

// CreateSchedules makes all schedules or none, and answers them in their order, without payloads. existing says that the
// request id was known and its schedules are answered, some of which may have been deleted since (Deleted). Errors:
// *NamesTakenError, ErrRequestReused, ErrCalendarMoved.
func (s *Store) CreateSchedules(ctx context.Context, n NewSchedules) (made []*Schedule, existing bool, err error) {
	err = inTx(ctx, s.read, "create schedules", func(tx pgx.Tx) error {
		known, err := s.once(ctx, tx, n.Request, func() (string, error) {
			var err error
			if made, err = s.insertSchedules(ctx, tx, n); err != nil {
				return "", err
			}
			return idList(made), nil
		})
		if err != nil || known == "" {
			return err
		}
		existing = true
		made, err = s.schedulesOf(ctx, tx, known)
		return err
	})
	return made, existing, err
}

func (s *Store) insertSchedules(ctx context.Context, tx pgx.Tx, n NewSchedules) ([]*Schedule, error) {
	if err := s.holdCalendars(ctx, tx, n.calendars()); err != nil {
		return nil, err
	}
	var now time.Time
	if err := tx.QueryRow(ctx, s.sql("clock")).Scan(&now); err != nil {
		return nil, fmt.Errorf("read database clock: %w", err)
	}
	timing, err := n.Timing(now.UTC())
	if err != nil {
		return nil, err
	}
	rows, err := s.scanSchedules(tx.Query(ctx, s.sql("create_schedules"), s.columnsOf(n, timing)...))
	if err != nil {
		return nil, fmt.Errorf("insert schedules: %w", err)
	}
	byName := make(map[string]*Schedule, len(rows))
	for _, row := range rows {
		byName[row.Name] = row
	}
	made := make([]*Schedule, len(n.Items))
	var taken []int
	for i := range n.Items {
		if made[i] = byName[n.Items[i].Name]; made[i] == nil {
			taken = append(taken, i)
		}
	}
	if len(taken) > 0 {
		return nil, &NamesTakenError{taken}
	}
	uses := make(map[int32][]CalendarRef)
	for i, one := range made {
		uses[one.ID] = n.Items[i].Calendars
	}
	return made, s.useCalendars(ctx, tx, uses)
}

// calendars lists those of all items, each once.
func (n NewSchedules) calendars() []CalendarRef {
	var all []CalendarRef
	for i := range n.Items {
		for _, ref := range n.Items[i].Calendars {
			if !slices.Contains(all, ref) {
				all = append(all, ref)
			}
		}
	}
	return all
}

// columnsOf gives the arguments of create_schedules.
func (s *Store) columnsOf(n NewSchedules, timing []Timing) []any {
	size := len(n.Items)
	names, specs, queues := make([]string, size), make([]string, size), make([]string, size)
	types, descriptions := make([]string, size), make([]string, size)
	parts, priorities := make([]int16, size), make([]int16, size)
	within, timeouts, ages := make([]*int64, size), make([]*int64, size), make([]int64, size)
	payloads, bodies := make([][]byte, size), make([][]byte, size)
	cursors, nexts := make([]time.Time, size), make([]*time.Time, size)
	overlaps, pauses := make([]int16, size), make([]bool, size)
	for i := range n.Items {
		t := &n.Items[i].Template
		overlaps[i], pauses[i] = n.Items[i].Overlap, n.Items[i].PauseOnFailure
		names[i], descriptions[i] = n.Items[i].Name, n.Items[i].Description
		parts[i], priorities[i] = job.PartOf(n.TenantName, t.Queue, s.parts), t.Priority
		queues[i], types[i], payloads[i], bodies[i] = t.Queue, t.JobType, t.Payload, t.Body
		within[i], timeouts[i], ages[i] = optionalMicros(t.StartWithin), optionalMicros(t.Timeout), t.Age.Microseconds()
		specs[i], cursors[i], nexts[i] = string(timing[i].Spec), timing[i].Cursor, optionalTime(timing[i].Next)
	}
	return []any{n.Tenant, names, parts, specs, queues, types, priorities, within, timeouts, ages, payloads, bodies, descriptions,
		cursors, nexts, overlaps, pauses}
}

func (s *Store) scanSchedules(rows pgx.Rows, err error) ([]*Schedule, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*Schedule, error) { return scanSchedule(row) })
}

// idList is what a request id remembers of a batch.
func idList(made []*Schedule) string {
	ids := make([]string, len(made))
	for i, one := range made {
		ids[i] = strconv.Itoa(int(one.ID))
	}
	return strings.Join(ids, ",")
}

// schedulesOf reads the schedules of an idList, in its order.
func (s *Store) schedulesOf(ctx context.Context, tx pgx.Tx, list string) ([]*Schedule, error) {
	var ids []int32
	for text := range strings.SplitSeq(list, ",") {
		id, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("BUG: request id of no schedules: %w", err)
		}
		ids = append(ids, int32(id))
	}
	rows, err := s.scanSchedules(tx.Query(ctx, s.sql("schedules_by_id"), ids))
	if err != nil {
		return nil, fmt.Errorf("read schedules of request id: %w", err)
	}
	byID := make(map[int32]*Schedule, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	found := make([]*Schedule, len(ids))
	for i, id := range ids {
		if found[i] = byID[id]; found[i] == nil {
			return nil, fmt.Errorf("schedule %d of request id: %w", id, ErrNotFound)
		}
	}
	return found, nil
}

// TakenSchedules answers which of the names a tenant's schedules have.
func (s *Store) TakenSchedules(ctx context.Context, tenant int32, names []string) (map[string]bool, error) {
	found, err := listRows(ctx, s.read, "look up names of schedules", s.sql("taken_schedules"), func(row pgx.Row) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	}, tenant, names)
	taken := make(map[string]bool, len(found))
	for _, name := range found {
		taken[name] = true
	}
	return taken, err
}
