package git

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// ErrNoCommit is that of a commit that the repository does not have.
var ErrNoCommit = errors.New("the repository does not have the commit")

var commitName = lazyregexp.New(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// Differs lists the files that are not in the work tree as they are in a commit, by their paths from the root of the repository: changed,
// deleted, and added where git tracks them. What a sparse checkout leaves out does not differ. It fails with ErrNoCommit.
func Differs(ctx context.Context, r *Repo, commit string) ([]string, error) {
	if !commitName.MatchString(commit) {
		return nil, fmt.Errorf("%w: %.70q is not the name of one", ErrNoCommit, commit)
	}
	if _, err := r.run(ctx, nil, "cat-file", "-e", commit+"^{commit}"); err != nil {
		if err := ignoreRefusal(ctx, err); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w %.10s", ErrNoCommit, commit)
	}
	out, err := r.run(ctx, nil, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules", commit, "--")
	if err != nil {
		return nil, fmt.Errorf("compare with %.10s: %w", commit, err)
	}
	return fields(out), nil
}

// UntrackedFiles lists the files that git neither tracks nor ignores, by their paths from the root of the repository.
func UntrackedFiles(ctx context.Context, r *Repo) ([]string, error) {
	out, err := r.run(ctx, nil, "ls-files", "--others", "--exclude-standard", "--full-name", "-z")
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err)
	}
	return fields(out), nil
}

// Sparse reports whether the work tree may leave files of HEAD out.
func Sparse(ctx context.Context, r *Repo) bool {
	out, err := r.run(ctx, nil, "config", "--type=bool", "core.sparseCheckout")
	return err == nil && strings.TrimSpace(string(out)) == "true"
}

// PlaceOf returns where the folder lies in its repository, "" for the root, else with '/' at the end.
func PlaceOf(r *Repo) string { return r.prefix }

// EscapePath is a path with slashes as it stands in an address.
func EscapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }
