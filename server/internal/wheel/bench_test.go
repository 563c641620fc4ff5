package wheel_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/wheel"
)

const million = 1_000_000

// BenchmarkMillion inserts a million entries and takes them out in steps of 1 ms and batches of at most 1,000. It reports
// nanoseconds per entry, bytes per entry, and the longest single Advance (worst-µs).
func BenchmarkMillion(b *testing.B) {
	for _, shape := range []struct {
		name   string
		spread time.Duration
	}{{"over 60 s", time.Minute}, {"over 1 s", time.Second}, {"over 1 ms", time.Millisecond}, {"at one instant", time.Microsecond}} {
		b.Run(shape.name, func(b *testing.B) { benchMillion(b, shape.spread.Microseconds()) })
	}
}

func benchMillion(b *testing.B, spread int64) {
	rnd := rand.New(rand.NewPCG(1, 2))
	entries := make([]wheel.Entry, million)
	for i := range entries {
		entries[i] = wheel.Entry{ID: idOf(i), Version: 1, DueAt: origin + 1000 + rnd.Int64N(spread)}
		entries[i].ID[0] = byte(rnd.Uint32())
	}
	buf := make([]wheel.Entry, 0, 1000)
	var insert, expire, worst, worstAdd time.Duration
	var bytes int
	for b.Loop() {
		w := wheel.New(origin, wheel.Options{})
		start := time.Now()
		for i := 0; i < million; i += 100 {
			t := time.Now()
			for _, e := range entries[i : i+100] {
				w.Add(e)
			}
			worstAdd = max(worstAdd, time.Since(t))
		}
		insert += time.Since(start)
		bytes = w.Bytes()
		for now := origin; w.Len() > 0; now += 1000 {
			for more := true; more; {
				t := time.Now()
				buf, more = w.Advance(now, 1000, buf[:0])
				d := time.Since(t)
				expire += d
				worst = max(worst, d)
			}
		}
	}
	per := float64(b.N) * million
	b.ReportMetric(float64(insert.Nanoseconds())/per, "insert-ns/entry")
	b.ReportMetric(float64(expire.Nanoseconds())/per, "expire-ns/entry")
	b.ReportMetric(float64(bytes)/million, "B/entry")
	b.ReportMetric(float64(worst.Microseconds()), "worst-tick-µs")
	b.ReportMetric(float64(worstAdd.Microseconds()), "worst-100-adds-µs")
}
