package store

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// liveColumns and endedColumns are what scanLive and scanEnded read, in their order.
const (
	liveColumns = `t.part, t.id, t.state, t.priority, t.attempt, t.lane, t.version, t.due_at, t.scheduled_at, t.age_until,
       t.start_by, t.timeout_us, t.leases, t.releases, t.lost_leases, t.claim_id, t.claimed_at, t.lease_until,
       t.attempt_until, t.lease_us, t.beaten, t.cancel_asked, t.cancel_reason, t.worker_id, t.body, belfry_now()`
	endedColumns = `h.part, h.id, h.state, h.priority, h.attempt, h.lane, h.version, h.due_at, h.scheduled_at, h.age_until,
       h.start_by, h.timeout_us, h.leases, h.releases, h.lost_leases, h.claim_id, h.started_at, h.finished_at,
       h.cancel_asked, h.worker_id, h.outcome, h.reported, h.reason, h.error, h.body, h.result, h.attempts`
)

// unleasedColumns are what history keeps of a job that was never leased, and unleasedValues the values of one that is deleted as
// g. Retention, tenant and reason stand beside them.
const (
	unleasedColumns = `part, state, priority, attempt, outcome, lane, id, version, due_at, scheduled_at, finished_at, start_by,
       timeout_us, age_until, leases, releases, lost_leases, cancel_asked, error, body`
	unleasedValues = `g.part, 6, g.priority, g.attempt, 0, g.lane, g.id, g.version + 1, g.due_at, g.scheduled_at, belfry_now(),
       g.start_by, g.timeout_us, g.age_until, g.leases, g.releases, g.lost_leases, g.cancel_asked, '', g.body`
)

// queries holds the text of every named statement, with the leaf-bound ones spelled out for each partition: a
// constant text per statement and leaf is what the statement cache keys on.
type queries struct {
	plain map[string]string
	leaf  map[string][]string
}

// Leaf returns the leaf table of a partition.
func Leaf(part int16) string { return fmt.Sprintf("triggers_p%02d", part) }

// loadQueries parses the embedded files for a database of n partitions.
func loadQueries(n int) (*queries, error) {
	files, err := queryFiles.ReadDir("queries")
	if err != nil {
		return nil, fmt.Errorf("list embedded queries: %w", err)
	}
	q := &queries{plain: map[string]string{}, leaf: map[string][]string{}}
	columns := strings.NewReplacer("{{live}}", liveColumns, "{{ended}}", endedColumns, "{{tenant}}", tenantColumns,
		"{{key}}", keyColumns, "{{queue}}", queueColumns, "{{schedule}}", scheduleColumns,
		"{{schedule_brief}}", briefColumns(), "{{schedule_joins}}", scheduleJoins,
		"{{unleased}}", unleasedColumns, "{{unleased_values}}", unleasedValues,
		"{{calendar}}", calendarColumns, "{{calendar_brief}}", briefCalendarColumns())
	for _, file := range files {
		text, err := queryFiles.ReadFile("queries/" + file.Name())
		if err != nil {
			return nil, fmt.Errorf("read embedded queries %s: %w", file.Name(), err)
		}
		for _, section := range strings.Split(string(text), "-- name: ")[1:] {
			name, body, _ := strings.Cut(section, "\n")
			q.add(strings.TrimSpace(name), columns.Replace(statement(body)), n)
		}
	}
	return q, nil
}

func (q *queries) add(name, body string, n int) {
	if !strings.Contains(body, "{{part}}") && !strings.Contains(body, "{{leaf}}") {
		q.plain[name] = body
		return
	}
	bound := make([]string, n)
	for part := range bound {
		bound[part] = strings.NewReplacer("{{leaf}}", Leaf(int16(part)), "{{part}}", strconv.Itoa(part)).Replace(body)
	}
	q.leaf[name] = bound
}

// statement drops the comments and the semicolon, which would only cost bytes on every send.
func statement(section string) string {
	var lines []string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return strings.TrimRight(strings.TrimSpace(strings.Join(lines, "\n")), ";")
}

// sql returns a statement that is not bound to a leaf. An unknown name is a programming error.
func (s *Store) sql(name string) string {
	text, ok := s.queries.plain[name]
	if !ok {
		panic("BUG: no query named " + name)
	}
	return text
}

// leafSQL returns a statement bound to one partition's leaf.
func (s *Store) leafSQL(name string, part int16) string {
	bound, ok := s.queries.leaf[name]
	if !ok || int(part) >= len(bound) || part < 0 {
		panic(fmt.Sprintf("BUG: no query named %s for partition %d", name, part))
	}
	return bound[part]
}
