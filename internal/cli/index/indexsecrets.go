package index

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A secretsReport is what an audit of all indexed files found.
type secretsReport struct {
	Files   int           `json:"files"` // that were looked through
	LeftOut bool          `json:"leftOut"`
	Secrets []foundSecret `json:"secrets"`
}

// A foundSecret is the place of a secret; the secret itself is nobody's business.
type foundSecret struct {
	Path string `json:"path"`
	maskedSecret
}

// auditSecrets reads every indexed file as it is now.
func auditSecrets(s *workspace.Session, ctx context.Context) (*secretsReport, error) {
	secrets, err := scrub.NewSet(s.Parts.Settings.Security.SecretPatterns)
	if err != nil {
		return nil, err
	}
	r := &secretsReport{LeftOut: s.Parts.Settings.Security.ScrubSecrets, Secrets: []foundSecret{}}
	for f := range s.Parts.Index.Snapshot().Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := s.Parts.Index.Text(f.Abs)
		if err != nil {
			continue // it is gone by now
		}
		r.Files++
		_, found := secrets.Blank(text)
		for _, secret := range found {
			line := 1 + bytes.Count(text[:secret.Start], []byte("\n"))
			r.Secrets = append(r.Secrets, foundSecret{f.Path, maskedSecret{secret.Kind, line}})
		}
	}
	slices.SortFunc(r.Secrets, func(a, b foundSecret) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind))
	})
	return r, nil
}

func printSecrets(ctx context.Context, c *app.App, s *workspace.Session) error {
	r, err := auditSecrets(s, ctx)
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
