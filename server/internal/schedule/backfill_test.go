package schedule

import (
	"errors"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
)

func TestBackfill_WithAnotherRange_RefusesAUsedRequestID(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-12-01T12:00:05Z")
	w.create("hourly", "0 * * * *", "UTC")
	call := Backfill{Tenant: "acme", Name: "hourly", From: utc(t, "2026-11-30T00:00:00Z"), Until: utc(t, "2026-11-30T06:00:00Z"),
		PerMinute: 60, RequestID: "r-1"}
	if _, err := w.service.Backfill(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Backfill){
		"start":      func(b *Backfill) { b.From = b.From.Add(time.Hour) },
		"end":        func(b *Backfill) { b.Until = b.Until.Add(time.Hour) },
		"policy":     func(b *Backfill) { b.Overlap = BufferOne },
		"per minute": func(b *Backfill) { b.PerMinute = 6 },
	} {
		other := call
		change(&other)
		if _, err := w.service.Backfill(t.Context(), other); !errors.Is(err, job.ErrRequestIDReused) {
			t.Errorf("with another %s: %v", what, err)
		}
	}
}
