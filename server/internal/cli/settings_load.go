package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"github.com/belfryhq/belfry/server"
)

// loadSettings returns the values of a command's settings: flags before the environment before the file before defaults.
func loadSettings(cmd *cobra.Command, command string) (*viper.Viper, error) {
	v := viper.New()
	hasFile := false
	for _, s := range settingsOf(command) {
		if err := v.BindPFlag(s.name, cmd.Flags().Lookup(s.name)); err != nil {
			return nil, fmt.Errorf("BUG: bind setting %s: %w", s.name, err)
		}
		if err := v.BindEnv(s.name, envName(s.name)); err != nil {
			return nil, fmt.Errorf("BUG: bind setting %s: %w", s.name, err)
		}
		hasFile = hasFile || s.name == "config"
	}
	if hasFile && v.GetString("config") != "" {
		if err := mergeFile(v, v.GetString("config")); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// mergeFile reads a file of settings. A misspelt key would silently leave a setting at its default, so it is refused.
func mergeFile(v *viper.Viper, name string) error {
	file := viper.New()
	file.SetConfigFile(name)
	if err := file.ReadInConfig(); err != nil {
		return usage("read settings of %s: %w", name, err)
	}
	known := slices.DeleteFunc(settings(), func(s setting) bool { return s.noFile })
	for _, key := range file.AllKeys() {
		if !slices.ContainsFunc(known, func(s setting) bool { return s.name == key }) {
			return usage("%s: there is no setting %q; docs/settings.md and the command's --help list them", name, key)
		}
	}
	if err := v.MergeConfigMap(file.AllSettings()); err != nil {
		return usage("read settings of %s: %w", name, err)
	}
	return nil
}

// serverConfig makes the configuration of a server from a command's settings.
func (p *Program) serverConfig(v *viper.Viper) (server.Config, error) {
	cfg := server.Defaults()
	if err := v.Unmarshal(&cfg); err != nil {
		return cfg, usage("settings: %w", err)
	}
	log, err := newLogger(v, p.Err)
	cfg.Log, cfg.Clock = log, p.Clock
	return cfg, err
}

// newLogger writes to w as the settings log-level and log-format say.
func newLogger(v *viper.Viper, w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(v.GetString("log-level"))); err != nil {
		return nil, usage("--log-level: %q is none of debug, info, warn and error", v.GetString("log-level"))
	}
	options := &slog.HandlerOptions{Level: level}
	switch format := v.GetString("log-format"); format {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	default:
		return nil, usage("--log-format: %q is neither text nor json", format)
	}
}

// forced derives a context that also ends when the user does not want to wait any more.
func (p *Program) forced(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if p.Forced != nil {
		go func() {
			select {
			case <-p.Forced:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	return ctx, cancel
}
