package tenancy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

// fakeStore answers from a map, or as told.
type fakeStore struct {
	mu    sync.Mutex
	keys  map[string]Key
	err   error
	hold  chan struct{} // if set, calls wait for it, or for their context
	calls atomic.Int64
	open  atomic.Int64
	most  atomic.Int64
}

func (s *fakeStore) KeyByID(ctx context.Context, id string) (Key, error) {
	s.calls.Add(1)
	open := s.open.Add(1)
	defer s.open.Add(-1)
	for most := s.most.Load(); open > most && !s.most.CompareAndSwap(most, open); most = s.most.Load() {
	}
	s.mu.Lock()
	hold, key, err := s.hold, s.keys[id], s.err
	s.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return Key{}, ctx.Err()
		}
	}
	if err == nil && key.ID == "" {
		err = fmt.Errorf("read key: %w", ErrKeyNotFound)
	}
	return key, err
}

func (s *fakeStore) set(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[key.ID] = key
}

func (s *fakeStore) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func setup(t *testing.T) (*Authenticator, *fakeStore, *clock.Manual) {
	t.Helper()
	store := &fakeStore{keys: map[string]Key{}}
	clk := clock.NewManual(testTime)
	return NewAuthenticator(store, clk), store, clk
}

func issue(store *fakeStore) (Secret, Key) {
	secret := NewSecret(NewKeyID(testTime))
	key := Key{ID: secret.KeyID().String(), TenantID: 3, TenantName: "acme", Scopes: Worker, Hash: secret.Hash()}
	store.set(key)
	return secret, key
}

func TestAuthenticate_ReturnsThePrincipalAndAsksOnceInFiveSeconds(t *testing.T) {
	t.Parallel()
	a, store, clk := setup(t)
	secret, key := issue(store)
	for range 3 {
		p, err := a.Authenticate(t.Context(), secret.Reveal())
		if err != nil {
			t.Fatal(err)
		}
		if want := (Principal{Tenant: "acme", TenantID: 3, KeyID: key.ID, Scopes: Worker}); p != want {
			t.Fatalf("got %+v", p)
		}
	}
	clk.Advance(5*time.Second - 1)
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); err != nil || store.calls.Load() != 1 {
		t.Fatalf("asked %d times, %v", store.calls.Load(), err)
	}
	clk.Advance(1)
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); err != nil || store.calls.Load() != 2 {
		t.Fatalf("after 5 s: asked %d times, %v", store.calls.Load(), err)
	}
}

func TestAuthenticate_KeysOfThePlatformHaveTenantZero(t *testing.T) {
	t.Parallel()
	a, store, _ := setup(t)
	secret, key := issue(store)
	key.TenantID, key.TenantName, key.Scopes = 0, "", Platform
	store.set(key)
	p, err := a.Authenticate(t.Context(), secret.Reveal())
	if err != nil || !p.Platform {
		t.Fatalf("got %+v, %v", p, err)
	}
}

func TestAuthenticate_RefusesMalformedUnknownAndWrongAlike(t *testing.T) {
	t.Parallel()
	a, store, _ := setup(t)
	secret, _ := issue(store)
	wrong := NewSecret(secret.KeyID()).Reveal()
	unknown := NewSecret(NewKeyID(testTime)).Reveal()
	_, errWrong := a.Authenticate(t.Context(), wrong)
	_, errUnknown := a.Authenticate(t.Context(), unknown)
	if !errors.Is(errWrong, ErrKeyInvalid) || !errors.Is(errUnknown, ErrKeyInvalid) {
		t.Fatalf("got %v and %v", errWrong, errUnknown)
	}
	if errWrong.Error() != errUnknown.Error() {
		t.Errorf("the answers tell whether a key exists: %v, %v", errWrong, errUnknown)
	}
	before := store.calls.Load()
	if _, err := a.Authenticate(t.Context(), "hello"); !errors.Is(err, ErrKeyInvalid) || store.calls.Load() != before {
		t.Errorf("malformed: %v, asked %d times", err, store.calls.Load()-before)
	}
}

func TestAuthenticate_RefusesExpiredAtTheInstantAndRevoked(t *testing.T) {
	t.Parallel()
	a, store, clk := setup(t)
	secret, key := issue(store)
	expiry := testTime.Add(3 * time.Second)
	key.ExpireTime = &expiry
	store.set(key)
	clk.Advance(3*time.Second - 1)
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); err != nil {
		t.Fatal(err)
	}
	clk.Advance(1)
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); !errors.Is(err, ErrKeyInvalid) ||
		!strings.Contains(err.Error(), "expired at 2026-03-01T12:00:03Z") {
		t.Fatalf("got %v", err)
	}
}

// Case P-TEN-04: a long poll is open when the key is revoked.
func TestStillValid_RefusesARevokedKeyWithinTheCacheTime(t *testing.T) {
	t.Parallel()
	a, store, clk := setup(t)
	secret, key := issue(store)
	p, err := a.Authenticate(t.Context(), secret.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	revoked := clk.Now()
	key.RevokeTime = &revoked
	store.set(key)
	clk.Advance(5 * time.Second)
	if err := a.StillValid(t.Context(), p); !errors.Is(err, ErrKeyInvalid) || !strings.Contains(err.Error(), "revoked") {
		t.Fatalf("after 5 s: %v", err)
	}
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); !errors.Is(err, ErrKeyInvalid) {
		t.Fatalf("ordinary calls: %v", err)
	}
}

