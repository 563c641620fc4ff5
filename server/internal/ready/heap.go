package ready

// order says how a heap sorts and tells elements where they are; -1 = taken out.
type order[T any] struct {
	less  func(a, b T) bool
	moved func(x T, i int)
}

// heap is a binary heap whose elements know their position, so that any of them can be moved or removed.
type heap[T any] struct {
	*order[T]
	items []T
}

func (h *heap[T]) len() int { return len(h.items) }

func (h *heap[T]) push(x T) {
	h.items = append(h.items, x)
	h.up(len(h.items) - 1)
}

func (h *heap[T]) remove(i int) {
	last := len(h.items) - 1
	x, moved := h.items[i], h.items[last]
	var zero T
	h.items[last] = zero
	h.items = h.items[:last]
	h.moved(x, -1)
	if i != last {
		h.items[i] = moved
		h.fix(i)
	}
}

// fix restores the order after the element at i has changed its rank.
func (h *heap[T]) fix(i int) { h.down(h.up(i)) }

func (h *heap[T]) up(i int) int {
	x := h.items[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !h.less(x, h.items[parent]) {
			break
		}
		h.set(i, h.items[parent])
		i = parent
	}
	h.set(i, x)
	return i
}

func (h *heap[T]) down(i int) {
	x := h.items[i]
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			break
		}
		if r := child + 1; r < len(h.items) && h.less(h.items[r], h.items[child]) {
			child = r
		}
		if !h.less(h.items[child], x) {
			break
		}
		h.set(i, h.items[child])
		i = child
	}
	h.set(i, x)
}

func (h *heap[T]) set(i int, x T) {
	h.items[i] = x
	h.moved(x, i)
}
