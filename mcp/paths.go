package mcp

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// path returns the absolute path of a file or folder that an agent names, relative to the workspace or absolute; "" for
// "". It fails for whatever lies outside the workspace once every symbolic link is followed. The file need not exist:
// it may be a buffer that was never saved.
func (c *call) path(field, given string) (string, error) {
	if given == "" {
		return "", nil
	}
	path := strings.TrimPrefix(given, "file://")
	if strings.ContainsRune(path, 0) {
		return "", invalid(field, field+" holds a NUL byte", "Give a path relative to the workspace.")
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.root, path)
	}
	real, err := resolve(filepath.Clean(path))
	if err != nil {
		return "", invalid(field, fmt.Sprintf("%s %.200q can't be read: %v", field, given, err), "Give a path relative to the workspace.")
	}
	if real != c.root && !strings.HasPrefix(real, strings.TrimSuffix(c.root, string(filepath.Separator))+string(filepath.Separator)) {
		return "", invalid(field, fmt.Sprintf("%s %.200q lies outside the workspace %s", field, given, c.root),
			"Give a path inside the workspace, relative to it.")
	}
	return real, nil
}

// resolve follows the symbolic links of the part of a path that exists.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	real, err = resolve(parent)
	return filepath.Join(real, filepath.Base(path)), err
}

// paths resolves a list.
func (c *call) paths(field string, given []string) ([]string, error) {
	var out []string
	for _, g := range given {
		path, err := c.path(field, g)
		if err != nil {
			return nil, err
		}
		if path != "" {
			out = append(out, path)
		}
	}
	return out, nil
}
