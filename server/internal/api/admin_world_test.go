package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/server/internal/catalog"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
	"github.com/belfryhq/belfry/tenancy"
)

// office is a node that serves queues and tenants, with a real database, catalog, authenticator and edge.
type office struct {
	t       testing.TB
	db      *storetest.DB
	catalog *catalog.Catalog
	server  *httptest.Server

	operator admins // with a platform key
	acme     admins // with an ADMIN key of tenant acme
	other    admins // with an ADMIN key of tenant other

	mu     sync.Mutex
	raised []int64
	polled map[string]time.Time
}

// admins is the API with one key.
type admins struct {
	belfryv1connect.QueueServiceClient
	belfryv1connect.TenantServiceClient
	key string
}

func newOffice(t testing.TB) *office {
	t.Helper()
	o := &office{t: t, db: storetest.New(t), polled: map[string]time.Time{}}
	clk, log := clock.Real(), slog.New(slog.NewTextHandler(testWriter{t}, nil))
	o.catalog = catalog.New(catalog.Config{Store: o.db.Store, Clock: clk})
	auth := tenancy.NewAuthenticator(o.db.Store, clk)
	edge := NewEdge(EdgeConfig{Auth: auth, Validator: newTestValidator(t), Errors: NewTranslator(log), Clock: clk, Log: log,
		Observe: func(Call) {}})
	queues := NewQueueService(QueueConfig{Queues: o.db.Store, Names: o.catalog, Now: clk.Now, LastPoll: o.lastPoll, ConfigRaised: o.configRaised})
	tenants := NewTenantService(TenantConfig{Tenants: o.db.Store, Names: o.catalog, Now: clk.Now, Forget: auth.Forget})
	mux := http.NewServeMux()
	mux.Handle(belfryv1connect.NewQueueServiceHandler(queues, edge.HandlerOptions()...))
	mux.Handle(belfryv1connect.NewTenantServiceHandler(tenants, edge.HandlerOptions()...))
	o.server = newServer(t, mux)

	secret := tenancy.NewSecret(tenancy.NewKeyID(time.Now()))
	if _, _, err := o.db.Store.CreateKey(t.Context(), store.NewKey{ID: secret.KeyID(), Scopes: tenancy.Platform, Hash: secret.Hash()}); err != nil {
		t.Fatal(err)
	}
	o.operator = o.as(secret.Reveal())
	o.acme, o.other = o.hire("acme"), o.hire("other")
	return o
}

// testWriter logs to the test: incidents shall be seen.
type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func (o *office) lastPoll(tenant, queue string) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.polled[tenant+"/"+queue]
}

func (o *office) configRaised(_ int16, version int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.raised = append(o.raised, version)
}

// as is the API with a key.
func (o *office) as(key string) admins {
	bearer := connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
			req.Header().Set("Authorization", "Bearer "+key)
			return next(ctx, req)
		}
	})
	options := []connect.ClientOption{connect.WithInterceptors(bearer), connect.WithProtoJSON()}
	return admins{
		QueueServiceClient:  belfryv1connect.NewQueueServiceClient(o.server.Client(), o.server.URL, options...),
		TenantServiceClient: belfryv1connect.NewTenantServiceClient(o.server.Client(), o.server.URL, options...),
		key:                 key,
	}
}

// hire makes a tenant and an ADMIN key of it.
func (o *office) hire(tenant string) admins {
	o.t.Helper()
	if _, err := o.operator.CreateTenant(o.t.Context(), &belfryv1.CreateTenantRequest{Tenant: &belfryv1.Tenant{TenantId: tenant}}); err != nil {
		o.t.Fatal(err)
	}
	return o.key(tenant)
}

func (o *office) key(tenant string, scopes ...belfryv1.ApiKeyScope) admins {
	o.t.Helper()
	res, err := o.operator.CreateApiKey(o.t.Context(), &belfryv1.CreateApiKeyRequest{TenantId: tenant, Scopes: scopes})
	if err != nil {
		o.t.Fatal(err)
	}
	return o.as(res.GetSecret())
}

// queue makes a queue with the given key.
func (o *office) queue(a admins, q *belfryv1.Queue) *belfryv1.Queue {
	o.t.Helper()
	res, err := a.CreateQueue(o.t.Context(), &belfryv1.CreateQueueRequest{Queue: q})
	if err != nil {
		o.t.Fatal(err)
	}
	return res.GetQueue()
}

// enqueue stores n jobs that are due now, delay later, in a queue of tenant acme.
func (o *office) enqueue(queue string, n int, delay time.Duration) []job.ID {
	o.t.Helper()
	ctx := o.t.Context()
	q, err := o.catalog.Queue(ctx, "acme", queue)
	if err != nil {
		o.t.Fatal(err)
	}
	lane, err := o.catalog.EnsureLane(ctx, q, "default")
	if err != nil {
		o.t.Fatal(err)
	}
	var tx store.HotTx
	var ids []job.ID
	for range n {
		id := job.NewID(time.Now(), q.Part)
		ids = append(ids, id)
		tx.Creates = append(tx.Creates, &store.Create{ID: id, Lane: lane.Number, Delay: delay, Age: time.Hour, Body: job.Body{}.Marshal()})
	}
	if err := o.db.Store.Commit(ctx, &tx); err != nil {
		o.t.Fatal(err)
	}
	return ids
}

// lease leases one of them.
func (o *office) lease(id job.ID) {
	o.t.Helper()
	states, err := o.db.Store.PartitionStates(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	p := states[id.Part()]
	c := &store.ClaimBatch{Part: p.Part, Epoch: p.Epoch, Config: p.Config, ClaimID: time.Now().UnixNano(), Items: []store.ClaimItem{
		{ID: id, Version: 1, Lease: time.Minute, Timeout: time.Hour, Worker: "w"}}}
	if err := o.db.Store.Commit(o.t.Context(), &store.HotTx{Claims: []*store.ClaimBatch{c}}); err != nil || len(c.Rows) != 1 {
		o.t.Fatalf("leased %d jobs (%v)", len(c.Rows), err)
	}
}

// wantRefused checks code and reason of an error from the wire, and that its message holds says. It returns the message.
func wantRefused(t *testing.T, err error, code connect.Code, reason, says string) string {
	t.Helper()
	if connect.CodeOf(err) != code || !slices.Contains(reasons(err), reason) || !strings.Contains(err.Error(), says) {
		t.Errorf("refused with %v %q, want %v %s and %q in the message", err, reasons(err), code, reason, says)
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

func reasons(err error) []string {
	var out []string
	if e, ok := err.(*connect.Error); ok { //nolint:errorlint // clients return it bare
		for _, d := range e.Details() {
			if v, err := d.Value(); err == nil {
				if info, ok := v.(*errdetails.ErrorInfo); ok {
					out = append(out, info.GetReason())
				}
			}
		}
	}
	return out
}
