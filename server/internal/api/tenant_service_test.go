package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

func TestCreateTenant_IsIdempotentByRequestID(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	create := func(name, id string) (*belfryv1.Tenant, error) {
		res, err := o.operator.CreateTenant(t.Context(), &belfryv1.CreateTenantRequest{RequestId: id,
			Tenant: &belfryv1.Tenant{TenantId: name, DisplayName: "N", AutoCreateQueues: true, Uid: "mine"}})
		return res.GetTenant(), err
	}
	first, err := create("new", "r")
	if err != nil || first.GetUid() == "mine" || !first.GetAutoCreateQueues() || first.GetEtag() == "" {
		t.Fatalf("made %v (%v)", first, err)
	}
	again, err := create("new", "r")
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, again, first)
	_, err = create("new", "r2")
	wantRefused(t, err, connect.CodeAlreadyExists, "ALREADY_EXISTS", `tenant "new"`)
	_, err = create("newer", "r")
	wantRefused(t, err, connect.CodeAlreadyExists, "REQUEST_ID_REUSED", `"r"`)
	for _, bad := range []string{"", "-", "Acme", strings.Repeat("x", 64)} {
		_, err = create(bad, "")
		wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "tenant.tenant_id")
	}
}

func TestTenants_AreForOperatorsToSee(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	own, err := o.acme.GetTenant(ctx, &belfryv1.GetTenantRequest{})
	if err != nil || own.GetTenant().GetTenantId() != "acme" {
		t.Errorf("a tenant reads itself as %v (%v)", own, err)
	}
	_, err = o.acme.GetTenant(ctx, &belfryv1.GetTenantRequest{TenantId: "other"})
	wantRefused(t, err, connect.CodeNotFound, "TENANT_NOT_FOUND", "other")
	_, err = o.acme.ListTenants(ctx, &belfryv1.ListTenantsRequest{})
	wantRefused(t, err, connect.CodePermissionDenied, "KEY_SCOPE", "platform")
	_, err = o.operator.GetTenant(ctx, &belfryv1.GetTenantRequest{TenantId: "none"})
	wantRefused(t, err, connect.CodeNotFound, "TENANT_NOT_FOUND", "none")
	page, err := o.operator.ListTenants(ctx, &belfryv1.ListTenantsRequest{PageSize: 1})
	if err != nil || len(page.GetTenants()) != 1 || page.GetTenants()[0].GetTenantId() != "acme" {
		t.Fatalf("first page is %v (%v)", page, err)
	}
	page, err = o.operator.ListTenants(ctx, &belfryv1.ListTenantsRequest{PageSize: 1, PageToken: page.GetNextPageToken()})
	if err != nil || len(page.GetTenants()) != 1 || page.GetTenants()[0].GetTenantId() != "other" || page.GetNextPageToken() != "" {
		t.Errorf("last page is %v (%v)", page, err)
	}
}

func TestCreateApiKey_TellsItsSecretOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	req := &belfryv1.CreateApiKeyRequest{TenantId: "acme", DisplayName: "ci", RequestId: "k1", Ttl: durationpb.New(time.Hour),
		Scopes: []belfryv1.ApiKeyScope{belfryv1.ApiKeyScope_API_KEY_SCOPE_WORKER, belfryv1.ApiKeyScope_API_KEY_SCOPE_PRODUCER}}
	res, err := o.acme.CreateApiKey(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	key := res.GetApiKey()
	wantProto(t, key, &belfryv1.ApiKey{TenantId: "acme", KeyId: key.GetKeyId(), DisplayName: "ci", CreateTime: key.GetCreateTime(),
		ExpireTime: key.GetExpireTime(),
		Scopes:     []belfryv1.ApiKeyScope{belfryv1.ApiKeyScope_API_KEY_SCOPE_PRODUCER, belfryv1.ApiKeyScope_API_KEY_SCOPE_WORKER}})
	if life := key.GetExpireTime().AsTime().Sub(key.GetCreateTime().AsTime()); life != time.Hour {
		t.Errorf("the key lives for %v", life)
	}
	_, err = o.acme.CreateApiKey(ctx, req)
	if msg := wantRefused(t, err, connect.CodeAlreadyExists, "ALREADY_EXISTS", key.GetKeyId()); strings.Contains(msg, res.GetSecret()) {
		t.Error("the secret was told twice")
	}
	other := proto.CloneOf(req)
	other.DisplayName = "cd"
	_, err = o.acme.CreateApiKey(ctx, other)
	wantRefused(t, err, connect.CodeAlreadyExists, "REQUEST_ID_REUSED", "k1")
	if n := storetest.Value[int](o.db, "SELECT count(*) FROM api_keys WHERE display_name <> ''"); n != 1 {
		t.Errorf("%d keys were made", n)
	}
	producer := o.as(res.GetSecret())
	_, err = producer.CreateQueue(ctx, &belfryv1.CreateQueueRequest{Queue: &belfryv1.Queue{Queue: "q"}})
	wantRefused(t, err, connect.CodePermissionDenied, "KEY_SCOPE", "ADMIN")
	if _, err := producer.ListQueues(ctx, &belfryv1.ListQueuesRequest{}); err != nil {
		t.Errorf("a producer may read queues: %v", err)
	}
}

