package catalog

import (
	"sync"
	"time"
)

const (
	absentFor = time.Second // how long an absent name is answered without asking
	maxAbsent = 4096        // absent names remembered; more of them are asked for each time
)

// negatives remembers what does not exist, by the key of the question.
type negatives struct {
	mu    sync.Mutex
	until map[string]negative
}

type negative struct {
	err   error
	until time.Time
}

// get answers the error that was remembered; nil if none is.
func (n *negatives) get(key string, now time.Time) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, ok := n.until[key]
	if !ok || !now.Before(e.until) {
		return nil
	}
	return e.err
}

func (n *negatives) put(key string, err error, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.until) >= maxAbsent {
		for k, e := range n.until {
			if !now.Before(e.until) {
				delete(n.until, k)
			}
		}
	}
	if len(n.until) < maxAbsent {
		n.until[key] = negative{err: err, until: now.Add(absentFor)}
	}
}

func (n *negatives) drop(key string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.until, key)
}
