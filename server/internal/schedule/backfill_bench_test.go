package schedule

import (
	"testing"
	"time"
)

// What pausing a schedule costs that has 10,000 jobs waiting, all of one transaction.
func BenchmarkPause_WithBackfilledJobs(b *testing.B) {
	const jobs = 10_000
	w := newWorld(b, "2026-05-04T09:00:00Z")
	w.create("s", "* * * * * *", "")
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		until := w.Now().Add(-time.Duration(i)*jobs*time.Second - time.Hour)
		_, err := w.service.Backfill(b.Context(), Backfill{Tenant: "acme", Name: "s", From: until.Add(-jobs * time.Second), Until: until,
			Overlap: AllowOverlap})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := w.service.Pause(b.Context(), "acme", "s", "for a while"); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if _, err := w.service.Resume(b.Context(), "acme", "s"); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
