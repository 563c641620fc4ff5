package tenancy

import "strings"

// Scope is a set of what a key may do, one bit each. The bits are stored.
type Scope int32

// Scopes. A key holds one or more of the first four; Platform is that of operators' keys and allows everything.
const (
	Admin    Scope = 1 << iota // everything within the tenant, its keys included
	Producer                   // create, read and cancel jobs; read queues and schedules
	Worker                     // lease, heartbeat and finish jobs
	Reader                     // read everything, change nothing
	Platform                   // every method, on every tenant
)

// Has reports whether s holds at least one of the scopes of any.
func (s Scope) Has(any Scope) bool { return s&any != 0 }

// String returns the names, as the API spells them, joined by commas.
func (s Scope) String() string {
	var names []string
	for i, name := range []string{"ADMIN", "PRODUCER", "WORKER", "READER", "PLATFORM"} {
		if s.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
