package schedule

import "github.com/belfryhq/belfry/server/internal/store"

// Overlap says what becomes of an occurrence whose time has come while another run of its schedule is alive: created, and not in
// a final state. The numbers are stored.
type Overlap int16

// Policies for overlapping runs. Zero stands for the default, SkipOverlap, where none is stated.
const (
	SkipOverlap   Overlap = 1                             // it does not run
	AllowOverlap          = Overlap(store.OverlapAllowed) // it runs beside the other
	BufferOne     Overlap = 3                             // it waits for the end of the other; while one waits, further ones do not run
	CancelRunning Overlap = 4                             // the others are cancelled, and it runs when they have ended
)

// Reasons of occurrences that do not run because of another run.
const (
	reasonOverlap    = "OVERLAP"
	reasonBufferFull = "BUFFER_FULL"
	reasonReplaced   = "REPLACED"
)

// decideOverlap says what becomes of the blocked jobs of a schedule. Each has a policy: its call's, or that of its schedule. It depends on the
// case alone, so that another node, or the same one after a crash, decides alike.
func decideOverlap(c store.OverlapCase) store.OverlapDecision {
	d := store.OverlapDecision{Verdicts: make([]store.OverlapVerdict, len(c.Blocked))}
	alive, waiting := c.Alive, -1
	var begun []int // what this decision lets run
	for i, b := range c.Blocked {
		overlap := Overlap(b.Overlap)
		switch {
		case overlap == AllowOverlap, !alive:
			d.Verdicts[i].Run = true
			alive, begun = true, append(begun, i)
		case overlap == CancelRunning:
			// What would begin only now need not be cancelled: it does not run.
			if waiting >= 0 {
				begun = append(begun, waiting)
			}
			for _, k := range begun {
				d.Verdicts[k] = store.OverlapVerdict{Skip: reasonReplaced}
			}
			waiting, begun, d.CancelRuns = i, nil, c.Alive
			if !c.Alive {
				d.Verdicts[i].Run = true
				waiting, begun = -1, []int{i}
			}
		case overlap == BufferOne && (b.Waits || waiting < 0):
			waiting = i
		case overlap == BufferOne:
			d.Verdicts[i].Skip = reasonBufferFull
		default:
			d.Verdicts[i].Skip = reasonOverlap
		}
	}
	return d
}
