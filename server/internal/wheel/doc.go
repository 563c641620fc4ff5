// Package wheel is the timing wheel of one owned partition: it keeps what falls due within a bounded horizon and gives
// it out when it is due, never earlier.
//
// It is pure: no goroutine, no clock, no I/O. All instants are microseconds since the Unix epoch and come from the
// caller. A Wheel is not safe for concurrent use; its partition's runner owns it.
//
// # Shape
//
// Three levels of 1,024-way pages: a ring of pages of about a second each, slots of about a millisecond in a page, and,
// only where a slot holds more than 255 entries, a page of single microseconds under that slot. An instant's place is
// computed from its distance to the origin, so passing time moves no entry: there is no cascade, and no tick stalls. An
// entry is moved at most once, when its slot becomes dense and is split. Bitmaps lead to the next instant, so an empty
// stretch costs nothing and the runner can sleep until exactly then.
//
// # Invariants
//
//   - low never falls. Every entry in the pages is due at or after low; every entry that came in behind low is in the
//     late heap. So the late heap goes out first and the whole output is in due order.
//   - All pages lie in [page(low), page(low)+len(ring)), so a ring position stands for one page.
//   - A list of a slot that is not split has at most 255 entries; a list under a split slot has entries of one instant.
//     So taking a batch out never sorts more than 255 entries, also with a million of them due at one instant.
//   - Entries hold no pointers and link by handle (package slab), so they cost the garbage collector nothing.
package wheel
