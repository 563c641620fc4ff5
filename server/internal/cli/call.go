package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// call is a command that connects and makes calls. platform says that it acts on tenants.
type call struct {
	use, short, long, example string
	args                      []string // names of its arguments
	platform                  bool
	flags                     func(cmd *cobra.Command)
	run                       func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error
}

// command makes the cobra command of a call.
func (c call) command() *cobra.Command {
	cmd := &cobra.Command{
		Use: c.use, Short: c.short, Long: c.long, Example: c.example,
		Args: named(c.args...),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := wantsJSON(cmd); err != nil {
				return err
			}
			s, err := dial(cmd, c.platform || given(cmd, "platform") || given(cmd, "all"))
			if err != nil {
				return err
			}
			defer s.Close()
			return s.explain(c.run(cmd.Context(), cmd, s, args))
		},
	}
	cmd.Flags().SortFlags = false
	if c.flags != nil {
		c.flags(cmd)
	}
	addOutput(cmd)
	addSettings(cmd, onClient)
	return cmd
}

// given reports whether the command has such a flag and it was given.
func given(cmd *cobra.Command, name string) bool {
	flag := cmd.Flag(name)
	return flag != nil && flag.Changed
}

// stringFlag and boolFlag read flags that the command has defined.
func stringFlag(cmd *cobra.Command, name string) string { return cmd.Flag(name).Value.String() }

func boolFlag(cmd *cobra.Command, name string) bool { return cmd.Flag(name).Value.String() == "true" }
