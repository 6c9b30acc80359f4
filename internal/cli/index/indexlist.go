package index

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// indexListCommand lists what is indexed, or what is not.
func indexListCommand(c *app.App) *cobra.Command {
	var limit int
	var language string
	var skipped, languages bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List indexed files, or skipped ones and why",
		Example: "  aurora index list --language go\n  aurora index list --skipped\n  aurora index list --languages",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			project, err := workspace.OpenAnswers(cmd.Context(), c, workspace.IndexTimeout)
			if err != nil {
				return err
			}
			defer project.Close()
			if languages {
				l, err := api.Languages.Call(cmd.Context(), project.Client, &api.LanguagesParams{})
				if err != nil {
					return err
				}
				return printLanguages(c, l.Languages)
			}
			l, err := api.Files.Call(cmd.Context(), project.Client, &api.FilesParams{Language: language, Skipped: skipped})
			if err != nil {
				return err
			}
			return printListed(c, l.Files, limit, skipped)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "most files to list; 0 means all")
	cmd.Flags().StringVar(&language, "language", "", "only files of this language")
	cmd.Flags().BoolVar(&skipped, "skipped", false, "list what is not indexed, and by which rule")
	cmd.Flags().BoolVar(&languages, "languages", false, "count files, chunks, lines and bytes by language instead")
	cmd.MarkFlagsMutuallyExclusive("language", "skipped", "languages")
	return cmd
}

func printListed(c *app.App, files []api.IndexedFile, limit int, skipped bool) error {
	more := 0
	if limit > 0 && len(files) > limit {
		files, more = files[:limit], len(files)-limit
	}
	if c.JSON {
		return app.Found(len(files), c.PrintJSON(files))
	}
	for _, f := range files {
		if skipped {
			fmt.Fprintf(c.Out, "%s  (%s)\n", display.Clean(f.Path), display.Clean(f.Rule))
			continue
		}
		fmt.Fprintf(c.Out, "%s  %s, %s, %s\n", display.Clean(f.Path), f.Language, display.Count(f.Chunks, "chunk"), display.Bytes(f.Bytes))
	}
	if more > 0 {
		fmt.Fprintf(c.Err, "and %d more; --limit 0 lists all\n", more)
	}
	if len(files) == 0 {
		return app.ErrNothing
	}
	return nil
}

// printLanguages prints a row for each language, and the sum of all.
func printLanguages(c *app.App, rows []api.LanguageCount) error {
	total := api.LanguageCount{Language: "total"}
	for _, r := range rows {
		total.Files, total.Chunks, total.Lines, total.Bytes, total.Tokens = total.Files+r.Files, total.Chunks+r.Chunks, total.Lines+r.Lines, total.Bytes+r.Bytes, total.Tokens+r.Tokens
	}
	rows = append(rows, total)
	if c.JSON {
		return c.PrintJSON(rows)
	}
	fmt.Fprintf(c.Out, "%-14s %8s %8s %10s %10s\n", "Language", "Files", "Chunks", "Lines", "Size")
	for _, r := range rows {
		fmt.Fprintf(c.Out, "%-14s %8d %8d %10d %10s\n", r.Language, r.Files, r.Chunks, r.Lines, display.Bytes(r.Bytes))
	}
	return nil
}
