package git

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Listed is one path of a work tree.
type Listed struct {
	Path    string // relative to the folder, with '/'
	Tracked bool   // in the index of git; else untracked and not ignored
	Nested  bool   // a folder with a repository of its own: a submodule, or an untracked one
}

// gitlink is the mode of a submodule in git's index.
const gitlink = "160000"

// Files lists everything below the folder that git tracks or does not ignore, in no particular order. A tracked file
// that was deleted is still listed: the caller looks at the disk.
func (r *Repo) Files(ctx context.Context) ([]Listed, error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return parseListed(out), nil
}

// TrackedSum sums up which paths git tracks below the folder: it changes when one is added or removed.
func (r *Repo) TrackedSum(ctx context.Context) ([32]byte, error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "--stage", "-t", "--cached")
	if err != nil {
		return [32]byte{}, fmt.Errorf("list tracked files: %w", err)
	}
	return SumTracked(parseListed(out)), nil
}

// SumTracked is TrackedSum for files that are listed already.
func SumTracked(files []Listed) (sum [32]byte) {
	h := sha256.New()
	for _, f := range files {
		if f.Tracked {
			_, _ = h.Write(append([]byte(f.Path), 0)) // a hash takes everything
		}
	}
	h.Sum(sum[:0])
	return sum
}

// RuleFiles returns the absolute paths of the files, wherever they are and whether they are there or not, that decide together
// with those named .gitignore what git tracks and ignores. The first is git's index.
func (r *Repo) RuleFiles(ctx context.Context) []string {
	files := []string{filepath.Join(r.gitDir, "index"), filepath.Join(r.common, "info", "exclude"), filepath.Join(r.common, "config")}
	home, err := os.UserHomeDir()
	if global := os.Getenv("GIT_CONFIG_GLOBAL"); global != "" {
		files = append(files, global)
	} else if err == nil {
		files = append(files, filepath.Join(home, ".gitconfig"), filepath.Join(filepath.Dir(PersonalExcludes()), "config"))
	}
	excludes := PersonalExcludes()
	if out, err := r.run(ctx, nil, "config", "--path", "--null", "core.excludesFile"); err == nil {
		excludes = strings.TrimSuffix(string(out), "\x00")
	}
	if excludes != "" && !filepath.IsAbs(excludes) {
		excludes = filepath.Join(r.root, excludes)
	}
	return append(files, excludes)
}

// PersonalExcludes is where git looks for what the person ignores everywhere, without core.excludesFile.
func PersonalExcludes() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git", "ignore")
	}
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, ".config", "git", "ignore")
	}
	return ""
}

// parseListed reads "? <path>" for untracked and "<tag> <mode> <hash> <stage>\t<path>" for tracked paths. A path in
// conflict comes once per side, one after the other.
func parseListed(out []byte) []Listed {
	records := fields(out)
	files := make([]Listed, 0, len(records))
	last := ""
	for _, record := range records {
		file, ok := parseListedRecord(record)
		if !ok || file.Path == last {
			continue
		}
		last = file.Path
		files = append(files, file)
	}
	return files
}

func parseListedRecord(record string) (Listed, bool) {
	tag, rest, ok := strings.Cut(record, " ")
	if !ok || rest == "" {
		return Listed{}, false
	}
	if tag == "?" {
		name, nested := strings.CutSuffix(rest, "/")
		return Listed{Path: name, Nested: nested}, true
	}
	facts, name, ok := strings.Cut(rest, "\t")
	if !ok || name == "" {
		return Listed{}, false
	}
	return Listed{Path: name, Tracked: true, Nested: strings.HasPrefix(facts, gitlink)}, true
}
