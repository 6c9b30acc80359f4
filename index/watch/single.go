package watch

import (
	"path/filepath"
	"strings"
)

// singles are the files that are followed by themselves: through the folder that each lies in or, while that is not there,
// through the nearest one above it.
type singles struct {
	files   map[string]bool // by path
	folders map[string]bool // that are watched for them, and for nothing else
}

func newSingles() singles { return singles{map[string]bool{}, map[string]bool{}} }

// addSingle reports whether the file was not followed before.
func (w *Watcher) addSingle(file string) bool {
	if w.single.files[file] {
		return false
	}
	w.single.files[file] = true
	w.watchSingle(file)
	return true
}

func (w *Watcher) watchSingle(file string) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if w.tree.has(dir) || w.single.folders[dir] {
			return
		}
		if w.addDir(dir) == nil {
			w.single.folders[dir] = true
			return
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// handleSingle handles an event of a path that is not, or not only, part of a root. It reports whether that is all.
func (w *Watcher) handleSingle(path string, gone bool) bool {
	if w.single.files[path] {
		w.pending.fileEvent(path, false)
		w.schedule()
		return true
	}
	if gone && w.single.folders[path] {
		_ = w.notify.Remove(path) // after a move it would go on under the old name
		delete(w.single.folders, path)
	}
	w.followBelow(path)
	return w.single.folders[filepath.Dir(path)] && !w.tree.has(filepath.Dir(path))
}

// followBelow looks for the files again that lie below a folder that came or went.
func (w *Watcher) followBelow(dir string) {
	for file := range w.single.files {
		if strings.HasPrefix(file, dir+string(filepath.Separator)) {
			w.watchSingle(file)
			w.pending.fileEvent(file, false)
			w.schedule()
		}
	}
}
