//go:build unix

package pgdev

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	// DefaultRepository is Maven Central, where the project zonkyio/
	// embedded-postgres-binaries publishes relocatable servers.
	DefaultRepository = "https://repo1.maven.org/maven2"

	// DefaultDownloadVersion is the server that Find downloads.
	DefaultDownloadVersion = "17.11.0"

	// maxDownload bounds what a repository can make us store, in bytes.
	maxDownload = 200 << 20
)

// pinnedSums are the SHA-256 sums of DefaultDownloadVersion, so that not even
// the repository has to be trusted.
var pinnedSums = map[string]string{
	"linux-amd64":        "0dd7b72b6f335b8ecfb355fa24c5781e8a93edd09880bb77eb52ebbf29b3e96d",
	"linux-arm64v8":      "8b042e0ea418b1927d95399207950da0734d27fe01e29503ade3bdc464ad4c2b",
	"linux-amd64-alpine": "ace9a6f95b1c98ce84c9841267cd04ebee5d7de5dc7b8fea148ead44f145afbd",
	"darwin-amd64":       "d464ff178e9860ba204662ac23fa547504b7fd392392ff2fb92e3fd73b5bdb64",
	"darwin-arm64v8":     "a1c2786acb0c398f9b2d76806fc52f5dc8b222cbc8e9383a9b9702084daaf3a5",
}

// download fetches and unpacks a server into the data directory.
func download(ctx context.Context, opts Options) (Binaries, error) {
	as, err := serverAccount()
	if err != nil {
		return Binaries{}, err
	}
	if err := claim(layout(opts.DataDir), as); err != nil {
		return Binaries{}, err
	}
	binaries := layout(opts.DataDir).binaries()
	if err := makeOpenDirs(binaries); err != nil {
		return Binaries{}, err
	}
	platform := mavenPlatform()
	jar := jarURL(opts.Repository, platform, opts.DownloadVersion)
	opts.Logger.Info("downloading PostgreSQL", "url", jar)

	archive, sum, err := fetchToFile(ctx, jar, binaries)
	if err != nil {
		return Binaries{}, err
	}
	defer os.Remove(archive)
	want, err := expectedSum(ctx, jar, platform, opts.DownloadVersion)
	if err != nil {
		return Binaries{}, err
	}
	if want != "" && sum != want {
		return Binaries{}, fmt.Errorf("%s has SHA-256 %s, expected %s", jar, sum, want)
	}

	target := filepath.Join(binaries, opts.DownloadVersion)
	unpacked, err := os.MkdirTemp(binaries, "unpack-*.tmp")
	if err != nil {
		return Binaries{}, err
	}
	defer os.RemoveAll(unpacked)
	if err := unpack(archive, unpacked); err != nil {
		return Binaries{}, fmt.Errorf("unpack %s: %w", jar, err)
	}
	if err := os.Chmod(unpacked, 0o755); err != nil {
		return Binaries{}, err
	}
	// What is there did not work, or it would have been found.
	if err := os.RemoveAll(target); err != nil {
		return Binaries{}, err
	}
	if err := os.Rename(unpacked, target); err != nil {
		return Binaries{}, err
	}
	return inspect(ctx, filepath.Join(target, "bin"))
}

func jarURL(repository, platform, version string) string {
	artifact := "embedded-postgres-binaries-" + platform
	return fmt.Sprintf("%s/io/zonky/test/postgres/%s/%s/%s-%s.jar",
		strings.TrimRight(repository, "/"), artifact, version, artifact, version)
}

// mavenPlatform names this platform the way the repository does.
func mavenPlatform() string {
	arch := runtime.GOARCH
	if arch == "arm64" {
		arch = "arm64v8"
	}
	platform := runtime.GOOS + "-" + arch
	if musl, _ := filepath.Glob("/lib/ld-musl-*"); len(musl) > 0 {
		platform += "-alpine"
	}
	return platform
}

// expectedSum returns the pinned sum or else the one the repository publishes
// beside the file, in hexadecimal; empty if there is none.
func expectedSum(ctx context.Context, jar, platform, version string) (string, error) {
	if sum := pinnedSums[platform]; sum != "" && version == DefaultDownloadVersion {
		return sum, nil
	}
	body, err := get(ctx, jar+".sha256")
	if errors.Is(err, errNoSuchFile) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, 1<<10))
	if err != nil {
		return "", fmt.Errorf("read %s.sha256: %w", jar, err)
	}
	// Some repositories append the file's name, as sha256sum does.
	fields := strings.Fields(string(text))
	if len(fields) == 0 || len(fields[0]) != hex.EncodedLen(sha256.Size) {
		return "", fmt.Errorf("%s.sha256 is not a SHA-256 sum", jar)
	}
	return strings.ToLower(fields[0]), nil
}

// fetchToFile stores url in a temporary file in dir and returns the file's
// name and its SHA-256 sum in hexadecimal.
func fetchToFile(ctx context.Context, url, dir string) (name, sum string, err error) {
	body, err := get(ctx, url)
	if err != nil {
		return "", "", err
	}
	defer body.Close()
	file, err := os.CreateTemp(dir, "download-*.tmp")
	if err != nil {
		return "", "", err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, hash), io.LimitReader(body, maxDownload+1))
	if err != nil {
		return "", "", fmt.Errorf("fetch %s: %w", url, err)
	}
	if n > maxDownload {
		return "", "", fmt.Errorf("%s is larger than %d MiB", url, maxDownload>>20)
	}
	return file.Name(), hex.EncodeToString(hash.Sum(nil)), nil
}

var errNoSuchFile = errors.New("no such file in the repository")

func get(ctx context.Context, url string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil
	}
	response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s: %w", url, errNoSuchFile)
	}
	return nil, fmt.Errorf("%s answered %s", url, response.Status)
}
