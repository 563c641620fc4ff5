package tenancy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

// KeyStore reads keys. It must be safe for concurrent use and answer the state that was committed when it was called.
type KeyStore interface {
	// KeyByID returns the key of that id ("key_…"), revoked and expired ones too. Errors: ErrKeyNotFound if there is
	// none; anything else means that the store could not be asked.
	KeyByID(ctx context.Context, id string) (Key, error)
}

const (
	freshFor   = 5 * time.Second  // how long an entry is used without asking
	staleFor   = 10 * time.Second // how long it is used while the store cannot be asked: the promise on revocation
	unknownFor = time.Second      // how long an id that was not found is refused without asking
	retryAfter = time.Second      // how long an unreachable store is left alone, per key, while a stale entry serves
	loadWithin = time.Second      // bound on one question to the store

	maxKnown   = 1 << 14 // keys cached
	maxUnknown = 1 << 12 // refused ids cached, apart from the keys so that a flood of them evicts none
	maxLoads   = 1 << 10 // questions waiting or under way
	strangers  = 4       // questions under way about ids not seen before: what a flood can take of the store
)

// Authenticator checks presented keys against a KeyStore, with a bounded cache.
type Authenticator struct {
	store     KeyStore
	clock     clock.Clock
	strangers chan struct{} // one token for each question about an id that is not cached

	mu      sync.Mutex // guards what follows; never held while the store is asked
	known   *lru[cachedKey]
	unknown *lru[time.Time] // when the store was asked
	loads   map[string]*load
}

type cachedKey struct {
	key     Key
	askedAt time.Time // just before the store was asked, so that it bounds the age from above
	retryAt time.Time // not to be asked again before, after a failure
}

// load is one question to the store that all callers for the same id wait for.
type load struct {
	done chan struct{} // closed when the fields below are set
	key  Key
	err  error
}

// NewAuthenticator returns an Authenticator with an empty cache.
func NewAuthenticator(store KeyStore, clk clock.Clock) *Authenticator {
	return &Authenticator{
		store:     store,
		clock:     clk,
		strangers: make(chan struct{}, strangers),
		known:     newLRU[cachedKey](maxKnown),
		unknown:   newLRU[time.Time](maxUnknown),
		loads:     map[string]*load{},
	}
}

// Authenticate returns who holds the credential, as written after `Authorization: Bearer`. Errors: ErrKeyInvalid if it
// is malformed, unknown, expired or revoked; ErrUnavailable; that of ctx.
func (a *Authenticator) Authenticate(ctx context.Context, credential string) (Principal, error) {
	secret, err := ParseSecret(credential)
	if err != nil {
		return Principal{}, fmt.Errorf("%w: %w", ErrKeyInvalid, err)
	}
	key, err := a.find(ctx, secret.KeyID().String())
	if err != nil {
		return Principal{}, err
	}
	if !secret.Matches(key.Hash) {
		return Principal{}, errUnknownKey() // as for an id that does not exist
	}
	if err := a.usable(key); err != nil {
		return Principal{}, err
	}
	return Principal{
		Tenant:   key.TenantName,
		TenantID: key.TenantID,
		Platform: key.TenantID == 0,
		KeyID:    key.ID,
		Scopes:   key.Scopes,
	}, nil
}

// StillValid checks the key of p again, for calls that last: one that was authenticated before a revocation must not
// hand out anything after it. It costs a question to the store once in 5 seconds per key. Errors as for Authenticate.
func (a *Authenticator) StillValid(ctx context.Context, p Principal) error {
	key, err := a.find(ctx, p.KeyID)
	if err != nil {
		return err
	}
	return a.usable(key)
}

// Forget drops what is cached of a key, so that on this node its revocation is in force at once.
func (a *Authenticator) Forget(keyID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known.remove(keyID)
	a.unknown.remove(keyID)
	// A question under way may have been answered from before the change: its answer must not be cached.
	delete(a.loads, keyID)
}

