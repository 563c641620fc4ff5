package cluster

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

// Grant is the ownership of one partition as the database last confirmed it.
type Grant struct {
	Part   int16
	Epoch  int64
	Config int64 // version of the configuration of the queues in it
}

// Registry is the database's side of ownership. Store implements it through an adapter in the server package.
type Registry interface {
	Take(ctx context.Context, node string, ttl time.Duration) ([]Grant, error)
	Renew(ctx context.Context, node string, ttl time.Duration) ([]Grant, error)
	Release(ctx context.Context, node string) error
	// Contact reads the database's clock and the identity of its server.
	Contact(ctx context.Context) (now time.Time, identity string, err error)
}

// Hooks are told of changes. Nil hooks are skipped.
type Hooks struct {
	Acquired  func(Grant)
	Lost      func(part int16)
	Config    func(Grant) error // the configuration of an owned partition has changed: read it; claims name it from then on
	Recovered func()            // contact is back after a gap, or time cannot be trusted for one ownership TTL: hold rescues
}

// Config of Ownership. Zero fields take the defaults.
type Config struct {
	Node  string
	TTL   time.Duration // default 6 s; renewed at a third
	Clock clock.Clock
	Log   *slog.Logger
}

// gapLimit is how long the database may be silent before leases get extra time: workers could not heartbeat meanwhile.
const gapLimit = 3 * time.Second

// Ownership takes, renews and gives up partitions.
type Ownership struct {
	cfg      Config
	registry Registry
	hooks    Hooks
	db       *DBClock
	poke     chan struct{}

	mu       sync.RWMutex
	grants   map[int16]Grant
	trusted  time.Time // local, monotonic
	identity string
	contact  time.Time // local time of the latest answer
	hold     time.Time // no take-over before
}

// NewOwnership returns an Ownership that owns nothing until Run.
func NewOwnership(cfg Config, registry Registry, db *DBClock) *Ownership {
	if cfg.TTL == 0 {
		cfg.TTL = 6 * time.Second
	}
	return &Ownership{cfg: cfg, registry: registry, db: db, poke: make(chan struct{}, 1), grants: map[int16]Grant{}}
}

// SetHooks installs the hooks; before Run.
func (o *Ownership) SetHooks(h Hooks) { o.hooks = h }

// Owned returns the grant of a partition if this node may act as its owner now.
func (o *Ownership) Owned(part int16) (Grant, bool) {
	now := o.cfg.Clock.Now()
	o.mu.RLock()
	defer o.mu.RUnlock()
	g, ok := o.grants[part]
	return g, ok && now.Before(o.trusted)
}

// Grants lists what this node owns and still trusts.
func (o *Ownership) Grants() []Grant {
	now := o.cfg.Clock.Now()
	o.mu.RLock()
	defer o.mu.RUnlock()
	if !now.Before(o.trusted) {
		return nil
	}
	list := make([]Grant, 0, len(o.grants))
	for _, g := range o.grants {
		list = append(list, g)
	}
	return list
}

// SetConfig records the configuration version that a change made by this node has raised. If others have raised it too
// since, the version is not taken: the next round, asked for at once, reads what they changed.
func (o *Ownership) SetConfig(part int16, version int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	g, ok := o.grants[part]
	if !ok || g.Config+1 != version {
		o.Poke()
		return
	}
	g.Config = version
	o.grants[part] = g
}

// Run keeps partitions until ctx ends, then gives them up.
func (o *Ownership) Run(ctx context.Context) error {
	o.contact = o.cfg.Clock.Now()
	for {
		o.Step(ctx)
		if !o.wait(ctx) {
			break
		}
	}
	o.dropAll()
	release, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.cfg.TTL/2)
	defer cancel()
	if err := o.registry.Release(release, o.cfg.Node); err != nil {
		o.cfg.Log.Warn("partitions not released; they are free when their lease ends", "error", err)
	}
	return nil
}

// Poke asks for a round now: a claim was refused, so something has changed.
func (o *Ownership) Poke() {
	select {
	case o.poke <- struct{}{}:
	default:
	}
}

