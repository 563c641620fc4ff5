package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/server/internal/cli/devdir"
)

// devTenant is the tenant that `belfry dev` makes.
const devTenant = "dev"

// welcome makes the tenant and its key, keeps what clients need, and tells the user how to begin.
func (d *development) welcome(ctx context.Context, address string) error {
	d.env.Address = reachable(address)
	client, err := belfry.NewClient(d.env.Address, d.env.AdminKey)
	if err != nil {
		return err
	}
	defer client.Close()
	tenant := &v1.Tenant{TenantId: devTenant, DisplayName: "belfry dev", AutoCreateQueues: true}
	_, err = client.Tenants().CreateTenant(ctx, &v1.CreateTenantRequest{Tenant: tenant})
	if err != nil && !belfry.IsAlreadyExists(err) {
		return fmt.Errorf("create tenant %s: %w", devTenant, err)
	}
	if err := d.ensureKey(ctx, client); err != nil {
		return err
	}
	if err := d.dir.WriteEnv(d.env); err != nil {
		return err
	}
	_, err = fmt.Fprint(d.program.Out, d.greeting())
	return err
}

// ensureKey keeps the key of the run before if the server still takes it, and makes a new one otherwise.
func (d *development) ensureKey(ctx context.Context, admin *belfry.Client) error {
	if d.env.APIKey != "" {
		client, err := belfry.NewClient(d.env.Address, d.env.APIKey)
		if err == nil {
			defer client.Close()
			var answered *v1.GetTenantResponse
			answered, err = client.Tenants().GetTenant(ctx, &v1.GetTenantRequest{})
			if err == nil && answered.GetTenant().GetTenantId() == devTenant {
				return nil
			}
		}
		var refused *belfry.Error
		if errors.As(err, &refused) && refused.Code != belfry.CodeUnauthenticated && refused.Code != belfry.CodePermissionDenied {
			return fmt.Errorf("try the key of tenant %s: %w", devTenant, err)
		}
	}
	answered, err := admin.Tenants().CreateApiKey(ctx, &v1.CreateApiKeyRequest{TenantId: devTenant, DisplayName: "belfry dev"})
	if err != nil {
		return fmt.Errorf("create key of tenant %s: %w", devTenant, err)
	}
	d.env.APIKey = answered.GetSecret()
	return nil
}

// reachable turns an address to listen on into one to call: all interfaces are called by the loopback one.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}

// greeting says where everything is, and what to try first.
func (d *development) greeting() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Belfry is ready on http://%s; Ctrl-C stops it.", d.env.Address)
	line("")
	line("  tenant dev   %s", d.env.APIKey)
	line("  platform     %s", d.env.AdminKey)
	line("  both, and the address, are in %s", d.dir.EnvFile())
	line("")
	line("Create a job that is due in 5 seconds:")
	line("")
	line(`  curl -sS http://%s/belfry.v1.JobService/CreateJob \`, d.env.Address)
	line(`    -H 'Authorization: Bearer %s' \`, d.env.APIKey)
	line(`    -H 'Content-Type: application/json' \`)
	line(`    -d '{"job": {"queue": "hello", "delay": "5s", "payload": {"json": {"name": "Ada"}}}}'`)
	line("")
	line("Run the jobs of the queue, one command each (in another terminal):")
	line("")
	line(`  %s worker exec --queue hello -- sh -c 'echo "$BELFRY_JOB_ID got $(cat)"'`, d.commandName())
	line("")
	return b.String()
}

// commandName is what to type to run this binary again, from anywhere, with this data directory.
func (d *development) commandName() string {
	self, err := os.Executable()
	if err != nil {
		self = "belfry"
	}
	name := shellQuote(self)
	if onPath, err := exec.LookPath("belfry"); err == nil && sameFile(onPath, self) {
		name = "belfry"
	}
	if d.dir.Path() != devdir.Default(os.Getenv, os.Geteuid()) {
		name = envName("data-dir") + "=" + shellQuote(d.dir.Path()) + " " + name
	}
	return name
}

func sameFile(a, b string) bool {
	a, errA := filepath.EvalSymlinks(a)
	b, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && a == b
}

// shellQuote writes a word as a POSIX shell reads it.
func shellQuote(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+:@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
