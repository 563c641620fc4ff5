package wheel

// inLate in node.next says that the entry is in the late heap; node.prev is then its position.
const inLate = ^uint32(0)

// The late heap is a binary heap by due instant of the entries that came in behind w.low.

func (w *Wheel) latePush(h uint32) {
	w.late = append(w.late, h)
	w.nodes.At(h).next = inLate
	w.lateUp(uint32(len(w.late) - 1))
}

func (w *Wheel) lateRemove(i uint32) {
	last := uint32(len(w.late) - 1)
	moved := w.late[last]
	w.late = w.late[:last]
	if i == last {
		return
	}
	w.late[i] = moved
	w.lateDown(i)
	w.lateUp(w.nodes.At(moved).prev)
}

func (w *Wheel) lateUp(i uint32) {
	h := w.late[i]
	due := w.nodes.At(h).DueAt
	for i > 0 {
		parent := (i - 1) / 2
		if w.nodes.At(w.late[parent]).DueAt <= due {
			break
		}
		w.lateSet(i, w.late[parent])
		i = parent
	}
	w.lateSet(i, h)
}

func (w *Wheel) lateDown(i uint32) {
	h := w.late[i]
	due := w.nodes.At(h).DueAt
	n := uint32(len(w.late))
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if r := child + 1; r < n && w.nodes.At(w.late[r]).DueAt < w.nodes.At(w.late[child]).DueAt {
			child = r
		}
		if w.nodes.At(w.late[child]).DueAt >= due {
			break
		}
		w.lateSet(i, w.late[child])
		i = child
	}
	w.lateSet(i, h)
}

func (w *Wheel) lateSet(i, h uint32) {
	w.late[i] = h
	w.nodes.At(h).prev = i
}