func (o *Ownership) wait(ctx context.Context) bool {
	timer := o.cfg.Clock.NewTimer(o.cfg.TTL / 3)
	defer timer.Stop()
	select {
	case <-timer.C():
	case <-o.poke:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// Step is one round: contact, renew, take what is free.
func (o *Ownership) Step(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, o.cfg.TTL/2)
	defer cancel()
	if !o.observe(ctx) {
		o.expire()
		return
	}
	started := o.cfg.Clock.Now()
	grants, err := o.registry.Renew(ctx, o.cfg.Node, o.cfg.TTL)
	if err == nil && started.After(o.holdUntil()) {
		var taken []Grant
		taken, err = o.registry.Take(ctx, o.cfg.Node, o.cfg.TTL)
		grants = append(grants, taken...)
	}
	if err != nil {
		o.cfg.Log.Warn("partitions not renewed", "error", err)
		o.expire()
		return
	}
	o.apply(grants, started.Add(o.cfg.TTL-o.cfg.TTL/6))
}

// observe measures the database's clock and notices gaps, jumps and another server.
func (o *Ownership) observe(ctx context.Context) bool {
	sent := o.cfg.Clock.Now()
	now, identity, err := o.registry.Contact(ctx)
	received := o.cfg.Clock.Now()
	if err != nil {
		o.cfg.Log.Warn("database not reached", "error", err)
		return false
	}
	jumped := o.db.Observe(sent, received, now)
	o.mu.Lock()
	gap := received.Sub(o.contact) > o.cfg.TTL/3+gapLimit
	changed := o.identity != "" && o.identity != identity
	o.contact, o.identity = received, identity
	if jumped || changed {
		o.hold = received.Add(o.cfg.TTL)
	}
	o.mu.Unlock()
	if jumped || changed {
		o.cfg.Log.Warn("database clock jumped or server changed; take-over and rescue wait", "jumped", jumped, "changed", changed)
	}
	if (gap || jumped || changed) && o.hooks.Recovered != nil {
		o.hooks.Recovered()
	}
	return true
}

func (o *Ownership) holdUntil() time.Time {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.hold
}

// expire stops acting for partitions when the trust has run out.
func (o *Ownership) expire() {
	o.mu.RLock()
	over := !o.cfg.Clock.Now().Before(o.trusted)
	o.mu.RUnlock()
	if over {
		o.dropAll()
	}
}

func (o *Ownership) dropAll() {
	o.mu.Lock()
	lost := o.grants
	o.grants = map[int16]Grant{}
	o.mu.Unlock()
	for part := range lost {
		o.lost(part)
	}
}

func (o *Ownership) lost(part int16) {
	o.cfg.Log.Info("partition lost", "partition", part)
	if o.hooks.Lost != nil {
		o.hooks.Lost(part)
	}
}

// apply replaces what this node knows and tells the hooks, outside the lock.
func (o *Ownership) apply(grants []Grant, trusted time.Time) {
	var lost []int16
	var acquired, changed []Grant
	o.mu.Lock()
	now := make(map[int16]Grant, len(grants))
	for _, g := range grants {
		old, had := o.grants[g.Part]
		switch {
		case !had || old.Epoch != g.Epoch:
			acquired = append(acquired, g)
		case old.Config > g.Config:
			g.Config = old.Config // raised by this node after the round had read it
		case old.Config < g.Config:
			changed = append(changed, g)
			g.Config = old.Config // until the hook knows what has changed
		}
		now[g.Part] = g
	}
	for part, old := range o.grants {
		if g, ok := now[part]; !ok || g.Epoch != old.Epoch {
			lost = append(lost, part)
		}
	}
	o.grants, o.trusted = now, trusted
	o.mu.Unlock()
	for _, part := range lost {
		o.lost(part)
	}
	for _, g := range acquired {
		o.cfg.Log.Info("partition acquired", "partition", g.Part, "epoch", g.Epoch)
		if o.hooks.Acquired != nil {
			o.hooks.Acquired(g)
		}
	}
	for _, g := range changed {
		o.adopt(g)
	}
}

// adopt takes a newer configuration version, once the hook has read what it stands for. Until then claims name the old
// one and are refused, so that none is made under a configuration this node does not know.
func (o *Ownership) adopt(g Grant) {
	if o.hooks.Config != nil {
		if err := o.hooks.Config(g); err != nil {
			o.cfg.Log.Warn("configuration not read; its partition waits for the next round", "partition", g.Part, "error", err)
			return
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if now, ok := o.grants[g.Part]; ok && now.Epoch == g.Epoch && now.Config < g.Config {
		now.Config = g.Config
		o.grants[g.Part] = now
	}
}
