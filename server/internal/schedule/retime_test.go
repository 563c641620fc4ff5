package schedule

import (
	"testing"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// P-TZ-01: the stored instant of a zone whose rules have changed is corrected at the start of a server that knows the new
// ones. The stored one here is an hour late, as if the offset had been another.
func TestRetime_CorrectsNextTimesOfAnotherRelease(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T12:00:00Z")
	v := w.create("nine", "0 9 * * *", "Europe/Berlin")
	w.step()
	w.db.Exec("UPDATE schedules SET next_at = '2026-05-05T08:00:00Z'")
	w.db.Exec("UPDATE cluster SET zone_data = '1999a'")
	if n, err := Retime(t.Context(), w.store); err != nil || n != 1 {
		t.Fatalf("%d corrected (%v), want 1", n, err)
	}
	w.set("2026-05-05T06:59:45Z")
	w.step()
	w.want("jobs", w.waiting(v), "05 07:00:00")
	if known, err := w.store.ZoneData(t.Context()); err != nil || known != recurrence.ZoneDataVersion {
		t.Errorf("release %q (%v)", known, err)
	}
	w.db.Exec("UPDATE schedules SET next_at = '2026-05-06T08:00:00Z'")
	if n, err := Retime(t.Context(), w.store); err != nil || n != 0 {
		t.Errorf("%d corrected (%v) by the release that is known, want 0", n, err)
	}
}
