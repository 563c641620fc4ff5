package clock

// Pending returns how many timers are pending.
func Pending(m *Manual) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.pending)
}
