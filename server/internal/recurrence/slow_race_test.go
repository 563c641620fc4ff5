//go:build race

package recurrence_test

// slowdown is what the race detector costs code that does nothing but compute.
const slowdown = 20
