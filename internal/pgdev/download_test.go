//go:build unix

package pgdev

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

const fakeVersion = "98.7.0"

// jar returns a jar as the repository publishes it, with these tar entries.
func jar(t *testing.T, entries ...tar.Header) []byte {
	t.Helper()
	script := []byte("#!/bin/sh\necho 'postgres (PostgreSQL) 98.7'\n")
	var packed bytes.Buffer
	compressed, err := xz.NewWriter(&packed)
	noError(t, err)
	files := tar.NewWriter(compressed)
	for _, header := range entries {
		if header.Typeflag == tar.TypeReg {
			header.Size = int64(len(script))
		}
		noError(t, files.WriteHeader(&header))
		if header.Typeflag == tar.TypeReg {
			_, err := files.Write(script)
			noError(t, err)
		}
	}
	noError(t, files.Close())
	noError(t, compressed.Close())

	var whole bytes.Buffer
	archive := zip.NewWriter(&whole)
	entry, err := archive.Create("postgres-linux-x86_64.txz")
	noError(t, err)
	_, err = entry.Write(packed.Bytes())
	noError(t, err)
	noError(t, archive.Close())
	return whole.Bytes()
}

func serverJar(t *testing.T) []byte {
	t.Helper()
	return jar(t,
		tar.Header{Typeflag: tar.TypeDir, Name: "bin/", Mode: 0o755},
		tar.Header{Typeflag: tar.TypeReg, Name: "bin/postgres", Mode: 0o755},
		tar.Header{Typeflag: tar.TypeReg, Name: "./bin/initdb", Mode: 0o755},
		tar.Header{Typeflag: tar.TypeReg, Name: "lib/libpq.so.5.17", Mode: 0o644},
		tar.Header{Typeflag: tar.TypeSymlink, Name: "lib/libpq.so.5", Linkname: "libpq.so.5.17"},
	)
}

// repository serves files by the last part of their path.
func repository(t *testing.T, files map[string][]byte) Options {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[filepath.Base(r.URL.Path)]
		if !ok || !strings.HasPrefix(r.URL.Path, "/maven/io/zonky/test/postgres/embedded-postgres-binaries-"+mavenPlatform()+"/"+fakeVersion+"/") {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return Options{DataDir: filepath.Join(openDir(t), "pg"), Repository: server.URL + "/maven/", DownloadVersion: fakeVersion}
}

func jarName() string {
	return "embedded-postgres-binaries-" + mavenPlatform() + "-" + fakeVersion + ".jar"
}

func TestDownload_UnpacksAServerThatIsThenFound(t *testing.T) {
	t.Parallel()
	content := serverJar(t)
	sum := sha256.Sum256(content)
	for name, files := range map[string]map[string][]byte{
		"with a sum": {jarName(): content, jarName() + ".sha256": []byte(hex.EncodeToString(sum[:]) + "  " + jarName() + "\n")},
		"without":    {jarName(): content},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts, err := repository(t, files).withDefaults()
			noError(t, err)
			got, err := download(t.Context(), opts)
			noError(t, err)
			bin := filepath.Join(layout(opts.DataDir).binaries(), fakeVersion, "bin")
			if want := (Binaries{Dir: bin, Version: "98.7", Major: 98}); got != want {
				t.Errorf("download = %+v, want %+v", got, want)
			}
			if link, err := os.Readlink(filepath.Join(bin, "../lib/libpq.so.5")); err != nil || link != "libpq.so.5.17" {
				t.Errorf("symbolic link = %q, %v", link, err)
			}
			left, err := filepath.Glob(filepath.Join(layout(opts.DataDir).binaries(), "*.tmp"))
			noError(t, err)
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if found := newestFirst(layout(opts.DataDir).binaries(), "*/bin"); len(found) != 1 || found[0] != bin {
				t.Errorf("found = %v, want %s", found, bin)
			}
		})
	}
}

func TestDownload_RefusesWhatIsNotTheServer(t *testing.T) {
	t.Parallel()
	zeros := []byte(strings.Repeat("0", 64))
	for name, test := range map[string]struct {
		files map[string][]byte
		says  string
	}{
		"wrong sum":      {map[string][]byte{jarName(): serverJar(t), jarName() + ".sha256": zeros}, "expected 0000"},
		"no sum at all":  {map[string][]byte{jarName(): serverJar(t), jarName() + ".sha256": []byte("<html>")}, "is not a SHA-256 sum"},
		"not a zip file": {map[string][]byte{jarName(): []byte("hello")}, "read zip file"},
		"no such file":   {nil, errNoSuchFile.Error()},
		"outside path":   {map[string][]byte{jarName(): jar(t, tar.Header{Typeflag: tar.TypeReg, Name: "../evil", Mode: 0o755})}, "escapes"},
		"outside link": {map[string][]byte{jarName(): jar(t,
			tar.Header{Typeflag: tar.TypeSymlink, Name: "out", Linkname: "../../.."},
			tar.Header{Typeflag: tar.TypeReg, Name: "out/evil", Mode: 0o755})}, "write out/evil"},
		"a device": {map[string][]byte{jarName(): jar(t, tar.Header{Typeflag: tar.TypeChar, Name: "null"})}, "unexpected type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts, err := repository(t, test.files).withDefaults()
			noError(t, err)
			_, err = download(t.Context(), opts)
			wantMessage(t, err, test.says)
			entries, err := os.ReadDir(layout(opts.DataDir).binaries())
			noError(t, err)
			if len(entries) > 0 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

func TestFind_DownloadsOnlyIfAllowedAndOfTheRightVersion(t *testing.T) {
	t.Parallel()
	opts := repository(t, map[string][]byte{jarName(): serverJar(t)})
	// No server of this version is installed anywhere.
	noError(t, os.MkdirAll(opts.DataDir, 0o755))
	writeFile(t, layout(opts.DataDir).lockFile(), "")
	writeFile(t, filepath.Join(layout(opts.DataDir).pgdata(), "PG_VERSION"), "98\n")
	if _, err := Find(t.Context(), opts); err == nil {
		t.Fatal("Find downloaded without leave")
	}
	opts.Download = true
	got, err := Find(t.Context(), opts)
	noError(t, err)
	if got.Version != "98.7" {
		t.Errorf("Find = %+v", got)
	}
	writeFile(t, filepath.Join(layout(opts.DataDir).pgdata(), "PG_VERSION"), "96\n")
	if _, err := Find(t.Context(), opts); !errors.Is(err, ErrVersion) {
		t.Errorf("Find = %v, want ErrVersion", err)
	}
}
