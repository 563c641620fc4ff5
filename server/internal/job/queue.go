package job

import "time"

// QueueSettings is what a queue says about its jobs. The zero value takes all defaults.
type QueueSettings struct {
	Description        string        `json:"description,omitempty"`
	Retry              RetryPolicy   `json:"retry,omitzero"`
	AttemptTimeout     time.Duration `json:"attempt_timeout,omitempty"` // 0: DefaultAttemptTimeout
	Slim               bool          `json:"slim,omitempty"`            // history without payload, result and attempts
	RetentionDays      int16         `json:"retention_days,omitempty"`  // 0: DefaultRetention
	DeletionProtection bool          `json:"deletion_protection,omitempty"`
}

// Defaults and bounds of queues.
const (
	DefaultAttemptTimeout = time.Hour
	DefaultRetention      = 7
	SlimRetention         = 1
	DeadRetention         = 30 // dead letters are kept at least so long
)

// RetentionClasses are the history classes that exist, in days.
func RetentionClasses() []int16 { return []int16{1, 7, 30, 90, 400} }

// Timeout returns the bound on one attempt in force.
func (q QueueSettings) Timeout() time.Duration {
	if q.AttemptTimeout == 0 {
		return DefaultAttemptTimeout
	}
	return q.AttemptTimeout
}

// Keep says in which retention class a job in the given final state goes, and whether its history is slim.
func (q QueueSettings) Keep(final State) (days int16, slim bool) {
	days = q.RetentionDays
	if days == 0 {
		days = DefaultRetention
	}
	switch {
	case final == Dead:
		return max(days, DeadRetention), false
	case q.Slim:
		return SlimRetention, true
	}
	return days, false
}

// RetryInForce completes a job's own policy with the queue's and the defaults.
func (q QueueSettings) RetryInForce(own RetryPolicy) RetryPolicy {
	return own.Or(q.Retry).Or(DefaultRetry())
}
