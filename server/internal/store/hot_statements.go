package store

import (
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/belfryhq/belfry/server/internal/job"
)

// The statements of a hot transaction: columns gathered into arrays, one statement for each partition, results matched to
// their items by id.

func (p *pipeline) create(items []*Create) {
	if len(items) == 0 {
		return
	}
	slices.SortFunc(items, func(a, b *Create) int { return compareIDs(a.ID, b.ID) })
	n := len(items)
	c := createColumns{
		part: make([]int16, n), id: make([][16]byte, n), lane: make([]int32, n), priority: make([]int16, n),
		at: make([]*time.Time, n), delay: make([]int64, n), age: make([]int64, n), startBy: make([]*time.Time, n),
		startIn: make([]*int64, n), timeout: make([]*int64, n), body: make([][]byte, n), asked: make([]bool, n),
	}
	byID := make(map[job.ID]*Create, n)
	for i, it := range items {
		c.set(i, it)
		byID[it.ID] = it
	}
	p.batch.Queue(p.s.sql("create_jobs"), c.rpart, c.rkey, c.rprint, c.rjob, c.part, c.id, c.lane, c.priority, c.at,
		c.delay, c.age, c.startBy, c.startIn, c.timeout, c.body, c.asked).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var id [16]byte
			var due, scheduled time.Time
			if err := rows.Scan(&id, &due, &scheduled); err != nil {
				return err
			}
			it := byID[id]
			it.Stored, it.Due, it.Scheduled = true, due.UTC(), scheduled.UTC()
		}
		return rows.Err()
	})
}

type createColumns struct {
	rpart    []int16
	rkey     [][16]byte
	rprint   []int64
	rjob     [][16]byte
	part     []int16
	id       [][16]byte
	lane     []int32
	priority []int16
	at       []*time.Time
	delay    []int64
	age      []int64
	startBy  []*time.Time
	startIn  []*int64
	timeout  []*int64
	body     [][]byte
	asked    []bool
}

func (c *createColumns) set(i int, it *Create) {
	c.part[i], c.id[i], c.lane[i], c.priority[i] = it.ID.Part(), it.ID, it.Lane, it.Priority
	c.at[i], c.delay[i], c.age[i] = optionalTime(it.At), it.Delay.Microseconds(), it.Age.Microseconds()
	c.startBy[i], c.startIn[i] = optionalTime(it.StartBy), optionalMicros(it.StartWithin)
	c.timeout[i], c.body[i], c.asked[i] = optionalMicros(it.Timeout), it.Body, it.Request != nil
	if it.Request != nil {
		c.rpart = append(c.rpart, it.Request.Part)
		c.rkey = append(c.rkey, it.Request.Key)
		c.rprint = append(c.rprint, it.Request.Fingerprint)
		c.rjob = append(c.rjob, it.ID)
	}
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func optionalMicros(d time.Duration) *int64 {
	if d == 0 {
		return nil
	}
	us := d.Microseconds()
	return &us
}

func (p *pipeline) claim(c *ClaimBatch) {
	slices.SortFunc(c.Items, func(a, b ClaimItem) int { return slices.Compare(a.ID[:], b.ID[:]) })
	n := len(c.Items)
	ids, versions := make([][16]byte, n), make([]int64, n)
	leases, timeouts, workers := make([]int64, n), make([]int64, n), make([]string, n)
	for i, it := range c.Items {
		ids[i], versions[i], workers[i] = it.ID, it.Version, it.Worker
		leases[i], timeouts[i] = it.Lease.Microseconds(), it.Timeout.Microseconds()
	}
	p.batch.Queue(p.s.leafSQL("claim_jobs", c.Part), c.Epoch, c.Config, c.ClaimID, ids, versions, leases, timeouts, workers).
		Query(func(rows pgx.Rows) error {
			c.Rows = make([]Live, 0, n)
			for rows.Next() {
				row, err := scanLive(rows)
				if err != nil {
					return err
				}
				c.Rows = append(c.Rows, row)
			}
			return rows.Err()
		})
	p.batch.Queue(p.s.leafSQL("note_claim", c.Part), c.ClaimID, ids)
}

func (p *pipeline) beat(part int16, items []*Beat) {
	n := len(items)
	t := newTokenColumns(n)
	leases := make([]*int64, n)
	byToken := make(map[job.Token]*Beat, n)
	for i, it := range items {
		t.set(i, it.Token)
		leases[i] = optionalMicros(it.Lease)
		byToken[job.Token{ID: it.Token.ID}] = it
	}
	p.batch.Queue(p.s.leafSQL("beat_leases", part), t.id, t.version, t.claim, t.lane, leases).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var id [16]byte
			var left int64
			var asked bool
			var reason string
			if err := rows.Scan(&id, &left, &asked, &reason); err != nil {
				return err
			}
			it := byToken[job.Token{ID: id}]
			it.Held, it.Remaining = true, time.Duration(left)*time.Microsecond
			it.CancelAsked, it.CancelReason = asked, reason
		}
		return rows.Err()
	})
}

