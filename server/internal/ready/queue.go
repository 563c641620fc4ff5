package ready

// queue is a doubly linked list whose links live in their owners: a place in line without an allocation.
type queue[T any] struct {
	front, back *link[T]
}

// link is one place in at most one queue.
type link[T any] struct {
	value      T
	prev, next *link[T]
	queued     bool
}

func (q *queue[T]) empty() bool { return q.front == nil }

// add puts l at the back, unless it is in line already.
func (q *queue[T]) add(l *link[T]) {
	if l.queued {
		return
	}
	l.queued = true
	l.prev, l.next = q.back, nil
	if q.back != nil {
		q.back.next = l
	} else {
		q.front = l
	}
	q.back = l
}

// remove takes l out, if it is in line.
func (q *queue[T]) remove(l *link[T]) {
	if !l.queued {
		return
	}
	if l.prev != nil {
		l.prev.next = l.next
	} else {
		q.front = l.next
	}
	if l.next != nil {
		l.next.prev = l.prev
	} else {
		q.back = l.prev
	}
	l.prev, l.next, l.queued = nil, nil, false
}

// rotate sends l to the back after its turn, if it is still in line.
func (q *queue[T]) rotate(l *link[T]) {
	if l.queued && q.back != l {
		q.remove(l)
		q.add(l)
	}
}
