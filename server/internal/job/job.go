package job

import "time"

// Job is one job as it is shown: a live row or a history row, with the names its lane stands for.
type Job struct {
	ID           ID
	Tenant       string
	Queue        string
	Type         string
	State        State
	Reason       string
	Priority     int16
	Version      int64
	Due          time.Time
	Scheduled    time.Time
	StartBy      time.Time // zero: none
	Started      time.Time // zero: never
	Finished     time.Time // zero: not yet
	Attempt      int32
	Leases       int32
	Releases     int32
	LostLeases   int32
	CancelAsked  bool
	CancelReason string
	LastError    string
	WorkerID     string
	Body         Body
	BodyKept     bool // false: slim history
	Retry        RetryPolicy
	Timeout      time.Duration
	Result       Payload
	Attempts     []Attempt
}

// Attempt is one ended lease.
type Attempt struct {
	Number  int32
	Outcome Outcome
	Started time.Time
	Ended   time.Time
	Worker  string
	Error   string
}

// MaxError bounds a stored error text, in bytes.
const MaxError = 8 << 10

// MaxPayload bounds a payload or result, in bytes.
const MaxPayload = 256 << 10
