package index

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/spf13/cobra"
)

// A checkedFile is one line of "aurora index check".
type checkedFile struct {
	Path     string         `json:"path"`
	Indexed  bool           `json:"indexed"`
	Rule     string         `json:"rule"` // by which it is indexed, or is not
	Project  string         `json:"project,omitempty"`
	Language string         `json:"language,omitempty"`
	Chunks   int            `json:"chunks,omitempty"`
	Lines    int            `json:"lines,omitempty"`
	Secrets  []maskedSecret `json:"secrets,omitempty"` // left out of the index
}

// A maskedSecret is the place of a secret.
type maskedSecret struct {
	Kind string `json:"kind"`
	Line int    `json:"line"` // from 1
}

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
		RunE: workspace.OnIndex(c, func(ctx context.Context, s *workspace.Session, paths []string) error {
			switch {
			case secrets && len(paths) > 0:
				return app.UsageError("", "--secrets looks through all indexed files and takes none")
			case secrets:
				return printSecrets(ctx, c, s)
			case len(paths) == 0:
				return validateIndex(ctx, c, s)
			}
			return checkFiles(c, s, paths)
		}),
	}
	cmd.Flags().BoolVar(&secrets, "secrets", false, "list what looks like a secret in indexed files")
	return cmd
}

func checkFiles(c *app.App, s *workspace.Session, paths []string) error {
	var files []checkedFile
	for _, path := range paths {
		file, err := check(s, path)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	return printChecked(c, files)
}

// check explains one file.
func check(s *workspace.Session, path string) (checkedFile, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return checkedFile{}, fmt.Errorf("find %s: %w", path, err)
	}
	secrets, err := secretSet(s)
	if err != nil {
		return checkedFile{}, err
	}
	v := s.Parts.Index.Explain(abs)
	r := checkedFile{Path: path, Indexed: v.Indexed, Rule: v.Rule}
	r.Project = s.Parts.Index.Project(vfs.Canonical(abs))
	if f, ok := s.Parts.Index.Snapshot().File(abs); ok && v.Indexed {
		r.Language, r.Chunks, r.Lines = f.Language, len(f.Chunks), f.Lines
	}
	if text, err := s.Parts.Index.Text(abs); err == nil {
		_, found := secrets.Blank(text)
		for _, secret := range found {
			line := 1 + strings.Count(string(text[:secret.Start]), "\n")
			r.Secrets = append(r.Secrets, maskedSecret{secret.Kind, line})
		}
	}
	return r, nil
}

// secretSet is what the settings have as secrets.
func secretSet(s *workspace.Session) (*scrub.Set, error) {
	if !s.Parts.Settings.Security.ScrubSecrets {
		return scrub.Off, nil
	}
	return scrub.NewSet(s.Parts.Settings.Security.SecretPatterns)
}

func printChecked(c *app.App, files []checkedFile) error {
	missing := slices.ContainsFunc(files, func(f checkedFile) bool { return !f.Indexed })
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

func printCheckedFile(c *app.App, f *checkedFile) {
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
