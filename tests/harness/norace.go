//go:build !race

package harness

// raceEnabled says whether the tests run with the race detector.
const raceEnabled = false
