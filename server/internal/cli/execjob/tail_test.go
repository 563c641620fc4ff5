//go:build unix

package execjob

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTail_KeepsTheEnd_FromAWholeCharacterOn(t *testing.T) {
	t.Parallel()
	const limit = 50
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		kept := &tail{limit: limit, shown: io.Discard}
		var all strings.Builder
		for range random.IntN(20) {
			// Written in pieces that end within characters, as pipes do.
			piece := strings.Repeat([]string{"a", "é", "…", "𝄞"}[random.IntN(4)], random.IntN(40))
			all.WriteString(piece)
			cut := random.IntN(len(piece) + 1)
			for _, part := range []string{piece[:cut], piece[cut:]} {
				if n, err := kept.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatalf("Write = %d, %v", n, err)
				}
			}
		}
		got := string(kept.bytes())
		if !strings.HasSuffix(all.String(), got) || !utf8.ValidString(got) || len(got) > limit {
			t.Fatalf("seed %d: kept %q of %q", seed, got, all.String())
		}
		if least := min(limit-utf8.UTFMax+1, all.Len()); len(got) < least {
			t.Fatalf("seed %d: kept %d bytes, want at least %d", seed, len(got), least)
		}
	}
}

func TestTail_OfWhatIsNoText_KeepsAllOfIt(t *testing.T) {
	t.Parallel()
	kept := &tail{limit: 8, shown: io.Discard}
	_, _ = kept.Write([]byte{0x80, 0x81, 1})
	if got := string(kept.bytes()); got != "\x80\x81\x01" {
		t.Errorf("kept %q", got)
	}
}
