package watch

import (
	"os"
	"path/filepath"
	"strings"
)

// A dirTree knows the watched folders, and which lie in which.
type dirTree struct {
	roots    map[string]bool
	children map[string]map[string]bool // watched folder -> watched folders directly in it
}

func newDirTree() *dirTree {
	return &dirTree{roots: make(map[string]bool), children: make(map[string]map[string]bool)}
}

func (t *dirTree) has(dir string) bool {
	_, ok := t.children[dir]
	return ok
}

func (t *dirTree) add(dir string) {
	if t.has(dir) {
		return
	}
	t.children[dir] = make(map[string]bool)
	if siblings, ok := t.children[filepath.Dir(dir)]; ok && filepath.Dir(dir) != dir {
		siblings[dir] = true
	}
}

// drop forgets dir and all folders in it, and returns them.
func (t *dirTree) drop(dir string) []string {
	children, ok := t.children[dir]
	if !ok {
		return nil
	}
	dropped := []string{dir}
	for child := range children {
		dropped = append(dropped, t.drop(child)...)
	}
	delete(t.children, dir)
	if siblings, ok := t.children[filepath.Dir(dir)]; ok {
		delete(siblings, dir)
	}
	return dropped
}

// within reports whether path lies below dir.
func within(path, dir string) bool {
	return len(path) > len(dir) && strings.HasPrefix(path, dir) && (os.IsPathSeparator(path[len(dir)]) || os.IsPathSeparator(dir[len(dir)-1]))
}
