package belfry

import "sync"

// Limits on how a worker asks for jobs.
const (
	// maxPolls is how many LeaseJobs calls may be outstanding. A second one
	// offers slots that became free after the first was sent, so that a worker
	// under load need not wait for an answer before it asks for more.
	maxPolls = 2
	// maxCredit is the most jobs one call may ask for.
	maxCredit = 1000
)

// slots counts what a worker may ask for. The credit of all outstanding polls
// together never exceeds the free slots. Safe for concurrent use.
type slots struct {
	mu    sync.Mutex
	total int
	// busy slots run a handler.
	busy int
	// promised slots are the credit of outstanding polls.
	promised int
	polls    int
	// held leases have no acknowledged end: running, or being reported.
	held int
	// changed gets a value when credit may have appeared.
	changed chan struct{}
}

func newSlots(total int) *slots {
	return &slots{total: total, changed: make(chan struct{}, 1)}
}

// take returns the credit for a poll to be sent now, or 0 if none should be.
func (s *slots) take() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := s.total - s.busy - s.promised
	if s.polls >= maxPolls || s.polls > 0 && free < max(2, s.total/4) {
		// A second poll for a slot or two would only double the calls.
		return 0
	}
	// Ended handlers give their slot free before the server has acknowledged the
	// end, which saves a round trip; up to a second full set may be on its way.
	credit := max(0, min(free, 2*s.total-s.held-s.promised, maxCredit))
	if credit > 0 {
		s.promised += credit
		s.polls++
	}
	return credit
}

// settle ends a poll that got so many jobs for its credit.
func (s *slots) settle(credit, leased int) {
	s.update(func() {
		s.polls--
		s.promised -= credit
		s.busy += leased
		s.held += leased
	})
}

// ended frees the slot of a handler that has returned.
func (s *slots) ended() { s.update(func() { s.busy-- }) }

// closed forgets a lease whose end is acknowledged, or that was lost.
func (s *slots) closed() { s.update(func() { s.held-- }) }

func (s *slots) update(change func()) {
	s.mu.Lock()
	change()
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}
