//go:build unix

package devdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpen_SecondTime_NamesTheHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "dev")
	first, err := Open(path)
	noError(t, err)
	_, err = Open(path)
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "--data-dir") || !strings.Contains(err.Error(), path) {
		t.Errorf("second Open: %v, want ErrInUse that names the directory and --data-dir", err)
	}
	first.Close()
	second, err := Open(path)
	noError(t, err)
	second.Close()
}

func TestEnv_IsPrivateAndReadsBack(t *testing.T) {
	t.Parallel()
	dir, err := Open(filepath.Join(t.TempDir(), "dev"))
	noError(t, err)
	defer dir.Close()
	if _, err := ReadEnv(dir.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadEnv without dev.env: %v, want fs.ErrNotExist", err)
	}
	want := Env{Address: "127.0.0.1:7070", APIKey: "bfy_a", AdminKey: "bfy_b"}
	noError(t, dir.WriteEnv(Env{Address: "old"}))
	noError(t, dir.WriteEnv(want))
	got, err := ReadEnv(dir.Path())
	noError(t, err)
	if got != want {
		t.Errorf("ReadEnv = %+v, want %+v", got, want)
	}
	info, err := os.Stat(dir.EnvFile())
	noError(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("dev.env has mode %v, want 0600", info.Mode().Perm())
	}
}

func TestReadEnv_OfWhatOthersCanWrite_IsRefused(t *testing.T) {
	t.Parallel()
	dir, err := Open(filepath.Join(t.TempDir(), "dev"))
	noError(t, err)
	defer dir.Close()
	noError(t, dir.WriteEnv(Env{Address: "x"}))
	noError(t, os.Chmod(dir.EnvFile(), 0o666))
	if _, err := ReadEnv(dir.Path()); err == nil {
		t.Error("a file that everybody can write is read")
	}
	noError(t, os.Chmod(dir.EnvFile(), 0o600))
	noError(t, os.Chmod(dir.Path(), 0o777))
	if _, err := ReadEnv(dir.Path()); err == nil {
		t.Error("a file in a directory that everybody can write is read")
	}
	if _, err := Open(dir.Path()); err == nil || !strings.Contains(err.Error(), "--data-dir") {
		t.Errorf("Open of a directory that everybody can write: %v", err)
	}
}

func TestDefault(t *testing.T) {
	t.Parallel()
	root, err := os.MkdirTemp("", "belfry-devdir-")
	noError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	noError(t, os.Chmod(root, 0o755))
	closed := filepath.Join(root, "closed")
	noError(t, os.Mkdir(closed, 0o700))
	open := filepath.Join(root, "open")
	noError(t, os.Mkdir(open, 0o755))
	tests := []struct {
		name string
		env  map[string]string
		uid  int
		want string
	}{
		{"home", map[string]string{"HOME": closed}, 1000, filepath.Join(closed, ".local/share/belfry/dev")},
		{"data home", map[string]string{"HOME": closed, "XDG_DATA_HOME": open}, 1000, filepath.Join(open, "belfry/dev")},
		{"relative data home", map[string]string{"HOME": closed, "XDG_DATA_HOME": "x"}, 1000, filepath.Join(closed, ".local/share/belfry/dev")},
		{"no home", nil, 1000, "/var/tmp/belfry-dev-1000"},
		{"home that is not there", map[string]string{"HOME": "/no-home"}, 1000, "/var/tmp/belfry-dev-1000"},
		{"root, open home", map[string]string{"HOME": open}, 0, filepath.Join(open, ".local/share/belfry/dev")},
		{"root, closed home", map[string]string{"HOME": closed}, 0, "/var/tmp/belfry-dev-0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Default(func(name string) string { return test.env[name] }, test.uid); got != test.want {
				t.Errorf("Default = %s, want %s", got, test.want)
			}
		})
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
