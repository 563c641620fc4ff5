//go:build unix

package devdir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Env is what dev.env says.
type Env struct {
	Address  string // host:port of the API
	APIKey   string // secret of a key of tenant dev
	AdminKey string // secret of a key of the platform
}

// variables of dev.env. Client commands read the same ones from the environment.
const (
	addressVariable  = "BELFRY_ADDRESS"
	apiKeyVariable   = "BELFRY_API_KEY"
	adminKeyVariable = "BELFRY_ADMIN_KEY"
)

func envFile(dir string) string { return filepath.Join(dir, "dev.env") }

// ReadEnv reads dev.env of a directory, whether a server runs there or not. fs.ErrNotExist if there is none.
func ReadEnv(dir string) (Env, error) {
	if err := ours(dir, othersCanWrite); err != nil {
		return Env{}, fmt.Errorf("read dev.env: %w", err)
	}
	name := envFile(dir)
	if err := ours(name, othersCanWrite); err != nil {
		return Env{}, fmt.Errorf("read dev.env: %w", err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return Env{}, fmt.Errorf("read dev.env: %w", err)
	}
	var e Env
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case addressVariable:
			e.Address = value
		case apiKeyVariable:
			e.APIKey = value
		case adminKeyVariable:
			e.AdminKey = value
		}
	}
	return e, nil
}

// WriteEnv replaces dev.env.
func (d *Dir) WriteEnv(e Env) error {
	text := fmt.Sprintf("# Written by `belfry dev`. Load it with:  set -a; . %s; set +a\n%s=%s\n%s=%s\n%s=%s\n", d.EnvFile(),
		addressVariable, e.Address, apiKeyVariable, e.APIKey, adminKeyVariable, e.AdminKey)
	file, err := os.CreateTemp(d.path, "dev.env.*") // mode 0600
	if err != nil {
		return fmt.Errorf("write dev.env: %w", err)
	}
	defer os.Remove(file.Name()) // gone after the rename
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(file.Name(), d.EnvFile())
	}
	if err != nil {
		return fmt.Errorf("write dev.env: %w", err)
	}
	return nil
}