func TestCreateApiKey_OfThePlatform(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	_, err := o.operator.CreateApiKey(ctx, &belfryv1.CreateApiKeyRequest{Scopes: []belfryv1.ApiKeyScope{belfryv1.ApiKeyScope_API_KEY_SCOPE_READER}})
	wantRefused(t, err, connect.CodeInvalidArgument, "INVALID_FIELD", "scopes")
	res, err := o.operator.CreateApiKey(ctx, &belfryv1.CreateApiKeyRequest{})
	if err != nil || res.GetApiKey().GetTenantId() != "" || len(res.GetApiKey().GetScopes()) != 0 {
		t.Fatalf("made %v (%v)", res, err)
	}
	if _, err := o.as(res.GetSecret()).ListTenants(ctx, &belfryv1.ListTenantsRequest{}); err != nil {
		t.Error(err)
	}
	// What means the platform to an operator means the tenant to a tenant.
	own, err := o.acme.CreateApiKey(ctx, &belfryv1.CreateApiKeyRequest{})
	if err != nil || own.GetApiKey().GetTenantId() != "acme" ||
		!slices.Equal(own.GetApiKey().GetScopes(), []belfryv1.ApiKeyScope{belfryv1.ApiKeyScope_API_KEY_SCOPE_ADMIN}) {
		t.Errorf("a tenant made %v (%v)", own, err)
	}
	list, err := o.acme.ListApiKeys(ctx, &belfryv1.ListApiKeysRequest{})
	if err != nil || len(list.GetApiKeys()) != 2 || list.GetApiKeys()[0].GetKeyId() != own.GetApiKey().GetKeyId() {
		t.Errorf("a tenant lists %v (%v), want its two keys, the newest first", list, err)
	}
	platform, err := o.operator.ListApiKeys(ctx, &belfryv1.ListApiKeysRequest{PageSize: 1})
	if err != nil || len(platform.GetApiKeys()) != 1 || platform.GetApiKeys()[0].GetKeyId() != res.GetApiKey().GetKeyId() {
		t.Fatalf("the platform lists %v (%v)", platform, err)
	}
	platform, err = o.operator.ListApiKeys(ctx, &belfryv1.ListApiKeysRequest{PageToken: platform.GetNextPageToken()})
	if err != nil || len(platform.GetApiKeys()) != 1 || platform.GetNextPageToken() != "" {
		t.Errorf("second page is %v (%v)", platform, err)
	}
	_, err = o.acme.CreateApiKey(ctx, &belfryv1.CreateApiKeyRequest{TenantId: "other"})
	wantRefused(t, err, connect.CodeNotFound, "TENANT_NOT_FOUND", "other")
}

func TestRevokeApiKey_EndsItAtOnceHereAndOnlyOnes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	made, err := o.acme.CreateApiKey(ctx, &belfryv1.CreateApiKeyRequest{})
	if err != nil {
		t.Fatal(err)
	}
	id, victim := made.GetApiKey().GetKeyId(), o.as(made.GetSecret())
	use := func() error {
		_, err := victim.ListQueues(ctx, &belfryv1.ListQueuesRequest{})
		return err
	}
	revoke := func(a admins, tenant, id string) (*belfryv1.ApiKey, error) {
		res, err := a.RevokeApiKey(ctx, &belfryv1.RevokeApiKeyRequest{TenantId: tenant, KeyId: id})
		return res.GetApiKey(), err
	}
	if err := use(); err != nil {
		t.Fatal(err)
	}
	random := "key_01jtz0000070008000000000zz"
	for _, c := range []struct {
		by     admins
		tenant string
	}{{o.other, ""}, {o.operator, "other"}, {o.operator, ""}} {
		_, err := revoke(c.by, c.tenant, id)
		foreign := wantRefused(t, err, connect.CodeNotFound, "API_KEY_NOT_FOUND", id)
		_, err = revoke(c.by, c.tenant, random)
		none := wantRefused(t, err, connect.CodeNotFound, "API_KEY_NOT_FOUND", random)
		if strings.ReplaceAll(foreign, id, random) != none {
			t.Errorf("another's key answers %q, none at all %q", foreign, none)
		}
	}
	_, err = revoke(o.acme, "", "nonsense")
	wantRefused(t, err, connect.CodeNotFound, "API_KEY_NOT_FOUND", "nonsense")
	if err := use(); err != nil {
		t.Errorf("refused revocations have ended the key: %v", err)
	}
	first, err := revoke(o.operator, "acme", id)
	if err != nil || !first.GetRevokeTime().IsValid() {
		t.Fatalf("revoked %v (%v)", first, err)
	}
	wantRefused(t, use(), connect.CodeUnauthenticated, "KEY_INVALID", "revoked")
	again, err := revoke(o.acme, "", id)
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, again, first)
	list, err := o.acme.ListApiKeys(ctx, &belfryv1.ListApiKeysRequest{})
	if err != nil || !strings.Contains(fmt.Sprint(list), "revoke_time") {
		t.Errorf("the list does not show it: %v (%v)", list, err)
	}
}
