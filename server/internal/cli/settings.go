package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/belfryhq/belfry/internal/pgdev"
	"github.com/belfryhq/belfry/server"
	"github.com/belfryhq/belfry/server/internal/store"
)

// setting is a value that a flag, the environment or a file can give. Its name is that of the flag and of the key in the
// file; the environment spells it BELFRY_NAME.
type setting struct {
	name  string
	usage string
	value any            // the default: string, int, bool or time.Duration
	takes []string       // the commands that take it; onClient stands for all that call a server
	other map[string]any // defaults of single commands
	// noFile: the file of --config does not have it.
	noFile bool
}

// Commands that take settings.
const (
	onServe   = "serve"
	onDev     = "dev"
	onMigrate = "migrate"
	onExec    = "worker exec"
	onClient  = "client commands"
)

// settings is the one table of all settings; docs/settings.md is made from it.
func settings() []setting {
	d := server.Defaults()
	both := []string{onServe, onDev}
	return []setting{
		{name: "database-url", value: "", takes: []string{onServe, onMigrate, onDev},
			usage: "PostgreSQL, as `postgres://user:password@host:5432/name`; required, except by dev, which otherwise starts one of its own"},
		{name: "database-pooler", value: d.Pooler, takes: []string{onServe},
			usage: "`pooler` between Belfry and PostgreSQL: none, or transaction (PgBouncer and the like)"},
		{name: "database-hot-conns", value: d.HotConns, takes: both, usage: "connections of the hot path, 2–100"},
		{name: "database-read-conns", value: d.ReadConns, takes: both, usage: "connections of reads and administration, 2–500"},
		{name: "allow-unsafe-database", value: d.AllowUnsafe, takes: both,
			usage: "start on a database with fsync off, which loses acknowledged jobs when its machine crashes"},
		{name: "listen", value: d.Listen, takes: both, other: map[string]any{onDev: "127.0.0.1:7070"},
			usage: "`host:port` of the API: Connect, gRPC, gRPC-Web and JSON on one port"},
		{name: "ops-listen", value: d.OpsListen, takes: both, other: map[string]any{onDev: ""},
			usage: "`host:port` of metrics, profiles and health; empty: none"},
		{name: "tls-cert", value: "", takes: []string{onServe}, usage: "`file` with the certificate chain of the API, PEM; goes with tls-key"},
		{name: "tls-key", value: "", takes: []string{onServe}, usage: "`file` with the private key of tls-cert, PEM"},
		{name: "node", value: "", takes: []string{onServe}, usage: "`name` of this server in logs and in the ownership of partitions; empty: the host name"},
		{name: "ownership-ttl", value: d.OwnershipTTL, takes: both, other: map[string]any{onDev: 2 * time.Second},
			usage: "how long the partitions of a server that died wait for another, 1s–1m"},
		{name: "load-interval", value: d.LoadInterval, takes: both, usage: "how often the near future is read from the database, 100ms–10s"},
		{name: "shutdown-grace", value: d.ShutdownGrace, takes: both, other: map[string]any{onDev: 5 * time.Second},
			usage: "how long calls in flight may take to end, up to 10m"},
		{name: "partitions", value: store.DefaultPartitions, takes: []string{onMigrate, onDev},
			usage: "`number` of partitions, 1–4096; fixed by the first migration of a database"},
		{name: "no-role-settings", value: false, takes: []string{onMigrate},
			usage: "leave the time-outs of the database role alone, where it may not alter itself: then set them by other means"},
		{name: "postgres-bin", value: "", takes: []string{onDev}, usage: "`directory` with postgres and initdb; empty: the newest of this machine"},
		{name: "postgres-download", value: true, takes: []string{onDev}, usage: "download PostgreSQL where this machine has none"},
		{name: "postgres-repository", value: pgdev.DefaultRepository, takes: []string{onDev}, usage: "Maven `repository` to download PostgreSQL from"},
		{name: "data-dir", value: "", takes: []string{onDev, onClient},
			usage: "`directory` of belfry dev; empty: ~/.local/share/belfry/dev, or /var/tmp/belfry-dev-UID where that cannot be used. " +
				"Client commands look there for a server if nothing else is configured"},
		{name: "config", value: "", takes: []string{onServe, onMigrate, onDev}, noFile: true,
			usage: "`file` with settings of servers (YAML, TOML or JSON by its ending): the names of this table as keys"},
		{name: "log-level", value: "info", takes: []string{onServe, onDev, onExec}, other: map[string]any{onDev: "warn"},
			usage: "least `level` that is logged: debug, info, warn or error"},
		{name: "log-format", value: "text", takes: []string{onServe, onDev, onExec}, usage: "`format` of the log: text or json"},
		{name: "address", value: "", takes: []string{onClient}, noFile: true,
			usage: "`host:port`, or http or https URL, of the server; empty: that of the profile, else of belfry dev"},
		{name: "api-key", value: "", takes: []string{onClient}, noFile: true,
			usage: "`secret` of the key to call with; on shared machines better given in the environment"},
		{name: "admin-key", value: "", takes: []string{onClient}, noFile: true,
			usage: "`secret` of a platform key, used instead of api-key by commands on tenants and with --tenant"},
		{name: "tenant", value: "", takes: []string{onClient}, noFile: true, usage: "`name` of the tenant to act for; needed with platform keys only"},
		{name: "profile", value: "", takes: []string{onClient}, noFile: true, usage: "`name` of a profile in the file of profiles; empty: the one it names as default"},
		{name: "profiles", value: "", takes: []string{onClient}, noFile: true, usage: "`file` of profiles; empty: ~/.config/belfry/config.yaml"},
	}
}

// defaultFor returns the default that one command has.
func (s setting) defaultFor(command string) any {
	if value, ok := s.other[command]; ok {
		return value
	}
	return s.value
}

// envName is how the environment spells a setting.
func envName(name string) string {
	return "BELFRY_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// settingsOf lists the settings that a command takes.
func settingsOf(command string) []setting {
	return slices.DeleteFunc(settings(), func(s setting) bool { return !slices.Contains(s.takes, command) })
}

// addSettings gives cmd the flags of its settings.
func addSettings(cmd *cobra.Command, command string) {
	for _, s := range settingsOf(command) {
		usage := fmt.Sprintf("%s [$%s]", s.usage, envName(s.name))
		switch value := s.defaultFor(command).(type) {
		case string:
			cmd.Flags().String(s.name, value, usage)
		case int:
			cmd.Flags().Int(s.name, value, usage)
		case bool:
			cmd.Flags().Bool(s.name, value, usage)
		case time.Duration:
			cmd.Flags().Duration(s.name, value, usage)
		}
	}
}
