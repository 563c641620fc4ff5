package schedule

import (
	"context"
	"time"
)

// Before a herd, jobs are made earlier than usual, so that all of them are there when it is due: as many minutes ahead as
// the node needs at the speed it has shown.

const (
	herdLimit    = 1_000_000 // schedules that are counted
	assumedSpeed = 2000      // schedules a second, of a node that has made no herd yet
	herdSize     = 1000      // passes that decide on fewer schedules say nothing about the speed
	herdReserve  = 2         // times the time that the count suggests
)

// horizons are the look-aheads to choose from, beside the configured one.
var horizons = [...]time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}

// herd knows how fast this node materialises. It belongs to whoever makes a pass.
type herd struct {
	speed float64 // schedules a second; 0: not known
}

// observe learns from a pass.
func (h *herd) observe(schedules int, took time.Duration) {
	if schedules < herdSize || took <= 0 {
		return
	}
	seen := float64(schedules) / took.Seconds()
	if h.speed == 0 {
		h.speed = seen
	}
	h.speed += (seen - h.speed) / 4
}

// need is the time to decide on so many schedules, with some reserve.
func (h *herd) need(schedules int64) time.Duration {
	speed := h.speed
	if speed == 0 {
		speed = assumedSpeed
	}
	return time.Duration(herdReserve * float64(schedules) / speed * float64(time.Second))
}

// lookAhead is how far ahead this pass makes jobs: the configured span, or as far as a coming herd asks for. It is time to
// begin when what is due up to some instant takes as long as is left until then.
func (m *Materialiser) lookAhead(ctx context.Context, parts []int16) (time.Duration, error) {
	now := m.cfg.DB.Now()
	until := make([]time.Time, len(horizons))
	for i, h := range horizons {
		until[i] = now.Add(max(h, m.cfg.LookAhead))
	}
	counts, err := m.cfg.Store.CountDueSchedules(ctx, parts, until, herdLimit)
	if err != nil {
		return 0, err
	}
	ahead := m.cfg.LookAhead
	for i, n := range counts {
		if left := until[i].Sub(now); left > ahead && m.herd.need(n) >= left {
			ahead = left
		}
	}
	return ahead, nil
}
