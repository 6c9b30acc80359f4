package git

import (
	"context"
	"fmt"
	"path/filepath"
)

// Kin returns a name for the repository around dir and for dir's place in it, which all work trees of the repository
// share. Its errors are those of Open.
func Kin(ctx context.Context, dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("open repository: %w", err)
	}
	r := &Repo{dir: abs}
	if err := r.locate(ctx); err != nil {
		return "", fmt.Errorf("open repository %s: %w", abs, err)
	}
	common, err := filepath.EvalSymlinks(r.common)
	if err != nil {
		return "", fmt.Errorf("open repository %s: %w", abs, err)
	}
	return common + "\x00" + r.prefix, nil
}
