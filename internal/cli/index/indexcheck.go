package index

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// indexCheckCommand explains why files are indexed or not, and compares the index with the files.
func indexCheckCommand(c *app.App) *cobra.Command {
	secrets := false
	cmd := &cobra.Command{
		Use:   "check [file]...",
		Short: "Explain why files are indexed or not; compare the index with the files",
		Long: `Explain why files are in the index or are not, and which secrets in them were left out. The exit code is 3 when one of the
files is not indexed.

Without a file: print what the settings and ignore rules take in and keep out, then read every indexed file and compare it with
the index. The exit code is 1 when they differ.

--secrets lists where the indexed files hold what looks like a secret: a key, a token, a password. The index has none of
them, unless security.scrub_secrets is off; but they are in your files, where they may not belong. The exit code is 3 when
there are none.`,
		Example: "  aurora index check\n  aurora index check src/main.go node_modules/x/index.js\n  aurora index check --secrets",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if secrets && len(paths) > 0 {
				return app.UsageError("", "--secrets looks through all indexed files and takes none")
			}
			a, err := workspace.OpenAnswers(cmd.Context(), c, workspace.IndexTimeout)
			if err != nil {
				return err
			}
			defer a.Close()
			switch {
			case secrets:
				return printSecrets(cmd.Context(), c, a)
			case len(paths) == 0:
				return checkIndex(cmd.Context(), c, a)
			}
			return checkFiles(cmd.Context(), c, a, paths)
		},
	}
	cmd.Flags().BoolVar(&secrets, "secrets", false, "list what looks like a secret in indexed files")
	return cmd
}

// checkFiles explains files, under the names that the person gave.
func checkFiles(ctx context.Context, c *app.App, a *workspace.Answers, paths []string) error {
	p := &api.ExplainParams{}
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		p.Paths = append(p.Paths, abs)
	}
	explained, err := api.Explain.Call(ctx, a.Client, p)
	if err != nil {
		return err
	}
	for i := range explained.Files {
		explained.Files[i].Path = paths[i]
	}
	return printChecked(c, explained.Files)
}

func printChecked(c *app.App, files []api.ExplainedFile) error {
	missing := slices.ContainsFunc(files, func(f api.ExplainedFile) bool { return !f.Indexed })
	if c.JSON {
		if err := c.PrintJSON(files); err != nil {
			return err
		}
	} else {
		for _, f := range files {
			printCheckedFile(c, &f)
		}
	}
	if missing {
		return app.ErrNothing
	}
	return nil
}

func printCheckedFile(c *app.App, f *api.ExplainedFile) {
	if !f.Indexed {
		fmt.Fprintf(c.Out, "%s: not indexed: %s\n", display.Clean(f.Path), display.Clean(f.Rule))
		return
	}
	project := ""
	if f.Project != "" {
		project = ", project " + display.Clean(f.Project)
	}
	fmt.Fprintf(c.Out, "%s: %s, %s, %s%s\n", display.Clean(f.Path), display.Clean(f.Rule),
		display.Count(f.Lines, "line"), display.Count(f.Chunks, "chunk"), project)
	for _, secret := range f.Secrets {
		fmt.Fprintf(c.Out, "  line %d: %s left out of the index\n", secret.Line, secret.Kind)
	}
}

func checkIndex(ctx context.Context, c *app.App, a *workspace.Answers) error {
	r, err := api.CheckIndex.Call(ctx, a.Client, &api.CheckIndexParams{})
	if err != nil {
		return err
	}
	return printCheck(c, a.Root, r)
}

func printCheck(c *app.App, root string, r *api.IndexCheck) error {
	if c.JSON {
		if err := c.PrintJSON(r); err != nil {
			return err
		}
	} else {
		printCheckText(c, root, r)
	}
	if len(r.Faults) > 0 {
		return &app.Exit{Code: app.ExitFailed}
	}
	return nil
}

func printCheckText(c *app.App, root string, r *api.IndexCheck) {
	fmt.Fprintf(c.Out, "✓ Configuration valid\n✓ %s, %s, below %s\n", display.Count(r.Files, "indexable file"), display.Bytes(r.Bytes), root)
	if r.Detected != "" {
		fmt.Fprintf(c.Out, "✓ No watch paths are set (auto): the project is %s\n", display.Clean(r.Detected))
	}
	if len(r.Watch) > 0 {
		fmt.Fprintf(c.Out, "✓ Watch paths: %s\n", display.Clean(strings.Join(r.Watch, ", ")))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(c.Out, "! %s\n", display.Clean(warning))
	}
	for _, kind := range byCount(r.Skipped) {
		fmt.Fprintf(c.Out, "✓ %d left out by %s\n", r.Skipped[kind], kind)
	}
	if r.Git {
		fmt.Fprintln(c.Out, "✓ git tells which files there are; what it ignores is not counted here")
	}
	switch {
	case r.Secrets > 0:
		fmt.Fprintf(c.Out, "! Security: %s like a secret; aurora index check --secrets lists them\n", display.Count(r.Secrets, "place")+map[bool]string{true: " looks", false: " look"}[r.Secrets == 1])
	case r.Files > 0:
		fmt.Fprintln(c.Out, "✓ No security issues: nothing in the files looks like a secret")
	}
	if len(r.Faults) == 0 {
		fmt.Fprintf(c.Out, "✓ %s read again: the index holds them as they are\n", display.Count(r.Checked, "file"))
	}
	for _, fault := range r.Faults {
		fmt.Fprintf(c.Out, "✗ %s\n", display.Clean(fault))
	}
	if r.Files == 0 {
		return
	}
	fmt.Fprintln(c.Out, "\nWhere they are:")
	for _, place := range byCount(r.Places) {
		name := place + "/"
		if place == "." {
			name = "(top level)"
		}
		fmt.Fprintf(c.Out, "  %s → %s (%d%%)\n", display.Clean(name), display.Count(r.Places[place], "file"), 100*r.Places[place]/r.Files)
	}
}
