package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/internal/config"
)

func (c *cli) configValidateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Check every source of settings; the exit code is 1 when something is wrong",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return c.validateConfig() },
	}
}

// validateConfig lists what is wrong: bad values as an error (CFG-041), and what has no effect.
func (c *cli) validateConfig() error {
	root, err := c.projectRoot(".")
	if err != nil && c.project != "" {
		return err
	}
	if err != nil {
		root = ""
	}
	settings, warnings, err := config.Load(config.LoadOptions{Project: root})
	if !c.json {
		for _, w := range warnings {
			c.warn(w.String())
		}
	}
	var invalid *config.Error
	if errors.As(err, &invalid) && c.json {
		if err := c.printJSON(map[string]any{"valid": false, "problems": invalid.Problems, "warnings": warnings}); err != nil {
			return err
		}
		return &exit{code: exitFailed}
	}
	if err != nil {
		return failure(correction(err), err)
	}
	if c.json {
		return c.printJSON(map[string]any{"valid": true, "problems": []config.Problem{}, "warnings": warnings})
	}
	changed := 0
	for _, info := range config.Keys() {
		if settings.Origin(info.Name) != "default" {
			changed++
		}
	}
	c.wrapped("", fmt.Sprintf("The settings are valid: %d of %d keys differ from the defaults, %s.",
		changed, len(config.Keys()), display.Count(len(warnings), "warning")))
	return nil
}
