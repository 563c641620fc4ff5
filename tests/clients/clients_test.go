package clients_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m, 4)) }

func TestPython_OverGRPC_TakesAJobThroughItsLife(t *testing.T) {
	t.Parallel()
	need(t, "python3", "apt-get install python3 python3-venv")
	sources := directory(t, "python")
	root := repository(t)
	venv := install(t, "python-"+digest(t, filepath.Join(sources, "requirements.txt")), func(dir string) {
		run(t, "", "python3", "-m", "venv", "--clear", dir)
		run(t, "", filepath.Join(dir, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check",
			"-r", filepath.Join(sources, "requirements.txt"))
	})
	program(t, []string{"PYTHONPATH=" + filepath.Join(root, "gen", "python"), "PYTHONDONTWRITEBYTECODE=1"},
		filepath.Join(venv, "bin", "python"), filepath.Join(sources, "main.py"))
}

func TestTypeScript_OverConnect_TakesAJobThroughItsLife(t *testing.T) {
	t.Parallel()
	need(t, "node", "install Node.js 20 or later with npm, e.g. from https://nodejs.org")
	need(t, "npm", "install Node.js 20 or later with npm, e.g. from https://nodejs.org")
	sources := directory(t, "ts")
	generated := filepath.Join(repository(t), "gen", "ts")
	lock := filepath.Join(sources, "package-lock.json")
	modules := install(t, "npm-"+digest(t, lock), func(dir string) {
		copyTo(t, dir, filepath.Join(sources, "package.json"), lock)
		run(t, dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	})
	// The compiler also checks the types of the generated code.
	built := install(t, "ts-"+digest(t, sources, generated), func(dir string) {
		copyTo(t, dir, sources, generated+"=gen")
		if err := os.Symlink(filepath.Join(modules, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
		run(t, dir, filepath.Join("node_modules", ".bin", "tsc"), "-p", ".")
	})
	for _, format := range []string{"json", "binary"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			program(t, []string{"BELFRY_FORMAT=" + format}, "node", filepath.Join(built, "dist", "main.js"))
		})
	}
}

// program runs a client for a tenant of its own and checks that the job it names has succeeded.
func program(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	world := harness.Shared(t)
	tenant := world.NewTenant(t)
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Env = append(cmd.Env, "BELFRY_ADDRESS="+world.Node.Addr, "BELFRY_API_KEY="+tenant.Key, "BELFRY_QUEUE=greetings")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	id := strings.TrimSpace(string(out))
	job, err := tenant.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("the program printed %q: %v", id, err)
	}
	if job.State != belfry.StateSucceeded || job.Attempt != 1 {
		t.Errorf("job %s is %s after %d attempts", id, job.State, job.Attempt)
	}
}

// need fails the test, and says what to do, if the machine lacks a program.
func need(t *testing.T, name, advice string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("this test needs %s: %s", name, advice)
	}
}

// install returns a directory below .tmp/clients that fill has filled, now or in an earlier run.
func install(t *testing.T, name string, fill func(dir string)) string {
	t.Helper()
	cache := filepath.Join(repository(t), ".tmp", "clients")
	release, err := harness.Lock(filepath.Join(cache, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	dir := filepath.Join(cache, name)
	done := filepath.Join(dir, ".done")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	// Filled in place: an environment of Python cannot be moved.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fill(dir)
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// digest returns a name for the contents of files and directories.
func digest(t *testing.T, paths ...string) string {
	t.Helper()
	hash := sha256.New()
	for _, path := range paths {
		for _, file := range files(t, path) {
			text, err := os.ReadFile(filepath.Join(path, file))
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(text)
			hash.Write([]byte(file))
			hash.Write(sum[:])
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16]
}

// files lists the files of a directory, relative to it; of a file, "".
func files(t *testing.T, path string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "node_modules":
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		relative, err := filepath.Rel(path, name)
		found = append(found, strings.TrimPrefix(relative, "."))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// copyTo copies files, and the contents of directories, into dir; "path=name" goes into a directory of that name there.
func copyTo(t *testing.T, dir string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		path, sub, _ := strings.Cut(path, "=")
		for _, file := range files(t, path) {
			text, err := os.ReadFile(filepath.Join(path, file))
			if err != nil {
				t.Fatal(err)
			}
			if file == "" {
				file = filepath.Base(path)
			}
			target := filepath.Join(dir, sub, file)
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(target, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func directory(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := harness.Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}
