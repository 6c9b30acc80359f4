package watch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A gathering is what happened since the last batch.
type gathering struct {
	since  time.Time       // of the first event
	files  map[string]bool // by path; true for a file that was born in this gathering
	came   map[string]bool // folders that appeared
	left   map[string]bool // folders that went away or were renamed
	moved  bool            // a watched folder was renamed
	rescan bool
}

func newGathering() *gathering {
	return &gathering{files: make(map[string]bool), came: make(map[string]bool), left: make(map[string]bool)}
}

// fileEvent notes an event of a file; its first event tells whether the file is born by it.
func (g *gathering) fileEvent(path string, born bool) {
	if _, known := g.files[path]; !known {
		g.files[path] = born
	}
}

// changedInside notes a file found in a folder that appeared.
func (g *gathering) changedInside(path string) {
	if _, known := g.files[path]; !known && !isNoise(filepath.Base(path)) {
		g.files[path] = false
	}
}

func (g *gathering) dirCame(path string) { g.came[path] = true }

func (g *gathering) dirLeft(path string, renamed bool) {
	g.left[path] = true
	g.moved = g.moved || renamed
}

// batch sums the gathering up. Files that came and went in it are left out: they are the temporary halves of saves.
func (g *gathering) batch() Batch {
	var b Batch
	for path, born := range g.files {
		if born {
			if _, err := os.Lstat(path); err != nil {
				continue
			}
		}
		b.Changed = append(b.Changed, path)
	}
	slices.Sort(b.Changed)
	dirs := maps.Clone(g.came)
	maps.Copy(dirs, g.left)
	b.Dirs = slices.Sorted(maps.Keys(dirs))
	return b
}

// merge joins a batch that nobody took yet with the next one.
func merge(a, b Batch) Batch {
	if a.Rescan || b.Rescan {
		return Batch{Rescan: true}
	}
	return Batch{Changed: union(a.Changed, b.Changed), Dirs: union(a.Dirs, b.Dirs)}
}

func union(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// isNoise reports whether a file only exists for an editor's own purposes: vim's probe, backup and swap files, Emacs'
// locks and auto-saves, JetBrains' halves of a safe write.
func isNoise(name string) bool {
	switch {
	case name == "4913", strings.HasSuffix(name, "~"), strings.HasPrefix(name, ".#"):
		return true
	case strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"):
		return true
	case strings.HasSuffix(name, "___jb_tmp___"), strings.HasSuffix(name, "___jb_old___"):
		return true
	}
	switch filepath.Ext(name) {
	case ".swp", ".swx", ".swo":
		return strings.HasPrefix(name, ".")
	}
	return false
}
