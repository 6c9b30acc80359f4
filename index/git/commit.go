package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Top returns the top folder of the work tree that holds dir.
func Top(ctx context.Context, dir string) (string, error) {
	out, err := run(ctx, dir, nil, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", fmt.Errorf("find the work tree: %w", err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// OwnDir returns the folder in which git keeps the state of the work tree that dir is in; each work tree has its own.
func OwnDir(ctx context.Context, dir string) (string, error) {
	out, err := run(ctx, dir, nil, nil, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return "", err
	}
	return filepath.FromSlash(strings.TrimSpace(string(out))), nil
}

// Branch returns the name of the branch that is checked out in dir, "" for none. A branch without a commit has its name,
// too.
func Branch(ctx context.Context, dir string) (string, error) {
	out, err := run(ctx, dir, nil, nil, "symbolic-ref", "--quiet", "HEAD")
	if err != nil {
		if _, top := Top(ctx, dir); top != nil {
			return "", top
		}
		return "", ctx.Err() // a detached head
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "refs/heads/"), nil
}

// quiet keeps a commit from asking a person. Hooks are off for every git that is run here; what the person's own settings
// make of files on their way into a commit, such as Git LFS, runs. Where the repository's settings do that, nothing is staged.
var quiet = []string{"commit.gpgSign=false", "core.editor=false"}

// ownFilter fails with ErrUntrusted when the settings of a repository, rather than the person's, name a program that git runs for
// each file that it reads. Leaving the program out would put another content into the commit.
func ownFilter(ctx context.Context, dir string) error {
	out, err := run(ctx, dir, nil, nil, "config", "--null", "--show-scope", "--name-only", "--get-regexp", `^filter\..*\.(clean|process)$`)
	var failed *CommandError
	if errors.As(err, &failed) && failed.Stderr == "" {
		return nil // exit status 1: no such setting
	}
	if err != nil {
		return err
	}
	found := fields(out)
	for i := 0; i+1 < len(found); i += 2 {
		if scope := found[i]; scope != "global" && scope != "system" {
			return fmt.Errorf("%w: its own settings run a program for files that are added (%s); add them with git", ErrUntrusted, found[i+1])
		}
	}
	return nil
}

// Stage adds files and folders, relative to dir and not patterns, to the next commit. What git ignores stays out.
func Stage(ctx context.Context, dir string, paths []string) error {
	if err := ownFilter(ctx, dir); err != nil {
		return fmt.Errorf("stage: %w", err)
	}
	if _, err := run(ctx, dir, quiet, nil, append([]string{"add", "--"}, paths...)...); err != nil {
		return fmt.Errorf("stage: %w", err)
	}
	return nil
}

// CommitStaged makes a commit of what is staged, and returns its short hash. No hook runs.
func CommitStaged(ctx context.Context, dir, message string) (string, error) {
	if err := ownFilter(ctx, dir); err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	if _, err := run(ctx, dir, quiet, strings.NewReader(message), "commit", "--quiet", "--no-verify", "--file=-"); err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	out, err := run(ctx, dir, nil, nil, "rev-parse", "--short", "HEAD")
	if err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
