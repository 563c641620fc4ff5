package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/belfryhq/belfry/server/internal/recurrence"
)

func (p *Program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this binary and of its time zone rules",
		Args:  named(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "belfry %s (%s, %s/%s, time zones %s)\n",
				p.version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, recurrence.ZoneDataVersion)
			return err
		},
	}
}

// version is what the linker was told, else what the build recorded.
func (p *Program) version() string {
	recorded := ""
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
		recorded = info.Main.Version
	}
	return cmp.Or(p.Version, recorded, "dev")
}
