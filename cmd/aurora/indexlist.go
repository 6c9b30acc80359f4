package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/spf13/cobra"
)

// indexTimeout is how long the commands that look at the index wait for it.
const indexTimeout = 10 * time.Minute

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

// indexCheckCommand explains why files are indexed or not (CLI-025).
func (c *cli) indexCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "check <file>...",
		Short:   "Explain why files are in the index or are not, and what of them was left out",
		Long:    "Explain why files are in the index or are not, and which secrets in them were left out.\nThe exit code is 3 when one of the files is not indexed.",
		Example: "  aurora index check src/main.go node_modules/x/index.js",
		Args:    usageArgs(cobra.MinimumNArgs(1)),
		RunE: c.onIndex(func(_ context.Context, s *session, paths []string) error {
			var files []checkedFile
			for _, path := range paths {
				file, err := s.check(path)
				if err != nil {
					return err
				}
				files = append(files, file)
			}
			return c.printChecked(files)
		}),
	}
}

// check explains one file.
func (s *session) check(path string) (checkedFile, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return checkedFile{}, fmt.Errorf("find %s: %w", path, err)
	}
	secrets, err := s.secretSet()
	if err != nil {
		return checkedFile{}, err
	}
	v := s.index.Explain(abs)
	r := checkedFile{Path: path, Indexed: v.Indexed, Rule: v.Rule}
	r.Project = s.index.Project(vfs.Canonical(abs))
	if f, ok := s.index.Snapshot().File(abs); ok && v.Indexed {
		r.Language, r.Chunks, r.Lines = f.Language, len(f.Chunks), f.Lines
	}
	if text, err := s.index.Text(abs); err == nil {
		_, found := secrets.Blank(text)
		for _, secret := range found {
			line := 1 + strings.Count(string(text[:secret.Start]), "\n")
			r.Secrets = append(r.Secrets, maskedSecret{secret.Kind, line})
		}
	}
	return r, nil
}

// secretSet is what the settings have as secrets.
func (s *session) secretSet() (*scrub.Set, error) {
	if !s.settings.Security.ScrubSecrets {
		return scrub.Off, nil
	}
	return scrub.NewSet(s.settings.Security.SecretPatterns)
}

func (c *cli) printChecked(files []checkedFile) error {
	missing := slices.ContainsFunc(files, func(f checkedFile) bool { return !f.Indexed })
	if c.json {
		if err := c.printJSON(files); err != nil {
			return err
		}
	} else {
		for _, f := range files {
			c.printCheckedFile(&f)
		}
	}
	if missing {
		return errNothing
	}
	return nil
}

func (c *cli) printCheckedFile(f *checkedFile) {
	if !f.Indexed {
		fmt.Fprintf(c.out, "%s: not indexed: %s\n", display.Clean(f.Path), display.Clean(f.Rule))
		return
	}
	project := ""
	if f.Project != "" {
		project = ", project " + display.Clean(f.Project)
	}
	fmt.Fprintf(c.out, "%s: %s, %s, %s%s\n", display.Clean(f.Path), display.Clean(f.Rule),
		display.Count(f.Lines, "line"), display.Count(f.Chunks, "chunk"), project)
	for _, secret := range f.Secrets {
		fmt.Fprintf(c.out, "  line %d: %s left out of the index\n", secret.Line, secret.Kind)
	}
}

// A listedFile is one line of "aurora index list".
type listedFile struct {
	Path     string `json:"path"`
	Language string `json:"language,omitempty"`
	Chunks   int    `json:"chunks,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"`
	Rule     string `json:"rule,omitempty"` // that keeps it out
}

