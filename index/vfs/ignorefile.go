package vfs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignoreFileLimit is how many bytes of an ignore file are read.
const ignoreFileLimit = 1 << 20

// An ignorePattern is one line of an ignore file.
type ignorePattern struct {
	gitignore.Pattern
	text string // as written
	file string // where it is written
	line int    // in file, counted from 1
}

// rule says in words which pattern of whose rules it is.
func (p ignorePattern) rule(whose string) string {
	return fmt.Sprintf("%s: %s in %s:%d", whose, p.text, p.file, p.line)
}

// An ignoreTree holds the ignore files of one name, such as .contextignore, in every folder of a tree. It reads them
// when they are first needed and keeps them until reset. Safe for concurrent use.
type ignoreTree struct {
	root string
	name string
	base []ignorePattern // outranked by the files of the tree

	mu   sync.Mutex
	dirs map[string][]ignorePattern // by folder relative to root, "" is the root
}

func newIgnoreTree(root, name string, base []ignorePattern) *ignoreTree {
	return &ignoreTree{root: root, name: name, base: base, dirs: make(map[string][]ignorePattern)}
}

func (t *ignoreTree) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.dirs)
}

// match returns the pattern that excludes rel or a folder above it. As in git, what lies in an excluded folder cannot
// be taken back.
func (t *ignoreTree) match(rel string, isDir bool) (ignorePattern, bool) {
	parts := strings.Split(rel, "/")
	for n := 1; n < len(parts); n++ {
		if p, excluded := t.matchEntry(parts[:n], true); excluded {
			return p, true
		}
	}
	return t.matchEntry(parts, isDir)
}

// matchEntry judges one entry whose parents are known not to be excluded: the last matching pattern of the deepest
// file counts.
func (t *ignoreTree) matchEntry(parts []string, isDir bool) (ignorePattern, bool) {
	for n := len(parts) - 1; n >= 0; n-- {
		if p, result := lastMatch(t.in(parts[:n]), parts, isDir); result != gitignore.NoMatch {
			return p, result == gitignore.Exclude
		}
	}
	p, result := lastMatch(t.base, parts, isDir)
	return p, result == gitignore.Exclude
}

func lastMatch(patterns []ignorePattern, parts []string, isDir bool) (ignorePattern, gitignore.MatchResult) {
	for i := len(patterns) - 1; i >= 0; i-- {
		if result := patterns[i].Match(parts, isDir); result != gitignore.NoMatch {
			return patterns[i], result
		}
	}
	return ignorePattern{}, gitignore.NoMatch
}

// in returns the patterns of the ignore file in one folder.
func (t *ignoreTree) in(dir []string) []ignorePattern {
	key := strings.Join(dir, "/")
	t.mu.Lock()
	defer t.mu.Unlock()
	patterns, known := t.dirs[key]
	if !known {
		patterns = readIgnoreFile(filepath.Join(t.root, filepath.FromSlash(key), t.name), path.Join(key, t.name), dir)
		t.dirs[key] = patterns
	}
	return patterns
}

// readIgnoreFile reads the patterns of a file, none when it cannot be read: an ignore file is a wish, not a condition.
func readIgnoreFile(file, shown string, dir []string) []ignorePattern {
	f, err := openRegular(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, ignoreFileLimit))
	if err != nil {
		return nil
	}
	return parseIgnore(data, shown, dir)
}

// parseIgnore reads patterns in gitignore syntax that count below dir.
func parseIgnore(data []byte, shown string, dir []string) []ignorePattern {
	var patterns []ignorePattern
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(data, utf8BOM)))
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#") {
			continue
		}
		patterns = append(patterns, ignorePattern{newPattern(text, dir), strings.TrimSpace(text), shown, n})
	}
	return patterns
}

// newPattern compiles a pattern. Go writes the negated class [!a] as [^a].
func newPattern(text string, dir []string) gitignore.Pattern {
	return gitignore.ParsePattern(strings.ReplaceAll(text, "[!", "[^"), dir)
}

// gitPatternsOutsideTree returns what git's own places outside the tree exclude: the person's file and .git/info.
func gitPatternsOutsideTree(root string) []ignorePattern {
	var patterns []ignorePattern
	if personal := personalExcludes(); personal != "" {
		patterns = readIgnoreFile(personal, personal, nil)
	}
	info := filepath.Join(root, ".git", "info", "exclude")
	return append(patterns, readIgnoreFile(info, ".git/info/exclude", nil)...)
}

// personalExcludes is where git looks without core.excludesFile.
func personalExcludes() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git", "ignore")
	}
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, ".config", "git", "ignore")
	}
	return ""
}
