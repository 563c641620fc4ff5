package wheel_test

import (
	"cmp"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/wheel"
)

const (
	origin   = int64(1_790_000_000_000_000)
	pageSpan = int64(1 << 20)
	horizon  = 70 * time.Second
)

// idOf makes distinct ids out of small numbers.
func idOf(n int) job.ID {
	var id job.ID
	binary.BigEndian.PutUint64(id[8:], uint64(n))
	return id
}

// model is a wheel as a sorted slice would do it.
type model struct {
	held map[job.ID]wheel.Entry
	w    *wheel.Wheel
	now  int64 // the highest instant advanced to
	low  int64 // nothing due before it is left
	buf  []wheel.Entry
}

func (m *model) sorted() []wheel.Entry {
	var all []wheel.Entry
	for _, e := range m.held {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b wheel.Entry) int { return cmp.Compare(a.DueAt, b.DueAt) })
	return all
}

// drawDue prefers what is hard: the past, one instant, one slot, page edges, and the edge of the horizon.
func (m *model) drawDue(t *rapid.T) int64 {
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return m.now - rapid.Int64Range(0, 3*pageSpan).Draw(t, "past")
	case 1:
		return m.now + rapid.Int64Range(0, 3).Draw(t, "instant")
	case 2:
		return m.now + rapid.Int64Range(0, 1500).Draw(t, "slot")
	case 3:
		return origin + ((m.now-origin)/pageSpan+rapid.Int64Range(0, 3).Draw(t, "page"))*pageSpan +
			rapid.Int64Range(-2, 2).Draw(t, "edge")
	case 4:
		return m.now + horizon.Microseconds() + rapid.Int64Range(-2, 40*pageSpan).Draw(t, "beyond")
	default:
		return m.now + rapid.Int64Range(0, horizon.Microseconds()).Draw(t, "ahead")
	}
}

func (m *model) add(t *rapid.T) {
	e := wheel.Entry{
		ID:      idOf(rapid.IntRange(0, 60).Draw(t, "id")),
		Version: rapid.Int64Range(1, 4).Draw(t, "version"),
		DueAt:   m.drawDue(t),
		Size:    rapid.Uint32().Draw(t, "size"),
	}
	m.put(t, e)
}

func (m *model) put(t *rapid.T, e wheel.Entry) {
	old, known := m.held[e.ID]
	ok := m.w.Add(e)
	if known && e.Version <= old.Version {
		if !ok {
			t.Fatalf("an entry that is held already was refused: %+v", e)
		}
		return
	}
	delete(m.held, e.ID)
	if !ok {
		if e.DueAt <= m.low+horizon.Microseconds() {
			t.Fatalf("refused inside the horizon: due %d µs after the last advance", e.DueAt-m.low)
		}
		return
	}
	m.held[e.ID] = e
}

// herd adds enough entries within a millisecond to split a slot.
func (m *model) herd(t *rapid.T) {
	at := m.drawDue(t)
	spread := rapid.SampledFrom([]int64{1, 3, 900}).Draw(t, "spread")
	first := rapid.IntRange(100, 900).Draw(t, "first")
	for i := range rapid.IntRange(200, 700).Draw(t, "n") {
		m.put(t, wheel.Entry{ID: idOf(first + i), Version: 1, DueAt: at + int64(i)*7%spread})
	}
}

func (m *model) remove(t *rapid.T) {
	id := idOf(rapid.IntRange(0, 1000).Draw(t, "id"))
	_, known := m.held[id]
	if m.w.Remove(id) != known {
		t.Fatalf("Remove says %v of an entry of which the model says %v", !known, known)
	}
	delete(m.held, id)
}

func (m *model) advance(t *rapid.T) {
	now := m.now + rapid.SampledFrom([]int64{-pageSpan, -1, 0, 1, 400, 1024, 5000, pageSpan, 20 * pageSpan, 500 * pageSpan}).
		Draw(t, "step")
	limit := rapid.SampledFrom([]int{0, 1, 10, 100, 10_000}).Draw(t, "max")
	want := m.sorted()
	due := 0
	for due < len(want) && want[due].DueAt <= now {
		due++
	}
	got, more := m.w.Advance(now, limit, m.buf[:0])
	m.buf = got
	if len(got) != min(due, limit) {
		t.Fatalf("Advance gave %d entries, %d are due and the limit is %d", len(got), due, limit)
	}
	if more != (due > limit) {
		t.Fatalf("more = %v with %d due and a limit of %d", more, due, limit)
	}
	for i, e := range got {
		if e.DueAt != want[i].DueAt {
			t.Fatalf("entry %d is due at %d, want %d: out of due order", i, e.DueAt, want[i].DueAt)
		}
		if m.held[e.ID] != e {
			t.Fatalf("Advance gave %+v, held is %+v", e, m.held[e.ID])
		}
		delete(m.held, e.ID)
	}
	m.now = max(m.now, now)
	if !more {
		m.low = max(m.low, now)
	}
}

func (m *model) check(t *rapid.T) {
	if m.w.Len() != len(m.held) {
		t.Fatalf("Len %d, want %d", m.w.Len(), len(m.held))
	}
	next, ok := m.w.Next()
	all := m.sorted()
	if ok != (len(all) > 0) || ok && next != all[0].DueAt {
		t.Fatalf("Next = %d %v with %d entries held", next, ok, len(all))
	}
	for n := range 61 {
		v, ok := m.w.Version(idOf(n))
		if e, held := m.held[idOf(n)]; ok != held || v != e.Version {
			t.Fatalf("Version(%d) = %d %v, want %d %v", n, v, ok, e.Version, held)
		}
	}
}

func TestWheel_BehavesLikeASortedSlice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &model{
			held: map[job.ID]wheel.Entry{},
			w:    wheel.New(origin, wheel.Options{Horizon: horizon}),
			now:  origin,
			low:  origin,
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": m.add, "add again": m.add, "herd": m.herd,
			"remove": m.remove, "advance": m.advance, "": m.check,
		})
	})
}