func (a *Authenticator) usable(key Key) error {
	if key.RevokeTime != nil {
		return fmt.Errorf("%w: key %s was revoked at %s; use another key",
			ErrKeyInvalid, key.ID, key.RevokeTime.UTC().Format(time.RFC3339))
	}
	if key.ExpireTime != nil && !a.clock.Now().Before(*key.ExpireTime) {
		return fmt.Errorf("%w: key %s expired at %s; create a new key",
			ErrKeyInvalid, key.ID, key.ExpireTime.UTC().Format(time.RFC3339))
	}
	return nil
}

func errUnknownKey() error {
	return fmt.Errorf("%w: there is no such key; check that it was copied whole, and for this server", ErrKeyInvalid)
}

func (a *Authenticator) find(ctx context.Context, id string) (Key, error) {
	key, l, err := a.cached(ctx, id)
	if l == nil {
		return key, err
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		return Key{}, ctx.Err()
	}
	switch {
	case l.err == nil:
		return l.key, nil
	case errors.Is(l.err, ErrKeyNotFound):
		return Key{}, errUnknownKey()
	}
	if key, ok := a.stale(id); ok {
		return key, nil
	}
	return Key{}, fmt.Errorf("%w: %w", ErrUnavailable, l.err)
}

// cached answers from the cache, or returns the load to wait for.
func (a *Authenticator) cached(ctx context.Context, id string) (Key, *load, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.clock.Now()
	entry, known := a.known.get(id)
	if known {
		age := now.Sub(entry.askedAt)
		if age < freshFor || age < staleFor && now.Before(entry.retryAt) {
			return entry.key, nil, nil
		}
	} else if askedAt, ok := a.unknown.get(id); ok && now.Sub(askedAt) < unknownFor {
		return Key{}, nil, errUnknownKey()
	}
	if l, ok := a.loads[id]; ok {
		return Key{}, l, nil
	}
	if !known && len(a.loads) >= maxLoads {
		return Key{}, nil, fmt.Errorf("%w: too many unknown keys are being checked; try again in a second", ErrUnavailable)
	}
	l := &load{done: make(chan struct{})}
	a.loads[id] = l
	// Detached from the caller, who may leave while others wait; it ends by itself within loadWithin.
	go a.run(context.WithoutCancel(ctx), l, id, !known)
	return Key{}, l, nil
}

// stale returns an entry that may be used because the store cannot be asked.
func (a *Authenticator) stale(id string) (Key, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	entry, ok := a.known.get(id)
	if !ok || a.clock.Now().Sub(entry.askedAt) >= staleFor {
		return Key{}, false
	}
	return entry.key, true
}

func (a *Authenticator) run(ctx context.Context, l *load, id string, stranger bool) {
	ctx, cancel := context.WithTimeout(ctx, loadWithin)
	defer cancel()
	if stranger {
		select {
		case a.strangers <- struct{}{}:
			defer func() { <-a.strangers }()
		case <-ctx.Done():
		}
	}
	askedAt := a.clock.Now()
	if l.err = ctx.Err(); l.err == nil {
		l.key, l.err = a.ask(ctx, id)
	}
	a.settle(l, id, askedAt)
	close(l.done)
}

// ask turns a panic of the store into an error: on this goroutine nobody else would catch it.
func (a *Authenticator) ask(ctx context.Context, id string) (key Key, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic while reading key %s: %v", id, r)
		}
	}()
	return a.store.KeyByID(ctx, id)
}

func (a *Authenticator) settle(l *load, id string, askedAt time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.loads[id] != l {
		return // forgotten meanwhile: good for those who wait, not for the cache
	}
	delete(a.loads, id)
	switch {
	case l.err == nil:
		a.unknown.remove(id)
		a.known.put(id, cachedKey{key: l.key, askedAt: askedAt})
	case errors.Is(l.err, ErrKeyNotFound):
		a.known.remove(id)
		a.unknown.put(id, askedAt)
	default:
		if entry, ok := a.known.get(id); ok {
			entry.retryAt = a.clock.Now().Add(retryAfter)
			a.known.put(id, entry)
		}
	}
}
