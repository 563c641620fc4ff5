package recurrence_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// golden is a line of testdata/cron.jsonl.
type golden struct {
	ID    string    `json:"id"`
	Expr  string    `json:"expr"`
	Zone  string    `json:"tz"`
	After time.Time `json:"after"`
	Next  []string  `json:"next"`
	Valid bool      `json:"valid"`
	Note  string    `json:"note"`
}

func loadGolden(t testing.TB) []golden {
	t.Helper()
	f, err := os.Open("testdata/cron.jsonl")
	if err != nil {
		t.Fatalf("open cases: %v", err)
	}
	defer f.Close()
	var cases []golden
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c golden
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("read case %q: %v", lines.Text(), err)
		}
		cases = append(cases, c)
	}
	if len(cases) != 120 {
		t.Fatalf("%d cases, want 120", len(cases))
	}
	return cases
}

// quickest is the shortest of several runs of f, so that a busy machine does not
// fail a bound that the code keeps.
func quickest(f func()) time.Duration {
	best := time.Hour
	for range 5 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

const bound = slowdown * 10 * time.Millisecond

func TestParse_GoldenCases(t *testing.T) {
	t.Parallel()
	for _, c := range loadGolden(t) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			spec, err := recurrence.Parse(c.Expr, c.Zone, recurrence.Options{})
			if took := quickest(func() { _, _ = recurrence.Parse(c.Expr, c.Zone, recurrence.Options{}) }); took > bound {
				t.Errorf("parsing took %v, at most %v", took, bound)
			}
			if !c.Valid {
				_ = wantRefusal(t, err)
				return
			}
			if err != nil {
				t.Fatalf("%q is refused: %v (%s)", c.Expr, err, c.Note)
			}
			wantNext(t, spec, c)
			wantRoundTrip(t, spec, recurrence.Options{})
			if took := quickest(func() { spec.Next(c.After) }); took > bound {
				t.Errorf("next took %v, at most %v", took, bound)
			}
		})
	}
}

func wantNext(t *testing.T, spec recurrence.Spec, c golden) {
	t.Helper()
	got := spec.NextN(c.After, 5)
	for i, at := range got {
		if i >= len(c.Next) || at.Format(time.RFC3339) != c.Next[i] {
			t.Fatalf("%q after %v:\n got %v\nwant %v\n%s", c.Expr, c.After, got, c.Next, c.Note)
		}
	}
	if len(got) != len(c.Next) {
		t.Fatalf("%q after %v: %d instants, want %v", c.Expr, c.After, len(got), c.Next)
	}
}

// wantRoundTrip checks that the canonical text means the same rule.
func wantRoundTrip(t *testing.T, spec recurrence.Spec, opts recurrence.Options) {
	t.Helper()
	again, err := recurrence.Parse(spec.String(), "", opts)
	if err != nil {
		t.Fatalf("canonical text %q is refused: %v", spec, err)
	}
	if !again.Equal(spec) || again.String() != spec.String() {
		t.Fatalf("canonical text %q parses to another rule, %q", spec, again)
	}
}
