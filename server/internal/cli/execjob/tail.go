//go:build unix

package execjob

import (
	"io"
	"unicode/utf8"
)

// tail keeps the last bytes written to it. It belongs to the goroutine that copies one stream, and is read after the
// command's end.
type tail struct {
	limit int
	shown io.Writer
	kept  []byte
	cut   bool
}

func (t *tail) Write(p []byte) (int, error) {
	// A terminal that is gone must not fail the job.
	_, _ = t.shown.Write(p)
	t.kept = append(t.kept, p...)
	if excess := len(t.kept) - 2*t.limit; excess > 0 {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-t.limit:]...)
		t.cut = true
	}
	return len(p), nil
}

// bytes returns at most the last limit bytes, from a whole character on.
func (t *tail) bytes() []byte {
	kept := t.kept
	if len(kept) > t.limit {
		kept, t.cut = kept[len(kept)-t.limit:], true
	}
	for i := 0; t.cut && i < utf8.UTFMax && i < len(kept); i++ {
		if utf8.RuneStart(kept[i]) {
			return kept[i:]
		}
	}
	return kept
}
