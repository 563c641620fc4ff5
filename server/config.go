package server

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/belfryhq/belfry/internal/clock"
)

// Config is everything one server needs to know. Defaults fills it; Validate reports all faults at once. The tags are the
// names of flags, of settings in the file, and, with BELFRY_ before them and in capitals, of environment variables.
type Config struct {
	DatabaseURL string `mapstructure:"database-url"` // postgres://user:password@host:5432/name; required
	Pooler      string `mapstructure:"database-pooler"`
	HotConns    int    `mapstructure:"database-hot-conns"`
	ReadConns   int    `mapstructure:"database-read-conns"`

	Listen    string `mapstructure:"listen"`     // API: Connect, gRPC, gRPC-Web on one port
	OpsListen string `mapstructure:"ops-listen"` // metrics, pprof, health; empty: none
	TLSCert   string `mapstructure:"tls-cert"`
	TLSKey    string `mapstructure:"tls-key"`

	Node          string        `mapstructure:"node"`           // name of this server; empty: host name and a random part
	OwnershipTTL  time.Duration `mapstructure:"ownership-ttl"`  // how long a dead server's partitions wait for another
	LoadInterval  time.Duration `mapstructure:"load-interval"`  // how often the near future is read
	ShutdownGrace time.Duration `mapstructure:"shutdown-grace"` // how long calls in flight may take to end
	AllowUnsafe   bool          `mapstructure:"allow-unsafe-database"`

	Log   *slog.Logger `mapstructure:"-"`
	Clock clock.Clock  `mapstructure:"-"`
	// DropHints makes the engine ignore hints: tests prove with it that hints only save time.
	DropHints bool `mapstructure:"-"`
}

// Poolers that may sit between Belfry and PostgreSQL.
const (
	PoolerNone        = "none"
	PoolerTransaction = "transaction"
)

// Defaults returns the configuration of a server about which nothing is said but its database.
func Defaults() Config {
	return Config{
		Pooler:        PoolerNone,
		HotConns:      6,
		ReadConns:     8,
		Listen:        ":7070",
		OpsListen:     "127.0.0.1:7071",
		OwnershipTTL:  6 * time.Second,
		LoadInterval:  2 * time.Second,
		ShutdownGrace: 15 * time.Second,
		Log:           slog.Default(),
		Clock:         clock.Real(),
	}
}

// Validate reports every setting that cannot work, each with its name and what to do.
func (c Config) Validate() error {
	var faults []error
	bad := func(name, format string, args ...any) {
		faults = append(faults, fmt.Errorf("--%s: %s", name, fmt.Sprintf(format, args...)))
	}
	if c.DatabaseURL == "" {
		bad("database-url", "is required; set it to postgres://user:password@host:5432/name, or run `belfry dev`")
	}
	if c.Pooler != PoolerNone && c.Pooler != PoolerTransaction {
		bad("database-pooler", "%q is neither %q nor %q", c.Pooler, PoolerNone, PoolerTransaction)
	}
	if c.HotConns < 2 || c.HotConns > 100 {
		bad("database-hot-conns", "%d is not within 2–100", c.HotConns)
	}
	if c.ReadConns < 2 || c.ReadConns > 500 {
		bad("database-read-conns", "%d is not within 2–500", c.ReadConns)
	}
	if c.Listen == "" {
		bad("listen", "is empty; set it to host:port, e.g. :7070")
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		bad("tls-cert", "and --tls-key go together; set both or neither")
	}
	if c.OwnershipTTL < time.Second || c.OwnershipTTL > time.Minute {
		bad("ownership-ttl", "%s is not within 1s–1m", c.OwnershipTTL)
	}
	if c.LoadInterval < 100*time.Millisecond || c.LoadInterval > 10*time.Second {
		bad("load-interval", "%s is not within 100ms–10s", c.LoadInterval)
	}
	if c.ShutdownGrace < 0 || c.ShutdownGrace > 10*time.Minute {
		bad("shutdown-grace", "%s is not within 0s–10m", c.ShutdownGrace)
	}
	return errors.Join(faults...)
}
