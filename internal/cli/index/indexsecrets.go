package index

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

func printSecrets(ctx context.Context, c *app.App, a *workspace.Answers) error {
	r, err := api.Secrets.Call(ctx, a.Client, &api.SecretsParams{})
	if err != nil {
		return err
	}
	if c.JSON {
		if err := c.PrintJSON(r); err != nil {
			return err
		}
	}
	files := map[string]bool{}
	for _, secret := range r.Secrets {
		files[secret.Path] = true
		if !c.JSON {
			fmt.Fprintf(c.Out, "%s:%d: %s\n", display.Clean(secret.Path), secret.Line, secret.Kind)
		}
	}
	switch {
	case len(r.Secrets) == 0 && !c.JSON:
		c.Wrapped("", fmt.Sprintf("Nothing in %s looks like a secret.", display.Count(r.Files, "file")))
		return app.ErrNothing
	case len(r.Secrets) == 0:
		return app.ErrNothing
	case !c.JSON:
		where := map[bool]string{true: "None of it is in the index.", false: "The index has it, since security.scrub_secrets is off."}[r.LeftOut]
		fmt.Fprintln(c.Out)
		c.Wrapped("", fmt.Sprintf("%s in %d of %s. %s", display.Count(len(r.Secrets), "place"), len(files), display.Count(r.Files, "file"), where))
	}
	return nil
}