type tokenColumns struct {
	id      [][16]byte
	version []int64
	claim   []int64
	lane    []int32
}

func newTokenColumns(n int) tokenColumns {
	return tokenColumns{make([][16]byte, n), make([]int64, n), make([]int64, n), make([]int32, n)}
}

func (t tokenColumns) set(i int, tok job.Token) {
	t.id[i], t.version[i], t.claim[i], t.lane[i] = tok.ID, tok.Version, tok.ClaimID, tok.Lane
}

func (p *pipeline) finish(part int16, items []*Finish) {
	n := len(items)
	t := newTokenColumns(n)
	from, state, outcome, retention := make([]int16, n), make([]int16, n), make([]int16, n), make([]int16, n)
	expired, slim, uncounted := make([]bool, n), make([]bool, n), make([]bool, n)
	reason, fault, result, tenant := make([]string, n), make([]string, n), make([][]byte, n), make([]int32, n)
	reported := make([]int16, n)
	var retried, dead [][16]byte
	byID := make(map[job.ID]*Finish, n)
	for i, it := range items {
		t.set(i, it.Token)
		from[i], expired[i], state[i], outcome[i] = int16(it.From), it.OnlyExpired, int16(it.State), int16(it.Outcome)
		reason[i], fault[i], result[i], tenant[i] = it.Reason, it.Error, it.Result, it.Tenant
		retention[i], slim[i], uncounted[i], reported[i] = it.Retention, it.Slim, it.Uncounted, int16(it.Reported)
		if it.Token.Lease > 1 || it.From != job.Running {
			retried = append(retried, it.Token.ID)
		}
		if it.State == job.Dead {
			dead = append(dead, it.Token.ID)
		}
		byID[it.Token.ID] = it
	}
	if len(dead) > 0 {
		p.batch.Queue(p.s.leafSQL("note_dead_runs", part), dead)
	}
	p.batch.Queue(p.s.leafSQL("finish_jobs", part), t.id, t.version, t.claim, t.lane, from, expired, state, outcome, reason,
		fault, result, retention, slim, tenant, uncounted, reported).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var id [16]byte
			var schedule *int32
			if err := rows.Scan(&id, &schedule); err != nil {
				return err
			}
			byID[id].Done = true
			if schedule != nil {
				byID[id].Schedule = *schedule
			}
		}
		return rows.Err()
	})
	if len(retried) > 0 {
		p.batch.Queue(p.s.leafSQL("drop_attempts", part), retried)
	}
}

func (p *pipeline) giveBack(part int16, items []*Return) {
	n := len(items)
	t := newTokenColumns(n)
	expired, uncounted, lost := make([]bool, n), make([]bool, n), make([]bool, n)
	outcome, fault, wait := make([]int16, n), make([]string, n), make([]int64, n)
	byID := make(map[job.ID]*Return, n)
	for i, it := range items {
		t.set(i, it.Token)
		expired[i], outcome[i], fault[i], wait[i] = it.OnlyExpired, int16(it.Outcome), it.Error, it.Wait.Microseconds()
		uncounted[i], lost[i] = it.Uncounted, it.Lost
		byID[it.Token.ID] = it
	}
	p.batch.Queue(p.s.leafSQL("return_jobs", part), t.id, t.version, t.claim, t.lane, expired, outcome, fault, wait, uncounted,
		lost).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var id [16]byte
			var version int64
			var due time.Time
			if err := rows.Scan(&id, &version, &due); err != nil {
				return err
			}
			it := byID[id]
			it.Done, it.Version, it.Due = true, version, due.UTC()
		}
		return rows.Err()
	})
}
