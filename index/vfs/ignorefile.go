package vfs

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/index/git"
)

// ignoreFileLimit is how many bytes of an ignore file are read.
const ignoreFileLimit = 1 << 20

// An ignoreTree holds the ignore files of one name, such as .contextignore, in every folder of a tree. It reads them
// when they are first needed and keeps them until reset. Safe for concurrent use.
type ignoreTree struct {
	root string
	name string
	base []pattern // outranked by the files of the tree

	mu   sync.Mutex
	dirs map[string][]pattern // by folder relative to root, "" is the root
}

func newIgnoreTree(root, name string, base []pattern) *ignoreTree {
	return &ignoreTree{root: root, name: name, base: base, dirs: make(map[string][]pattern)}
}

func (t *ignoreTree) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.dirs)
}

// match returns the pattern that leaves out rel or a folder above it, nil when none does. As in git, what lies in a
// folder that is left out cannot be taken back.
func (t *ignoreTree) match(rel string, isDir bool) *pattern {
	for end := 0; end < len(rel); end++ {
		if rel[end] == '/' {
			if p := t.matchEntry(rel[:end], true); p != nil {
				return p
			}
		}
	}
	return t.matchEntry(rel, isDir)
}

// matchEntry judges one entry whose parents are known not to be left out: the last matching pattern of the deepest
// file counts.
func (t *ignoreTree) matchEntry(rel string, isDir bool) *pattern {
	dir := parentOf(rel)
	p, r := last(t.in(dir), rel, isDir)
	for r == silent && dir != "" {
		dir = parentOf(dir)
		p, r = last(t.in(dir), rel, isDir)
	}
	if r == silent {
		p, r = last(t.base, rel, isDir)
	}
	if r == leavesOut {
		return p
	}
	return nil
}

// parentOf returns the folder that rel lies in, "" for the root.
func parentOf(rel string) string {
	return rel[:max(0, strings.LastIndexByte(rel, '/'))]
}

// listed tells what is in a folder, so that an ignore file that is not there need not be looked for.
func (t *ignoreTree) listed(dir string, listing []fs.DirEntry) {
	if slices.ContainsFunc(listing, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), t.name) }) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.dirs[dir]; !known {
		t.dirs[dir] = nil
	}
}

// in returns the patterns of the ignore file in one folder.
func (t *ignoreTree) in(dir string) []pattern {
	t.mu.Lock()
	defer t.mu.Unlock()
	patterns, known := t.dirs[dir]
	if !known {
		patterns = readIgnoreFile(filepath.Join(t.root, filepath.FromSlash(dir), t.name), path.Join(dir, t.name), dir)
		t.dirs[dir] = patterns
	}
	return patterns
}

// readIgnoreFile reads the patterns of a file.
func readIgnoreFile(file, shown, dir string) []pattern {
	return parseIgnore(readIgnoreData(file), shown, dir)
}

// readIgnoreData returns nothing when the file cannot be read: an ignore file is a wish, not a condition.
func readIgnoreData(file string) []byte {
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
	return data
}

// parseIgnore reads patterns in gitignore syntax that count below dir.
func parseIgnore(data []byte, shown, dir string) []pattern {
	var patterns []pattern
	n := 0
	for text := range strings.Lines(string(bytes.TrimPrefix(data, utf8BOM))) {
		n++
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#") {
			continue
		}
		p := newPattern(text, dir, false)
		p.file, p.line = shown, n
		patterns = append(patterns, p)
	}
	return patterns
}

// gitPatternsOutsideTree returns what git's own places outside the tree exclude: the person's file and .git/info.
func gitPatternsOutsideTree(root string) []pattern {
	var patterns []pattern
	if personal := git.PersonalExcludes(); personal != "" {
		patterns = readIgnoreFile(personal, personal, "")
	}
	info := filepath.Join(root, ".git", "info", "exclude")
	return append(patterns, readIgnoreFile(info, ".git/info/exclude", "")...)
}
