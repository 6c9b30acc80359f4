package vfs

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// dockerRules are the .dockerignore file of a folder. Unlike those of .gitignore, all its patterns are about whole
// paths, there is one file only, and what lies in an excluded folder can be taken back. Safe for concurrent use.
type dockerRules struct {
	root string

	mu       sync.Mutex
	read     bool
	patterns []pattern
	takeBack bool // some pattern does
}

const dockerignore = ".dockerignore"

func (d *dockerRules) reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read = false
}

func (d *dockerRules) load() ([]pattern, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.read {
		d.read = true
		d.patterns, d.takeBack = parseDockerignore(readIgnoreData(filepath.Join(d.root, dockerignore)))
	}
	return d.patterns, d.takeBack
}

func parseDockerignore(data []byte) (patterns []pattern, takeBack bool) {
	n := 0
	for text := range strings.Lines(string(bytes.TrimPrefix(data, utf8BOM))) {
		n++
		if text = strings.TrimSpace(text); text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		p := pattern{text: text, file: dockerignore, line: n}
		rest, again := strings.CutPrefix(text, "!")
		p.again = again
		if rest = strings.TrimPrefix(path.Clean(strings.TrimSpace(rest)), "/"); rest == "" || rest == "." {
			continue
		}
		p.matches = compileGlob(rest, true)
		patterns = append(patterns, p)
		takeBack = takeBack || again
	}
	return patterns, takeBack
}

// match returns the pattern that excludes rel, nil when none does. A folder is excluded as a whole only where nothing in
// it can be taken back.
func (d *dockerRules) match(rel string, isDir bool) *pattern {
	patterns, takeBack := d.load()
	if isDir && takeBack {
		return nil
	}
	var by *pattern
	for i := range patterns {
		if p := &patterns[i]; p.onWay(rel) {
			by = p
		}
	}
	if by == nil || by.again {
		return nil
	}
	return by
}

// onWay reports whether the pattern matches rel or a folder above it.
func (p *pattern) onWay(rel string) bool {
	for end := 0; end < len(rel); end++ {
		if rel[end] == '/' && p.matches(rel[:end]) {
			return true
		}
	}
	return p.matches(rel)
}
