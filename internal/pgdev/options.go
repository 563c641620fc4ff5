//go:build unix

package pgdev

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"time"
)

// Options of Find and Start. Only DataDir is required.
type Options struct {
	// DataDir is the directory for pgdev alone. Start creates it. As root it
	// must not be below a directory that other users cannot traverse.
	DataDir string

	// BinDir is a directory with postgres and initdb; no other is looked at
	// then.
	BinDir string

	// Download allows Find to fetch a server when this machine has none.
	Download bool
	// Repository is the base URL of the Maven repository to download from;
	// DefaultRepository if empty.
	Repository string
	// DownloadVersion is the version to download; DefaultDownloadVersion if
	// empty.
	DownloadVersion string

	// Port to listen on; 0 picks a free one, which the Server then keeps.
	Port int
	// Settings overrides server settings, except for where it listens.
	Settings map[string]string
	// NoFsync trades durability for speed: an operating system crash may
	// destroy the cluster. For tests only.
	NoFsync bool
	// TemplateDir caches freshly initialised clusters, to be copied instead of
	// running initdb (about 0.1 s instead of 2 s). Copies share their system
	// identifier and password and are not flushed to disk. For tests only.
	TemplateDir string

	// StartTimeout bounds initdb, and each start up to the first connection;
	// 60 s if zero, to leave time for crash recovery.
	StartTimeout time.Duration
	// StopTimeout bounds an orderly stop, after which the server is ended with
	// less ceremony; 30 s if zero.
	StopTimeout time.Duration

	// Logger hears of repairs, downloads and starts; nil discards.
	Logger *slog.Logger
}

const (
	// superuser is the one role of a fresh cluster.
	superuser = "postgres"

	// oldestMajor is the oldest PostgreSQL that Belfry supports.
	oldestMajor = 14
)

func (o Options) withDefaults() (Options, error) {
	if o.DataDir == "" {
		return o, errors.New("pgdev: no data directory given")
	}
	dir, err := filepath.Abs(o.DataDir)
	if err != nil {
		return o, fmt.Errorf("resolve data directory: %w", err)
	}
	o.DataDir = dir
	if o.Port < 0 || o.Port > 65535 {
		return o, fmt.Errorf("port %d is outside 0 to 65535", o.Port)
	}
	o.Repository = cmp.Or(o.Repository, DefaultRepository)
	o.DownloadVersion = cmp.Or(o.DownloadVersion, DefaultDownloadVersion)
	o.StartTimeout = cmp.Or(o.StartTimeout, time.Minute)
	o.StopTimeout = cmp.Or(o.StopTimeout, 30*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// settings returns the server settings but for where it listens.
func (o Options) settings() map[string]string {
	set := map[string]string{
		"shared_buffers":      "512MB",
		"max_connections":     "100",
		"max_wal_size":        "2GB",
		"autovacuum_naptime":  "5s",
		"password_encryption": "scram-sha-256",
		"timezone":            "UTC",
		"log_timezone":        "UTC",
		// A client that connects and says nothing holds up a fast shutdown for
		// this long; the server's own default is a minute.
		"authentication_timeout": "10s",
	}
	if o.NoFsync {
		set["fsync"] = "off"
		set["full_page_writes"] = "off"
	}
	maps.Copy(set, o.Settings)
	return set
}
