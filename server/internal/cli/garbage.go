package cli

import (
	"os"
	"runtime/debug"
)

// garbagePercent is how much garbage a process may gather, in percent of what it keeps, before it is collected. A node keeps
// tens of megabytes and makes garbage with every call: at Go's default of 100 a tenth of its CPU goes into collecting.
const garbagePercent = 400

// spareCollector trades memory for CPU in commands that are under load, unless GOGC says otherwise.
func spareCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}
