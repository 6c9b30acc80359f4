package admin

import (
	"errors"
	"os"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

func configEditCommand(c *app.App) *cobra.Command {
	var local bool
	cmd := &cobra.Command{
		Use:   "edit",
		Short: "Open your own file, or with --local the project's, in $VISUAL or $EDITOR, and check it afterwards",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, _, err := workspace.ConfigFile(c, local)
			if err != nil {
				return err
			}
			if err := editFile(c, cmd, file); err != nil {
				return err
			}
			return validateConfig(c)
		},
	}
	cmd.Flags().BoolVar(&local, "local", false, "the project's file, .aurora/config.json")
	return cmd
}

// editFile opens an editor on a file, which is made when it is missing, and waits for it.
func editFile(c *app.App, cmd *cobra.Command, file string) error {
	edit, err := app.Editor(c)
	if err != nil {
		return err
	}
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		if err := jsonfile.Write(file, []byte("{\n}\n")); err != nil {
			return err
		}
	}
	return edit(cmd.Context(), file)
}
