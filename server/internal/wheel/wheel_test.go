package wheel_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/wheel"
)

func TestAdd_TakesTheWholeHorizonAndRefusesBeyond(t *testing.T) {
	t.Parallel()
	w := wheel.New(origin, wheel.Options{})
	edge := origin + wheel.DefaultHorizon.Microseconds()
	if !w.Add(wheel.Entry{ID: idOf(1), DueAt: edge}) {
		t.Fatal("refused at the horizon's edge")
	}
	for i, due := range []int64{origin + 10*time.Minute.Microseconds(), math.MaxInt64} {
		if w.Add(wheel.Entry{ID: idOf(2 + i), DueAt: due}) {
			t.Fatalf("took an entry %d µs ahead", due-origin)
		}
	}
	w.Advance(origin+9*time.Minute.Microseconds(), 10, nil)
	if !w.Add(wheel.Entry{ID: idOf(2), DueAt: origin + 10*time.Minute.Microseconds()}) {
		t.Fatal("the horizon did not move along with Advance")
	}
}

func TestAdd_ReplacementBeyondTheHorizonDropsTheOldVersion(t *testing.T) {
	t.Parallel()
	w := wheel.New(origin, wheel.Options{})
	w.Add(wheel.Entry{ID: idOf(1), Version: 1, DueAt: origin + 5})
	if w.Add(wheel.Entry{ID: idOf(1), Version: 2, DueAt: origin + time.Hour.Microseconds()}) {
		t.Fatal("took an entry an hour ahead")
	}
	if _, held := w.Version(idOf(1)); held || w.Len() != 0 {
		t.Fatal("a version that was replaced is still held")
	}
}

func TestAdvance_NeverEarlyByAMicrosecond(t *testing.T) {
	t.Parallel()
	w := wheel.New(origin, wheel.Options{})
	due := origin + 1_234_567
	w.Add(wheel.Entry{ID: idOf(1), DueAt: due})
	if got, more := w.Advance(due-1, 10, nil); len(got) != 0 || more {
		t.Fatalf("%d entries out one microsecond early, more = %v", len(got), more)
	}
	if got, _ := w.Advance(due, 10, nil); len(got) != 1 {
		t.Fatal("not out at its instant")
	}
}

func TestAdvance_ACorrectedClockReleasesNothingEarly(t *testing.T) {
	t.Parallel()
	w := wheel.New(origin, wheel.Options{})
	w.Advance(origin+10_000, 10, nil)
	w.Add(wheel.Entry{ID: idOf(1), DueAt: origin + 9_000})
	if got, more := w.Advance(origin+8_000, 10, nil); len(got) != 0 || more {
		t.Fatal("an entry came out before its instant after the clock went back")
	}
	if next, ok := w.Next(); !ok || next != origin+9_000 {
		t.Fatalf("Next = %d %v", next, ok)
	}
	if got, _ := w.Advance(origin+9_000, 10, nil); len(got) != 1 {
		t.Fatal("the entry did not come out at its instant")
	}
}

func TestAdvance_OverdueEntriesComeNextInDueOrder(t *testing.T) {
	t.Parallel()
	w := wheel.New(origin, wheel.Options{})
	w.Add(wheel.Entry{ID: idOf(3), DueAt: origin + 1})
	w.Add(wheel.Entry{ID: idOf(2), DueAt: origin - 1})
	w.Add(wheel.Entry{ID: idOf(1), DueAt: math.MinInt64})
	got, more := w.Advance(origin+1, 2, nil)
	if !more || len(got) != 2 || got[0].ID != idOf(1) || got[1].ID != idOf(2) {
		t.Fatalf("got %v, more = %v", got, more)
	}
	if got, more = w.Advance(origin+1, 2, nil); more || len(got) != 1 || got[0].ID != idOf(3) {
		t.Fatalf("got %v, more = %v", got, more)
	}
}

func TestRemove_AfterABatchEndedInsideAHerd(t *testing.T) {
	t.Parallel()
	const n = 600
	w := wheel.New(origin, wheel.Options{})
	for i := range n {
		w.Add(wheel.Entry{ID: idOf(i), DueAt: origin + 1})
	}
	out, _ := w.Advance(origin+1, n/2, nil)
	for i := range n {
		w.Remove(idOf(i))
		if next, ok := w.Next(); ok && next != origin+1 {
			t.Fatalf("Next = %d after %d removals", next, i+1)
		}
	}
	rest, more := w.Advance(origin+1, n, nil)
	if len(out) != n/2 || len(rest) != 0 || more || w.Len() != 0 {
		t.Fatalf("%d out, then %d of those removed, %d still held", len(out), len(rest), w.Len())
	}
}

func TestAdvance_OverdueEntriesStayInOrderUnderRemovals(t *testing.T) {
	t.Parallel()
	const n = 2000
	rnd := rand.New(rand.NewPCG(3, 4))
	w := wheel.New(origin, wheel.Options{})
	for i := range n {
		w.Add(wheel.Entry{ID: idOf(i), DueAt: origin - 1 - rnd.Int64N(1_000_000)})
	}
	for _, i := range rnd.Perm(n)[:n/2] {
		w.Remove(idOf(i))
	}
	out, _ := w.Advance(origin, n, nil)
	if len(out) != n/2 || !slices.IsSortedFunc(out, func(a, b wheel.Entry) int { return cmp.Compare(a.DueAt, b.DueAt) }) {
		t.Fatalf("%d entries, in due order or not", len(out))
	}
}

func TestWheel_HerdAfterHerdDoesNotGrow(t *testing.T) {
	t.Parallel()
	w := wheel.New(origin, wheel.Options{})
	var first int
	for round := range 20 {
		now := origin + int64(round)*3_333_333
		for i := range 1000 {
			w.Add(wheel.Entry{ID: idOf(i), DueAt: now + 1})
		}
		for i := range 500 {
			w.Remove(idOf(i))
		}
		w.Advance(now+1, 1000, nil)
		if round == 0 {
			first = w.Bytes()
		}
	}
	if w.Len() != 0 || w.Bytes() > first+10_000 {
		t.Fatalf("%d bytes after 20 herds, %d after the first", w.Bytes(), first)
	}
}

func TestWheel_GivesAHerdsMemoryBack(t *testing.T) {
	t.Parallel()
	w := wheel.New(origin, wheel.Options{})
	idle := w.Bytes()
	const n = 100_000
	for i := range n {
		w.Add(wheel.Entry{ID: idOf(i), DueAt: origin + int64(i%100)})
	}
	if per := w.Bytes() / n; per > 160 {
		t.Fatalf("%d bytes per entry", per)
	}
	var buf []wheel.Entry
	for more := true; more; {
		buf, more = w.Advance(origin+1_000_000, 1000, buf[:0])
	}
	if w.Len() != 0 || w.Bytes() > idle {
		t.Fatalf("%d entries and %d bytes after the herd, %d before", w.Len(), w.Bytes(), idle)
	}
}

// Not parallel: testing.AllocsPerRun counts the allocations of the whole process.
func TestWheel_SteadyStateAllocatesNothing(t *testing.T) {
	w := wheel.New(origin, wheel.Options{})
	buf := make([]wheel.Entry, 0, 1000)
	now := origin
	round := func() {
		for i := range 500 {
			w.Add(wheel.Entry{ID: idOf(i), DueAt: now + int64(i*977)})
		}
		now += pageSpan
		buf, _ = w.Advance(now, 1000, buf[:0])
	}
	for range 300 {
		round()
	}
	if allocs := testing.AllocsPerRun(50, round); allocs > 1 {
		t.Fatalf("%v allocations for 500 entries", allocs)
	}
}