// indexListCommand lists what is indexed, or what is not (CLI-024).
func (c *cli) indexListCommand() *cobra.Command {
	var limit int
	var language string
	var skipped bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the files that are indexed, or with --skipped those that are not and why",
		Example: "  aurora index list --language go\n  aurora index list --skipped",
		Args:    usageArgs(cobra.NoArgs),
		RunE: c.onIndex(func(ctx context.Context, s *session, _ []string) error {
			files := s.indexedFiles(language)
			if skipped {
				files = s.skippedFiles(ctx)
			}
			return c.printListed(files, limit, skipped)
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "most files to list; 0 means all")
	cmd.Flags().StringVar(&language, "language", "", "only files of this language")
	cmd.Flags().BoolVar(&skipped, "skipped", false, "list what is not indexed, and by which rule")
	cmd.MarkFlagsMutuallyExclusive("language", "skipped")
	return cmd
}

// indexedFiles returns the indexed files in order of their paths.
func (s *session) indexedFiles(language string) []listedFile {
	files := []listedFile{}
	for f := range s.index.Snapshot().Files() {
		if language == "" || strings.EqualFold(f.Language, language) {
			files = append(files, listedFile{Path: f.Path, Language: f.Language, Chunks: len(f.Chunks), Bytes: f.Size})
		}
	}
	slices.SortFunc(files, func(a, b listedFile) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

func (s *session) skippedFiles(ctx context.Context) []listedFile {
	files := []listedFile{}
	for path, rule := range s.index.Skipped(ctx) {
		rel := strings.TrimPrefix(strings.TrimPrefix(path, s.root), string(filepath.Separator))
		files = append(files, listedFile{Path: filepath.ToSlash(rel), Rule: rule})
	}
	return files
}

func (c *cli) printListed(files []listedFile, limit int, skipped bool) error {
	more := 0
	if limit > 0 && len(files) > limit {
		files, more = files[:limit], len(files)-limit
	}
	if c.json {
		return c.printJSON(files)
	}
	for _, f := range files {
		if skipped {
			fmt.Fprintf(c.out, "%s  (%s)\n", display.Clean(f.Path), display.Clean(f.Rule))
			continue
		}
		fmt.Fprintf(c.out, "%s  %s, %s, %s\n", display.Clean(f.Path), f.Language, display.Count(f.Chunks, "chunk"), display.Bytes(f.Bytes))
	}
	if more > 0 {
		fmt.Fprintf(c.err, "and %d more; --limit 0 lists all\n", more)
	}
	if len(files) == 0 {
		return errNothing
	}
	return nil
}

// A languageCount is one row of "aurora index stats".
type languageCount struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
	Chunks   int    `json:"chunks"`
	Lines    int    `json:"lines"`
	Bytes    int64  `json:"bytes"`
}

func (l *languageCount) add(f *index.File) {
	l.Files++
	l.Chunks += len(f.Chunks)
	l.Lines += f.Lines
	l.Bytes += f.Size
}

// indexStatsCommand counts what is indexed (CLI-026).
func (c *cli) indexStatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count files, chunks, lines and bytes by language",
		Args:  usageArgs(cobra.NoArgs),
		RunE: c.onIndex(func(_ context.Context, s *session, _ []string) error {
			return c.printStats(s.languageCounts())
		}),
	}
}

// languageCounts returns a row for each language, the one with most lines first, and the sum of all.
func (s *session) languageCounts() []languageCount {
	rows := map[string]*languageCount{}
	total := languageCount{Language: "total"}
	for f := range s.index.Snapshot().Files() {
		if rows[f.Language] == nil {
			rows[f.Language] = &languageCount{Language: f.Language}
		}
		rows[f.Language].add(f)
		total.add(f)
	}
	var list []languageCount
	for _, row := range rows {
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b languageCount) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Language, b.Language))
	})
	return append(list, total)
}

func (c *cli) printStats(rows []languageCount) error {
	if c.json {
		return c.printJSON(rows)
	}
	fmt.Fprintf(c.out, "%-14s %8s %8s %10s %10s\n", "Language", "Files", "Chunks", "Lines", "Size")
	for _, r := range rows {
		fmt.Fprintf(c.out, "%-14s %8d %8d %10d %10s\n", r.Language, r.Files, r.Chunks, r.Lines, display.Bytes(r.Bytes))
	}
	return nil
}
