package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server"
)

func (p *Program) keyCommand() *cobra.Command {
	return group("key", "Make, list and revoke API keys", keyCreate(), keyList(), keyRevoke())
}

const scopePrefix = "API_KEY_SCOPE_"

var keyColumns = []column[*v1.ApiKey]{
	{"KEY", (*v1.ApiKey).GetKeyId},
	{"TENANT", func(k *v1.ApiKey) string {
		if k.GetTenantId() == "" {
			return "(platform)"
		}
		return k.GetTenantId()
	}},
	{"SCOPES", func(k *v1.ApiKey) string {
		var names []string
		for _, scope := range k.GetScopes() {
			names = append(names, strings.ToLower(enumText(scope, scopePrefix)))
		}
		return strings.Join(names, ",")
	}},
	{"NAME", (*v1.ApiKey).GetDisplayName},
	{"CREATED", func(k *v1.ApiKey) string { return timeText(k.GetCreateTime()) }},
	{"EXPIRES", func(k *v1.ApiKey) string { return timeText(k.GetExpireTime()) }},
	{"REVOKED", func(k *v1.ApiKey) string { return timeText(k.GetRevokeTime()) }},
}

// keyRequest is what the flags of `key create` say.
type keyRequest struct {
	ttl *span
}

func keyCreate() *cobra.Command {
	var request keyRequest
	c := call{
		use: "create", short: "Make an API key and print its secret, once",
		long: `Make an API key and print its secret. The secret cannot be had again.

Without --tenant or --platform the key is for the tenant of the key that the
command is run with. With --platform and --database-url a platform key is
written straight into a migrated database: so the first one is made.`,
		example: `  belfry key create --tenant acme --scope producer --display-name 'web shop'
  belfry key create --platform --database-url postgres://belfry@db.internal/belfry`,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().StringSlice("scope", nil, "what it may do: `admin`, producer, worker or reader; repeatable; default admin")
			cmd.Flags().String("display-name", "", "`name` for people")
			request.ttl = addSpan(cmd.Flags(), "ttl", "end of the key, from now: 1m to 10 years; default never")
			cmd.Flags().Bool("platform", false, "make a key of the platform, for operators")
			cmd.Flags().String("database-url", "", "with --platform: `database` to write to instead of calling a server")
		},
		run: request.create,
	}
	cmd := c.command()
	viaServer := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := atMostOne(cmd, "platform", "tenant"); err != nil {
			return err
		}
		if err := atMostOne(cmd, "platform", "scope"); err != nil {
			return err
		}
		if !cmd.Flags().Changed("database-url") {
			return viaServer(cmd, args)
		}
		if !boolFlag(cmd, "platform") {
			return usage("--database-url goes with --platform; keys of tenants are made by a server")
		}
		return request.write(cmd)
	}
	return cmd
}

// create asks the server for a key.
func (r *keyRequest) create(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
	request := &v1.CreateApiKeyRequest{TenantId: s.tenant, DisplayName: stringFlag(cmd, "display-name"), Ttl: r.ttl.Duration}
	if boolFlag(cmd, "platform") {
		request.TenantId = ""
	}
	names, err := cmd.Flags().GetStringSlice("scope")
	if err != nil {
		return err
	}
	for _, name := range names {
		value := v1.ApiKeyScope_value[scopePrefix+strings.ToUpper(name)]
		if value == 0 {
			return usage("--scope: %q is none of admin, producer, worker and reader", name)
		}
		request.Scopes = append(request.Scopes, v1.ApiKeyScope(value))
	}
	answered, err := s.Tenants().CreateApiKey(ctx, request)
	if err != nil {
		return err
	}
	columns := append([]column[*v1.ApiKey]{{"SECRET", func(*v1.ApiKey) string { return answered.GetSecret() }}}, keyColumns...)
	return answer(cmd, answered, columns, answered.GetApiKey())
}

// write puts a platform key into the database.
func (r *keyRequest) write(cmd *cobra.Command) error {
	key := server.NewPlatformKey{DisplayName: stringFlag(cmd, "display-name")}
	if r.ttl.Duration != nil {
		key.TTL = r.ttl.AsDuration()
	}
	secret, err := server.CreatePlatformKey(cmd.Context(), stringFlag(cmd, "database-url"), key)
	if err != nil {
		return fmt.Errorf("create platform key: %w", err)
	}
	answered := &v1.CreateApiKeyResponse{Secret: secret}
	return answer(cmd, answered, []column[*v1.CreateApiKeyResponse]{{"SECRET", (*v1.CreateApiKeyResponse).GetSecret}}, answered)
}

func keyList() *cobra.Command {
	return call{
		use: "list", short: "List API keys without their secrets, newest first",
		flags: func(cmd *cobra.Command) {
			cmd.Flags().Bool("platform", false, "list the keys of the platform")
			addLimit(cmd)
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			all, err := collect(cmd, func(size int32, token string) (page[*v1.ApiKey], error) {
				one, err := s.Tenants().ListApiKeys(ctx, &v1.ListApiKeysRequest{TenantId: keyTenant(cmd, s), PageSize: size, PageToken: token})
				return page[*v1.ApiKey]{one.GetApiKeys(), one.GetNextPageToken()}, err
			})
			if err != nil {
				return err
			}
			return answerList(cmd, &v1.ListApiKeysResponse{ApiKeys: all.items, NextPageToken: all.next}, keyColumns, all.items)
		},
	}.command()
}

func keyRevoke() *cobra.Command {
	return call{
		use: "revoke KEY_ID", short: "End an API key, on every server within 10 seconds", args: []string{"KEY_ID"},
		flags: func(cmd *cobra.Command) {
			cmd.Flags().Bool("platform", false, "the key is one of the platform")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Tenants().RevokeApiKey(ctx, &v1.RevokeApiKeyRequest{TenantId: keyTenant(cmd, s), KeyId: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetApiKey(), keyColumns, answered.GetApiKey())
		},
	}.command()
}

// keyTenant is whose keys a command is about; empty for the platform, and for the own tenant of a tenant key.
func keyTenant(cmd *cobra.Command, s *session) string {
	if boolFlag(cmd, "platform") {
		return ""
	}
	return s.tenant
}
