package admin

import (
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

func configValidateCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Check every source of settings; the exit code is 1 when something is wrong",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return validateConfig(c) },
	}
}

// A validation is the result of config validate.
type validation struct {
	Valid    bool             `json:"valid"`
	Problems []config.Problem `json:"problems"`
	Warnings []config.Warning `json:"warnings"`
}

// validateConfig lists what is wrong: bad values as an error (CFG-041), and what has no effect.
func validateConfig(c *app.App) error {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil && c.Project != "" {
		return err
	}
	if err != nil {
		root = ""
	}
	settings, warnings, err := config.Load(config.LoadOptions{Project: root})
	warnings = orEmpty(warnings)
	if !c.JSON {
		for _, w := range warnings {
			c.Warn(w.String())
		}
	}
	var invalid *config.Error
	if errors.As(err, &invalid) && c.JSON {
		if err := c.PrintJSON(validation{Problems: invalid.Problems, Warnings: warnings}); err != nil {
			return err
		}
		return &app.Exit{Code: app.ExitFailed}
	}
	if err != nil {
		return app.Failure(workspace.Correction(err), err)
	}
	if c.JSON {
		return c.PrintJSON(validation{Valid: true, Problems: []config.Problem{}, Warnings: warnings})
	}
	changed := 0
	for _, info := range config.Keys() {
		if settings.Origin(info.Name) != "default" {
			changed++
		}
	}
	c.Wrapped("", fmt.Sprintf("The settings are valid: %d of %d keys differ from the defaults, %s.",
		changed, len(config.Keys()), display.Count(len(warnings), "warning")))
	return nil
}
