package vfs

import (
	"os"
	"path/filepath"
)

// Canonical resolves the symbolic links in an absolute path. What does not exist yet keeps its name below the part
// that does, so a file has the same path before it is created, while it is there and after it was removed. Names that
// are no absolute path ("untitled:Untitled-1") are returned as they are.
func Canonical(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	path = filepath.Clean(path)
	rest := ""
	for dir := path; ; {
		parent := filepath.Dir(dir)
		if parent == dir {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
	}
}

// isRealDir reports whether path itself, not something it links to, is a folder.
func isRealDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
