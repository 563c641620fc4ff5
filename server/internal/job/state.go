package job

// State is where a job is in its life. The numbers are stored.
type State int16

// States. Pending, Running and Blocked are those of live rows (triggers); the last three are final (history). Ready is
// Pending and due: derived when a job is shown, never stored.
const (
	Pending   State = 1
	Running   State = 2
	Blocked   State = 3
	Succeeded State = 4
	Dead      State = 5
	Cancelled State = 6
	Ready     State = 7
)

// Final reports whether a job in this state has ended.
func (s State) Final() bool { return s >= Succeeded && s <= Cancelled }

// String returns the name used in the API.
func (s State) String() string {
	switch s {
	case Pending:
		return "PENDING"
	case Running:
		return "RUNNING"
	case Blocked:
		return "BLOCKED"
	case Succeeded:
		return "SUCCEEDED"
	case Dead:
		return "DEAD"
	case Cancelled:
		return "CANCELLED"
	case Ready:
		return "READY"
	}
	return "UNSPECIFIED"
}

// Outcome is how one lease of a job ended. The numbers are stored and those of the API.
type Outcome int16

// Outcomes. NoOutcome: the job was not running when it ended.
const (
	NoOutcome        Outcome = 0
	OutcomeSucceeded Outcome = 1
	OutcomeFailed    Outcome = 2
	OutcomeTimedOut  Outcome = 3
	OutcomeReleased  Outcome = 4
	OutcomeCancelled Outcome = 5
)

// String returns the name used in metrics.
func (o Outcome) String() string {
	switch o {
	case OutcomeSucceeded:
		return "succeeded"
	case OutcomeFailed:
		return "failed"
	case OutcomeTimedOut:
		return "timed_out"
	case OutcomeReleased:
		return "released"
	case OutcomeCancelled:
		return "cancelled"
	}
	return "none"
}

// Reasons why a job is in its final state, as shown in Job.state_reason.
const (
	ReasonMaxAttempts  = "MAX_ATTEMPTS"
	ReasonPermanent    = "PERMANENT"
	ReasonExpired      = "EXPIRED"
	ReasonMaxReleases  = "MAX_RELEASES"
	ReasonMaxAge       = "MAX_AGE"
	ReasonCancelled    = "CANCEL_REQUESTED"
	ReasonQueueDeleted = "QUEUE_DELETED"
	ReasonWithdrawn    = "SCHEDULE_CHANGED"
)
