package store_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/tenancy"
)

// admin is a database with two tenants.
type admin struct {
	*storetest.DB
	t           *testing.T
	acme, other tenancy.Tenant
}

func newAdmin(t *testing.T) *admin {
	t.Helper()
	a := &admin{DB: storetest.New(t), t: t}
	a.acme, a.other = a.tenant("acme"), a.tenant("other")
	return a
}

func (a *admin) tenant(name string) tenancy.Tenant {
	a.t.Helper()
	tenant, _, err := a.Store.CreateTenant(a.t.Context(), store.NewTenant{Name: name, DisplayName: "The " + name})
	if err != nil {
		a.t.Fatal(err)
	}
	return tenant
}

func (a *admin) queue(tenant tenancy.Tenant, name string, settings job.QueueSettings) *store.Queue {
	a.t.Helper()
	q, _, err := a.Store.CreateQueue(a.t.Context(), store.NewQueue{
		Tenant: tenant.ID, TenantName: tenant.Name, Name: name, Settings: settings})
	if err != nil {
		a.t.Fatal(err)
	}
	return q
}

func (a *admin) lane(q *store.Queue, jobType string) store.Lane {
	a.t.Helper()
	lane, err := a.Store.EnsureLane(a.t.Context(), q.ID, jobType)
	if err != nil {
		a.t.Fatal(err)
	}
	return lane
}

// create stores n jobs that are due now and returns their ids.
func (a *admin) create(q *store.Queue, lane store.Lane, n int) []job.ID {
	a.t.Helper()
	var tx store.HotTx
	ids := make([]job.ID, n)
	for i := range ids {
		ids[i] = job.NewID(time.Now(), q.Part)
		tx.Creates = append(tx.Creates, &store.Create{ID: ids[i], Lane: lane.Number, Priority: 5, Age: time.Hour,
			Body: job.Body{}.Marshal()})
	}
	if err := a.Store.Commit(a.t.Context(), &tx); err != nil {
		a.t.Fatal(err)
	}
	return ids
}

// config returns the epoch and configuration version of a partition.
func (a *admin) config(part int16) store.PartitionState {
	a.t.Helper()
	states, err := a.Store.PartitionStates(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	return states[part]
}

// claim leases jobs as a node would that knows the partition as in state, and returns what it got.
func (a *admin) claim(state store.PartitionState, ids ...job.ID) []store.Live {
	a.t.Helper()
	batch := &store.ClaimBatch{Part: state.Part, Epoch: state.Epoch, Config: state.Config, ClaimID: rand.Int64()}
	for _, id := range ids {
		batch.Items = append(batch.Items, store.ClaimItem{ID: id, Version: 1, Lease: time.Minute, Timeout: time.Hour, Worker: "w"})
	}
	if err := a.Store.Commit(a.t.Context(), &store.HotTx{Claims: []*store.ClaimBatch{batch}}); err != nil {
		a.t.Fatal(err)
	}
	return batch.Rows
}

func wantIs(t *testing.T, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Errorf("error is %v, want %v", err, target)
	}
}

func TestCreateTenant_RefusesANameTwice(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	_, _, err := a.Store.CreateTenant(t.Context(), store.NewTenant{Name: "acme"})
	wantIs(t, err, store.ErrExists)
	got, err := a.Store.TenantByName(t.Context(), "acme")
	if err != nil || got != a.acme || got.DisplayName != "The acme" || got.Etag == a.other.Etag {
		t.Errorf("tenant reads as %+v (%v), made as %+v", got, err, a.acme)
	}
	_, err = a.Store.TenantByName(t.Context(), "acm")
	wantIs(t, err, store.ErrNotFound)
}