func TestForget_PutsARevocationInForceAtOnce(t *testing.T) {
	t.Parallel()
	a, store, clk := setup(t)
	secret, key := issue(store)
	p, err := a.Authenticate(t.Context(), secret.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	revoked := clk.Now()
	key.RevokeTime = &revoked
	store.set(key)
	a.Forget(key.ID)
	if err := a.StillValid(t.Context(), p); !errors.Is(err, ErrKeyInvalid) {
		t.Fatalf("got %v", err)
	}
}

func TestAuthenticate_ServesTheCacheForTenSecondsWithoutStore(t *testing.T) {
	t.Parallel()
	a, store, clk := setup(t)
	secret, _ := issue(store)
	p, err := a.Authenticate(t.Context(), secret.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	store.fail(errors.New("connection refused to db.internal"))
	clk.Advance(6 * time.Second)
	for range 5 {
		if err := a.StillValid(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if got := store.calls.Load(); got != 2 {
		t.Errorf("a store that is away was asked %d times within a second", got-1)
	}
	clk.Advance(4*time.Second - 1)
	if err := a.StillValid(t.Context(), p); err != nil {
		t.Fatalf("just before 10 s: %v", err)
	}
	clk.Advance(1)
	if err := a.StillValid(t.Context(), p); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("at 10 s: %v", err)
	}
	store.fail(nil)
	if err := a.StillValid(t.Context(), p); err != nil {
		t.Fatalf("when the store is back: %v", err)
	}
}

func TestAuthenticate_UnknownIsAskedAgainAfterASecond(t *testing.T) {
	t.Parallel()
	a, store, clk := setup(t)
	secret := NewSecret(NewKeyID(testTime))
	for range 4 {
		if _, err := a.Authenticate(t.Context(), secret.Reveal()); !errors.Is(err, ErrKeyInvalid) {
			t.Fatal(err)
		}
	}
	if got := store.calls.Load(); got != 1 {
		t.Errorf("asked %d times", got)
	}
	store.set(Key{ID: secret.KeyID().String(), TenantID: 3, TenantName: "acme", Hash: secret.Hash()})
	clk.Advance(time.Second)
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); err != nil {
		t.Errorf("a key made meanwhile is refused: %v", err)
	}
}

func TestAuthenticate_AFloodOfRandomKeysNeitherGrowsMemoryNorHammersTheStore(t *testing.T) {
	t.Parallel()
	a, store, _ := setup(t)
	secret, _ := issue(store)
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for range 200 {
				_, _ = a.Authenticate(t.Context(), NewSecret(NewKeyID(testTime)).Reveal())
			}
		})
	}
	wg.Wait()
	if got := store.most.Load(); got > strangers {
		t.Errorf("%d questions at once", got)
	}
	if got := a.unknown.len(); got > maxUnknown {
		t.Errorf("%d refused ids are kept", got)
	}
	calls := store.calls.Load()
	if _, err := a.Authenticate(t.Context(), secret.Reveal()); err != nil || store.calls.Load() != calls {
		t.Errorf("the flood evicted a key that is in use: %v", err)
	}
}

func TestAuthenticate_WaitingQuestionsAreBounded(t *testing.T) {
	t.Parallel()
	a, store, _ := setup(t)
	store.hold = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range maxLoads {
		if _, err := a.Authenticate(ctx, NewSecret(NewKeyID(testTime)).Reveal()); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if _, err := a.Authenticate(t.Context(), NewSecret(NewKeyID(testTime)).Reveal()); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("got %v", err)
	}
	close(store.hold)
}

func TestAuthenticate_CallersOfOneKeyShareOneQuestion(t *testing.T) {
	t.Parallel()
	a, store, _ := setup(t)
	secret, _ := issue(store)
	store.hold = make(chan struct{})
	results := make(chan error, 20)
	for range cap(results) {
		go func() {
			_, err := a.Authenticate(t.Context(), secret.Reveal())
			results <- err
		}()
	}
	close(store.hold)
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if got := store.calls.Load(); got != 1 {
		t.Errorf("asked %d times", got)
	}
}

func TestAuthenticate_AStoreThatPanicsIsUnavailable(t *testing.T) {
	t.Parallel()
	a := NewAuthenticator(panicStore{}, clock.NewManual(testTime))
	if _, err := a.Authenticate(t.Context(), NewSecret(NewKeyID(testTime)).Reveal()); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("got %v", err)
	}
}

type panicStore struct{}

func (panicStore) KeyByID(context.Context, string) (Key, error) { panic("nil map") }

func TestAuthenticate_RevocationHoldsUnderConcurrentCalls(t *testing.T) {
	t.Parallel()
	a, store, clk := setup(t)
	secret, key := issue(store)
	var wg sync.WaitGroup
	var refusedAt atomic.Int64 // first time a call that began after revocation + 5 s was allowed
	for range 8 {
		wg.Go(func() {
			for range 500 {
				begin := clk.Now()
				if _, err := a.Authenticate(t.Context(), secret.Reveal()); err == nil &&
					!begin.Before(testTime.Add(6*time.Second)) {
					refusedAt.Store(begin.UnixNano())
				}
			}
		})
	}
	wg.Go(func() {
		revoked := testTime
		key.RevokeTime = &revoked
		store.set(key)
		for range 600 {
			clk.Advance(20 * time.Millisecond)
			if clk.Now().Equal(testTime.Add(3 * time.Second)) {
				a.Forget(key.ID)
			}
		}
	})
	wg.Wait()
	if at := refusedAt.Load(); at != 0 {
		t.Errorf("allowed at %s", time.Unix(0, at))
	}
}

func TestContext_CarriesThePrincipal(t *testing.T) {
	t.Parallel()
	if _, ok := FromContext(t.Context()); ok {
		t.Error("an empty context has a principal")
	}
	want := Principal{Tenant: "acme", KeyID: "key_x"}
	if got, ok := FromContext(NewContext(t.Context(), want)); !ok || got != want {
		t.Errorf("got %+v, %v", got, ok)
	}
}
