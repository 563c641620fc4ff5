package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Bounds is where the next times of schedules are kept; store.Store is the real one.
type Bounds interface {
	ZoneData(ctx context.Context) (string, error)
	SetZoneData(ctx context.Context, release string) error
	TimedSchedules(ctx context.Context, after int32, limit int) ([]store.DueSchedule, error)
	RetimeSchedules(ctx context.Context, list []store.DueSchedule) error
}

const retimeChunk = 1000

// Retime computes the next times of all schedules anew if they stem from another release of the time zone database: a
// country that has changed its rules may have moved them forward, to where nobody would look in time. Safe to run on many
// nodes at once, and beside materialising: what has moved meanwhile was computed by the new release.
func Retime(ctx context.Context, b Bounds) (changed int, err error) {
	known, err := b.ZoneData(ctx)
	if err != nil || known == recurrence.ZoneDataVersion {
		return 0, err
	}
	for at := int32(0); ; {
		list, err := b.TimedSchedules(ctx, at, retimeChunk)
		if err != nil {
			return changed, fmt.Errorf("compute next times by time zone release %s: %w", recurrence.ZoneDataVersion, err)
		}
		if len(list) == 0 {
			return changed, b.SetZoneData(ctx, recurrence.ZoneDataVersion)
		}
		at = list[len(list)-1].ID
		var moved []store.DueSchedule
		for _, d := range list {
			if next, ok := nextOf(d); ok && !next.Equal(d.Next) {
				d.Next = next
				moved = append(moved, d)
			}
		}
		if len(moved) > 0 {
			if err := b.RetimeSchedules(ctx, moved); err != nil {
				return changed, err
			}
		}
		changed += len(moved)
	}
}

// nextOf is the effective time of the first nominal time behind the cursor. A rule that has none any more by the new
// release, or cannot be read, is left to the materialiser.
func nextOf(d store.DueSchedule) (time.Time, bool) {
	table, err := readTable(d.Spec, d.TenantName, d.Name)
	if err != nil {
		return time.Time{}, false
	}
	next := look(table, d.Cursor)
	return next.Add(table.Offset(seed(d.TenantName, d.Name))), !next.IsZero()
}
