package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"github.com/belfryhq/belfry/server/internal/store"
)

func (p *Program) migrateCommand() *cobra.Command {
	return group("migrate", "Bring a database to the schema of this binary, or show where it is", p.migrateUp(), p.migrateStatus())
}

func (p *Program) migrateUp() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Create or update Belfry's tables",
		Long: `Create or update Belfry's tables. Servers of the version before go on working
meanwhile. Repeating it changes nothing; two at a time wait for each other.

It also sets time-outs on the database role, in this database only.`,
		Example: "  belfry migrate up --database-url postgres://belfry:secret@db.internal:5432/belfry",
		Args:    named(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := migrateSettings(cmd)
			if err != nil {
				return err
			}
			partitions := v.GetInt("partitions")
			if partitions < 1 || partitions > 4096 {
				return usage("--partitions: %d is not within 1–4096", partitions)
			}
			options := store.MigrateOptions{Partitions: partitions, RoleSettings: !v.GetBool("no-role-settings")}
			before, err := store.Status(cmd.Context(), v.GetString("database-url"))
			if err != nil {
				return err
			}
			after, err := store.Migrate(cmd.Context(), v.GetString("database-url"), options)
			if err != nil {
				return err
			}
			return printMigrated(cmd, before, after)
		},
	}
	cmd.Flags().SortFlags = false
	addSettings(cmd, onMigrate)
	return cmd
}

func migrateSettings(cmd *cobra.Command) (*viper.Viper, error) {
	v, err := loadSettings(cmd, onMigrate)
	if err == nil && v.GetString("database-url") == "" {
		err = usage("--database-url is required; set it to postgres://user:password@host:5432/name")
	}
	return v, err
}

// printMigrated says what Migrate has done.
func printMigrated(cmd *cobra.Command, before, after []store.MigrationStatus) error {
	was := map[int64]bool{}
	for _, m := range before {
		was[m.Version] = m.Applied
	}
	applied := 0
	for _, m := range after {
		if m.Applied && !was[m.Version] {
			applied++
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "applied %s\n", m.Name); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%d migrations applied; the schema is at version %d\n", applied, latest(after))
	return err
}

func latest(list []store.MigrationStatus) int64 {
	var newest int64
	for _, m := range list {
		if m.Applied {
			newest = max(newest, m.Version)
		}
	}
	return newest
}

// errPending makes `migrate status` fail where there is something to do, for scripts.
var errPending = errors.New("the database is not at the schema of this binary; run `belfry migrate up`")

func (p *Program) migrateStatus() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List migrations; exit code 1 if some are not applied yet",
		Args:  named(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := migrateSettings(cmd)
			if err != nil {
				return err
			}
			list, err := store.Status(cmd.Context(), v.GetString("database-url"))
			if err != nil {
				return err
			}
			pending := false
			for _, m := range list {
				state := "applied"
				if !m.Applied {
					state, pending = "pending", true
				}
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", state, m.Name); err != nil {
					return err
				}
			}
			if pending {
				return errPending
			}
			return nil
		},
	}
	addSettings(cmd, onMigrate)
	return cmd
}
