package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/server/internal/cli/devdir"
)

// connection is how a client command reaches its server.
type connection struct {
	address string
	key     string
	tenant  string
	source  string // where address and key come from, for messages
}

// endpoint is one place that names a server: a profile, or the dev.env of `belfry dev`.
type endpoint struct {
	Address  string `mapstructure:"address"`
	APIKey   string `mapstructure:"api-key"`
	AdminKey string `mapstructure:"admin-key"`
	Tenant   string `mapstructure:"tenant"`
	source   string
}

// session is a client that knows where it comes from.
type session struct {
	*belfry.Client
	connection
}

// dial makes the client of a command. platform says that the command acts on tenants, for which a platform key is
// preferred.
func dial(cmd *cobra.Command, platform bool, options ...belfry.Option) (*session, error) {
	v, err := loadSettings(cmd, onClient)
	if err != nil {
		return nil, err
	}
	c, err := resolve(v, cmd.Flags().Changed("api-key"), platform)
	if err != nil {
		return nil, err
	}
	retries := belfry.Retries{Delays: []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond}}
	client, err := belfry.NewClient(c.address, c.key, append(options, belfry.WithRetries(retries))...)
	if err != nil {
		return nil, usageError{err}
	}
	return &session{client, c}, nil
}

// resolve finds address and key. A key of a profile or of dev.env goes to the address that stands beside it and to no
// other, unless the profile was asked for by name.
func resolve(v *viper.Viper, keyByFlag, platform bool) (connection, error) {
	base, err := baseEndpoint(v)
	if err != nil {
		return connection{}, err
	}
	c := connection{address: v.GetString("address"), tenant: v.GetString("tenant"), source: "flags and environment"}
	asked := v.GetString("profile") != ""
	if c.address == "" {
		c.address, c.source = base.Address, base.source
	}
	if c.address != base.Address && !asked {
		base = endpoint{}
	}
	if c.address == "" {
		return connection{}, hintedError{errors.New("no server is configured, and no `belfry dev` has been started on this machine"),
			"start one with `belfry dev`, or name one with --address and --api-key, $BELFRY_ADDRESS and $BELFRY_API_KEY, or a profile"}
	}
	c.tenant = cmp.Or(c.tenant, base.Tenant)
	own := cmp.Or(v.GetString("api-key"), base.APIKey)
	admin := cmp.Or(v.GetString("admin-key"), base.AdminKey)
	switch {
	case keyByFlag:
		c.key = own
	case platform || c.tenant != "":
		c.key = cmp.Or(admin, own)
	default:
		c.key = cmp.Or(own, admin)
	}
	if c.key == "" {
		return connection{}, usage("no API key for %s: give it with --api-key or $BELFRY_API_KEY, or put it into a profile", c.address)
	}
	return c, nil
}

// baseEndpoint is the profile in force, else what `belfry dev` left, else nothing.
func baseEndpoint(v *viper.Viper) (endpoint, error) {
	name := v.GetString("profile")
	file, given := v.GetString("profiles"), true
	if file == "" {
		file, given = defaultProfiles(os.Getenv), false
	}
	found, err := readProfile(file, name)
	switch {
	case err == nil && found.source != "":
		return found, nil
	case err != nil && (given || name != "" || !errors.Is(err, fs.ErrNotExist)):
		return endpoint{}, usageError{err}
	}
	dir := cmp.Or(v.GetString("data-dir"), devdir.Default(os.Getenv, os.Geteuid()))
	env, err := devdir.ReadEnv(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return endpoint{}, nil
	}
	if err != nil {
		return endpoint{}, err
	}
	return endpoint{Address: env.Address, APIKey: env.APIKey, AdminKey: env.AdminKey, source: "`belfry dev` in " + dir}, nil
}

func defaultProfiles(getenv func(string) string) string {
	config := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = filepath.Join(getenv("HOME"), ".config")
	}
	return filepath.Join(config, "belfry", "config.yaml")
}

// readProfile returns the named profile of a file, or its default if name is empty; the zero endpoint if it has none.
func readProfile(file, name string) (endpoint, error) {
	if _, err := os.Stat(file); err != nil {
		return endpoint{}, fmt.Errorf("read profiles: %w", err)
	}
	// Names of profiles may contain the dots that viper otherwise takes as a path.
	v := viper.NewWithOptions(viper.KeyDelimiter("\x00"))
	v.SetConfigFile(file)
	if err := v.ReadInConfig(); err != nil {
		return endpoint{}, fmt.Errorf("read profiles of %s: %w", file, err)
	}
	var all struct {
		Profile  string              `mapstructure:"profile"`
		Profiles map[string]endpoint `mapstructure:"profiles"`
	}
	if err := v.UnmarshalExact(&all); err != nil {
		return endpoint{}, fmt.Errorf("read profiles of %s: %w", file, err)
	}
	name = cmp.Or(name, all.Profile)
	if name == "" {
		return endpoint{}, nil
	}
	// viper reads all keys in lower case.
	found, ok := all.Profiles[strings.ToLower(name)]
	if !ok {
		return endpoint{}, fmt.Errorf("%s has no profile %q", file, name)
	}
	if found.Address == "" {
		return endpoint{}, fmt.Errorf("profile %q of %s has no address", name, file)
	}
	found.source = fmt.Sprintf("profile %q of %s", name, file)
	return found, nil
}

// explain adds to the error of a call what only the client knows: whom it called, with what.
func (s *session) explain(err error) error {
	switch belfry.CodeOf(err) {
	case belfry.CodeUnavailable:
		if belfry.ReasonOf(err) != "" {
			return err
		}
		hint := fmt.Sprintf("no server answers at %s (from %s): start it, or name another with --address", s.address, s.source)
		if strings.HasPrefix(s.source, "`belfry dev`") {
			hint = fmt.Sprintf("nothing answers at %s, where `belfry dev` ran last: start it again, or name another server with --address", s.address)
		}
		return hintedError{err, hint}
	case belfry.CodeUnauthenticated:
		return hintedError{err, fmt.Sprintf("the key for %s came from %s; give another with --api-key or $BELFRY_API_KEY", s.address, s.source)}
	case belfry.CodePermissionDenied:
		return hintedError{err, "operators' commands need a platform key: --admin-key or $BELFRY_ADMIN_KEY"}
	}
	return err
}
