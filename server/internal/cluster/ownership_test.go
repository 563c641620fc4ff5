package cluster

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

var start = time.Unix(1_700_000_000, 0)

// fakeRegistry answers what the test has set.
type fakeRegistry struct {
	grants []Grant
	down   bool
	server string
	ahead  time.Duration // of the database's clock
	now    func() time.Time
}

var errDown = errors.New("database is away")

func (r *fakeRegistry) Take(context.Context, string, time.Duration) ([]Grant, error) { return nil, nil }
func (r *fakeRegistry) Release(context.Context, string) error                        { return nil }

func (r *fakeRegistry) Renew(context.Context, string, time.Duration) ([]Grant, error) {
	if r.down {
		return nil, errDown
	}
	return append([]Grant(nil), r.grants...), nil
}

func (r *fakeRegistry) Contact(context.Context) (time.Time, string, error) {
	if r.down {
		return time.Time{}, "", errDown
	}
	return r.now().Add(r.ahead), r.server, nil
}

func newOwner(hooks Hooks) (*Ownership, *fakeRegistry, *clock.Manual) {
	manual := clock.NewManual(start)
	registry := &fakeRegistry{grants: []Grant{{Part: 1, Epoch: 5, Config: 7}}, server: "a", now: manual.Now}
	o := NewOwnership(Config{Node: "n", Clock: manual, Log: slog.New(slog.DiscardHandler)}, registry, NewDBClock(manual))
	o.contact = manual.Now()
	o.SetHooks(hooks)
	return o, registry, manual
}

func configOf(t *testing.T, o *Ownership) int64 {
	t.Helper()
	g, ok := o.Owned(1)
	if !ok {
		t.Fatal("the partition is not owned")
	}
	return g.Config
}

// A claim must not name a configuration that this node has not read yet.
func TestStep_ANewConfigurationCountsOnceItIsRead(t *testing.T) {
	t.Parallel()
	var o *Ownership
	var during int64
	fault := errDown
	o, registry, _ := newOwner(Hooks{Config: func(g Grant) error {
		during = configOf(t, o)
		return fault
	}})
	o.Step(t.Context())
	registry.grants[0].Config = 8
	o.Step(t.Context())
	if during != 7 || configOf(t, o) != 7 {
		t.Fatalf("while it is read %d, after a failure %d; want 7 both times", during, configOf(t, o))
	}
	fault = nil
	o.Step(t.Context())
	if got := configOf(t, o); got != 8 {
		t.Fatalf("after it is read: %d, want 8", got)
	}
}

func TestSetConfig_TakesOnlyTheNextVersion(t *testing.T) {
	t.Parallel()
	o, _, _ := newOwner(Hooks{})
	o.Step(t.Context())
	o.SetConfig(1, 9) // others have raised it too
	if got := configOf(t, o); got != 7 {
		t.Fatalf("took %d without knowing what 8 stands for", got)
	}
	o.SetConfig(1, 8)
	if got := configOf(t, o); got != 8 {
		t.Fatalf("own change not taken: %d", got)
	}
}

func TestOwned_EndsBeforeTheDatabaseWouldGiveItAway(t *testing.T) {
	t.Parallel()
	var lost []int16
	o, registry, manual := newOwner(Hooks{Lost: func(part int16) { lost = append(lost, part) }})
	o.Step(t.Context())
	registry.down = true
	manual.Advance(4900 * time.Millisecond)
	if _, ok := o.Owned(1); !ok {
		t.Fatal("given up within the trusted time")
	}
	manual.Advance(200 * time.Millisecond)
	if _, ok := o.Owned(1); ok {
		t.Fatal("trusted although the margin before the TTL of 6 s has begun")
	}
	o.Step(t.Context())
	if len(lost) != 1 {
		t.Fatalf("lost: %v", lost)
	}
}

func TestStep_GapsJumpsAndOtherServersHoldRescues(t *testing.T) {
	t.Parallel()
	for name, disturb := range map[string]func(*fakeRegistry, *clock.Manual){
		"a gap":          func(_ *fakeRegistry, m *clock.Manual) { m.Advance(10 * time.Second) },
		"a jump":         func(r *fakeRegistry, _ *clock.Manual) { r.ahead = 2 * time.Second },
		"a jump back":    func(r *fakeRegistry, _ *clock.Manual) { r.ahead = -2 * time.Second },
		"another server": func(r *fakeRegistry, _ *clock.Manual) { r.server = "b" },
		"":               func(_ *fakeRegistry, m *clock.Manual) { m.Advance(2 * time.Second) },
	} {
		held := 0
		o, registry, manual := newOwner(Hooks{Recovered: func() { held++ }})
		o.Step(t.Context())
		disturb(registry, manual)
		o.Step(t.Context())
		if want := name != ""; want != (held == 1) {
			t.Errorf("%q: rescues held %d times", name, held)
		}
	}
}

// The estimate must never be ahead of the database, or jobs would be claimed early.
func TestDBClock_IsNeverAhead(t *testing.T) {
	t.Parallel()
	manual := clock.NewManual(start)
	c := NewDBClock(manual)
	ahead := time.Hour
	sent := manual.Now()
	manual.Advance(3 * time.Millisecond)
	read := manual.Now().Add(ahead) // the database reads its clock in the middle of the call
	manual.Advance(4 * time.Millisecond)
	c.Observe(sent, manual.Now(), read)
	manual.Advance(time.Second)
	truth := manual.Now().Add(ahead)
	if got := c.Now(); got.After(truth) || truth.Sub(got) > 7*time.Millisecond {
		t.Fatalf("estimate is %v behind the truth, want 0–7 ms", truth.Sub(got))
	}
}
