//go:build unix

package pgdev

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fakeServer makes a directory that looks like an installed server.
func fakeServer(t *testing.T, dir, version string) {
	t.Helper()
	script := "#!/bin/sh\necho 'postgres (PostgreSQL) " + version + "'\n"
	for _, name := range []string{"postgres", "initdb"} {
		writeFile(t, filepath.Join(dir, name), script)
		noError(t, os.Chmod(filepath.Join(dir, name), 0o755))
	}
}

func TestFind_TakesTheDirectoryGivenAndNoOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fakeServer(t, dir, "16.4 (Some 16.4-1)")
	got, err := Find(t.Context(), Options{DataDir: t.TempDir(), BinDir: dir})
	noError(t, err)
	if want := (Binaries{Dir: dir, Version: "16.4", Major: 16}); got != want {
		t.Errorf("Find = %+v, want %+v", got, want)
	}

	_, err = Find(t.Context(), Options{DataDir: t.TempDir(), BinDir: t.TempDir()})
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("Find = %v, want ErrNotFound", err)
	}
	wantMessage(t, err, "--database-url", "apt-get install postgresql")
}

func TestFind_RefusesServersThatAreTooOld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fakeServer(t, dir, "9.6.24")
	_, err := Find(t.Context(), Options{DataDir: t.TempDir(), BinDir: dir})
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("Find = %v, want ErrNotFound", err)
	}
	wantMessage(t, err, "PostgreSQL 14 or newer", "9.6.24")
}

func TestFind_WithCluster_TakesAServerOfItsVersion(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	l := layout(data)
	writeFile(t, filepath.Join(l.pgdata(), "PG_VERSION"), "97\n")
	fakeServer(t, filepath.Join(l.binaries(), "98.1", "bin"), "98.1")
	fakeServer(t, filepath.Join(l.binaries(), "97.2", "bin"), "97.2")
	fakeServer(t, filepath.Join(l.binaries(), "97.10", "native", "bin"), "97.10")
	got, err := Find(t.Context(), Options{DataDir: data})
	noError(t, err)
	if got.Version != "97.2" {
		t.Errorf("Find = %+v, want version 97.2", got)
	}
}

func TestNewestFirst_ComparesNumbers(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "odd [name")
	for _, version := range []string{"9.6", "15.4", "15.13", "18"} {
		noError(t, os.MkdirAll(filepath.Join(root, version, "bin"), 0o755))
	}
	var want []string
	for _, version := range []string{"18", "15.13", "15.4", "9.6"} {
		want = append(want, filepath.Join(root, version, "bin"))
	}
	if got := newestFirst(root, "*/bin"); !slices.Equal(got, want) {
		t.Errorf("newestFirst = %v, want %v", got, want)
	}
}
