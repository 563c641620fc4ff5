package tenancy

import "container/list"

// lru maps key ids to values and forgets the least recently used beyond its bound. The owner's lock guards it.
type lru[V any] struct {
	bound int
	order *list.List // of *lruItem[V], most recently used first
	items map[string]*list.Element
}

type lruItem[V any] struct {
	id    string
	value V
}

func newLRU[V any](bound int) *lru[V] {
	return &lru[V]{bound: bound, order: list.New(), items: map[string]*list.Element{}}
}

func (c *lru[V]) get(id string) (value V, ok bool) {
	el, ok := c.items[id]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(el)
	item, _ := el.Value.(*lruItem[V])
	return item.value, true
}

func (c *lru[V]) put(id string, value V) {
	c.remove(id)
	c.items[id] = c.order.PushFront(&lruItem[V]{id: id, value: value})
	if len(c.items) > c.bound {
		oldest, _ := c.order.Back().Value.(*lruItem[V])
		c.remove(oldest.id)
	}
}

func (c *lru[V]) remove(id string) {
	if el, ok := c.items[id]; ok {
		c.order.Remove(el)
		delete(c.items, id)
	}
}

func (c *lru[V]) len() int { return len(c.items) }
