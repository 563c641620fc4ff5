//go:build unix

package pgdev

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/belfryhq/belfry/internal/pgdev/proc"
)

// StartTemporary starts a server for tests: on a new data directory in the
// system's temporary directory, which Stop removes, copied from a template
// that all such servers of this user share, without fsync, small, and open to
// many connections. Options other than DataDir override that.
//
// Where the process ends without Stop, the directory stays until the next
// StartTemporary.
func StartTemporary(ctx context.Context, opts Options) (*Server, error) {
	sweepTemporary()
	dir, err := os.MkdirTemp("", temporaryPrefix)
	if err != nil {
		return nil, fmt.Errorf("create temporary data directory: %w", err)
	}
	opts.DataDir = dir
	opts.NoFsync = true
	opts.TemplateDir = cmp.Or(opts.TemplateDir,
		filepath.Join(os.TempDir(), fmt.Sprintf("belfry-pg-template-%d", os.Geteuid())))
	settings := map[string]string{
		"shared_buffers":  "64MB",
		"max_connections": "300",
		// A fresh directory of 16 MB segments per test would fill memory-backed
		// temporary directories.
		"max_wal_size": "256MB",
	}
	maps.Copy(settings, opts.Settings)
	opts.Settings = settings
	server, err := start(ctx, opts, true)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return server, nil
}

const temporaryPrefix = "belfry-pg-tmp-"

// sweepTemporary removes data directories whose process ended without Stop. It
// is best effort: what cannot be removed is left to the next one. A directory
// that has no server.pid yet is being set up and must be left alone.
func sweepTemporary() {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), temporaryPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		l := layout(dir)
		pid, err := firstLinePID(l.pidFile())
		if err != nil || pid == 0 || onlyOurs(dir) != nil || proc.WorksIn(pid, l.pgdata()) {
			continue
		}
		held, err := lock(l)
		if err != nil {
			continue
		}
		_ = os.RemoveAll(dir)
		held.release()
	}
}
