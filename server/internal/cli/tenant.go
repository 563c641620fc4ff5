package cli

import (
	"context"

	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func (p *Program) tenantCommand() *cobra.Command {
	return group("tenant", "Provision tenants (operators)", tenantCreate(), tenantGet(), tenantList())
}

var tenantColumns = []column[*v1.Tenant]{
	{"TENANT", (*v1.Tenant).GetTenantId},
	{"NAME", (*v1.Tenant).GetDisplayName},
	{"AUTO-CREATE-QUEUES", func(t *v1.Tenant) string { return yes(t.GetAutoCreateQueues()) }},
	{"CREATED", func(t *v1.Tenant) string { return timeText(t.GetCreateTime()) }},
}

func tenantCreate() *cobra.Command {
	return call{
		use: "create TENANT", short: "Create a tenant", args: []string{"TENANT"}, platform: true,
		long:    "Create a tenant. Next make a key for it: belfry key create --tenant TENANT",
		example: "  belfry tenant create acme --display-name 'Acme Inc.'",
		flags: func(cmd *cobra.Command) {
			cmd.Flags().String("display-name", "", "`name` for people")
			cmd.Flags().Bool("auto-create-queues", false, "a job for an unknown queue makes the queue")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Tenants().CreateTenant(ctx, &v1.CreateTenantRequest{Tenant: &v1.Tenant{
				TenantId: args[0], DisplayName: stringFlag(cmd, "display-name"), AutoCreateQueues: boolFlag(cmd, "auto-create-queues"),
			}})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetTenant(), tenantColumns, answered.GetTenant())
		},
	}.command()
}

func tenantGet() *cobra.Command {
	return call{
		use: "get TENANT", short: "Show a tenant", args: []string{"TENANT"}, platform: true,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Tenants().GetTenant(ctx, &v1.GetTenantRequest{TenantId: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetTenant(), tenantColumns, answered.GetTenant())
		},
	}.command()
}

func tenantList() *cobra.Command {
	return call{
		use: "list", short: "List tenants by name", platform: true, flags: addLimit,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			all, err := collect(cmd, func(size int32, token string) (page[*v1.Tenant], error) {
				one, err := s.Tenants().ListTenants(ctx, &v1.ListTenantsRequest{PageSize: size, PageToken: token})
				return page[*v1.Tenant]{one.GetTenants(), one.GetNextPageToken()}, err
			})
			if err != nil {
				return err
			}
			return answerList(cmd, &v1.ListTenantsResponse{Tenants: all.items, NextPageToken: all.next}, tenantColumns, all.items)
		},
	}.command()
}