func TestListTenants_PagesByName(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.tenant("b.c")
	a.tenant("b-c")
	a.tenant("0")
	var names []string
	for after := ""; ; {
		page, err := a.Store.ListTenants(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, tenant := range page {
			names = append(names, tenant.Name)
			after = tenant.Name
		}
		if len(page) < 2 {
			break
		}
	}
	if want := []string{"0", "acme", "b-c", "b.c", "other"}; !slices.Equal(names, want) {
		t.Errorf("listed %q, want byte order %q", names, want)
	}
}

func TestCreate_WithOneRequestIDMakesOneThing(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	request := store.NewAdminRequest("CreateQueue", a.acme.ID, "r1", 42)
	const callers = 8
	var wg sync.WaitGroup
	uids, fresh := make([]string, callers), make([]bool, callers)
	for i := range callers {
		wg.Go(func() {
			q, existing, err := a.Store.CreateQueue(t.Context(), store.NewQueue{
				Tenant: a.acme.ID, TenantName: "acme", Name: "mail", Request: request})
			if err != nil {
				t.Errorf("caller %d: %v", i, err)
				return
			}
			uids[i], fresh[i] = q.UID, !existing
		})
	}
	wg.Wait()
	slices.Sort(uids)
	if len(slices.Compact(uids)) != 1 {
		t.Errorf("callers were answered different queues: %q", uids)
	}
	if made := slices.DeleteFunc(fresh, func(f bool) bool { return !f }); len(made) != 1 {
		t.Errorf("%d callers were told to have made it, want 1", len(made))
	}
	request.Fingerprint++
	_, _, err := a.Store.CreateQueue(t.Context(), store.NewQueue{Tenant: a.acme.ID, TenantName: "acme", Name: "m2", Request: request})
	wantIs(t, err, store.ErrRequestReused)
	_, _, err = a.Store.CreateQueue(t.Context(), store.NewQueue{Tenant: a.acme.ID, TenantName: "acme", Name: "mail",
		Request: store.NewAdminRequest("CreateQueue", a.acme.ID, "r2", 42)})
	wantIs(t, err, store.ErrExists)
	if n := storetest.Value[int](a.DB, "SELECT count(*) FROM admin_requests"); n != 1 {
		t.Errorf("%d request ids are on record, want that of the create alone", n)
	}
}

func TestNewAdminRequest_KeepsMethodsAndTenantsApart(t *testing.T) {
	t.Parallel()
	seen := map[[16]byte]bool{}
	for _, kind := range []string{"CreateQueue", "CreateTenant"} {
		for _, tenant := range []int32{0, 1, 11} {
			seen[store.NewAdminRequest(kind, tenant, "1r", 0).Key] = true
		}
	}
	if len(seen) != 6 {
		t.Errorf("six calls share %d keys", len(seen))
	}
	if store.NewAdminRequest("CreateQueue", 1, "", 0) != nil {
		t.Error("no request id has a stored form")
	}
}

func TestKeys_AreReadRevokedAndListedPerTenant(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	ctx := t.Context()
	make1 := func(n store.NewKey) tenancy.Key {
		k, existing, err := a.Store.CreateKey(ctx, n)
		if err != nil || existing {
			t.Fatalf("create key: existing %v, %v", existing, err)
		}
		return k
	}
	at := time.Now()
	platform := make1(store.NewKey{ID: tenancy.NewKeyID(at), Scopes: tenancy.Platform, Hash: [32]byte{1}})
	older := make1(store.NewKey{ID: tenancy.NewKeyID(at), Tenant: a.acme.ID, Scopes: tenancy.Admin | tenancy.Reader,
		Hash: [32]byte{2}, TTL: time.Hour, DisplayName: "ci"})
	newerID := tenancy.NewKeyID(at.Add(time.Second))
	newer := make1(store.NewKey{ID: newerID, Tenant: a.acme.ID, Scopes: tenancy.Worker})
	if platform.TenantName != "" || older.TenantName != "acme" || older.ExpireTime.Sub(older.CreateTime) != time.Hour {
		t.Errorf("keys read as %+v and %+v", platform, older)
	}
	got, err := a.Store.KeyByID(ctx, older.ID)
	if err != nil || got.Hash != [32]byte{2} || got.Scopes != tenancy.Admin|tenancy.Reader || got.DisplayName != "ci" {
		t.Errorf("key reads as %+v (%v)", got, err)
	}
	page, err := a.Store.ListKeys(ctx, a.acme.ID, tenancy.KeyID{}, 1)
	if err != nil || len(page) != 1 || page[0].ID != newer.ID {
		t.Fatalf("first page is %+v (%v), want the newest key", page, err)
	}
	if page, err = a.Store.ListKeys(ctx, a.acme.ID, newerID, 10); err != nil || len(page) != 1 || page[0].ID != older.ID {
		t.Fatalf("second page is %+v (%v), want the older key of this tenant alone", page, err)
	}
	_, err = a.Store.RevokeKey(ctx, a.other.ID, newerID)
	wantIs(t, err, store.ErrNotFound)
	first, err := a.Store.RevokeKey(ctx, a.acme.ID, newerID)
	if err != nil || first.RevokeTime == nil {
		t.Fatalf("revoked key is %+v (%v)", first, err)
	}
	again, err := a.Store.RevokeKey(ctx, a.acme.ID, newerID)
	if err != nil || !again.RevokeTime.Equal(*first.RevokeTime) {
		t.Errorf("revoking again moved the time from %v to %v (%v)", first.RevokeTime, again.RevokeTime, err)
	}
	for _, id := range []string{"key_", "key_00000000000000000000000000", "", tenancy.NewKeyID(at).String()} {
		_, err := a.Store.KeyByID(ctx, id)
		wantIs(t, err, tenancy.ErrKeyNotFound)
	}
}

func TestCreateKey_WithAKnownRequestIDNamesTheFirstKey(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	n := store.NewKey{ID: tenancy.NewKeyID(time.Now()), Tenant: a.acme.ID, Scopes: tenancy.Admin,
		Request: store.NewAdminRequest("CreateApiKey", a.acme.ID, "k", 1)}
	first, _, err := a.Store.CreateKey(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	n.ID = tenancy.NewKeyID(time.Now())
	second, existing, err := a.Store.CreateKey(t.Context(), n)
	if err != nil || !existing || second.ID != first.ID {
		t.Errorf("second call: %s, existing %v (%v), want %s", second.ID, existing, err, first.ID)
	}
	if n := storetest.Value[int](a.DB, "SELECT count(*) FROM api_keys"); n != 1 {
		t.Errorf("%d keys exist", n)
	}
}
