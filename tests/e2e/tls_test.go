package e2e_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

// certificate writes a certificate for 127.0.0.1 and its key to files, and returns a configuration that trusts it.
func certificate(t *testing.T) (cert, key string, trusting *tls.Config) {
	t.Helper()
	donor := httptest.NewTLSServer(http.NotFoundHandler())
	defer donor.Close()
	pair := donor.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	roots := x509.NewCertPool()
	roots.AddCert(donor.Certificate())
	return write("cert.pem", "CERTIFICATE", pair.Certificate[0]), write("key.pem", "PRIVATE KEY", private), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

func TestTLS_ServesEveryProtocol_AndNothingInTheClear(t *testing.T) {
	t.Parallel()
	cert, key, trusting := certificate(t)
	world := harness.NewWorld(t, harness.WorldOptions{Flags: []string{"--tls-cert", cert, "--tls-key", key}})
	admin, err := belfry.NewClient("https://"+world.Node.Addr, world.AdminKey, belfry.WithTLS(trusting))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(admin.Close)
	if _, err := admin.Tenants().CreateTenant(t.Context(), &v1.CreateTenantRequest{Tenant: &v1.Tenant{TenantId: "acme", AutoCreateQueues: true}}); err != nil {
		t.Fatalf("SDK: %v", err)
	}
	create(t, admin.ForTenant("acme"), belfry.NewJob{Queue: "q"})

	conn, err := grpc.NewClient(world.Node.Addr, grpc.WithTransportCredentials(credentials.NewTLS(trusting.Clone())))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+world.AdminKey)
	if err := conn.Invoke(ctx, "/belfry.v1.TenantService/ListTenants", &v1.ListTenantsRequest{}, &v1.ListTenantsResponse{}); err != nil {
		t.Errorf("gRPC: %v", err)
	}
	plain := harness.Post{Addr: world.Node.Addr, Key: world.AdminKey, Method: "TenantService/ListTenants"}
	if reply, err := plain.Do(t.Context()); err == nil && reply.Status == http.StatusOK {
		t.Error("a call in the clear was answered on a port with TLS")
	}
}
