package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
)

// EnvBinary names the environment variable with the path of a belfry binary to test instead of building one.
const EnvBinary = "BELFRY_BIN"

// Nightly says whether tests may take minutes, as `make nightly` has them.
func Nightly() bool { return os.Getenv("BELFRY_NIGHTLY") != "" }

// Binary returns the path of the belfry binary: that of BELFRY_BIN, else one built from this tree. The processes of one
// test run build it one after the other, and all but the first find it up to date.
var Binary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(EnvBinary); path != "" {
		return filepath.Abs(path)
	}
	root, err := Root()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, ".tmp", "tests")
	release, err := Lock(filepath.Join(dir, "build.lock"))
	if err != nil {
		return "", err
	}
	defer release()
	args := []string{"build", "-trimpath"}
	path := filepath.Join(dir, "belfry")
	if raceEnabled && Nightly() {
		path += "-race"
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "-o", path, "./server/cmd/belfry")...)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build belfry: %w\n%s", err, out)
	}
	return path, nil
})

// Root returns the directory of the repository.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod above %s", dir)
		}
		dir = parent
	}
}

// Lock waits until no other process holds the lock of that file, and holds it until release is called or the process
// ends. It makes the file's directory.
func Lock(path string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("make directory of a lock: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = file.Close() }, nil
}
