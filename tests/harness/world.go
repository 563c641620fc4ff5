package harness

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/server"
)

// World is one database with one server on it.
type World struct {
	DB   *Database
	Node *Node
	// AdminKey is the secret of a platform key.
	AdminKey string

	direct string // the URL past any gate
}

// WorldOptions says how a world differs from an ordinary one.
type WorldOptions struct {
	// Flags are further flags of `belfry serve`.
	Flags []string
	// Settings of PostgreSQL.
	Settings map[string]string
	// Through, if set, returns the URL by which the server reaches its database, e.g. through a Gate.
	Through func(url string) string
}

// NewWorld builds a world for this test alone. It ends with the test.
func NewWorld(t testing.TB, options WorldOptions) *World {
	t.Helper()
	w := NewDatabaseWorld(t, options)
	url := w.direct
	if options.Through != nil {
		url = options.Through(url)
	}
	w.Node = StartNode(t, NodeOptions{DatabaseURL: url, Flags: options.Flags})
	return w
}

// NewDatabaseWorld is NewWorld without a server: Node is nil.
func NewDatabaseWorld(t testing.TB, options WorldOptions) *World {
	t.Helper()
	w := &World{DB: StartDatabase(t, options.Settings)}
	if err := w.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// prepare migrates the database and makes the first key.
func (w *World) prepare(ctx context.Context) error {
	w.direct = w.DB.URL()
	if _, err := Run(ctx, []string{"BELFRY_DATABASE_URL=" + w.direct}, "migrate", "up"); err != nil {
		return err
	}
	var err error
	w.AdminKey, err = server.CreatePlatformKey(ctx, w.direct, server.NewPlatformKey{DisplayName: "tests"})
	return err
}

// shared is the world of this process, started on first use. A process has one life, and so one such world.
var shared struct {
	sync.Mutex
	world *World
	err   error
}

// Shared returns the world that all tests of this process share, for tests that disturb nothing outside their tenant.
func Shared(t testing.TB) *World {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.world == nil && shared.err == nil {
		// Not the test's context: the world outlives the test.
		shared.world, shared.err = newSharedWorld(context.Background())
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.world
}

func newSharedWorld(ctx context.Context) (*World, error) {
	db, err := startDatabase(ctx, nil)
	if err != nil {
		return nil, err
	}
	w := &World{DB: db}
	err = w.prepare(ctx)
	if err == nil {
		w.Node, err = newNode(NodeOptions{DatabaseURL: w.direct})
	}
	if err == nil {
		err = w.Node.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, w.end())
	}
	return w, nil
}

func (w *World) end() error {
	if w.Node != nil {
		w.Node.Kill()
	}
	return w.DB.Stop(context.Background())
}

// Main runs the tests of a package, so many side by side, and then ends the shared world. Tests that mostly wait for real
// time stand more than the number of cores:
//
//	func TestMain(m *testing.M) { os.Exit(harness.Main(m, 8)) }
func Main(m *testing.M, parallel int) int {
	flag.Parse()
	if given := flag.Lookup("test.parallel"); given.Value.String() == given.DefValue {
		if err := given.Value.Set(strconv.Itoa(parallel)); err != nil {
			fmt.Fprintln(os.Stderr, "set the number of parallel tests:", err)
			return 2
		}
	}
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.world == nil {
		return code
	}
	if shared.world.Node.output.raced() {
		fmt.Fprintln(os.Stderr, "the race detector has found a race in the shared server")
		code = max(code, 1)
	}
	if code != 0 {
		fmt.Fprintf(os.Stderr, "the end of the shared server's log:\n%s\n", shared.world.Node.Log())
	}
	if err := shared.world.end(); err != nil {
		fmt.Fprintln(os.Stderr, "end the shared world:", err)
		return max(code, 1)
	}
	return code
}

// Admin returns a client of the platform, for the server at addr.
func (w *World) Admin(t testing.TB) *belfry.Client { return client(t, w.Node.Addr, w.AdminKey) }

// Tenant is a tenant with one key of scope ADMIN and clients for it.
type Tenant struct {
	ID  string
	Key string
	// Client retries as clients do by default; its calls go to the server that made the tenant.
	*belfry.Client

	addr string
}

// NewTenant makes a tenant of its own, which lets queues appear by themselves.
func (w *World) NewTenant(t testing.TB) Tenant { return NewTenantAt(t, w.Node.Addr, w.AdminKey) }

// NewTenantAt is NewTenant on the server at addr.
func NewTenantAt(t testing.TB, addr, adminKey string) Tenant {
	t.Helper()
	admin := client(t, addr, adminKey)
	name := "t-" + Random()
	_, err := admin.Tenants().CreateTenant(t.Context(), &belfryv1.CreateTenantRequest{
		Tenant: &belfryv1.Tenant{TenantId: name, AutoCreateQueues: true},
	})
	if err != nil {
		t.Fatalf("create tenant: %v", err)
	}
	key := NewKey(t, admin, name)
	return Tenant{ID: name, Key: key.Secret, Client: client(t, addr, key.Secret), addr: addr}
}

// Key is an API key as its maker sees it.
type Key struct{ ID, Secret string }

// NewKey makes a key of a tenant with the given scopes; none means ADMIN.
func NewKey(t testing.TB, admin *belfry.Client, tenant string, scopes ...belfryv1.ApiKeyScope) Key {
	t.Helper()
	made, err := admin.Tenants().CreateApiKey(t.Context(), &belfryv1.CreateApiKeyRequest{TenantId: tenant, Scopes: scopes})
	if err != nil {
		t.Fatalf("create key: %v", err)
	}
	return Key{ID: made.GetApiKey().GetKeyId(), Secret: made.GetSecret()}
}

// Post returns a JSON call with the tenant's key.
func (x Tenant) Post(method string, body any) Post {
	return Post{Addr: x.addr, Key: x.Key, Method: method, Body: body}
}

// Through returns a client with the tenant's key for another address, e.g. of a Gate.
func (x Tenant) Through(t testing.TB, addr string, options ...belfry.Option) *belfry.Client {
	t.Helper()
	return client(t, addr, x.Key, options...)
}

func client(t testing.TB, addr, key string, options ...belfry.Option) *belfry.Client {
	t.Helper()
	c, err := belfry.NewClient(addr, key, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Random returns 10 random characters that are good in every name.
func Random() string { return strings.ToLower(rand.Text()[:10]) }
