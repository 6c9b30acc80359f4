package vfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrRefused marks a folder that exists but must not be a workspace.
var ErrRefused = errors.New("not indexed")

// A Folder is a workspace folder that passed CheckFolder.
type Folder struct {
	Path     string   // canonical and absolute
	Warnings []string // reasons to think again, such as a very broad folder
}

// CheckFolder canonicalises path and refuses what must never be indexed as a whole: the root of a drive, the home
// folder, system folders, and whatever is no readable folder. The error says which and what to do; it wraps ErrRefused
// or the cause from the file system. Files in a refused folder can still be opened one by one.
func CheckFolder(path string) (Folder, error) {
	if path == "" || !filepath.IsAbs(path) {
		return Folder{}, fmt.Errorf("workspace folder %q: %w: not an absolute path", path, ErrRefused)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Folder{}, fmt.Errorf("workspace folder: %w", err)
	}
	real = filepath.Clean(real)
	info, err := os.Stat(real)
	if err != nil {
		return Folder{}, fmt.Errorf("workspace folder: %w", err)
	}
	if !info.IsDir() {
		return Folder{}, fmt.Errorf("workspace folder %s: %w: it is a file; open the folder around it", real, ErrRefused)
	}
	if reason := refusal(real); reason != "" {
		return Folder{}, fmt.Errorf("workspace folder %s: %w: it is %s; open a folder inside a project", real, ErrRefused, reason)
	}
	dir, err := os.Open(real)
	if err != nil {
		return Folder{}, fmt.Errorf("workspace folder: %w", err)
	}
	defer dir.Close()
	if _, err := dir.Readdirnames(1); err != nil && !isEOF(err) {
		return Folder{}, fmt.Errorf("workspace folder: %w", err)
	}
	return Folder{Path: real, Warnings: broadness(real)}, nil
}

// Rel returns the path of abs below the folder, with '/', after symbolic links; ok is false when it lies elsewhere.
// The folder itself is ".".
func (f Folder) Rel(abs string) (rel string, ok bool) {
	if !filepath.IsAbs(abs) || strings.ContainsRune(abs, 0) {
		return "", false
	}
	return f.relCanonical(Canonical(abs))
}

// relCanonical is Rel for a path without symbolic links.
func (f Folder) relCanonical(abs string) (string, bool) {
	if abs == f.Path {
		return ".", true
	}
	prefix := f.Path
	if !strings.HasSuffix(prefix, string(filepath.Separator)) {
		prefix += string(filepath.Separator)
	}
	rel, ok := strings.CutPrefix(abs, prefix)
	if !ok {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Abs returns the absolute path of rel.
func (f Folder) Abs(rel string) string { return filepath.Join(f.Path, filepath.FromSlash(rel)) }
